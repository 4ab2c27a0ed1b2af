//! Subtitles in `SubRip` and `WebVTT`, written as the paragraphs of a transcript.

use std::iter::Peekable;
use std::path::Path;
use std::str::Lines;

use sectile_core::{Document, Format};

use crate::blocks::{Block, render};
use crate::loader::with_source;
use crate::markup::short;
use crate::one_line::one_line;
use crate::text::decode_text;
use crate::{Error, Loader};

/// What stands between the times of a cue.
const ARROW: &str = "-->";

/// What a file in `WebVTT` begins with.
const MARK: &str = "WEBVTT";

/// How many bytes a paragraph has at least before a sentence ends it, and before any cue does.
const PARAGRAPH: usize = 400;
const LONGEST: usize = 1_000;

/// The names of tags.
const TAGS: [&str; 11] = [
    "b", "br", "c", "font", "i", "lang", "rt", "ruby", "s", "u", "v",
];

/// How many bytes a tag has at most.
const LONGEST_TAG: usize = 500;

/// How long a pause is that ends a paragraph, in seconds.
const PAUSE: u64 = 8;

/// Loads subtitles (`.srt`, `.vtt`) and writes them as a transcript.
///
/// The lines of cues are joined to paragraphs, so that a sentence over several cues is found as one. Each paragraph begins
/// with the time of its first cue: `[00:01:23]`. A pause, a new speaker, or the end of a sentence in a long paragraph ends
/// it. Tags, positions, notes and styles are left out; names of speakers stay.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{Loader, SubtitlesLoader};
///
/// let cues = b"1\n00:00:01,000 --> 00:00:02,000\nThe rent <i>is</i>\n\n2\n00:00:02,000 --> 00:00:03,000\n1,250 EUR.\n";
/// let document = SubtitlesLoader.load(cues, Path::new("a.srt"))?;
/// assert_eq!(document.text, "[00:00:01] The rent is 1,250 EUR.\n");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SubtitlesLoader;

impl Loader for SubtitlesLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = decode_text(bytes, path, Format::Subtitles)?;
        let text = document.text.trim_start_matches('\u{FEFF}');
        let title = text.lines().next().and_then(|line| line.strip_prefix(MARK));
        let title = title.map(|title| short(title.trim_start_matches([' ', '\t', '-', '–'])));
        document.metadata.title = title.filter(|title| !title.is_empty());
        let transcript = Transcript::read(text);
        (document.text, document.outline) = render(&transcript.blocks);
        Ok(with_source(document, bytes))
    }
}

/// What is made of the cues so far.
#[derive(Debug, Default)]
struct Transcript {
    blocks: Vec<Block>,
    /// The paragraph that is open, and the second in which it begins.
    paragraph: String,
    start: u64,
    /// The second in which the last cue ends.
    end: u64,
    speaker: Option<String>,
    /// The last line, which rolling captions repeat.
    last: String,
}

impl Transcript {
    fn read(text: &str) -> Self {
        let mut transcript = Self::default();
        // In SubRip, blank lines may stand within a cue. In WebVTT, notes and styles may follow one.
        let ends_at_blank = text.starts_with(MARK);
        let goes_on =
            |line: &&str| times(line).is_none() && !(ends_at_blank && line.trim().is_empty());
        let mut lines = text.lines().peekable();
        let mut cues = 0;
        while let Some(line) = lines.next() {
            let Some((start, end)) = times(line) else {
                // Only what stands above the first cue, or between cues of WebVTT, is in none.
                if !ends_at_blank && !is_number(line) {
                    transcript.add(line, 0);
                }
                continue;
            };
            transcript.begin(start);
            cues += 1;
            let mut next = None;
            while let Some(line) = lines.next_if(goes_on) {
                if !is_number_of_cue(line, lines.clone(), next) {
                    transcript.add(line, start);
                }
                next = line.trim().is_empty().then_some(cues + 1);
            }
            transcript.end = end;
        }
        transcript.end_paragraph();
        transcript
    }

    /// Begins a cue, after a pause in a new paragraph.
    fn begin(&mut self, start: u64) {
        let length = self.paragraph.len();
        let is_sentence = self
            .paragraph
            .trim_end_matches(['"', '”', '»', ')'])
            .ends_with(['.', '?', '!', '…', '。', '？', '！']);
        let is_full = length >= LONGEST || length >= PARAGRAPH && is_sentence;
        if is_full || start >= self.end.saturating_add(PAUSE) {
            self.end_paragraph();
        }
    }

