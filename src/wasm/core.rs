//! The store as JavaScript sees it: text in, text and numbers out.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::model::{Envelope, Event, ThreadId, push_decimal};
use crate::store::{Action, Effect, Frozen, Growth, Input, Limits, RequestId, RowDirt, Saved, Store};
use crate::wire::{
    self, Refused,
    encode::string,
    encode::text::{Writer, list},
    fault::{Fault, Reading},
    read::Object,
};

use super::held::{Base, Later};
use super::hot::Hot;
use super::mirror::Mirror;
use super::splice::field_code;
use super::{effects, groups, inputs, saved};

/// Something visible changed.
const CHANGED: u32 = 1;
/// Readers should see it at once.
const FLUSH: u32 = 2;
/// Effects wait to be taken.
const EFFECTS: u32 = 4;
/// Diagnostics wait to be taken.
const DIAGNOSTICS: u32 = 8;
/// The mirror has to take the patch: more changed than the end of one string.
const PATCH: u32 = 16;
/// Not for this way: feed the event as JSON.
const REFUSED: u32 = 0x80;

/// Diagnostics that nobody took. Beyond that the oldest are dropped.
const DIAGNOSTICS_MAX: usize = 1000;

/// A store with what JavaScript holds of it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Core {
    store: Store,
    mirror: Mirror,
    effects: Vec<String>,
    /// What each open request asked for: its answer is read by that.
    asked: Vec<(RequestId, Action)>,
    diagnostics: Vec<String>,
    changed: Vec<ThreadId>,
    renamed: Vec<ThreadId>,
    hot: Option<Hot>,
    /// Which string the hot slot made longer when it was fed last.
    grew: Option<(u64, Growth)>,
    slots: u32,
    /// Blocks of the last patch that are drawn once they are read.
    later: Vec<Frozen>,
}

/// What one `input` brings.
enum Fed {
    Input(Input),
    State(Vec<(ThreadId, Saved)>),
}

