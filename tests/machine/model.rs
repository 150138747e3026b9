//! All states of the engine inside small bounds: what users, a model, its tools and the log say, in every order, also
//! where it makes no sense. `STATES=1000000` is the long visit.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use stateright::{Checker, Model, Property};
use turnseal::model::{Outcome, TurnId};

use crate::checks::{at_rest, check};
use crate::play::Play;
use crate::program::{Places, Program};
use crate::script::Line;

/// Where products differ, and what may happen.
const BOUNDS: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "send a \"1\" client=ka / send b \"2\" client=kb | steer b \"2\" client=kb | send a \"1\" client=ka / resume-queue | send-now b",
            "delta main:1.1 \"x\" / tool-call main:1.1 c1 run | ask main:1.1 c1 run / step-end main:1.1 / execution-end main:1.1 done | execution-end main:1.1 error \"bad\"",
            "approve c1 | deny c1 / tool-result main:1 c1 \"r\"",
            "persisted main:1 | persist-failed main:1 \"full\" / persisted main:1",
            "stop",
            "crash",
        ],
    ),
    (
        "models=x,y steer=inject",
        &[
            "send a \"1\" / steer s \"2\"",
            "delta main:1.1 \"x\" / tool-call main:1.1 c1 run / step-end main:1.1 / execution-end main:1.1 done",
            "delta main:1.2 \"y\" / execution-end main:1.2 done | execution-end main:1.2 error \"bad\"",
            "tool-result main:1 c1 \"r\"",
            "persisted main:1",
            "stop",
        ],
    ),
];

struct Engines {
    machine: &'static str,
    program: Program,
}

#[derive(Clone)]
struct State {
    play: Arc<Play>,
    turns: BTreeMap<TurnId, Option<Outcome>>,
    gone: BTreeSet<TurnId>,
    places: Places,
    broken: Option<String>,
    key: u64,
}

impl State {
    fn new(play: Play, turns: BTreeMap<TurnId, Option<Outcome>>, gone: BTreeSet<TurnId>, places: Places) -> Self {
        let mut hash = DefaultHasher::new();
        let watch = play.watch();
        format!("{:?} {:?} {watch:?} {turns:?} {gone:?} {places:?}", play.engine, play.paper).hash(&mut hash);
        Self { play: Arc::new(play), turns, gone, places, broken: None, key: hash.finish() }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hash: &mut H) {
        self.key.hash(hash);
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:016x}", self.key)
    }
}

impl Model for Engines {
    type State = State;
    type Action = (usize, Line);

    fn init_states(&self) -> Vec<State> {
        let first = Line::parse(1, &format!("machine engine {}", self.machine)).unwrap().unwrap();
        let play = Play::new(crate::options::options(&first).unwrap(), false);
        vec![State::new(play, BTreeMap::new(), BTreeSet::new(), self.program.begin())]
    }

    fn actions(&self, state: &State, acts: &mut Vec<(usize, Line)>) {
        if state.broken.is_none() {
            let next = self.program.next(&state.places);
            acts.extend(next.filter_map(|(track, line)| Some((track, line?.clone()))));
        }
    }

    fn next_state(&self, last: &State, (track, line): (usize, Line)) -> Option<State> {
        let (mut play, mut turns, mut gone) = ((*last.play).clone(), last.turns.clone(), last.gone.clone());
        let mut places = last.places.clone();
        *places.get_mut(track)? += 1;
        let told = play.line(&line).and_then(|()| check(&play, &last.play.engine, &mut turns, &mut gone));
        let mut state = State::new(play, turns, gone, places);
        state.broken = told.err();
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::<Self>::always("L9 to L13, behind every line", |_, state| state.broken.is_none()),
            Property::<Self>::always("L11, once all is written", |_, state| at_rest((*state.play).clone()).is_ok()),
        ]
    }
}

/// L9 to L13.
#[test]
fn model_of_the_engine_keeps_the_laws() {
    let most = std::env::var("STATES").ok().and_then(|text| text.parse().ok()).unwrap_or(1500);
    let mut broken = Vec::new();
    for (machine, tracks) in BOUNDS {
        let model = Engines { machine, program: Program::parse(tracks).unwrap() };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let checker = model.checker().threads(threads).target_state_count(most).spawn_dfs().join();
        let (states, steps, depth) = (checker.unique_state_count(), checker.state_count(), checker.max_depth());
        println!("model engine {machine}: {states} states, {steps} steps, depth {depth}");
        for (law, path) in checker.discoveries() {
            println!("# {law}: {:?}\nmachine engine {machine}", path.last_state().broken);
            path.into_actions().iter().for_each(|(_, line)| println!("{}", line.draw()));
            broken.push(law);
        }
    }
    assert!(broken.is_empty(), "{broken:?}");
}
