//! What native code and wasm must do alike: one run of generated frames, and what came of it as text (L14).

use turnseal::wasm::Core;

/// Numbers that look random and are the same everywhere.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[usize::try_from(self.below(words.len() as u64)).unwrap()]
    }
}

/// One event of a stream that is mostly sensible: a few turns, messages and calls under few names.
fn event(dice: &mut Dice, n: &mut u64) -> String {
    let turn = dice.pick(&["a", "b", "c", "d"]);
    let call = dice.pick(&["c1", "c2"]);
    let message = dice.pick(&["m1", "m2", "m3", "m4"]);
    let rest = match dice.below(16) {
        0 => format!(r#""turn-start","turnId":"{turn}","user":{{"messageId":"{message}","text":"hi {turn}"}}"#),
        1..=4 => format!(r#""text-delta","turnId":"{turn}","delta":"w{} ""#, dice.below(100)),
        5 => format!(r#""reasoning-delta","turnId":"{turn}","delta":"\ud83c""#),
        6 => format!(r#""reasoning-end","turnId":"{turn}","metadata":{{"s":[1,2.50,null]}}"#),
        7 => format!(
            r#""tool-call","turnId":"{turn}","toolCall":{{"id":"{call}","name":"ls","arguments":{{"x":"\u00e9"}}}}"#
        ),
        8 => format!(r#""tool-result","turnId":"{turn}","toolResult":{{"toolCallId":"{call}","result":"ok"}}"#),
        9 => format!(r#""message-queued","messageId":"{message}","message":"later""#),
        10 => format!(r#""message-consumed","messageIds":["{message}"],"reason":"continuation""#),
        11 => format!(r#""message-cancelled","messageId":"{message}""#),
        12 => format!(r#""turn-end","turnId":"{turn}","outcome":"done""#),
        13 => format!(
            r#""turn-sealed","turnId":"{turn}","chunks":[{}]"#,
            chunk(dice.below(40), turn, "assistant", "sealed")
        ),
        14 => r#""notice","message":"careful""#.to_owned(),
        _ => format!(r#""chunks-loaded","chunks":[{}]"#, chunk(dice.below(40), turn, "user", "asked")),
    };
    *n += 1;
    format!(r#"{{"n":{n},"type":{rest}}}"#)
}

fn chunk(seq: u64, turn: &str, role: &str, text: &str) -> String {
    format!(r#"{{"seq":{seq},"turnId":"{turn}","role":"{role}","type":"text","data":{{"text":"{text}"}}}}"#)
}

/// Plays a run and writes down all that crossed: flags, effects, diagnostics, patches, and the state at the end.
pub fn played(seed: u64, frames: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut core = Core::new(r#"{"window":30}"#);
    let mut out = String::new();
    let mut n = 0;
    for _ in 0..frames {
        let lines: Vec<String> = (0..=dice.below(4)).map(|_| event(&mut dice, &mut n)).collect();
        let flags = core.message(lines.join("\n"));
        out.push_str(&format!("{flags} {} {} {}\n", core.effects(), core.diagnostics(), core.patch("main")));
    }
    out.push_str(&core.dehydrate());
    out
}

/// A short name of a long text, equal on every machine.
pub fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What the run of each seed must come to: made by the native run, held by all.
pub const GOLDEN: &str = include_str!("golden.txt");

/// The seeds of the golden runs.
pub const SEEDS: std::ops::Range<u64> = 1..41;

/// One line a seed.
pub fn golden() -> String {
    SEEDS.map(|seed| format!("{seed} {:016x}\n", digest(&played(seed, 60)))).collect()
}

/// Text that no server should send.
pub fn hostile(dice: &mut Dice) -> String {
    let words = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\",
        "null",
        "true",
        "1e999",
        "-0",
        "9007199254740993",
        "\u{0}",
        "\u{FFFD}",
        "\"type\"",
        "\"text-delta\"",
        "\"turn-sealed\"",
        "\"chunks\"",
        "\"__proto__\"",
        "\"\\ud800\"",
        "\n",
        "\"n\"",
        "\"snapshot\"",
        "\"turns\"",
        "\"delta\"",
        "\"statuses\"",
        "{\"type\":\"text-delta\",\"delta\":\"x\"}",
    ];
    (0..dice.below(24)).map(|_| dice.pick(&words)).collect()
}

/// Nothing that is fed in throws, and what is refused changes nothing that is shown.
pub fn survives(seed: u64) {
    let mut dice = Dice::new(seed);
    let mut core = Core::new("{}");
    core.message(r#"{"type":"turn-start","turnId":"a","user":{"text":"hi"}}"#.to_owned());
    core.patch("main");
    for _ in 0..20 {
        let text = hostile(&mut dice);
        let flags = match dice.below(4) {
            0 => core.message(text.clone()),
            1 => core.message_bytes(text.as_bytes().get(1..).unwrap_or_default().to_vec()),
            2 => core.event(&text),
            _ => core.input(&text),
        };
        let told = core.diagnostics();
        assert!(flags & 8 == 0 || told != "[]", "a diagnostic was promised for {text:?}");
        assert!(flags & 1 != 0 || core.patch("main").is_empty(), "{text:?} changed what is shown without saying so");
        core.patch("main");
        let _ = core.explain("main", &text);
    }
}
