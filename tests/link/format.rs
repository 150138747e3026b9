//! What is written and read: kept texts, requests, answers, the words of tabs.

use turnseal::browser::{Kind, Scope, Tabs, Word, answer, read_draft, read_sends, request, write_draft, write_sends};
use turnseal::model::{Body, CallId, ClientId, Decision, Intent, MessageId, Seq, ThreadId, TurnId};
use turnseal::store::{Action, Answer, PendingSend, Receipt, ReceiptStatus, RequestId};

fn with_file() -> PendingSend {
    let json = r#"{"type":"file","url":"u"}"#;
    let sends = read_sends(&format!(
        r#"[{{"clientId":"k 1","text":"","parts":[{{"type":"text","text":"see"}},{json}],"intent":"steer"}}]"#
    ));
    sends.list.into_iter().next().unwrap()
}

fn plain(client: &str, text: &str) -> PendingSend {
    PendingSend { client: ClientId::from(client), body: Body::text(text), intent: Intent::Queue }
}

#[test]
fn what_is_written_is_read_again_and_bounded() {
    let sends = [plain("a", "x\u{1F600}\""), with_file()];
    assert_eq!(read_sends(&write_sends(&sends).0).list, sends);
    let long = plain("b", &"x".repeat(300 * 1024));
    let (text, left) = write_sends([&sends[0], &long, &sends[1]]);
    assert_eq!((read_sends(&text).list, left), (vec![sends[0].clone()], 2), "the newest are left out");
    assert_eq!(write_sends([]), (String::new(), 0));
    assert_eq!(write_draft("half").as_deref().and_then(read_draft).as_deref(), Some("half"));
    assert_eq!((write_draft("").as_deref(), write_draft(&"x".repeat(300 * 1024))), (Some(""), None));
}

#[test]
fn keys_tell_kinds_and_scopes_apart() {
    let scope = Scope::new("a");
    let all = [
        scope.key(Kind::Sends, "t"),
        scope.key(Kind::Draft, "t"),
        scope.aside(Kind::Sends, "t"),
        scope.aside(Kind::Draft, "t"),
        Scope::new("b").key(Kind::Sends, "t"),
    ];
    assert_eq!(all[0], "turnseal:1:a t");
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
}

fn asked(action: &Action) -> String {
    let request = request(&ThreadId::from("main thread"), action);
    let body = request.body.map_or_else(String::new, |body| format!(" {body}"));
    let path = request.path.strip_prefix("/threads/main%20thread/").unwrap();
    format!("{} {path}{body}", request.method)
}

