//! XML of manuals: topics of DITA, pages of Mallard, and what `DocBook` has of keys and menus.

use super::*;

/// Returns the levels and titles of the headings.
fn headings(document: &Document) -> Vec<(u8, &str)> {
    let found = outline(document).into_iter();
    found.map(|(level, title, _)| (level, title)).collect()
}

#[test]
fn a_task_of_dita_is_paragraphs_and_numbered_steps() {
    let task = "<!DOCTYPE task PUBLIC '-//OASIS//DTD DITA Task//EN' 'task.dtd'><task id='i'><title>Install</title>\
        <shortdesc>In three ways.</shortdesc><taskbody><prereq>You are root.</prereq><steps><step><cmd>Select \
        <menucascade><uicontrol>File</uicontrol><uicontrol>Open</uicontrol></menucascade>.</cmd>\
        <info>A window opens.</info></step><step><cmd>Choose one:</cmd><choices><choice>alpha</choice>\
        <choice>beta</choice></choices></step><step><cmd>Run</cmd><substeps><substep><cmd>Type <userinput>make\
        </userinput></cmd></substep><substep><cmd>Press <keyword keyref='enter'/></cmd></substep></substeps></step>\
        </steps><result>Done.</result></taskbody></task>";
    let document = load(task, "a.dita");
    let expected = "# Install\n\nIn three ways.\n\nYou are root.\n\n1. Select File > Open.\n    A window opens.\n\
        2. Choose one:\n    - alpha\n    - beta\n3. Run\n    1. Type make\n    2. Press enter\n\nDone.\n";
    assert_eq!(document.text, expected);
    assert_eq!(headings(&document), [(1, "Install")]);
}

#[test]
fn the_tables_and_the_code_of_dita_are_tables_and_code() {
    let reference = "<reference id='r'><title>Options</title><refbody><properties><prophead><proptypehd>Type</proptypehd>\
        <propvaluehd>Value</propvaluehd></prophead><property><proptype>colour</proptype><propvalue>red</propvalue>\
        </property></properties><section><title>More</title><simpletable><sthead><stentry>A</stentry><stentry>B</stentry>\
        </sthead><strow><stentry>1</stentry><stentry>2</stentry></strow></simpletable><p conref='common.dita#common/p'/>\
        <p conkeyref='terms/p'/><p conref='#r/p'/><codeblock>a\n  b</codeblock></section></refbody></reference>";
    let document = load(reference, "a.dita");
    let text = &document.text;
    let properties =
        "# Options\n\n| Type | Value |\n| --- | --- |\n| colour | red |\n\n## More\n\n";
    assert!(text.starts_with(properties), "{text}");
    assert!(
        text.contains("| A | B |\n| --- | --- |\n| 1 | 2 |\n"),
        "{text}"
    );
    assert!(text.ends_with("\n\n```\na\n  b\n```\n"), "{text}");
    assert_eq!(
        document.metadata.extra["not_followed"],
        serde_json::json!(["common.dita", "terms"])
    );
    let entry = "<glossentry id='g'><glossterm>Tide</glossterm><glossdef>The sea that comes.</glossdef></glossentry>";
    assert_eq!(
        load(entry, "a.dita").text,
        "# Tide\n\nThe sea that comes.\n"
    );
    // Data that only has the name of a topic stays what it is.
    let data = "<task><title>Clean</title><steps><cmd>rm</cmd><cmd>ls</cmd></steps></task>";
    assert!(load(data, "a.xml").text.contains("cmd: rm"));
}

