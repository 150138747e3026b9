//! What is wrong with a piece of input, and where.

use crate::model::{decimal, joined};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Why something is refused, and at which field.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) code: &'static str,
    /// Empty where it is the whole.
    pub(crate) field: String,
    pub(crate) detail: &'static str,
}

impl Fault {
    pub(crate) fn new(code: &'static str, field: String, detail: &'static str) -> Self {
        Self { code, field, detail }
    }

    pub(crate) fn whole(code: &'static str, detail: &'static str) -> Self {
        Self::new(code, String::new(), detail)
    }

    pub(crate) fn not_an_object() -> Self {
        Self::whole("not-an-object", "is not an object")
    }
}

/// What the objects of one frame share while they are read.
///
/// A read that fails notes its fault here and gives an empty value, so that readers are plain lists of fields; who
/// asked for the whole takes the fault and drops the value. The first fault wins.
#[derive(Default)]
pub(crate) struct Reading {
    fault: RefCell<Option<Fault>>,
    failed: Cell<bool>,
    /// The last ids that were read. An id mostly names what the line before named: then both share one text.
    names: RefCell<[Option<Arc<str>>; 4]>,
    next: Cell<usize>,
}

impl Reading {
    pub(crate) fn failed(&self) -> bool {
        self.failed.get()
    }

    pub(crate) fn refuse(&self, code: &'static str, place: &Place<'_>, name: &str, detail: &'static str) {
        if !self.failed.replace(true) {
            self.fault.replace(Some(Fault::new(code, place.path(name), detail)));
        }
    }

    /// The value, or the fault of its reading.
    pub(crate) fn settle<T>(&self, value: T) -> Result<T, Fault> {
        self.failed.set(false);
        match self.fault.take() {
            Some(fault) => Err(fault),
            None => Ok(value),
        }
    }

    pub(crate) fn name(&self, text: &str) -> Arc<str> {
        let Ok(mut names) = self.names.try_borrow_mut() else { return text.into() };
        if let Some(known) = names.iter().flatten().find(|known| ***known == *text) {
            return known.clone();
        }
        let name: Arc<str> = text.into();
        let next = self.next.get();
        if let Some(slot) = names.get_mut(next) {
            *slot = Some(name.clone());
        }
        self.next.set((next + 1) % names.len());
        name
    }
}

/// Where an object stands in the whole.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// It is the whole.
    Top,
    /// It is a field of another object.
    Field(&'a Place<'a>, &'a str),
    /// It is an item of a list.
    Item(&'a Place<'a>, usize),
}

impl Place<'_> {
    /// The path of a field here, or of the place itself where `name` is empty. As deep as the readers, not the input.
    fn path(&self, name: &str) -> String {
        let mut path = match self {
            Self::Top => String::new(),
            Self::Field(outer, name) => outer.path(name),
            Self::Item(outer, index) => joined(&[&outer.path(""), "[", &decimal(*index as u64), "]"]),
        };
        if !path.is_empty() && !name.is_empty() {
            path.push('.');
        }
        path.push_str(name);
        path
    }
}