#[wasm_bindgen]
impl Core {
    /// An empty store. `options`: `{window?, page?, threads?}` as JSON.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(options: &str) -> Self {
        Self {
            store: Store::new(limits(options)),
            mirror: Mirror::default(),
            effects: Vec::new(),
            asked: Vec::new(),
            diagnostics: Vec::new(),
            changed: Vec::new(),
            renamed: Vec::new(),
            hot: None,
            grew: None,
            slots: 0,
            later: Vec::new(),
        }
    }

    /// Feeds one frame of events: JSON, an array, or JSON lines.
    pub fn message(&mut self, frame: String) -> u32 {
        self.frame(frame.into_bytes())
    }

    /// Feeds one frame of events as UTF-8.
    #[wasm_bindgen(js_name = messageBytes)]
    pub fn message_bytes(&mut self, frame: Vec<u8>) -> u32 {
        self.frame(frame)
    }

    /// Feeds one event object; also `effect-result` and `timer-fired`.
    pub fn event(&mut self, json: &str) -> u32 {
        self.hot = None;
        let flags = match self.special(json) {
            Some(flags) => flags,
            None => self.one_event(json),
        };
        flags | self.waiting()
    }

    /// Feeds one command or host input.
    pub fn input(&mut self, json: &str) -> u32 {
        self.hot = None;
        let reading = Reading::default();
        let read = Object::top(json, &reading).and_then(|object| {
            let read = if object.given("type") == Some("\"hydrate\"") {
                Some(Fed::State(saved::decode(&object.object("state"))))
            } else {
                inputs::input(&object).map(Fed::Input)
            };
            reading.settle(read)
        });
        let flags = match read {
            Ok(Some(Fed::Input(input))) => self.run(input),
            Ok(Some(Fed::State(threads))) => self.hydrate(threads),
            Ok(None) => {
                self.refuse(Fault::whole("unknown-type", "is no input that is known here"));
                0
            }
            Err(fault) => {
                self.refuse(fault);
                0
            }
        };
        flags | self.waiting()
    }

    /// Feeds deltas with the address of the last one, as one text. `n`: the event number of the last of them, below 0
    /// where they have none; `count`: how many they are. More than one is refused unless each has the next number.
    pub fn grow(&mut self, text: &str, n: f64, count: u32) -> u32 {
        let Some(hot) = self.hot.clone() else { return REFUSED };
        let count = u64::from(count);
        // Whole numbers up to 2^53 are exact in a double; the caller vouches for that.
        let number = (n >= 0.0).then_some(n as u64);
        let follows = |n: u64| n >= count && self.store.is_next(hot.thread(), n - count + 1);
        if count == 0 || (count > 1 && !number.is_none_or(follows)) {
            return REFUSED;
        }
        let clean = self.store.touched(hot.thread()).is_none_or(crate::store::Touched::is_empty);
        let thread = hot.thread().clone();
        let whole = hot.envelope(text, number);
        let flags = self.run(if count == 1 { Input::Event(whole) } else { Input::Deltas { whole, count } });
        // What waited behind a hole may have come along, or waits still: then the next one is not like this one.
        let steady = number.is_none_or(|n| self.store.is_next(&thread, n + 1));
        self.grew = if clean && flags == CHANGED && steady { self.only_grew(&thread, text) } else { None };
        if self.grew.is_some() {
            // JavaScript appends the text by itself.
            let _ = self.store.apply(Input::Drawn { thread: thread.clone() });
            self.changed.retain(|known| *known != thread);
            return CHANGED | self.waiting();
        }
        if flags == 0 { self.waiting() } else { flags | PATCH | self.waiting() }
    }

    /// The number of the hot slot that the last input left; 0: none.
    #[must_use]
    pub fn hot(&self) -> u32 {
        if self.hot.is_some() { self.slots } else { 0 }
    }

    /// Where the hot slot's text is drawn: `[threadId, group, part, field]`, or nothing. Valid once the patch is taken, and
    /// for a slot that made a text longer and did nothing else.
    #[wasm_bindgen(js_name = hotPlace)]
    #[must_use]
    pub fn hot_place(&self) -> String {
        let mut out = String::new();
        let (Some(hot), Some((row, growth))) = (&self.hot, self.grew) else { return out };
        if let Some((group, part)) = self.mirror.spot(&self.store, hot.thread(), row, growth.part) {
            out.push('[');
            string(self.store.thread_name(hot.thread()).as_str(), &mut out);
            for number in [group, part, field_code(growth.field)] {
                out.push(',');
                push_decimal(number as u64, &mut out);
            }
            out.push(']');
        }
        out
    }

    /// Takes the waiting effects: a JSON array.
    pub fn effects(&mut self) -> String {
        joined(&mut self.effects)
    }

    /// Takes the waiting diagnostics: a JSON array.
    pub fn diagnostics(&mut self) -> String {
        joined(&mut self.diagnostics)
    }

    /// The threads that have an untaken patch: a JSON array of ids.
    #[must_use]
    pub fn changed(&self) -> String {
        let mut out = String::new();
        list(&self.changed, &mut out, |id, out| string(id.as_str(), out));
        out
    }

    /// Takes what changed in a thread; nothing where nothing did.
    pub fn patch(&mut self, thread: &str) -> String {
        let thread = self.store.thread_name(&ThreadId::new(thread)).clone();
        self.changed.retain(|known| *known != thread);
        self.later.clear();
        let renamed = self.renamed.iter().position(|known| *known == thread).map(|at| self.renamed.remove(at));
        let told = renamed.map(|_| self.mirror.renamed(&thread)).unwrap_or_default();
        let ops = self.mirror.patch(&self.store, &thread, &mut self.later);
        let head = self.store.touched(&thread).is_some_and(|touched| touched.head);
        if ops.is_empty() && told.is_empty() && !head {
            let _ = self.store.apply(Input::Drawn { thread });
            return String::new();
        }
        let mut out = String::with_capacity(ops.len() + 32);
        out.push_str("{\"ops\":[");
        out.push_str(&told);
        out.push_str(if told.is_empty() || ops.is_empty() { "" } else { "," });
        out.push_str(&ops);
        out.push(']');
        if let Some(value) = self.store.head(&thread).filter(|_| head) {
            out.push_str(",\"head\":");
            groups::head(&value, &mut out);
        }
        out.push('}');
        let _ = self.store.apply(Input::Drawn { thread });
        out
    }

    /// Takes the blocks that the last patch leaves to be drawn later.
    pub fn later(&mut self) -> Later {
        Later(std::mem::take(&mut self.later))
    }

    /// Why a group is here: a JSON object, or `null`.
    #[must_use]
    pub fn explain(&self, thread: &str, key: &str) -> String {
        let Some(why) = self.store.explain(&ThreadId::new(thread), key) else { return "null".to_owned() };
        let mut out = String::new();
        let mut object = Writer::open(&mut out);
        object.text("key", &why.key);
        object.text("owner", why.owner);
        object.text("state", why.state.as_str());
        object.opt_text("turnId", why.turn.as_deref());
        list(&why.because, object.key("because"), |reason, out| string(reason, out));
        object.close();
        out
    }

    /// The name that a thread has now: another than the given one where it was renamed.
    #[must_use]
    pub fn name(&self, thread: &str) -> String {
        self.store.thread_name(&ThreadId::new(thread)).as_str().to_owned()
    }

    /// The whole state as JSON; `input({type: 'hydrate', state})` on a new store takes it.
    #[must_use]
    pub fn dehydrate(&self) -> String {
        self.save().text()
    }

    /// The whole state, to go back to.
    #[must_use]
    pub fn save(&self) -> Base {
        Base(self.store.threads().filter_map(|id| Some((id.clone(), self.store.save(id)?))).collect())
    }

    /// Takes up a state, as the first input of a new store.
    pub fn restore(&mut self, base: &Base) -> u32 {
        self.hydrate(base.0.clone()) | self.waiting()
    }
}

