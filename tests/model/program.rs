//! What may happen in a model: tracks of lines, each in its order, all of them interleaved in every way.

use crate::script::Line;

/// Where each track stands.
pub type Places = Vec<u8>;

/// Tracks of steps; a step is one of several lines. `-` skips a step.
#[derive(Clone, Debug)]
pub struct Program(Vec<Vec<Vec<Option<Line>>>>);

impl Program {
    /// Tracks as text: steps parted by ` / `, what a step may be by ` | `.
    pub fn parse(tracks: &[&str]) -> Result<Self, String> {
        let line = |text: &str| match text.trim() {
            "-" => Ok(None),
            text => Line::parse(0, text),
        };
        let step = |text: &str| text.split(" | ").map(line).collect::<Result<Vec<_>, _>>();
        let track = |text: &&str| text.split(" / ").map(step).collect::<Result<Vec<_>, _>>();
        tracks.iter().map(track).collect::<Result<_, _>>().map(Self)
    }

    pub fn begin(&self) -> Places {
        vec![0; self.0.len()]
    }

    /// What may come next: the track, and its line.
    pub fn next(&self, places: &Places) -> impl Iterator<Item = (usize, Option<&Line>)> {
        let steps = self.0.iter().zip(places).enumerate().filter_map(|(at, (track, place))| {
            let step = track.get(usize::from(*place))?;
            Some(step.iter().map(move |line| (at, line.as_ref())))
        });
        steps.flatten()
    }
}