    /// Adds a line of a cue.
    fn add(&mut self, line: &str, start: u64) {
        let (speaker, text) = plain(line);
        let text = one_line(&text);
        let is_repeated = text == self.last && start <= self.end;
        if text.is_empty() || is_repeated {
            return;
        }
        if speaker.is_some() && speaker != self.speaker {
            self.end_paragraph();
            self.speaker.clone_from(&speaker);
        }
        if self.paragraph.is_empty() {
            self.start = start;
            self.paragraph = speaker.map(|name| format!("{name}:")).unwrap_or_default();
        }
        if !self.paragraph.is_empty() {
            self.paragraph.push(' ');
        }
        self.paragraph.push_str(&text);
        self.last = text;
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        if !text.is_empty() {
            let (hours, minutes, seconds) =
                (self.start / 3_600, self.start / 60 % 60, self.start % 60);
            let text = format!("[{hours:02}:{minutes:02}:{seconds:02}] {text}");
            self.blocks.push(Block::Text(text));
        }
    }
}

/// Reads the seconds in which a cue begins and ends from the line above it.
fn times(line: &str) -> Option<(u64, u64)> {
    let (start, end) = line.split_once(ARROW)?;
    let end = end.split_whitespace().next()?;
    Some((seconds(start.trim())?, seconds(end)?))
}

/// Returns whether a line is the number of the next cue, which may follow the one before without a blank line: it stands
/// directly above the times, or it is the next number between blank lines, as all lines have them in some files.
fn is_number_of_cue(line: &str, mut below: Peekable<Lines<'_>>, next: Option<u64>) -> bool {
    let number = line.trim();
    if number.is_empty() || !is_number(number) {
        return false;
    }
    let is_apart = below.peek().is_some_and(|line| line.trim().is_empty());
    if is_apart && next.is_none_or(|next| number.parse() != Ok(next)) {
        return false;
    }
    let shown = below.find(|line| !line.trim().is_empty());
    shown.is_some_and(|line| times(line).is_some())
}

fn is_number(line: &str) -> bool {
    line.trim().bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads `01:02:03,456` or `02:03.456`, also with a colon before the milliseconds. What was shifted to before the
/// beginning is at the beginning.
fn seconds(time: &str) -> Option<u64> {
    let shifted = time.strip_prefix('-');
    let whole = shifted.unwrap_or(time).split(['.', ',']).next()?;
    let mut total = 0_u64;
    let mut parts = 0;
    for part in whole.split(':') {
        let value: u32 = part.trim().parse().ok()?;
        if parts < 3 {
            total = total.saturating_mul(60).saturating_add(value.into());
        }
        parts += 1;
    }
    let is_time = (2..=4).contains(&parts);
    is_time.then_some(if shifted.is_some() { 0 } else { total })
}

/// Returns the speaker whom a line names, and the line without tags.
fn plain(line: &str) -> (Option<String>, String) {
    let mut speaker = None;
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['<', '{']) {
        let (before, tag) = rest.split_at(at);
        text.push_str(before);
        let within = &tag[..tag.floor_char_boundary(LONGEST_TAG)];
        let end = within.find(['>', '}']).filter(|_| is_tag(within));
        let Some(end) = end else {
            text.push_str(&tag[..1]);
            rest = &tag[1..];
            continue;
        };
        let name = tag[1..end]
            .strip_prefix('v')
            .filter(|rest| rest.starts_with([' ', '.']));
        let name = name
            .and_then(|name| name.split_once(' '))
            .map(|(_, name)| one_line(name));
        speaker = speaker.or(name.filter(|name| !name.is_empty()));
        rest = &tag[end + 1..];
    }
    text.push_str(rest);
    let named = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&lrm;", ""),
        ("&rlm;", ""),
        ("&amp;", "&"),
    ];
    let text = named
        .iter()
        .fold(text, |text, (name, sign)| text.replace(*name, sign));
    (speaker, text)
}

