//! What JavaScript holds of a store beside the store itself.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::model::ThreadId;
use crate::store::{Frozen, Saved};

use super::{groups, saved};

/// Blocks that are drawn once they are read. They stay as they were, whatever becomes of the store.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Later(pub(super) Vec<Frozen>);

#[wasm_bindgen]
impl Later {
    /// The groups of a block: a JSON array.
    #[must_use]
    pub fn draw(&self, block: usize) -> String {
        let mut out = "[".to_owned();
        if let Some(frozen) = self.0.get(block) {
            frozen.draw(&mut |group| {
                if out.len() > 1 {
                    out.push(',');
                }
                groups::group(group, &mut out);
            });
        }
        out.push(']');
        out
    }
}

/// The state of a store at one moment, shared with it: what both hold is there once.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Base(pub(super) Vec<(ThreadId, Saved)>);

#[wasm_bindgen]
impl Base {
    /// The state as JSON, as `dehydrate` gives it.
    #[must_use]
    pub fn text(&self) -> String {
        saved::encode(&self.0)
    }
}