#[test]
fn the_authors_of_a_page_of_mallard_are_no_sections() {
    let page = "<page xmlns='http://projectmallard.org/1.0/' type='topic' id='p'><info><credit type='author'>\
        <name>Ann Lee</name><email>ann@example.org</email></credit><desc>Stop the noise.</desc></info>\
        <title>Crackling</title><p>Press <keyseq><key>Alt</key><key>F1</key></keyseq>, <keyseq type='sequence'><key>g</key><key>t</key></keyseq> or see <link xref='sound'/>.</p>\
        <steps><title>To stop it:</title><item><p>Open <guiseq><gui>Tools</gui><gui>Sound</gui></guiseq>.</p></item>\
        <item><p>Close it.</p></item></steps></page>";
    let document = load(page, "a.xml");
    assert_eq!(headings(&document), [(1, "Crackling")]);
    let text = &document.text;
    assert!(text.contains("\n  name: Ann Lee\n"), "{text}");
    assert!(
        text.contains("\n\nStop the noise.\n\nPress Alt+F1, g t or see sound.\n\n"),
        "{text}"
    );
    assert!(
        text.ends_with("To stop it:\n\n1. Open Tools > Sound.\n2. Close it.\n"),
        "{text}"
    );
}

#[test]
fn a_name_titles_a_section_only_where_it_has_text() {
    let letters = "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><titleStmt><title>Letters</title><respStmt>\
        <resp>Encoded by</resp><name>John Doe</name></respStmt></titleStmt></teiHeader>\
        <text><body><p>Dear Sir.</p></body></text></TEI>";
    let document = load(letters, "a.xml");
    assert_eq!(headings(&document), [(1, "Letters")]);
    assert!(
        document.text.contains("  name: John Doe\n"),
        "{}",
        document.text
    );
    let module = "<module><title>M</title><function><name>sort</name><p>Sorts <i>all</i>.</p></function></module>";
    assert_eq!(headings(&load(module, "a.xml")), [(1, "M"), (2, "sort")]);
}

#[test]
fn keys_and_menus_have_their_signs() {
    let article = "<article><title>Press <keycombo><keycap>Ctrl</keycap>\n<keycap>F</keycap></keycombo></title>\
        <para>Choose <menuchoice>\n<shortcut><keycombo><keycap>Ctrl</keycap><keycap>Q</keycap></keycombo></shortcut>\n\
        <guimenu>File</guimenu>\n<guimenuitem>Quit</guimenuitem></menuchoice>.</para>\
        <procedure><step><para>One</para><substeps><step><para>Sub</para></step></substeps></step></procedure></article>";
    let expected = "# Press Ctrl+F\n\nChoose Ctrl+Q File > Quit.\n\n1. One\n    1. Sub\n";
    assert_eq!(load(article, "a.xml").text, expected);
    // Keys that follow each other have no sign, and those of the source stay.
    let keys = "<article><title>A <keycombo action='seq'><keycap>g</keycap><keycap>t</keycap></keycombo></title>\
        <para>B <keycombo action='seq'><keycap>g</keycap><keycap>t</keycap></keycombo>, \
        <keycombo><keycap>Ctrl</keycap>-<keycap>F</keycap></keycombo></para>\
        <example><title>C <keycombo><keycap>Ctrl</keycap>-<keycap>F</keycap></keycombo></title><para>D</para></example></article>";
    let expected = "# A g t\n\nB g t, Ctrl-F\n\nC Ctrl-F\n\nD\n";
    assert_eq!(load(keys, "a.xml").text, expected);
    let many = "<keycap>F</keycap>".repeat(200_000);
    let hostile =
        format!("<article><title>T</title><para><keycombo>{many}</keycombo></para></article>");
    assert!(load(&hostile, "a.xml").text.ends_with("+F\n"));
}

#[test]
fn an_entry_of_a_glossary_names_the_one_to_see() {
    let glossary = "<glossary><title>G</title><glossentry><glossterm>FBI</glossterm><glosssee otherterm='b'/></glossentry>\
        <glossentry id='b'><glossterm>Bureau</glossterm><glossdef><para>An agency.</para></glossdef></glossentry></glossary>";
    let text = load(glossary, "a.xml").text;
    assert!(text.contains("glosssee (otherterm: b): Bureau\n"), "{text}");
}

