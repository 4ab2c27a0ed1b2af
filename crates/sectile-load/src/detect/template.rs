//! Whether a web page is a template, which a server fills in: read as a page it would lose its code, and the texts in it.

use memchr::{memchr, memmem};

use super::look::{LOOKED_AT, looks_like_html};

/// How many directives a template has at least.
const FEWEST: usize = 2;

/// A template has a directive for so many tags, or more. Pages of the web have a few that were left in them.
const TAGS_PER_DIRECTIVE: usize = 50;

/// How much text, in bytes without white space, a template has at most for each statement. A page with more of it can be
/// read: it was rendered, or its text is what matters.
const TEXT_PER_STATEMENT: usize = 600;

/// How much for each expression. Browsers fill in these, too, for Angular and Vue, in pages that have a text.
const TEXT_PER_EXPRESSION: usize = 50;

/// What expressions begin with, unless it is one of [`CONTROL_SIGNS`] or [`CONTROL_WORDS`] that follows.
const EXPRESSION: &[u8] = b"{{";

/// What statements of Handlebars begin with, in double braces.
const CONTROL_SIGNS: &[u8] = b"#/>^";

/// The words that statements of Go and of Handlebars begin with, in double braces.
const CONTROL_WORDS: [&[u8]; 8] = [
    b"block",
    b"define",
    b"else",
    b"end",
    b"if",
    b"range",
    b"template",
    b"with",
];

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

/// What attributes begin with that Vue, Alpine and Angular fill in.
const BINDINGS: [&[u8]; 6] = [b":", b"@", b"v-", b"*", b"[", b"("];

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

/// Returns whether a web page is a template: it has several directives, many for its tags, and little text for them.
pub(crate) fn is_template(page: &[u8]) -> bool {
    let counts = Counts::of(page);
    let directives = counts.directives();
    let text = counts.statements * TEXT_PER_STATEMENT + counts.expressions * TEXT_PER_EXPRESSION;
    directives >= FEWEST && directives * TAGS_PER_DIRECTIVE >= counts.tags && counts.text <= text
}

/// Returns whether a page has a directive, which a server sends to nobody.
pub(super) fn has_directive(page: &[u8]) -> bool {
    Counts::of(page).directives() > 0
}

/// What the beginning of a page has of tags, directives and text.
#[derive(Debug, Default)]
struct Counts {
    tags: usize,
    /// The directives that only a server knows.
    statements: usize,
    /// Values in double braces, which browsers fill in as well, and in a part of a page the attributes that they do.
    expressions: usize,
    /// The bytes of the text without white space.
    text: usize,
    /// Whether it is only a part of a page. Whole pages keep attributes that were filled in.
    is_part: bool,
}

impl Counts {
    fn directives(&self) -> usize {
        self.statements + self.expressions
    }

    /// Counts a directive that a text begins with.
    fn count(&mut self, text: &[u8]) {
        if is_expression(text) {
            self.expressions += 1;
        } else {
            self.statements += 1;
        }
    }

    fn of(page: &[u8]) -> Self {
        let mut counts = Self {
            is_part: !looks_like_html(page),
            ..Self::default()
        };
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
                _ => {
                    counts.text += 1;
                    after
                }
            };
            begins_line = false;
        }
        counts
    }

    /// Reads what begins with `<`, and returns what follows it.
    fn tag_or_directive<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        if let Some(length) = directive(text) {
            self.count(text);
            return &text[length..];
        }
        if text.starts_with(b"<!--") {
            return behind(text, b"-->");
        }
        if !begins_name(&text[1..]) {
            let ends_element = text[1..].starts_with(b"/") && begins_name(&text[2..]);
            let is_declaration = text[1..].starts_with(b"!");
            let is_skipped = ends_element || is_declaration;
            return if is_skipped {
                behind(text, b">")
            } else {
                &text[1..]
            };
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
        let mut found = Self {
            statements: usize::from(PREFIXES.iter().any(|prefix| name.starts_with(prefix))),
            ..Self::default()
        };
        let mut at = end;
        while let Some(&byte) = text.get(at).filter(|byte| **byte != b'>') {
            let rest = &text[at..];
            let length = directive(rest);
            let is_of_thymeleaf = byte.is_ascii_whitespace() && rest[1..].starts_with(b"th:");
            if length.is_some() {
                found.count(rest);
            }
            let is_bound = self.is_part && byte.is_ascii_whitespace() && is_binding(&rest[1..]);
            found.statements += usize::from(is_of_thymeleaf);
            found.expressions += usize::from(is_bound);
            at += length.unwrap_or(1);
        }
        let tag = &text[..at];
        // The description of a page may speak of templates, and formulas of TeX have such braces.
        let is_counted = !name.eq_ignore_ascii_case(b"meta") && memchr(b'\\', tag).is_none();
        if is_counted {
            self.statements += found.statements;
            self.expressions += found.expressions;
        }
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
        if begins_line && (text.starts_with(b"{%") || is_alone()) {
            self.count(text);
        }
        rest
    }

    /// Reads a sign at the beginning of a line, and returns what follows.
    fn statement<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let is_found = STATEMENTS.iter().any(|begin| text.starts_with(begin));
        self.statements += usize::from(is_found);
        &text[1..]
    }
}

