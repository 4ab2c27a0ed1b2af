//! What a text is by its look: by how it begins, and by the markup near its beginning.

use memchr::memmem;
use sectile_core::Format;

/// How many bytes of a text are looked at to tell what it is.
pub(super) const LOOKED_AT: usize = 65_536;

/// The roots of vocabularies of running text that are often without a declaration.
const ROOTS: [&[u8]; 5] = [b"TEI", b"article", b"book", b"feed", b"rss"];

/// Tells by its content what a text is, whatever its name.
pub(super) fn by_look(bytes: &[u8]) -> Option<Format> {
    if looks_like_html(bytes) {
        Some(Format::Html)
    } else if looks_like_xml(bytes) {
        Some(Format::Xml)
    } else if let Some(format) = by_first_lines(bytes) {
        Some(format)
    } else if looks_like_mailbox(bytes) {
        Some(Format::Mbox)
    } else if looks_like_email(bytes) {
        Some(Format::Email)
    } else {
        looks_like_notebook(bytes).then_some(Format::Ipynb)
    }
}

/// Tells what a text with a name that says little is by the markup in it.
pub(super) fn by_markup(bytes: &[u8], extension: &str) -> Format {
    let is_plain = matches!(extension, "" | "txt");
    if is_plain && looks_like_markdown(bytes) {
        Format::Markdown
    } else if is_plain && looks_like_mediawiki(bytes) {
        Format::Mediawiki
    } else if matches!(extension, "ad" | "asc") && looks_like_asciidoc(bytes) {
        // Keys and signatures of PGP are named so, too.
        Format::Asciidoc
    } else if extension == "xls" && has_tab(bytes) {
        // Excel opens tables that are text.
        Format::Csv
    } else if extension == "srt" && first_lines(bytes).map(<[u8]>::trim_ascii).any(has_times) {
        // A text may stand above the first cue.
        Format::Subtitles
    } else {
        Format::Text
    }
}

/// Returns whether the first line of a text has a tab in it.
fn has_tab(bytes: &[u8]) -> bool {
    let line = first_lines(bytes).next();
    line.is_some_and(|line| line.contains(&b'\t'))
}

/// Tells address books, calendars and subtitles by the lines that they begin with.
fn by_first_lines(bytes: &[u8]) -> Option<Format> {
    let mut lines = first_lines(trimmed(bytes)).map(<[u8]>::trim_ascii);
    let first = lines.next()?;
    if first.eq_ignore_ascii_case(b"BEGIN:VCARD") {
        return Some(Format::Vcard);
    }
    if first.eq_ignore_ascii_case(b"BEGIN:VCALENDAR") {
        return Some(Format::Icalendar);
    }
    let behind_mark = first.strip_prefix(b"WEBVTT");
    let has_mark = behind_mark.is_some_and(|rest| matches!(rest, [] | [b' ' | b'\t', ..]));
    let is_number = !first.is_empty() && first.iter().all(u8::is_ascii_digit);
    let is_cue = is_number && lines.next().is_some_and(has_times);
    (has_mark || is_cue).then_some(Format::Subtitles)
}

/// Returns whether a line has the times of a cue of subtitles: `00:00:01,000 --> 00:00:02,000`.
fn has_times(line: &[u8]) -> bool {
    let digits = line.iter().filter(|byte| byte.is_ascii_digit()).count();
    let time = line.strip_prefix(b"-").unwrap_or(line);
    let begins = time.first().is_some_and(u8::is_ascii_digit);
    begins && digits >= 10 && line.contains(&b':') && memmem::find(line, b" --> ").is_some()
}

/// Leaves out the byte order mark and the white space that a text begins with.
pub(super) fn trimmed(bytes: &[u8]) -> &[u8] {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF");
    text.unwrap_or(bytes).trim_ascii_start()
}

/// Returns whether a text begins as a mailbox does: with a sender, a day and a time.
fn looks_like_mailbox(bytes: &[u8]) -> bool {
    #[cfg(feature = "email")]
    return crate::email::begins_mailbox(bytes);
    #[cfg(not(feature = "email"))]
    {
        let _ = bytes;
        false
    }
}

