//! SIGKILL at any instant: the log is whole, open turns are sealed, queues are held, nothing is answered twice.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::kit::{Folder, Server};

/// Chance that comes out the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % end
    }
}

/// What the server has answered, by client id.
type Answers = BTreeMap<String, Value>;

/// Sends while the server dies; what was answered is kept.
async fn burst(server: &Server, round: u64, dice: &mut Dice, answers: &mut Answers) {
    let texts = ["late?", "Ship them", "report", "hello"];
    for at in 0..6 {
        let client = format!("k{round}-{at}");
        let text = texts[usize::try_from(dice.below(4)).unwrap()];
        let intent = if dice.below(5) == 0 { "steer" } else { "queue" };
        let body = json!({ "clientId": client, "text": text, "intent": intent }).to_string();
        let post = server.http.post(format!("{}/threads/main/messages", server.url)).body(body);
        let Ok(response) = post.send().await else { return };
        let Ok(text) = response.text().await else { return };
        answers.insert(client, serde_json::from_str(&text).unwrap());
        if dice.below(3) == 0 {
            let stop = server.http.post(format!("{}/threads/main/stop", server.url));
            let _ = stop.send().await;
        }
        sleep(Duration::from_millis(dice.below(8))).await;
    }
}

/// Waits until no turn is open, and gives the state.
async fn settled(server: &Server) -> Value {
    for _ in 0..500 {
        let snapshot = server.get("/threads/main/snapshot").await;
        if snapshot["turns"].as_array().unwrap().is_empty() {
            return snapshot;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("the open turn is not sealed");
}

/// The same messages again: the same answers, and nothing happens.
async fn again(server: &Server, answers: &Answers) {
    for (client, answer) in answers.iter().rev().take(6) {
        if ["ok", "queued"].contains(&answer["status"].as_str().unwrap()) {
            let again = server.say(client, "again").await;
            assert_eq!((&again["status"], &again["messageId"]), (&answer["status"], &answer["messageId"]));
        }
    }
}

/// The log is whole, and everything that was taken is in it or in the queue, once.
fn whole(rows: &[Value], queue: &[Value], answers: &Answers) {
    let seqs: Vec<u64> = rows.iter().map(|row| row["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=rows.len() as u64).collect::<Vec<_>>(), "no row is missing, none is there twice");
    let clients: Vec<&str> = rows
        .iter()
        .flat_map(|row| row["clientIds"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    let queued: Vec<&str> = queue.iter().filter_map(|item| item["clientId"].as_str()).collect();
    for (client, answer) in answers {
        let taken = ["ok", "queued"].contains(&answer["status"].as_str().unwrap());
        let count = clients.iter().chain(&queued).filter(|known| *known == client).count();
        assert_eq!(count, usize::from(taken), "{client} was answered {answer}");
    }
    let mut all_ids: Vec<&str> = clients.iter().chain(&queued).copied().collect();
    let count = all_ids.len();
    all_ids.sort_unstable();
    all_ids.dedup();
    assert_eq!(all_ids.len(), count, "no message is there twice, answered or not");
    let mut turns: Vec<&str> = rows.iter().filter_map(|row| row["turnId"].as_str()).collect();
    let all = turns.len();
    turns.dedup();
    let mut unique = turns.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(turns.len(), unique.len(), "no turn goes on behind another one, {all} rows");
    // Every call has one result, or one word on what became of it.
    let of = |kind: &str| rows.iter().filter(|row| row["type"] == kind).count();
    assert_eq!(of("tool_call"), of("tool_result") + of("tool_interrupted"));
}

#[tokio::test]
async fn sigkill_at_any_instant_loses_and_doubles_nothing() {
    let folder = Folder::new();
    let mut dice = Dice(0x5EED);
    let mut answers = Answers::new();
    let mut last = 0;
    for round in 0..25 {
        let server = Server::quick(&folder).await;
        let snapshot = settled(&server).await;
        let queue = snapshot["queue"].as_array().unwrap().clone();
        assert!(queue.is_empty() || snapshot["held"] == true, "a queue waits for somebody to resume it");
        let n = snapshot["n"].as_u64().unwrap();
        assert!(n >= last, "event numbers go on: {n} behind {last}");
        let rows = server.rows().await;
        whole(&rows, &queue, &answers);
        again(&server, &answers).await;
        assert_eq!(server.rows().await.len(), rows.len(), "nothing is answered twice");
        if round % 3 == 0 {
            server.post("/threads/main/queue/resume", &json!({})).await;
        }
        let wait = dice.below(60);
        let mut chance = Dice(0x1234_5678 + round);
        tokio::select! {
            () = burst(&server, round, &mut chance, &mut answers) => {}
            () = sleep(Duration::from_millis(wait)) => {}
        }
        last = n;
        server.kill().await;
    }
    assert!(answers.len() > 20, "{} messages were answered", answers.len());
}
