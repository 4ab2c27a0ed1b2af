//! The reasons why a hit ranks below others. Most often, its chunk has no text of its own, and is found by the headings
//! above it.

use std::borrow::Cow;

use sectile_core::{Format, LeadingFields};
use serde::{Deserialize, Serialize};

/// How many words a field above the first heading has at most, such as `importance: 5`: more are a text.
const WORDS_OF_FIELD: usize = 8;

/// The maximum number of words besides the links in a row of links.
const WORDS_OF_MENU: usize = 2;

/// Directives of reStructuredText above the first heading that have no text.
const DIRECTIVES: [&str; 8] = [
    "image",
    "contents",
    "toctree",
    "meta",
    "highlight",
    "module",
    "currentmodule",
    "default-role",
];

/// The reason why a hit ranks below others. Except for the last two variants, these others have a text
/// and the same words of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Demotion {
    /// It is only the heading of its section.
    Heading,
    /// It contains only comments; or, above the first heading, images, links and fields; or, in
    /// YAML and JSON, references.
    NoText,
    /// It is a value in YAML or JSON, and only the keys above it have words of the question.
    Inherited,
    /// It lacks a word of the question, or has it only in another form, and hits that score little
    /// less have all words as typed, or more of a question of three words or more.
    OtherForm,
    /// Its document is in another language than the question, and hits in the language of the question score
    /// little less.
    OtherLanguage,
}

impl Demotion {
    /// Returns whether a chunk has no text, whatever the question is.
    pub(crate) fn of(text: &str, format: Format, heading_path: &[String]) -> Option<Self> {
        let below = below_heading(text, heading_path);
        if below.is_some_and(|below| below.lines().all(is_underline)) {
            return Some(Self::Heading);
        }
        let has_no_text = match (format, below) {
            (Format::Yaml | Format::Json, below) => is_references(below.unwrap_or(text)),
            (_, Some(below)) => without_comments(below).lines().all(is_underline),
            (_, None) => heading_path.is_empty() && is_preamble(text, format),
        };
        has_no_text.then_some(Self::NoText)
    }

    /// Returns whether chunks of a format are values that are not an answer without a word of the question.
    pub(crate) const fn may_be_inherited(format: Format) -> bool {
        matches!(format, Format::Yaml | Format::Json)
    }

    /// Describes the reason.
    pub(crate) const fn explained(self) -> &'static str {
        match self {
            Self::Heading => "only a heading: behind hits with text that have the same words",
            Self::NoText => "no text of its own: behind hits with text that have the same words",
            Self::Inherited => "only the keys above it have the words: behind hits that have them",
            Self::OtherForm => {
                "lacks a word as typed, or has another form of it: behind hits that have all or more as typed"
            }
            Self::OtherLanguage => {
                "in another language: behind hits in that of the question that score little less"
            }
        }
    }
}

/// Returns the text below the heading at the beginning of a text.
fn below_heading<'t>(text: &'t str, heading_path: &[String]) -> Option<&'t str> {
    let marks = ['#', ' '];
    let heading = heading_path.last()?.trim_matches(marks);
    let text = text.trim();
    // There may be a line of signs above a title as well.
    let text = match text.split_once('\n') {
        Some((line, rest)) if line.starts_with("===") && is_underline(line.trim_end()) => rest,
        _ => text,
    };
    let (first, below) = text.split_once('\n').unwrap_or((text, ""));
    let first = first.trim_end_matches('\r').trim_matches(marks);
    (first == heading).then_some(below)
}

/// Returns whether a line is blank or the one below a heading.
fn is_underline(line: &str) -> bool {
    line.chars().all(|sign| matches!(sign, '=' | '-' | ' '))
}

/// Leaves out the comments of Markdown and MDX. One that is not closed goes on to the end.
fn without_comments(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for (open, close) in [("<!--", "-->"), ("{/*", "*/}")] {
        if text.contains(open) {
            text = Cow::Owned(without(&text, open, close));
        }
    }
    text
}