/// Returns whether a file is a message as Apple Mail keeps it.
pub(super) fn is_of_apple_mail(bytes: &[u8]) -> bool {
    #[cfg(feature = "email")]
    return crate::email::is_of_apple_mail(bytes);
    #[cfg(not(feature = "email"))]
    {
        let _ = bytes;
        false
    }
}

/// Returns whether a file begins with a header of a message, or the line before the headers.
pub(super) fn begins_with_header(bytes: &[u8]) -> bool {
    let line = trimmed(bytes)
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
    let name = name.trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    line.starts_with(b"From ") || line.contains(&b':') && is_name
}

/// Returns whether a text begins with the headers of a message: three that all messages have, or the
/// trace of a server and one of them.
fn looks_like_email(bytes: &[u8]) -> bool {
    let beginning = &trimmed(bytes)[..trimmed(bytes).len().min(LOOKED_AT)];
    let mut found = 0;
    for line in beginning.split(|&byte| byte == b'\n') {
        // A line of white space belongs to the header before it.
        if line.is_empty() || line == b"\r" {
            break;
        }
        let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
        let name = name.trim_ascii_end();
        let is_name = line.contains(&b':') && name.iter().all(u8::is_ascii_graphic);
        if !is_name && !line.starts_with(b" ") && !line.starts_with(b"\t") {
            return false;
        }
        found += match name.to_ascii_lowercase().as_slice() {
            b"received" | b"return-path" | b"delivered-to" => 2,
            b"date" | b"from" | b"message-id" | b"mime-version" | b"subject" | b"to" => 1,
            _ => 0,
        };
    }
    found >= 3
}

/// Returns whether a text begins as a web page does, behind its declaration, comments and the
/// directives of a server.
pub(super) fn looks_like_html(bytes: &[u8]) -> bool {
    let beginning = behind_prolog(bytes);
    begins_with(beginning, b"<!doctype html") || begins_with(beginning, b"<html")
}

/// Returns whether a text is a notebook: an object of JSON with the keys that all notebooks have.
fn looks_like_notebook(bytes: &[u8]) -> bool {
    let text = trimmed(bytes);
    let has = |key: &[u8]| memmem::find(text, key).is_some();
    text.starts_with(b"{")
        && has(b"\"nbformat\"")
        && has(b"\"metadata\"")
        && (has(b"\"cells\"") || has(b"\"worksheets\""))
}

/// Returns whether a text begins as XML does: with a declaration, a document type, or an element that
/// has a namespace or is the root of a known vocabulary.
fn looks_like_xml(bytes: &[u8]) -> bool {
    let beginning = behind_prolog(bytes);
    let tag = beginning.split(|&byte| byte == b'>').next();
    let tag = tag.filter(|tag| tag.starts_with(b"<") && tag.len() < beginning.len());
    let name = |tag: &[u8]| {
        let name = tag[1..].iter();
        name.take_while(|byte| !byte.is_ascii_whitespace()).count()
    };
    let is_root = |tag: &[u8]| {
        let is_known = ROOTS.contains(&&tag[1..=name(tag)]);
        is_known
            || tag
                .windows(7)
                .any(|part| part == b" xmlns:" || part == b" xmlns=")
    };
    begins_with(trimmed(bytes), b"<?xml ")
        || begins_with(beginning, b"<!doctype ")
        || tag.is_some_and(is_root)
}

/// Returns whether the root of an XML file has this name, with any prefix, and declares this namespace.
pub(super) fn has_root(bytes: &[u8], name: &[u8], namespace: &[u8]) -> bool {
    let beginning = behind_prolog(bytes);
    let tag = beginning.split(|&byte| byte == b'>').next();
    let Some(tag) = tag.and_then(|tag| tag.strip_prefix(b"<")) else {
        return false;
    };
    let mut words = tag.split(u8::is_ascii_whitespace);
    let full = words.next().unwrap_or_default();
    let local = full.rsplit(|&byte| byte == b':').next();
    local == Some(name) && memmem::find(tag, namespace).is_some()
}

