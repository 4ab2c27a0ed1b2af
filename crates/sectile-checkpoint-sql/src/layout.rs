//! Where the parts of a state that is kept in pieces are.
//!
//! A state is a template with holes. A hole is filled by pieces of the thread, which stand in runs of
//! positions: a list that only became longer is one run, however long it is. So a layout is small,
//! and what two checkpoints share is stored once.

use sectile_checkpoint::pieces::{Run, Runs};

use code::{Reader, Writer};

pub(crate) mod channels;
mod code;
pub(crate) mod json;

/// A template or a list of holes of at most so many bytes stands in the row of its checkpoint.
const INLINE: usize = 160;

/// The version of what is written here. In the first, other holes than those of a list were whole.
const VERSION: u64 = 2;

/// What fills a hole of a template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hole {
    /// The version of a channel that is a list.
    pub(crate) version: String,
    /// The size of the pieces.
    pub(crate) bytes: u64,
    /// The pieces, in order.
    pub(crate) runs: Runs,
}

impl Hole {
    /// Adds a piece of a size.
    pub(crate) fn push(&mut self, position: u64, size: usize) {
        self.bytes += size as u64;
        self.runs.push_position(position);
    }

    /// Returns the positions of the pieces, in order.
    pub(crate) fn positions(&self) -> impl Iterator<Item = u64> {
        self.runs.positions()
    }

    fn write(&self, to: &mut Writer) {
        to.bytes(self.version.as_bytes());
        to.number(self.bytes);
        to.number(self.runs.len() as u64);
        let mut before = 0;
        for run in &self.runs {
            to.signed(run.first.cast_signed().wrapping_sub(before));
            to.number(run.count);
            before = run.end().cast_signed();
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let version = std::str::from_utf8(from.bytes()?).ok()?.to_owned();
        let bytes = from.number()?;
        let count = from.number()?;
        // Nearly all have one.
        let runs = if count == 1 {
            Runs::Single(Some(read_run(from, 0)?))
        } else {
            read_runs(from, count)?
        };
        Some(Self {
            version,
            bytes,
            runs,
        })
    }
}

fn read_runs(from: &mut Reader<'_>, count: u64) -> Option<Runs> {
    let mut runs = Runs::default();
    let mut before = 0;
    for _ in 0..count {
        let run = read_run(from, before)?;
        before = run.end().cast_signed();
        runs.push(run);
    }
    Some(runs)
}

/// Reads a run, of which the first position is written as the distance from the end of the run before.
#[inline]
fn read_run(from: &mut Reader<'_>, before: i64) -> Option<Run> {
    let first = from.signed()?.wrapping_add(before).cast_unsigned();
    let count = from.number()?;
    first.checked_add(count)?;
    Some(Run { first, count })
}

/// A template, where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Template {
    /// Here.
    Here(Vec<u8>),
    /// In a piece.
    At(u64),
}

/// The holes of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holes {
    /// All of them.
    All(Vec<Hole>),
    /// Those of a piece, except for some.
    Except(u64, Vec<Other>),
}

/// A hole where a layout has another than the list of holes that it is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Other {
    /// Which hole it is.
    pub(crate) at: u64,
    /// With how many runs of the list's hole it begins, so that a list whose end is edited again and again
    /// does not name all of it each time.
    pub(crate) kept: u64,
    /// The hole, with the runs after those.
    pub(crate) hole: Hole,
}

impl Other {
    fn new(at: u64, base: &Hole, hole: &Hole) -> Self {
        let runs = base.runs.iter().zip(&hole.runs);
        let kept = runs.take_while(|(one, other)| one == other).count();
        let mut rest = Runs::default();
        hole.runs.iter().skip(kept).for_each(|run| rest.push(run));
        Self {
            at,
            kept: kept as u64,
            hole: Hole {
                runs: rest,
                ..hole.clone()
            },
        }
    }

    /// Returns the hole with all its runs; nothing if the list's hole does not have those that it keeps.
    pub(crate) fn whole(self, base: &Hole) -> Option<Hole> {
        let kept = usize::try_from(self.kept).ok()?;
        if kept > base.runs.len() {
            return None;
        }
        let mut runs = Runs::default();
        let all = base.runs.iter().take(kept).chain(&self.hole.runs);
        all.for_each(|run| runs.push(run));
        Some(Hole { runs, ..self.hole })
    }
}

/// Where the parts of a state are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// What stands around the holes.
    pub(crate) template: Template,
    /// What fills them.
    pub(crate) holes: Holes,
}

