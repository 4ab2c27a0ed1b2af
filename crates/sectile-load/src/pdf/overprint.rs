//! What was printed twice in one place, so that it is read once: whole words, never letters of other words.

use std::collections::{HashMap, VecDeque};

use kurbo::Point;

use super::drawn::Letter;
use super::spacing::is_full_width;

/// How near, in multiples of the type size, the same letter is printed again to look bold.
const AGAIN: f64 = 0.12;

/// How near it is if it is printed for anything but weight.
const SAME_PLACE: f64 = 0.05;

/// How much the type sizes of both prints may differ.
const SAME_SIZE: f64 = 1.15;

/// How far, in multiples of the type size, a letter of a word may begin from where the one before it ends.
const IN_WORD: f64 = 0.15;

/// How many letters must be the same at least where one print is a part of the other: fewer may meet by chance.
const MIN_PART: usize = 3;

/// How near, in points, the letter drawn last ends if both are drawn as one text.
const SAME_TEXT: f64 = 1e-4;

/// How many of the last letters are looked at for the one that a letter follows: letters may be printed several
/// times before the next.
const LAST: usize = 8;

/// The width of the squares in which letters are looked for, in points, and how many are noted in one: hostile
/// pages print thousands in one place.
const SQUARE: f64 = 8.0;
const MAX_IN_SQUARE: usize = 256;

/// Says for each letter whether it is left out because its word is printed again, as it is or as a part of another.
/// Where other words meet in one place, all their letters stay.
pub(super) fn repeated(letters: &[Letter]) -> Vec<bool> {
    let twins = twins(letters);
    let mut is_repeated = vec![false; letters.len()];
    if twins.iter().all(Option::is_none) {
        return is_repeated;
    }
    let prints = Prints::new(letters, twins);
    for word in &prints.words {
        if prints.is_within_earlier(word) {
            for at in word {
                is_repeated[*at] = true;
            }
            continue;
        }
        for at in prints.earlier_within(word) {
            is_repeated[at] = true;
        }
    }
    is_repeated
}

fn is_black(letter: &Letter) -> bool {
    !letter.text.trim().is_empty()
}

/// Returns for each letter the last one before it that is the same, as large, and nearly in the same place.
fn twins(letters: &[Letter]) -> Vec<Option<usize>> {
    let mut printed: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    let mut twins = vec![None; letters.len()];
    let square = |at: f64| (at / SQUARE).floor() as i64;
    for (index, letter) in letters.iter().enumerate() {
        if !is_black(letter) {
            continue;
        }
        let width = (letter.end - letter.start).hypot();
        let near = (letter.size * AGAIN).min(width / 2.0).clamp(0.01, SQUARE);
        let Point { x, y } = letter.start;
        let columns = square(x - near)..=square(x + near);
        let squares = columns
            .flat_map(|column| (square(y - near)..=square(y + near)).map(move |row| (column, row)));
        let known = squares.filter_map(|square| printed.get(&square)).flatten();
        let is_same = |at: &&usize| {
            let other = &letters[**at];
            (other.start.x - x).abs() < near
                && (other.start.y - y).abs() < near
                && other.size.max(letter.size) < SAME_SIZE * other.size.min(letter.size)
                && other.text == letter.text
        };
        twins[index] = known.filter(is_same).max().copied();
        let here = printed.entry((square(x), square(y))).or_default();
        if here.len() < MAX_IN_SQUARE {
            here.push(index);
        }
    }
    twins
}

/// The words of a page, as they were printed.
struct Prints<'a> {
    letters: &'a [Letter],
    twins: Vec<Option<usize>>,
    words: Vec<Vec<usize>>,
    /// For each letter, the number of its word and its place in it.
    places: Vec<(usize, usize)>,
}

impl<'a> Prints<'a> {
    fn new(letters: &'a [Letter], twins: Vec<Option<usize>>) -> Self {
        let mut words: Vec<Vec<usize>> = Vec::new();
        let mut places = vec![(0, 0); letters.len()];
        let mut ends: VecDeque<usize> = VecDeque::new();
        let is_letter = |(_, letter): &(usize, &Letter)| is_black(letter);
        for (index, letter) in letters.iter().enumerate().filter(is_letter) {
            let far = |end: &usize| letters[*end].end.distance(letter.start);
            let last = ends.len().saturating_sub(1);
            // Where each letter is printed again before the next, that goes on all prints of it.
            let is_again = |end: &usize| {
                twins[*end].is_some_and(|twin| twin + 1 == *end && ends.contains(&twin))
            };
            let goes_on = ends.back();
            let goes_on = goes_on.filter(|end| far(end) < SAME_TEXT && !is_again(end));
            let follows = || ends.iter().position(|end| far(end) < IN_WORD * letter.size);
            let found = goes_on.map(|_| last).or_else(follows);
            let word = if let Some(end) = found.and_then(|at| ends.remove(at)) {
                places[end].0
            } else {
                words.push(Vec::new());
                words.len() - 1
            };
            places[index] = (word, words[word].len());
            words[word].push(index);
            ends.push_back(index);
            if ends.len() > LAST {
                ends.pop_front();
            }
        }
        Self {
            letters,
            twins,
            words,
            places,
        }
    }

    /// Returns whether all letters of a word follow each other in one that was printed before.
    fn is_within_earlier(&self, word: &[usize]) -> bool {
        let Some(twin) = word.first().and_then(|first| self.twins[*first]) else {
            return false;
        };
        let (other, from) = self.places[twin];
        let part = self.words[other].get(from..from + word.len());
        part.is_some_and(|part| {
            self.are_twins(word, part) && self.is_enough(word, part, self.words[other].len())
        })
    }

    /// Returns the letters of the words printed before that are parts of a word.
    fn earlier_within(&self, word: &[usize]) -> Vec<usize> {
        let mut within = Vec::new();
        for (from, letter) in word.iter().enumerate() {
            let Some(twin) = self.twins[*letter] else {
                continue;
            };
            let (other, place) = self.places[twin];
            let earlier = &self.words[other];
            let part = word.get(from..from + earlier.len());
            let is_part = |part: &[usize]| {
                self.are_twins(part, earlier) && self.is_enough(part, earlier, word.len())
            };
            if place == 0 && part.is_some_and(is_part) {
                within.extend(earlier);
            }
        }
        within
    }

    fn are_twins(&self, later: &[usize], earlier: &[usize]) -> bool {
        let mut pairs = later.iter().zip(earlier);
        pairs.all(|(one, other)| self.twins[*one] == Some(*other))
    }

    /// Returns whether so many letters are not the same by chance as those of a part of a word that
    /// has a length.
    fn is_enough(&self, later: &[usize], earlier: &[usize], length: usize) -> bool {
        let is_in_place = |(one, other): (&usize, &usize)| {
            let (one, other) = (&self.letters[*one], &self.letters[*other]);
            one.text.contains(is_full_width)
                || one.start.distance(other.start) < SAME_PLACE * one.size
        };
        later.len() >= MIN_PART
            || later.len() == length
            || later.iter().zip(earlier).all(is_in_place)
    }
}
