//! The objects of a PDF: its catalog, texts, trees of names and numbers, and destinations.

use std::collections::{HashMap, HashSet};

use hayro_syntax::object::dict::keys::CONTENTS;
use hayro_syntax::object::{
    Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Stream, String as Bytes,
};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use memchr::memmem;

use super::unended::{next_object, with_ended_streams};
use super::{Failure, letters};

/// How many nodes and pairs of a name or number tree are read; the largest real one has 16,000.
const MAX_PAIRS: usize = 200_000;

/// How many streams of the content of a page are looked at for damage.
const MAX_PARTS: usize = 1_000;

/// Opens a file. What stands before its header, such as that of an answer over HTTP, is left out, as
/// the places of objects are counted from the header.
pub(super) fn open(bytes: &[u8], password: Option<&str>) -> Result<Pdf, Failure> {
    let start = memmem::find(bytes, b"%PDF-").unwrap_or(0);
    let bytes = &bytes[start..];
    let opened = open_with(bytes.to_vec(), password);
    let opened = opened.or_else(|error| match error {
        LoadPdfError::Decryption(_) => without_key_length(bytes)
            .and_then(|bytes| open_with(bytes, password).ok())
            .or_else(|| with_plain_pages(bytes))
            .ok_or(error),
        LoadPdfError::Invalid => with_plain_boxes(bytes)
            .and_then(|bytes| open_with(bytes, password).ok())
            .ok_or(error),
    });
    let opened = opened.map(|pdf| {
        let (count, damaged) = (pdf.pages().len(), damaged_contents(&pdf));
        let mended = (damaged > 0).then(|| with_ended_streams(bytes)).flatten();
        let mended = mended.and_then(|bytes| open_with(bytes, password).ok());
        mended
            .filter(|of| of.pages().len() >= count && damaged_contents(of) < damaged)
            .unwrap_or(pdf)
    });
    let opened = opened.map(|pdf| {
        let count = pdf.pages().len();
        let mended = (missing_pages(&pdf) > 0)
            .then(|| with_plain_boxes(bytes))
            .flatten();
        let mended = mended.and_then(|bytes| open_with(bytes, password).ok());
        mended.filter(|of| of.pages().len() > count).unwrap_or(pdf)
    });
    opened.map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Failure::Encrypted {
            is_wrong: password.is_some(),
        },
        LoadPdfError::Decryption(error) => {
            Failure::Parse(format!("it cannot be decrypted: {error:?}").into())
        }
        LoadPdfError::Invalid => Failure::Parse("it has no page that can be found".into()),
    })
}

fn open_with(bytes: Vec<u8>, password: Option<&str>) -> Result<Pdf, LoadPdfError> {
    Pdf::new_with_password(bytes, password.unwrap_or_default())
}

/// Takes the length of the key out of what a file says of its encryption, so that the usual one holds: some
/// writers give it in bytes, or a wrong one (ISO 32000-2, table 20).
fn without_key_length(bytes: &[u8]) -> Option<Vec<u8>> {
    const KEY: &[u8] = b"/Length";
    let handler = memmem::rfind(bytes, b"/Standard")?;
    let start = memmem::rfind(&bytes[..handler], b"obj")?;
    let ends = [&b"endobj"[..], b"stream"].map(|word| memmem::find(&bytes[handler..], word));
    let end = handler + ends.into_iter().flatten().min()?;
    let mut mended = bytes.to_vec();
    for at in memmem::find_iter(&bytes[start..end], KEY) {
        // As long as before, so that all else stays where it is.
        mended[start + at..][..KEY.len()].copy_from_slice(b"/length");
    }
    Some(mended)
}

/// The key of what a file says of its encryption, and one as long that says nothing.
const ENCRYPT: &[u8] = b"/Encrypt";
const UNSAID: &[u8] = b"/encrypt";

/// Opens a file whose texts and streams are not encrypted but for its attachments (ISO 32000-2, 7.6.6).
fn with_plain_pages(bytes: &[u8]) -> Option<Pdf> {
    let mut plain = bytes.to_vec();
    for at in memmem::find_iter(bytes, ENCRYPT) {
        let end = at + ENCRYPT.len();
        let is_longer = bytes.get(end).is_some_and(u8::is_ascii_alphabetic);
        if !is_longer {
            plain[at..end].copy_from_slice(UNSAID);
        }
    }
    let opened = open_with(plain, None).ok()?;
    let is_plain = of_trailer(&opened, UNSAID).is_some_and(|encryption| {
        let is_unfiltered = |key| {
            let filter = name_of(&encryption, key);
            filter.is_none_or(|name| &*name == b"Identity")
        };
        let has_filters = encryption
            .get::<i64>("V")
            .is_some_and(|version| version >= 4);
        has_filters && is_unfiltered("StmF") && is_unfiltered("StrF")
    });
    is_plain.then_some(opened)
}