fn without(text: &str, open: &str, close: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once(open) {
        kept.push_str(before);
        rest = inside.split_once(close).map_or("", |(_, after)| after);
    }
    kept + rest
}

/// Returns whether each line of YAML or JSON is a key without a value, or refers to another place.
fn is_references(text: &str) -> bool {
    text.lines().all(|line| {
        let line = line.trim().trim_start_matches("- ");
        let line = line.trim_start_matches(['"', '\'']);
        let is_comment = line.starts_with('#');
        line.is_empty()
            || line == "---"
            || !is_comment && line.ends_with(':')
            || line.starts_with("$ref")
    })
}

/// Returns whether a text above the first heading has only the words of fields, links, images and comments. Fields end
/// with a rule, or are those at the beginning of Markdown.
fn is_preamble(text: &str, format: Format) -> bool {
    let is_markup: fn(&str) -> bool = match format {
        Format::Markdown | Format::Html => |_| false,
        Format::Rst => is_rst_markup,
        Format::Asciidoc => is_asciidoc_markup,
        Format::Org => |line| line.starts_with('#'),
        _ => return false,
    };
    let found = LeadingFields::of(text).filter(|_| format == Format::Markdown);
    let (fields, end) = found.map_or_else(Default::default, |of| (of.fields, of.span.end));
    if !fields
        .iter()
        .flat_map(|(_, lines)| lines)
        .all(|line| is_short(line))
    {
        return false;
    }
    let text = &text[end..];
    let (mut is_in_fields, mut is_in_markup) = (false, false);
    for line in without_comments(text).lines() {
        let is_indented = line.starts_with([' ', '\t']);
        let line = line.trim();
        if line.is_empty() || is_in_markup && is_indented {
            continue;
        }
        is_in_markup = is_markup(line);
        if is_rule(line) {
            is_in_fields = false;
        } else if has_words(line) && !is_in_markup {
            if !is_field(line, is_in_fields) {
                return false;
            }
            is_in_fields = true;
        }
    }
    !is_in_fields
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && line.chars().all(|sign| "-*_+= ".contains(sign))
}

/// Returns whether a line is `key: value` or `key = value`, or an element of a list below one.
fn is_field(line: &str, follows_field: bool) -> bool {
    if follows_field && line.starts_with("- ") {
        return is_short(line);
    }
    let Some((key, value)) = line.split_once([':', '=']) else {
        return false;
    };
    let key = key.trim();
    let is_in_key = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.');
    !key.is_empty() && key.chars().all(is_in_key) && is_short(value)
}

/// Returns whether a value is short, and not a sentence or many words.
fn is_short(value: &str) -> bool {
    let is_sentence = value.trim_end().ends_with(['.', '!', '?']);
    !is_sentence && value.split_whitespace().count() <= WORDS_OF_FIELD
}

/// Returns whether a line of reStructuredText is a comment, a target, a field or a substitution.
fn is_rst_markup(line: &str) -> bool {
    let is_substitution =
        |word: &str| word.len() > 2 && word.starts_with('|') && word.ends_with('|');
    let Some(explicit) = line.strip_prefix(".. ") else {
        return is_attribute(line) || line.split_whitespace().all(is_substitution);
    };
    match explicit.split_once("::") {
        Some((head, _)) => {
            let name = head.split_whitespace().next_back();
            name.is_some_and(|name| DIRECTIVES.contains(&name))
        }
        None => true,
    }
}

/// Returns whether a line of AsciiDoc is a comment, an attribute, an image or a list of attributes.
fn is_asciidoc_markup(line: &str) -> bool {
    let is_list = line.starts_with('[') && line.ends_with(']');
    line.starts_with("//") || line.starts_with("image:") || is_attribute(line) || is_list
}

