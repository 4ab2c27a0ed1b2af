//! Which format a file is in: by its content first, by its extension second.

mod man;
mod rtf;

use std::path::Path;

use memchr::memmem;
use sectile_core::Format;

use crate::Error;
use crate::encoding;
use crate::foreign::{self, COMPOUND_FILE};

/// How far into the file the PDF header may stand, as readers accept it.
const PDF_HEADER_WITHIN: usize = 1_024;

/// How many bytes of a text are looked at to tell what it is.
const LOOKED_AT: usize = 65_536;

/// What a zip archive is that nothing more is known of.
const ZIP: &str = "it is a zip archive";

/// Formats that are packed in a zip archive.
const ARCHIVES: [Format; 7] = [
    Format::Docx,
    Format::Epub,
    Format::Odp,
    Format::Ods,
    Format::Odt,
    Format::Pptx,
    Format::Xlsx,
];

/// The name and the namespace of the root of a package of Office in a single XML file.
const FLAT_PACKAGE: (&[u8], &[u8]) = (
    b"package",
    b"http://schemas.microsoft.com/office/2006/xmlPackage",
);

/// The names and the namespaces of the roots of documents of Office 2003 in XML.
const WORD_2003: (&[u8], &[u8]) = (
    b"wordDocument",
    b"http://schemas.microsoft.com/office/word/2003/wordml",
);
const EXCEL_2003: (&[u8], &[u8]) = (b"Workbook", b"urn:schemas-microsoft-com:office:spreadsheet");

/// The roots of vocabularies of running text that are often without a declaration.
const ROOTS: [&[u8]; 5] = [b"TEI", b"article", b"book", b"feed", b"rss"];

/// Detects the format of a file from its `bytes`, or from the extension of `path` if the bytes are
/// ambiguous. Text whose extension says nothing is a web page, XML, a manual page, a message, a
/// mailbox or a notebook when it looks like one. So are a message, a mailbox and a notebook that
/// are named like a document that is not text. Text that has the extension of manual pages is one when it
/// begins with a macro. Text that is named `.txt`, or has no extension, is Markdown when it begins
/// like Markdown, as the `llms.txt` files of the web do, or MediaWiki when it has headings and
/// other markup of it; named `.asc` or `.ad` it is AsciiDoc when it has a title of AsciiDoc.
///
/// # Errors
///
/// Fails with [`Error::UnsupportedFormat`] when the bytes are neither a known document
/// nor text, or when the extension promises a document and the bytes are something else; with
/// [`Error::Encrypted`] when they are an Office file under a password.
pub fn detect(bytes: &[u8], path: &Path) -> Result<Format, Error> {
    if is_pdf(bytes, path) {
        return Ok(Format::Pdf);
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return detect_zip(bytes, path);
    }
    if is_encrypted_office(bytes) {
        return Err(Error::Encrypted {
            path: path.into(),
            is_wrong: false,
        });
    }
    if rtf::is_document(bytes, path) {
        return Ok(Format::Rtf);
    }
    if bytes.starts_with(COMPOUND_FILE) && (extension(path) == "xls" || foreign::is_workbook(bytes))
    {
        return Ok(Format::Xls);
    }
    if man::is_packed_page(bytes, path) {
        return Ok(Format::Man);
    }
    if let Some(reason) = foreign::describe(bytes, path) {
        return Err(Error::unsupported(path, reason));
    }
    if bytes.is_empty() && is_beside_database(path) {
        let reason = "it belongs to a database of SQLite";
        return Err(Error::unsupported(path, reason));
    }
    if has_root(bytes, FLAT_PACKAGE.0, FLAT_PACKAGE.1) {
        return detect_flat(bytes, path);
    }
    if has_root(bytes, EXCEL_2003.0, EXCEL_2003.1) {
        return Ok(Format::Xlsx);
    }
    if has_root(bytes, WORD_2003.0, WORD_2003.1) {
        let reason =
            "it is a Word document in the XML of 2003, which cannot be read; save it as .docx";
        return Err(Error::unsupported(path, reason));
    }
    // Attachments may be binary.
    let named = of_extension(&extension(path));
    if let Some(format @ (Format::Email | Format::Mbox)) = named
        && begins_with_header(bytes)
    {
        return Ok(format);
    }
    match encoding::check(bytes) {
        Ok(()) => detect_text(bytes, path),
        Err(_) if is_page_with_nuls(bytes, named) => Ok(Format::Html),
        Err(reason) => Err(Error::unsupported(path, describe(bytes, reason))),
    }
}

