//! JSON text in pieces: long lists by entry, long values whole, what stands around them as a
//! template.

use twox_hash::XxHash3_64;

/// The minimum size in bytes of a list that is stored by entry.
const LONG_LIST: usize = 1_024;

/// The minimum size in bytes of another value that is stored as a piece.
const LONG_VALUE: usize = 256;

/// The minimum size in bytes of an object whose members are examined.
const LONG_OBJECT: usize = 1_024;

/// How deep it is looked for long lists and values.
const DEEPEST: usize = 4;

/// The approximate size in bytes up to which short entries are stored together.
const SHORT: usize = 256;

/// The approximate maximum size in bytes of entries that are stored together.
const TOGETHER: usize = 2_048;

/// JSON text as a template with the pieces that fill its holes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Split<'a> {
    /// The text before, between and after the holes: one part more than there are holes.
    pub around: Vec<&'a str>,
    /// The content of each hole.
    pub holes: Vec<Filling<'a>>,
}

/// The content of a hole: the entries of a list, or a value.
#[derive(Debug, PartialEq, Eq)]
pub struct Filling<'a> {
    /// The text.
    pub text: &'a str,
    /// Where its pieces end, in order. Between two of them stands a comma.
    ends: Vec<usize>,
}

impl<'a> Filling<'a> {
    /// Returns the pieces, in order.
    pub fn pieces(&self) -> impl Iterator<Item = &'a str> {
        let (text, mut start) = (self.text, 0);
        self.ends.iter().map(move |end| {
            let piece = &text[start..*end];
            start = end + 1;
            piece
        })
    }

    /// Returns the end of the piece that begins at a position or goes on there.
    pub fn end_after(&self, at: usize) -> usize {
        let next = self.ends.partition_point(|end| *end <= at);
        self.ends.get(next).copied().unwrap_or(self.text.len())
    }
}

/// Returns what a piece is looked for by: a hash of its first entry.
pub fn key_of_piece(piece: &[u8]) -> i64 {
    let first = Value::at(piece, 0);
    XxHash3_64::oneshot(&piece[..first.end]).cast_signed()
}

impl<'a> Split<'a> {
    /// Cuts JSON text.
    pub fn new(json: &'a str) -> Self {
        let mut cutter = Cutter {
            json,
            done: 0,
            split: Self::default(),
        };
        cutter.value(0, 0);
        cutter.split.around.push(&json[cutter.done..]);
        cutter.split
    }
}

/// A value of JSON text: where it begins and ends, and what it is.
#[derive(Clone, Copy, Debug)]
struct Value {
    start: usize,
    end: usize,
    first: u8,
}

impl Value {
    /// Finds the value at or after a position. Text that is not JSON has some value, too.
    fn at(bytes: &[u8], from: usize) -> Self {
        let start = from + blanks(&bytes[from..]);
        let first = bytes.get(start).copied().unwrap_or_default();
        let end = match first {
            b'"' => end_of_string(bytes, start),
            b'[' | b'{' => end_of_brackets(bytes, start),
            _ => start + plain(&bytes[start..]),
        };
        Self { start, end, first }
    }

    const fn len(self) -> usize {
        self.end - self.start
    }
}

struct Cutter<'a> {
    json: &'a str,
    /// Up to where the text is in `split`.
    done: usize,
    split: Split<'a>,
}

