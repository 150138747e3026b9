//! Where more than one reading is left, or a row is named late: it is kept, once where it can be.

use turnseal::store::{Action, Answer, Receipt, ReceiptStatus, Store};

use crate::tools::{answer, codes, does, main, request, say, sends, store, view};

fn texts(store: &Store) -> Vec<String> {
    view(store, "main").into_iter().map(|(_, _, text)| text).collect()
}

/// A message is sent, something happens, and the server's answer says no more than that it was taken.
fn answered_without_ids(between: &[&str]) -> (Store, Vec<String>) {
    let mut store = store();
    let asked = sends(&mut store, "main", "k1");
    say(&mut store, between);
    let receipt = Receipt { status: ReceiptStatus::Ok, message: None, turn: None, n: None };
    let sent = request(&asked, |action| matches!(action, Action::Send(_)));
    let effects = answer(&mut store, sent, Answer::Sent(receipt));
    let said = codes(&effects).into_iter().map(str::to_owned).collect();
    (store, said)
}

const A: &str = r#""type":"turn-start","turnId":"a""#;
const B: &str = r#""type":"turn-start","turnId":"b""#;
const END: &str = r#""type":"turn-end","turnId":"a","outcome":"done""#;
const PAGE: &str = r#""type":"chunks-loaded","oldestSeq":1,"chunks":[{"seq":1,"turnId":"a","role":"user","type":"text","data":{"text":"k1"}}]"#;

/// SPEC 5.9: a double is seen and repaired, a loss is not.
#[test]
fn an_answer_without_ids_never_takes_a_message_away() {
    let (store, said) = answered_without_ids(&[A]);
    assert_eq!((texts(&store), said.len()), (vec!["k1".to_owned()], 0), "one turn began: its own");
    let (store, said) = answered_without_ids(&[A, END, B]);
    assert_eq!((texts(&store), said), (vec!["k1".to_owned()], vec!["ambiguous".to_owned()]), "one of two turns");
    let (store, said) = answered_without_ids(&[A, PAGE]);
    assert_eq!(said, ["ambiguous"], "the chunk may be this message, or another's");
    assert_eq!(texts(&store), ["k1", "k1"]);
}

/// What streams under a message that no chunk holds stands behind the chunks of its turn.
#[test]
fn what_no_chunk_holds_stands_behind_the_chunks() {
    let mut store = store();
    let rows = r#"{"seq":1,"turnId":"a","role":"user","type":"text","data":{"text":"q"}},{"seq":2,"turnId":"a","role":"assistant","type":"text","messageId":"x1","data":{"text":"first "}}"#;
    let page = format!(r#""type":"chunks-loaded","oldestSeq":1,"chunks":[{rows}]"#);
    let more = r#""type":"text-delta","turnId":"a","messageId":"x2","delta":"second""#;
    say(&mut store, &[&page, A, r#""type":"text-delta","turnId":"a","messageId":"x1","delta":"first ""#, more]);
    assert_eq!(texts(&store), ["q", "first second"]);
}

/// A snapshot that lists a question no more has closed it.
#[test]
fn a_question_that_a_snapshot_lacks_is_closed() {
    let mut store = store();
    let call = r#""type":"tool-call","turnId":"a","toolCall":{"id":"c1","name":"rm","arguments":{}}"#;
    say(&mut store, &[A, call, r#""type":"approval-request","turnId":"a","callId":"c1""#]);
    let open = |store: &Store| store.head(&main()).map(|head| head.approvals.len());
    assert_eq!(open(&store), Some(1));
    let snapshot = |approvals: &str| {
        format!(
            r#""type":"snapshot","turns":[{{"turnId":"a","phase":"awaiting-tool","rows":[]}}],"approvals":[{approvals}]"#
        )
    };
    say(&mut store, &[&snapshot(r#"{"callId":"c1","turnId":"a","name":"rm"}"#)]);
    assert_eq!(open(&store), Some(1));
    say(&mut store, &[&snapshot("")]);
    assert_eq!(open(&store), Some(0));
}

/// A snapshot names a row that was sent by the id that a chunk has: the chunk takes its place.
#[test]
fn a_snapshot_that_names_a_sent_row_by_its_chunk_shows_it_once() {
    let mut store = store();
    sends(&mut store, "main", "k1");
    let chunk = r#"{"seq":1,"turnId":"a","role":"user","type":"text","messageId":"m1","data":{"text":"k1"}}"#;
    say(&mut store, &[&format!(r#""type":"chunks-loaded","oldestSeq":1,"chunks":[{chunk}]"#)]);
    let row = r#"{"role":"user","messageId":"m1","clientIds":["k1"],"parts":[{"type":"text","text":"k1"}]}"#;
    say(&mut store, &[&format!(r#""type":"snapshot","turns":[{{"turnId":"a","phase":"streaming","rows":[{row}]}}]"#)]);
    assert_eq!(texts(&store), ["k1"]);
}

/// A command that names nothing here is reported, and changes nothing.
#[test]
fn a_command_for_a_message_that_is_not_there_is_reported() {
    let mut store = store();
    sends(&mut store, "main", "k1");
    let effects = does(&mut store, "main", turnseal::store::Command::CancelQueued("nobody".into()));
    assert_eq!((codes(&effects), texts(&store)), (vec!["unknown-target"], vec!["k1".to_owned()]));
}
