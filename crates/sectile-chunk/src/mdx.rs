//! MDX in a copy that a parser of `CommonMark` reads as MDX is read.
//!
//! MDX has no indented code, so that lines may be indented as deep as the components around them. Tags, expressions
//! and statements are its own; HTML, which hides the lines below it, is not in it.

mod script;

use crate::line_run::{
    Fence, Line, Marker, is_heading, is_thematic_break, opening_fence, with_newlines,
};
use script::Script;

/// Stands where a tag was that text follows, so that no block begins there. Titles are cleared of it.
const MARK: &str = "\u{200b}";

/// How many times its length a text may be searched in vain for the ends of what it opens.
const VAIN_SEARCHES: usize = 8;

/// Returns `text`, whose front matter ends at `body`, as `CommonMark` that has the same headings.
///
/// Each line keeps its place and its length. Tags, expressions and statements that begin on a line are blank;
/// indentation, but that of lines in a list against its first item, is moved to the ends of the lines.
pub(crate) fn as_markdown(text: &str, body: usize) -> String {
    let text = &*with_newlines(text);
    let mut copy = Copy {
        text,
        at: body,
        copied: String::with_capacity(text.len()),
        list: None,
        fence: None,
        in_paragraph: false,
        searched_in_vain: 0,
    };
    copy.copied.push_str(&text[..body]);
    while let Some(line) = Line::read(&text[copy.at..]) {
        copy.line(&line);
    }
    copy.copied
}

/// A list, by the last of its outermost items.
#[derive(Clone, Copy)]
struct List {
    /// The column of the marker.
    marker: usize,
    /// The column from which on lines are inside the item.
    content: usize,
}

/// A copy that grows line by line.
struct Copy<'a> {
    text: &'a str,
    /// Where the lines to come begin.
    at: usize,
    copied: String,
    list: Option<List>,
    fence: Option<Fence>,
    /// Whether the line before may belong to a paragraph.
    in_paragraph: bool,
    /// How many bytes were searched for ends that are not there.
    searched_in_vain: usize,
}

impl<'a> Copy<'a> {
    fn line(&mut self, line: &Line<'a>) {
        if line.is_blank() {
            self.in_paragraph = false;
            return self.write(line, 0);
        }
        let list = self.list.filter(|list| line.indent >= list.content);
        let kept = list.map_or(0, |list| line.indent - list.marker);
        if let Some(fence) = self.fence {
            let is_left = self.list.is_some() && list.is_none();
            if is_left || fence.has_end(line) {
                self.fence = None;
            }
            if !is_left {
                return self.write(line, kept);
            }
        }
        if list.is_none() && self.begin_outside(line) {
            return;
        }
        if line.content.starts_with(['<', '{']) && self.leave_out_constructs(kept) {
            return;
        }
        self.fence = opening_fence(line.content);
        self.in_paragraph = self.fence.is_none() && is_text(line);
        self.write(line, kept);
    }

    /// Takes a line outside of the list, if there is one, that begins an item or a statement.
    fn begin_outside(&mut self, line: &Line<'a>) -> bool {
        let marker = Marker::read(line).filter(|marker| {
            let may_begin = !self.in_paragraph || self.list.is_some() || marker.interrupts;
            may_begin && !is_thematic_break(line.content)
        });
        if let Some(marker) = marker {
            self.list = Some(List {
                marker: line.indent,
                content: marker.content,
            });
            self.fence = opening_fence(item(line.content));
            self.in_paragraph = self.fence.is_none();
            self.write(line, 0);
            return true;
        }
        // A line of text below one of the list goes on with it.
        let goes_on = self.in_paragraph && is_text(line);
        if !goes_on || line.content.starts_with(['<', '{']) {
            self.list = None;
        }
        if !self.in_paragraph && line.indent == 0 && script::is_statement(line.content) {
            let end = self.end_of(Script::statements);
            let end = end.unwrap_or_else(|| script::next_blank_line(self.text, self.at));
            self.blank(end);
            return true;
        }
        false
    }

    /// Leaves out the tags and expressions that a line begins with, which may go on on other lines.
    fn leave_out_constructs(&mut self, kept: usize) -> bool {
        let Some(end) = self.end_of_constructs() else {
            return false;
        };
        let rest = &self.text[end..];
        let is_alone = rest.is_empty() || rest.starts_with(['\r', '\n']);
        let last_line = self.text[..end].rfind('\n').map_or(0, |at| at + 1);
        self.blank(last_line.max(self.at));
        let length = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let mark = if is_alone { "" } else { MARK };
        self.write_after(end - self.at, kept, mark, length);
        self.in_paragraph = !is_alone;
        true
    }

