//! Text recognition (OCR): a page is drawn, and the program `tesseract` reads the picture.

use std::collections::HashMap;
use std::io::{self, Read, Write as _};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use hayro::hayro_interpret::InterpreterSettings;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_syntax::page::Page;
use kurbo::Point;

use super::Failure;
use super::drawn::{Drawn, Letter};
use super::runs::SAME_LINE;
use crate::OcrOptions;

/// How finely a page is drawn, in pixels an inch, and how many pixels it has at most.
const RESOLUTION: f64 = 300.0;
const MAX_PIXELS: f64 = 40e6;
const MAX_SIDE: f64 = 16_000.0;

/// Points of a page in an inch.
const POINTS: f64 = 72.0;

/// Where in the height of its line, from above, the baseline of a word is.
const BASELINE: f64 = 0.78;

/// How much larger than those around it the lines of a heading are, at least: heights of lines that were
/// recognized vary with their letters.
const LARGER: f64 = 1.3;

/// How much of the width of a word that was recognized the letters of the page cover at least that stand in its place.
const COVERED: f64 = 0.5;

/// How many times as large as a word a letter in its place is at most: larger ones are stamped across it.
const STAMPED: f64 = 2.0;

/// How long is waited before it is asked again whether the program has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Reads pages as pictures.
pub(super) struct Reader<'a> {
    options: &'a OcrOptions,
    /// How long the program may take for a page.
    limit: Duration,
    cache: RenderCache<'a>,
}

/// A word and its place on the picture, in pixels.
#[derive(Debug)]
struct Found<'a> {
    line: Line,
    left: f64,
    width: f64,
    text: &'a str,
}

/// The numbers of a block, a paragraph and a line in it.
type Line = (u32, u32, u32);

impl<'a> Reader<'a> {
    pub(super) fn new(options: &'a OcrOptions, limit: Duration) -> Self {
        Self {
            options,
            limit,
            cache: RenderCache::new(),
        }
    }

    /// Recognizes the text of the page with this number. The letters that are its own stay, and take the place of the words
    /// that they cover.
    pub(super) fn read(
        &self,
        number: u32,
        page: &'a Page<'a>,
        own: Vec<Letter>,
    ) -> Result<Drawn, Failure> {
        let (width, height) = page.render_dimensions();
        let (width, height) = (f64::from(width), f64::from(height));
        let scale = scale(width, height);
        let picture = self.picture(page, scale);
        let table = self.recognized(number, picture, scale)?;
        let mut letters = letters(&table, scale);
        letters.retain(|word| !is_covered(word, &own));
        letters.extend(own);
        Ok(Drawn {
            letters,
            has_pictures: true,
            ..Drawn::new((width, height))
        })
    }

    /// Draws a page in shades of grey, as a portable graymap (Netpbm, `P5`).
    fn picture(&self, page: &'a Page<'a>, scale: f64) -> Vec<u8> {
        let settings = PixmapSettings {
            x_scale: scale as f32,
            y_scale: scale as f32,
            bg_color: WHITE,
        };
        let drawn = hayro::render(
            page,
            &self.cache,
            &InterpreterSettings::default(),
            &RenderSettings::default(),
            &settings,
        );
        let mut picture = format!("P5\n{} {}\n255\n", drawn.width(), drawn.height()).into_bytes();
        picture.extend(drawn.data().iter().map(|pixel| {
            // The luma of ITU-R BT.601.
            let luma =
                299 * u32::from(pixel.r) + 587 * u32::from(pixel.g) + 114 * u32::from(pixel.b);
            (luma / 1000) as u8
        }));
        picture
    }