/// Returns whether a line begins with a name between colons.
fn is_attribute(line: &str) -> bool {
    let name = line.strip_prefix(':').and_then(|rest| rest.split_once(':'));
    name.is_some_and(|(name, _)| !name.is_empty() && !name.contains(char::is_whitespace))
}

/// Returns whether a line has words besides its links, images and tags, or is one link with words to another page, as
/// in a list of links. In a row of links, such as the languages of a page, a few words only name the current page.
fn has_words(line: &str) -> bool {
    let (mut words, mut links, mut is_row, mut is_in_word) = (0, 0, false, false);
    let (mut labels, mut is_image) = (0, false);
    let mut rest = line;
    while let Some(sign) = rest.chars().next() {
        let length = match sign {
            '[' => link_length(rest),
            '<' => tag_length(rest),
            _ => None,
        };
        if let Some(length) = length {
            links += 1;
            labels += usize::from(!is_image && has_label(&rest[..length]));
            is_in_word = false;
            rest = &rest[length..];
            continue;
        }
        if matches!(sign, '[' | '<') {
            return true;
        }
        words += usize::from(sign.is_alphanumeric() && !is_in_word);
        is_in_word = sign.is_alphanumeric();
        is_row |= matches!(sign, '|' | '·' | '•');
        is_image = sign == '!';
        rest = &rest[sign.len_utf8()..];
    }
    let is_menu = links > 0 && is_row && words <= WORDS_OF_MENU;
    let is_only_link = links == 1 && labels == 1;
    (words > 0 || is_only_link) && !is_menu
}

/// Returns whether a Markdown link has words and leads to another page. A link around an image and a link definition do
/// not.
fn has_label(link: &str) -> bool {
    let end = closing(link, '[', ']').filter(|_| link.starts_with('['));
    end.is_some_and(|end| {
        let (label, target) = link.split_at(end);
        let leads_on = !target.starts_with(':') && !target.starts_with("(#");
        leads_on && !label.contains("![") && label.contains(char::is_alphanumeric)
    })
}

/// Returns the length of the link or link definition at the beginning of a text.
fn link_length(text: &str) -> Option<usize> {
    let end = closing(text, '[', ']')?;
    let target = &text[end..];
    match target.chars().next()? {
        '(' => Some(end + closing(target, '(', ')')?),
        '[' => Some(end + closing(target, '[', ']')?),
        ':' => Some(text.len()),
        _ => None,
    }
}

/// Returns how long the tag is that a text begins with, or the link in HTML.
fn tag_length(text: &str) -> Option<usize> {
    const END: &str = "</a>";
    let end = text.find('>')? + 1;
    let link = if text.starts_with("<a ") {
        text.find(END)
    } else {
        None
    };
    Some(link.map_or(end, |at| at + END.len()))
}

