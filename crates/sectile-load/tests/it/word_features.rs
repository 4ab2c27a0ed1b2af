//! Word documents made for one feature each.

use std::fmt::Write as _;
use std::io::{Cursor, Write};
use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{
    DocxLoader, DocxOptions, Error, Limits, LoadOptions, Loader as _, load_bytes, omissions,
};
use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::{load_error, outline};

const TRANSITIONAL: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONSHIP: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Packs parts into a document.
fn pack(parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in parts {
        archive.start_file(*name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Makes the main part with `body` as its content.
pub(crate) fn main_part(body: &str) -> String {
    format!(
        "<w:document xmlns:w='{TRANSITIONAL}' \
         xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006' \
         xmlns:r='{RELATIONSHIP}' \
         xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math'>\
         <w:body>{body}</w:body></w:document>"
    )
}

pub(crate) fn load(parts: &[(&str, &str)]) -> Document {
    let parts: Vec<_> = parts
        .iter()
        .map(|(name, xml)| (*name, xml.as_bytes().to_vec()))
        .collect();
    load_bytes(&pack(&parts), Path::new("made.docx")).unwrap()
}

/// Checks the text of a document with the given body and no other part.
pub(crate) fn check(body: &str, expected: &str) {
    let document = load(&[("word/document.xml", &main_part(body))]);
    assert_eq!(document.text, expected);
}

#[test]
fn a_package_in_one_xml_file_is_read() {
    let part = |name: &str, xml: &str| {
        format!("<pkg:part pkg:name=\"/{name}\"><pkg:xmlData>{xml}</pkg:xmlData></pkg:part>")
    };
    let package = |parts: &str| {
        let space = "http://schemas.microsoft.com/office/2006/xmlPackage";
        let start = "<?xml version=\"1.0\"?>\n<?mso-application progid=\"Word.Document\"?>\n";
        format!("{start}<pkg:package xmlns:pkg=\"{space}\">{parts}</pkg:package>")
    };
    let root = format!(
        "<Relationships><Relationship Type='{RELATIONSHIP}/officeDocument' Target='word/document.xml'/></Relationships>"
    );
    let body = main_part("<w:p><w:r><w:t>The rent is 1,250 EUR.</w:t></w:r></w:p>");
    let flat = package(&(part("_rels/.rels", &root) + &part("word/document.xml", &body)));
    for name in ["made.xml", "made"] {
        let document = load_bytes(flat.as_bytes(), Path::new(name)).unwrap();
        assert_eq!(document.format, Format::Docx);
        assert_eq!(document.text, "The rent is 1,250 EUR.\n");
    }
    let other = package(&part("xl/workbook.xml", "<workbook/>"));
    let said = load_error(other.as_bytes(), "made.xml").to_string();
    assert!(said.contains("save it as"), "{said}");
}

#[test]
fn the_main_part_is_found_through_relationships() {
    let root = format!(
        "<Relationships><Relationship Type='{RELATIONSHIP}/officeDocument' Target='/odd/main.xml'/></Relationships>"
    );
    let own = format!(
        "<Relationships><Relationship Type='{RELATIONSHIP}/styles' Target='../s/st.xml'/></Relationships>"
    );
    let document = load(&[
        ("_rels/.rels", &root),
        ("odd/_rels/main.xml.rels", &own),
        (
            "odd/main.xml",
            &main_part("<w:p><w:pPr><w:pStyle w:val='x'/></w:pPr><w:r><w:t>Hi</w:t></w:r></w:p>"),
        ),
        (
            "s/st.xml",
            "<w:styles><w:style w:styleId='x'><w:name w:val='heading 3'/></w:style></w:styles>",
        ),
    ]);
    assert_eq!(outline(&document), [(3, "Hi", "### Hi\n")]);
}

#[test]
fn any_prefix_and_the_strict_namespace_are_read() {
    let strict = "<x:document xmlns:x='http://purl.oclc.org/ooxml/wordprocessingml/main'>\
                  <x:body><x:p><x:r><x:t>strict</x:t></x:r></x:p></x:body></x:document>";
    assert_eq!(load(&[("word/document.xml", strict)]).text, "strict\n");
    let bare = strict.replace("x:", "").replace(":x", "");
    assert_eq!(load(&[("word/document.xml", &bare)]).text, "strict\n");
}

#[test]
fn parts_in_utf16_are_read() {
    let xml = main_part("<w:p><w:r><w:t>wide é</w:t></w:r></w:p>");
    let xml = format!("\u{FEFF}<?xml version='1.0' encoding='UTF-16'?>{xml}");
    let bytes = xml.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let document = load_bytes(
        &pack(&[("word/document.xml", bytes)]),
        Path::new("made.docx"),
    );
    assert_eq!(document.unwrap().text, "wide é\n");
}

#[test]
fn outline_levels_make_headings_and_unmake_them() {
    check(
        "<w:p><w:pPr><w:outlineLvl w:val='7'/></w:pPr><w:r><w:t>Deep</w:t></w:r></w:p>\
         <w:p><w:pPr><w:pStyle w:val='Heading1'/><w:outlineLvl w:val='9'/></w:pPr>\
           <w:r><w:t>Body</w:t></w:r></w:p>\
         <w:p><w:pPr><w:pStyle w:val='Heading2'/></w:pPr><w:r><w:t> Two</w:t><w:br/>\
           <w:t>lines </w:t></w:r></w:p>\
         <w:p><w:pPr><w:pStyle w:val='Heading2'/></w:pPr></w:p>",
        "###### Deep\n\nBody\n\n## Two lines\n",
    );
}

#[test]
fn tracked_changes_are_accepted() {
    check(
        "<w:p><w:r><w:t>a</w:t></w:r><w:del><w:r><w:delText>x</w:delText><w:t>x</w:t></w:r></w:del>\
         <w:ins><w:r><w:t>b</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>y</w:t></w:r></w:moveFrom>\
         <w:moveTo><w:r><w:t>c</w:t></w:r></w:moveTo></w:p>\
         <w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val='Heading1'/></w:pPr></w:pPrChange></w:pPr>\
         <w:r><w:rPr><w:ins/><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr>\
         <w:t>d</w:t></w:r></w:p>",
        "abc\n\nd\n",
    );
}

#[test]
fn deleted_rows_are_left_out() {
    let row = |properties: &str, text: &str| {
        let cell = format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
        format!("<w:tr>{properties}{cell}{cell}</w:tr>")
    };
    let gone = row("<w:trPr><w:del w:id='1'/></w:trPr>", "gone");
    let table = format!(
        "<w:tbl>{}{gone}{}</w:tbl>",
        row("", "a"),
        row("<w:trPr><w:gridBefore w:val='1'/></w:trPr>", "b")
    );
    check(&table, "| a | a |  |\n| --- | --- | --- |\n|  | b | b |\n");
}

#[test]
fn hidden_text_is_left_out() {
    check(
        "<w:p><w:r><w:t>a</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t><w:tab/></w:r>\
         <w:r><w:rPr><w:vanish w:val='false'/></w:rPr><w:t>b</w:t></w:r></w:p>",
        "ab\n",
    );
}

#[test]
fn hidden_text_and_tracked_deletions_are_counted() {
    let body = "<w:p><w:r><w:t>a</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>x y</w:t></w:r>\
        <w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:del><w:r><w:delText>too</w:delText></w:r></w:del>\
        <w:moveFrom><w:r><w:t>elsewhere</w:t></w:r></w:moveFrom></w:p>";
    let metadata = load(&[("word/document.xml", &main_part(body))]).metadata;
    assert_eq!(
        omissions(&metadata),
        [
            "2 letters of hidden text are left out",
            "2 tracked deletions are left out, as if they were accepted"
        ]
    );
    let shown = load(&[(
        "word/document.xml",
        &main_part("<w:p><w:r><w:t>a</w:t></w:r></w:p>"),
    )]);
    assert!(omissions(&shown.metadata).is_empty());
}

#[test]
fn special_characters_are_written() {
    check(
        "<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/>\
         <w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t>\
         <w:sym w:font='Symbol' w:char='F062'/><w:t xml:space='preserve'> &amp;&#x20AC;</w:t></w:r></w:p>",
        "a\tb\nc\u{2011}deβ &€\n",
    );
}

#[test]
fn alternatives_are_read_once() {
    check(
        "<w:p><w:r><w:t>anchor</w:t><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing>\
         <w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></w:drawing></mc:Choice>\
         <mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>\
         </w:pict></mc:Fallback></mc:AlternateContent><w:t> goes on</w:t></w:r></w:p>\
         <mc:AlternateContent><mc:Fallback><w:p><w:r><w:t>only</w:t></w:r></w:p></mc:Fallback>\
         </mc:AlternateContent>",
        "anchor goes on\n\nboxed\n\nonly\n",
    );
}

#[test]
fn content_controls_are_read_with_what_asks_for_text() {
    // Programs that fill in a control often leave the mark that nobody has.
    let control = "<w:sdt><w:sdtPr><w:showingPlcHdr/><w:text/></w:sdtPr><w:sdtContent>\
        <w:r><w:t>Ada</w:t></w:r></w:sdtContent></w:sdt>";
    check(
        &format!("<w:p><w:r><w:t xml:space='preserve'>Name: </w:t></w:r>{control}</w:p>"),
        "Name: Ada\n",
    );
}

#[test]
fn content_controls_are_read_at_every_level() {
    let paragraph = "<w:p><w:r><w:t>cell</w:t></w:r></w:p>";
    let control = |inner: &str| {
        format!(
            "<w:sdt><w:sdtPr><w:alias w:val='x'/><w:r><w:t>no</w:t></w:r></w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"
        )
    };
    let cell = format!("<w:tc>{paragraph}</w:tc>");
    let row = format!("<w:tr>{}{cell}</w:tr>", control(&cell));
    let inline = format!("<w:p>{}</w:p>", control("<w:r><w:t>inline</w:t></w:r>"));
    check(
        &format!(
            "{}{inline}<w:tbl>{}</w:tbl>",
            control(paragraph),
            control(&row)
        ),
        "cell\n\ninline\n\n| cell | cell |\n| --- | --- |\n",
    );
}

#[test]
fn a_table_of_one_cell_is_its_content() {
    check(
        "<w:tbl><w:tr><w:tc><w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:t>Box</w:t></w:r>\
         </w:p><w:p><w:r><w:t>a | b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
        "# Box\n\na | b\n",
    );
}

#[test]
fn equations_are_latex() {
    check(
        "<w:p><m:oMath><m:f><m:fPr><m:ctrlPr><w:rPr/></m:ctrlPr></m:fPr><m:num><m:r><m:t>1</m:t></m:r>\
         </m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p>",
        "$\\frac{1}{2}$\n",
    );
    let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let power = format!(
        "<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>",
        run("b"),
        run("2")
    );
    let root = format!("<m:rad><m:e>{power}{}</m:e></m:rad>", run("-4ac"));
    let fraction = format!(
        "<m:f><m:num>{}{root}</m:num><m:den>{}</m:den></m:f>",
        run("-b±"),
        run("2a")
    );
    check(
        &format!("<w:p><m:oMath>{}{fraction}</m:oMath></w:p>", run("x=")),
        "$x = \\frac{- b \\pm \\sqrt{b^{2} - 4ac}}{2a}$\n",
    );
}

#[test]
fn sums_brackets_matrices_and_plain_text_are_latex() {
    let run = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let sub = format!(
        "<m:sSub><m:e>{}</m:e><m:sub>{}</m:sub></m:sSub>",
        run("a"),
        run("0")
    );
    let fraction = format!(
        "<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>",
        run("nπx"),
        run("L")
    );
    let sum = format!(
        "<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{}</m:sub><m:sup>{}</m:sup><m:e><m:d><m:e>\
         <m:func><m:fName>{}</m:fName><m:e>{fraction}</m:e></m:func></m:e></m:d></m:e></m:nary>",
        run("n=1"),
        run("∞"),
        run("cos")
    );
    check(
        &format!(
            "<w:p><m:oMathPara><m:oMath>{}{sub}{}{sum}</m:oMath></m:oMathPara></w:p>",
            run("f(x)="),
            run("+")
        ),
        "$$f(x) = a_{0} + \\sum_{n = 1}^{\\infty}\\left( \\cos \\frac{n\\pi x}{L} \\right)$$\n",
    );
    check(
        &format!(
            "<w:p><m:oMath><m:m><m:mPr/><m:mr><m:e>{}</m:e><m:e>{}</m:e></m:mr><m:mr><m:e>{}</m:e></m:mr></m:m>\
             <m:r><m:rPr><m:nor/></m:rPr><m:t>if 5%</m:t></m:r><m:rad><m:deg>{}</m:deg><m:e>{}</m:e></m:rad>\
             </m:oMath></w:p>",
            run("a"),
            run("b"),
            run("c"),
            run("3"),
            run("x")
        ),
        "$\\begin{matrix} a & b \\\\ c \\end{matrix}\\text{if 5\\%}\\sqrt[3]{x}$\n",
    );
}

#[test]
fn the_files_of_a_master_document_are_named() {
    let related = format!(
        "<Relationships><Relationship Id='s' Type='{RELATIONSHIP}/subDocument' Target='Chapter1.docx' \
         TargetMode='External'/></Relationships>"
    );
    let body = main_part("<w:p><w:r><w:t>Contents</w:t></w:r></w:p><w:subDoc r:id='s'/>");
    let document = load(&[
        ("word/document.xml", &body),
        ("word/_rels/document.xml.rels", &related),
    ]);
    assert_eq!(document.text, "Contents\n");
    assert_eq!(
        omissions(&document.metadata),
        ["Chapter1.docx, which it includes, is not part of the text"]
    );
}

#[test]
fn charts_diagrams_and_chunks_are_read() {
    let relationships = format!(
        "<!DOCTYPE x><Relationships><Relationship Id='c' Type='{RELATIONSHIP}/chart' Target='charts/chart1.xml'/>\
         <Relationship Id='d' Type='{RELATIONSHIP}/diagramData' Target='data.xml'/>\
         <Relationship Id='t' Type='{RELATIONSHIP}/aFChunk' Target='part.txt'/>\
         <Relationship Id='u' Type='{RELATIONSHIP}/aFChunk' Target='part.xyz'/>\
         <Relationship Id='o' Type='{RELATIONSHIP}/oleObject' Target='embeddings/o.bin'/>\
         <Relationship Id='p' Type='{RELATIONSHIP}/package' Target='embeddings/p.xlsx'/></Relationships>"
    );
    let cache = |kind: &str, values: [&str; 2]| {
        let [one, two] = values;
        format!(
            "<c:{kind}><c:f>S!A1</c:f><c:ptCount val='2'/><c:pt idx='0'><c:v>{one}</c:v></c:pt>\
             <c:pt idx='1'><c:v>{two}</c:v></c:pt></c:{kind}>"
        )
    };
    let chart = format!(
        "<c:chartSpace><c:chart><c:title><a:t>Sales</a:t></c:title><c:ser><c:tx><c:strCache><c:pt idx='0'>\
         <c:v>East</c:v></c:pt></c:strCache></c:tx><c:cat>{}</c:cat><c:val>{}</c:val></c:ser></c:chart></c:chartSpace>",
        cache("strCache", ["Q1", "Q2"]),
        cache("numCache", ["4.5", "7"])
    );
    let body = "<w:p><w:r><w:drawing><c:chart xmlns:c='c' r:id='c'/></w:drawing></w:r></w:p>\
        <w:p><w:r><w:drawing><dgm:relIds xmlns:dgm='d' r:dm='d'/></w:drawing></w:r></w:p>\
        <w:altChunk r:id='t'/><w:altChunk r:id='u'/>";
    let document = load(&[
        ("word/document.xml", &main_part(body)),
        ("word/_rels/document.xml.rels", &relationships),
        ("word/charts/chart1.xml", &chart),
        (
            "word/data.xml",
            "<d:m><d:pt><a:t>Plan</a:t></d:pt><d:pt><a:t>Do</a:t></d:pt></d:m>",
        ),
        ("word/part.txt", "a chunk"),
        ("word/part.xyz", "?"),
        ("word/embeddings/o.bin", "?"),
        ("word/embeddings/p.xlsx", "?"),
    ]);
    assert_eq!(
        document.text,
        "Chart: Sales\n\n|  | East |\n| --- | --- |\n| Q1 | 4.5 |\n| Q2 | 7 |\n\n- Plan\n- Do\n\na chunk\n"
    );
    assert_eq!(
        document.metadata.extra["unread_parts"],
        json!([
            "word/part.xyz",
            "word/embeddings/o.bin",
            "word/embeddings/p.xlsx"
        ])
    );
}

#[cfg(all(feature = "html", feature = "rtf"))]
#[test]
fn what_chunks_hide_is_counted_with_the_rest() {
    let chunk = |id: &str, file: &str| {
        format!("<Relationship Id='{id}' Type='{RELATIONSHIP}/aFChunk' Target='{file}'/>")
    };
    let related = format!(
        "<Relationships>{}{}</Relationships>",
        chunk("r", "part.rtf"),
        chunk("h", "part.html")
    );
    let body = "<w:p><w:r><w:t>a</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r></w:p>\
        <w:altChunk r:id='r'/><w:altChunk r:id='h'/>";
    let document = load(&[
        ("word/document.xml", &main_part(body)),
        ("word/_rels/document.xml.rels", &related),
        ("word/part.rtf", "{\\rtf1 b{\\v not}\\par}"),
        ("word/part.html", "<p>c</p><p hidden>not at all</p>"),
    ]);
    assert_eq!(document.text, "a\n\nb\n\nc\n");
    let extra = &document.metadata.extra;
    assert_eq!(extra["hidden_letters_left_out"], 5);
    assert_eq!(extra["left_out_words"], json!({"hidden": 3}));
}

#[cfg(feature = "rtf")]
#[test]
fn what_makes_a_chunk_doubtful_is_said_of_the_document() {
    let related = format!(
        "<Relationships><Relationship Id='c' Type='{RELATIONSHIP}/aFChunk' Target='FILE'/></Relationships>"
    );
    let check = |file: &str, bytes: &[u8], text: &str, said: &[&str]| {
        let part = format!("word/{file}");
        let document = pack(&[
            (
                "word/document.xml",
                main_part("<w:altChunk r:id='c'/>").into_bytes(),
            ),
            (
                "word/_rels/document.xml.rels",
                related.replace("FILE", file).into_bytes(),
            ),
            (&part, bytes.to_vec()),
        ]);
        let document = load_bytes(&document, Path::new("made.docx")).unwrap();
        assert_eq!(document.text, text);
        let extra = document.metadata.extra.iter();
        let said_of: Vec<&str> = extra
            .filter(|(_, value)| value.as_bool() == Some(true))
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(said_of, said);
    };
    check(
        "a.txt",
        b"from K\x94ln",
        "from K\u{201d}ln\n",
        &["encoding_unsure"],
    );
    check("a.txt", b"from Cologne", "from Cologne\n", &[]);
    check("a.rtf", b"{\\rtf1 a\\par b", "a\n\nb\n", &["cut_off"]);
    check("a.rtf", b"{\\rtf1 a\\par b}", "a\n\nb\n", &[]);
}

#[test]
fn what_headers_and_notes_show_from_other_parts_is_read() {
    let related = |entries: &[(&str, &str, &str)]| {
        let entry = |(id, kind, target): &(&str, &str, &str)| {
            format!("<Relationship Id='{id}' Type='{RELATIONSHIP}/{kind}' Target='{target}'/>")
        };
        let entries: String = entries.iter().map(entry).collect();
        format!("<Relationships>{entries}</Relationships>")
    };
    let diagram = |text: &str| format!("<d:m><d:pt><a:t>{text}</a:t></d:pt></d:m>");
    let shown = "<w:p><w:r><w:drawing><dgm:relIds xmlns:dgm='d' r:dm='d'/></w:drawing></w:r></w:p>";
    let part = |root: &str, inner: &str| {
        format!("<w:{root} xmlns:w='{TRANSITIONAL}' xmlns:r='{RELATIONSHIP}'>{inner}</w:{root}>")
    };
    let note = format!("<w:footnote w:id='7'>{shown}</w:footnote>");
    let body = "<w:p><w:r><w:t>Body</w:t><w:footnoteReference w:id='7'/></w:r></w:p>";
    let main = [
        ("1", "header", "header1.xml"),
        ("2", "footnotes", "footnotes.xml"),
    ];
    let object = [
        ("d", "diagramData", "note.xml"),
        ("o", "oleObject", "note.bin"),
    ];
    let parts = [
        ("word/document.xml", main_part(body)),
        ("word/_rels/document.xml.rels", related(&main)),
        ("word/header1.xml", part("hdr", shown)),
        (
            "word/_rels/header1.xml.rels",
            related(&[("d", "diagramData", "head.xml")]),
        ),
        ("word/head.xml", diagram("Of the head")),
        ("word/footnotes.xml", part("footnotes", &note)),
        ("word/_rels/footnotes.xml.rels", related(&object)),
        ("word/note.xml", diagram("Of the note")),
        ("word/note.bin", "?".to_owned()),
    ];
    let parts: Vec<(&str, Vec<u8>)> = parts
        .into_iter()
        .map(|(name, xml)| (name, xml.into_bytes()))
        .collect();
    let mut options = LoadOptions::default();
    options.docx.headers_and_footers = true;
    let document = DocxLoader::new(options).load(&pack(&parts), Path::new("made.docx"));
    let document = document.unwrap();
    assert!(document.text.contains("Of the head"), "{}", document.text);
    assert!(document.text.contains("Of the note"), "{}", document.text);
    assert_eq!(
        document.metadata.extra["unread_parts"],
        json!(["word/note.bin"])
    );
}

#[test]
fn headings_out_of_their_list_have_no_number_and_do_not_count() {
    let relationships = format!(
        "<Relationships><Relationship Id='s' Type='{RELATIONSHIP}/styles' Target='styles.xml'/>\
         <Relationship Id='n' Type='{RELATIONSHIP}/numbering' Target='numbering.xml'/></Relationships>"
    );
    let list = |id: u32| format!("<w:numPr><w:numId w:val='{id}'/></w:numPr>");
    let styles = format!(
        "<w:styles><w:style w:styleId='H'><w:name w:val='heading 1'/><w:pPr>{}</w:pPr></w:style>\
         <w:style w:styleId='N'><w:name w:val='Mine'/><w:basedOn w:val='H'/><w:pPr>{}</w:pPr></w:style></w:styles>",
        list(1),
        list(0)
    );
    let numbering = "<w:numbering><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:start w:val='1'/>\
        <w:numFmt w:val='decimal'/><w:lvlText w:val='%1'/></w:lvl></w:abstractNum>\
        <w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>";
    let heading = |style: &str, own: &str, text: &str| {
        format!(
            "<w:p><w:pPr><w:pStyle w:val='{style}'/>{own}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body = [
        heading("H", &list(0), "Preface"),
        heading("H", "", "One"),
        heading("N", "", "Annex"),
        heading("H", "", "Two"),
    ];
    let document = load(&[
        ("word/document.xml", &main_part(&body.concat())),
        ("word/_rels/document.xml.rels", &relationships),
        ("word/styles.xml", &styles),
        ("word/numbering.xml", numbering),
    ]);
    let expected = "# Preface\n\n# 1 One\n\n# Annex\n\n# 2 Two\n";
    assert_eq!(document.text, expected);
}

#[test]
fn words_of_old_word_art_are_read() {
    check(
        "<w:p><w:r><w:t>Of 2024</w:t><w:pict xmlns:v='v'><v:shapetype><v:textpath on='t'/></v:shapetype>\
         <v:shape><v:textpath style='font-size:12pt' string='Annual report'/></v:shape></w:pict></w:r></w:p>",
        "Of 2024\n\nAnnual report\n",
    );
}

/// Loads a document with this chart.
fn load_chart(chart: &str) -> Document {
    let relationships = format!(
        "<Relationships><Relationship Id='c' Type='{RELATIONSHIP}/chart' Target='chart1.xml'/></Relationships>"
    );
    let body = "<w:p><w:r><w:drawing><c:chart xmlns:c='c' r:id='c'/></w:drawing></w:r></w:p>";
    load(&[
        ("word/document.xml", &main_part(body)),
        ("word/_rels/document.xml.rels", &relationships),
        ("word/chart1.xml", chart),
    ])
}

/// Writes the values of a part of a series.
fn points(part: &str, values: &[&str]) -> String {
    let mut points = String::new();
    for (index, value) in values.iter().enumerate() {
        let _ = write!(points, "<c:pt idx='{index}'><c:v>{value}</c:v></c:pt>");
    }
    format!("<c:{part}><c:numRef><c:numCache>{points}</c:numCache></c:numRef></c:{part}>")
}

#[test]
fn boxes_on_a_chart_are_read() {
    let related = |kind: &str, target: &str| {
        format!(
            "<Relationships><Relationship Id='c' Type='{RELATIONSHIP}/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let body = "<w:p><w:r><w:drawing><c:chart xmlns:c='c' r:id='c'/></w:drawing></w:r></w:p>";
    let chart = "<c:chartSpace><c:chart><c:title><a:t>Sales</a:t></c:title></c:chart><c:userShapes r:id='c'/></c:chartSpace>";
    let shapes = "<c:userShapes><cdr:relSizeAnchor><cdr:sp><cdr:txBody><a:p><a:r><a:t>Strike in May</a:t></a:r></a:p>\
        </cdr:txBody></cdr:sp></cdr:relSizeAnchor></c:userShapes>";
    let document = load(&[
        ("word/document.xml", &main_part(body)),
        (
            "word/_rels/document.xml.rels",
            &related("chart", "charts/chart1.xml"),
        ),
        ("word/charts/chart1.xml", chart),
        (
            "word/charts/_rels/chart1.xml.rels",
            &related("chartUserShapes", "../drawings/drawing1.xml"),
        ),
        ("word/drawings/drawing1.xml", shapes),
    ]);
    assert_eq!(document.text, "Chart: Sales\n\nStrike in May\n");
}

#[test]
fn scatter_and_bubble_charts_keep_both_numbers_the_sizes_and_the_labels() {
    let series = |name: &str, x: &[&str], y: &[&str], rest: &str| {
        let (name, x, y) = (points("tx", &[name]), points("xVal", x), points("yVal", y));
        format!("<c:ser>{name}{x}{y}{rest}</c:ser>")
    };
    let sizes = points("bubbleSize", &["70", "80"])
        + "<c:dLbls><c:dLbl><c:idx val='1'/><c:tx><c:rich><a:p><a:r><a:t>peak</a:t></a:r></a:p></c:rich></c:tx>\
           </c:dLbl></c:dLbls>";
    let chart = format!(
        "<c:chartSpace>{}{}</c:chartSpace>",
        series("A", &["1.5", "2.5"], &["10", "20"], ""),
        series("B", &["3.5", "4.5"], &["30", "40"], &sizes)
    );
    assert_eq!(
        load_chart(&chart).text,
        "|  | A |\n| --- | --- |\n| 1.5 | 10 |\n| 2.5 | 20 |\n\n\
         |  | B | B size | B label |\n| --- | --- | --- | --- |\n| 3.5 | 30 | 70 |  |\n| 4.5 | 40 | 80 | peak |\n"
    );
}

#[test]
fn numbers_of_charts_are_as_shown_and_texts_as_they_are() {
    let cache = |code: &str, points: &str| {
        format!(
            "<c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{points}</c:numCache></c:numRef>"
        )
    };
    let point = |index: u32, value: &str| format!("<c:pt idx='{index}'><c:v>{value}</c:v></c:pt>");
    let days = cache("m/d/yy", &(point(0, "37261") + &point(1, "37262")));
    let own = "<c:pt idx='1' formatCode='0.00'><c:v>0.5</c:v></c:pt>";
    let shares = cache("0%", &(point(0, "0.25") + own));
    let chart = format!(
        "<c:chartSpace><c:ser><c:tx><c:strRef><c:strCache>{}</c:strCache></c:strRef></c:tx><c:cat>{days}</c:cat>\
         <c:val>{shares}</c:val></c:ser></c:chartSpace>",
        point(0, "007")
    );
    let expected = "|  | 007 |\n| --- | --- |\n| 2002-01-05 | 25% |\n| 2002-01-06 | 0.5 |\n";
    assert_eq!(load_chart(&chart).text, expected);
    let late = chart.replace("<c:chartSpace>", "<c:chartSpace><c:date1904 val='1'/>");
    assert!(load_chart(&late).text.contains("| 2006-01-06 | 25% |"));
    let new = "<cx:chartSpace><cx:data><cx:strDim><cx:lvl><cx:pt idx='0'>01.0</cx:pt></cx:lvl></cx:strDim>\
        <cx:numDim><cx:lvl formatCode='0%'><cx:pt idx='0'>0.5</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartSpace>";
    assert!(load_chart(new).text.contains("| 01.0 | 50% |"));
}

#[test]
fn values_of_a_chart_are_as_its_labels_show_them() {
    let chart = |labels: &str| {
        let text = load_chart(&format!(
            "<c:chartSpace><c:ser><c:dLbls>{labels}</c:dLbls><c:val><c:numRef><c:numCache>\
             <c:formatCode>\"$\"0</c:formatCode><c:pt idx='0'><c:v>15.53</c:v></c:pt></c:numCache></c:numRef>\
             </c:val></c:ser></c:chartSpace>"
        ))
        .text;
        text.contains("$15.53")
    };
    let own = "<c:numFmt formatCode='\"$\"0.00' sourceLinked='0'/>";
    assert!(chart(&format!(
        "{own}<c:showVal val='1'/><c:showPercent val='0'/>"
    )));
    assert!(!chart(&format!(
        "{own}<c:showVal val='0'/><c:showPercent val='0'/>"
    )));
    assert!(!chart(&format!(
        "{own}<c:showVal val='1'/><c:showPercent val='1'/>"
    )));
    let linked = own.replace("'0'/>", "'1'/>");
    assert!(!chart(&format!("{linked}<c:showVal val='1'/>")));
}

#[test]
fn a_chart_of_a_hundred_thousand_points_is_read() {
    let values: Vec<String> = (0..100_001).map(|value| value.to_string()).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let chart = format!(
        "<c:chartSpace><c:ser>{}</c:ser></c:chartSpace>",
        points("val", &values)
    );
    assert!(load_chart(&chart).text.contains("100000"));
}

#[test]
fn categories_on_levels_and_the_charts_of_2016_are_read() {
    let level = |points: &str| format!("<c:lvl>{points}</c:lvl>");
    let point = |index: u32, text: &str| format!("<c:pt idx='{index}'><c:v>{text}</c:v></c:pt>");
    let inner = level(&(point(0, "Q1") + &point(1, "Q2") + &point(2, "Q1")));
    let outer = level(&(point(0, "2025") + &point(2, "2026")));
    let chart = format!(
        "<c:chartSpace><c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache>{inner}{outer}</c:multiLvlStrCache>\
         </c:multiLvlStrRef></c:cat>{}</c:ser></c:chartSpace>",
        points("val", &["1", "2", "3"])
    );
    let text = load_chart(&chart).text;
    assert!(text.contains("| 2025 Q2 | 2 |\n| 2026 Q1 | 3 |"), "{text}");
    let chart = "<cx:chartSpace><cx:chartData><cx:data id='0'><cx:strDim type='cat'><cx:lvl><cx:pt idx='0'>Rent</cx:pt>\
        </cx:lvl></cx:strDim><cx:numDim type='val'><cx:lvl><cx:pt idx='0'>-7</cx:pt></cx:lvl></cx:numDim></cx:data>\
        </cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Flow</cx:v></cx:txData></cx:tx></cx:title>\
        <cx:series><cx:tx><cx:txData><cx:v>Cash</cx:v></cx:txData></cx:tx><cx:dataId val='0'/></cx:series></cx:chart>\
        </cx:chartSpace>";
    let text = load_chart(chart).text;
    assert_eq!(
        text,
        "Chart: Flow\n\n|  | Cash |\n| --- | --- |\n| Rent | -7 |\n"
    );
}

#[test]
fn ruby_annotations_are_left_out() {
    check(
        "<w:p><w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>ねこ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>猫</w:t>\
         </w:r></w:rubyBase></w:ruby></w:r></w:p>",
        "猫\n",
    );
    let body = "<w:p><w:r><w:ruby><w:rt><w:r><w:t>ねこ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>猫</w:t></w:r>\
                </w:rubyBase></w:ruby></w:r></w:p>";
    let document = load(&[("word/document.xml", &main_part(body))]);
    assert_eq!(
        omissions(&document.metadata),
        ["1 ruby annotation is left out"]
    );
}

#[test]
fn text_in_a_font_of_symbols_is_what_the_font_shows() {
    check(
        "<w:p><w:r><w:rPr><w:rFonts w:ascii='Symbol' w:hAnsi='Symbol'/></w:rPr><w:t>&#xF02D;</w:t></w:r>\
         <w:r><w:t>512 &#xF0FC;</w:t></w:r>\
         <w:r><w:rPr><w:rFonts w:hAnsi='Wingdings'/></w:rPr><w:t>&#xF0FC;</w:t></w:r></w:p>",
        "−512 \u{f0fc}✓\n",
    );
}

#[test]
fn a_damaged_secondary_part_costs_only_itself() {
    let body = main_part("<w:p><w:r><w:t>safe</w:t></w:r></w:p>");
    let document = load(&[
        ("word/document.xml", &body),
        ("word/styles.xml", "<w:styles><w:style>"),
    ]);
    assert_eq!(document.text, "safe\n");
    assert_eq!(
        document.metadata.extra["damaged_parts"],
        json!(["word/styles.xml"])
    );
}

#[test]
fn hostile_xml_is_refused() {
    let refused = |xml: String| {
        load_error(
            &pack(&[("word/document.xml", xml.into_bytes())]),
            "made.docx",
        )
    };
    let entities = "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>";
    assert!(matches!(refused(entities.into()), Error::Parse { .. }));
    assert!(matches!(refused("<a>".into()), Error::Parse { .. }));
    let deep = refused("<w:tbl><w:tr><w:tc>".repeat(40_000));
    assert!(matches!(deep, Error::LimitExceeded { .. }), "{deep:?}");
}

#[test]
fn a_part_that_inflates_too_far_is_refused() {
    let mut bomb = main_part("").into_bytes();
    bomb.resize((256 << 20) + 1, b' ');
    let error = load_error(&pack(&[("word/document.xml", bomb)]), "bomb.docx");
    let Error::LimitExceeded { what, limit, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(what, "the bytes of a part that is packed so tightly");
    assert!(*limit < 256 << 20, "{error}");
}

#[test]
fn the_limits_are_those_of_the_caller() {
    let long = main_part(&"<w:p><w:r><w:t>text</w:t></w:r></w:p>".repeat(100));
    let bytes = pack(&[("word/document.xml", long.into_bytes())]);
    let load = |inflated_bytes| {
        let limits = Limits {
            inflated_bytes,
            ..Limits::default()
        };
        let options = LoadOptions {
            limits,
            ..LoadOptions::default()
        };
        DocxLoader::new(options).load(&bytes, Path::new("made.docx"))
    };
    assert!(load(10_000).is_ok());
    let error = load(4_000).unwrap_err();
    let is_limit = matches!(error, Error::LimitExceeded { limit: 2_000, .. });
    assert!(is_limit, "{error:?}");
}

#[test]
fn links_lead_somewhere() {
    let links = format!(
        "<Relationships><Relationship Id='r1' Type='{RELATIONSHIP}/hyperlink' \
         Target='https://example.org/a' TargetMode='External'/><Relationship Id='r2' Type='{RELATIONSHIP}/hyperlink' \
         Target='https://example.org/b (c)' TargetMode='External'/></Relationships>"
    );
    let link = |id: &str, text: &str| {
        format!(
            "<w:p><w:r><w:t>See</w:t></w:r><w:hyperlink r:id='{id}'><w:r><w:t> {text} </w:t></w:r></w:hyperlink></w:p>"
        )
    };
    let inner = "<w:p><w:hyperlink w:anchor='here'><w:r><w:t>below</w:t></w:r></w:hyperlink></w:p>";
    let body = main_part(&format!(
        "{}{}{}{inner}",
        link("r1", "the page"),
        link("r1", "example.org/a"),
        link("r2", "page [1")
    ));
    let document = load(&[
        ("word/document.xml", &body),
        ("word/_rels/document.xml.rels", &links),
    ]);
    let expected = "See [the page](https://example.org/a)\n\nSee example.org/a\n\n\
        See [page \\[1](<https://example.org/b (c)>)\n\nbelow\n";
    assert_eq!(document.text, expected);
}

#[test]
fn headers_footers_and_comments_are_read_on_request() {
    let related = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id='{id}' Type='{RELATIONSHIP}/{kind}' Target='{target}'/>")
    };
    let related = format!(
        "<Relationships>{}{}{}{}</Relationships>",
        related("1", "header", "header1.xml"),
        related("2", "header", "header2.xml"),
        related("3", "footer", "footer1.xml"),
        related("4", "comments", "comments.xml"),
    );
    let text = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let part =
        |root: &str, inner: &str| format!("<w:{root} xmlns:w='{TRANSITIONAL}'>{inner}</w:{root}>");
    let comment = format!(
        "<w:comment w:id='7' w:author='Ada'>{}</w:comment>",
        text("Why?")
    );
    let body = main_part("<w:p><w:r><w:t>Body</w:t><w:commentReference w:id='7'/></w:r></w:p>");
    let parts = [
        ("word/document.xml", body),
        ("word/_rels/document.xml.rels", related),
        ("word/header1.xml", part("hdr", &text("Head"))),
        ("word/header2.xml", part("hdr", &text("Head"))),
        ("word/footer1.xml", part("ftr", &text("Foot"))),
        ("word/comments.xml", part("comments", &comment)),
    ];
    let parts: Vec<(&str, Vec<u8>)> = parts
        .into_iter()
        .map(|(name, xml)| (name, xml.into_bytes()))
        .collect();
    let bytes = pack(&parts);
    let load = |docx| {
        let options = LoadOptions {
            docx,
            ..LoadOptions::default()
        };
        let document = DocxLoader::new(options).load(&bytes, Path::new("made.docx"));
        let document = document.unwrap();
        let left_out = document.metadata.extra.get("comments_left_out").cloned();
        let running = document.metadata.extra.get("running_lines").cloned();
        (document.text, left_out, running)
    };
    let running = Some(json!(["Head", "Foot"]));
    assert_eq!(
        load(DocxOptions::default()),
        ("Body\n".into(), Some(1.into()), running)
    );
    let all = DocxOptions {
        headers_and_footers: true,
        comments: true,
    };
    let expected = "Head\n\nBody[^1]\n\nFoot\n\n[^1]: Ada: Why?\n";
    assert_eq!(load(all), (expected.into(), None, None));
}

#[test]
fn too_many_files_are_refused() {
    let names: Vec<String> = (0..20_001).map(|number| number.to_string()).collect();
    let mut parts: Vec<(&str, Vec<u8>)> = names
        .iter()
        .map(|name| (name.as_str(), Vec::new()))
        .collect();
    parts.push(("word/document.xml", main_part("").into_bytes()));
    let error = load_error(&pack(&parts), "many.docx");
    assert!(
        matches!(error, Error::LimitExceeded { limit: 20_000, .. }),
        "{error:?}"
    );
}

/// Loads a document with this body, these lists and these styles.
fn load_with(body: &str, lists: &str, styles: &str) -> String {
    let numbering = format!("<w:numbering xmlns:w='{TRANSITIONAL}'>{lists}</w:numbering>");
    let styles = format!("<w:styles xmlns:w='{TRANSITIONAL}'>{styles}</w:styles>");
    load(&[
        ("word/document.xml", &main_part(body)),
        ("word/numbering.xml", &numbering),
        ("word/styles.xml", &styles),
    ])
    .text
}

#[test]
fn numbers_of_headings_and_clauses_are_as_shown() {
    let level = |level: u32, format: &str, text: &str| {
        format!(
            "<w:lvl w:ilvl='{level}'><w:start w:val='1'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/></w:lvl>"
        )
    };
    let lists = format!(
        "<w:abstractNum w:abstractNumId='7'>{}{}{}</w:abstractNum>\
         <w:num w:numId='7'><w:abstractNumId w:val='7'/></w:num>",
        level(0, "decimal", "Article %1."),
        level(1, "decimal", "%1.%2"),
        level(2, "lowerLetter", "(%3)"),
    );
    let styles = "<w:style w:styleId='Heading1'><w:name w:val='heading 1'/><w:pPr><w:numPr><w:numId w:val='7'/>\
        </w:numPr></w:pPr></w:style>";
    let heading = |text: &str| {
        format!(
            "<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let clause = |level: u32, text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='7'/></w:numPr></w:pPr>\
             <w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body = [
        heading("Terms"),
        clause(1, "Words"),
        clause(2, "Company"),
        clause(2, ""),
        clause(2, "Customer"),
        heading("Payment"),
        clause(1, "Due"),
    ]
    .concat();
    assert_eq!(
        load_with(&body, &lists, styles),
        "# Article 1. Terms\n\n- 1.1 Words\n    - (a) Company\n    - (c) Customer\n\n\
         # Article 2. Payment\n\n- 2.1 Due\n"
    );
}

#[test]
fn raised_digits_are_superscript_characters() {
    let run = |text: &str, property: &str| {
        format!("<w:r><w:rPr>{property}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>")
    };
    let raised = "<w:vertAlign w:val='superscript'/>";
    let styled = "<w:rStyle w:val='Up'/>";
    let body = [
        run("4,512", ""),
        run("1", raised),
        run(" 10", ""),
        run("-", styled),
        run("6", styled),
        run(" m", ""),
        run("2", raised),
        run(" 2", ""),
        run("n", raised),
        run("d", raised),
        run(" H", ""),
        run("2", "<w:vertAlign w:val='subscript'/>"),
        run("O log", ""),
        run("2", "<w:vertAlign w:val='subscript'/>"),
        run("8 H", ""),
        run("2", "<w:vertAlign w:val='subscript'/>"),
        run(
            "O 3",
            "<w:rStyle w:val='Up'/><w:vertAlign w:val='baseline'/>",
        ),
    ]
    .concat();
    let part =
        "<w:style w:styleId='Up'><w:rPr><w:vertAlign w:val='superscript'/></w:rPr></w:style>";
    assert_eq!(
        load_with(&format!("<w:p>{body}</w:p>"), "", part),
        "4,512¹ 10⁻⁶ m² 2nd H2O log₂8 H2O 3\n"
    );
}

#[test]
fn code_keeps_its_lines_and_indents() {
    let code = |text: &str| {
        format!(
            "<w:p><w:r><w:rPr><w:rFonts w:ascii='Consolas'/></w:rPr>\
             <w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
        )
    };
    let body = [
        code("def f():"),
        code("    return 1"),
        "<w:p/>".into(),
        code("f()"),
        "<w:p><w:r><w:t>Words.</w:t></w:r></w:p>".into(),
        code("Typed words"),
        code("and more"),
        "<w:p><w:pPr><w:pStyle w:val='SourceCode'/></w:pPr><w:r><w:t>a = 1</w:t><w:br/>\
         <w:t xml:space='preserve'>  b</w:t></w:r></w:p>"
            .into(),
    ]
    .concat();
    check(
        &body,
        "```\ndef f():\n    return 1\n\nf()\n```\n\nWords.\n\nTyped words\n\nand more\n\n```\na = 1\n  b\n```\n",
    );
    let long = "word ".repeat(60);
    check(
        &[code(&format!("\t{long}")), code(&format!("\t{long}"))].concat(),
        &format!("{}\n\n{}\n", long.trim(), long.trim()),
    );
}

#[test]
fn a_command_and_the_sign_under_an_index_are_kept_apart() {
    let body = "<w:p><m:oMath><m:r><m:t>A=π</m:t></m:r><m:sSup><m:e><m:r><m:t>r</m:t></m:r></m:e>\
        <m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>";
    check(body, "$A = \\pi r^{2}$\n");
    let one = "<m:oMath><m:r><m:t>a</m:t></m:r></m:oMath>";
    check(&format!("<w:p>{one}{one}</w:p>"), "$a$ $a$\n");
}

#[test]
fn a_paragraph_whose_end_was_deleted_goes_on_in_the_next() {
    let open = "<w:pPr><w:rPr><w:rFonts/><w:del w:id='5'/></w:rPr></w:pPr>";
    let paragraph = |properties: &str, text: &str| {
        format!("<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let pair = paragraph(open, "First half of a sen") + &paragraph("", "tence joined.");
    check(&pair, "First half of a sentence joined.\n");
    let table = format!(
        "{}<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{pair}</w:tc></w:tr></w:tbl>{}",
        paragraph(open, "Before"),
        paragraph(open, "cell"),
        paragraph(open, "End"),
    );
    check(
        &table,
        "Before\n\n| cell | First half of a sentence joined. |\n| --- | --- |\n\nEnd\n",
    );
}

#[test]
fn a_table_of_one_column_with_headings_lays_out_its_text() {
    let heading = |text: &str| {
        format!("<w:p><w:pPr><w:outlineLvl w:val='0'/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let row = |inside: &str| format!("<w:tr><w:tc>{inside}</w:tc></w:tr>");
    let text = "<w:p><w:r><w:t>text</w:t></w:r></w:p>";
    let rows = row(&(heading("One") + text)) + &row(&(heading("Two") + text));
    check(
        &format!("<w:tbl>{rows}</w:tbl>"),
        "# One\n\ntext\n\n# Two\n\ntext\n",
    );
    let rows = row(text).repeat(2);
    check(
        &format!("<w:tbl>{rows}</w:tbl>"),
        "| text |\n| --- |\n| text |\n",
    );
}

#[test]
fn a_document_without_text_is_said() {
    let table = "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>";
    let picture = "<w:p><w:r><w:drawing/></w:r></w:p>";
    for body in [table, picture, "<w:p/>"] {
        let document = load(&[("word/document.xml", &main_part(body))]);
        assert_eq!(document.text.trim(), "", "{body}");
        assert_eq!(
            omissions(&document.metadata),
            ["it holds no text outside of pictures, objects, and the heads and feet of pages"]
        );
    }
    let document = load(&[(
        "word/document.xml",
        &main_part("<w:p><w:r><w:t>a</w:t></w:r></w:p>"),
    )]);
    assert!(omissions(&document.metadata).is_empty());
}