    /// Has a picture read, and returns the table of its words.
    fn recognized(&self, number: u32, picture: Vec<u8>, scale: f64) -> Result<String, Failure> {
        let resolution = (scale * POINTS).round().to_string();
        let mut command = Command::new(&self.options.program);
        command
            .args(["stdin", "stdout", "-l", &self.options.languages])
            .args(["--dpi", &resolution, "tsv"])
            // One thread a page: there are as many workers as processors.
            .env("OMP_THREAD_LIMIT", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(data) = &self.options.data {
            command.arg("--tessdata-dir").arg(data);
        }
        let failed = |reason: String| Failure::Ocr(reason);
        let name = self.options.program.display();
        let mut child = command
            .spawn()
            .map_err(|error| failed(format!("{name} cannot be started: {error}")))?;
        let output = answer(&mut child, picture, self.limit);
        let output = output.map_err(|error| failed(format!("{name} gave no answer: {error}")))?;
        let Some(output) = output else {
            let seconds = self.limit.as_secs_f64();
            return Err(failed(format!(
                "{name} takes longer than {seconds} s to read page {number}"
            )));
        };
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let said: Vec<&str> = said
                .lines()
                .filter(|line| !line.trim().is_empty())
                .collect();
            return Err(failed(format!("{name} says: {}", said.join("; "))));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Returns what a program answers to a picture. If it takes longer than the limit, it is ended, and there is no answer.
fn answer(child: &mut Child, picture: Vec<u8>, limit: Duration) -> io::Result<Option<Output>> {
    let started = Instant::now();
    let answered = wait_for(child, picture, started, limit);
    if !matches!(answered, Ok(Some(_))) {
        // One that has ended already needs no end.
        let _ = child.kill();
        let _ = child.wait();
    }
    answered
}

fn wait_for(
    child: &mut Child,
    picture: Vec<u8>,
    started: Instant,
    limit: Duration,
) -> io::Result<Option<Output>> {
    let stdin = child.stdin.take();
    // Threads of their own, as processes that the program has started may keep its pipes open when it is gone.
    thread::spawn(move || {
        // One that has ended says why itself.
        let _ = stdin.map(|mut stdin| stdin.write_all(&picture));
    });
    let stdout = read_apart(child.stdout.take());
    let stderr = read_apart(child.stderr.take());
    let left = || limit.saturating_sub(started.elapsed());
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if left().is_zero() {
            return Ok(None);
        }
        thread::sleep(PAUSE);
    };
    let (Ok(stdout), Ok(stderr)) = (stdout.recv_timeout(left()), stderr.recv_timeout(left()))
    else {
        return Ok(None);
    };
    Ok(Some(Output {
        status,
        stdout: stdout?,
        stderr: stderr?,
    }))
}

/// Reads a pipe to its end on another thread.
fn read_apart(pipe: Option<impl Read + Send + 'static>) -> Receiver<io::Result<Vec<u8>>> {
    let (done, read) = mpsc::channel();
    thread::spawn(move || {
        let mut all = Vec::new();
        let ended = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut all));
        // Nobody waits for it if the program took too long.
        let _ = done.send(ended.map(|_| all));
    });
    read
}

/// Returns how many pixels a point of the page has.
fn scale(width: f64, height: f64) -> f64 {
    let (width, height) = (width.max(1.0), height.max(1.0));
    let most = (MAX_PIXELS / (width * height)).sqrt();
    (RESOLUTION / POINTS)
        .min(most)
        .min(MAX_SIDE / width.max(height))
}

/// Makes letters of the words of a table: one for each word, at its place on the page.
fn letters(table: &str, scale: f64) -> Vec<Letter> {
    let mut lines: HashMap<Line, (f64, f64)> = HashMap::new();
    let mut words: Vec<Found<'_>> = Vec::new();
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let number = |cell: usize| cells.get(cell)?.parse::<u32>().ok();
        let numbers: Option<Vec<u32>> = (0..10).map(number).collect();
        let (Some(numbers), Some(text)) = (numbers, cells.get(11)) else {
            continue;
        };
        let &[
            level,
            _,
            block,
            paragraph,
            line,
            _,
            left,
            top,
            width,
            height,
        ] = &*numbers
        else {
            continue;
        };
        let line = (block, paragraph, line);
        match level {
            4 => {
                lines.insert(line, (top.into(), height.into()));
            }
            5 if !text.trim().is_empty() => words.push(Found {
                line,
                left: left.into(),
                width: width.into(),
                text: text.trim(),
            }),
            _ => {}
        }
    }
    let body = body(&lines, &words);
    let letter = |word: &Found<'_>| {
        let (top, height) = lines.get(&word.line).copied()?;
        let y = (top + BASELINE * height) / scale;
        let size = if height > LARGER * body { height } else { body };
        let start = Point::new(word.left / scale, y);
        let end = Point::new((word.left + word.width) / scale, y);
        Some(Letter::plain(word.text, start, end, size / scale))
    };
    words.iter().filter_map(letter).collect()
}

