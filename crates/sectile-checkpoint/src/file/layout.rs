//! Where the parts of a state are that is kept in pieces.
//!
//! A state is a template with holes, which pieces of the file fill. Pieces have numbers in the order in
//! which they were saved, so a list that only became longer is named by the first and the last.

use serde::{Deserialize, Serialize};

use crate::pieces::Runs;

/// A layout of at most so many bytes stands in the line of its checkpoint.
const INLINE: usize = 512;

/// A hole names at most so many runs of pieces itself, and others by pieces of their own.
const MOST_RUNS: usize = 32;

/// Where the parts of a state are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Layout {
    /// What stands around the holes.
    pub(super) template: Template,
    /// What fills the holes.
    pub(super) holes: Vec<Hole>,
}

/// What stands around the holes of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Template {
    /// JSON text before, between and after the holes.
    Json(Vec<String>),
    /// The name of the channel that each hole is, and whether it is a list.
    Channels(Vec<(String, bool)>),
}

/// What fills a hole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hole {
    /// The version of a channel.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) version: String,
    /// How many bytes the values of a channel have; 0 where an earlier release did not write it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) bytes: u64,
    /// The piece that says which pieces come first, where not all are named here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<u64>,
    /// The pieces, in order.
    #[serde(with = "text", default, skip_serializing_if = "Runs::is_empty")]
    pub(super) runs: Runs,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Hole {
    /// Returns a hole with pieces after those that it has.
    pub(super) fn and(mut self, pieces: impl IntoIterator<Item = u64>) -> Self {
        for piece in pieces {
            self.runs.push_position(piece);
        }
        self
    }

    /// Returns a hole that names few runs itself. `keep` makes a piece of others and returns its
    /// number.
    pub(super) fn shortened(mut self, mut keep: impl FnMut(Self) -> u64) -> Self {
        while self.runs.len() > MOST_RUNS {
            let (first, rest) = (
                self.runs.iter().take(MOST_RUNS).collect(),
                self.runs.iter().skip(MOST_RUNS).collect(),
            );
            self.before = Some(keep(Self {
                before: self.before,
                runs: first,
                ..Self::default()
            }));
            self.runs = rest;
        }
        self
    }
}

/// A layout as it stands in the line of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Placed {
    /// All of it.
    All(Layout),
    /// That of a piece, but for some holes.
    Like(u64, Vec<(usize, Hole)>),
}

/// A layout that was read.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The layout.
    pub(super) layout: Layout,
    /// The piece that it is like, with its number.
    pub(super) like: Option<(u64, Layout)>,
}

impl Layout {
    /// Returns the layout with other holes; nothing where it has not so many.
    pub(super) fn with(mut self, others: &[(usize, Hole)]) -> Option<Self> {
        for (at, hole) in others {
            self.holes.get_mut(*at)?.clone_from(hole);
        }
        Some(self)
    }

    /// Returns the layout as it stands in a line, in few bytes. `like` is the piece that the one before
    /// is like; `keep` makes a piece of a layout and returns its number.
    pub(super) fn placed(
        self,
        like: Option<&(u64, Self)>,
        keep: impl FnOnce(Self) -> u64,
    ) -> Placed {
        let bytes = size(&self);
        if bytes <= INLINE {
            return Placed::All(self);
        }
        if let Some((piece, like)) = like
            && let Some(others) = self.others(like)
            && size(&others) <= INLINE.max(bytes / 8)
        {
            return Placed::Like(*piece, others);
        }
        Placed::Like(keep(self), Vec::new())
    }

    /// Returns the holes that are not as another layout has them, if that has the same template.
    fn others(&self, like: &Self) -> Option<Vec<(usize, Hole)>> {
        let is_alike = self.template == like.template && self.holes.len() == like.holes.len();
        is_alike.then(|| {
            let holes = self.holes.iter().zip(&like.holes).enumerate();
            let others = holes.filter(|(_, (hole, like))| hole != like);
            others.map(|(at, (hole, _))| (at, hole.clone())).collect()
        })
    }
}

