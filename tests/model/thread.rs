//! One thread as a model: the paper server, clients with the real store, and a network that answers in any order.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use stateright::{Model, Property};
use turnseal::model::Role;
use turnseal::store::{Action, GroupState};

use crate::bounds::Bounds;
use crate::key;
use crate::laws::paragraphs;
use crate::paper::Server;
use crate::play::{Ask, Client, Trouble, World, named};
use crate::program::{Places, Program};
use crate::script::Line;

/// How many faults are left in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Faults {
    /// Requests that do not arrive, or whose answer does not.
    pub fails: u8,
    /// Pages from a replica that lags behind.
    pub stale: u8,
    /// Events that are lost on their way.
    pub lost: u8,
}

/// All that is so after some lines.
#[derive(Clone)]
pub struct State {
    world: Arc<World>,
    places: Places,
    left: Faults,
    /// The law that the last line broke.
    broken: Option<String>,
    /// The keys of the clients' stores.
    stores: Vec<u64>,
    key: u64,
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hash: &mut H) {
        self.key.hash(hash);
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:016x} {:?}", self.key, self.broken)
    }
}

/// One line, and what it costs.
#[derive(Clone, PartialEq, Debug)]
pub struct Act {
    pub line: Option<Line>,
    cost: Cost,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Cost {
    Track(usize),
    Nothing,
    Fails,
    Stale,
    Lost,
}

/// A model: where it begins, what may happen, and how often things go wrong.
pub struct Thread {
    setup: Vec<Line>,
    program: Program,
    faults: Faults,
}

impl Thread {
    pub fn new(bounds: &Bounds) -> Result<Self, String> {
        let setup = bounds.setup.iter().map(|line| Line::parse(0, line)?.ok_or_else(|| "no line".to_owned()));
        Ok(Self {
            setup: setup.collect::<Result<_, _>>()?,
            program: Program::parse(bounds.tracks)?,
            faults: bounds.faults,
        })
    }

    /// The lines with which each run begins.
    pub fn setup(&self) -> &[Line] {
        &self.setup
    }

    /// `before`: the keys of the stores of the state before; those that were told nothing are as they were.
    fn state(&self, world: World, before: &[u64], places: Places, left: Faults, broken: Option<String>) -> State {
        let told = world.clients.iter().zip(before.iter().map(Some).chain(std::iter::repeat(None)));
        let fresh = |(client, known): (&Client, Option<&u64>)| match known {
            Some(known) if client.last.is_empty() => *known,
            _ => key::of_store(client),
        };
        let stores: Vec<u64> = told.map(fresh).collect();
        let key = key::of(&world, &stores, &format!("{places:?} {left:?} {broken:?}"));
        State { world: Arc::new(world), places, left, broken, stores, key }
    }

    /// Plays a line, and once more what it told a client (L4).
    pub fn play(world: &mut World, line: &Line) -> Result<(), Trouble> {
        world.play(line)?;
        // Without numbers nobody can tell that an event comes twice.
        let told = world.clients.iter().filter(|client| world.server.options.numbers && !client.last.is_empty());
        told.into_iter().try_for_each(|client| client.clone().again(&world.server))
    }

    /// L8, where nothing is on its way: every client shows what is so, once what was lost is told anew. Wherever something
    /// is on its way, its arrival is a line of this model, so that each state leads to such a one.
    fn rests(state: &State) -> bool {
        let waits = |client: &Client| !client.socket.is_empty() || !client.asks.is_empty() || !client.timers.is_empty();
        if state.broken.is_some() || state.world.clients.iter().any(waits) {
            return true;
        }
        let mut world = (*state.world).clone();
        Self::rest(&mut world).is_ok()
    }

    /// Brings a world to its rest. L2: nothing that is drawn live lingers behind a turn that is sealed.
    pub fn rest(world: &mut World) -> Result<(), Trouble> {
        // SPEC 5.8: of a turn that was drawn from its chunks first nothing but chunks is drawn, until it is sealed.
        let open = |turn: &str| world.server.turn(turn).is_some_and(|turn| !turn.sealed);
        if world.server.log.iter().any(|chunk| chunk.role != Role::User && open(chunk.turn.as_str())) {
            return Ok(());
        }
        match world.play(&Line::verb("quiet")) {
            Err(Trouble::Cannot(_)) => return Ok(()),
            all => all?,
        }
        let sealed = |turn: &str| world.server.turn(turn).is_some_and(|turn| turn.sealed);
        let groups = world.clients.iter().flat_map(|client| &client.view);
        let mut live = groups.filter(|group| group.state != GroupState::Sealed);
        let lingers = live.find(|group| group.turn.as_ref().is_some_and(|turn| sealed(turn.as_str())));
        if let Some(group) = lingers {
            return Err(Trouble::Broken(format!("L8: {} of a sealed turn lingers", group.key)));
        }
        world.clients.iter().try_for_each(|client| Self::doubles(client, &world.server))
    }