impl Core {
    fn frame(&mut self, frame: Vec<u8>) -> u32 {
        self.hot = None;
        let wire::Decoded { events, refused } = wire::decode(&frame);
        // Memory never goes back to the host: what a page needs next may take this place.
        drop(frame);
        let mut flags = 0;
        // What is refused may stand behind the last event: then none is hot.
        let hot = if refused.is_empty() { events.last().and_then(Hot::of) } else { None };
        for envelope in events {
            flags |= self.run(Input::Event(envelope));
        }
        self.set_hot(hot);
        for refusal in &refused {
            self.note(|out| effects::refusal(refusal, out));
        }
        flags | self.waiting()
    }

    fn one_event(&mut self, json: &str) -> u32 {
        let (envelope, refused) = wire::event(json);
        let mut flags = 0;
        if let Some(envelope) = envelope {
            let hot = Hot::of(&envelope);
            flags |= self.run(Input::Event(envelope));
            self.set_hot(hot);
        }
        if let Some(refusal) = refused {
            self.note(|out| effects::refusal(&refusal, out));
        }
        flags
    }

    fn set_hot(&mut self, hot: Option<Hot>) {
        if hot.is_some() {
            self.slots = self.slots.wrapping_add(1).max(1);
        }
        self.hot = hot;
        self.grew = None;
    }

    /// The one way into the store.
    fn run(&mut self, input: Input) -> u32 {
        let thread = match &input {
            Input::Event(Envelope { event: Event::Statuses(_) | Event::ThreadRenamed { .. }, .. })
            | Input::Answer { .. }
            | Input::TimerFired { .. }
            | Input::Connection(_) => None,
            Input::Event(envelope) | Input::Deltas { whole: envelope, .. } => Some(envelope.thread.clone()),
            Input::Command { thread, .. } | Input::Drawn { thread } | Input::Restore { thread, .. } => {
                Some(thread.clone())
            }
        };
        let mut flags = 0;
        for effect in self.store.apply(input) {
            flags |= self.take(effect);
        }
        match thread {
            Some(thread) => {
                let thread = self.store.thread_name(&thread);
                if self.store.touched(thread).is_some_and(|touched| !touched.is_empty()) {
                    flags |= CHANGED;
                    if !self.changed.contains(thread) {
                        self.changed.push(thread.clone());
                    }
                }
            }
            None => {
                let more: Vec<ThreadId> =
                    self.store.changed().filter(|id| !self.changed.contains(id)).cloned().collect();
                self.changed.extend(more);
                flags |= if self.changed.is_empty() { 0 } else { CHANGED };
            }
        }
        flags
    }