    /// Returns where the tags and expressions that the line begins with end, and the white space after them.
    fn end_of_constructs(&mut self) -> Option<usize> {
        let start = self.at;
        let after_blanks = |text: &str, at: usize| {
            let rest = &text[at..];
            at + rest.len() - rest.trim_start_matches([' ', '\t']).len()
        };
        let first = after_blanks(self.text, start);
        self.at = first;
        while self.text[self.at..].starts_with(['<', '{']) {
            let Some(end) = self.end_of(Script::tag_or_braces) else {
                break;
            };
            self.at = after_blanks(self.text, end);
        }
        let end = std::mem::replace(&mut self.at, start);
        (end > first).then_some(end)
    }

    /// Returns where what begins here ends, as far as it pays to search.
    fn end_of(&mut self, read: fn(&mut Script<'a>) -> Option<()>) -> Option<usize> {
        if self.searched_in_vain > VAIN_SEARCHES * self.text.len() {
            return None;
        }
        let mut script = Script::new(self.text, self.at);
        let found = read(&mut script);
        if found.is_none() {
            self.searched_in_vain += script.at() - self.at;
        }
        found.map(|()| script.at())
    }

    /// Writes a line of which as many columns of indentation are kept.
    fn write(&mut self, line: &Line<'a>, kept: usize) {
        let rest = &self.text[self.at..self.at + line.length];
        let indentation = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        self.write_after(indentation, kept, "", line.length - indentation);
    }

    /// Writes a line without its first `left_out` bytes, of which `length` follow, after spaces and a `mark` that fit
    /// in their room.
    fn write_after(&mut self, left_out: usize, spaces: usize, mark: &str, length: usize) {
        let (before, rest) = self.text[self.at..].split_at(left_out);
        let rest = &rest[..length];
        let content = rest.trim_end_matches(['\r', '\n']);
        match left_out.checked_sub(spaces + mark.len()) {
            Some(room) => {
                self.blanks(spaces);
                self.copied.push_str(mark);
                self.copied.push_str(content);
                self.blanks(room);
            }
            None if mark.is_empty() => {
                self.copied.push_str(before);
                self.copied.push_str(content);
            }
            None => {
                self.blanks(left_out);
                self.copied.push_str(content);
            }
        }
        self.copied.push_str(&rest[content.len()..]);
        self.at += left_out + length;
    }

    fn blanks(&mut self, count: usize) {
        self.copied.extend(std::iter::repeat_n(' ', count));
    }

    /// Blanks the text up to `end`.
    fn blank(&mut self, end: usize) {
        let part = &self.text[self.at..end];
        for line in part.split_inclusive('\n') {
            let content = line.trim_end_matches(['\r', '\n']);
            self.blanks(content.len());
            self.copied.push_str(&line[content.len()..]);
        }
        self.at = end;
    }
}

/// Returns whether a line may be one of a paragraph.
fn is_text(line: &Line<'_>) -> bool {
    let content = line.content;
    !is_heading(content) && !is_thematic_break(content) && opening_fence(content).is_none()
}

/// Returns the content of the innermost item that begins on a line.
fn item(mut content: &str) -> &str {
    while let Some(line) = Line::read(content)
        && Marker::read(&line).is_some()
    {
        let marker = line.content.find([' ', '\t']);
        content = marker.map_or("", |at| line.content[at..].trim_start());
    }
    content
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{front_matter, mdx_outline};

    fn check(text: &str, expected: &[&str]) {
        let outline = mdx_outline(text);
        let titles: Vec<_> = outline.iter().map(|found| found.title.as_str()).collect();
        assert_eq!(titles, expected, "{:?}", as_markdown(text, 0));
    }

    #[test]
    fn headings_inside_components_count_however_deep_they_are_indented() {
        check(
            "<If sdk=\"react\">\n  ## A\n\n  Text.\n</If>\n## B\n",
            &["A", "B"],
        );
        check(
            "<Steps>\n  <Step>\n      ### A\n\n\t### B\n  </Step>\n</Steps>\n",
            &["A", "B"],
        );
        check(
            "<div>\n# A\n</div>\n    # B\n\n    C\n    ---\n",
            &["A", "B", "C"],
        );
        check(
            "<Card\n  title=\"# x\"\n  icon={{ a: `\n# y\n` }}\n>\n# A\n</Card>\n# B\n",
            &["A", "B"],
        );
        check("<><Tabs /></> {x}\n# A\r\n</ui.Tab>\r\n# B", &["A", "B"]);
    }

    #[test]
    fn code_of_components_is_code() {
        check(
            "<Tab>\n    ```python\n    # a\n  ```\n</Tab>\n# B\n",
            &["B"],
        );
        check("<Tab>\n     ~~~\n  # a\n</Tab>\n{\n     ~~~\n# B\n", &["B"]);
        check("1. a\n\n   ```\n   {\n   <b\n   ```\n\n# A\n", &["A"]);
        check("- ```\n  {\n  ```\n# A\n", &["A"]);
    }

    #[test]
    fn what_is_in_a_list_is_no_heading() {
        check("<Steps>\n  1. a\n\n     ## b\n\n  ## C\n</Steps>\n", &["C"]);
        check("- a\nlazy\n  ## b\n\n## C\n", &["C"]);
        check(
            "- a\n\n  <Note>\n  ## b\n  </Note>\n\n<Note>\n  ## C\n</Note>\n",
            &["C"],
        );
        check("- a\n  <b>x</b> y\n  ## b\n", &[]);
        check("text\n2. no item\n   ## A\n", &["A"]);
    }

    #[test]
    fn comments_and_expressions_are_no_headings() {
        check(
            "# A\n\n{/*\n\n## Old\n\n*/}\n\n{x.map((y) => `\n# z ${`}`}\n`)}\n# B\n",
            &["A", "B"],
        );
        check("{/* it's } */}\n# A\n{<p>don't :)</p>}\n# B\n", &["A", "B"]);
        check("{'http://a' // }\n}\n# A {/* b */}\n", &["A"]);
    }

    #[test]
    fn imports_and_exports_are_no_headings() {
        check(
            "import A from 'a'\nexport const x = `\n\n# no\n`\n\n# A\n",
            &["A"],
        );
        check(
            "export default function A() {\n\n  # no\n}\n\n# B\n",
            &["B"],
        );
        check(
            "import of goods\n# A\n\nexport { a\n# no\n\n# B\n",
            &["A", "B"],
        );
    }

    #[test]
    fn text_behind_a_tag_begins_no_block() {
        check(
            "<p># a</p>\n# B\n\n{x}# a\n\n<b>- c</b>\n# D\n",
            &["B", "D"],
        );
        check("<b>A</b> b\n===\n", &["A b"]);
        check("a < b\n# C\n\n<5\n# D\n\n<b c,\n# E\n", &["C", "D", "E"]);
    }

    #[test]
    fn what_never_ends_is_text_and_takes_linear_time() {
        check("{\n# A\n\n<b\n# B\n", &["A", "B"]);
        for hostile in [
            "{\n\n",
            "<b\n",
            "<b a=\"\n",
            "{`\n",
            "{/*\n",
            "export {\n\n",
            "{`${",
            "- ",
            "<b>",
        ] {
            let text = hostile.repeat(200_000);
            assert_eq!(as_markdown(&text, 0).len(), text.len());
        }
    }

    const PARTS: [&str; 40] = [
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "    ",
        "\t",
        "# a",
        "## b",
        "===",
        "---",
        "text",
        "- ",
        "1. ",
        "> ",
        "```",
        "~~~",
        "<Tab>",
        "</Tab>",
        "<b",
        ">",
        "<>",
        "{",
        "}",
        "{/*",
        "*/}",
        "`",
        "${",
        "'",
        "\"",
        "//",
        "import ",
        "export const x = ",
        "from 'a'",
        "é",
        "|",
        "<!--",
        "-->",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn each_line_keeps_its_place_and_length(at in prop::collection::vec(0..PARTS.len(), 0..40)) {
            let text: String = at.iter().map(|at| PARTS[*at]).collect();
            let copy = as_markdown(&text, front_matter(&text).map_or(0, |span| span.end));
            let lengths = |text: &str| -> Vec<usize> { text.split('\n').map(str::len).collect() };
            prop_assert_eq!(lengths(&with_newlines(&text)), lengths(&copy));
            for heading in mdx_outline(&text) {
                let source = heading.span.of(&text);
                prop_assert!(source.contains(['#', '=', '-']), "{source:?}");
            }
        }
    }
}
