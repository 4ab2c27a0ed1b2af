//! The names of elements and attributes that mean the same in many vocabularies.

/// Elements that name the one they stand in, the best first.
pub(super) const TITLES: [&str; 6] = ["title", "article-title", "head", "name", "label", "key"];

/// Elements that name a page of a reference, within what is said of it; the best first.
pub(super) const NAMES_OF_PAGES: [&str; 2] = ["refentrytitle", "refname"];

/// Elements that hold the title of the one they stand in.
pub(super) const INFORMATION: [&str; 11] = [
    "info",
    "caption",
    "articleinfo",
    "bookinfo",
    "chapterinfo",
    "sectioninfo",
    "sect1info",
    "refmeta",
    "refnamediv",
    "title-group",
    "head",
];

/// Returns whether the first element of a file is one of a vocabulary of documents: `DocBook`, JATS, TEI, XHTML, DITA
/// and others.
pub(super) fn is_document(root: &str) -> bool {
    matches!(
        root,
        "article"
            | "book"
            | "chapter"
            | "appendix"
            | "preface"
            | "section"
            | "sect1"
            | "sect2"
            | "sect3"
            | "sect4"
            | "sect5"
            | "refentry"
            | "refsect1"
            | "refsection"
            | "qandaset"
            | "glossary"
            | "TEI"
            | "TEI.2"
            | "teiCorpus"
            | "html"
            | "dita"
            | "topic"
            | "concept"
            | "task"
            | "reference"
            | "FictionBook"
            | "akomaNtoso"
            | "osis"
            | "nitf"
    )
}

/// Returns whether an attribute puts a file into the namespace of a vocabulary of documents.
pub(super) fn is_namespace_of_documents(name: &str, value: &str) -> bool {
    const NAMESPACES: [&str; 4] = [
        "docbook.org/ns",
        "tei-c.org/ns",
        "w3.org/1999/xhtml",
        "jats.nlm.nih.gov",
    ];
    name == "xmlns" && NAMESPACES.iter().any(|namespace| value.contains(namespace))
}

/// Returns whether an element is a paragraph or a line of running text.
pub(super) fn is_paragraph(name: &str) -> bool {
    matches!(
        name,
        "p" | "para"
            | "simpara"
            | "paragraph"
            | "ab"
            | "l"
            | "line"
            | "verse-line"
            | "seg"
            | "quote"
            | "blockquote"
    )
}

/// Returns whether an element begins a block also where it stands in running text.
pub(super) fn is_block(name: &str) -> bool {
    is_paragraph(name) && !matches!(name, "seg" | "quote" | "l" | "line" | "verse-line")
        || is_list(name)
        || is_table(name)
        || is_code(name)
        || matches!(
            name,
            "section" | "sec" | "div" | "figure" | "fig" | "example" | "listitem"
        )
}

/// Returns whether the text of an element stands apart from that before and behind it where all is written on one line.
pub(super) fn stands_apart(name: &str) -> bool {
    is_block(name)
        || is_item(name)
        || is_row(name)
        || is_cell(name)
        || is_break(name)
        || is_definition(name)
        || matches!(name, "title" | "label" | "caption" | "l" | "line")
}

/// Returns whether an element is a term or what is said of it, in a list of definitions.
pub(super) fn is_definition(name: &str) -> bool {
    matches!(name, "term" | "glossterm" | "def" | "dt" | "dd")
}

/// Returns the sign that stands between the elements in an element where they are shown: those of a combination of keys,
/// and of a path through menus.
pub(super) fn sign_between(name: &str) -> Option<&'static str> {
    match name {
        "keycombo" => Some("+"),
        "menuchoice" => Some(" > "),
        _ => None,
    }
}

/// Returns whether an attribute says that keys are pressed one after the other, in `DocBook` and Mallard.
pub(super) fn is_sequence_of_keys(attribute: &str, value: &str) -> bool {
    matches!((attribute, value), ("action", "seq") | ("type", "sequence"))
}

/// Returns whether an element is a list of items.
pub(super) fn is_list(name: &str) -> bool {
    matches!(
        name,
        "itemizedlist"
            | "orderedlist"
            | "simplelist"
            | "list"
            | "ul"
            | "ol"
            | "listBibl"
            | "procedure"
            | "substeps"
    )
}

/// Returns whether an element is an item of a list.
pub(super) fn is_item(name: &str) -> bool {
    matches!(
        name,
        "listitem" | "item" | "li" | "list-item" | "member" | "step" | "bibl" | "biblStruct"
    )
}

/// Returns whether an element is a table.
pub(super) fn is_table(name: &str) -> bool {
    matches!(name, "table" | "informaltable" | "tgroup" | "table-wrap")
}

pub(super) fn is_row(name: &str) -> bool {
    matches!(name, "tr" | "row")
}

pub(super) fn is_cell(name: &str) -> bool {
    matches!(name, "td" | "th" | "entry" | "cell")
}

