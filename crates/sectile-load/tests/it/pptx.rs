//! Presentations.

use std::fmt::Write as _;

use std::io::{Cursor, Write as _};
use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{load_bytes, omissions};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::{load, outline, pack};

const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Loads a presentation of slides with these shapes; `list` stands after the list of slides.
fn load_slides(slides: &[&str], list: &str) -> Document {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &str| {
        archive
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    };
    let (mut ids, mut links) = (String::new(), String::new());
    for (index, shapes) in slides.iter().enumerate() {
        let id = index + 256;
        let _ = write!(ids, "<p:sldId id='{id}' r:id='r{index}'/>");
        let _ = write!(
            links,
            "<Relationship Id='r{index}' Type='{RELATIONSHIPS}/slide' Target='slides/s{index}.xml'/>"
        );
        let slide = format!("<p:sld><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>");
        add(&format!("ppt/slides/s{index}.xml"), &slide);
    }
    let main = format!("<p:presentation><p:sldIdLst>{ids}</p:sldIdLst>{list}</p:presentation>");
    add("ppt/presentation.xml", &main);
    add(
        "ppt/_rels/presentation.xml.rels",
        &format!("<Relationships>{links}</Relationships>"),
    );
    let bytes = archive.finish().unwrap().into_inner();
    load_bytes(&bytes, Path::new("a.pptx")).unwrap()
}

#[test]
fn objects_of_other_programs_are_named() {
    let related = |kind: &str, target: &str| {
        format!(
            "<Relationships><Relationship Id='r1' Type='{RELATIONSHIPS}/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let main =
        "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r1'/></p:sldIdLst></p:presentation>";
    let slide = "<p:sld><p:cSld><p:spTree/></p:cSld></p:sld>";
    for (kind, object) in [
        ("oleObject", "o.bin"),
        ("package", "o.xlsx"),
        ("control", "activeX1.xml"),
    ] {
        let bytes = pack(&[
            ("ppt/presentation.xml", main),
            (
                "ppt/_rels/presentation.xml.rels",
                &related("slide", "slides/s.xml"),
            ),
            ("ppt/slides/s.xml", slide),
            (
                "ppt/slides/_rels/s.xml.rels",
                &related(kind, &format!("../embeddings/{object}")),
            ),
            (&format!("ppt/embeddings/{object}"), "?"),
        ]);
        let document = load_bytes(&bytes, Path::new("a.pptx")).unwrap();
        let expected = format!("the part ppt/embeddings/{object} cannot be read within the file");
        assert_eq!(omissions(&document.metadata), [expected]);
    }
}

#[test]
fn shapes_and_pictures_that_are_links_have_their_addresses() {
    let related = |links: &str| format!("<Relationships>{links}</Relationships>");
    let link = |id: &str| {
        format!(
            "<Relationship Id='{id}' Type='{RELATIONSHIPS}/hyperlink' Target='https://{id}.example' TargetMode='External'/>"
        )
    };
    let shape = |id: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:cNvPr id='1'><a:hlinkClick r:id='{id}'/></p:cNvPr></p:nvSpPr><p:txBody><a:p><a:r>\
             <a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        )
    };
    let picture = |id: &str, description: &str| {
        format!(
            "<p:pic><p:nvPicPr><p:cNvPr id='1' descr='{description}'><a:hlinkClick r:id='{id}'/></p:cNvPr></p:nvPicPr></p:pic>"
        )
    };
    let shapes = shape("a", "Register")
        + &shape("none", "Next slide")
        + &picture("b", "The harbour")
        + &picture("c", "")
        + &picture("none", "");
    let slide = format!("<p:sld><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>");
    let main =
        "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r1'/></p:sldIdLst></p:presentation>";
    let list =
        format!("<Relationship Id='r1' Type='{RELATIONSHIPS}/slide' Target='slides/s.xml'/>");
    let links = ["a", "b", "c"].map(link).concat();
    let bytes = pack(&[
        ("ppt/presentation.xml", main),
        ("ppt/_rels/presentation.xml.rels", &related(&list)),
        ("ppt/slides/s.xml", &slide),
        ("ppt/slides/_rels/s.xml.rels", &related(&links)),
    ]);
    assert_eq!(
        load_bytes(&bytes, Path::new("a.pptx")).unwrap().text,
        "# Slide 1\n\n[Register](https://a.example)\n\nNext slide\n\n![The harbour]() <https://b.example>\n\n\
         <https://c.example>\n"
    );
}