#[test]
fn headings_of_running_text_are_headings_in_any_vocabulary() {
    let help = "<helpdocument><meta><title>Formula</title></meta><body><paragraph role='heading' level='2' xml-lang='en' \
        id='a'>Options</paragraph><paragraph role='paragraph' xml-lang='en' id='b'>Some <em>text</em>.</paragraph>\
        <h3 id='h'>Deep</h3><paragraph>More.</paragraph></body></helpdocument>";
    let document = load(help, "a.xml");
    assert_eq!(
        document.text,
        "# Formula\n\n## Options\n\nSome text.\n\n### Deep\n\nMore.\n"
    );
    assert_eq!(
        headings(&document),
        [(1, "Formula"), (2, "Options"), (3, "Deep")]
    );
    let data = "<rows><h1>a</h1><h2>b</h2></rows>";
    assert!(headings(&load(data, "a.xml")).is_empty());
}

#[test]
fn the_numbers_and_headings_of_a_law_are_its_sections() {
    let act = "<akomaNtoso xmlns='http://docs.oasis-open.org/legaldocml/ns/akn/3.0'><act><body><chapter><num>Chapter 1</num>\n\
        <heading>General</heading><section><num>1.</num><heading>Scope</heading><subsection><num>(1)</num>\n\
        <content><p>This Act applies.</p></content></subsection><subsection><num>(2)</num><intro><p>In this Act:</p></intro>\
        <paragraph><num>(a)</num><content><p>first;</p></content></paragraph></subsection></section>\
        <article><num>Article 2</num><paragraph><content><p>Second.</p></content></paragraph></article></chapter></body>\
        </act></akomaNtoso>";
    let expected = "# Chapter 1 General\n\n## 1. Scope\n\n(1) This Act applies.\n\n(2) In this Act:\n\n(a) first;\n\n\
        ## Article 2\n\nSecond.\n";
    assert_eq!(load(act, "a.xml").text, expected);
    let code = "<uscDoc xmlns='http://xml.house.gov/schemas/uslm/1.0'><meta><dc:title>The Code</dc:title></meta><main><title><num value='1'>Title 1—</num>\
        <heading>GENERAL</heading><section><num>§ 1.</num><heading> Words</heading><content><p>In determining.</p></content>\
        <sourceCredit>(July 30, 1947)</sourceCredit></section><section><num>§ 2.</num><heading>County</heading>\
        <content>The word county.</content></section></title></main></uscDoc>";
    let expected = "# The Code\n\n# Title 1— GENERAL\n\n## § 1. Words\n\nIn determining.\n\n(July 30, 1947)\n\n## § 2. County\n\n\
        The word county.\n";
    let document = load(code, "a.xml");
    assert_eq!(document.text, expected);
    assert_eq!(document.metadata.title.as_deref(), Some("The Code"));
}

#[test]
fn what_only_names_the_namespace_of_laws_is_no_law() {
    let law = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0";
    let schema = |namespace: &str| {
        let schema = format!(
            "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns='{namespace}'>\
             <xs:element name='title' type='inline'/><xs:element name='content' type='block'/></xs:schema>"
        );
        load(&schema, "a.xml").text
    };
    assert_eq!(schema(law), schema("http://example.org/ns"));
    let list = |namespace: &str| {
        let list = format!(
            "<list xmlns:akn='{namespace}'><law><title>A</title><year>1990</year></law>\
             <law><title>B</title><year>1991</year></law></list>"
        );
        load(&list, "a.xml").text
    };
    assert_eq!(list(law), list("http://example.org/ns"));
    let prefixed = format!(
        "<akn:akomaNtoso xmlns:akn='{law}'><akn:act><akn:body><akn:section><akn:num>1.</akn:num>\
         <akn:heading>A</akn:heading><akn:content><akn:p>One.</akn:p></akn:content></akn:section></akn:body></akn:act>\
         </akn:akomaNtoso>"
    );
    assert_eq!(load(&prefixed, "a.xml").text, "# 1. A\n\nOne.\n");
}

#[test]
fn a_number_that_begins_a_text_of_a_law_is_written_once() {
    let act = |number: &str| {
        format!(
            "<akomaNtoso xmlns='http://docs.oasis-open.org/legaldocml/ns/akn/3.0'><act><body><section><num>1.</num>\
             <heading>A</heading><content><num>(1)</num><p>One.</p></content><content><ul><li><num>{number}</num>\
             <p>two</p></li></ul></content></section></body></act></akomaNtoso>"
        )
    };
    let expected = "# 1. A\n\n(1) One.\n\n- (a) two\n";
    assert_eq!(load(&act("(a)"), "a.xml").text, expected);
    // What is longer is a text of its own.
    let long = "long ".repeat(50);
    let text = load(&act(&long), "a.xml").text;
    assert!(!text.contains("long two"), "{text}");
    assert_eq!(text.matches("long").count(), 50, "{text}");
}