/// Returns how many bytes a part of a layout takes.
fn size(part: &impl Serialize) -> usize {
    serde_json::to_string(part).map_or(usize::MAX, |text| text.len())
}

/// Runs as text: `1-1000 1003`.
mod text {
    use std::fmt::Write as _;

    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::pieces::{Run, Runs};

    pub(super) fn serialize<S: Serializer>(runs: &Runs, to: S) -> Result<S::Ok, S::Error> {
        let mut text = String::new();
        for run in runs {
            let joint = if text.is_empty() { "" } else { " " };
            // Writing to a string does not fail.
            let _ = write!(text, "{joint}{}", run.first);
            if run.count > 1 {
                let _ = write!(text, "-{}", run.end() - 1);
            }
        }
        to.serialize_str(&text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Runs, D::Error> {
        let text = String::deserialize(from)?;
        let runs: Option<Runs> = text.split(' ').map(run).collect();
        runs.ok_or_else(|| D::Error::custom("no numbers of pieces"))
    }

    fn run(text: &str) -> Option<Run> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        let end = last.checked_add(1)?;
        let count = end.checked_sub(first).filter(|count| *count > 0)?;
        Some(Run { first, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hole(pieces: impl IntoIterator<Item = u64>) -> Hole {
        Hole::default().and(pieces)
    }

    #[test]
    fn a_layout_is_read_as_it_was_written() {
        let layout = Layout {
            template: Template::Json(vec!["[".into(), "]".into()]),
            holes: vec![hole((1..=1_000).chain([1_003]))],
        };
        let placed = layout.placed(None, |_| panic!("it is short"));
        let text = serde_json::to_string(&placed).unwrap();
        let expected =
            r#"{"all":{"template":{"json":["[","]"]},"holes":[{"runs":"1-1000 1003"}]}}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Placed>(&text).unwrap(), placed);
        let empty: Hole = serde_json::from_str("{}").unwrap();
        assert_eq!(empty, Hole::default());
        for damaged in ["", "x", "2-1", "1-", "0-18446744073709551615", "1  2"] {
            let hole = format!(r#"{{"runs":"{damaged}"}}"#);
            assert!(serde_json::from_str::<Hole>(&hole).is_err(), "{damaged}");
        }
    }

    #[test]
    fn a_layout_like_another_names_what_differs() {
        let slots = (0..200).map(|at| (format!("channel {at}"), false));
        let layout = Layout {
            template: Template::Channels(slots.collect()),
            holes: (1..=200).map(|piece| hole([piece])).collect(),
        };
        let first = layout.clone().placed(None, |_| 201);
        assert_eq!(first, Placed::Like(201, Vec::new()));
        let changed = layout.clone().with(&[(7, hole([300]))]).unwrap();
        let like = (201, layout);
        let next = changed.placed(Some(&like), |_| panic!("it is like the other"));
        assert_eq!(next, Placed::Like(201, vec![(7, hole([300]))]));
        assert!(like.1.with(&[(200, hole([1]))]).is_none());
    }

    #[test]
    fn a_hole_of_many_runs_names_few_itself() {
        let mut kept = Vec::new();
        let mut keep = |hole: Hole| {
            kept.push(hole);
            10_000 + kept.len() as u64
        };
        let pieces = (0..100).map(|at| 2 * at);
        let short = hole(pieces.clone()).shortened(&mut keep);
        assert_eq!(short.before, Some(10_003));
        assert_eq!(short.runs.len(), 4);
        assert_eq!(kept.len(), 3);
        let before: Vec<_> = kept.iter().map(|hole| hole.before).collect();
        assert_eq!(before, [None, Some(10_001), Some(10_002)]);
        let all = kept.iter().chain([&short]);
        assert!(all.flat_map(|hole| hole.runs.positions()).eq(pieces));
    }
}
