//! Whether a web page is a template, which a server fills in: read as a page it would lose its code, and the texts in it.

use memchr::{memchr, memmem};

use super::look::LOOKED_AT;

/// How many directives a template has at least.
const FEWEST: usize = 2;

/// A template has a directive for so many tags, or more. Pages of the web have a few that were left in them.
const TAGS_PER_DIRECTIVE: usize = 50;

/// A directive has at most so many bytes.
const LONGEST: usize = 1_000;

/// What directives begin and end with.
const DIRECTIVES: [(&[u8], &[u8]); 5] = [
    (b"<%", b"%>"),
    (b"<?php", b"?>"),
    (b"<?=", b"?>"),
    (b"{{", b"}}"),
    (b"{%", b"%}"),
];

/// Elements whose text is shown or run as it is: pages about templates have samples there.
const LITERAL: [&[u8]; 8] = [
    b"code",
    b"kbd",
    b"pre",
    b"samp",
    b"script",
    b"style",
    b"template",
    b"textarea",
];

/// The prefixes of tags that a server replaces.
const PREFIXES: [&[u8]; 6] = [b"asp:", b"c:", b"cfoutput", b"cfset", b"fmt:", b"jsp:"];

/// What lines of Razor begin with, and of Angular.
const STATEMENTS: [&[u8]; 13] = [
    b"@{",
    b"@Html.",
    b"@Model",
    b"@RenderBody(",
    b"@for (",
    b"@foreach (",
    b"@foreach(",
    b"@if (",
    b"@if(",
    b"@model ",
    b"@page",
    b"@switch (",
    b"@using ",
];

/// Returns whether a web page is a template: it has several directives, and many for its tags.
pub(crate) fn is_template(page: &[u8]) -> bool {
    let counts = Counts::of(page);
    counts.directives >= FEWEST && counts.directives * TAGS_PER_DIRECTIVE >= counts.tags
}

/// Returns whether a page has a directive, which a server sends to nobody.
pub(super) fn has_directive(page: &[u8]) -> bool {
    Counts::of(page).directives > 0
}

/// What the beginning of a page has of tags and directives.
#[derive(Debug, Default)]
struct Counts {
    tags: usize,
    directives: usize,
}

impl Counts {
    fn of(page: &[u8]) -> Self {
        let mut counts = Self::default();
        let mut rest = &page[..page.len().min(LOOKED_AT)];
        let mut begins_line = true;
        while let Some((&first, after)) = rest.split_first() {
            if first.is_ascii_whitespace() {
                begins_line |= first == b'\n';
                rest = after;
                continue;
            }
            rest = match first {
                b'<' => counts.tag_or_directive(rest),
                b'{' => counts.directive_of_text(rest, begins_line),
                b'@' if begins_line => counts.statement(rest),
                _ => after,
            };
            begins_line = false;
        }
        counts
    }

    /// Reads what begins with `<`, and returns what follows it.
    fn tag_or_directive<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        if let Some(length) = directive(text) {
            self.directives += 1;
            return &text[length..];
        }
        if text.starts_with(b"<!--") {
            return behind(text, b"-->");
        }
        let begins_tag = text.get(1).is_some_and(u8::is_ascii_alphabetic);
        if !begins_tag {
            return &text[1..];
        }
        self.tags += 1;
        let (name, rest) = self.tag(text);
        if LITERAL.iter().any(|tag| tag.eq_ignore_ascii_case(name)) {
            return behind_element(rest, name);
        }
        rest
    }

    /// Reads a tag, and returns its name and what follows it.
    fn tag<'a>(&mut self, text: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-');
        let end = 1 + text[1..].iter().take_while(is_of_name).count();
        let name = &text[1..end];
        let mut found = usize::from(PREFIXES.iter().any(|prefix| name.starts_with(prefix)));
        let mut at = end;
        while let Some(&byte) = text.get(at).filter(|byte| **byte != b'>') {
            let rest = &text[at..];
            let length = directive(rest);
            let is_of_thymeleaf = byte.is_ascii_whitespace() && rest[1..].starts_with(b"th:");
            found += usize::from(length.is_some() || is_of_thymeleaf);
            at += length.unwrap_or(1);
        }
        let tag = &text[..at];
        // The description of a page may speak of templates, and formulas of TeX have such braces.
        let is_counted = !name.eq_ignore_ascii_case(b"meta") && memchr(b'\\', tag).is_none();
        self.directives += if is_counted { found } else { 0 };
        (name, text.get(at + 1..).unwrap_or_default())
    }

    /// Reads a brace in the text, and returns what follows. Pages show such directives within their lines, too.
    fn directive_of_text<'a>(&mut self, text: &'a [u8], begins_line: bool) -> &'a [u8] {
        let Some(length) = directive(text) else {
            return &text[1..];
        };
        let rest = &text[length..];
        let is_alone = || {
            let line = rest.split(|byte| *byte == b'\n').next();
            line.is_some_and(|line| line.trim_ascii().is_empty())
        };
        let is_counted = begins_line && (text.starts_with(b"{%") || is_alone());
        self.directives += usize::from(is_counted);
        rest
    }

    /// Reads a sign at the beginning of a line, and returns what follows.
    fn statement<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let is_found = STATEMENTS.iter().any(|begin| text.starts_with(begin));
        self.directives += usize::from(is_found);
        &text[1..]
    }
}