/// Returns how many streams of the contents of pages cannot be found, or go on into other objects. The content of the
/// first page also counts where it cannot be decoded.
fn damaged_contents(pdf: &Pdf) -> usize {
    let first = pdf.pages().first();
    let is_lost =
        first.is_some_and(|page| page.raw().contains_key(CONTENTS) && page.page_stream().is_none());
    let mut visited = HashSet::new();
    let streams = pdf.pages().iter().flat_map(|page| contents(page.raw()));
    let damaged = streams.filter(|id| {
        let is_endless = |stream: Stream<'_>| next_object(&stream.raw_data()).is_some();
        visited.insert(*id) && pdf.xref().get::<Stream<'_>>(*id).is_none_or(is_endless)
    });
    damaged.count() + usize::from(is_lost)
}

/// Returns the streams that the content of a page is in.
fn contents(page: &Dict<'_>) -> Vec<ObjectIdentifier> {
    let Some(parts) = page.get::<Array<'_>>(CONTENTS) else {
        let stream = page.get_ref(CONTENTS).map(ObjectIdentifier::from);
        return stream.into_iter().collect();
    };
    let parts = parts.raw_iter().take(MAX_PARTS);
    let streams = parts.filter_map(|part| match part {
        MaybeRef::Ref(part) => Some(ObjectIdentifier::from(part)),
        MaybeRef::NotRef(_) => None,
    });
    streams.collect()
}

/// Takes what is not a number out of the boxes of pages: what follows it could not be read, nor the page.
fn with_plain_boxes(bytes: &[u8]) -> Option<Vec<u8>> {
    const BOXES: [&[u8]; 5] = [
        b"/MediaBox",
        b"/CropBox",
        b"/BleedBox",
        b"/TrimBox",
        b"/ArtBox",
    ];
    /// How many bytes a box has at most.
    const LONGEST: usize = 200;
    let mut mended = bytes.to_vec();
    for key in BOXES {
        for at in memmem::find_iter(bytes, key) {
            let start = at + key.len();
            let rest = &bytes[start..bytes.len().min(start + LONGEST)];
            let open = rest.iter().position(|byte| !byte.is_ascii_whitespace());
            let end = rest.iter().position(|byte| b"]/<>".contains(byte));
            if let (Some(open), Some(end)) = (open, end)
                && rest[open] == b'['
                && rest[end] == b']'
            {
                mend_box(&mut mended[start + open + 1..start + end]);
            }
        }
    }
    (mended != bytes).then_some(mended)
}

/// Takes a sign that is not part of a number out of a box if it stands between numbers, and else all numbers, so that
/// the usual box holds. The box stays as long, so that all else stays where it is.
fn mend_box(content: &mut [u8]) {
    const NUMBERS: usize = 4;
    let is_plain = |byte: &u8| byte.is_ascii_digit() || b" \t\r\n+-.R".contains(byte);
    if content.iter().all(is_plain) {
        return;
    }
    let count = |content: &[u8]| {
        let words = content.split(u8::is_ascii_whitespace);
        words.filter(|word| !word.is_empty()).count()
    };
    let before = count(content);
    for byte in content.iter_mut().filter(|byte| !is_plain(byte)) {
        *byte = b' ';
    }
    if before >= NUMBERS || count(content) != NUMBERS {
        content.fill(b' ');
    }
}

/// Returns how many pages a file lists that cannot be read.
pub(super) fn missing_pages(pdf: &Pdf) -> usize {
    let root = catalog(pdf).and_then(|catalog| catalog.get::<Dict<'_>>("Pages"));
    let Some(root) = root else {
        return 0;
    };
    let count = root.get::<usize>("Count").unwrap_or(0);
    if count <= pdf.pages().len() {
        return 0;
    }
    let mut missing = 0;
    let mut visited = HashSet::new();
    let mut open = vec![root];
    while let Some(node) = open.pop().filter(|_| visited.len() < MAX_PAIRS) {
        let Some(kids) = node.get::<Array<'_>>("Kids") else {
            continue;
        };
        for kid in kids.raw_iter() {
            let MaybeRef::Ref(kid) = kid else {
                continue;
            };
            let kid = ObjectIdentifier::from(kid);
            if visited.insert(kid) {
                match pdf.xref().get::<Dict<'_>>(kid) {
                    Some(kid) => open.push(kid),
                    None => missing += 1,
                }
            }
        }
    }
    missing
}