/// Says whether a file is named as those that SQLite keeps beside a database: they are empty at times, and else binary.
fn is_beside_database(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ["-wal", "-shm", "-journal"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// Says whether a file is a PDF. Before its header there may be junk; but what is text from end to end and has
/// another name speaks of such headers. Some files lack the version in it.
fn is_pdf(bytes: &[u8], path: &Path) -> bool {
    const HEADER: &[u8] = b"%PDF-";
    let head = &bytes[..bytes.len().min(PDF_HEADER_WITHIN)];
    let holds = |part: &[u8]| head.windows(part.len()).any(|window| window == part);
    let is_text = || extension(path) != "pdf" && std::str::from_utf8(bytes).is_ok();
    let has_header = holds(HEADER) && (bytes.starts_with(HEADER) || !is_text());
    has_header || (bytes.starts_with(b"%PDF") && holds(b" obj")) || is_headless_pdf(bytes, path)
}

/// Says whether a file that is named as a PDF is one whose header is missing or damaged: it has objects, and what says
/// where they are.
fn is_headless_pdf(bytes: &[u8], path: &Path) -> bool {
    let holds = |part: &[u8]| memmem::find(bytes, part).is_some();
    extension(path) == "pdf"
        && holds(b" obj")
        && holds(b"endobj")
        && (holds(b"trailer") || holds(b"startxref"))
}

/// Says whether `bytes` are the compound file that Office wraps round an encrypted document.
fn is_encrypted_office(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    bytes.starts_with(COMPOUND_FILE) && bytes.windows(name.len()).any(|window| window == name)
}

#[cfg(feature = "archive")]
fn detect_zip(bytes: &[u8], path: &Path) -> Result<Format, Error> {
    let limits = crate::Limits::default();
    let archive = crate::archive::Archive::open(bytes, &limits).ok();
    let named = of_extension(&extension(path)).filter(|format| ARCHIVES.contains(format));
    // A zip that cannot be opened is the loader's to explain when it was meant to be a document.
    let Some(mut archive) = archive else {
        return named.ok_or_else(|| Error::unsupported(path, "it is a damaged zip archive"));
    };
    if let Some(format) = archive.format().or_else(|| word_by_relationship(bytes)) {
        return Ok(format);
    }
    let reason = foreign::describe(bytes, path)
        .or_else(|| without_main_part(bytes, path, &archive))
        .unwrap_or_else(|| describe(bytes, ZIP));
    Err(Error::unsupported(path, reason))
}

/// Says what is missing in an archive that looks like a document of a format, or is named so.
#[cfg(feature = "archive")]
fn without_main_part(
    bytes: &[u8],
    path: &Path,
    archive: &crate::archive::Archive<'_>,
) -> Option<String> {
    let looks = infer::get(bytes).and_then(|kind| of_extension(kind.extension()));
    let named = of_extension(&extension(path));
    let part = looks.into_iter().chain(named).find_map(main_part)?;
    (!archive.has(part)).then(|| format!("it is a zip archive without the part {part}"))
}

/// Returns the part by which documents of a format in an archive are known.
#[cfg(feature = "archive")]
fn main_part(format: Format) -> Option<&'static str> {
    Some(match format {
        Format::Docx => "word/document.xml",
        Format::Epub => "META-INF/container.xml",
        Format::Odp | Format::Ods | Format::Odt => "mimetype",
        Format::Pptx => "ppt/presentation.xml",
        Format::Xlsx => "xl/workbook.xml",
        _ => return None,
    })
}

/// Finds out what is in a package of Office that is a single XML file.
fn detect_flat(bytes: &[u8], path: &Path) -> Result<Format, Error> {
    #[cfg(any(feature = "docx", feature = "pptx"))]
    if let Some(format) = crate::opc::flat::format(bytes) {
        return Ok(format);
    }
    let _ = bytes;
    let reason = "it is an Office document in a single XML file, which cannot be read; save it as .docx, .pptx or PDF";
    Err(Error::unsupported(path, reason))
}

/// Finds Word documents whose main part does not stand where it usually does.
#[cfg(feature = "archive")]
fn word_by_relationship(bytes: &[u8]) -> Option<Format> {
    #[cfg(feature = "docx")]
    if crate::docx::is_word(bytes) == Some(true) {
        return Some(Format::Docx);
    }
    let _ = bytes;
    None
}

#[cfg(not(feature = "archive"))]
fn detect_zip(bytes: &[u8], path: &Path) -> Result<Format, Error> {
    let found = infer::get(bytes).and_then(|kind| of_extension(kind.extension()));
    let named = of_extension(&extension(path));
    let mut formats = [found, named].into_iter().flatten();
    let format = formats.find(|format| ARCHIVES.contains(format));
    format.ok_or_else(|| {
        let reason = foreign::describe(bytes, path);
        Error::unsupported(path, reason.unwrap_or_else(|| describe(bytes, ZIP)))
    })
}

fn detect_text(bytes: &[u8], path: &Path) -> Result<Format, Error> {
    if man::is_named_page(bytes, path) {
        return Ok(Format::Man);
    }
    let extension = extension(path);
    let named = of_extension(&extension).filter(|format| !is_often_text(*format, bytes));
    match named {
        // The formats of an office that may stand in a single XML file.
        Some(format @ (Format::Odp | Format::Ods | Format::Odt))
            if extension.starts_with("fod") =>
        {
            Ok(format)
        }
        Some(format) if is_binary(format) => match by_look(bytes) {
            Some(found @ (Format::Email | Format::Ipynb | Format::Mbox)) => Ok(found),
            // Servers send a page about a mistake in the place of a file.
            Some(Format::Html) => {
                let reason = format!(
                    "it is named .{extension} but is a web page; if you want its text, rename it to .html"
                );
                Err(Error::unsupported(path, reason))
            }
            _ => {
                let reason = format!("it is named .{extension} but its content is not");
                Err(Error::unsupported(path, reason))
            }
        },
        Some(format) => Ok(format),
        None if is_code(bytes, path) => Ok(Format::Code),
        None if man::looks_like_page(bytes) => Ok(Format::Man),
        None => Ok(by_look(bytes).unwrap_or_else(|| by_markup(bytes, &extension))),
    }
}

/// Tells by its content what a text is, whatever its name.
fn by_look(bytes: &[u8]) -> Option<Format> {
    if looks_like_html(bytes) {
        Some(Format::Html)
    } else if looks_like_xml(bytes) {
        Some(Format::Xml)
    } else if looks_like_mailbox(bytes) {
        Some(Format::Mbox)
    } else if looks_like_email(bytes) {
        Some(Format::Email)
    } else {
        looks_like_notebook(bytes).then_some(Format::Ipynb)
    }
}

/// Tells what a text with a name that says little is by the markup in it.
fn by_markup(bytes: &[u8], extension: &str) -> Format {
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
    } else {
        Format::Text
    }
}

