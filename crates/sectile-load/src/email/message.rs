//! A message: its headers and its parts.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use mail_parser::{
    ContentType, HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType,
};

use super::converted::Converted;
use super::headers::{self, receivers};
use super::words::{Choice, choice, words};
use super::writer::{MAX_DEPTH, NO_SUBJECT, Writer, is_header};
use super::{attachment, body, clear_signed, signed, uuencode};
use crate::encoding;
use crate::one_line::one_line;

/// What encrypted text begins with.
const PGP_MESSAGE: &str = "-----BEGIN PGP MESSAGE-----";

/// What the type of signatures of OpenPGP is called.
const PGP_SIGNATURE: &str = "application/pgp-signature";

/// How deep parts may stand in each other.
const MAX_PARTS_DEPTH: usize = 64;

/// A plain text shorter than this is a hint to look at the HTML when that is so many times longer.
const HINT_UP_TO: usize = 500;
const HINT_TIMES: usize = 10;

/// How many of the messages that one follows are named: the nearest ones.
const MAX_REFERENCES: usize = 100;

/// How many parts that may say the same are compared.
const MAX_COMPARED: usize = 16;

impl Writer<'_> {
    /// Takes what is known of the message that is the document.
    pub(super) fn describe(&mut self, message: &Message<'_>) {
        let metadata = &mut self.metadata;
        metadata.title = headers::subject(message);
        metadata.author = headers::from(message).filter(|text| !text.is_empty());
        metadata.created = body::date(message);
        let others = [
            ("message_id", headers::message_id(message)),
            ("to", receivers(message, &HeaderName::To)),
            ("cc", receivers(message, &HeaderName::Cc)),
            ("bcc", receivers(message, &HeaderName::Bcc)),
            ("reply_to", headers::reply_to(message)),
            ("in_reply_to", headers::in_reply_to(message)),
            ("list_id", headers::list_id(message)),
        ];
        for (name, value) in others {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                metadata.extra.insert(name.into(), value.into());
            }
        }
        let references = message.references().as_text_list().unwrap_or_default();
        if !references.is_empty() {
            let last = &references[references.len().saturating_sub(MAX_REFERENCES)..];
            let references: Vec<&str> = last.iter().map(|id| &**id).collect();
            metadata
                .extra
                .insert("references".into(), references.into());
        }
    }

    /// Writes a message under a heading of this level.
    pub(super) fn message(&mut self, message: &Message<'_>, level: u8) {
        let subject = headers::subject(message);
        self.heading(level, subject.as_deref().unwrap_or(NO_SUBJECT));
        let lines = [
            ("From", headers::from(message)),
            ("To", receivers(message, &HeaderName::To)),
            ("Cc", receivers(message, &HeaderName::Cc)),
            ("Bcc", receivers(message, &HeaderName::Bcc)),
            ("Reply-To", headers::reply_to(message)),
            ("Date", body::shown_date(message)),
            ("List-Id", headers::list_id(message)),
            ("Message-ID", headers::message_id(message)),
        ];
        let lines = lines.into_iter().filter_map(|(name, value)| {
            let value = value.filter(|value| !value.is_empty())?;
            Some(format!("{name}: {value}"))
        });
        self.block(&lines.collect::<Vec<_>>().join("\n"));
        Parts::new(message, level).write(self);
    }
}

/// The parts of a message, and the level of its heading.
struct Parts<'m, 'x> {
    message: &'m Message<'x>,
    level: u8,
    /// What is made of the HTML of parts.
    converted: RefCell<HashMap<u32, Rc<Converted<'m>>>>,
    /// The words that only texts have that are not read.
    left_out: RefCell<HashSet<String>>,
}

impl<'m, 'x> Parts<'m, 'x> {
    fn new(message: &'m Message<'x>, level: u8) -> Self {
        Self {
            message,
            level,
            converted: RefCell::default(),
            left_out: RefCell::default(),
        }
    }

    fn write(self, writer: &mut Writer<'_>) {
        self.part(writer, 0, 0);
        writer.left_out_words += self.left_out.into_inner().len();
    }

