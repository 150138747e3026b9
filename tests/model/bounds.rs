//! The models: what each lets happen, and how much of it. Each lets the server's lines, the users' lines, the channel (in
//! order, slow), the answers (in any order, each done at one time and heard at another) and the timers happen in every
//! order. They overlap: what is too much for one of them together is in several of them in pairs.

use crate::thread::Faults;

/// A model in words and lines.
pub struct Bounds {
    pub name: &'static str,
    /// What it lets happen, in words.
    pub about: &'static str,
    pub setup: &'static [&'static str],
    /// Lines of the server and of users, in the language of scenarios: see `program.rs`.
    pub tracks: &'static [&'static str],
    pub faults: Faults,
}

const NONE: Faults = Faults { fails: 0, stale: 0, lost: 0 };

/// One client that has loaded a sealed turn.
const BEHIND_A_TURN: &[&str] =
    &["open", "turn-start z \"ask z\"", "delta z \"zed \"", "turn-end z done", "seal z range", "load", "slow"];

pub const ALL: &[Bounds] = &[
    Bounds {
        name: "seal",
        about: "two turns; the second begins before the first is sealed; one request fails",
        setup: &["open", "slow"],
        tracks: &[
            "turn-start a \"ask a\" / delta a \"one \" / turn-end a done / turn-start b \"ask b\" / delta b \"two \"",
            "seal a | seal a range | seal a inline",
        ],
        faults: Faults { fails: 1, ..NONE },
    },
    Bounds {
        name: "write",
        about: "a turn is written in parts, and looked at before, between and after",
        setup: &["slow"],
        tracks: &[
            "turn-start a \"ask a\" / call a c1 / result a c1 \"r\" / write a / delta a \"one \" / turn-end a done / seal a | seal a range | seal a inline",
            "open",
        ],
        faults: NONE,
    },
    Bounds {
        name: "lag",
        about: "a sealed turn, and pages from a replica that has not heard of it",
        setup: &["open", "load", "slow"],
        tracks: &["turn-start a \"ask a\" / delta a \"one \" / turn-end a done / seal a | seal a range"],
        faults: Faults { stale: 2, ..NONE },
    },
    Bounds {
        name: "lag-told",
        about: "a turn is sealed while the connection is gone; then the replica lags behind the snapshot",
        setup: &["open", "load", "slow"],
        tracks: &[
            "turn-start a \"ask a\" / call a c1 / result a c1 \"r\" / write a / delta a \"one \" / turn-end a done / drop / seal a / reconnect",
        ],
        faults: Faults { stale: 2, ..NONE },
    },
    Bounds {
        name: "send",
        about: "a message is sent and becomes a turn; the connection drops once; one request fails",
        setup: &["open", "slow"],
        tracks: &["send k1 \"say k1\"", "turn-end t-k1 done / seal t-k1 | seal t-k1 range", "drop / reconnect"],
        faults: Faults { fails: 1, ..NONE },
    },
    Bounds {
        name: "queue",
        about: "a message waits for the running turn and begins the next; the connection drops once",
        setup: &["open", "slow"],
        tracks: &[
            "turn-start a \"ask a\" / turn-end a done / consume q1 continuation / turn-start b q1 / turn-end b done / seal b range",
            "queue q1 \"and\"",
            "seal a range | seal a",
            "drop / reconnect",
        ],
        faults: NONE,
    },
    Bounds {
        name: "steer",
        about: "a message waits and is steered into the running turn; the connection drops once",
        setup: &["open", "slow"],
        tracks: &[
            "turn-start a \"ask a\" / delta a \"one \" / consume q1 / delta a \"two \" / turn-end a done / seal a range | seal a",
            "queue q1 \"and\"",
            "drop / reconnect",
        ],
        faults: NONE,
    },
    Bounds {
        name: "departed",
        about: "what waited was answered and sealed while the connection was gone; a page of before is still on its way, or the replica lags",
        setup: &["open", "turn-start a \"ask a\"", "delta a \"one \"", "queue q1 \"and\"", "load sent", "slow"],
        tracks: &[
            "drop / turn-end a done / consume q1 continuation / turn-start b q1 / delta b \"two \" / turn-end b done / seal b range / reconnect",
            "seal a range",
        ],
        faults: Faults { stale: 1, ..NONE },
    },
    Bounds {
        name: "gone",
        about: "what was sent is answered while the connection is gone, and later turns push it out of the window",
        setup: &["clients 1 window=2 page=2", "open", "load", "slow"],
        tracks: &[
            "send k1 \"say k1\"",
            "drop / turn-end t-k1 done / seal t-k1 range / turn-start a \"ask a\" / delta a \"one \" / turn-end a done / seal a range / reconnect",
        ],
        faults: NONE,
    },
    Bounds {
        name: "scroll",
        about: "the user reads older rows while a turn is sealed",
        setup: BEHIND_A_TURN,
        tracks: &[
            "turn-start a \"ask a\" / delta a \"one \" / turn-end a done / seal a range | seal a inline | seal a",
            "scroll up / scroll down",
        ],
        faults: Faults { fails: 1, ..NONE },
    },
    Bounds {
        name: "window",
        about: "a window of three chunks, pages of two; older rows are asked for while newer ones are sealed",
        setup: &[
            "clients 1 window=3 page=2",
            "open",
            "turn-start y \"ask y\"",
            "delta y \"why \"",
            "turn-end y done",
            "seal y range",
            "turn-start z \"ask z\"",
            "delta z \"zed \"",
            "turn-end z done",
            "seal z range",
            "load",
            "load",
            "slow",
        ],
        tracks: &[
            "turn-start a \"ask a\" / delta a \"one \" / turn-end a done / seal a range | seal a inline",
            "scroll up / older | - / scroll down",
            "drop / reconnect",
        ],
        faults: NONE,
    },
    Bounds {
        name: "kept",
        about: "a turn came and went while the connection was gone; the user scrolls up before its page comes",
        setup: BEHIND_A_TURN,
        tracks: &[
            "drop / turn-start a \"ask a\" / delta a \"one \" / turn-end a done / seal a range / reconnect",
            "scroll up / scroll down",
        ],
        faults: NONE,
    },
    Bounds {
        name: "capped",
        about: "a server that gives two rows a page, and two turns that came and went while the connection was gone",
        setup: &[
            "server cap=2",
            "open",
            "turn-start z \"ask z\"",
            "delta z \"zed \"",
            "turn-end z done",
            "seal z range",
            "load",
            "load",
            "slow",
        ],
        tracks: &[
            "drop / turn-start a \"ask a\" / delta a \"one \" / turn-end a done / seal a range / turn-start b \"ask b\" / delta b \"two \" / turn-end b done / seal b range / reconnect",
            "older",
        ],
        faults: NONE,
    },
    Bounds {
        name: "inline",
        about: "chunks come with the seals of two turns whose rows interleave; the first page may come late",
        setup: &["open", "slow"],
        tracks: &[
            "turn-start a \"ask a\" / delta a \"one \" / turn-end a done / turn-start b \"ask b\" / delta b \"two \" / turn-end b done / seal b inline",
            "seal a range | seal a inline",
        ],
        faults: NONE,
    },
    Bounds {
        name: "epoch",
        about: "the log is rewritten while a page of before is on its way",
        setup: BEHIND_A_TURN,
        tracks: &["reset / turn-start a \"ask a\" / delta a \"one \" / turn-end a done / seal a range"],
        faults: NONE,
    },
    Bounds {
        name: "unnamed",
        about: "a stream without numbers and ids",
        setup: &["server numbers=no ids=no", "open", "slow"],
        tracks: &[
            "send k1 \"say k1\"",
            "delta t-k1 \"one \" / turn-end t-k1 done / seal t-k1 / turn-start a \"ask a\" / delta a \"two \" / turn-end a done / seal a",
        ],
        faults: NONE,
    },
    Bounds {
        name: "lost",
        about: "two events get lost",
        setup: &["open", "slow"],
        tracks: &["turn-start a \"ask a\" / delta a \"one \" / turn-end a done / seal a | seal a range"],
        faults: Faults { lost: 2, ..NONE },
    },
    Bounds {
        name: "restore",
        about: "a message that was kept over a reload comes back, before and after its own chunk",
        setup: &[
            "clients 2",
            "1: drop",
            "2: open",
            "2: send k1 \"say k1\"",
            "2: answer send k1",
            "turn-end t-k1 done",
            "seal t-k1 range",
            "1: slow",
            "2: slow",
        ],
        tracks: &["1: open", "1: restore k1 \"say k1\"", "1: reconnect"],
        faults: NONE,
    },
    Bounds {
        name: "joint",
        about: "two clients; a turn that somebody else begins, a message that the first client sends, the user there scrolls up and \
                down; the connection of the second drops once; one request fails and one page lags, anywhere",
        setup: &["clients 2", "1: open", "2: open", "1: slow", "2: slow"],
        tracks: &[
            "turn-start a \"ask a\" / delta a \"one \" / turn-end a done / seal a range | seal a inline | seal a",
            "1: send k1 \"say k1\"",
            "2: drop / 2: reconnect",
            "1: scroll up / 1: scroll down",
        ],
        faults: Faults { fails: 1, stale: 1, lost: 0 },
    },
];
