//! Files made to break what reads them.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A hostile file: its name and its bytes.
pub(crate) type Hostile = (String, Vec<u8>);

/// The namespace of Word documents.
const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/// How deep things are nested that are nested too deep.
const DEEP: usize = 100_000;

/// Makes every hostile file.
pub(crate) fn all() -> Vec<Hostile> {
    let mut files = word_documents();
    files.extend(pdfs());
    files.extend(pages());
    files
}

fn word_documents() -> Vec<Hostile> {
    let spaces = |megabytes: usize| vec![b' '; megabytes << 20];
    let text = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let entities = "<!DOCTYPE a [<!ENTITY a0 'ha'>".to_owned()
        + &(1..30).fold(String::new(), |mut list, level| {
            let _ = write!(list, "<!ENTITY a{level} '&a{0};&a{0};'>", level - 1);
            list
        })
        + "]>"
        + &document(&text("&a29;"));
    let external = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>".to_owned()
        + &document(&text("&x;"));
    let files = [
        ("flat-bomb.docx", vec![("word/document.xml", spaces(600))]),
        ("nested-bomb.docx", vec![("word/document.xml", pack(&[("word/document.xml", spaces(600))]))]),
        ("styles-bomb.docx", vec![
            ("word/document.xml", document(&text("text")).into_bytes()),
            ("word/styles.xml", spaces(600)),
        ]),
        ("entities.docx", vec![("word/document.xml", entities.into_bytes())]),
        ("external-entity.docx", vec![("word/document.xml", external.into_bytes())]),
        ("deep.docx", vec![("word/document.xml", document(&"<w:x>".repeat(DEEP)).into_bytes())]),
        ("deep-tables.docx", vec![(
            "word/document.xml",
            document(&"<w:tbl><w:tr><w:tc>".repeat(DEEP)).into_bytes(),
        )]),
        ("tables.docx", vec![("word/document.xml", document(&nested_tables(1_300)).into_bytes())]),
        ("paragraphs.docx", vec![(
            "word/document.xml",
            document(&(0..1_000_000).fold(String::new(), |mut all, number| {
                let _ = write!(all, "<w:p><w:r><w:t>Paragraph {number}</w:t></w:r></w:p>");
                all
            }))
            .into_bytes(),
        )]),
        ("one-paragraph.docx", vec![(
            "word/document.xml",
            document(&format!("<w:p>{}</w:p>", "<w:r><w:t>run </w:t><w:tab/></w:r>".repeat(500_000)))
                .into_bytes(),
        )]),
        ("many-links.docx", vec![(
            "word/document.xml",
            document(&format!(
                "<w:p>{}</w:p>",
                "<w:hyperlink><w:r><w:t>a</w:t></w:r></w:hyperlink>".repeat(300_000)
            ))
            .into_bytes(),
        )]),
        ("many-terms.docx", vec![(
            "word/document.xml",
            format!(
                "<w:document xmlns:w='{WORD}' xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math'><w:body><w:p>{}{}</w:p></w:body></w:document>",
                "<m:f><m:num><m:r><m:t>a+</m:t></m:r>".repeat(2_000),
                "</m:num></m:f>".repeat(2_000),
            )
            .into_bytes(),
        )]),
        ("style-circle.docx", vec![
            ("word/document.xml", document("<w:p><w:pPr><w:pStyle w:val='a'/></w:pPr></w:p>").into_bytes()),
            ("word/styles.xml", b"<w:styles><w:style w:styleId='a'><w:basedOn w:val='a'/></w:style></w:styles>".to_vec()),
        ]),
        ("attributes.docx", vec![(
            "word/document.xml",
            format!("<w:document {}/>", (0..200_000).fold(String::new(), |mut all, number| {
                let _ = write!(all, "a{number}='' ");
                all
            }))
            .into_bytes(),
        )]),
    ];
    let mut made: Vec<Hostile> = files
        .into_iter()
        .map(|(name, parts)| (name.to_owned(), pack(&parts)))
        .collect();
    made.push(("claimed-10-gb.docx".into(), claiming(10 << 30)));
    made
}

/// Makes the main part of a Word document.
fn document(body: &str) -> String {
    format!("<w:document xmlns:w='{WORD}'><w:body>{body}</w:body></w:document>")
}

fn nested_tables(depth: usize) -> String {
    let open = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p>";
    format!(
        "{}{}",
        open.repeat(depth),
        "</w:tc></w:tr></w:tbl>".repeat(depth)
    )
}

fn pack(parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in parts {
        archive
            .start_file(*name, options)
            .expect("memory can be written");
        archive.write_all(bytes).expect("memory can be written");
    }
    archive
        .finish()
        .expect("memory can be written")
        .into_inner()
}