    fn part(&self, writer: &mut Writer<'_>, id: u32, depth: usize) {
        let Some(part) = self.message.part(id) else {
            return;
        };
        if is_smime(part)
            && let Some(content) = signed::content(part.contents())
        {
            return self.signed(writer, part, &content);
        }
        if is_encrypted(part) {
            writer.encrypted.push(attachment::name(part));
            return;
        }
        match &part.body {
            PartType::Multipart(_) if depth > MAX_PARTS_DEPTH => {
                writer.leave_out(&attachment::name(part), "it is nested too deep");
            }
            PartType::Multipart(parts) if part.is_content_type("multipart", "alternative") => {
                self.alternative(writer, parts, depth);
            }
            PartType::Multipart(parts) => {
                for &part in parts {
                    self.part(writer, part, depth + 1);
                }
            }
            PartType::Message(message) => self.forwarded(writer, message),
            _ if is_for_browser(part) => {}
            PartType::Text(_) if part.is_content_type("text", "calendar") => {
                attachment::write(writer, self.message, part, self.level);
            }
            PartType::Text(_) | PartType::Html(_)
                if is_body(part) && attachment::not_text(self.message, part).is_none() =>
            {
                writer.is_unsure |= body::is_unsure(self.message, part);
                match html(part) {
                    Some(html) => {
                        let html = self.converted(id, part, html);
                        writer.block(html.text());
                        writer.hidden_words += html.hidden_words();
                    }
                    None => self.text(writer, part),
                }
            }
            _ if is_signature(part) => writer.signatures.push(attachment::name(part)),
            _ if is_report(part) => writer.block(&body::plain(self.message, part)),
            _ => attachment::write(writer, self.message, part, self.level),
        }
    }

    /// Writes plain text, and the files in it as attachments.
    fn text(&self, writer: &mut Writer<'_>, part: &MessagePart<'_>) {
        let mut text = body::plain(self.message, part);
        if let Some(content) = clear_signed::content(&text) {
            text = content;
            writer.signatures.push(PGP_SIGNATURE.into());
        }
        let files = uuencode::files(text.as_bytes());
        let mut done = 0;
        let mut around = String::new();
        for file in &files {
            around.push_str(&text[done..file.lines.start]);
            done = file.lines.end;
        }
        around.push_str(&text[done..]);
        writer.block(&around);
        for file in files {
            let name = one_line(&String::from_utf8_lossy(&file.name));
            attachment::write_file(writer, &file.bytes, &name, &name, self.level);
        }
    }

