//! Which format a file is in: by its content first, by its extension second.

mod look;
mod man;
mod packed;
mod rtf;
mod template;
#[cfg(test)]
mod tests;

use std::path::Path;

use memchr::memmem;
use sectile_core::Format;

use crate::Error;
use crate::encoding;
use crate::foreign::{self, COMPOUND_FILE};
use look::{
    begins_with_header, by_look, by_markup, has_root, is_of_apple_mail, looks_like_html, trimmed,
};
pub(crate) use template::is_template;

/// How far into the file the PDF header may stand, as readers accept it.
const PDF_HEADER_WITHIN: usize = 1_024;

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

/// The format of sources without one of their own.
const SOURCE: Format = if cfg!(feature = "code") {
    Format::Code
} else {
    Format::Text
};

/// Extensions of templates under which pages are saved, too, as servers name them.
const SERVED: [&str; 4] = ["asp", "aspx", "cfm", "jsp"];

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

/// Detects the format of a file from its `bytes`, or from the extension of `path` if the bytes are
/// ambiguous. Text whose extension says nothing is a web page, XML, a manual page, a message, a
/// mailbox or a notebook when it looks like one. So are a message, a mailbox and a notebook that
/// are named like a document that is not text. Text that has the extension of manual pages is one when it
/// begins with a macro. Text that is named `.txt`, or has no extension, is Markdown when it begins
/// like Markdown, as the `llms.txt` files of the web do, or MediaWiki when it has headings and
/// other markup of it; named `.asc` or `.ad` it is AsciiDoc when it has a title of AsciiDoc.
/// A web page that is a template, which a server fills in, is source code: it has statements of a server, or values in
/// braces and little text beside them. So is a part of a page with attributes that a browser fills in, and little text. Text in gzip has the format that it has unpacked.
///
/// # Errors
///
/// Fails with [`Error::UnsupportedFormat`] when the bytes are neither a known document
/// nor text, or when the extension promises a document and the bytes are something else; with
/// [`Error::Encrypted`] when they are an Office file under a password.
pub fn detect(bytes: &[u8], path: &Path) -> Result<Format, Error> {
    detect_sent(bytes, path, false)
}