/// Makes a document whose directory claims that its main part has so many bytes, in the form for
/// sizes of more than 4 GB (APPNOTE 6.3.10, 4.5.3).
fn claiming(bytes: u64) -> Vec<u8> {
    let name = "word/document.xml";
    let content = document("<w:p><w:r><w:t>small</w:t></w:r></w:p>");
    let length = content.len() as u32;
    let mut extra = vec![1, 0, 8, 0];
    extra.extend(bytes.to_le_bytes());
    // Version, flags, method, time, date, checksum, sizes, lengths of name and extra field.
    let mut entry = vec![45, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    entry.extend(length.to_le_bytes());
    entry.extend(u32::MAX.to_le_bytes());
    entry.extend((name.len() as u16).to_le_bytes());
    entry.extend((extra.len() as u16).to_le_bytes());
    let mut file = b"PK\x03\x04".to_vec();
    for part in [&entry, name.as_bytes(), &extra, content.as_bytes()] {
        file.extend(part);
    }
    let directory = file.len() as u32;
    file.extend(b"PK\x01\x02\x2D\0");
    file.extend(&entry);
    // Comment, disk, attributes and offset are none.
    file.extend([0; 14]);
    file.extend(name.as_bytes());
    file.extend(&extra);
    let size = file.len() as u32 - directory;
    file.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    file.extend(size.to_le_bytes());
    file.extend(directory.to_le_bytes());
    file.extend([0; 2]);
    file
}

/// The catalog and the only page of most files.
const CATALOG: &str = "<</Type/Catalog/Pages 2 0 R>>";
const ONE_PAGE: &str = "<</Type/Pages/Kids[3 0 R]/Count 1>>";

fn page(contents: &str) -> String {
    format!(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {contents}\
         /Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
    )
}

fn hello() -> String {
    let text = "BT /F 12 Tf 20 700 Td (Hello there) Tj ET";
    format!("<</Length {}>>stream\n{text}\nendstream", text.len())
}

/// Makes a file of one sound page with entries in its catalog and more objects, from 5 on.
fn sound(entries: &str, objects: &[&str]) -> Vec<u8> {
    let catalog = CATALOG.replace(">>", &format!("{entries}>>"));
    let mut all = vec![catalog, ONE_PAGE.into(), page("4 0 R"), hello()];
    all.extend(objects.iter().map(|&object| object.to_owned()));
    pdf(&all, "")
}

/// Makes a file with another page tree, a page as object 3 and its contents as object 4.
fn tree(root: &str, page: String, contents: String) -> Vec<u8> {
    pdf(&[CATALOG.into(), root.into(), page, contents], "")
}

fn pdfs() -> Vec<Hostile> {
    let (deep_array, deep_dictionary) = ("[".repeat(DEEP), "<</A".repeat(DEEP));
    let huge = "<</Length 4294967296>>stream\nBT (x) Tj ET\nendstream";
    let outline = "<</Title(A)/Next 6 0 R/First 6 0 R/Parent 5 0 R/Dest[3 0 R/Fit]>>";
    let labels = "/PageLabels<</Nums[0<</S/a/St 2147483647/P(x)>>]>>";
    let one = [CATALOG.into(), ONE_PAGE.into(), page("4 0 R"), hello()];
    let reference = [CATALOG, ONE_PAGE, &page("4 0 R"), "5 0 R", "4 0 R"].map(str::to_owned);
    let files = vec![
        (
            "page-circle.pdf",
            tree(
                "<</Type/Pages/Kids[2 0 R 3 0 R 2 0 R]/Count 3>>",
                page("4 0 R"),
                hello(),
            ),
        ),
        (
            "parent-circle.pdf",
            tree(
                "<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>",
                "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>".into(),
                hello(),
            ),
        ),
        (
            "claimed-4-gb.pdf",
            tree(ONE_PAGE, page("4 0 R"), huge.into()),
        ),
        (
            "claimed-count.pdf",
            tree(
                "<</Type/Pages/Kids[3 0 R]/Count 2147483647>>",
                page("4 0 R"),
                hello(),
            ),
        ),
        ("xref-chain.pdf", xref_chain(20_000)),
        ("xref-circle.pdf", pdf(&one, "/Prev 9")),
        ("deep-array.pdf", sound("", &[&deep_array])),
        ("deep-dictionary.pdf", sound("", &[&deep_dictionary])),
        (
            "bookmark-circle.pdf",
            sound("/Outlines 5 0 R", &["<</First 6 0 R/Last 6 0 R>>", outline]),
        ),
        (
            "form-circle.pdf",
            sound("/AcroForm<</Fields[5 0 R]>>", &["<</Kids[5 0 R]/T(x)>>"]),
        ),
        (
            "names-circle.pdf",
            sound(
                "/Names<</Dests 5 0 R>>/PageLabels 5 0 R",
                &["<</Kids[5 0 R 5 0 R]>>"],
            ),
        ),
        ("labels.pdf", sound(labels, &[])),
        ("reference-circle.pdf", pdf(&reference, "")),
        ("many-pages.pdf", many_pages(20_000)),
        ("flate-bomb.pdf", flate_bomb()),
        ("empty.pdf", b"%PDF-1.7\n".to_vec()),
    ];
    let named = files.into_iter();
    named
        .map(|(name, bytes)| (name.to_owned(), bytes))
        .collect()
}

/// Makes a file of so many pages with the same contents.
fn many_pages(count: usize) -> Vec<u8> {
    let kids = (0..count).fold(String::new(), |mut kids, number| {
        let _ = write!(kids, "{} 0 R ", number + 4);
        kids
    });
    let root = format!("<</Type/Pages/Kids[{kids}]/Count {count}>>");
    let mut objects = vec![CATALOG.to_owned(), root, hello()];
    objects.extend((0..count).map(|_| page("3 0 R")));
    pdf(&objects, "")
}

/// Writes objects with a cross-reference table.
pub(crate) fn pdf(objects: &[String], trailer: &str) -> Vec<u8> {
    let objects: Vec<Vec<u8>> = objects
        .iter()
        .map(|object| object.clone().into_bytes())
        .collect();
    pdf_of(&objects, trailer)
}

fn pdf_of(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(objects) {
        offsets.push(file.len());
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let xref = file.len();
    let size = objects.len() + 1;
    file.extend(format!("xref\n0 {size}\n0000000000 65535 f \n").bytes());
    for offset in offsets {
        file.extend(format!("{offset:010} 00000 n \n").bytes());
    }
    let end = format!("trailer<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{xref}\n%%EOF\n");
    file.extend(end.bytes());
    file
}

/// Makes a file whose cross-reference tables refer to one before them so many times.
fn xref_chain(length: usize) -> Vec<u8> {
    let mut file = pdf(
        &[
            "<</Type/Catalog/Pages 2 0 R>>".into(),
            "<</Type/Pages/Kids[]/Count 0>>".into(),
        ],
        "",
    );
    let mut previous = file
        .windows(5)
        .position(|window| window == b"xref\n")
        .unwrap_or_default();
    for _ in 0..length {
        let here = file.len();
        file.extend(format!("xref\n0 0\ntrailer<</Size 3/Root 1 0 R/Prev {previous}>>\n").bytes());
        previous = here;
    }
    file.extend(format!("startxref\n{previous}\n%%EOF\n").bytes());
    file
}

/// Makes a page whose operators inflate to 250 MB.
fn flate_bomb() -> Vec<u8> {
    let text = b"BT /F 12 Tf (x) Tj ET\n".repeat(250_000_000 / 22);
    let packed = pack(&[("x", text)]);
    // The compressed bytes of the only file of the archive stand behind its name.
    let name = u16::from_le_bytes([packed[26], packed[27]]) as usize;
    let extra = u16::from_le_bytes([packed[28], packed[29]]) as usize;
    let directory = packed
        .windows(4)
        .rposition(|window| window == b"PK\x01\x02");
    let directory = directory.expect("the archive has a directory");
    let size = &packed[directory + 20..directory + 24];
    let size = u32::from_le_bytes([size[0], size[1], size[2], size[3]]) as usize;
    let deflated = &packed[30 + name + extra..][..size];
    // What zip calls deflated is what PDF calls flate behind two bytes of header.
    let mut stream = format!("<</Filter/FlateDecode/Length {}>>stream\n", size + 2).into_bytes();
    stream.extend([0x78, 0x9C]);
    stream.extend(deflated);
    stream.extend(b"\nendstream");
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>".to_vec(),
        stream,
    ];
    pdf_of(&objects, "")
}

fn pages() -> Vec<Hostile> {
    let nested = |tag: &str| format!("<html><body>{}text", format!("<{tag}>").repeat(DEEP));
    vec![
        ("deep.html".into(), nested("div").into_bytes()),
        ("deep-lists.html".into(), nested("ul><li").into_bytes()),
        (
            "deep-tables.html".into(),
            nested("table><tr><td").into_bytes(),
        ),
        (
            "tags.html".into(),
            format!("<html>{}", "<p>a<b>b</i>".repeat(200_000)).into_bytes(),
        ),
        (
            "attributes.html".into(),
            format!("<html><p {}>x", "a=b ".repeat(100_000)).into_bytes(),
        ),
    ]
}

/// Damages a file in the way that `seed` says: a byte changed, bytes cut out, the end cut off, or a
/// digit replaced.
pub(crate) fn mutate(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = |below: usize| {
        // Xorshift, as Marsaglia describes it.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut damaged = bytes.to_vec();
    match seed % 4 {
        0 => {
            for _ in 0..=random(8) {
                let at = random(damaged.len());
                damaged[at] ^= 1 << random(8);
            }
        }
        1 => damaged.truncate(random(bytes.len())),
        2 => {
            let start = random(damaged.len());
            let end = (start + random(400)).min(damaged.len());
            damaged.drain(start..end);
        }
        _ => {
            let digits: Vec<usize> = (0..damaged.len())
                .filter(|&at| damaged[at].is_ascii_digit())
                .collect();
            for _ in 0..4 {
                if let Some(&at) = digits.get(random(digits.len())) {
                    damaged[at] = b'0' + random(10) as u8;
                }
            }
        }
    }
    damaged
}