/// Returns the length of the directive that a text begins with.
fn directive(text: &[u8]) -> Option<usize> {
    let mut kinds = DIRECTIVES.iter();
    let (open, close) = kinds.find(|(open, _)| text.starts_with(open))?;
    let inner = &text[open.len()..text.len().min(LONGEST)];
    let length = memmem::find(inner, close);
    // PHP may go on to the end of the file.
    let length = length.or_else(|| (*open == b"<?php").then_some(inner.len()))?;
    Some((open.len() + length + close.len()).min(text.len()))
}

/// Returns what follows a mark, or nothing if the text does not have it.
fn behind<'a>(text: &'a [u8], mark: &[u8]) -> &'a [u8] {
    let Some(at) = memmem::find(text, mark) else {
        return &[];
    };
    &text[at + mark.len()..]
}

/// Returns what follows the end of an element that the text begins in, its end tag included.
fn behind_element<'a>(text: &'a [u8], name: &[u8]) -> &'a [u8] {
    let is_end = |at: &usize| {
        let found = text.get(at + 2..at + 2 + name.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    let Some(at) = memmem::find_iter(text, b"</").find(is_end) else {
        return &[];
    };
    &text[at + 2..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, expected: bool) {
        assert_eq!(is_template(page.as_bytes()), expected, "{page}");
    }

    #[test]
    fn pages_with_directives_are_templates() {
        check("<p><%= @name %></p><a href=\"<%= @url > 1 %>\">a</a>", true);
        check("<a href=\"{{ url }}\">a</a>\n{% if a %}\n<p>b</p>", true);
        check("<h1>a</h1>\n{{ content }}\n{{ footer }}\n", true);
        check(
            "<div data-id=\"{{ .id }}\" class=\"{{ .class }}\">a</div>",
            true,
        );
        check(
            "<p th:text=\"${a}\">a</p><p\n th:each=\"b : ${c}\">d</p>",
            true,
        );
        check("@{ Layout = null; }\n<h1>a</h1>\n@Model.Name\n", true);
        check("<h1><?php echo 1 ?></h1><?= $name ?>", true);
        check("<c:if test=\"a\"><c:out value=\"b\"/></c:if>", true);
    }

    #[test]
    fn pages_about_templates_are_pages() {
        check(
            "<p>{{ name }} stands for {{ value }}, and <code>{% if %}</code></p>",
            false,
        );
        check(
            "<pre>\n{% if a %}\n{{ b }}\n<%= c %>\n<%= d %>\n</pre>",
            false,
        );
        check(
            "<script>\n{{ a }}\n{{ b }}\n<%= c %></script><p>d</p>",
            false,
        );
        check("<meta content=\"{{ a }} and {{ b }}\"><p>c</p>", false);
        check("<!--\n{% a %}\n{% b %}\n--><p>c</p>", false);
        check("<p>&lt;%= a %&gt; &lt;%= b %&gt;</p>", false);
        check(r"<img alt='{\a {{b}}}'><img alt='{\a {{c}}}'>", false);
        check("Write to\n@model or @page.\n<p>a</p>", false);
        let left = "<a href=\"{{ a }}\">b</a>\n{{ c }}\n";
        check(&format!("{left}{}", "<p>d</p>".repeat(200)), false);
    }

    #[test]
    fn any_bytes_are_read() {
        let parts = [
            "<", "<%", "{{", "{%", "{{a}}", "<?php", "<a {{", "<!--", "<pre", "<pre>", "</", "\n@",
            "é", "<a\\",
        ];
        for part in parts {
            is_template(part.repeat(20_000).as_bytes());
        }
    }
}
