//! The blocks of a page: headings, paragraphs, lists, tables and code.

use super::inline;
use super::literals::{Literal, Literals, NOTES};
use super::{table, templates};
use crate::blocks::{Block, Marker, fenced};
use crate::markup::clipped;
use crate::one_line::one_line;

/// How deep an item may stand in others.
const MAX_DEPTH: usize = 20;

/// What was read of a page.
#[derive(Default)]
pub(super) struct Page {
    pub(super) blocks: Vec<Block>,
    pub(super) title: Option<String>,
    pub(super) categories: Vec<String>,
    pub(super) fields: Vec<(String, String)>,
}

pub(super) fn read(source: &str) -> Page {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let mut literals = Literals::default();
    let text = literals.take(&source);
    let notes = literals.take_notes();
    let (text, title) = templates::expand(&text);
    let mut reader = Reader {
        places: text.matches(NOTES).count(),
        page: Page::default(),
        paragraph: Vec::new(),
        counts: Vec::new(),
        notes,
        literals,
    };
    let lines: Vec<&str> = text.split('\n').collect();
    reader.lines(&lines);
    reader.notes();
    reader.page.title = title.map(|title| inline::plain(&title, &reader.literals));
    reader.page
}

struct Reader<'t> {
    page: Page,
    paragraph: Vec<&'t str>,
    /// The signs of the lists that are open, and how many items each had.
    counts: Vec<(char, u32)>,
    literals: Literals,
    notes: Vec<String>,
    /// How many places for notes are still to come: they stand in the last one.
    places: usize,
}

impl<'t> Reader<'t> {
    fn lines(&mut self, lines: &[&'t str]) {
        let mut at = 0;
        while let Some(&line) = lines.get(at) {
            at += self.block(line, &lines[at..]);
        }
        self.end_paragraph();
    }

    /// Reads the block that begins with a line, and returns how many lines it has.
    fn block(&mut self, line: &'t str, lines: &[&'t str]) -> usize {
        let line = line.trim_end();
        let prefix = line.len() - line.trim_start_matches(['*', '#', ':', ';']).len();
        let is_list = prefix > 0 && !table::begins(line) && !is_redirect(line);
        if !is_list {
            self.counts.clear();
        }
        if is_list {
            self.end_paragraph();
            self.item(&line[..prefix.min(MAX_DEPTH)], line[prefix..].trim());
        } else if line.trim_start().is_empty() || is_rule(line) {
            self.end_paragraph();
        } else if line.contains(NOTES) {
            self.end_paragraph();
            self.place_of_notes(line);
        } else if table::begins(line) {
            self.end_paragraph();
            return self.table(lines);
        } else if let Some((level, title)) = heading(line) {
            self.end_paragraph();
            let text = one_line(&inline::plain(clipped(title), &self.literals));
            self.page.blocks.push(Block::Heading { level, text });
        } else if let Some(code) = self.code(line) {
            self.end_paragraph();
            self.add_code(&code);
        } else if line.starts_with(' ') && self.paragraph.is_empty() {
            return self.indented(lines);
        } else {
            self.paragraph.push(line.trim());
        }
        1
    }

    fn end_paragraph(&mut self) {
        let lines = std::mem::take(&mut self.paragraph);
        let text = self.markdown(&lines.join("\n"));
        self.add_text(&text);
    }

    fn markdown(&mut self, source: &str) -> String {
        inline::markdown(source, &self.literals, &mut self.page.categories)
    }

    fn add_text(&mut self, text: &str) {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines: Vec<&str> = lines.collect();
        if !lines.is_empty() {
            self.page.blocks.push(Block::Text(lines.join("\n")));
        }
    }

    /// Returns the code that stands alone on a line.
    fn code(&self, line: &str) -> Option<String> {
        let line = line.trim();
        match self.literals.piece(line)? {
            (Literal::Code(code), length) if length == line.len() => Some(code.clone()),
            _ => None,
        }
    }

    fn add_code(&mut self, code: &str) {
        if self.page.blocks.is_empty()
            && let Some(fields) = fields(code)
        {
            let lines = fields
                .iter()
                .map(|(name, value)| format!("{name}: {value}"));
            let lines: Vec<String> = lines.collect();
            self.page.blocks.push(Block::Text(lines.join("\n")));
            self.page.fields = fields;
        } else if !code.trim().is_empty() {
            self.page.blocks.push(fenced(code));
        }
    }

