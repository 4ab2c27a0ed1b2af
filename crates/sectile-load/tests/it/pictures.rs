//! What is said of pictures in documents of Office programs.

use std::path::Path;

use sectile_load::load_bytes;

use crate::support::pack;

const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const DECORATION: &str = "<a:extLst><a:ext><adec:decorative val='1'/></a:ext></a:extLst>";

fn check(parts: &[(&str, &str)], name: &str, expected: &str) {
    let document = load_bytes(&pack(parts), Path::new(name)).unwrap();
    assert_eq!(document.text, expected, "{name}");
}

fn related(kind: &str, target: &str) -> String {
    format!(
        "<Relationships><Relationship Id='r1' Type='{RELATIONSHIPS}/{kind}' Target='{target}'/></Relationships>"
    )
}

#[test]
fn pictures_of_a_word_document_are_text() {
    let check = |body: &str, expected: &str| {
        let main = format!("<w:document><w:body>{body}</w:body></w:document>");
        check(&[("word/document.xml", &main)], "a.docx", expected);
    };
    let paragraph = |properties: &str, inside: &str| {
        format!(
            "<w:p><w:r><w:t>Below.</w:t><w:drawing><wp:inline><wp:docPr id='1' name='Picture 1' {properties}>{inside}\
             </wp:docPr><a:graphic><pic:pic><pic:nvPicPr><pic:cNvPr id='0' name='a.png' descr='The harbour at night'/>\
             </pic:nvPicPr></pic:pic></a:graphic></wp:inline></w:drawing></w:r></w:p>"
        )
    };
    let described = "Below.\n\n![The harbour at night]()\n";
    check(&paragraph("descr='The harbour at night'", ""), described);
    check(&paragraph("descr='Picture 1'", ""), described);
    check(&paragraph("descr='Waves'", DECORATION), "Below.\n");
    check(
        "<w:p><w:r><w:pict><v:shape alt='A stamp'><v:imagedata r:id='r1'/></v:shape></w:pict></w:r></w:p>",
        "![A stamp]()\n",
    );
    let hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:pict><v:shape alt='A stamp'><v:imagedata r:id='r1'/>\
        </v:shape></w:pict></w:r><w:r><w:t>a</w:t></w:r></w:p>";
    check(hidden, "a\n");
    let rectangle = |alternative: &str| {
        let chart = "<w:drawing><wp:docPr descr='A chart'/></w:drawing>";
        format!(
            "<w:p><w:r>{chart}<w:t>a</w:t><w:pict><v:rect {alternative}><v:imagedata r:id='r1'/></v:rect></w:pict></w:r></w:p>"
        )
    };
    check(&rectangle("alt='A stamp'"), "a\n\n![A stamp]()\n");
    check(&rectangle(""), "a\n");
    // What is said of a drawing without a picture stands beside its text.
    let shape =
        "<w:p><w:r><w:t>a</w:t><w:drawing><wp:docPr descr='A box'/></w:drawing></w:r></w:p>";
    check(shape, "a\n");
}

/// Makes a picture of a slide or of a sheet.
fn picture(prefix: &str, description: &str, inside: &str) -> String {
    format!(
        "<{prefix}:pic><{prefix}:nvPicPr><{prefix}:cNvPr id='4' name='Picture 3' descr='{description}'>{inside}\
         </{prefix}:cNvPr></{prefix}:nvPicPr></{prefix}:pic>"
    )
}

#[test]
fn pictures_of_a_slide_are_text() {
    let shapes = picture("p", "Sales &amp; stock by region", "")
        + &picture("p", "Waves", DECORATION)
        + &picture("p", "image1.png", "");
    let slide = format!("<p:sld><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>");
    let main =
        "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r1'/></p:sldIdLst></p:presentation>";
    let parts = [
        ("ppt/presentation.xml", main),
        (
            "ppt/_rels/presentation.xml.rels",
            &related("slide", "slides/s.xml"),
        ),
        ("ppt/slides/s.xml", &slide),
    ];
    check(
        &parts,
        "a.pptx",
        "# Slide 1\n\n![Sales & stock by region]()\n",
    );
}