impl Layout {
    /// Writes it.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut to = Writer::default();
        to.number(VERSION);
        match &self.template {
            Template::Here(bytes) => {
                to.number(0);
                to.bytes(bytes);
            }
            Template::At(position) => to.number(*position),
        }
        match &self.holes {
            Holes::All(holes) => {
                to.number(0);
                write_holes(holes, &mut to);
            }
            Holes::Except(position, others) => {
                to.number(*position);
                write_others(others, &mut to);
            }
        }
        to.0
    }

    /// Reads it; nothing for what no release has written.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let version = from.number()?;
        if version == 0 || version > VERSION {
            return None;
        }
        let template = match from.number()? {
            0 => Template::Here(from.bytes()?.to_vec()),
            position => Template::At(position),
        };
        let holes = match from.number()? {
            0 => Holes::All(read_holes(&mut from)?),
            position => Holes::Except(position, read_others(&mut from, version)?),
        };
        from.is_at_end().then_some(Self { template, holes })
    }

    /// Returns the positions of the pieces that hold parts of the layout itself.
    pub(crate) fn own_pieces(&self) -> impl Iterator<Item = u64> {
        let template = match self.template {
            Template::Here(_) => None,
            Template::At(position) => Some(position),
        };
        let holes = match self.holes {
            Holes::All(_) => None,
            Holes::Except(position, _) => Some(position),
        };
        template.into_iter().chain(holes)
    }
}

fn write_holes(holes: &[Hole], to: &mut Writer) {
    to.number(holes.len() as u64);
    for hole in holes {
        hole.write(to);
    }
}

fn read_holes(from: &mut Reader<'_>) -> Option<Vec<Hole>> {
    let count = usize::try_from(from.number()?).ok()?;
    // Each takes three bytes at least.
    let mut holes = Vec::with_capacity(count.min(from.0.len() / 3));
    for _ in 0..count {
        holes.push(Hole::read(from)?);
    }
    Some(holes)
}

fn write_others(others: &[Other], to: &mut Writer) {
    to.number(others.len() as u64);
    for other in others {
        to.number(other.at);
        to.number(other.kept);
        other.hole.write(to);
    }
}

/// Reads other holes, which stand in order.
fn read_others(from: &mut Reader<'_>, version: u64) -> Option<Vec<Other>> {
    let count = from.number()?;
    let mut others: Vec<Other> = Vec::new();
    for _ in 0..count {
        let at = from.number()?;
        if others.last().is_some_and(|before| before.at >= at) {
            return None;
        }
        let kept = if version == 1 { 0 } else { from.number()? };
        let hole = Hole::read(from)?;
        others.push(Other { at, kept, hole });
    }
    Some(others)
}

/// Writes holes as a piece has them.
pub(crate) fn encode_holes(holes: &[Hole]) -> Vec<u8> {
    let mut to = Writer::default();
    write_holes(holes, &mut to);
    to.0
}

/// Reads the holes of a piece.
pub(crate) fn decode_holes(bytes: &[u8]) -> Option<Vec<Hole>> {
    let mut from = Reader(bytes);
    let holes = read_holes(&mut from)?;
    from.is_at_end().then_some(holes)
}

/// A layout as a whole, with the pieces of its own parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Whole {
    /// The template.
    pub(crate) template: Vec<u8>,
    /// The piece that holds the template, if one does.
    pub(crate) template_at: Option<u64>,
    /// All holes.
    pub(crate) holes: Vec<Hole>,
    /// The piece of holes that most are like.
    pub(crate) base: Option<LikeHoles>,
}

/// A piece of holes that those of a layout are like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LikeHoles {
    /// Where the piece is.
    pub(crate) position: u64,
    /// Its holes where the layout has others, in order.
    pub(crate) replaced: Vec<(u64, Hole)>,
}

impl LikeHoles {
    /// Returns the holes that are not as the piece has them. `before` are those of the layout.
    fn others(&self, before: &[Hole], holes: &[Hole]) -> Vec<Other> {
        let mut replaced = self.replaced.iter().peekable();
        let mut others = Vec::new();
        for (at, (before, hole)) in (0..).zip(before.iter().zip(holes)) {
            let base = match replaced.next_if(|(other, _)| *other == at) {
                Some((_, base)) => base,
                None => before,
            };
            if hole != base {
                others.push(Other::new(at, base, hole));
            }
        }
        others
    }
}