/// Returns the root of the objects.
pub(super) fn catalog(pdf: &Pdf) -> Option<Dict<'_>> {
    pdf.xref().get(pdf.xref().root_id())
}

/// Returns whether a file asks its readers to draw the fields of its form anew: the values may have changed since they
/// were drawn.
pub(super) fn has_old_fields(pdf: &Pdf) -> bool {
    let form = catalog(pdf).and_then(|catalog| catalog.get::<Dict<'_>>("AcroForm"));
    form.and_then(|form| form.get::<bool>("NeedAppearances"))
        .unwrap_or(false)
}

/// Returns what the file says of itself.
pub(super) fn info(pdf: &Pdf) -> Option<Dict<'_>> {
    of_trailer(pdf, b"/Info")
}

/// Returns the object that trailers name under a key; the last one counts.
fn of_trailer<'a>(pdf: &'a Pdf, key: &[u8]) -> Option<Dict<'a>> {
    /// How many bytes a reference has at most.
    const LONGEST: usize = 35;
    let bytes = pdf.data().as_ref();
    memmem::rfind_iter(bytes, key).find_map(|at| {
        let start = at + key.len();
        let rest = &bytes[start..bytes.len().min(start + LONGEST)];
        let words = rest
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let mut words = words.map(|word| std::str::from_utf8(word).ok());
        let number = words.next()??.parse().ok()?;
        let generation = words.next()??.parse().ok()?;
        words.next()??.starts_with('R').then_some(())?;
        pdf.xref().get(ObjectIdentifier::new(number, generation))
    })
}

/// Returns the text under `key`, trimmed, unless it is blank.
pub(super) fn text(dictionary: &Dict<'_>, key: &[u8]) -> Option<String> {
    let text = decoded(dictionary.get::<Bytes<'_>>(key)?.as_bytes());
    let text = text.trim();
    (!text.is_empty()).then(|| text.into())
}

/// Decodes a text string (ISO 32000-2, 7.9.2.2): UTF-16 or UTF-8 with a byte order mark, or else the
/// encoding of its own that PDF has.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xfe, 0xff, ..] => encoding_rs::UTF_16BE.decode(bytes).0.into_owned(),
        [0xff, 0xfe, ..] => encoding_rs::UTF_16LE.decode(bytes).0.into_owned(),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|&byte| of_document(byte)).collect(),
    };
    letters::readable(&text)
}

/// Returns the character of a byte in the encoding that PDF has of its own (ISO 32000-2, D.2).
fn of_document(byte: u8) -> char {
    const ACCENTS: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
    const SIGNS: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚',
        '™', 'ﬁ', 'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
    ];
    match byte {
        0x18..=0x1f => ACCENTS[usize::from(byte - 0x18)],
        0x80..=0xa0 => SIGNS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Finds the pages that destinations point to.
pub(super) struct Destinations<'a> {
    pages: HashMap<ObjectIdentifier, usize>,
    names: HashMap<Vec<u8>, Object<'a>>,
}

impl<'a> Destinations<'a> {
    /// Collects the pages and the named destinations of a file.
    pub(super) fn new(pdf: &'a Pdf) -> Self {
        let pages = pdf.pages().iter().enumerate();
        Self {
            pages: pages
                .filter_map(|(index, page)| Some((page.raw().obj_id()?, index)))
                .collect(),
            names: catalog(pdf)
                .map(|catalog| names(&catalog))
                .unwrap_or_default(),
        }
    }

    /// Returns the index of the page that `destination` points to.
    pub(super) fn page(&self, destination: &Object<'a>) -> Option<usize> {
        let target = match name(destination) {
            Some(name) => self.names.get(&name)?,
            None => destination,
        };
        let list = match target {
            Object::Dict(dictionary) => dictionary.get::<Array<'_>>("D")?,
            Object::Array(list) => list.clone(),
            _ => return None,
        };
        match list.raw_iter().next()? {
            MaybeRef::Ref(page) => self.pages.get(&page.into()).copied(),
            // Only destinations in other files may give a number, but some writers do here.
            MaybeRef::NotRef(Object::Number(index)) => {
                let index = usize::try_from(index.as_i64()).ok()?;
                (index < self.pages.len()).then_some(index)
            }
            MaybeRef::NotRef(_) => None,
        }
    }
}

