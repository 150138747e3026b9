//! Names of things. An id is opaque: equal or not, never parsed, never ordered by meaning.

use std::fmt;
use std::sync::Arc;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Takes the id as it came.
            #[must_use]
            pub fn new(text: impl Into<Arc<str>>) -> Self {
                Self(text.into())
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The id as text that can be shared without a copy.
            #[must_use]
            pub fn shared(&self) -> &Arc<str> {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    )+};
}

ids! {
    /// Names one conversation. Absent on the wire it is `main`.
    ThreadId,
    /// Names one run of the agent that answers one user message. Never reused.
    TurnId,
    /// Names one model's part in a turn. Unique to its turn.
    ExecutionId,
    /// Names a message, given by the server.
    MessageId,
    /// Names a message, given by the client that sent it.
    ClientId,
    /// Names a tool call. May repeat in later steps of a turn.
    CallId,
    /// Names one part of a streaming message. A hint: it may change inside one text.
    PartId,
}

/// Place of a chunk in the sealed log: ascending, gaps allowed. At most 2^53 - 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seq(pub u64);

/// JSON that this crate carries and never reads: it comes out byte for byte as it went in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Json(Arc<str>);

impl Json {
    /// Takes JSON text; the caller vouches that it is one valid JSON value.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True for the JSON value `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        &*self.0 == "null"
    }
}