impl Whole {
    /// Returns the layout of a state that follows this one, in as few bytes as may be. `keep` makes
    /// a piece of bytes and returns its position.
    pub(crate) fn next(
        &self,
        template: Vec<u8>,
        holes: Vec<Hole>,
        mut keep: impl FnMut(Vec<u8>) -> u64,
    ) -> Layout {
        let is_same = template == self.template;
        let template = match self.template_at {
            Some(position) if is_same => Template::At(position),
            _ if template.len() <= INLINE => Template::Here(template),
            _ => Template::At(keep(template)),
        };
        let all = encode_holes(&holes);
        if all.len() <= INLINE {
            let holes = Holes::All(holes);
            return Layout { template, holes };
        }
        let like = self.base.as_ref();
        let like = like.filter(|_| self.holes.len() == holes.len());
        let others = like.map(|like| (like.position, like.others(&self.holes, &holes)));
        // A list that is written after each so many bytes of others, and these, take about the same.
        let limit = INLINE.max(8 * all.len().isqrt());
        let is_small = |others: &[Other]| {
            let mut to = Writer::default();
            write_others(others, &mut to);
            to.0.len() <= limit
        };
        let holes = match others {
            Some((position, others)) if is_small(&others) => Holes::Except(position, others),
            _ => Holes::Except(keep(all), Vec::new()),
        };
        Layout { template, holes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hole(positions: &[u64]) -> Hole {
        let mut hole = Hole::default();
        for &position in positions {
            hole.push(position, 1);
        }
        hole
    }

    #[test]
    fn a_list_that_grows_is_one_run() {
        let hole = hole(&(1..=10_000).collect::<Vec<_>>());
        assert_eq!(hole.runs.len(), 1);
        let whole = Whole::default();
        let layout = whole.next(b"template".to_vec(), vec![hole], |_| panic!("it is small"));
        let bytes = layout.encode();
        assert!(bytes.len() <= 20, "{}", bytes.len());
        assert_eq!(Layout::decode(&bytes), Some(layout));
    }

    #[test]
    fn a_layout_like_another_names_what_differs() {
        let holes: Vec<Hole> = (0..200).map(|at| hole(&[at * 2 + 1])).collect();
        let mut kept = Vec::new();
        let mut keep = |bytes: Vec<u8>| {
            kept.push(bytes);
            1_000
        };
        let first = Whole::default().next(vec![1; 500], holes.clone(), &mut keep);
        assert_eq!(kept.len(), 2);
        let whole = Whole {
            template: vec![1; 500],
            template_at: Some(1_000),
            holes: holes.clone(),
            base: Some(LikeHoles {
                position: 1_000,
                replaced: Vec::new(),
            }),
        };
        assert_eq!(first.holes, Holes::Except(1_000, Vec::new()));
        let mut changed = holes;
        changed[7] = hole(&[5_000]);
        let next = whole.next(vec![1; 500], changed, |_| panic!("it is like the other"));
        assert!(next.encode().len() < 16);
        assert_eq!(Layout::decode(&next.encode()), Some(next));
    }

    #[test]
    fn a_list_whose_end_is_edited_names_the_end_alone() {
        let before = hole(&(0..500).map(|at| at * 2 + 1).collect::<Vec<_>>());
        let whole = Whole {
            template: vec![1; 10],
            template_at: None,
            holes: vec![before.clone()],
            base: Some(LikeHoles {
                position: 7,
                replaced: Vec::new(),
            }),
        };
        let mut edited = before.clone();
        edited.push(5_000, 3);
        let holes = vec![edited.clone()];
        // What stands around the holes may be another.
        let next = whole.next(vec![2; 10], holes, |_| panic!("it is like the other"));
        assert!(next.encode().len() < 40, "{}", next.encode().len());
        assert_eq!(Layout::decode(&next.encode()), Some(next.clone()));
        let Holes::Except(7, others) = next.holes else {
            panic!("{next:?}");
        };
        let [other] = <[Other; 1]>::try_from(others).unwrap();
        assert_eq!(other.kept, 500);
        assert_eq!(other.clone().whole(&before), Some(edited));
        assert_eq!(other.whole(&hole(&[1])), None);
    }

    #[test]
    fn layouts_of_the_first_version_are_read() {
        let mut to = Writer::default();
        for number in [1, 0] {
            to.number(number);
        }
        to.bytes(b"template");
        for number in [9, 1, 3] {
            to.number(number);
        }
        hole(&[4, 5]).write(&mut to);
        let others = vec![Other {
            at: 3,
            kept: 0,
            hole: hole(&[4, 5]),
        }];
        let layout = Layout {
            template: Template::Here(b"template".to_vec()),
            holes: Holes::Except(9, others),
        };
        assert_eq!(Layout::decode(&to.0), Some(layout));
    }

    #[test]
    fn damaged_layouts_are_no_layouts() {
        let layout = Layout {
            template: Template::Here(b"template".to_vec()),
            holes: Holes::All(vec![hole(&[1, 2, 5]), hole(&[9])]),
        };
        let bytes = layout.encode();
        for end in 0..bytes.len() {
            assert_eq!(Layout::decode(&bytes[..end]), None, "{end}");
        }
        for seed in 0..20_000_u64 {
            let noise = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
            let _ = Layout::decode(&noise);
            let _ = decode_holes(&noise);
        }
    }
}