#[test]
fn a_word_goes_on_over_the_end_of_a_line_that_is_within_it() {
    let letter = "<TEI xmlns='http://www.tei-c.org/ns/1.0'><text><body><div><head>Of na\n<lb break='no'/>\n\
        ture</head><p>Word bro<lb break='no'/>\n ken and <hi>se\n\
        <pb break='no' n='2'/></hi>cond, a line<lb/>ends.</p></div></body></text></TEI>";
    let expected = "# Of nature\n\nWord broken and second, a line ends.\n";
    assert_eq!(load(letter, "a.xml").text, expected);
}

#[test]
fn the_heads_and_feet_of_the_pages_of_an_edition_are_no_text() {
    let edition = "<TEI xmlns='http://www.tei-c.org/ns/1.0'><text><body><div><head><fw type='header'>The Life of <hi>Ann</hi></fw></head>\
        <p>She went to <fw type='catch' place='bottom'>London,</fw><pb n='2'/><fw type='pageNum'>2</fw> London.</p></div></body>\
        </text></TEI>";
    let document = load(edition, "a.xml");
    assert_eq!(document.text, "She went to London.\n");
    let lines = serde_json::json!(["The Life of Ann", "London,"]);
    assert_eq!(document.metadata.extra["running_lines"], lines);
}

#[test]
fn references_of_jats_without_words_show_the_label_of_their_place() {
    let article = "<article><body><sec><title>S</title><p>See <xref ref-type='fig' rid='f1'/> and \
        <xref rid='f1 t2'/>.</p><fig id='f1'>\
        <label>Figure 1</label><caption><p>Cap.</p></caption></fig><verse-group><verse-line>a</verse-line>\
        <verse-line>b</verse-line></verse-group></sec></body></article>";
    let text = load(article, "a.xml").text;
    assert!(text.contains("See Figure 1 and Figure 1, t2.\n"), "{text}");
    assert!(text.ends_with("\n\na\n\nb\n"), "{text}");
}

#[test]
fn the_source_of_an_rfc_is_sections_paragraphs_and_code() {
    let rfc = "<rfc docName='draft-x-00'><front><title>The X Protocol</title><abstract><t>About X.</t></abstract></front>\
        <middle><section anchor='intro'><name>Introduction</name><t>See <xref target='RFC2119'/> and <xref target='sub'/>.</t>\
        <figure anchor='f'><name>A figure</name><artwork>+--+\n|A |</artwork></figure><t>After it.</t>\
        <section anchor='sub'><name>Details</name><t>More.</t></section></section></middle>\
        <back><references><name>References</name><reference anchor='RFC2119'><front><title>Key words</title></front>\
        </reference></references></back></rfc>";
    let document = load(rfc, "a.xml");
    let expected = [
        (1, "The X Protocol"),
        (2, "Introduction"),
        (3, "Details"),
        (2, "References"),
    ];
    assert_eq!(headings(&document), expected);
    let text = &document.text;
    assert!(text.contains("\n\nAbout X.\n\n"), "{text}");
    assert!(
        text.contains("\n\nSee RFC2119 and Details.\n\nA figure\n"),
        "{text}"
    );
    assert!(
        text.contains("```\n+--+\n|A |\n```\n\nAfter it.\n"),
        "{text}"
    );
}

#[test]
fn a_section_may_have_its_title_as_an_attribute() {
    let guide = "<document><properties><title>Guide</title></properties><body><section name='Install'><p>Run <b>it</b>.</p>\
        <subsection name='On Linux'><p>Use it.</p></subsection></section></body></document>";
    let document = load(guide, "a.xml");
    let expected = [(1, "Guide"), (1, "Install"), (2, "On Linux")];
    assert_eq!(headings(&document), expected);
}