fn name(object: &Object<'_>) -> Option<Vec<u8>> {
    match object {
        Object::Name(name) => Some(name.as_ref().to_vec()),
        Object::String(name) => Some(name.as_bytes().to_vec()),
        _ => None,
    }
}

/// Collects the named destinations, of both the old dictionary and the name tree.
fn names<'a>(catalog: &Dict<'a>) -> HashMap<Vec<u8>, Object<'a>> {
    let mut found = HashMap::new();
    if let Some(dictionary) = catalog.get::<Dict<'a>>("Dests") {
        for key in dictionary.keys() {
            if let Some(value) = dictionary.get::<Object<'a>>(&*key) {
                found.insert(key.as_ref().to_vec(), value);
            }
        }
    }
    let tree = catalog.get::<Dict<'a>>("Names");
    if let Some(root) = tree.and_then(|names| names.get::<Dict<'a>>("Dests")) {
        for (key, value) in walk_pairs(root, "Names") {
            if let Some(name) = name(&key) {
                found.entry(name).or_insert(value);
            }
        }
    }
    found
}

/// Lists the files that the name tree of attached files has, each with its name there (ISO 32000-2, 7.7.4).
pub(super) fn attached_files(pdf: &Pdf) -> Vec<(String, Object<'_>)> {
    let tree = catalog(pdf).and_then(|catalog| catalog.get::<Dict<'_>>("Names"));
    let Some(root) = tree.and_then(|names| names.get::<Dict<'_>>("EmbeddedFiles")) else {
        return Vec::new();
    };
    let pairs = walk_pairs(root, "Names").into_iter();
    let files = pairs.filter_map(|(key, file)| match key {
        Object::String(name) => Some((decoded(name.as_bytes()), file)),
        _ => None,
    });
    files.collect()
}

/// Lists the numbers and values of the number tree under `root` (ISO 32000-2, 7.9.7).
pub(super) fn number_tree(root: Dict<'_>) -> Vec<(i64, Object<'_>)> {
    let pairs = walk_pairs(root, "Nums").into_iter();
    let numbered = pairs.filter_map(|(key, value)| match key {
        Object::Number(number) => Some((number.as_i64(), value)),
        _ => None,
    });
    numbered.collect()
}

/// Lists the pairs under `key` of all nodes of a name or number tree.
fn walk_pairs<'a>(root: Dict<'a>, key: &str) -> Vec<(Object<'a>, Object<'a>)> {
    let mut found = Vec::new();
    let mut visited = HashSet::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let is_fresh = node.obj_id().is_none_or(|id| visited.insert(id));
        if !is_fresh || found.len() + visited.len() > MAX_PAIRS {
            continue;
        }
        if let Some(kids) = node.get::<Array<'a>>("Kids") {
            let left = MAX_PAIRS.saturating_sub(open.len());
            open.extend(kids.iter::<Dict<'a>>().take(left));
        }
        let Some(pairs) = node.get::<Array<'a>>(key) else {
            continue;
        };
        let mut pairs = pairs.iter::<Object<'a>>();
        while let (Some(key), Some(value)) = (pairs.next(), pairs.next()) {
            found.push((key, value));
        }
    }
    found
}

/// Returns the name under `key`.
pub(super) fn name_of<'a>(dictionary: &Dict<'a>, key: &str) -> Option<Name<'a>> {
    dictionary.get(key)
}

#[cfg(test)]
pub(super) mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// Makes a file of objects. The first one is the catalog and gets number 1.
    pub(crate) fn file(objects: &[&str]) -> Pdf {
        let mut bytes = String::from("%PDF-1.7\n");
        for (number, object) in (1..).zip(objects) {
            let _ = write!(bytes, "{number} 0 obj\n{object}\nendobj\n");
        }
        bytes.push_str("trailer<</Root 1 0 R>>\n%%EOF\n");
        open(bytes.as_bytes(), None).ok().unwrap()
    }

    #[test]
    fn texts_are_decoded_by_their_mark() {
        assert_eq!(decoded(b"\xfe\xff\0M\0a\0i\0n"), "Main");
        assert_eq!(decoded(b"\xef\xbb\xbfcaf\xc3\xa9"), "café");
        assert_eq!(decoded(b"caf\xe9 \x84 \xa0"), "café — €");
    }
}