impl Cutter<'_> {
    /// Cuts the value at or after a position, and returns where it ends. Its text is read once: how long it is
    /// shows at its end, so that what was cut of an object that is short is put together again.
    fn value(&mut self, from: usize, depth: usize) -> usize {
        let bytes = self.json.as_bytes();
        let start = from + blanks(&bytes[from..]);
        let end = match bytes.get(start) {
            Some(b'[') => self.list(start),
            Some(b'{') if depth < DEEPEST => self.object(start, depth + 1),
            _ => None,
        };
        end.unwrap_or_else(|| self.whole(start))
    }

    /// Makes one piece of a value if it is long, and returns where it ends. So is text cut that is not JSON.
    fn whole(&mut self, start: usize) -> usize {
        let value = Value::at(self.json.as_bytes(), start);
        if value.len() >= LONG_VALUE {
            self.hole(value.start..value.end, vec![value.len()]);
        }
        value.end
    }

    /// Cuts a list, and returns where it ends; nothing for one that is not JSON.
    fn list(&mut self, start: usize) -> Option<usize> {
        let (ends, end) = entries(self.json.as_bytes(), start + 1)?;
        let length = end - start;
        if length >= LONG_LIST {
            self.hole(start + 1..end - 1, ends);
        } else if length >= LONG_VALUE {
            self.hole(start..end, vec![length]);
        }
        Some(end)
    }

    /// Cuts an object, and returns where it ends; nothing for one that is not JSON.
    fn object(&mut self, start: usize, depth: usize) -> Option<usize> {
        let (done, holes) = (self.done, self.split.holes.len());
        let end = self.members(start + 1, depth);
        let length = end.map_or(0, |end| end - start);
        if length < LONG_OBJECT {
            self.done = done;
            self.split.around.truncate(holes);
            self.split.holes.truncate(holes);
            if length >= LONG_VALUE {
                self.hole(start..start + length, vec![length]);
            }
        }
        end
    }

    /// Cuts the members of an object, and returns where it ends; nothing for one that is not JSON.
    fn members(&mut self, from: usize, depth: usize) -> Option<usize> {
        let bytes = self.json.as_bytes();
        let mut at = from + blanks(&bytes[from..]);
        if bytes.get(at) == Some(&b'}') {
            return Some(at + 1);
        }
        loop {
            let name = Value::at(bytes, at);
            let colon = name.end + blanks(&bytes[name.end..]);
            if name.first != b'"' || bytes.get(colon) != Some(&b':') {
                return None;
            }
            let end = self.value(colon + 1, depth);
            at = end + blanks(&bytes[end..]);
            match bytes.get(at) {
                Some(b',') => at += 1,
                Some(b'}') => return Some(at + 1),
                _ => return None,
            }
        }
    }

    /// Makes a hole of a range, in which pieces end.
    fn hole(&mut self, range: std::ops::Range<usize>, ends: Vec<usize>) {
        self.split.around.push(&self.json[self.done..range.start]);
        self.done = range.end;
        let text = &self.json[range];
        self.split.holes.push(Filling { text, ends });
    }
}

/// Returns where the pieces of the entries of a list end that begin at a position, counted from there, and
/// where the list ends; nothing for one that is not JSON. Blanks belong to the entry before or after them.
/// Where short entries are cut depends on the entries alone, so that it is the same when the list becomes
/// longer, or shorter from its beginning.
fn entries(bytes: &[u8], from: usize) -> Option<(Vec<usize>, usize)> {
    let mut ends = Vec::new();
    let (mut start, mut at) = (0, 0);
    loop {
        let entry = Value::at(bytes, from + at);
        let end = entry.end + blanks(&bytes[entry.end..]) - from;
        let text = &bytes[from + at..from + end];
        if text.len() >= SHORT && start < at {
            ends.push(at - 1);
            start = at;
        }
        if is_end(text, end - start) {
            ends.push(end);
            start = end + 1;
        }
        match bytes.get(from + end) {
            Some(b',') => at = end + 1,
            Some(b']') => {
                if start <= end {
                    ends.push(end);
                }
                return Some((ends, from + end + 1));
            }
            _ => return None,
        }
    }
}

/// Returns whether a piece ends after an entry.
fn is_end(entry: &[u8], length: usize) -> bool {
    let is_chosen = || XxHash3_64::oneshot(entry).is_multiple_of(4);
    entry.len() >= SHORT || length >= TOGETHER || length >= SHORT && is_chosen()
}

/// Counts the blanks that bytes begin with.
fn blanks(bytes: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    bytes.iter().take_while(|byte| is_blank(byte)).count()
}

/// Counts the bytes of a number or a name.
fn plain(bytes: &[u8]) -> usize {
    let is_plain = |byte: &u8| !matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
    bytes.iter().take_while(|byte| is_plain(byte)).count()
}