#[test]
fn what_a_layout_shows_on_each_slide_is_named() {
    let related = |kind: &str, target: &str| {
        format!(
            "<Relationships><Relationship Id='r1' Type='{RELATIONSHIPS}/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let shape = |placeholder: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p>\
             </p:txBody></p:sp>"
        )
    };
    let sheet = |name: &str, shapes: &str| {
        format!("<p:{name}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{name}>")
    };
    let main =
        "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r1'/></p:sldIdLst></p:presentation>";
    let layout = shape("<p:ph type='body'/>", "Click to edit")
        + "<p:grpSp>"
        + &shape("", "Mill Ltd")
        + "</p:grpSp>";
    let bytes = pack(&[
        ("ppt/presentation.xml", main),
        (
            "ppt/_rels/presentation.xml.rels",
            &related("slide", "slides/s.xml"),
        ),
        ("ppt/slides/s.xml", &sheet("sld", &shape("", "Own text"))),
        (
            "ppt/slides/_rels/s.xml.rels",
            &related("slideLayout", "../layout.xml"),
        ),
        ("ppt/layout.xml", &sheet("sldLayout", &layout)),
        (
            "ppt/_rels/layout.xml.rels",
            &related("slideMaster", "master.xml"),
        ),
        (
            "ppt/master.xml",
            &sheet("sldMaster", &shape("", "Confidential")),
        ),
    ]);
    let document = load_bytes(&bytes, Path::new("a.pptx")).unwrap();
    assert_eq!(document.text, "# Slide 1\n\nOwn text\n");
    assert_eq!(
        document.metadata.extra["running_lines"],
        serde_json::json!(["Mill Ltd", "Confidential"])
    );
}

