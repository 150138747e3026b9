//! The engine as JavaScript sees it: JSON text in, JSON text out.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::engine::{Effect, Engine};
use crate::model::ThreadId;
use crate::wire::{
    encode,
    encode::text::{Writer, list},
    fault::{Fault, Reading},
    read::Object,
};

use super::engine_json::{effect, meta, refused};
use super::engine_read::{input, options};

/// The authority over the turns of all threads of one server.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineCore {
    engine: Engine,
    /// What the options and the restart led to, until somebody takes it.
    restored: String,
}

#[wasm_bindgen]
impl EngineCore {
    /// An engine. `options`: `{models?, policy?, restore?: {threadId: {chunks, meta?}}}` as JSON.
    ///
    /// Errors: none; options that cannot be read count as absent and are told by [`Self::restored`].
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(options: &str) -> Self {
        let reading = Reading::default();
        let read = Object::top(options, &reading).and_then(|object| {
            let read = self::options(&object);
            reading.settle(read)
        });
        let (read, fault) = match read {
            Ok(read) => (read, None),
            Err(fault) => (Default::default(), Some(fault)),
        };
        let (engine, effects) = Engine::restore(read.0, read.1);
        Self { engine, restored: restored(&effects, fault.as_ref()) }
    }

    /// What the restart led to, once: `[{threadId, effects}]` as JSON. To be carried out before any input.
    pub fn restored(&mut self) -> String {
        std::mem::replace(&mut self.restored, "[]".to_owned())
    }

    /// Takes one input of a thread, and gives its effects: a JSON array. What cannot be read is a `diagnostic`.
    pub fn apply(&mut self, thread: &str, json: &str) -> String {
        let reading = Reading::default();
        let read = Object::top(json, &reading).and_then(|object| {
            let read = input(&object);
            object.check_depth();
            reading.settle(read)
        });
        let mut out = String::new();
        match read {
            Ok(input) => list(&self.engine.apply(&ThreadId::new(thread), input), &mut out, effect),
            Err(fault) => list([&fault], &mut out, refused),
        }
        out
    }

    /// The whole live state of a thread: the `snapshot` event as JSON. Reading it changes nothing.
    #[must_use]
    pub fn snapshot(&self, thread: &str) -> String {
        encode::event(&self.engine.snapshot(&ThreadId::new(thread)))
    }

    /// What a host keeps beside the log, for `restore`: JSON.
    #[must_use]
    pub fn meta(&self, thread: &str) -> String {
        let mut out = String::new();
        meta(&self.engine.meta(&ThreadId::new(thread)), &mut out);
        out
    }
}