/// Says whether programs give the name of this format to web pages, tables and plain text, too, which the programs of the
/// format open.
fn is_often_text(format: Format, bytes: &[u8]) -> bool {
    matches!(format, Format::Rtf | Format::Xls) && !bytes.trim_ascii().is_empty()
}

/// Says whether the first line of a text has a tab in it.
fn has_tab(bytes: &[u8]) -> bool {
    let line = first_lines(bytes).next();
    line.is_some_and(|line| line.contains(&b'\t'))
}

/// Says whether a file is source code, in a language whose outline can be read.
#[cfg(feature = "code")]
fn is_code(bytes: &[u8], path: &Path) -> bool {
    // No first line of a script is longer.
    let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(256)]);
    sectile_code::Language::detect(path, &beginning).is_some()
}

#[cfg(not(feature = "code"))]
fn is_code(_: &[u8], _: &Path) -> bool {
    false
}

/// Returns whether files with this extension, in lower case, are of a format that is read.
///
/// ```
/// assert!(sectile_load::is_known_extension("docx"));
/// assert!(!sectile_load::is_known_extension("com"));
/// ```
pub fn is_known_extension(extension: &str) -> bool {
    extension == "txt" || of_extension(extension).is_some() || is_code_extension(extension)
}

#[cfg(feature = "code")]
fn is_code_extension(extension: &str) -> bool {
    sectile_code::Language::of_extension(extension).is_some()
}