#[test]
fn what_is_read_and_said_is_a_request_of_the_protocol() {
    let page = Action::LoadChunks { limit: 50, before: Some(Seq(7)), covers: Vec::new() };
    assert_eq!(asked(&page), "GET chunks?limit=50&before=7");
    assert_eq!(asked(&Action::Resync { after: 3 }), "GET snapshot");
    let sent = asked(&Action::Send(plain("k", "x")));
    assert_eq!(sent, r#"POST messages {"clientId":"k","intent":"queue","text":"x"}"#);
    let parts = r#"[{"type":"text","text":"see"},{"type":"file","url":"u"}]"#;
    let sent = asked(&Action::Send(with_file()));
    assert_eq!(sent, format!(r#"POST messages {{"clientId":"k 1","intent":"steer","parts":{parts}}}"#));
}

#[test]
fn each_act_of_the_user_is_a_request_of_the_protocol() {
    let message = || MessageId::from("m/1");
    let turn = || Some(TurnId::from("a"));
    assert_eq!(asked(&Action::Stop { turn: turn() }), r#"POST stop {"turnId":"a"}"#);
    assert_eq!(asked(&Action::CancelQueued(message())), "DELETE queue/m%2F1");
    assert_eq!(asked(&Action::EditQueued(message(), "y".to_owned())), r#"PATCH queue/m%2F1 {"text":"y"}"#);
    assert_eq!(asked(&Action::MoveQueued(message(), 2)), r#"PATCH queue/m%2F1 {"index":2}"#);
    assert_eq!(asked(&Action::SendNow(message())), r#"PATCH queue/m%2F1 {"now":true}"#);
    assert_eq!(asked(&Action::ResumeQueue), "POST queue/resume {}");
    let (call, reason) = (CallId::from("c"), Some("no".to_owned()));
    let denied = Action::ResolveApproval { call, turn: turn(), decision: Decision::Denied, reason };
    assert_eq!(asked(&denied), r#"POST approvals/c {"turnId":"a","decision":"denied","reason":"no"}"#);
}

#[test]
fn an_answer_is_read_or_a_failure() {
    let send = Action::Send(plain("k", "x"));
    let queued = answer(&send, 200, r#"{"status":"queued","messageId":"m","n":4}"#);
    let message = Some(MessageId::from("m"));
    assert_eq!(queued, Answer::Sent(Receipt { status: ReceiptStatus::Queued, message, turn: None, n: Some(4) }));
    let error = |answer: Answer| match answer {
        Answer::Failed(failure) => failure.error,
        other => panic!("{other:?}"),
    };
    assert_eq!(error(answer(&send, 400, r#"{"code":"empty","message":"say something"}"#)), "say something");
    assert_eq!(error(answer(&send, 500, "<html>")), "the server said 500");
    assert_eq!(error(answer(&send, 200, "{}")), "the answer was refused: status is missing");
    let page = Action::LoadChunks { limit: 1, before: None, covers: Vec::new() };
    assert!(matches!(answer(&page, 200, r#"{"chunks":[]}"#), Answer::Page(_)));
    assert!(matches!(answer(&page, 200, r#"{"chunks":7}"#), Answer::Failed(_)));
    let call = CallId::from("c");
    let decide = Action::ResolveApproval { call, turn: None, decision: Decision::Approved, reason: None };
    assert_eq!(answer(&decide, 200, r#"{"status":"stale"}"#), Answer::Unknown);
    assert_eq!(answer(&decide, 200, r#"{"status":"ok"}"#), Answer::Done);
}

#[test]
fn tabs_understand_each_other() {
    let main = ThreadId::from("main");
    let receipt = Receipt { status: ReceiptStatus::Returned, message: None, turn: Some(TurnId::from("a")), n: Some(3) };
    let words = [
        Word::Sending(main.clone(), with_file()),
        Word::Sent(ClientId::from("k"), Ok(receipt)),
        Word::Sent(ClientId::from("k"), Err("gone".to_owned())),
        Word::Hello(main.clone()),
        Word::Dismiss(main.clone(), ClientId::from("k")),
        Word::Draft(main, "half".to_owned()),
    ];
    for word in words {
        assert_eq!(Word::read(&word.write()).as_ref(), Some(&word), "{}", word.write());
    }
    for bad in ["", "7", "{}", r#"{"type":"sending"}"#, r#"{"type":"draft","threadId":"main"}"#, r#"{"type":"other"}"#]
    {
        assert_eq!(Word::read(bad), None, "{bad}");
    }
}

#[test]
fn one_tab_sends_and_the_others_wait_for_its_word() {
    let (main, send) = (ThreadId::from("main"), plain("k", "x"));
    let mut sender = Tabs::default();
    let mut other = Tabs::default();
    assert!(sender.begin(RequestId(1), &main, &send), "who typed it sends it");
    assert!(!sender.heard(&send.client), "an echo is no news");
    assert!(other.heard(&send.client));
    assert!(!other.heard(&send.client), "once");
    assert!(!other.begin(RequestId(9), &main, &send), "who shows it waits");
    other.shown(&send.client);
    assert_eq!(sender.own(&main).count(), 1, "who comes anew is told");
    sender.end(&send.client);
    assert_eq!(other.settle(&send.client), Some(RequestId(9)));
    assert!(other.begin(RequestId(10), &main, &send), "and may send it again later");
    // What was known already is waited for by nobody.
    let mut third = Tabs::default();
    assert!(third.heard(&send.client));
    third.shown(&send.client);
    assert!(third.begin(RequestId(2), &main, &send));
}
