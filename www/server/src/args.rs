//! The command line.

use std::path::PathBuf;

use crate::chaos::{self, Chaos};

pub(crate) const USAGE: &str = "\
usage: turnseal-server [--port N] [--db FILE] [--model demo|replay|openai] [--open]
                       [--host ADDRESS] [--site DIR] [--origin ORIGIN]... [--replay FILE] [--pace PERCENT]
                       [--chaos RULES]

  --port N         where to listen; 0 (the default) takes a free port. The first line on standard output is the URL
  --db FILE        the log (turnseal.db); a folder FILE.work beside it holds what the demo's tools work on
  --model NAME     demo (the default, offline), replay (--replay FILE), openai (OPENAI_BASE_URL, OPENAI_API_KEY, MODEL)
  --open           opens the URL in a browser
  --host ADDRESS   listens there instead of on loopback
  --site DIR       serves the files of a folder
  --origin ORIGIN  lets pages of that origin in, beside the server's own
  --pace PERCENT   how fast demo and replay speak: 100 as a human reads, 0 at once
  --chaos RULES    plays a bad network: delay=MS,loss=PERCENT,repeat=PERCENT,cut=SECONDS,slow=MS, or off; pages may change it
";

/// Who answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Speaker {
    Demo,
    Replay { file: PathBuf },
    Openai,
}

/// What was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Args {
    pub(crate) port: u16,
    pub(crate) host: String,
    pub(crate) db: PathBuf,
    pub(crate) speaker: Speaker,
    pub(crate) open: bool,
    pub(crate) site: Option<PathBuf>,
    pub(crate) origins: Vec<String>,
    pub(crate) pace: u32,
    pub(crate) chaos: Option<Chaos>,
}

/// Reads the command line, without the program's name. Errors: what is wrong with it.
pub(crate) fn read(words: impl IntoIterator<Item = String>) -> Result<Args, String> {
    let mut args = Args {
        port: 0,
        host: "127.0.0.1".to_owned(),
        db: PathBuf::from("turnseal.db"),
        speaker: Speaker::Demo,
        open: false,
        site: None,
        origins: Vec::new(),
        pace: 100,
        chaos: None,
    };
    let (mut model, mut replay) = ("demo".to_owned(), None);
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} wants a value"));
        match word.as_str() {
            "--port" => args.port = number("--port", &value()?)?,
            "--host" => args.host = value()?,
            "--db" => args.db = PathBuf::from(value()?),
            "--model" => model = value()?,
            "--replay" => replay = Some(PathBuf::from(value()?)),
            "--open" => args.open = true,
            "--site" => args.site = Some(PathBuf::from(value()?)),
            "--origin" => args.origins.push(value()?),
            "--pace" => args.pace = number("--pace", &value()?)?,
            "--chaos" => args.chaos = Some(chaos::read(&value()?)?),
            _ => return Err(format!("there is no option {word}")),
        }
    }
    args.speaker = match (model.as_str(), replay) {
        ("demo", None) => Speaker::Demo,
        ("openai", None) => Speaker::Openai,
        ("replay", Some(file)) => Speaker::Replay { file },
        ("replay", None) => return Err("--model replay wants --replay FILE".to_owned()),
        ("demo" | "openai", Some(_)) => return Err("--replay goes with --model replay".to_owned()),
        _ => return Err(format!("there is no model {model}")),
    };
    Ok(args)
}

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{name} {text}: not a number that it can be"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<Args, String> {
        read(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_read() {
        let args =
            of("--port 8080 --db a.db --model replay --replay x.sse --open --pace 0 --origin http://a:1").unwrap();
        assert_eq!((args.port, args.pace, args.open), (8080, 0, true));
        assert_eq!(args.speaker, Speaker::Replay { file: "x.sse".into() });
        assert_eq!(of("").unwrap().host, "127.0.0.1");
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        for (line, why) in [
            ("--port", "--port wants a value"),
            ("--port 70000", "--port 70000: not a number that it can be"),
            ("--model x", "there is no model x"),
            ("--model replay", "--model replay wants --replay FILE"),
            ("--replay x", "--replay goes with --model replay"),
            ("--chaos wet=1", "--chaos wet=1: there is no wet"),
            ("--x", "there is no option --x"),
        ] {
            assert_eq!(of(line), Err(why.to_owned()));
        }
    }
}