#[test]
fn boxes_on_the_chart_of_a_sheet_are_read() {
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let chart =
        "<c:chartSpace><c:chart><c:title><a:t>Sales</a:t></c:title></c:chart></c:chartSpace>";
    let shapes = "<c:userShapes><cdr:sp><cdr:txBody><a:p><a:r><a:t>Strike in May</a:t></a:r></a:p></cdr:txBody></cdr:sp>\
        </c:userShapes>";
    let parts = [
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", "<worksheet/>"),
        (
            "xl/worksheets/_rels/sheet1.xml.rels",
            &related("drawing", "../drawings/d.xml"),
        ),
        ("xl/drawings/d.xml", "<xdr:wsDr/>"),
        (
            "xl/drawings/_rels/d.xml.rels",
            &related("chart", "../charts/c.xml"),
        ),
        ("xl/charts/c.xml", chart),
        (
            "xl/charts/_rels/c.xml.rels",
            &related("chartUserShapes", "../drawings/u.xml"),
        ),
        ("xl/drawings/u.xml", shapes),
    ];
    let expected = "# One\n\nChart: Sales\n\nStrike in May\n";
    check(&parts, "a.xlsx", expected);
}

#[test]
fn pictures_on_a_sheet_are_text() {
    let list = "<workbook><sheets><sheet name='One' sheetId='1' r:id='rId1'/></sheets></workbook>";
    let sheet = "<worksheet><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>Hi</t></is></c></row></sheetData></worksheet>";
    let drawing = format!(
        "<xdr:wsDr>{}{}</xdr:wsDr>",
        picture("xdr", "The plan of the house", ""),
        picture("xdr", "Waves", DECORATION)
    );
    let parts = [
        ("xl/workbook.xml", list),
        ("xl/worksheets/sheet1.xml", sheet),
        (
            "xl/worksheets/_rels/sheet1.xml.rels",
            &related("drawing", "../drawings/d.xml"),
        ),
        ("xl/drawings/d.xml", &drawing),
    ];
    let expected = "# One\n\n| Hi |\n| --- |\n\n![The plan of the house]()\n";
    check(&parts, "a.xlsx", expected);
}

#[test]
fn pictures_of_open_document_files_are_text() {
    let frame = |attribute: &str, inside: &str, description: &str| {
        format!(
            "<draw:frame {attribute}><draw:{inside}/><svg:title>Harbour</svg:title><svg:desc>{description}</svg:desc></draw:frame>"
        )
    };
    let frames = frame("", "image", "The harbour at night")
        + &frame("", "image", "Picture 7")
        + &frame("loext:decorative='true'", "image", "Waves")
        + &frame("", "object/><draw:image", "a over b")
        + "<draw:g><svg:desc>Two ships</svg:desc><draw:frame><draw:image/></draw:frame></draw:g>";
    let text = format!(
        "<office:document-content><office:body><office:text><text:p>Below{frames}</text:p></office:text>\
         </office:body></office:document-content>"
    );
    let shown = "![The harbour at night]()\n\n![Harbour]()\n\n![Two ships]()\n";
    let kind = |name: &str| format!("application/vnd.oasis.opendocument.{name}");
    check(
        &[("mimetype", &kind("text")), ("content.xml", &text)],
        "a.odt",
        &format!("Below\n\n{shown}"),
    );
    let sheet = format!(
        "<office:document-content><table:table table:name='a'><table:shapes>{frames}</table:shapes><table:table-row>\
         <table:table-cell office:value-type='string'><text:p>Hi</text:p></table:table-cell></table:table-row></table:table>\
         </office:document-content>"
    );
    check(
        &[("mimetype", &kind("spreadsheet")), ("content.xml", &sheet)],
        "a.ods",
        &format!("# a\n\n| Hi |\n| --- |\n\n{shown}"),
    );
}