fn restored(threads: &[(ThreadId, Vec<Effect>)], fault: Option<&Fault>) -> String {
    let mut out = String::from("[");
    if let Some(fault) = fault {
        let mut object = Writer::open(&mut out);
        list([fault], object.key("effects"), refused);
        object.close();
    }
    for (thread, effects) in threads {
        if out.len() > 1 {
            out.push(',');
        }
        let mut object = Writer::open(&mut out);
        object.text("threadId", thread.as_str());
        list(effects, object.key("effects"), effect);
        object.close();
    }
    out.push(']');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(core: &mut EngineCore, inputs: &[&str]) -> String {
        inputs.iter().fold(String::new(), |_, json| core.apply("t", json))
    }

    const SEND: &str = r#"{"type":"send","messageId":"m1","clientId":"k1","text":"2+2?","intent":"queue"}"#;

    #[test]
    fn a_send_starts_a_turn() {
        let mut core = EngineCore::new(r#"{"models":["small"]}"#);
        let expected = concat!(
            r#"[{"type":"publish","event":{"type":"turn-start","threadId":"t","n":1,"turnId":"t:1","#,
            r#""user":{"messageId":"m1","clientIds":["k1"],"text":"2+2?"},"messageIds":["m1"]}},"#,
            r#"{"type":"append","turnId":"t:1","from":0,"chunks":[{"turnId":"t:1","role":"user","type":"text","#,
            r#""data":{"text":"2+2?"},"messageId":"m1","clientIds":["k1"]}]},"#,
            r#"{"type":"request","turnId":"t:1","executionId":"t:1.1","step":0,"model":"small"},"#,
            r#"{"type":"answer","to":"send","clientId":"k1","messageId":"m1","status":"ok","turnId":"t:1","n":1}]"#,
        );
        assert_eq!(said(&mut core, &[SEND]), expected);
        assert_eq!(core.restored(), "[]");
    }

    #[test]
    fn what_cannot_be_read_is_a_diagnostic() {
        let mut core = EngineCore::new("{}");
        let of = |core: &mut EngineCore, json: &str| core.apply("t", json);
        assert_eq!(
            of(&mut core, r#"{"type":"stop","turnId":{}}"#),
            r#"[{"type":"diagnostic","code":"bad-field","field":"turnId","detail":"must be an id: a string or a number"}]"#
        );
        assert!(of(&mut core, "{").contains(r#""type":"diagnostic""#));
        assert!(of(&mut core, "7").contains(r#""code":"not-an-object""#));
        assert!(of(&mut core, r#"{"type":"dance"}"#).contains(r#""code":"unknown-type""#));
        assert!(of(&mut core, r#"{"type":"send"}"#).contains(r#""field":"messageId""#));
        assert!(EngineCore::new(r#"{"models":7}"#).restored().contains(r#""field":"models""#));
    }

    #[test]
    fn a_call_is_asked_for_approved_run_and_told() {
        let mut core = EngineCore::new("{}");
        let call = r#"{"type":"tool-call","executionId":"t:1.1","callId":"c","name":"rm","arguments":{"a":1},"approval":true,"prompt":"sure?"}"#;
        let asked = said(&mut core, &[SEND, call]);
        assert!(
            asked.contains(r#""type":"approval-request","threadId":"t","n":3,"callId":"c","prompt":"sure?""#),
            "{asked}"
        );
        let snapshot = core.snapshot("t");
        assert!(
            snapshot.contains(r#""approvals":[{"callId":"c","turnId":"t:1","name":"rm","prompt":"sure?"}]"#),
            "{snapshot}"
        );
        let run = said(&mut core, &[r#"{"type":"approve","callId":"c"}"#]);
        assert!(run.ends_with(
            r#"{"type":"run-tool","turnId":"t:1","executionId":"t:1.1","callId":"c","name":"rm","arguments":{"a":1}}]"#
        ));
        let end = r#"{"type":"step-end","executionId":"t:1.1"}"#;
        let result = r#"{"type":"tool-result","turnId":"t:1","callId":"c","result":"gone"}"#;
        let next = said(&mut core, &[end, result]);
        assert!(
            next.contains(r#""type":"tool_result","data":{"callId":"c","name":"rm","result":"gone","isError":false}"#)
        );
        assert!(next.ends_with(r#"{"type":"request","turnId":"t:1","executionId":"t:1.1","step":1}]"#), "{next}");
    }

    #[test]
    fn each_switch_has_its_words() {
        for (switch, words) in [
            ("onApproval", &["queue", "supersede"] as &[&str]),
            ("gate", &["ended", "sealed"]),
            ("steer", &["yield", "inject", "queue"]),
            ("lateSteer", &["return", "drop", "start"]),
            ("lateOutput", &["discard", "display", "replace"]),
            ("onStop", &["hold", "drop", "run"]),
            ("onError", &["hold", "drop", "run"]),
            ("onDeny", &["continue", "end"]),
            ("mixed", &["done", "aborted"]),
            ("background", &["continue", "abort"]),
            ("batch", &["one", "alike"]),
        ] {
            for word in words {
                let options = format!(r#"{{"policy":{{"{switch}":"{word}"}}}}"#);
                assert_eq!(EngineCore::new(&options).restored(), "[]", "{switch}: {word}");
            }
            let options = format!(r#"{{"policy":{{"{switch}":"dance"}}}}"#);
            assert!(EngineCore::new(&options).restored().contains(switch), "{switch}");
        }
        let mut core = EngineCore::new(r#"{"policy":{"background":"abort"}}"#);
        let gone = said(&mut core, &[SEND, r#"{"type":"watchers","count":0}"#]);
        assert!(
            gone.contains(r#""type":"turn-end","threadId":"t","n":2,"turnId":"t:1","outcome":"aborted""#),
            "{gone}"
        );
    }

    #[test]
    fn a_restart_keeps_the_end_and_the_rows_of_a_turn() {
        let mut core = EngineCore::new("{}");
        let delta = r#"{"type":"delta","executionId":"t:1.1","kind":"text","delta":"4"}"#;
        let end = r#"{"type":"execution-end","executionId":"t:1.1","outcome":"done"}"#;
        said(&mut core, &[SEND, delta, end]);
        let meta = core.meta("t");
        assert!(meta.contains(r#""open":[{"turnId":"t:1","outcome":"done","rows":[{"at":0,"row":{"seq":0,"#), "{meta}");
        let mut again = EngineCore::new(&format!(r#"{{"restore":{{"t":{{"chunks":[],"meta":{meta}}}}}}}"#));
        let effects = again.restored();
        assert!(!effects.contains("turn-end"), "{effects}");
        assert!(effects.contains(r#"{"type":"seal","turnId":"t:1","from":0,"chunks":[{"turnId":"t:1","role":"user""#));
        assert!(effects.contains(r#""data":{"text":"4"}"#), "{effects}");
    }

    #[test]
    fn a_restart_seals_what_was_open() {
        let mut core = EngineCore::new("{}");
        let queued = r#"{"type":"send","messageId":"m2","clientId":"k2","text":"B"}"#;
        said(&mut core, &[SEND, queued]);
        let meta = core.meta("t");
        let chunk = r#"{"seq":1,"turnId":"t:1","role":"user","type":"text","data":{"text":"A"},"messageId":"m1","clientIds":["k1"]}"#;
        let mut again = EngineCore::new(&format!(r#"{{"restore":{{"t":{{"chunks":[{chunk}],"meta":{meta}}}}}}}"#));
        let effects = again.restored();
        assert!(
            effects.contains(r#""type":"turn-end","threadId":"t","n":4,"turnId":"t:1","outcome":"aborted""#),
            "{effects}"
        );
        assert!(
            effects.contains(r#"{"type":"seal","turnId":"t:1","from":1,"chunks":[{"turnId":"t:1","role":"system""#),
            "{effects}"
        );
        assert!(again.snapshot("t").contains(r#""held":true"#));
        assert_eq!(again.apply("t", SEND), core.apply("t", SEND));
    }
}
