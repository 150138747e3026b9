//! The recordings that hold something rare, each with what it must show.

use std::path::Path;

use turnseal::model::{Decision, DeltaKind, Event, Part, Role, ToolState};

use crate::shape::{Shape, events, live_shape, sealed_shape};
use crate::traces::{self, Folder, RecordedTurn, Thread};
use crate::traces::{ag_ui, codex, kimi_code, pydantic_ai, vercel_ai};

type Reader = fn(&Path) -> Folder;

/// The thread of that name, if the recordings are here.
fn thread(reader: Reader, name: &str) -> Option<Thread> {
    let root = traces::root()?;
    let threads = reader(&root).threads;
    Some(threads.into_iter().find(|thread| thread.name.contains(name)).unwrap_or_else(|| panic!("no thread {name}")))
}

/// The one turn of that thread.
fn turn(reader: Reader, name: &str) -> Option<RecordedTurn> {
    let mut turns = thread(reader, name)?.turns;
    assert_eq!(turns.len(), 1, "{name}");
    turns.pop()
}

fn answer<'a>(shape: &'a Shape, execution: Option<&str>) -> &'a [Part] {
    &shape[&(Role::Assistant, execution.map(str::to_owned))]
}

#[test]
fn ids_that_rotate_make_one_text() {
    let Some(turn) = turn(vercel_ai::folder, "github-copilot-id-rotation") else { return };
    let mut ids: Vec<_> = events(&turn)
        .into_iter()
        .filter_map(|envelope| match envelope.event {
            Event::Delta { kind: DeltaKind::Text, part, .. } => part,
            _ => None,
        })
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 55, "the recording names its one text by 55 ids");
    let (live, _) = live_shape(&turn);
    assert!(matches!(answer(&live, None), [Part::Reasoning { .. }, Part::Text { .. }]));
}

#[test]
fn a_message_that_starts_anew_is_a_second_attempt() {
    let Some(turn) = turn(vercel_ai::folder, "spliced-message-start") else { return };
    let (live, halves) = live_shape(&turn);
    assert_eq!(halves, 1, "the first attempt breaks off within its call");
    assert!(matches!(answer(&live, Some("turn-1.1.1")), [Part::Reasoning { .. }]));
    let [Part::Reasoning { .. }, Part::Tool(tool)] = answer(&live, Some("turn-1.1.2")) else { panic!("{live:?}") };
    assert!(tool.arguments.is_some());
}

#[test]
fn a_start_that_comes_twice_is_one_attempt() {
    let Some(turn) = turn(vercel_ai::folder, "duplicate-message-start") else { return };
    assert!(matches!(answer(&live_shape(&turn).0, None), [Part::Text { .. }]));
}

#[test]
fn a_call_id_may_come_again_in_a_later_step() {
    let Some(turn) = turn(ag_ui::folder, "Step04") else { return };
    let (live, _) = live_shape(&turn);
    let [Part::Tool(first), Part::Tool(second), Part::Text { .. }] = answer(&live, None) else { panic!("{live:?}") };
    assert_eq!((&first.call, first.step, second.step), (&second.call, 0, 1));
    assert!(first.name != second.name && first.result != second.result);
    assert_eq!((first.state, second.state), (ToolState::Done, ToolState::Done));
}

#[test]
fn calls_of_later_steps_have_their_own_results() {
    let Some(turn) = turn(pydantic_ai::folder, "reused_tool_call_ids") else { return };
    let shape = sealed_shape(&turn);
    let tools: Vec<_> = answer(&shape, None)
        .iter()
        .filter_map(|part| if let Part::Tool(tool) = part { Some(tool) } else { None })
        .collect();
    assert_eq!(tools.iter().map(|tool| tool.state).collect::<Vec<_>>(), [ToolState::Done; 2]);
    assert!(tools[0].result != tools[1].result);
}

#[test]
fn a_response_that_is_resumed_says_nothing_twice() {
    for name in ["streaming_starting_after", "streaming_continuation"] {
        let Some(turn) = turn(pydantic_ai::folder, name) else { return };
        let (live, _) = live_shape(&turn);
        let [Part::Text { text }] = answer(&live, None) else { panic!("{live:?}") };
        assert!(text.len() < 20 && !text.is_empty(), "{name}: {text}");
    }
}

#[test]
fn what_a_person_decides_is_told() {
    let Some(approvals) = thread(vercel_ai::folder, "openai-mcp-tool-approval") else { return };
    let decided = |turn: &RecordedTurn| -> Vec<Decision> {
        let decision = |event| if let Event::ApprovalResolved { decision, .. } = event { Some(decision) } else { None };
        events(turn).into_iter().filter_map(|envelope| decision(envelope.event)).collect()
    };
    let decisions: Vec<_> = approvals.turns.iter().map(decided).collect();
    assert_eq!(decisions, [vec![Decision::Denied], vec![Decision::Approved]]);
    let Some(session) = thread(codex::folder, "binary-size-log.filtered.jsonl#1") else { return };
    assert_eq!(decided(&session.turns[0]), [Decision::Approved; 4]);
}

#[test]
fn a_session_that_was_cut_ends_aborted() {
    let Some(session) = thread(kimi_code::folder, "large-100msgs") else { return };
    let outcomes: Vec<bool> =
        session.turns.iter().map(|turn| turn.events.last().is_some_and(|end| end.contains("aborted"))).collect();
    assert_eq!(outcomes, [false, true]);
    assert_eq!(answer(&sealed_shape(&session.turns[1]), None).len(), 43, "the log and the stream hold 43 parts");
}

#[test]
fn a_response_that_fails_is_an_attempt_of_its_own() {
    for name in ["tool_use_failed_error_streaming.yaml", "tool_use_failed_error_streaming_with_text.yaml"] {
        let Some(turn) = turn(pydantic_ai::folder, name) else { return };
        let (live, _) = live_shape(&turn);
        assert!(matches!(answer(&live, Some("turn-1.1.1")).last(), Some(Part::Error { .. })), "{name}");
        let second = answer(&live, Some("turn-1.1.2"));
        assert!(second.iter().any(|part| matches!(part, Part::Tool(_))), "{name}");
    }
}