    /// Writes the plain text of parts that say the same, or the HTML, or both, and what is neither.
    fn alternative(&self, writer: &mut Writer<'_>, parts: &[u32], depth: usize) {
        let texts = parts
            .iter()
            .filter_map(|&id| Some((id, self.message.part(id)?)));
        let is_said = |part: &MessagePart<'_>| {
            part.text_contents()
                .is_some_and(|text| !text.trim().is_empty())
        };
        let (mut plain, mut rich, mut other) = (Vec::new(), Vec::new(), Vec::new());
        let mut beside = Vec::new();
        for (id, part) in texts {
            match &part.body {
                PartType::Text(_) if is_body(part) && part.is_content_type("text", "plain") => {
                    plain.extend(is_said(part).then_some(id));
                }
                PartType::Multipart(_) => rich.push(id),
                _ if html(part).is_some() => rich.push(id),
                PartType::Text(_) if is_body(part) && !part.is_content_type("text", "calendar") => {
                    other.push(id);
                }
                _ => beside.push(id),
            }
        }
        let chosen = match self.choice(&plain, &rich) {
            Choice::Plain => plain,
            Choice::Rich if rich.is_empty() => other,
            Choice::Rich => rich.clone(),
            Choice::Both => [plain, rich.clone()].concat(),
        };
        let chosen = self.different(chosen);
        for &id in &chosen {
            self.part(writer, id, depth + 1);
        }
        // What stands beside the text in a part that was not chosen is not said elsewhere.
        for id in rich.into_iter().filter(|id| !chosen.contains(id)) {
            self.beside_text(writer, id, depth + 1);
        }
        for id in beside {
            self.part(writer, id, depth + 1);
        }
    }

    /// Chooses the texts that are read, and notes the words of the other one that they lack.
    fn choice(&self, plain: &[u32], rich: &[u32]) -> Choice {
        if plain.is_empty() {
            return Choice::Rich;
        }
        if rich.is_empty() {
            return Choice::Plain;
        }
        let of_plain: String = plain.iter().map(|&id| self.said(id) + "\n").collect();
        let of_plain = words(&of_plain);
        let is_hint = self.is_hint(plain, rich);
        let html: Vec<_> = rich
            .iter()
            .filter_map(|&id| self.first_html(id, 0))
            .collect();
        if !is_hint
            && html
                .iter()
                .all(|one| one.plain_words().is_subset(&of_plain))
        {
            return Choice::Plain;
        }
        let of_rich: HashSet<&String> = html.iter().flat_map(|one| one.words()).collect();
        let only_plain = of_plain.iter().filter(|word| !of_rich.contains(word));
        let only_plain: Vec<&String> = only_plain.collect();
        let only_rich = of_rich.iter().copied();
        let only_rich: Vec<&String> = only_rich.filter(|word| !of_plain.contains(*word)).collect();
        let choice = choice(is_hint, &only_plain, &only_rich);
        let left_out = match choice {
            Choice::Plain => only_rich,
            Choice::Rich => only_plain,
            Choice::Both => Vec::new(),
        };
        self.left_out
            .borrow_mut()
            .extend(left_out.into_iter().cloned());
        choice
    }

    /// Returns whether the plain text is no more than a hint to look at the HTML.
    fn is_hint(&self, plain: &[u32], rich: &[u32]) -> bool {
        let short = plain.iter().map(|&id| self.length(id)).sum::<usize>();
        let long = rich.iter().map(|&id| self.length(id)).sum::<usize>();
        let is_short = short < HINT_UP_TO && long > short * HINT_TIMES;
        is_short && rich.iter().map(|&id| self.said(id).len()).sum::<usize>() > short * 2
    }

    /// Keeps of parts those whose text does not stand in another one too.
    fn different(&self, parts: Vec<u32>) -> Vec<u32> {
        if !(2..=MAX_COMPARED).contains(&parts.len()) {
            return parts;
        }
        let words = |&id: &u32| {
            let text = self.said(id);
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let texts: Vec<String> = parts.iter().map(words).collect();
        let is_repeated = |at: usize| {
            let others = texts.iter().enumerate().filter(|(other, _)| *other != at);
            let mut others = others.filter(|(_, other)| other.contains(&texts[at]));
            let is_blank = texts[at].is_empty();
            !is_blank && others.any(|(other, text)| other < at || text.len() > texts[at].len())
        };
        let kept = parts.iter().enumerate().filter(|(at, _)| !is_repeated(*at));
        kept.map(|(_, &id)| id).collect()
    }

    /// Returns the bytes of a text, or of the first HTML below a part.
    fn length(&self, id: u32) -> usize {
        match self.message.part(id) {
            Some(part) if is_plain(part) => part.len(),
            _ => self.first_html(id, 0).map_or(0, |one| one.html.len()),
        }
    }

    /// Returns the text of a part, or that of the first HTML below it.
    fn said(&self, id: u32) -> String {
        match self.message.part(id) {
            Some(part) if is_plain(part) => body::plain(self.message, part),
            _ => self
                .first_html(id, 0)
                .map(|one| one.text().to_owned())
                .unwrap_or_default(),
        }
    }

    /// Returns the first HTML below a part.
    fn first_html(&self, id: u32, depth: usize) -> Option<Rc<Converted<'m>>> {
        let part = self.message.part(id)?;
        if let Some(html) = html(part) {
            return Some(self.converted(id, part, html));
        }
        match &part.body {
            PartType::Multipart(parts) if depth < MAX_PARTS_DEPTH => parts
                .iter()
                .find_map(|&part| self.first_html(part, depth + 1)),
            _ => None,
        }
    }

    /// Returns what is made of the HTML of a part.
    fn converted(&self, id: u32, part: &MessagePart<'_>, html: &'m str) -> Rc<Converted<'m>> {
        let mut converted = self.converted.borrow_mut();
        let of_part = converted.entry(id).or_insert_with(|| {
            let guessed = body::guessed(self.message, part);
            Rc::new(Converted::new(guessed.map_or(html.into(), Cow::Owned)))
        });
        Rc::clone(of_part)
    }

    /// Writes the attachments in a part whose text is not written.
    fn beside_text(&self, writer: &mut Writer<'_>, id: u32, depth: usize) {
        let Some(part) = self.message.part(id) else {
            return;
        };
        match &part.body {
            PartType::Multipart(parts) if depth <= MAX_PARTS_DEPTH => {
                for &part in parts {
                    self.beside_text(writer, part, depth + 1);
                }
            }
            PartType::Text(_) | PartType::Html(_) if is_body(part) => {}
            _ => self.part(writer, id, depth),
        }
    }

    /// Writes a message that is wrapped with its signature.
    fn signed(&self, writer: &mut Writer<'_>, part: &MessagePart<'_>, content: &[u8]) {
        let name = attachment::name(part);
        if writer.depth >= MAX_DEPTH {
            return writer.leave_out(&name, "it is nested too deep");
        }
        writer.signatures.push(name.clone());
        let message = MessageParser::default().parse(content);
        if let Some(message) = message.filter(|message| message.headers().iter().any(is_header)) {
            writer.depth += 1;
            let level = self.level;
            Parts::new(&message, level).write(writer);
            writer.depth -= 1;
            return;
        }
        match encoding::decode(content) {
            Ok(decoded) => writer.block(&decoded.text.replace('\r', "")),
            Err(_) => writer.leave_out(&name, "what is signed is no message and no text"),
        }
    }

    fn forwarded(&self, writer: &mut Writer<'_>, message: &Message<'_>) {
        if writer.depth >= MAX_DEPTH {
            let subject = headers::subject(message);
            let subject = subject.as_deref().unwrap_or(NO_SUBJECT);
            return writer.leave_out(subject, "the message is nested too deep");
        }
        writer.depth += 1;
        writer.message(message, self.level + 1);
        writer.depth -= 1;
    }
}