/// Returns whether a text begins with a tag: `<i>`, `</font>`, `<00:01.000>` or `{\an8}`.
fn is_tag(text: &str) -> bool {
    let Some(tag) = text.strip_prefix('<') else {
        return text.starts_with("{\\");
    };
    let tag = tag.strip_prefix('/').unwrap_or(tag);
    let name = tag.split([' ', '\t', '.', '/', '>']).next();
    let name = name.unwrap_or_default();
    let is_time = || tag.split('>').next().and_then(seconds).is_some();
    TAGS.iter().any(|known| name.eq_ignore_ascii_case(known)) || is_time()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let blocks = Transcript::read(text).blocks;
        let texts: Vec<String> = blocks.iter().map(Block::flat).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn sentences_are_joined_and_pauses_part_them() {
        check(
            "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}One <b>sentence</b>\nthat goes\n2\n00:00:02,500 --> 00:00:03,000\non.\n\n\
             3\n01:02:00,000 --> 01:02:01,000\nAfter a pause, 3 < 4.\n",
            &[
                "[00:00:01] One sentence that goes on.",
                "[01:02:00] After a pause, 3 < 4.",
            ],
        );
    }

    #[test]
    fn speakers_are_named_and_rolling_captions_stand_once() {
        check(
            "WEBVTT - Talk\n\nNOTE not shown\n\nSTYLE\n::cue { color: red }\n\n00:01.000 --> 00:02.000 align:start\n\
             <v Ann>Good <00:01.500><c>day</c> &amp; hello.\n\n00:02.000 --> 00:03.000\n<v Ann>Welcome.\n\n\
             00:03.000 --> 00:04.000\n<v.loud Bob>Thanks\n\n00:04.000 --> 00:05.000\nThanks\nto you.\n",
            &[
                "[00:00:01] Ann: Good day & hello. Welcome.",
                "[00:00:03] Bob: Thanks to you.",
            ],
        );
    }

    #[test]
    fn blank_lines_within_a_cue_of_subrip_lose_nothing() {
        check(
            "1\n-00:00:01,000 --> 00:00:02,000\n\nThe rent is\n\n1,250\n\n2\n00:00:02,000 --> 00:00:03,000\nEUR.\n\nA month.\n",
            &["[00:00:00] The rent is 1,250 EUR. A month."],
        );
        check(
            "WEBVTT\n\n00:01.000 --> 00:02.000\nShown.\n\nNOTE\nnot shown\n\nintro\n00:02.000 --> 00:03.000\nToo.\n",
            &["[00:00:01] Shown. Too."],
        );
    }

    #[test]
    fn numbers_of_cues_are_left_out_if_all_lines_stand_apart() {
        check(
            "1\n\n00:00:01,000 --> 00:00:02,000\n\nOne\n\n\n2\n\n00:00:02,000 --> 00:00:03,000\n\ntwo 3\n",
            &["[00:00:01] One two 3"],
        );
        check(
            "00:00:01,000 --> 00:00:02,000\n2\n\n00:00:02,000 --> 00:00:03,000\nEUR\n\n1250\n\n00:00:03,000 --> 00:00:04,000\n.\n",
            &["[00:00:01] 2 EUR 1250 ."],
        );
    }

    #[test]
    fn text_above_the_first_cue_of_subrip_stays() {
        check(
            "Translated by Ann\n\n1\n00:00:20,000 --> 00:00:21,000\nHello.\n",
            &["[00:00:00] Translated by Ann", "[00:00:20] Hello."],
        );
    }

    #[test]
    fn a_colon_may_stand_before_the_milliseconds() {
        check(
            "1\n00:01:02:500 --> 00:01:03:000\nHello.\n",
            &["[00:01:02] Hello."],
        );
    }

    #[test]
    fn comparisons_and_lines_said_twice_stay() {
        check(
            "1\n00:00:01,000 --> 00:00:02,000\n5 <6 and 7> 3, <I>x</I> <how> <00:00:01.500>{\\an8}y\n\n\
             2\n00:00:03,000 --> 00:00:04,000\nNo.\n\n3\n00:00:06,000 --> 00:00:07,000\nNo.\n",
            &["[00:00:01] 5 <6 and 7> 3, x <how> y No. No."],
        );
    }

    #[test]
    fn a_long_paragraph_ends_with_a_sentence() {
        let words = "word ".repeat(50);
        let cue =
            |at: usize| format!("{at}\n00:00:{at:02},000 --> 00:00:{at:02},900\n{words}{at}.\n\n");
        let blocks = Transcript::read(&(0..6).map(cue).collect::<String>()).blocks;
        assert_eq!(blocks.len(), 3);
    }
}
