//! XML of articles, books and their tables, figures, lists and formulas.

use super::*;

#[test]
fn cells_stand_beside_those_that_reach_into_their_row() {
    let jats = "<sec><p>See.</p><table><thead><tr><th rowspan='2'>Group</th><th colspan='2'>Dose</th>\
        <th rowspan='2'>N</th></tr><tr><th>low</th><th>high</th></tr></thead><tbody>\
        <tr><td rowspan='2'>Men</td><td>1</td><td>2</td><td>30</td></tr>\
        <tr><td>3</td><td>4</td><td>31</td></tr></tbody></table></sec>";
    let expected = "See.\n\n| Group | Dose |  | N |\n| --- | --- | --- | --- |\n|  | low | high |\n\
        | Men | 1 | 2 | 30 |\n|  | 3 | 4 | 31 |\n";
    assert_eq!(load(jats, "a.xml").text, expected);
    let docbook = "<section><para>See.</para><informaltable><tgroup cols='3'><colspec colname='a'/>\
        <colspec colname='b'/><colspec colname='c'/><spanspec spanname='all' namest='a' nameend='c'/>\
        <thead><row><entry>Name</entry><entry namest='b' nameend='c'>Values</entry></row></thead>\
        <tbody><row><entry morerows='1'>x</entry><entry>1</entry><entry>2</entry></row>\
        <row><entry colname='c'>4</entry></row><row><entry spanname='all'>y</entry></row></tbody>\
        </tgroup></informaltable></section>";
    let expected = "See.\n\n| Name | Values |  |\n| --- | --- | --- |\n| x | 1 | 2 |\n|  |  | 4 |\n\
        | y |  |  |\n";
    assert_eq!(load(docbook, "a.xml").text, expected);
    let tei = "<text><p>See.</p><table><row><cell rows='2'>a</cell><cell>b</cell></row>\
        <row><cell>c</cell></row><row><cell cols='2'>d</cell></row></table></text>";
    let expected = "See.\n\n| a | b |\n| --- | --- |\n|  | c |\n| d |  |\n";
    assert_eq!(load(tei, "a.xml").text, expected);
}

#[test]
fn cells_that_reach_far_take_no_more_than_a_bounded_row() {
    let wide = "<td rowspan='60000' colspan='100'>x</td>".repeat(1_000);
    let xml = format!(
        "<doc><p>a</p><table><tr>{wide}</tr>{}</table></doc>",
        "<tr><td>y</td></tr>".repeat(1_000)
    );
    assert!(load(&xml, "a.xml").text.len() < 2 << 20);
}

#[test]
fn raised_digits_of_running_text_are_superscript_characters() {
    let xml = "<doc><title>Area in m<sup>2</sup></title><p>10<sup><xref>6</xref></sup> and 1<superscript>st</superscript> \
        and H<sub>2</sub>O<hi rend='sup'>+</hi></p></doc>";
    let text = load(xml, "a.xml").text;
    assert_eq!(text, "# Area in m²\n\n10⁶ and 1st and H2O⁺\n");
    for (written, expected) in [
        ("10<hi rend='superscript'>2</hi>", "10²"),
        ("10<hi rendition='simple:superscript'>2</hi>", "10²"),
        ("10<hi style='vertical-align: super'>2</hi>", "10²"),
        ("10<emphasis role='superscript'>2</emphasis>", "10²"),
        ("10<sup>−<italic>6</italic></sup>", "10⁻⁶"),
        ("7<sup><xref>1</xref>,</sup><sup>2</sup>", "7¹,²"),
        ("10<superscript>2a</superscript>", "10^2a"),
        ("10<sup><i>2</i>a</sup>", "10^2a"),
        ("log<sub>2</sub>8", "log₂8"),
        ("101<hi rend='sub'>2</hi>", "101₂"),
        ("CO<subscript>2</subscript>", "CO2"),
    ] {
        let xml = format!("<doc><title>T</title><p>So {written} it is</p></doc>");
        let text = load(&xml, "a.xml").text;
        assert_eq!(text, format!("# T\n\nSo {expected} it is\n"), "{written}");
    }
    let data = "<a><sup>2</sup><b>1</b></a>";
    assert!(!load(data, "a.xml").text.contains('²'));
}