#[test]
fn a_table_in_the_notes_is_read() {
    let related = |kind: &str, target: &str| {
        format!(
            "<Relationships><Relationship Id='r1' Type='{RELATIONSHIPS}/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let cell = "<a:tc><a:txBody><a:p><a:r><a:t>cell</a:t></a:r></a:p></a:txBody></a:tc>";
    let notes = format!(
        "<p:notes><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type='body'/></p:nvPr></p:nvSpPr><p:txBody>\
         <a:p><a:r><a:t>Said.</a:t></a:r></a:p></p:txBody></p:sp><p:graphicFrame><a:graphic><a:graphicData>\
         <a:tbl><a:tr>{cell}{cell}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame></p:spTree></p:cSld></p:notes>"
    );
    let main =
        "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r1'/></p:sldIdLst></p:presentation>";
    let bytes = pack(&[
        ("ppt/presentation.xml", main),
        (
            "ppt/_rels/presentation.xml.rels",
            &related("slide", "slides/s.xml"),
        ),
        (
            "ppt/slides/s.xml",
            "<p:sld><p:cSld><p:spTree/></p:cSld></p:sld>",
        ),
        (
            "ppt/slides/_rels/s.xml.rels",
            &related("notesSlide", "../notes.xml"),
        ),
        ("ppt/notes.xml", &notes),
    ]);
    let document = load_bytes(&bytes, Path::new("a.pptx")).unwrap();
    let expected = "# Slide 1\n\nNotes:\n\nSaid.\n\n| cell | cell |\n| --- | --- |\n";
    assert_eq!(document.text, expected);
}

fn text_box(top: u32, left: u32, text: &str) -> String {
    format!(
        "<p:sp><p:spPr><a:xfrm><a:off x='{left}' y='{top}'/></a:xfrm></p:spPr>\
         <p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
}

#[test]
fn a_presentation_in_one_xml_file_is_read() {
    let part = |name: &str, xml: &str| {
        format!("<pkg:part pkg:name='/{name}'><pkg:xmlData>{xml}</pkg:xmlData></pkg:part>")
    };
    let related = |kind: &str, target: &str| {
        format!(
            "<Relationships><Relationship Id='r1' Type='{RELATIONSHIPS}/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let parts = [
        part(
            "_rels/.rels",
            &related("officeDocument", "ppt/presentation.xml"),
        ),
        part(
            "ppt/presentation.xml",
            "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r1'/></p:sldIdLst></p:presentation>",
        ),
        part(
            "ppt/_rels/presentation.xml.rels",
            &related("slide", "slides/s.xml"),
        ),
        "<pkg:part pkg:name='/ppt/media/a.png'><pkg:binaryData>iVBORw0KGgo=</pkg:binaryData></pkg:part>".into(),
        part(
            "ppt/slides/s.xml",
            &format!(
                "<p:sld><p:cSld><p:spTree>{}</p:spTree></p:cSld></p:sld>",
                text_box(0, 0, "The rent is 1,250 EUR.")
            ),
        ),
    ];
    let flat = format!(
        "<?xml version='1.0'?><?mso-application progid='PowerPoint.Show'?>\
         <pkg:package xmlns:pkg='http://schemas.microsoft.com/office/2006/xmlPackage'>{}</pkg:package>",
        parts.concat()
    );
    for name in ["made.xml", "made"] {
        let document = load_bytes(flat.as_bytes(), Path::new(name)).unwrap();
        assert_eq!(document.format, Format::Pptx);
        assert_eq!(document.text, "# Slide 1\n\nThe rent is 1,250 EUR.\n");
    }
}

#[test]
fn slides_are_pages_and_sections_with_what_is_on_them() {
    let document = load("python-pptx.pptx");
    let expected = "# The Plan\n\nfor next year\n\n\
        # Goals\n\n- First\n    - deeper\n- Second\n\nleft box\n\nright box\n\nNotes:\n\nSay it slowly.\n\n\
        # Slide 3\n\nin a group\n\n| r0c0 | r0c1 |\n| --- | --- |\n| r1c0 | r1c1 |\n\n\
        |  | Q1 | Q2 |\n| --- | --- | --- |\n| East | 19.2 | 1 |\n| West | 21.4 | 2 |\n";
    assert_eq!(document.text, expected);
    assert_eq!(document.format, Format::Pptx);
    assert_eq!(document.metadata.title.as_deref(), Some("Plans"));
    assert_eq!(document.metadata.page_count, Some(3));
    assert_eq!(document.metadata.extra["hidden_slides"][0], 3);
    let pages: Vec<&str> = document
        .pages
        .iter()
        .map(|page| page.span.of(&document.text))
        .collect();
    assert_eq!(pages.concat(), document.text);
    assert!(pages[1].starts_with("# Goals\n") && pages[2].starts_with("# Slide 3\n"));
    assert_eq!(outline(&document)[2], (1, "Slide 3", "# Slide 3\n"));
}

#[test]
fn shapes_are_read_by_rows_and_footers_are_not_text() {
    let title = "<p:sp><p:nvSpPr><p:nvPr><p:ph type='title'/></p:nvPr></p:nvSpPr>\
        <p:txBody><a:p><a:r><a:t>Title</a:t></a:r></a:p></p:txBody></p:sp>";
    let footer = title.replace("'title'", "'ftr'").replace("Title", "Footer");
    let number = title.replace("'title'", "'sldNum'").replace("Title", "7");
    let shapes = text_box(9_000_000, 0, "last")
        + &text_box(2_000_100, 0, "left")
        + &text_box(2_000_000, 5_000_000, "right")
        + &footer
        + &number
        + title;
    let document = load_slides(&[&shapes], "");
    assert_eq!(document.text, "# Title\n\nleft\n\nright\n\nlast\n");
    assert_eq!(document.metadata.extra["running_lines"][0], "Footer");
}

#[test]
fn named_sections_stand_above_their_slides() {
    let list = "<p:extLst><p:ext><p14:sectionLst><p14:section name='Part'><p14:sldIdLst>\
        <p14:sldId id='256'/><p14:sldId id='257'/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst>";
    let document = load_slides(&["", ""], list);
    assert_eq!(document.text, "# Part\n\n## Slide 1\n\n## Slide 2\n");
}

#[test]
fn a_damaged_slide_keeps_its_beginning_and_is_named() {
    let broken = text_box(0, 0, "before") + "<p:sp></p:oops>";
    let document = load_slides(&[&broken, &text_box(0, 0, "next")], "");
    assert_eq!(document.text, "# Slide 1\n\nbefore\n\n# Slide 2\n\nnext\n");
    assert_eq!(document.metadata.extra["failed_pages"][0], 1);
}

#[test]
fn a_table_has_its_spans_and_no_covered_cells() {
    let cell = |attributes: &str, text: &str| {
        format!(
            "<a:tc {attributes}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"
        )
    };
    let table = format!(
        "<p:graphicFrame><a:tbl><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl></p:graphicFrame>",
        cell("gridSpan='2'", "both"),
        cell("hMerge='1'", ""),
        cell("", "a|b"),
        cell("", "c")
    );
    let text = load_slides(&[&table], "").text;
    assert_eq!(
        text,
        "# Slide 1\n\n| both |  |\n| --- | --- |\n| a\\|b | c |\n"
    );
}

#[test]
fn arrows_of_wingdings_are_no_letters() {
    let run = |font: &str, text: &str| {
        format!("<a:r><a:rPr lang='en-US'>{font}</a:rPr><a:t>{text}</a:t></a:r>")
    };
    let font = "<a:sym typeface='Wingdings' charset='2'/>";
    let shape = format!(
        "<p:sp><p:txBody><a:p>{}{}{}{}</a:p></p:txBody></p:sp>",
        run("", "Plan "),
        run(font, "à"),
        run(font, " à la carte "),
        run("", "à")
    );
    assert_eq!(
        load_slides(&[&shape], "").text,
        "# Slide 1\n\nPlan → à la carte à\n"
    );
}

#[test]
fn a_shape_in_a_thousand_groups_is_read() {
    let nested = |depth: usize| {
        "<p:grpSp>".repeat(depth) + &text_box(0, 0, "deep") + &"</p:grpSp>".repeat(depth)
    };
    assert_eq!(
        load_slides(&[&nested(1_000)], "").text,
        "# Slide 1\n\ndeep\n"
    );
}

#[test]
fn equations_raised_digits_and_numbers_of_items_are_read() {
    let equation = "<m:oMath xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math'><m:r><a:rPr/>\
        <m:t>x=</m:t></m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2c</m:t></m:r></m:den></m:f>\
        </m:oMath>";
    let item = |kind: &str, text: &str| {
        format!(
            "<a:p><a:pPr><a:buAutoNum type='{kind}'/></a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>"
        )
    };
    let body = format!(
        "<a:p><a:r><a:t>Thus </a:t></a:r>{equation}</a:p><a:p><a:r><a:t>10</a:t></a:r>\
         <a:r><a:rPr baseline='30000'/><a:t>6</a:t></a:r><a:r><a:rPr baseline='-25000'/><a:t>2</a:t></a:r></a:p>\
         {}{}{}",
        item("alphaLcParenBoth", "one"),
        item("alphaLcParenBoth", "two"),
        item("arabicPeriod", "three"),
    );
    let shape = format!("<p:sp><p:txBody>{body}</p:txBody></p:sp>");
    let text = load_slides(&[&shape], "").text;
    assert_eq!(
        text,
        "# Slide 1\n\nThus $x = \\frac{a + b}{2c}$\n\n10⁶2\n\n- (a) one\n- (b) two\n3. three\n"
    );
}