#[cfg(not(feature = "code"))]
fn is_code_extension(_: &str) -> bool {
    false
}

/// Returns the format that files with this extension, in lower case, are in.
fn of_extension(extension: &str) -> Option<Format> {
    Some(match extension {
        "asciidoc" | "adoc" => Format::Asciidoc,
        "csv" => Format::Csv,
        "docx" | "docm" | "dotx" | "dotm" => Format::Docx,
        // A web page with its pictures is a message in form.
        "eml" | "mht" | "mhtml" => Format::Email,
        "epub" => Format::Epub,
        "html" | "htm" | "xht" | "xhtml" => Format::Html,
        "ipynb" => Format::Ipynb,
        "json" | "json5" | "jsonc" | "jsonl" | "ndjson" | "geojson" => Format::Json,
        // The last ones are those of R Markdown, Quarto, Livebook, Markdoc and Nuxt.
        "md" | "markdown" | "mdown" | "mkd" | "mkdn" | "mdwn" | "mdx" | "rmd" | "rmarkdown"
        | "qmd" | "livemd" | "mdoc" | "mdc" => Format::Markdown,
        "mbox" => Format::Mbox,
        "mediawiki" | "wiki" | "wikitext" => Format::Mediawiki,
        "fodp" | "odp" | "otp" => Format::Odp,
        "fods" | "ods" | "ots" => Format::Ods,
        "fodt" | "odt" | "ott" => Format::Odt,
        "org" => Format::Org,
        "pdf" => Format::Pdf,
        "pptx" | "pptm" | "potx" | "ppsx" => Format::Pptx,
        "rst" | "rest" => Format::Rst,
        "rtf" => Format::Rtf,
        "tex" | "latex" | "ltx" => Format::Latex,
        "tsv" | "tab" => Format::Tsv,
        "xls" => Format::Xls,
        "xlsx" | "xlsm" | "xlsb" | "xltx" => Format::Xlsx,
        "atom" | "dbk" | "docbook" | "nxml" | "plist" | "rss" | "svg" | "tei" | "xml" | "xsd" => {
            Format::Xml
        }
        "yaml" | "yml" => Format::Yaml,
        _ => return None,
    })
}

/// Says whether files of this format are not text, or begin with a mark.
fn is_binary(format: Format) -> bool {
    ARCHIVES.contains(&format) || matches!(format, Format::Pdf | Format::Rtf | Format::Xls)
}

/// Leaves out the byte order mark and the white space that a text begins with.
fn trimmed(bytes: &[u8]) -> &[u8] {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF");
    text.unwrap_or(bytes).trim_ascii_start()
}

/// Says whether a text begins as a mailbox does: with a sender, a day and a time.
fn looks_like_mailbox(bytes: &[u8]) -> bool {
    #[cfg(feature = "email")]
    return crate::email::begins_mailbox(bytes);
    #[cfg(not(feature = "email"))]
    {
        let _ = bytes;
        false
    }
}

/// Says whether a file begins with a header of a message, or the line before the headers.
fn begins_with_header(bytes: &[u8]) -> bool {
    let line = trimmed(bytes)
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
    line.starts_with(b"From ")
        || name.len() < line.len() && !name.is_empty() && name.iter().all(u8::is_ascii_graphic)
}