/// Returns whether a text begins with an attribute that a browser fills in, such as `:class="…"` and `(click)="…"`.
fn is_binding(text: &[u8]) -> bool {
    let mut signs = BINDINGS.iter();
    let Some(name) = signs.find_map(|sign| text.strip_prefix(*sign)) else {
        return false;
    };
    let is_of_name = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b':' | b']' | b')')
    };
    let length = name.iter().take_while(is_of_name).count();
    let is_with_value = || name[length..].starts_with(b"=\"") || name[length..].starts_with(b"='");
    begins_name(name) && is_with_value()
}

/// Returns whether a text begins as the names of tags do.
fn begins_name(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphabetic)
}

/// Returns whether the directive that a text begins with is a value in double braces.
fn is_expression(text: &[u8]) -> bool {
    let Some(inner) = text.strip_prefix(EXPRESSION) else {
        return false;
    };
    // Handlebars and Go trim white space where these signs stand.
    let inner = inner.strip_prefix(b"-").or(inner.strip_prefix(b"~"));
    let inner = inner
        .unwrap_or(&text[EXPRESSION.len()..])
        .trim_ascii_start();
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let word = &inner[..inner.iter().take_while(is_of_word).count()];
    let has_sign = inner
        .first()
        .is_some_and(|byte| CONTROL_SIGNS.contains(byte));
    !has_sign && !CONTROL_WORDS.contains(&word)
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
    behind(&text[at..], b">")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, expected: bool) {
        assert_eq!(is_template(page.as_bytes()), expected, "{page}");
    }

    #[test]
    fn parts_of_pages_that_a_browser_fills_in_are_templates() {
        let part = "<p :class=\"a\" @click=\"go\">{{ title }}</p>\n<p v-if=\"b\">c</p>\n";
        check(part, true);
        check(
            "<a [href]=\"a\" (click)=\"b()\">c</a>\n<p *ngIf='d'>e</p>",
            true,
        );
        check(&format!("<!DOCTYPE html>\n{part}"), false);
        check(&format!("{part}<p>{}</p>", "Text. ".repeat(100)), false);
        check(
            "<p class=\"a :b\" title=\"(c) d\">e</p><p style=\"f: g\">h</p>",
            false,
        );
        check("<p v-cloak @click>a</p><p>b</p>", false);
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

    /// Returns a page of Angular with so many values, and so many words for each.
    fn of_angular(values: usize, words: usize) -> String {
        let text = "sentence ".repeat(words);
        let item = format!(
            "<li class=\"item {{{{ kind }}}}\">\n{{{{ item.name | title }}}}\n<p>{text}</p>\n"
        );
        format!("<html ng-app><ul>{}</ul>", item.repeat(values))
    }

    #[test]
    fn pages_that_a_browser_fills_in_are_pages_if_they_have_a_text() {
        check(&of_angular(40, 30), false);
        check(&of_angular(40, 2), true);
        let named = "<p title=\"{{ endpoint }}\">\n{{ iframe }}\n";
        check(
            &format!("{named}{}", "<p>A sentence of this page.</p>".repeat(6)),
            false,
        );
        let vue = "<div :title=\"a\">\n{{ message }}\n</div>\n{{ other }}\n";
        let prose = "<p>Die Bestellung wird geprüft und danach an das Lager übergeben, das sie verpackt.</p>";
        check(vue, true);
        check(&format!("{vue}{}", prose.repeat(3)), false);
        let japanese = "<p>この法律は、公布の日から施行する。</p>";
        check(&format!("{vue}{}", japanese.repeat(5)), false);
    }

    #[test]
    fn templates_with_statements_may_have_more_text() {
        let prose = "<p>Some sentences of a page that an application shows.</p>\n".repeat(15);
        for (opens, closes) in [
            ("{% if user %}", "{% endif %}"),
            ("{{#each rows}}", "{{/each}}"),
            ("{{- range .Rows }}", "{{ end -}}"),
            ("{{~ > head }}", "{{ else }}"),
            ("<% rows.each do |row| %>", "<% end %>"),
            ("@foreach (var row in rows)", "@if (row.Done) {"),
            ("<c:forEach items=\"a\">", "<c:out value=\"b\"/>"),
        ] {
            check(&format!("{opens}\n{prose}\n{closes}\n"), true);
            check(&format!("{opens}\n{}\n{closes}\n", prose.repeat(5)), false);
        }
        check(&format!("{{{{ a }}}}\n{prose}\n{{{{ b }}}}\n"), false);
    }

    #[test]
    fn any_bytes_are_read() {
        let parts = [
            "<", "<%", "{{", "{%", "{{a}}", "<?php", "<a {{", "<!--", "<pre", "<pre>", "</", "\n@",
            "é", "<a\\", "{{-", "{{~#",
        ];
        for part in parts {
            is_template(part.repeat(20_000).as_bytes());
        }
    }
}
