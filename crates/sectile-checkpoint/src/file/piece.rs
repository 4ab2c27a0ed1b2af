//! The pieces of states, each a line.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::layout::{Hole, Layout};
use super::seal::sealed;
use super::typed::Typed;
use crate::TypedValue;

/// A piece of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// JSON text: entries of a list with the commas between them, or another value.
    Json(String),
    /// The value of a channel, or an entry of its list.
    Value(TypedValue),
    /// Where the parts of a state are.
    Layout(Layout),
    /// The first pieces of a hole.
    Hole(Hole),
}

/// A piece as it is written. By what comes first it is told from a checkpoint.
#[derive(Serialize)]
struct Record<'a> {
    piece: u64,
    seq: u64,
    #[serde(flatten)]
    written: Written<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Written<'a> {
    /// JSON text in brackets, which make a list of entries.
    Entries(Box<RawValue>),
    /// JSON text that cannot stand in a line as it is.
    Text(&'a str),
    Value(Typed),
    Layout(&'a Layout),
    Hole(&'a Hole),
}

impl<'a> Written<'a> {
    fn of(piece: &'a Piece) -> Self {
        match piece {
            Piece::Json(json) => entries(json).map_or(Self::Text(json), Self::Entries),
            Piece::Value(value) => Self::Value(Typed::of(value)),
            Piece::Layout(layout) => Self::Layout(layout),
            Piece::Hole(hole) => Self::Hole(hole),
        }
    }
}

/// Returns JSON text as a list, if that is one line.
fn entries(json: &str) -> Option<Box<RawValue>> {
    if json.contains('\n') {
        return None;
    }
    RawValue::from_string(format!("[{json}]")).ok()
}

/// Writes a piece, with the number of the checkpoint that it is saved with, as a line.
pub(super) fn line(piece: u64, seq: u64, content: &Piece) -> serde_json::Result<Vec<u8>> {
    let written = Written::of(content);
    let record = Record {
        piece,
        seq,
        written,
    };
    serde_json::to_vec(&record).map(sealed)
}

/// A piece as it is read.
#[derive(Deserialize)]
struct Stored<'a> {
    piece: u64,
    #[serde(borrow)]
    entries: Option<&'a RawValue>,
    text: Option<String>,
    value: Option<Typed>,
    layout: Option<Layout>,
    hole: Option<Hole>,
}

/// Reads a piece with its number; nothing for what no release has written.
pub(super) fn read(line: &[u8]) -> Option<(u64, Piece)> {
    let stored: Stored<'_> = serde_json::from_slice(line).ok()?;
    let piece = match stored {
        Stored {
            entries: Some(list),
            ..
        } => {
            let json = list.get().strip_prefix('[')?.strip_suffix(']')?;
            Piece::Json(json.into())
        }
        Stored {
            text: Some(json), ..
        } => Piece::Json(json),
        Stored {
            value: Some(value), ..
        } => Piece::Value(value.into_value()?),
        Stored {
            layout: Some(layout),
            ..
        } => Piece::Layout(layout),
        Stored {
            hole: Some(hole), ..
        } => Piece::Hole(hole),
        _ => return None,
    };
    Some((stored.piece, piece))
}

/// What a piece says of others.
#[derive(Debug, Deserialize)]
pub(super) struct Head {
    /// Its number.
    pub(super) piece: u64,
    /// Where the parts of a state are, if it says that.
    pub(super) layout: Option<Layout>,
    /// The first pieces of a hole, if it says those.
    pub(super) hole: Option<Hole>,
}

impl Head {
    /// Reads the rest of a line only to see that it is JSON.
    pub(super) fn read(line: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::layout::Template;

    #[test]
    fn pieces_are_read_as_they_were_written() {
        let hole = Hole::default().and([1, 2, 9]);
        let layout = Layout {
            template: Template::Channels(vec![("a".into(), true)]),
            holes: vec![hole.clone()],
        };
        for (piece, written) in [
            (
                Piece::Json(r#"{"a":1} , 2"#.into()),
                r#""entries":[{"a":1} , 2]"#,
            ),
            (Piece::Json("1,\n2".into()), r#""text":"1,\n2""#),
            (Piece::Json("no JSON".into()), r#""text":"no JSON""#),
            (Piece::Json(String::new()), r#""entries":[]"#),
            (
                Piece::Value(TypedValue::new("json", *b"[1]")),
                r#""value":{"kind":"json","text":"[1]"}"#,
            ),
            (
                Piece::Layout(layout),
                r#""layout":{"template":{"channels":[["a",true]]},"#,
            ),
            (Piece::Hole(hole), r#""hole":{"runs":"1-2 9"}"#),
        ] {
            let line = line(12, 7, &piece).unwrap();
            let text = String::from_utf8(line.clone()).unwrap();
            let start = format!("{{\"piece\":12,\"seq\":7,{written}");
            assert!(text.starts_with(&start), "{text}");
            assert_eq!(text.find('\n'), Some(text.len() - 1));
            assert_eq!(Head::read(&line).unwrap().piece, 12);
            assert_eq!(read(&line), Some((12, piece)));
        }
    }
}