/// Detects a format as [`detect`] does. What a web server sent is no template: the server has filled it in.
pub(crate) fn detect_sent(
    bytes: &[u8],
    path: &Path,
    is_from_server: bool,
) -> Result<Format, Error> {
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
    if let Some(detected) = detect_packed(bytes, path, is_from_server) {
        return detected;
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
    let named = Format::from_extension(&extension(path));
    if let Some(format @ (Format::Email | Format::Mbox)) = named
        && begins_with_header(bytes)
    {
        return Ok(format);
    }
    if is_of_apple_mail(bytes) {
        return Ok(Format::Email);
    }
    match encoding::check(bytes) {
        Ok(()) => detect_text(bytes, path, is_from_server),
        Err(_) if is_page_with_nuls(bytes, named) => Ok(Format::Html),
        Err(reason) => Err(Error::unsupported(path, describe(bytes, reason))),
    }
}

/// Finds out which format of text a file in gzip holds. What is packed in another way, or is not text, is not unpacked.
fn detect_packed(bytes: &[u8], path: &Path, is_from_server: bool) -> Option<Result<Format, Error>> {
    let (beginning, inner) = packed::beginning(bytes, path)?;
    if let Some(reason) = foreign::describe(&beginning, &inner) {
        return Some(Err(Error::unsupported(path, reason)));
    }
    let text = encoding::whole_characters(&beginning);
    let format = detect_sent(text, &inner, is_from_server).ok()?;
    (!format.is_binary()).then_some(Ok(format))
}

/// Returns whether a file is named as those that SQLite keeps beside a database: they are empty at times, and else
/// binary.
fn is_beside_database(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ["-wal", "-shm", "-journal"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// Returns whether a file is a PDF. Before its header there may be junk; but what is text from end to end and has
/// another name speaks of such headers. Some files lack the version in it.
fn is_pdf(bytes: &[u8], path: &Path) -> bool {
    const HEADER: &[u8] = b"%PDF-";
    let head = &bytes[..bytes.len().min(PDF_HEADER_WITHIN)];
    let holds = |part: &[u8]| head.windows(part.len()).any(|window| window == part);
    let is_text = || extension(path) != "pdf" && std::str::from_utf8(bytes).is_ok();
    let has_header = holds(HEADER) && (bytes.starts_with(HEADER) || !is_text());
    has_header || (bytes.starts_with(b"%PDF") && holds(b" obj")) || is_headless_pdf(bytes, path)
}

/// Returns whether a file that is named as a PDF is one whose header is missing or damaged: it has objects, and what
/// says where they are.
fn is_headless_pdf(bytes: &[u8], path: &Path) -> bool {
    let holds = |part: &[u8]| memmem::find(bytes, part).is_some();
    extension(path) == "pdf"
        && holds(b" obj")
        && holds(b"endobj")
        && (holds(b"trailer") || holds(b"startxref"))
}

/// Returns whether `bytes` are the compound file that Office wraps round an encrypted document.
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
    let named = Format::from_extension(&extension(path)).filter(|format| ARCHIVES.contains(format));
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
    let looks = infer::get(bytes).and_then(|kind| Format::from_extension(kind.extension()));
    let named = Format::from_extension(&extension(path));
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
    let found = infer::get(bytes).and_then(|kind| Format::from_extension(kind.extension()));
    let named = Format::from_extension(&extension(path));
    let mut formats = [found, named].into_iter().flatten();
    let format = formats.find(|format| ARCHIVES.contains(format));
    format.ok_or_else(|| {
        let reason = foreign::describe(bytes, path);
        Error::unsupported(path, reason.unwrap_or_else(|| describe(bytes, ZIP)))
    })
}

fn detect_text(bytes: &[u8], path: &Path, is_from_server: bool) -> Result<Format, Error> {
    let format = text_format(bytes, path, is_from_server)?;
    let is_source = format == Format::Html && !is_from_server && is_template(bytes);
    Ok(if is_source { SOURCE } else { format })
}

/// Finds out which format a text has, be it a template or not.
fn text_format(bytes: &[u8], path: &Path, is_from_server: bool) -> Result<Format, Error> {
    if man::is_named_page(bytes, path) {
        return Ok(Format::Man);
    }
    let extension = extension(path);
    let named = Format::from_extension(&extension).filter(|format| !is_often_text(*format, bytes));
    match named {
        // The formats of an office that may stand in a single XML file.
        Some(format @ (Format::Odp | Format::Ods | Format::Odt))
            if extension.starts_with("fod") =>
        {
            Ok(format)
        }
        Some(format) if format.is_binary() => match by_look(bytes) {
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
        None if !is_saved_page(bytes, path, is_from_server) && is_code(bytes, path) => {
            Ok(Format::Code)
        }
        None if man::looks_like_page(bytes) => Ok(Format::Man),
        None => {
            let text = encoding::narrowed(bytes);
            Ok(by_look(&text).unwrap_or_else(|| by_markup(&text, &extension)))
        }
    }
}

/// Returns whether programs give the name of this format to web pages, tables and plain text, too, which the programs
/// of the format open.
fn is_often_text(format: Format, bytes: &[u8]) -> bool {
    matches!(format, Format::Rtf | Format::Xls) && !bytes.trim_ascii().is_empty()
}

/// Returns whether a file is named as a template or a program, and is what a server made of one.
fn is_saved_page(bytes: &[u8], path: &Path, is_from_server: bool) -> bool {
    let was_filled_in = || SERVED.contains(&&*extension(path)) && !template::has_directive(bytes);
    looks_like_html(bytes) && (is_from_server || was_filled_in())
}

/// Returns whether a file is source code, in a language whose outline can be read.
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

/// Returns whether this extension, in lower case, is that of a format that can be loaded.
///
/// ```
/// assert!(sectile_load::is_known_extension("docx"));
/// assert!(!sectile_load::is_known_extension("com"));
/// ```
pub fn is_known_extension(extension: &str) -> bool {
    extension == "txt"
        || Format::from_extension(extension).is_some()
        || is_code_extension(extension)
}

#[cfg(feature = "code")]
fn is_code_extension(extension: &str) -> bool {
    sectile_code::Language::of_extension(extension).is_some()
}

#[cfg(not(feature = "code"))]
fn is_code_extension(_: &str) -> bool {
    false
}

/// Returns whether a file is a web page but for NULs, over which browsers pass: it begins as one, or is named so and
/// begins with a tag, and is text without them.
fn is_page_with_nuls(bytes: &[u8], named: Option<Format>) -> bool {
    let is_named = named == Some(Format::Html) && trimmed(bytes).starts_with(b"<");
    let is_text = || encoding::check_without_nuls(bytes).is_ok();
    (is_named || looks_like_html(bytes)) && is_text()
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
