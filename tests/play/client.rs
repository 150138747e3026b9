//! One client: its store, its channel, its open requests, and what a test remembers of it.

use std::borrow::Cow;
use std::collections::VecDeque;

use turnseal::model::{Envelope, MessageId, ThreadId};
use turnseal::store::{
    Action, Answer, Code, Diagnostic, Effect, Group, Input, Limits, PendingSend, RequestId, Store, TimerId, Why,
};

use super::Trouble;
use crate::laws::{self, Facts, Scene, View};
use crate::paper::Server;

/// A request that the store waits for.
#[derive(Clone, Debug)]
pub struct Ask {
    pub request: RequestId,
    pub action: Action,
    /// On its way.
    pub answer: Option<Answer>,
}

/// One client.
#[derive(Clone)]
pub struct Client {
    pub store: Store,
    pub thread: ThreadId,
    pub view: View,
    pub facts: Facts,
    /// On its way, oldest first.
    pub socket: VecDeque<Envelope>,
    /// The channel takes its time: events wait until they are heard.
    pub slow: bool,
    /// So many of the next events get lost.
    pub lose: usize,
    pub linked: bool,
    /// The number of the last event that was handed to the channel.
    pub handed: u64,
    pub asks: Vec<Ask>,
    pub timers: Vec<(TimerId, Why)>,
    pub kept: Vec<PendingSend>,
    /// Inputs of the last line.
    pub last: Vec<Input>,
    /// What the last line made the store want, and say.
    pub effects: Vec<Effect>,
    pub says: Vec<Diagnostic>,
    /// All inputs and what they led to, for L14.
    pub record: Vec<(Input, Vec<Effect>)>,
    pub recording: bool,
    limits: Limits,
}

impl Client {
    pub fn new(limits: Limits) -> Self {
        Self {
            store: Store::new(limits),
            thread: "main".into(),
            view: Vec::new(),
            facts: Facts::default(),
            socket: VecDeque::new(),
            slow: false,
            lose: 0,
            linked: true,
            handed: 0,
            asks: Vec::new(),
            timers: Vec::new(),
            kept: Vec::new(),
            last: Vec::new(),
            effects: Vec::new(),
            says: Vec::new(),
            record: Vec::new(),
            recording: false,
            limits,
        }
    }

    /// Puts an event on its way, or loses it.
    pub fn hand(&mut self, envelope: Envelope) {
        self.handed = self.handed.max(envelope.n.unwrap_or(0));
        if !self.linked {
            return;
        }
        if self.lose > 0 {
            self.lose -= 1;
            return;
        }
        self.socket.push_back(envelope);
    }

    pub fn hear_all(&mut self, server: &Server) -> Result<(), Trouble> {
        while let Some(envelope) = self.socket.pop_front() {
            self.apply(Input::Event(envelope), server)?;
        }
        Ok(())
    }

    /// Gives the store one input and checks the laws.
    pub fn apply(&mut self, input: Input, server: &Server) -> Result<(), Trouble> {
        self.last.push(input.clone());
        let waiting = self.asks.iter().any(|ask| matches!(ask.action, Action::Resync { .. }))
            || self.timers.iter().any(|(_, why)| *why == Why::ResyncBackoff);
        let effects = self.store.apply(input.clone());
        let before = std::mem::replace(&mut self.view, draw(&self.store, &self.thread));
        for effect in &effects {
            self.on_effect(effect);
        }
        let scene =
            Scene { before: &before, after: &self.view, input: &input, server, window: self.window(server), waiting };
        let judged = laws::check(&scene, &mut self.facts);
        if self.recording {
            self.record.push((input, effects.clone()));
        }
        self.effects.extend(effects);
        judged.map_err(Trouble::Broken)?;
        self.store.laws().map_err(Trouble::Broken)?;
        match self.says.iter().find(|said| said.code == Code::Law) {
            Some(said) => Err(Trouble::Broken(said.detail.clone())),
            None => Ok(()),
        }
    }

    /// So many chunks of the end of the log this client holds at least, once it has loaded them.
    pub fn window(&self, server: &Server) -> usize {
        self.limits.window.min(server.options.cap.unwrap_or(usize::MAX))
    }

    fn on_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Request { request, action, .. } => {
                self.asks.push(Ask { request: *request, action: action.clone(), answer: None });
            }
            Effect::Cancel(request) => self.asks.retain(|ask| ask.request != *request),
            Effect::StartTimer { timer, why, .. } => self.timers.push((*timer, *why)),
            Effect::CancelTimer(timer) => self.timers.retain(|(known, _)| known != timer),
            Effect::Persist { sends, .. } => self.kept.clone_from(sends),
            Effect::Renamed { to, .. } => self.thread = to.clone(),
            Effect::Flush(_) => {}
            Effect::Report(said) => {
                self.facts.ambiguous |= said.code == Code::Ambiguous;
                self.says.push(said.clone());
            }
        }
    }

    /// Takes out the oldest request that fits, or the newest.
    pub fn ask(&mut self, newest: bool, fits: impl Fn(&Action) -> bool) -> Result<Ask, String> {
        let mut places = self.asks.iter().enumerate().filter(|(_, ask)| fits(&ask.action)).map(|(at, _)| at);
        let at = if newest { places.next_back() } else { places.next() };
        at.map(|at| self.asks.remove(at)).ok_or_else(|| "no such request is open".to_owned())
    }

    pub fn answer(&mut self, request: RequestId, answer: Answer, server: &Server) -> Result<(), Trouble> {
        self.apply(Input::Answer { request, answer }, server)
    }

    /// L4: what came last comes again and changes nothing.
    pub fn again(&mut self, server: &Server) -> Result<(), Trouble> {
        let inputs = std::mem::take(&mut self.last);
        let head = self.store.head(&self.thread);
        let view = self.view.clone();
        for input in inputs.clone() {
            self.apply(input, server)?;
        }
        self.last = inputs;
        if self.view != view {
            return Err(Trouble::Broken("L4: the same input changed what is shown".to_owned()));
        }
        if self.store.head(&self.thread) != head {
            return Err(Trouble::Broken("L4: the same input changed the head".to_owned()));
        }
        Ok(())
    }

    /// L14: the record, played to another store, gives the same effects and the same view.
    pub fn replay(&self) -> Result<(), String> {
        let mut store = Store::new(self.limits);
        for (input, effects) in &self.record {
            if store.apply(input.clone()) != *effects {
                return Err(format!("L14: {input:?} had other effects the second time"));
            }
        }
        let view = draw(&store, &self.thread);
        if view == self.view { Ok(()) } else { Err("L14: the replay shows something else".to_owned()) }
    }

    /// The key of what a test names: a message, a client id, or a key as it is.
    pub fn key_of(&self, name: &str) -> Option<String> {
        let message: MessageId = name.into();
        let found = self.view.iter().find(|group| {
            group.key == name
                || group.message.as_ref() == Some(&message)
                || group.client.as_ref().is_some_and(|client| client.as_str() == name)
        });
        found.map(|group| group.key.clone())
    }
}

/// What a store shows.
pub fn draw(store: &Store, thread: &ThreadId) -> View {
    let own = |group: Group<'_>| Group { parts: Cow::Owned(group.parts.into_owned()), ..group };
    store.groups(thread).into_iter().map(own).collect()
}