/// Returns where the bracket closes that a text begins with.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, sign) in text.char_indices() {
        if sign == open {
            depth += 1;
        } else if sign == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(at + sign.len_utf8());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demotion(text: &str, format: Format, heading_path: &[&str]) -> Option<Demotion> {
        let path: Vec<String> = heading_path.iter().map(|&part| part.to_owned()).collect();
        Demotion::of(text, format, &path)
    }

    #[test]
    fn comments_badges_fields_and_links_above_the_first_heading_are_no_text() {
        for text in [
            "importance: 5\n\n---\n\n",
            "name: Fireball\nlevel: 3\nclasses: sorcerer\n         wizard\n\n",
            "Title: Install\r\n\r\n![A logo](x.svg)\r\n",
            "---\ntitle: Install\ntags:\n  - a b\n---\n",
            "+++\ntitle = \"Install\"\n+++\n",
            "<!-- SPDX-License-Identifier: MIT\n     of all -->\n",
            "{/* made by a tool */}\n",
            "[![build](https://x/b.svg)](https://x) ![cov][c]\n\n[c]: https://x/c.svg\n",
            "[Home](/) | [Docs](/docs) · <a href=\"/x\">More</a>\n",
            "**English** | [中文](README_zh.md) | [日本語](README_ja.md)\n",
            "<p align=\"center\">\n  <img src=\"x.svg\" alt=\"Logo\">\n</p>\n",
            "- [Install](#install)\n- [Use](#use)\n",
            "![A logo](x.svg)\n",
        ] {
            let found = demotion(text, Format::Markdown, &[]);
            assert_eq!(found, Some(Demotion::NoText), "{text}");
        }
        let rst = ".. SPDX\n   more\n.. _label:\n\n:orphan:\n\n|badge| |docs|\n\n.. |badge| image:: x\n   :alt: Build\n";
        assert_eq!(demotion(rst, Format::Rst, &[]), Some(Demotion::NoText));
        let adoc = "// SPDX\n:toc:\n:author: Ann\n\nimage:a.png[Build]\n";
        assert_eq!(
            demotion(adoc, Format::Asciidoc, &[]),
            Some(Demotion::NoText)
        );
        let org = "#+TITLE: A\n# b\n";
        assert_eq!(demotion(org, Format::Org, &[]), Some(Demotion::NoText));
    }

    #[test]
    fn a_text_above_the_first_heading_is_one() {
        for text in [
            "An introduction.\n",
            "Note: this is no field, as no rule follows.\n",
            "Note: use it with care.\n\n---\n",
            "---\ntitle: A\ndescription: How this is installed and what it needs for that\n---\n",
            "See [the manual](x) first.\n",
            "importance: 5\n",
            "Note: use it\nTip: with care\n\n",
            "Title: Install\n\nAn introduction.\n",
            "Title: Install\nSummary: How this is installed and what it needs for that\n\n",
            "- [ ] open\n",
            "a < b\n",
            "What it | does and [how](x) | that is done\n",
            "[Home]\n",
            "- [Install](install.md)\n- [Use](use.md)\n",
            "* [Install][i]\n\n[i]: install.md\n",
        ] {
            assert_eq!(demotion(text, Format::Markdown, &[]), None, "{text}");
        }
        let note = ".. note:: Do it.\n";
        assert_eq!(demotion(note, Format::Rst, &[]), None);
        let fields = "name: Fireball\nlevel: 3\n\n";
        assert_eq!(demotion(fields, Format::Html, &[]), None);
        let field = "key: value\n---\n";
        assert_eq!(demotion(field, Format::Text, &[]), None);
        assert_eq!(demotion(field, Format::Markdown, &["A"]), None);
    }

    #[test]
    fn headings_alone_are_known_with_comments_below() {
        let markdown = |text| demotion(text, Format::Markdown, &["A", "Get it #"]);
        assert_eq!(markdown("## Get it #\n"), Some(Demotion::Heading));
        assert_eq!(markdown("Get it\r\n======\r\n"), Some(Demotion::Heading));
        assert_eq!(
            markdown("======\r\nGet it\r\n======\n"),
            Some(Demotion::Heading)
        );
        assert_eq!(
            markdown("## Get it\n<!-- later -->\n"),
            Some(Demotion::NoText)
        );
        assert_eq!(markdown("## Get it\n\n![a](b)\n"), None);
        assert_eq!(markdown("## Get it\n\nNow.\n"), None);
    }

    #[test]
    fn references_in_trees_are_no_text() {
        let yaml = |text| demotion(text, Format::Yaml, &["paths", "429"]);
        assert_eq!(
            yaml("  \"429\":\n    $ref: '#/x/TooMany'\n"),
            Some(Demotion::NoText)
        );
        assert_eq!(yaml("  429:\n    - \"$ref\": x\n"), Some(Demotion::NoText));
        assert_eq!(yaml("  429:\n    description: Too many\n"), None);
        assert_eq!(yaml("  # Too many:\n  429:\n"), None);
        let json = "## 429\n\n$ref: \"#/x\"\n";
        assert_eq!(
            demotion(json, Format::Json, &["429"]),
            Some(Demotion::NoText)
        );
    }
}
