//! PDF files that tests make: objects and content as they are written in a file.

use std::path::Path;

use sectile_core::Document;
use sectile_load::{Error, Loader as _, PdfLoader};

/// Makes a file with a page for each content, of 612 by 792 points, with Helvetica as F1 and Courier as F2.
pub(crate) struct Made {
    pub(crate) contents: Vec<String>,
    /// What is added to the catalog, to each page, and to its resources.
    pub(crate) catalog: String,
    pub(crate) page: String,
    pub(crate) resources: String,
    /// Objects from number 10 on.
    pub(crate) others: Vec<String>,
}

impl Made {
    pub(crate) fn new(content: &str) -> Self {
        Self {
            contents: vec![content.to_owned()],
            catalog: String::new(),
            page: String::new(),
            resources: String::new(),
            others: Vec::new(),
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let first = 10 + self.others.len();
        let kids = (0..self.contents.len()).map(|page| format!("{} 0 R ", first + 2 * page));
        let kids = kids.collect::<Vec<_>>().concat();
        let font = |name: &str| {
            format!("<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>")
        };
        let mut objects = vec![
            format!("<</Type/Catalog/Pages 2 0 R{}>>", self.catalog),
            format!("<</Type/Pages/Count {}/Kids[{kids}]>>", self.contents.len()),
            font("Helvetica"),
            font("Courier"),
            font("Helvetica-Bold"),
        ];
        objects.resize(9, "null".to_owned());
        objects.extend(self.others.iter().cloned());
        for (page, content) in self.contents.iter().enumerate() {
            objects.push(format!(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>{}>>\
                 /Contents {} 0 R{}>>",
                self.resources,
                first + 2 * page + 1,
                self.page
            ));
            objects.push(format!(
                "<</Length {}>>stream\n{content}\nendstream",
                content.len()
            ));
        }
        crate::hostile_files::pdf(&objects, "")
    }

    pub(crate) fn load(&self) -> Document {
        load(&self.bytes()).unwrap()
    }
}

pub(crate) fn load(bytes: &[u8]) -> Result<Document, Error> {
    PdfLoader::default().load(bytes, Path::new("made.pdf"))
}

/// Draws a text at a place.
pub(crate) fn at(x: f64, y: f64, text: &str) -> String {
    format!("BT /F1 11 Tf {x} {y} Td ({text}) Tj ET\n")
}

/// Checks the text of a page.
pub(crate) fn check(content: &str, expected: &str) {
    assert_eq!(Made::new(content).load().text.trim_end(), expected);
}

/// Makes a tagged file: `kids` are the elements under the document.
pub(crate) fn tagged(contents: Vec<String>, kids: &str, others: &[&str]) -> Made {
    let mut objects = vec![format!(
        "<</Type/StructTreeRoot/RoleMap<</Kopf/H2/Zelle/TD>>/K<</S/Document/K[{kids}]>>>>"
    )];
    objects.extend(others.iter().map(|&other| other.to_owned()));
    Made {
        contents,
        catalog: "/StructTreeRoot 10 0 R".into(),
        others: objects,
        ..Made::new("")
    }
}

/// Draws a marked part of a page.
pub(crate) fn part(number: usize, x: f64, y: f64, text: &str) -> String {
    format!("/Span<</MCID {number}>>BDC\n{}EMC\n", at(x, y, text))
}
