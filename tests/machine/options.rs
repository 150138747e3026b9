//! The options of an engine, as the first line of a scenario tells them.

use turnseal::engine::{
    Background, Batch, Gate, Mixed, OnApproval, OnDeny, OnEnd, OnLateOutput, OnLateSteer, OnSteer, Options, Policy,
};

use crate::script::Line;
use crate::verbs::number;

/// The options of a first line `machine engine key=value ...`.
pub fn options(line: &Line) -> Result<Options, String> {
    if line.verb != "machine" || line.at(0)? != "engine" {
        return Err("the first line is `machine engine`".to_owned());
    }
    let mut options = Options::default();
    for (key, value) in &line.keys {
        let known = key == "log" || set(&mut options, key, value)?;
        if !known {
            return Err(format!("{key}={value}"));
        }
    }
    Ok(options)
}

/// Sets one option: a switch, or a number; false where the key or the word is not known.
fn set(options: &mut Options, key: &str, value: &str) -> Result<bool, String> {
    let policy = &mut options.policy;
    match key {
        "models" => options.models = value.split(',').map(str::to_owned).collect(),
        "tool_failures_max" => policy.tool_failures_max = number(value)? as u32,
        "approval_timeout_ms" => policy.approval_timeout_ms = Some(number(value)? as u64),
        "idle_timeout_ms" => policy.idle_timeout_ms = Some(number(value)? as u64),
        _ => return Ok(switch(policy, key, value)),
    }
    Ok(true)
}

const ENDS: &[(&str, OnEnd)] = &[("hold", OnEnd::Hold), ("drop", OnEnd::Drop), ("run", OnEnd::Run)];
const STEERS: &[(&str, OnSteer)] = &[("yield", OnSteer::Yield), ("inject", OnSteer::Inject), ("queue", OnSteer::Queue)];
const LATE_STEERS: &[(&str, OnLateSteer)] =
    &[("return", OnLateSteer::Return), ("drop", OnLateSteer::Drop), ("start", OnLateSteer::Start)];
const LATE_OUTPUTS: &[(&str, OnLateOutput)] =
    &[("discard", OnLateOutput::Discard), ("display", OnLateOutput::Display), ("replace", OnLateOutput::Replace)];

fn switch(policy: &mut Policy, key: &str, value: &str) -> bool {
    match key {
        "send_on_approval" => {
            put(&mut policy.on_approval, value, &[("queue", OnApproval::Queue), ("supersede", OnApproval::Supersede)])
        }
        "next_turn" => put(&mut policy.gate, value, &[("ended", Gate::Ended), ("sealed", Gate::Sealed)]),
        "steer" => put(&mut policy.steer, value, STEERS),
        "late_steer" => put(&mut policy.late_steer, value, LATE_STEERS),
        "late_output" => put(&mut policy.late_output, value, LATE_OUTPUTS),
        "queue_on_stop" => put(&mut policy.on_stop, value, ENDS),
        "queue_on_error" => put(&mut policy.on_error, value, ENDS),
        "on_deny" => put(&mut policy.on_deny, value, &[("continue", OnDeny::Continue), ("end", OnDeny::End)]),
        "mixed" => put(&mut policy.mixed, value, &[("done", Mixed::Done), ("aborted", Mixed::Aborted)]),
        "background" => {
            put(&mut policy.background, value, &[("continue", Background::Continue), ("abort", Background::Abort)])
        }
        "batch" => put(&mut policy.batch, value, &[("one", Batch::One), ("models", Batch::Alike)]),
        _ => false,
    }
}

fn put<T: Copy>(place: &mut T, word: &str, words: &[(&str, T)]) -> bool {
    let found = pick(word, words);
    if let Some(value) = found {
        *place = value;
    }
    found.is_some()
}

fn pick<T: Copy>(word: &str, words: &[(&str, T)]) -> Option<T> {
    words.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
}