    /// L2 at rest, also where nothing but the turn tells which row a chunk is.
    fn doubles(client: &Client, server: &Server) -> Result<(), Trouble> {
        let users = client.view.iter().filter(|group| group.role == Role::User);
        let shown: Vec<&str> = users.flat_map(paragraphs).collect();
        for text in &shown {
            let here = shown.iter().filter(|other| other == &text).count();
            let known = server.messages.iter().filter(|message| message.text == **text).count();
            let typed = server.typed.values().filter(|(typed, _)| typed == text).count();
            if here > known.max(typed).max(1) {
                return Err(Trouble::Broken(format!("L2: {text:?} is shown {here} times")));
            }
        }
        Ok(())
    }

    fn breaks(state: &State, law: &str) -> bool {
        state.broken.as_ref().is_some_and(|why| why.starts_with(law))
    }
}

impl Model for Thread {
    type State = State;
    type Action = Act;

    fn init_states(&self) -> Vec<State> {
        let mut world = World::new();
        let broken = self.setup.iter().find_map(|line| world.play(line).err());
        vec![self.state(world, &[], self.program.begin(), self.faults, broken.map(|why| why.why().to_owned()))]
    }

    fn actions(&self, state: &State, acts: &mut Vec<Act>) {
        if state.broken.is_some() {
            return;
        }
        for (track, line) in self.program.next(&state.places) {
            acts.push(Act { line: line.cloned(), cost: Cost::Track(track) });
        }
        for (at, client) in state.world.clients.iter().enumerate() {
            let of = |verb: &str| Line::verb(verb).of(at + 1);
            let mut act = |line: Line, cost: Cost| acts.push(Act { line: Some(line), cost });
            if !client.socket.is_empty() {
                act(of("hear"), Cost::Nothing);
                if state.left.lost > 0 {
                    act(of("lose"), Cost::Lost);
                }
            }
            if !client.timers.is_empty() {
                act(of("wait"), Cost::Nothing);
            }
            for Asked { line, answered, is_page } in asked(&client.asks) {
                let line = line.of(at + 1);
                act(if answered { line.clone() } else { line.clone().name("sent") }, Cost::Nothing);
                if state.left.fails > 0 {
                    act(line.clone().name("fails"), Cost::Fails);
                }
                if state.left.stale > 0 && !answered && is_page {
                    act(line.name("stale").name("sent"), Cost::Stale);
                }
            }
        }
    }

    fn next_state(&self, last: &State, act: Act) -> Option<State> {
        let (mut places, mut left) = (last.places.clone(), last.left);
        match act.cost {
            Cost::Track(track) => *places.get_mut(track)? += 1,
            Cost::Nothing => {}
            Cost::Fails => left.fails -= 1,
            Cost::Stale => left.stale -= 1,
            Cost::Lost => left.lost -= 1,
        }
        let mut world = (*last.world).clone();
        let broken = match act.line.map(|line| Self::play(&mut world, &line)) {
            None | Some(Ok(())) => None,
            Some(Err(Trouble::Cannot(_))) => return None,
            Some(Err(Trouble::Broken(why))) => Some(why),
        };
        Some(self.state(world, &last.stores, places, left, broken))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("L1", |_, state| !Self::breaks(state, "L1")),
            Property::always("L2", |_, state| !Self::breaks(state, "L2")),
            Property::always("L3", |_, state| !Self::breaks(state, "L3")),
            Property::always("L4", |_, state| !Self::breaks(state, "L4")),
            Property::always("L5", |_, state| !Self::breaks(state, "L5")),
            Property::always("L6", |_, state| !Self::breaks(state, "L6")),
            Property::always("L7", |_, state| !Self::breaks(state, "L7")),
            Property::always("L8", |_, state| !Self::breaks(state, "L8") && Self::rests(state)),
        ]
    }
}

/// A request that waits: the line that answers it, whether the server has done it, whether it is for the newest page.
struct Asked {
    line: Line,
    answered: bool,
    is_page: bool,
}

/// What a client has asked: of each kind the oldest and the newest.
fn asked(asks: &[Ask]) -> Vec<Asked> {
    let mut out: Vec<Asked> = Vec::new();
    for ask in asks {
        let (kind, name) = named(&ask.action);
        let line = match kind {
            "load" | "resync" => Line::verb(kind),
            kind => Line::verb("answer").name(kind).name(name),
        };
        let is_page = matches!(ask.action, Action::LoadChunks { before: None, .. });
        let answered = ask.answer.is_some();
        if out.iter().any(|known| known.line == line) {
            let line = line.name("last");
            out.retain(|known| known.line != line);
            out.push(Asked { line, answered, is_page });
        } else {
            out.push(Asked { line, answered, is_page });
        }
    }
    out
}