/// Returns whether a part is text to be read in its place.
fn is_body(part: &MessagePart<'_>) -> bool {
    let is_attachment = part
        .content_disposition()
        .is_some_and(ContentType::is_attachment);
    let is_file = part.attachment_name().is_some();
    !is_attachment
        && is_text(part)
        && (!is_file || part.is_content_type("text", "plain") && !is_named_otherwise(part))
}

/// Returns whether a part is a style sheet, a script or a list of the page that a message holds, and no file of its own.
fn is_for_browser(part: &MessagePart<'_>) -> bool {
    let is_style = part.is_content_type("text", "css");
    let is_script = ["javascript", "x-javascript", "ecmascript"]
        .iter()
        .any(|name| {
            part.is_content_type("text", name) || part.is_content_type("application", name)
        });
    let is_attachment = part
        .content_disposition()
        .is_some_and(ContentType::is_attachment);
    let is_of_page = is_style || is_script || is_of_office(part);
    is_of_page && !is_attachment && part.attachment_name().is_none()
}

/// Returns whether a part says which files a page has that Office saved, or which colours.
fn is_of_office(part: &MessagePart<'_>) -> bool {
    let text = part.text_contents().unwrap_or_default();
    part.is_content_type("text", "xml")
        && (text.contains("<o:MainFile ") || text.contains("<a:clrMap "))
}

/// Returns whether a part is declared as text, or as nothing, or as parts that cannot be told apart. The parser takes
/// whatever it cannot decode for text.
fn is_text(part: &MessagePart<'_>) -> bool {
    part.content_type()
        .is_none_or(|kind| matches!(kind.ctype(), "text" | "multipart"))
}

/// Returns the HTML that a part is. The parser takes it for plain text where the message ends before it does.
fn html<'p>(part: &'p MessagePart<'_>) -> Option<&'p str> {
    match &part.body {
        PartType::Html(html) => Some(html.as_ref()),
        PartType::Text(html) if part.is_content_type("text", "html") => Some(html.as_ref()),
        _ => None,
    }
}

fn is_plain(part: &MessagePart<'_>) -> bool {
    matches!(part.body, PartType::Text(_)) && html(part).is_none()
}

/// Returns whether a text has the name of another kind of file.
fn is_named_otherwise(part: &MessagePart<'_>) -> bool {
    part.attachment_name()
        .is_some_and(|name| name.contains('.'))
}

/// Returns whether a part is a message that is encrypted, or wrapped with its signature.
fn is_smime(part: &MessagePart<'_>) -> bool {
    part.is_content_type("application", "pkcs7-mime")
        || part.is_content_type("application", "x-pkcs7-mime")
}

fn is_encrypted(part: &MessagePart<'_>) -> bool {
    let text = part.text_contents().unwrap_or_default();
    is_smime(part)
        || text.trim_start().starts_with(PGP_MESSAGE)
        || part.is_content_type("multipart", "encrypted")
        || part.is_content_type("application", "pgp-encrypted")
}

fn is_signature(part: &MessagePart<'_>) -> bool {
    ["pgp-signature", "pkcs7-signature", "x-pkcs7-signature"]
        .iter()
        .any(|subtype| part.is_content_type("application", subtype))
}

/// Returns whether a part is a report on another message, which is text.
fn is_report(part: &MessagePart<'_>) -> bool {
    [
        "delivery-status",
        "disposition-notification",
        "feedback-report",
    ]
    .iter()
    .any(|subtype| part.is_content_type("message", subtype))
        || part.is_content_type("text", "rfc822-headers")
}