    fn take(&mut self, effect: Effect) -> u32 {
        match &effect {
            Effect::Flush(_) => return FLUSH,
            Effect::Report(told) => self.note(|out| effects::diagnostic(told, out)),
            Effect::Renamed { from, to } => {
                let anew = self.store.touched(to).is_some_and(|touched| touched.everything);
                self.mirror.rename(from, to, anew);
                self.renamed.retain(|known| known != from && known != to);
                self.changed.retain(|known| known != from && known != to);
                self.renamed.push(to.clone());
                self.changed.push(to.clone());
                return CHANGED;
            }
            Effect::Request { request, action, .. } => {
                self.asked.push((*request, action.clone()));
            }
            Effect::Cancel(request) => {
                self.asked.retain(|(known, _)| known != request);
            }
            Effect::StartTimer { .. } | Effect::CancelTimer(_) | Effect::Persist { .. } => {}
        }
        let mut out = String::new();
        if effects::effect(&effect, &mut out) {
            self.effects.push(out);
        }
        0
    }

    /// The types that answer effects. `None`: an event like any other.
    fn special(&mut self, json: &str) -> Option<u32> {
        // Most events are none of these: no second look at them.
        let has = |word: &[u8]| json.as_bytes().windows(word.len()).any(|seen| seen == word);
        if !has(b"effect-result") && !has(b"timer-fired") {
            return None;
        }
        let reading = Reading::default();
        let object = Object::top(json, &reading).ok()?;
        let read = match object.given("type")? {
            "\"effect-result\"" => {
                let request = RequestId(object.number("id"));
                let asked = self.asked.iter().position(|(known, _)| *known == request);
                let Some((_, action)) = asked.map(|at| self.asked.swap_remove(at)) else {
                    self.refuse(Fault::new("bad-field", "id".to_owned(), "is no open effect"));
                    return Some(0);
                };
                Ok(Input::Answer { request, answer: inputs::answer(&object, &action) })
            }
            "\"timer-fired\"" => {
                let input = inputs::timer(&object);
                reading.settle(input)
            }
            _ => return None,
        };
        Some(match read {
            Ok(input) => self.run(input),
            Err(fault) => {
                self.refuse(fault);
                0
            }
        })
    }

    fn hydrate(&mut self, threads: Vec<(ThreadId, Saved)>) -> u32 {
        let mut flags = 0;
        for (thread, saved) in threads {
            flags |= self.run(Input::Restore { thread, saved: Box::new(saved) });
        }
        flags
    }

    /// The string that this text made longer, where nothing else changed.
    fn only_grew(&self, thread: &ThreadId, text: &str) -> Option<(u64, Growth)> {
        let touched = self.store.touched(thread)?;
        let [(row, RowDirt::Grew(growth))] = touched.rows.as_slice() else { return None };
        let only = !touched.head && touched.blocks.is_empty();
        (only && self.store.grown(thread, *row, *growth) == Some(text)).then_some((*row, *growth))
    }

    fn refuse(&mut self, fault: Fault) {
        let refusal = Refused {
            code: fault.code,
            thread: None,
            kind: None,
            field: (!fault.field.is_empty()).then_some(fault.field),
            detail: fault.detail.to_owned(),
        };
        self.note(|out| effects::refusal(&refusal, out));
    }

    fn note(&mut self, write: impl FnOnce(&mut String)) {
        if self.diagnostics.len() >= DIAGNOSTICS_MAX {
            self.diagnostics.remove(0);
        }
        let mut out = String::new();
        write(&mut out);
        self.diagnostics.push(out);
    }

    fn waiting(&self) -> u32 {
        let effects = if self.effects.is_empty() { 0 } else { EFFECTS };
        let diagnostics = if self.diagnostics.is_empty() { 0 } else { DIAGNOSTICS };
        effects | diagnostics
    }
}

fn limits(options: &str) -> Limits {
    let mut limits = Limits::default();
    let reading = Reading::default();
    let Ok(object) = Object::top(options, &reading) else { return limits };
    let number = |name: &str| object.opt_number(name).filter(|number| *number > 0);
    if let Some(window) = number("window") {
        limits.window = usize::try_from(window).unwrap_or(usize::MAX);
    }
    if let Some(page) = number("page") {
        limits.page = u32::try_from(page).unwrap_or(u32::MAX);
    }
    if let Some(threads) = number("threads") {
        limits.threads = usize::try_from(threads).unwrap_or(usize::MAX);
    }
    limits
}

fn joined(items: &mut Vec<String>) -> String {
    let items = std::mem::take(items);
    let mut out = String::with_capacity(items.iter().map(|item| item.len() + 1).sum::<usize>() + 2);
    list(items.iter(), &mut out, |item, out| out.push_str(item));
    out
}
