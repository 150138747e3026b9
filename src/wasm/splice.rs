//! The ops of a patch as JSON.

use crate::model::{Field, push_decimal};

/// A splice that grows as long as the next change is next to it and of its kind.
#[derive(Default)]
pub(super) struct Splice {
    pub(super) index: usize,
    pub(super) removed: usize,
    pub(super) count: usize,
    /// Where its groups are those of the queue: the index of the first in it.
    pub(super) queue: Option<usize>,
    /// Groups as JSON; where they are drawn later, how many each block has.
    pub(super) items: String,
    /// The number of the first block that is drawn later.
    pub(super) later: Option<usize>,
}

/// Splices, top to bottom: neighbours of one kind become one.
pub(super) struct Splices<'a> {
    open: Option<Splice>,
    ops: &'a mut String,
}

impl<'a> Splices<'a> {
    pub(super) fn new(ops: &'a mut String) -> Self {
        Self { open: None, ops }
    }

    /// The splice that goes on at an index, or a new one.
    pub(super) fn at(&mut self, index: usize, later: Option<usize>, queue: Option<usize>) -> &mut Splice {
        let fits = self.open.as_ref().is_some_and(|open| {
            open.index + open.count == index
                && open.later.is_some() == later.is_some()
                && open.queue.is_some() == queue.is_some()
        });
        if !fits {
            self.close();
        }
        self.open.get_or_insert(Splice { index, later, queue, ..Splice::default() })
    }

    /// Writes the last one.
    pub(super) fn close(&mut self) {
        let (Some(splice), ops) = (self.open.take(), &mut *self.ops) else { return };
        match splice.later {
            None => op(ops, &[0, splice.index, splice.removed]),
            Some(first) => op(ops, &[5, splice.index, splice.removed, first]),
        }
        ops.push('[');
        ops.push_str(&splice.items);
        ops.push(']');
        if let Some(queue) = splice.queue {
            ops.push(',');
            push_decimal(queue as u64, ops);
        }
        ops.push(']');
    }
}

/// Opens an op: `[code, numbers...,`, with a comma before it where it is not the first.
pub(super) fn op(ops: &mut String, numbers: &[usize]) {
    comma(ops);
    ops.push('[');
    for number in numbers {
        push_decimal(*number as u64, ops);
        ops.push(',');
    }
}

pub(super) fn comma(out: &mut String) {
    if !out.is_empty() {
        out.push(',');
    }
}

/// How a patch names a string of a part.
pub(super) fn field_code(field: Field) -> usize {
    match field {
        Field::Text => 0,
        Field::Arguments => 1,
        Field::Stdout => 2,
        Field::Stderr => 3,
    }
}
