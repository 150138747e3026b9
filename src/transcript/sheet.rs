//! The messages under way, and which of them hold fillers.

use super::Filler;
use super::cause::Cause;
use super::json;
use super::log::{Answer, Call};

#[derive(Default)]
pub(super) struct Sheet {
    messages: Vec<String>,
    fillers: Vec<Filler>,
}

impl Sheet {
    pub(super) fn push(&mut self, fields: &[(&str, &str)]) {
        self.messages.push(json::write(fields));
    }

    /// Flags the call, where it is a filler, in the message that comes next.
    pub(super) fn flag_call(&mut self, call: &Call) {
        if call.arguments.is_none() {
            self.flag(call, Cause::NoCall, true);
        }
    }

    /// Flags the result, where it is a filler, in the message that comes next.
    pub(super) fn flag_result(&mut self, call: &Call) {
        if let Answer::Filler { cause, started } = call.answer {
            self.flag(call, cause, started);
        }
    }

    pub(super) fn done(self) -> (String, Vec<Filler>) {
        (json::array(&self.messages), self.fillers)
    }

    fn flag(&mut self, call: &Call, cause: Cause, started: bool) {
        let message = self.messages.len();
        self.fillers.push(Filler { message, call: call.call.clone(), wire: call.wire.clone(), cause, started });
    }
}