/// Returns where a string ends that begins at a position.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// Returns where an array or object ends that begins at a position.
fn end_of_brackets(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = end_of_string(bytes, at);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pieces of a hole.
    fn pieces<'a>(hole: &Filling<'a>) -> Vec<&'a str> {
        hole.pieces().collect()
    }

    fn joined(split: &Split<'_>) -> String {
        let mut text = String::from(split.around[0]);
        for (hole, after) in split.holes.iter().zip(&split.around[1..]) {
            text.push_str(&pieces(hole).join(","));
            text.push_str(after);
        }
        text
    }

    fn long(text: &str) -> String {
        format!("\"{}\"", text.repeat(300))
    }

    #[test]
    fn the_parts_are_the_text() {
        let texts = [
            String::new(),
            "1".into(),
            "[]".into(),
            long("a]\\\""),
            format!("[{}]", vec![long("x"); 5].join(" , ")),
            format!(
                "{{ \"a\" : [ {} ] , \"b\" : {} }}",
                vec!["1"; 3_000].join(" ,"),
                long("}")
            ),
            format!(
                "{{\"a\":{{\"b\":{{\"c\":{{\"d\":{{\"e\":{}}}}}}}}},\"f\":[[{}]]}}",
                long("d"),
                long("e")
            ),
            format!("[{}", "[1,".repeat(2_000)),
            format!("{{\"a\":[{}", long("x")),
            format!("[{},]", long("x").repeat(9)),
            format!("[{}]]]{{}}", long("x").repeat(9)),
            "[".repeat(5_000),
            format!("[{}", ",".repeat(5_000)),
            format!("{{{}", "\"".repeat(5_001)),
            format!("[{}\"é", "é,".repeat(5_000)),
        ];
        for text in texts {
            let split = Split::new(&text);
            assert_eq!(joined(&split), text);
            assert_eq!(split.around.len(), split.holes.len() + 1);
        }
    }

    #[test]
    fn a_list_is_cut_by_entry() {
        let entries: Vec<String> = (0..20)
            .map(|number| format!("{{\"n\":{number},\"t\":{}}}", long("x")))
            .collect();
        let text = format!(
            "{{\"step\":1,\"data\":{{\"messages\":[{}]}}}}",
            entries.join(",")
        );
        let split = Split::new(&text);
        assert_eq!(split.holes.len(), 1);
        assert_eq!(pieces(&split.holes[0]), entries);
        assert_eq!(
            split.around,
            ["{\"step\":1,\"data\":{\"messages\":[", "]}}"]
        );
    }

    #[test]
    fn short_lists_and_objects_are_cut_whole() {
        let text = format!("\"{}\"", "x".repeat(300));
        let object = format!("{{\"a\":{text},\"b\":[{text}]}}");
        let list = format!("[1,{text}]");
        let long = [&*text; 4].join(",");
        let json = format!("{{\"object\": {object} ,\"list\":{list},\"long\":[{long}]}}");
        let split = Split::new(&json);
        assert_eq!(joined(&split), json);
        let holes: Vec<_> = split.holes.iter().map(|hole| hole.text).collect();
        assert_eq!(holes, [&*object, &*list, &*long]);
        let counts: Vec<_> = split.holes.iter().map(|hole| pieces(hole).len()).collect();
        assert_eq!(counts, [1, 1, 4]);
    }

    #[test]
    fn short_entries_are_cut_alike_from_any_beginning() {
        let numbers: Vec<String> = (0..20_000)
            .map(|number| (number * 7_919).to_string())
            .collect();
        let cut = |from: usize, to: usize| -> Vec<String> {
            let text = format!("[{}]", numbers[from..to].join(","));
            let split = Split::new(&text);
            let pieces = pieces(&split.holes[0]);
            pieces.into_iter().map(str::to_owned).collect()
        };
        let all = cut(0, 20_000);
        assert!((200..900).contains(&all.len()), "{}", all.len());
        for (from, to) in [(1, 20_000), (5_000, 20_000), (0, 19_990), (3, 15_000)] {
            let part = cut(from, to);
            let shared = part.iter().filter(|piece| all.contains(piece)).count();
            assert!(
                shared + 12 >= part.len(),
                "{from} {to}: {shared} of {}",
                part.len()
            );
        }
    }
}