/// Says whether a text begins with the headers of a message: three that all messages have, or the
/// trace of a server and one of them.
fn looks_like_email(bytes: &[u8]) -> bool {
    let beginning = &trimmed(bytes)[..trimmed(bytes).len().min(LOOKED_AT)];
    let mut found = 0;
    for line in beginning.split(|&byte| byte == b'\n') {
        if line.trim_ascii().is_empty() {
            break;
        }
        let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
        let is_name = name.len() < line.len() && name.iter().all(u8::is_ascii_graphic);
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

/// Says whether a text begins as a web page does, behind its declaration, comments and the
/// directives of a server.
fn looks_like_html(bytes: &[u8]) -> bool {
    let beginning = behind_prolog(bytes);
    begins_with(beginning, b"<!doctype html") || begins_with(beginning, b"<html")
}

/// Says whether a file is a web page but for NULs, over which browsers pass: it begins as one, or is named so and begins
/// with a tag, and is text without them.
fn is_page_with_nuls(bytes: &[u8], named: Option<Format>) -> bool {
    let is_named = named == Some(Format::Html) && trimmed(bytes).starts_with(b"<");
    let is_text = || encoding::check_without_nuls(bytes).is_ok();
    (is_named || looks_like_html(bytes)) && is_text()
}

/// Says whether a text is a notebook: an object of JSON with the keys that all notebooks have.
fn looks_like_notebook(bytes: &[u8]) -> bool {
    let text = trimmed(bytes);
    let has = |key: &[u8]| memchr::memmem::find(text, key).is_some();
    text.starts_with(b"{")
        && has(b"\"nbformat\"")
        && has(b"\"metadata\"")
        && (has(b"\"cells\"") || has(b"\"worksheets\""))
}

/// Says whether a text begins as XML does: with a declaration, a document type, or an element that
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

/// Says whether the root of an XML file has this name, with any prefix, and declares this namespace.
fn has_root(bytes: &[u8], name: &[u8], namespace: &[u8]) -> bool {
    let beginning = behind_prolog(bytes);
    let tag = beginning.split(|&byte| byte == b'>').next();
    let Some(tag) = tag.and_then(|tag| tag.strip_prefix(b"<")) else {
        return false;
    };
    let mut words = tag.split(u8::is_ascii_whitespace);
    let full = words.next().unwrap_or_default();
    let local = full.rsplit(|&byte| byte == b':').next();
    local == Some(name) && memchr::memmem::find(tag, namespace).is_some()
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
            let end = memchr::memmem::find(rest, close.as_bytes())?;
            Some(end + close.len())
        });
        match closed {
            Some(end) => rest = rest[end..].trim_ascii_start(),
            None => return rest,
        }
    }
}

/// Says whether a text has two headings and a link or a fence near its beginning. Number signs
/// alone do not tell: they begin the comments of many kinds of files.
fn looks_like_markdown(bytes: &[u8]) -> bool {
    let has_markup =
        |line: &[u8]| line.starts_with(b"```") || line.windows(2).any(|pair| pair == b"](");
    let mut headings = first_lines(bytes).filter(|line| is_heading(line, b'#'));
    headings.nth(1).is_some() && first_lines(bytes).any(has_markup)
}

/// Says whether a text has two headings of MediaWiki near its beginning, the first of one of the two highest levels, and
/// bold words, a table, a footnote, or a link with a text. In `DokuWiki` the highest level has the most signs.
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
        let at = memchr::memmem::find(line, b"[[");
        let link = at.and_then(|at| line[at + 2..].split(|&byte| byte == b']').next());
        // A shell has blanks in its brackets.
        link.is_some_and(|link| !link.starts_with(b" ") && link.contains(&b'|'))
    };
    begins
        && first_lines(bytes).any(|line| {
            let has_note = memchr::memmem::find(line, b"<ref").is_some();
            line.starts_with(b"{|") || has_note || is_bold(line) || is_link(line)
        })
}

/// Says whether a text has a title of AsciiDoc near its beginning, and is not in the armour of PGP.
fn looks_like_asciidoc(bytes: &[u8]) -> bool {
    let is_armoured = trimmed(bytes).starts_with(b"-----BEGIN PGP ");
    !is_armoured && first_lines(bytes).any(|line| is_heading(line, b'='))
}

/// Returns the lines that are looked at to tell what a text is.
fn first_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let beginning = &bytes[..bytes.len().min(LOOKED_AT)];
    beginning.split(|&byte| byte == b'\n')
}

/// Says whether a line begins with from one to six signs and a space, as headings do.
fn is_heading(line: &[u8], sign: u8) -> bool {
    let level = line.iter().take_while(|&&byte| byte == sign).count();
    (1..=6).contains(&level) && line.get(level) == Some(&b' ')
}

fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// Says what binary `bytes` are, as far as their first bytes tell. What begins as a format that is read, and is not one,
/// is damaged or something else.
fn describe(bytes: &[u8], otherwise: &str) -> String {
    let kind = infer::get(bytes).filter(|kind| !is_known_extension(kind.extension()));
    let Some(kind) = kind else {
        return otherwise.into();
    };
    let (name, extension) = (kind.mime_type(), kind.extension());
    format!("files of type {name} (.{extension}) are not supported")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], path: &str, expected: Format) {
        assert_eq!(detect(bytes, Path::new(path)).unwrap(), expected);
    }

    fn check_refused(bytes: &[u8], path: &str, reason: &str) {
        let error = detect(bytes, Path::new(path)).unwrap_err();
        assert!(matches!(error, Error::UnsupportedFormat { .. }));
        assert!(error.to_string().contains(reason), "{error}");
    }

    #[test]
    fn content_goes_before_extension() {
        check(b"%PDF-1.7\n", "a.txt", Format::Pdf);
        check(b"junk\n%PDF-1.7\n", "a.pdf", Format::Pdf);
        check(b"%PDF\n1 0 obj\n", "a.txt", Format::Pdf);
        let headless = b"%\xe2\xe3\n1 0 obj\n<<>>\nendobj\ntrailer\n<</Root 1 0 R>>\n";
        check(headless, "a.pdf", Format::Pdf);
        check(&headless[4..], "a.txt", Format::Text);
        check_refused(b"1 0 obj", "a.pdf", "its content is not");
        check(b"\xFF\xFE\n%PDF-1.7\n", "a.bin", Format::Pdf);
        check(b"HEAD = b\"%PDF-1.7\"\n", "make.py", Format::Code);
        check(b"A file begins with %PDF-1.7.\n", "a.md", Format::Markdown);
        check(b"BM25 is a ranking function", "a.bmp", Format::Text);
    }

    #[test]
    fn text_is_markdown_by_extension_or_by_its_look() {
        check(b"# A\n[b](c)\n## D\n", "llms.txt", Format::Markdown);
        check(b"# A\n[b](c)\n## D\n", "a.conf", Format::Text);
        check(b"# x = 1\n# y = 2\n", "settings.txt", Format::Text);
        check(b"# Title\n", "a.txt", Format::Text);
        check(b"# Title\n", "README.MD", Format::Markdown);
        check(b"# Title\n", "README", Format::Text);
        check(b"", "empty.mdx", Format::Markdown);
        check(b"# Title\n", "vignette.Rmd", Format::Markdown);
        check(b"<html></html>", "a.html", Format::Html);
        check(b"\n<!DOCTYPE HTML>\n<p>text", "a", Format::Html);
        check(b"<html></html>", "a.xml", Format::Xml);
        check(b"{\\rtf1 text}", "a.doc", Format::Rtf);
    }

    #[test]
    fn pages_of_mediawiki_are_known_by_extension_or_by_their_look() {
        let page = b"'''Tool''' is a program.\n\n== Use ==\nRun it.\n=== Options ===\nNone.\n";
        check(page, "tool.txt", Format::Mediawiki);
        check(page, "Tool", Format::Mediawiki);
        check(page, "tool.md", Format::Markdown);
        check(b"text", "tool.wiki", Format::Mediawiki);
        check(b"text", "tool.mediawiki", Format::Mediawiki);
        let other = b"====== Tool ======\n===== Use =====\n[[a|b]] '''x'''\n";
        check(other, "tool.txt", Format::Text);
        check(b"= A =\n\n= B =\n\n[[anchor]]\n", "tool.txt", Format::Text);
        let shell = b"== A ==\n== B ==\n[[ -f x || -f y ]] && run\n";
        check(shell, "tool.txt", Format::Text);
        check(b"a\n=======\n[[b|c]]\n====\n", "notes.txt", Format::Text);
    }

    #[test]
    fn an_extension_of_two_meanings_is_told_by_the_content() {
        let guide = b"[[start]]\n=== Getting started\n\nFirst steps.\n";
        check(guide, "guide.asc", Format::Asciidoc);
        check(guide, "guide.ad", Format::Asciidoc);
        check(guide, "guide.txt", Format::Text);
        let signed = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n== Changes\n";
        check(signed, "release.asc", Format::Text);
        check(b"ncols 4\nnrows 6\n0 1 2 3\n", "grid.asc", Format::Text);
        check(b"a = b\n=======\n", "notes.asc", Format::Text);
    }

    #[test]
    fn an_extension_that_says_nothing_does_not_hide_the_content() {
        let page = b"<!-- saved --><!DOCTYPE html><p>a";
        check(page, "page.shtml", Format::Html);
        check(b"<%@ Page %>\n<html><p>a", "page.aspx", Format::Html);
        check(
            b"<?xml version='1.0'?>\n<!DOCTYPE html><html/>",
            "page.old",
            Format::Html,
        );
        check(b"<?xml version='1.0'?><article/>", "a.nxml", Format::Xml);
        check(b"<!DOCTYPE book PUBLIC 'x'><book/>", "a.sgm", Format::Xml);
        check(b"<kml xmlns='x'><a/></kml>", "a.kml", Format::Xml);
        check(b"<rss version='2.0'></rss>", "a.feed", Format::Xml);
        check(b"<b>bold</b> words", "a.note", Format::Text);
        check(b"<", "a.note", Format::Text);
        check(b"<?xml", "a.note", Format::Text);
        check(b"<!-- not closed <html>", "a.note", Format::Text);
    }

    #[test]
    fn manual_pages_are_known_by_their_macros() {
        let page = b".\\\" A comment.\n.TH LS 1\n.SH NAME\nls\n";
        check(page, "ls.1", Format::Man);
        check(page, "printf.3p", Format::Man);
        check(page, "ls.roff", Format::Man);
        check(page, "ls.1.in", Format::Man);
        check(page, "ls", Format::Man);
        check(page, "ls.md", Format::Markdown);
        check(b".Dd May 3, 2026\n.Dt LS 1\n", "ls.mdoc", Format::Man);
        check(b".so man1/dir.1\n", "ls.1", Format::Man);
        check(b"'\\\" t\n.de Sp\n..\n", "ls.8", Format::Man);
        check(b"# Title\n", "page.mdoc", Format::Markdown);
        check(b"started\n.SH\n", "log.1", Format::Text);
        check(b". /etc/profile\n.5\n", "run.1", Format::Text);
        check(b".SH NAME\n", "ls", Format::Text);
    }

    #[cfg(feature = "code")]
    #[test]
    fn source_code_is_known_by_extension_or_interpreter() {
        check(b"# x = 1\n", "a.py", Format::Code);
        check(b"#!/bin/sh\n", "tidy", Format::Code);
        check(b"#!/bin/sh\n", "tidy.txt", Format::Text);
        check(b"x", "a.unknown", Format::Text);
    }

    #[test]
    fn notebooks_and_messages_are_known_whatever_their_name() {
        let notebook = b"{\n \"cells\": [],\n \"metadata\": {},\n \"nbformat\": 4\n}";
        let mail = b"From: a@b.org\nTo: c@d.org\nSubject: e\n\nText\n";
        for name in ["a", "a.txt", "a.ipynb.bak", "a.pdf", "a.docx"] {
            check(notebook, name, Format::Ipynb);
            check(mail, name, Format::Email);
        }
        check(notebook, "a.json", Format::Json);
        check(b"{\"cells\": [], \"metadata\": {}}", "a.txt", Format::Text);
    }

    #[test]
    fn a_web_page_with_nuls_is_one_and_binary_data_is_not() {
        let mut page = b"<!DOCTYPE html><p>Some words of a page.".to_vec();
        page.resize(5_000, 0);
        check(&page, "a.html", Format::Html);
        check(&page, "a.bin", Format::Html);
        let mut part = b"<p>Some words of a page.".to_vec();
        part.resize(5_000, 0);
        check(&part, "a.html", Format::Html);
        part.extend([1; 100]);
        check_refused(&part, "a.html", "binary");
        check_refused(b"GIF89a\0\0\0\0\x01;", "a.html", "image/gif");
        check_refused(b"\x00\x00<html>\x01\x02\x03", "a.html", "binary");
    }

    #[test]
    fn messages_and_xml_are_known_without_an_extension() {
        let mail = b"From: a@b.org\nTo: c@d.org\nSubject: e\n\nText\n";
        check(mail, "1768", Format::Email);
        check(
            b"Received: from a\n\tby b\nDate: c\n\nText\n",
            "a.txt",
            Format::Email,
        );
        check(
            b"From: the beginning\nTo: the end\nin prose\nDate: none",
            "a",
            Format::Text,
        );
        check(b"From: a\nTo: b\n\nSubject: c\n", "a", Format::Text);
        check(
            b"\xEF\xBB\xBF<?xml version='1.0'?><a/>",
            "feed",
            Format::Xml,
        );
        check(b"<svg/>", "a.svg", Format::Xml);
        check(b"{}", "a.jsonc", Format::Json);
        check(mail, "1609459200.M5P6.host:2,S", Format::Email);
        check(mail, "page.mhtml", Format::Email);
        #[cfg(feature = "email")]
        check(
            b"From a@b Mon Jan  5 10:00:00 2026\n",
            "inbox",
            Format::Mbox,
        );
    }

    #[test]
    fn binary_files_are_named() {
        check_refused(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a.txt", "image/png");
        check_refused(&[0, 1, 2, 3, 4, 5, 0, 0, 9], "a.txt", "binary");
    }

    #[test]
    fn documents_of_office_in_xml_are_no_xml_of_any_vocabulary() {
        let word = b"<?xml version=\"1.0\"?>\n<?mso-application progid=\"Word.Document\"?>\n<w:wordDocument \
                     xmlns:w=\"http://schemas.microsoft.com/office/word/2003/wordml\"><w:body/></w:wordDocument>";
        let excel = b"\t<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\"/>";
        let flat = b"<pkg:package xmlns:pkg=\"http://schemas.microsoft.com/office/2006/xmlPackage\"></pkg:package>";
        for name in ["a.xml", "a.doc", "a.xls", "a"] {
            check_refused(word, name, "save it as .docx");
            check(excel, name, Format::Xlsx);
            check_refused(flat, name, "save it as .docx, .pptx or PDF");
        }
        check(b"<Workbook xmlns='urn:x'/>", "a.xml", Format::Xml);
        let page = b"<html xmlns:ss=\"urn:schemas-microsoft-com:office:spreadsheet\"><p>a</html>";
        check(page, "a.html", Format::Html);
    }

    #[test]
    fn text_named_like_a_document_is_refused() {
        check_refused(b"<html>not found</html>", "report.pdf", "named .pdf");
        check_refused(b"<html>not found</html>", "a.docx", "rename it to .html");
        check_refused(b"a note", "report.pdf", "its content is not");
        check_refused(b"", "empty.docx", "named .docx");
        check_refused(b"\n", "empty.xls", "named .xls");
    }

    #[test]
    fn text_named_like_a_workbook_or_rtf_is_what_it_is() {
        check(
            b"<html><table><tr><td>a</table></html>",
            "a.xls",
            Format::Html,
        );
        check(b"name\tprice\ntea\t3\n", "a.xls", Format::Csv);
        check(b"a note\n", "a.xls", Format::Text);
        check_refused(b"", "runs.db-wal", "it belongs to a database of SQLite");
        check_refused(b"", "runs-journal", "it belongs to a database of SQLite");
        check(b"", "a.txt", Format::Text);
        check(b"text", "my-journal", Format::Text);
        check(b"text", "a.rtf", Format::Text);
        check(b"{\\rtf1 a}", "a.rtf", Format::Rtf);
    }

    #[test]
    fn rtf_may_begin_below_its_first_line_or_without_its_header() {
        for name in ["a.rtf", "a.doc", "a"] {
            check(b"\r\n {\\rtf1 a}", name, Format::Rtf);
            check(b"\xEF\xBB\xBF\n{\\rtf1 a}", name, Format::Rtf);
        }
        check(b"saved by a tool\n{\\rtf1 a}", "a.rtf", Format::Rtf);
        check(b"{\\pard\\b a\\par}", "a.rtf", Format::Rtf);
        check(b"saved by a tool\n{\\rtf1 a}", "a.txt", Format::Text);
        check(b"{\\pard\\b a\\par}", "a.txt", Format::Text);
        check(b"The header is {\\rtf1, in braces.", "a.rtf", Format::Text);
        check(b"{ a list }", "a.rtf", Format::Text);
    }

    #[test]
    fn an_office_file_under_a_password_is_encrypted() {
        let mut bytes = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
        bytes.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
        let check = |name: &str, advice: &str| {
            let error = detect(&bytes, Path::new(name)).unwrap_err();
            assert!(matches!(error, Error::Encrypted { .. }));
            assert_eq!(error.to_string(), format!("{name} is encrypted; {advice}"));
        };
        check("a.docx", "save it without a password");
        check(
            "a.dat",
            "give its password if it is a PDF, or save it without one",
        );
    }
}