const JATS: &str = "<article xml:lang='en'><front><journal-meta><journal-id>x</journal-id><journal-title-group>\
    <journal-title>Tides</journal-title></journal-title-group></journal-meta><article-meta>\
    <article-id pub-id-type='pmid'>7</article-id><article-id pub-id-type='doi'>10.1/x</article-id>\
    <title-group><article-title>On <italic>moons</italic></article-title></title-group>\
    <contrib-group><contrib contrib-type='author'><name><surname>Wolf</surname><given-names>Ann B</given-names></name>\
    <xref ref-type='aff' rid='a1'>1</xref></contrib><contrib contrib-type='author'><collab>The Group</collab></contrib>\
    </contrib-group><aff id='a1'><label>1</label><institution>Institute</institution><country>Chile</country></aff>\
    <pub-date><day>01</day><month>6</month><year>2020</year></pub-date><volume>9</volume><fpage>3</fpage><lpage>8</lpage>\
    <history><date><day>24</day><month>2</month><year>2019</year></date></history>\
    <permissions><license><license-p>Free.</license-p></license></permissions>\
    <abstract><p>We look.</p></abstract><kwd-group><kwd>moon</kwd><kwd>sea</kwd></kwd-group></article-meta></front>\
    <body><sec><title>Results</title><p>See.</p><fig><label>Figure 1.</label><caption><title>A view.</title><p>Far.</p>\
    </caption><graphic xlink:href='f1'/></fig><disp-formula><label>(1)</label><alternatives><tex-math>\
    \\begin{document}$$x^2$$\\end{document}</tex-math><math>x2</math></alternatives></disp-formula></sec></body>\
    <back><ref-list><title>References</title><ref><label>1</label><element-citation><person-group><name>\
    <surname>Day</surname><given-names>C</given-names></name></person-group><article-title>Light</article-title>\
    <source>Sky</source><year>1999</year><volume>2</volume><fpage>5</fpage></element-citation></ref>\
    <ref><label>2</label><mixed-citation>Eve. Night. 2001.</mixed-citation></ref></ref-list>\
    <fn-group><fn><label>a</label><p>Late.</p></fn></fn-group></back></article>";

#[test]
fn an_article_of_a_journal_has_a_short_head_and_sections_below_its_title() {
    let document = load(JATS, "a.xml");
    let expected = "\
# On moons

Authors: Ann B Wolf, The Group
Affiliations: 1 Institute, Chile
Journal: Tides 9 (2020), 3–8
DOI: 10.1/x
Keywords: moon, sea

## Abstract

We look.

## Results

See.

Figure 1. A view. Far.

$$x^2$$ (1)

## References

1 Day C (1999). Light. Sky 2:5

2 Eve. Night. 2001.

a Late.
";
    assert_eq!(document.text, expected);
    let metadata = &document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("On moons"));
    assert_eq!(metadata.author.as_deref(), Some("Ann B Wolf, The Group"));
    assert_eq!(metadata.created.as_deref(), Some("2020-06-01"));
    assert_eq!(metadata.extra["doi"], "10.1/x");
    assert_eq!(metadata.extra["license"], "Free.");
    assert_eq!(
        metadata.extra["front_matter_left_out"],
        serde_json::json!({"history": 1, "journal-id": 1})
    );
}

#[test]
fn notes_funding_and_all_fields_of_a_citation_are_kept() {
    let xml = "<article><front><journal-meta><issn>1-2</issn></journal-meta><article-meta>\
        <title-group><article-title>A</article-title></title-group><author-notes><corresp>Write to a@x.org</corresp>\
        <fn><p>Ada owns shares.</p></fn></author-notes><history><date><year>2019</year></date></history><funding-group>\
        <award-group><funding-source>NSF</funding-source><award-id>4711</award-id></award-group>\
        <funding-statement>Paid by NSF.</funding-statement></funding-group></article-meta></front><body><p>Text.</p></body>\
        <back><ref-list><ref><element-citation><name><surname>Doe</surname></name><data-title>Set</data-title>\
        <source>GEO</source><year>2001</year><month>May</month><volume>3</volume><issue>2</issue><fpage>7</fpage>\
        <comment>In press</comment></element-citation></ref></ref-list></back></article>";
    let document = load(xml, "a.xml");
    let expected = "# A\n\nNotes: Write to a@x.org Ada owns shares.\nFunding: NSF 4711; Paid by NSF.\n\nText.\n\n\
        Doe (2001 May). GEO 3(2):7. Set. In press\n";
    assert_eq!(document.text, expected);
    let left_out = &document.metadata.extra["front_matter_left_out"];
    assert_eq!(left_out, &serde_json::json!({"history": 1, "issn": 1}));
}

#[test]
fn tables_in_elements_of_other_vocabularies_in_running_text_stay_tables() {
    let xml = "<patent><p>Mixed <b>as</b> follows: <tables><table><tr><td>a</td><td>b</td></tr>\
        <tr><td>c</td><td>d</td></tr></table></tables> and so on.</p></patent>";
    let expected = "Mixed as follows:\n\n| a | b |\n| --- | --- |\n| c | d |\n\nand so on.\n";
    assert_eq!(load(xml, "a.xml").text, expected);
}