/// Returns whether an element is code, whose lines are kept.
pub(super) fn is_code(name: &str) -> bool {
    matches!(
        name,
        "programlisting"
            | "screen"
            | "literallayout"
            | "pre"
            | "synopsis"
            | "eg"
            | "egXML"
            | "code-block"
    )
}

/// Returns whether an element is an empty one that ends a line.
pub(super) fn is_break(name: &str) -> bool {
    matches!(name, "br" | "lb" | "break" | "sbr")
}

/// Returns whether the text of an element is raised.
pub(super) fn is_raised(name: &str) -> bool {
    matches!(name, "sup" | "superscript")
}

/// Returns whether the text of an element is lowered.
pub(super) fn is_lowered(name: &str) -> bool {
    matches!(name, "sub" | "subscript")
}

/// Returns whether an attribute says that the text of its element is raised, as in TEI.
pub(super) fn raises(attribute: &str, value: &str) -> bool {
    has_look(attribute, value, &["sup", "super", "superscript"])
}

/// Returns whether an attribute says that the text of its element is lowered, as in TEI.
pub(super) fn lowers(attribute: &str, value: &str) -> bool {
    has_look(attribute, value, &["sub", "subscript"])
}

/// Returns whether an attribute names one of these looks: alone, as a place (`#sup`, `simple:superscript`), or as a
/// property of a style sheet (`vertical-align: super`).
fn has_look(attribute: &str, value: &str, looks: &[&str]) -> bool {
    let mut words = value.split([' ', '\t', '\n', '\r', '#', ':', ';']);
    matches!(attribute, "rend" | "rendition" | "role" | "style")
        && words.any(|word| looks.contains(&word))
}

/// Returns whether an element is a note that interrupts the running text.
pub(super) fn is_note(name: &str) -> bool {
    matches!(name, "footnote" | "fn" | "note")
}

/// Returns whether an element is a short text whose label is not a title.
pub(super) fn is_labelled(name: &str) -> bool {
    is_formula(name) || matches!(name, "fn" | "aff" | "corresp")
}

/// Returns whether an element is a formula.
pub(super) fn is_formula(name: &str) -> bool {
    matches!(name, "disp-formula" | "inline-formula")
}

/// Returns whether a formula in an element stands on lines of its own.
pub(super) fn is_block_of_formula(name: &str) -> bool {
    matches!(name, "disp-formula" | "equation" | "informalequation")
}

/// Returns whether an element is a section of a document.
pub(super) fn is_section(name: &str) -> bool {
    matches!(
        name,
        "section"
            | "sec"
            | "sect1"
            | "sect2"
            | "sect3"
            | "sect4"
            | "sect5"
            | "simplesect"
            | "refsection"
            | "refsect1"
            | "refsect2"
            | "refsect3"
    )
}

/// Returns whether an element stands within a section, with a title that is its caption: what follows the element does
/// not belong to it.
pub(super) fn is_formal(name: &str) -> bool {
    is_table(name)
        || is_list(name)
        || is_captioned(name)
        || matches!(
            name,
            "example"
                | "figure"
                | "fig-group"
                | "equation"
                | "formalpara"
                | "note"
                | "tip"
                | "warning"
                | "caution"
                | "important"
                | "danger"
                | "hazardstatement"
                | "sidebar"
                | "boxed-text"
                | "statement"
                | "caption"
                | "variablelist"
                | "glosslist"
                | "calloutlist"
                | "segmentedlist"
                | "def-list"
        )
}

/// Returns whether an element is a figure, or a file, that has a label and a caption.
pub(super) fn is_captioned(name: &str) -> bool {
    matches!(name, "fig" | "supplementary-material" | "media")
}

/// Returns whether an element names the file of a picture.
pub(super) fn is_picture(name: &str) -> bool {
    matches!(name, "graphic" | "imagedata" | "image")
}

/// Returns whether an element has the words that stand for a picture.
pub(super) fn is_alternative(name: &str) -> bool {
    matches!(name, "textobject" | "alt" | "alt-text")
}

/// Returns whether an attribute names what an element refers to.
pub(super) fn is_link(attribute: &str) -> bool {
    matches!(
        attribute,
        "href" | "xlink:href" | "url" | "target" | "src" | "fileref"
    )
}

/// Returns whether an attribute is about the file and not what it says.
pub(super) fn is_technical(attribute: &str) -> bool {
    matches!(attribute, "xmlns" | "xml:space" | "xml:base")
        || attribute.starts_with("xmlns:")
        || attribute.starts_with("xsi:")
}

/// Returns whether an attribute is about the look or the links of running text.
pub(super) fn is_markup(attribute: &str) -> bool {
    matches!(
        attribute,
        "id" | "xml:id"
            | "class"
            | "style"
            | "role"
            | "rid"
            | "xml:lang"
            | "xml-lang"
            | "lang"
            | "rend"
            | "rendition"
    )
}