/// Returns whether letters of the page stand in the place of a word that was recognized.
fn is_covered(word: &Letter, own: &[Letter]) -> bool {
    let beside = own.iter().filter(|letter| is_beside(letter, word));
    let ends = |letter: &Letter| {
        let (start, end) = (letter.start.x, letter.end.x);
        (start.min(end), start.max(end))
    };
    let mut parts: Vec<(f64, f64)> = beside.map(ends).collect();
    parts.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut covered, mut done) = (0.0, word.start.x);
    for (start, end) in parts {
        let end = end.min(word.end.x);
        covered += (end - start.max(done)).max(0.0);
        done = done.max(end);
    }
    covered > 0.0 && covered >= COVERED * (word.end.x - word.start.x)
}

/// Returns whether a letter stands on the line of a word, and is not much larger.
fn is_beside(letter: &Letter, word: &Letter) -> bool {
    let middle = letter.start.midpoint(letter.end);
    let height = letter.size.max(word.size);
    !letter.text.trim().is_empty()
        && letter.size <= STAMPED * word.size
        && (middle.y - word.start.y).abs() < SAME_LINE * height
}

/// Returns the height of the lines in which the middle one of all words stands.
fn body(lines: &HashMap<Line, (f64, f64)>, words: &[Found<'_>]) -> f64 {
    let height = |word: &Found<'_>| lines.get(&word.line).map(|(_, height)| *height);
    let mut heights: Vec<f64> = words.iter().filter_map(height).collect();
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_where_they_were_found() {
        let table = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
                     1\t1\t0\t0\t0\t0\t0\t0\t2550\t3300\t-1\t\n\
                     4\t1\t1\t1\t1\t0\t300\t300\t600\t50\t-1\t\n\
                     5\t1\t1\t1\t1\t1\t300\t300\t250\t50\t96.1\tScanned\n\
                     5\t1\t1\t1\t1\t2\t600\t300\t300\t50\t90\t \n\
                     damaged";
        let found = letters(table, 300.0 / 72.0);
        assert_eq!(found.len(), 1);
        assert_eq!(&*found[0].text, "Scanned");
        assert_eq!(found[0].start, Point::new(72.0, 339.0 * 0.24));
        assert_eq!(found[0].end, Point::new(132.0, 339.0 * 0.24));
        assert!((found[0].size - 12.0).abs() < 1e-9);
    }

    #[test]
    fn letters_of_the_page_stand_in_the_place_of_the_word_that_they_cover() {
        let table = "\n\
                     4\t1\t1\t1\t1\t0\t300\t300\t600\t50\t-1\t\n\
                     5\t1\t1\t1\t1\t1\t300\t300\t250\t50\t96.1\tScanned\n";
        let word = &letters(table, 300.0 / 72.0)[0];
        let from = |x: f64, y: f64, text: &str| -> Vec<Letter> {
            let at = |(place, letter): (usize, char)| Letter {
                text: letter.to_string().into(),
                start: Point::new(x + 6.0 * place as f64, y),
                end: Point::new(x + 6.0 * place as f64 + 6.0, y),
                ..word.clone()
            };
            text.chars().enumerate().map(at).collect()
        };
        assert!(is_covered(word, &from(72.0, 80.0, "Scanned")));
        assert!(is_covered(word, &from(96.0, 80.0, "canned")));
        assert!(!is_covered(word, &from(108.0, 80.0, "nned")));
        assert!(!is_covered(word, &from(80.0, 80.0, "c")));
        assert!(!is_covered(word, &from(72.0, 80.0, "       ")));
        assert!(!is_covered(word, &from(72.0, 95.0, "Scanned")));
        assert!(!is_covered(word, &from(140.0, 80.0, "Scanned")));
        assert!(!is_covered(word, &[]));
        let twice = [from(72.0, 80.0, "Sca"), from(72.0, 80.0, "Sca")].concat();
        assert!(!is_covered(word, &twice));
        let stamp = Letter {
            end: Point::new(130.0, 80.0),
            size: 72.0,
            ..from(72.0, 80.0, "C")[0].clone()
        };
        assert!(!is_covered(word, &[stamp]));
    }

    #[test]
    fn pictures_are_bounded() {
        assert!((scale(612.0, 792.0) - 300.0 / 72.0).abs() < 1e-9);
        let (width, height) = (14_400.0, 14_400.0);
        let large = scale(width, height);
        assert!(width * large <= MAX_SIDE && width * height * large * large <= MAX_PIXELS * 1.001);
        assert!(scale(0.0, 1e6) * 1e6 <= MAX_SIDE * 1.001);
    }
}
