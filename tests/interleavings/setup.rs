//! How a run begins and how it ends.

use crate::dice::Dice;
use crate::generate::{Generator, begin, leaves, styles};
use crate::play::World;
use crate::script::Line;

/// The lines that begin a run.
pub fn setup(dice: &mut Dice) -> (Vec<Line>, Generator) {
    let numbers = dice.often(85);
    let lossy = !leaves("losses");
    let ids = numbers || dice.often(30);
    let quotes = dice.often(25);
    let writes = dice.often(40);
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    let mut server = Line::verb("server")
        .key("numbers", yes(numbers))
        .key("ids", yes(ids))
        .key("quotes", yes(quotes))
        .key("changed", yes(dice.often(50)))
        .key("steps", yes(dice.often(60)))
        .key("first", dice.roll(2).to_string())
        .key("gap", (1 + dice.roll(3)).to_string())
        .key("seal", styles(writes)[dice.roll(styles(writes).len())]);
    if dice.often(25) && !leaves("windows") {
        server = server.key("cap", (3 + dice.roll(10)).to_string());
    }
    let mut clients = Line::verb("clients").name((2 + dice.roll(2)).to_string());
    if dice.often(30) && !leaves("windows") {
        clients = clients.key("window", (4 + dice.roll(12)).to_string()).key("page", (2 + dice.roll(5)).to_string());
    }
    let mut lines = vec![server, clients];
    for client in 1..=3 {
        lines.push(Line::verb("open").of(client));
        if dice.often(90) {
            lines.push(Line::verb("slow").of(client));
        }
    }
    let executions = if ids && dice.often(20) && !leaves("executions") { 2 } else { 0 };
    let rewrites = numbers && dice.often(15) && !leaves("rewrites");
    (
        lines,
        Generator {
            numbers,
            lossy: numbers && lossy,
            ids,
            executions,
            rewrites,
            quotes,
            writes,
            words: 0,
            turns: 0,
            sends: 0,
        },
    )
}

/// What still has to happen so that the server rests: begun turns end and are sealed.
pub fn finish(world: &World) -> Option<Line> {
    let server = &world.server;
    if let Some(turn) = server.running() {
        return Some(Line::verb("turn-end").name(turn.id.clone()).name("done"));
    }
    if let Some(turn) = server.turns.iter().find(|turn| !turn.sealed) {
        return Some(Line::verb("seal").name(turn.id.clone()));
    }
    let consumed = server.consumed();
    (!consumed.is_empty()).then(|| begin(format!("t-{}", consumed[0]), consumed))
}