fn begins_with(text: &[u8], tag: &[u8]) -> bool {
    let head = text.get(..tag.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(tag))
}

/// Leaves out the declaration of XML, comments, and directives such as `<%@ Page %>` before the
/// first element or document type, as far as they stand near the beginning.
fn behind_prolog(bytes: &[u8]) -> &[u8] {
    let mut rest = &trimmed(bytes)[..trimmed(bytes).len().min(LOOKED_AT)];
    loop {
        let between = [("<?", "?>"), ("<!--", "-->"), ("<%", "%>")];
        let opened = between
            .iter()
            .find(|(open, _)| rest.starts_with(open.as_bytes()));
        let closed = opened.and_then(|(_, close)| {
            let end = memmem::find(rest, close.as_bytes())?;
            Some(end + close.len())
        });
        match closed {
            Some(end) => rest = rest[end..].trim_ascii_start(),
            None => return rest,
        }
    }
}

/// Returns whether a text has two headings and a link or a fence near its beginning. Number signs
/// alone do not tell: they begin the comments of many kinds of files.
fn looks_like_markdown(bytes: &[u8]) -> bool {
    let has_markup =
        |line: &[u8]| line.starts_with(b"```") || line.windows(2).any(|pair| pair == b"](");
    let mut headings = first_lines(bytes).filter(|line| is_heading(line, b'#'));
    headings.nth(1).is_some() && first_lines(bytes).any(has_markup)
}

/// Returns whether a text has two headings of MediaWiki near its beginning, the first of one of the two highest levels,
/// and bold words, a table, a footnote, or a link with a text. In `DokuWiki` the highest level has the most signs.
fn looks_like_mediawiki(bytes: &[u8]) -> bool {
    let level = |line: &[u8]| {
        let line = line.trim_ascii_end();
        let is_sign = |sign: &&u8| **sign == b'=';
        let before = line.iter().take_while(is_sign).count();
        let after = line.iter().rev().take_while(is_sign).count();
        let is_heading = before == after && (1..=6).contains(&before) && line.len() > 2 * before;
        is_heading.then_some(before)
    };
    let mut levels = first_lines(bytes).filter_map(level);
    let begins = levels.next().is_some_and(|first| first <= 2) && levels.next().is_some();
    let is_bold = |line: &[u8]| {
        let mut parts = line.windows(4);
        parts.any(|part| part.starts_with(b"'''") && part[3].is_ascii_alphanumeric())
    };
    let is_link = |line: &[u8]| {
        let at = memmem::find(line, b"[[");
        let link = at.and_then(|at| line[at + 2..].split(|&byte| byte == b']').next());
        // A shell has blanks in its brackets.
        link.is_some_and(|link| !link.starts_with(b" ") && link.contains(&b'|'))
    };
    begins
        && first_lines(bytes).any(|line| {
            let has_note = memmem::find(line, b"<ref").is_some();
            line.starts_with(b"{|") || has_note || is_bold(line) || is_link(line)
        })
}

/// Returns whether a text has a title of AsciiDoc near its beginning, and is not in the armour of PGP.
fn looks_like_asciidoc(bytes: &[u8]) -> bool {
    let is_armoured = trimmed(bytes).starts_with(b"-----BEGIN PGP ");
    !is_armoured && first_lines(bytes).any(|line| is_heading(line, b'='))
}

/// Returns the lines that are looked at to tell what a text is.
pub(super) fn first_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let beginning = &bytes[..bytes.len().min(LOOKED_AT)];
    beginning.split(|&byte| byte == b'\n')
}

/// Returns whether a line begins with from one to six signs and a space, as headings do.
fn is_heading(line: &[u8], sign: u8) -> bool {
    let level = line.iter().take_while(|&&byte| byte == sign).count();
    (1..=6).contains(&level) && line.get(level) == Some(&b' ')
}