#[test]
fn names_that_jats_has_too_lose_no_text() {
    let tei = "<TEI><text><p>Made.</p><desc><ref target='https://a.example'>The tool</ref></desc>\
        <fig>loose <b>words</b></fig><media>sound</media></text></TEI>";
    let text = load(tei, "a.xml").text;
    for words in ["The tool", "loose words", "sound"] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn front_matter_within_itself_is_taken_once() {
    let deep = |name: &str| {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        format!(
            "{}{}{}",
            open.repeat(300),
            "word ".repeat(10_000),
            close.repeat(300)
        )
    };
    for name in [
        "aff", "license", "contrib", "kwd", "abstract", "name", "article",
    ] {
        let inner = deep(name);
        let xml = format!(
            "<article><front><article-meta><contrib-group>{inner}</contrib-group><kwd-group>{inner}</kwd-group>\
             {inner}</article-meta></front><body><p>a</p><ref><citation>{inner}</citation></ref></body></article>"
        );
        let document = load(&xml, "a.xml");
        assert!(document.text.len() < 40 * inner.len(), "{name}");
    }
}

#[test]
fn a_table_in_a_cell_is_written_once() {
    let xml = "<doc><p>a</p><table><tr><td>b <table><tr><td>c</td></tr></table></td><td>d</td></tr></table></doc>";
    assert_eq!(load(xml, "a.xml").text, "a\n\n| b c | d |\n| --- | --- |\n");
}

/// One half and ten to the minus third, in MathML with a prefix.
const SUM: &str = "<m:mrow><m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac><m:mo>+</m:mo>\
    <m:msup><m:mn>10</m:mn><m:mrow><m:mo m:form='prefix'>−</m:mo><m:mn>3</m:mn></m:mrow></m:msup></m:mrow>";

#[test]
fn formulas_in_mathml_are_tex() {
    let docbook = format!(
        "<article><title>T</title><para>So <inlineequation><m:math>{SUM}</m:math></inlineequation> and \
         <inlineequation><m:math><m:mi>n</m:mi><m:mo>=</m:mo><m:mn>5</m:mn></m:math></inlineequation>.</para>\
         <equation><title>Sum</title><m:math>{SUM}</m:math></equation>\
         <informalequation><m:math>{SUM}</m:math></informalequation></article>"
    );
    let sum = "\\frac{1}{2}+{10}^{-3}";
    let expected = format!("# T\n\nSo ${sum}$ and n = 5.\n\nSum\n\n$${sum}$$\n\n$${sum}$$\n");
    assert_eq!(load(&docbook, "a.xml").text, expected);
    let jats = format!(
        "<article><body><sec><title>Of <inline-formula><m:math>{SUM}</m:math></inline-formula></title><p>So.</p>\
         <disp-formula><label>(1)</label><m:math>{SUM}</m:math></disp-formula></sec></body></article>"
    );
    let expected = format!("# Of ${sum}$\n\nSo.\n\n$${sum}$$ (1)\n");
    assert_eq!(load(&jats, "a.xml").text, expected);
    let tei = "<TEI><text><p>So <formula notation='TeX'>x_{12}</formula>.</p></text></TEI>";
    assert_eq!(load(tei, "a.xml").text, "So $x_{12}$.\n");
}

#[test]
fn an_element_that_is_only_called_as_a_formula_is_none() {
    let marks = "<marks><pupil>Ann</pupil><math scale='10'>9</math></marks>";
    let text = load(marks, "a.xml").text;
    assert!(text.contains("math (scale: 10): 9"), "{text}");
}

/// Checks the text of an article in `DocBook` that has no more than this in it.
fn check_docbook(inside: &str, expected: &str) {
    let xml = format!("<article><title>T</title>{inside}</article>");
    assert_eq!(load(&xml, "a.xml").text, format!("# T\n\n{expected}\n"));
}

#[test]
fn items_have_the_numbers_of_their_lists() {
    let list = |attributes: &str, items: &str| {
        let items: Vec<&str> = items.split(' ').collect();
        let items = items.join("</para></listitem><listitem><para>");
        format!("<orderedlist {attributes}><listitem><para>{items}</para></listitem></orderedlist>")
    };
    check_docbook(
        "<orderedlist><title>Terms</title><listitem override='3'><para>three</para></listitem><listitem><para>four</para>\
         </listitem></orderedlist>",
        "Terms\n\n3. three\n4. four",
    );
    let lists = [
        list("startingnumber='7'", "a b"),
        list("continuation='continues'", "c"),
        "<para>So.</para>".into(),
        list("numeration='loweralpha' startingnumber='3'", "x y"),
        list("numeration='upperroman'", "p q"),
    ];
    check_docbook(
        &lists.concat(),
        "7. a\n8. b\n9. c\n\nSo.\n\n- c. x\n- d. y\n- I. p\n- II. q",
    );
}

#[test]
fn items_of_tei_and_jats_have_their_numbers_and_labels() {
    let tei = "<TEI><text><p>So.</p><list rend='numbered'><item n='3'>three</item><pb/><item>four</item></list><p>And.</p>\
        <list type='ordered:arabic'><item>one</item></list><p>Or.</p><list type='ordered:loweralpha'><item>x</item></list>\
        <p>Also.</p><list rend='numbered'><label>(7)</label><item>seven</item></list></text></TEI>";
    let expected =
        "So.\n\n3. three\n4. four\n\nAnd.\n\n1. one\n\nOr.\n\n- a. x\n\nAlso.\n\n- (7) seven\n";
    assert_eq!(load(tei, "a.xml").text, expected);
    let jats = "<article><body><p>So.</p><list list-type='alpha-lower'><list-item><p>x</p></list-item>\
        <list-item><p>y</p></list-item></list><p>And.</p><list list-type='order'><list-item><label>3.</label><p>three</p>\
        </list-item><list-item><label/><p>four</p></list-item></list><p>Or.</p><list list-type='simple'><list-item>\
        <label>1.2</label><p>deep</p></list-item></list></body></article>";
    let expected = "So.\n\n- a. x\n- b. y\n\nAnd.\n\n3. three\n4. four\n\nOr.\n\n- 1.2 deep\n";
    assert_eq!(load(jats, "a.xml").text, expected);
}

#[test]
fn a_figure_is_its_title_and_the_words_that_stand_for_it_once() {
    let figure = |words: &str| {
        format!(
            "<para>So.</para><figure><title>A view</title><mediaobject><imageobject><imagedata fileref='a.png'/></imageobject>\
             <textobject><phrase>{words}</phrase></textobject></mediaobject></figure>"
        )
    };
    check_docbook(&figure("A view"), "So.\n\nA view");
    check_docbook(&figure("Far away"), "So.\n\nA view\n\nFar away");
}

#[test]
fn the_description_of_a_book_is_metadata_and_its_pictures_are_left_out() {
    let book = "<?xml version='1.0'?><FictionBook xmlns='http://www.gribuser.ru/xml/fictionbook/2.0'>\
        <description><title-info><genre>prose</genre><author><first-name>Ann</first-name><last-name>Example</last-name>\
        <id>7</id></author><book-title>Tides</book-title><annotation><p>About the <emphasis>sea</emphasis>.</p></annotation>\
        <lang>en</lang><book-title/><lang/><annotation/><genre>sea</genre><sequence name='Shores' number='2'/></title-info>\
        <publish-info><publisher>Mill</publisher><isbn/></publish-info><document-info><author><nickname>x</nickname></author></document-info></description>\
        <body><section><title><p>One</p></title><p>The moon pulls.</p></section></body>\
        <binary id='cover.jpg' content-type='image/jpeg'>/9j/4AAQ</binary></FictionBook>";
    let document = load(book, "a.fb2");
    assert_eq!(document.format, Format::Xml);
    assert_eq!(outline(&document).len(), 1);
    assert!(
        document.text.ends_with("One\n\nThe moon pulls.\n"),
        "{}",
        document.text
    );
    for left_out in ["prose", "Ann", "/9j/"] {
        assert!(!document.text.contains(left_out), "{left_out}");
    }
    let metadata = document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("Tides"));
    assert_eq!(metadata.author.as_deref(), Some("Ann Example"));
    assert_eq!(metadata.language.as_deref(), Some("en"));
    assert_eq!(metadata.extra["description"], "About the sea.");
    assert_eq!(metadata.extra["genre"], "prose, sea");
    assert_eq!(metadata.extra["series"], "Shores 2");
    assert_eq!(metadata.extra["publisher"], "Mill");
    assert!(!metadata.extra.contains_key("isbn"));
}

#[test]
fn the_head_of_an_outline_is_not_its_title() {
    let opml = |title: &str| {
        format!(
            "<opml version='2.0'><head>{title}<dateCreated>Mon, 6 Nov</dateCreated><ownerName>Ann</ownerName></head>\
             <body><outline text='Feeds'><outline text='Tides' xmlUrl='a.rss'/></outline></body></opml>"
        )
    };
    let load = |title: &str| load(&opml(title), "a.opml");
    let titled = load("<title>What I read</title>");
    let found = outline(&titled);
    let found: Vec<_> = found.iter().map(|found| (found.0, found.1)).collect();
    assert_eq!(found, [(1, "What I read")]);
    assert_eq!(titled.metadata.title.as_deref(), Some("What I read"));
    for document in [&titled, &load("")] {
        let text = &document.text;
        assert_eq!(text.matches("Ann").count(), 1, "{text}");
        assert!(text.contains("ownerName: Ann\n"), "{text}");
        assert!(text.contains("text: Tides"), "{text}");
    }
}