    /// Reads lines that begin with a space, which are shown as they are.
    fn indented(&mut self, lines: &[&'t str]) -> usize {
        let is_one = |line: &&&str| line.starts_with(' ') && !line.trim().is_empty();
        let count = lines.iter().take_while(is_one).count();
        let code: Vec<String> = lines[..count]
            .iter()
            .map(|line| inline::plain(&line[1..], &self.literals))
            .collect();
        self.add_code(&code.join("\n"));
        count
    }

    /// Writes an item of a list, a term, or a paragraph that is indented.
    fn item(&mut self, prefix: &str, text: &str) {
        let same = self.counts.iter().zip(prefix.chars());
        let same = same.take_while(|((sign, _), other)| sign == other).count();
        self.counts.truncate(same);
        let new = prefix.chars().skip(same).map(|sign| (sign, 0));
        self.counts.extend(new);
        let Some((sign, count)) = self.counts.last_mut() else {
            return;
        };
        *count += 1;
        let marker = match *sign {
            '*' => Marker::Bullet,
            '#' => Marker::Number(*count),
            ';' => return self.term(text),
            _ => return self.continuation(text, prefix.contains(['*', '#'])),
        };
        let level = prefix.matches(['*', '#']).count() - 1;
        let text = self.markdown(text);
        if !text.is_empty() {
            self.page.blocks.push(Block::Item {
                marker,
                level,
                text,
            });
        }
    }

    fn term(&mut self, text: &str) {
        let (term, description) = text.split_once(" :").unwrap_or((text, ""));
        let mut term = term.replace("'''", "");
        if !term.trim().is_empty() {
            term = format!("'''{term}'''");
        }
        for part in [term.as_str(), description.trim()] {
            let text = self.markdown(part);
            self.add_text(&text);
        }
    }

    fn continuation(&mut self, text: &str, is_in_item: bool) {
        let text = self.markdown(text);
        match self.page.blocks.last_mut() {
            Some(Block::Item { text: item, .. }) if is_in_item => {
                item.push('\n');
                item.push_str(&text);
            }
            _ => self.add_text(&text),
        }
    }

    fn table(&mut self, lines: &[&str]) -> usize {
        let (table, count) = table::read(lines, |line| heading(line).is_some());
        let caption = self.markdown(&table.caption);
        self.add_text(&one_line(&caption));
        let (literals, categories) = (&self.literals, &mut self.page.categories);
        let rows = table.rows(|source| {
            let lines = source
                .lines()
                .map(|line| line.trim_start_matches(['*', '#', ':', ';', ' ']));
            let lines: Vec<&str> = lines.collect();
            one_line(&inline::markdown(&lines.join("\n"), literals, categories))
        });
        if !rows.is_empty() {
            self.page.blocks.push(Block::Table(rows));
        }
        count
    }

    fn place_of_notes(&mut self, line: &str) {
        self.places -= line.matches(NOTES).count();
        let text = self.markdown(line);
        self.add_text(&text);
        if self.places == 0 {
            self.notes();
        }
    }

    /// Writes the notes.
    fn notes(&mut self) {
        for (at, note) in std::mem::take(&mut self.notes).into_iter().enumerate() {
            let (source, _) = templates::expand(&note);
            let text = one_line(&self.markdown(&source));
            if !text.is_empty() {
                let number = at + 1;
                self.page.blocks.push(Block::Note { number, text });
            }
        }
    }
}

/// Returns the level and the title of a heading.
fn heading(line: &str) -> Option<(u8, &str)> {
    const SIGN: char = '=';
    let line = line.trim_end();
    let before = line.len() - line.trim_start_matches(SIGN).len();
    let after = line.len() - line.trim_end_matches(SIGN).len();
    let level = before.min(after).min(6);
    let title = line.get(level..line.len().checked_sub(level)?)?.trim();
    (level > 0 && !title.trim_matches(SIGN).is_empty()).then_some((level as u8, title))
}

/// Returns whether a line is a rule, or would be taken for one, or for the line below a heading.
fn is_rule(line: &str) -> bool {
    ['-', '=']
        .iter()
        .any(|&sign| line.chars().all(|other| other == sign))
}

fn is_redirect(line: &str) -> bool {
    let word = line.get(.."#redirect".len());
    word.is_some_and(|word| word.eq_ignore_ascii_case("#redirect"))
}

/// Returns the fields that code consists of, each with its value on one line: at least two.
fn fields(code: &str) -> Option<Vec<(String, String)>> {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut indent = None;
    for line in code.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        let text = line.trim();
        if depth > *indent.get_or_insert(depth) {
            let (_, value) = fields.last_mut()?;
            value.push(' ');
            value.push_str(text);
            continue;
        }
        let (name, value) = text.split_once(':')?;
        let is_in_name = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_' | ' ');
        if name.is_empty() || !name.chars().all(is_in_name) || value.starts_with(['/', ':']) {
            return None;
        }
        fields.push((name.trim().into(), one_line(value)));
    }
    (fields.len() > 1).then_some(fields)
}
