//! XML of vocabularies that people have.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{Error, Loader as _, XmlLoader, load_bytes, omissions};

use crate::memory::bounded;
use crate::mutations;
use crate::support::{check_read_as_text, load_error, outline};

#[path = "xml_manuals.rs"]
mod manuals;
#[path = "xml_vocabularies.rs"]
mod vocabularies;

const ARTICLE: &str = "\
<?xml version='1.0'?>
<!DOCTYPE article [<!ENTITY who 'nobody'>]>
<article xml:lang='en' xmlns:xlink='http://www.w3.org/1999/xlink'>
<info><title>Tides &amp; the <em>moon</em></title><author><personname>Ann</personname></author></info>
<!-- not said -->
<section><label>1</label><title>Cause</title>
<para>The &who; moon<footnote><para>And the sun.</para></footnote> pulls, see <link xlink:href='https://a.example'>here</link>:
<itemizedlist><listitem><para>near side</para></listitem><listitem><para>far side</para>
<orderedlist><listitem><para>deep</para></listitem></orderedlist></listitem></itemizedlist> and so on.</para>
<programlisting>a &lt; b
  c</programlisting>
<informaltable><tgroup><thead><row><entry>Port</entry><entry>Height</entry></row></thead>
<tbody><row><entry>Brest</entry><entry>6.1 m</entry></row></tbody></tgroup></informaltable>
</section></article>";

const POM: &str = "\
<project xmlns='http://maven.apache.org/POM/4.0.0'>
<modelVersion>4.0.0</modelVersion><name>App</name>
<properties><java.version>21</java.version><empty/></properties>
<dependencies>
<dependency scope='test'><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter-api</artifactId></dependency>
<dependency><groupId>com.fasterxml.jackson.core</groupId><artifactId>jackson-databind</artifactId>
<exclusions><exclusion><artifactId>all-of-them-are-excluded-from-the-test-classpath-since-they-are-there-already-and-twice</artifactId></exclusion></exclusions></dependency>
</dependencies></project>";

const FEED: &str = "\
<rss version='2.0'><channel><title>News</title><link>https://a.example</link>
<item><title>One</title><description>&lt;p&gt;First &lt;b&gt;bold&lt;/b&gt; words.&lt;/p&gt;</description>
<category>a</category><guid isPermaLink='false'>tag:a.example,2026:one-is-the-first-of-all-the-items-that-are-here</guid>
<content><![CDATA[All of <i>it</i>.]]></content><comments>https://a.example/comments/one-is-the-first-of-all</comments></item>
</channel></rss>";

fn load(xml: &str, name: &str) -> Document {
    load_bytes(xml.as_bytes(), Path::new(name)).unwrap()
}

#[test]
fn an_article_is_sections_paragraphs_lists_and_tables() {
    let document = load(ARTICLE, "a.xml");
    let expected = "\
# Tides & the moon

personname: Ann

## 1 Cause

The nobody moon (And the sun.) pulls, see [here](https://a.example):

- near side
- far side
    1. deep

and so on.

```
a < b
  c
```

| Port | Height |
| --- | --- |
| Brest | 6.1 m |
";
    assert_eq!(document.text, expected);
    assert_eq!(document.format, Format::Xml);
    assert_eq!(document.metadata.title.as_deref(), Some("Tides & the moon"));
    assert_eq!(document.metadata.language.as_deref(), Some("en"));
    assert!(!document.metadata.extra.contains_key("unresolved_entities"));
}

#[test]
fn included_files_are_named() {
    let document = load(
        "<!DOCTYPE book [<!ENTITY % names SYSTEM 'names.ent'> <!ENTITY one SYSTEM \"one.xml\">\
         <!ENTITY two PUBLIC '-//A//B' 'two.xml'> <!ENTITY never SYSTEM 'never.xml'>]>\
         <book xmlns:xi='http://www.w3.org/2001/XInclude'><title>Tides</title><para>Intro.</para>&one;\
         <xi:include href='three.xml'/><chapter><title>Two</title>&two;</chapter>&one;</book>",
        "a.xml",
    );
    assert_eq!(
        document.metadata.extra["not_followed"],
        serde_json::json!(["one.xml", "two.xml", "three.xml"])
    );
    let said = omissions(&document.metadata).concat();
    assert!(said.contains("two.xml"), "{said}");
}

#[test]
fn references_show_the_titles_of_their_places() {
    let document = load(
        "<article><title>Tides</title><section xml:id='cause'><title>Cause</title><para>As <xref linkend='effect'/> says, \
         and <xref linkend='port'/>.</para></section><section id='effect'><info><title>The <em>effect</em></title></info>\
         <para>See <xref linkend='none'/> and <xref xlink:href='#cause'/>.</para><variablelist><varlistentry id='port'>\
         <term>--port</term><listitem><para>A port.</para></listitem></varlistentry></variablelist></section></article>",
        "a.xml",
    );
    for line in ["As The effect says, and --port.", "See none and Cause."] {
        assert!(document.text.contains(line), "{}", document.text);
    }
}

#[test]
fn many_references_to_a_long_title_show_its_beginning() {
    let title = "word ".repeat(20_000);
    let references = "<para>See <xref linkend='a'/>.</para>".repeat(1_000);
    let document = load(
        &format!("<article><section id='a'><title>{title}</title>{references}</section></article>"),
        "a.xml",
    );
    assert_eq!(document.text.matches("\nSee word word").count(), 1_000);
    assert!(document.text.len() < 2_000_000, "{}", document.text.len());
}

#[test]
fn data_is_lines_below_the_names_of_its_elements() {
    let expected = "\
# App

modelVersion: 4.0.0
properties
  java.version: 21
  empty

## dependencies

dependency (scope: test)
  groupId: org.junit.jupiter
  artifactId: junit-jupiter-api
dependency
  groupId: com.fasterxml.jackson.core
  artifactId: jackson-databind
  exclusions
    exclusion
      artifactId: all-of-them-are-excluded-from-the-test-classpath-since-they-are-there-already-and-twice
";
    assert_eq!(load(POM, "pom.xml").text, expected);
}

#[test]
fn items_of_a_feed_are_sections_and_their_html_is_markdown() {
    let document = load(FEED, "feed.rss");
    let titles: Vec<&str> = document
        .outline
        .iter()
        .map(|heading| heading.title.as_str())
        .collect();
    assert_eq!(titles, ["News", "One"]);
    assert!(
        document.text.contains("First **bold** words."),
        "{}",
        document.text
    );
    assert!(
        document
            .text
            .contains("guid (isPermaLink: false): tag:a.example")
    );
}

#[test]
fn text_with_tags_of_its_own_is_no_html() {
    let text = |inner: &str| load(&format!("<a><b>{inner}</b></a>"), "a.xml").text;
    for inner in [
        "It grew<ref>Jones</ref> in 1999<br/>2001.",
        "expected: <li>5</li> but was: <li>6</li>",
        "<div>a</div> <T>b</T>",
        "select a where x < 5 and note like '</p>'",
    ] {
        let escaped = inner.replace('<', "&lt;");
        assert_eq!(text(&escaped), format!("b: {inner}\n"));
    }
    assert_eq!(
        text("&lt;p>one &lt;b>two&lt;/b>&lt;/p>"),
        "b\n\none **two**\n"
    );
    let wiki =
        "<mediawiki><page><text>&lt;div>a&lt;ref>b&lt;/ref>&lt;/div></text></page></mediawiki>";
    assert!(
        load(wiki, "a.xml")
            .text
            .contains("<div>a<ref>b</ref></div>")
    );
}

#[test]
fn tags_that_html_does_not_know_part_words_in_feeds() {
    let feed = |inner: &str| {
        let inner = inner.replace('<', "&lt;");
        load(
            &format!("<rss><description>{inner}</description></rss>"),
            "a.rss",
        )
        .text
    };
    assert!(feed("one<ref>two</ref><br>three").contains("one two"));
    assert!(feed("List<T> or Map<K,V>").contains("List<T> or Map<K,V>"));
}

#[test]
fn flat_siblings_and_property_lists_are_tables_and_pairs() {
    let map = "<urlset>".to_owned()
        + &"<url><loc>a</loc><lastmod>b</lastmod></url>".repeat(3)
        + "</urlset>";
    let row = "| a | b |\n";
    assert_eq!(
        load(&map, "a.xml").text,
        format!("| loc | lastmod |\n| --- | --- |\n{}", row.repeat(3))
    );
    let list =
        "<plist><dict><key>Name</key><string>App</string><key>On</key><true/></dict></plist>";
    assert_eq!(load(list, "Info.plist").text, "dict\n  Name: App\n  On\n");
}

#[test]
fn entities_of_the_file_and_those_with_names_are_put_in_their_places() {
    let xml = "<!DOCTYPE a [<!ENTITY b 'Acme'><!ENTITY c '&b; 4.2'><!ENTITY d SYSTEM 'file:///etc/passwd'>]>\
               <a><title>&c;</title><p>&c; &d; &#65;&mdash;5&nbsp;GB</p></a>";
    let document = load(xml, "a.xml");
    assert_eq!(document.text, "# Acme 4.2\n\nAcme 4.2 &d; A—5 GB\n");
    assert_eq!(document.metadata.extra["unresolved_entities"], 1);
    let rows = "<!DOCTYPE r [<!ENTITY co 'Acme Corp'>]><r><row name='&co;'/><row name='B'/></r>";
    assert!(load(rows, "a.xml").text.contains("name: Acme Corp"));
}

const PAGE: &str = "\
<refentry xmlns='http://docbook.org/ns/docbook'>
<refnamediv><refname>sort</refname><refpurpose>Sort an array</refpurpose></refnamediv>
<refsect1 role='description'>
 &reftitle.description;
 <methodsynopsis><type>bool</type><methodname>sort</methodname></methodsynopsis>
 <para>Returns &true; on success.</para>
</refsect1>
<refsect1>
 &reftitle.examples;
 <para><example><title>A quibble example</title><programlisting>sort($a);</programlisting></example></para>
 <note><title>Beware</title><para>It is slow.</para></note>
 <para>zorp</para>
</refsect1>
<refsect1>
 &reftitle.see-also;
 &note.not-sorted;
 <para>rsort</para>
</refsect1>
</refentry>";

#[test]
fn a_page_of_a_reference_has_its_name_as_title_and_entities_as_those_of_its_sections() {
    let document = load(PAGE, "sort.xml");
    let titles = [
        (1, "sort", "# sort\n"),
        (2, "description", "## description\n"),
        (2, "examples", "## examples\n"),
        (2, "see also", "## see also\n"),
    ];
    assert_eq!(outline(&document), titles);
    assert_eq!(document.metadata.title.as_deref(), Some("sort"));
    assert_eq!(document.metadata.extra["unresolved_entities"], 5);
    let text = &document.text;
    assert!(text.contains("\n\nA quibble example\n\n```\nsort($a);\n```\n\nBeware\n\nIt is slow."));
    assert!(text.contains("refpurpose: Sort an array\n\n## description\n"));
    assert!(text.contains("\n\nReturns true on success.\n"));
    assert!(text.contains("## see also\n\nnot sorted\n\nrsort\n"));
    let manual = "<refentry><refmeta><refentrytitle>git-log</refentrytitle></refmeta><refnamediv>\
        <refname>log</refname></refnamediv><refsect1><title>NAME</title><para>x</para></refsect1>\
        <refsect1><example><title>Captioned</title><screen>y</screen></example></refsect1>\
        <refsect1><para>zorp</para></refsect1></refentry>";
    let document = load(manual, "a.xml");
    let titles = [(1, "git-log", "# git-log\n"), (2, "NAME", "## NAME\n")];
    assert_eq!(outline(&document), titles);
    assert!(document.text.contains("refname: log"), "{}", document.text);
}

#[test]
fn titles_of_what_stands_within_a_section_are_captions() {
    let jats = "<article><body><sec><title>S</title><boxed-text><caption><title>Box</title></caption>\
        <sec><title>Within</title><p>a</p></sec></boxed-text><p>after</p></sec></body></article>";
    let tei = "<TEI><text><body><div><head>S</head><figure><head>Box</head><figDesc>Within</figDesc>\
        </figure><p>after</p></div></body></text></TEI>";
    let dita = "<concept><title>S</title><conbody><example><title>Box</title><p>Within</p></example>\
        <fig><title>View</title><p>b</p></fig><p>after</p></conbody></concept>";
    let docbook = "<section><title>S</title><sidebar><info><title>Box</title></info><para>Within</para>\
        </sidebar><formalpara><title>Box</title><para>b</para></formalpara><para>after</para></section>";
    for xml in [jats, tei, dita, docbook] {
        let document = load(xml, "a.xml");
        assert_eq!(outline(&document), [(1, "S", "# S\n")], "{xml}");
        for words in ["\n\nBox\n", "Within", "\n\nafter\n"] {
            assert!(document.text.contains(words), "{}", document.text);
        }
    }
    let note =
        "<note xmlns='http://docbook.org/ns/docbook'><title>Alone</title><para>a</para></note>";
    assert_eq!(load(note, "a.xml").text, "# Alone\n\na\n");
    let untitled = "<section><example><title>E</title><para>a</para></example></section>";
    assert_eq!(load(untitled, "a.xml").metadata.title, None);
}

#[test]
fn a_box_with_sections_is_one_where_no_text_follows_it() {
    let section = "<sec><title>Within</title><p>b</p></sec>";
    let jats = format!(
        "<article><body><sec><title>S</title><p>a</p><boxed-text><caption><title>Box</title></caption>{section}\
         </boxed-text></sec><sec><title>T</title><p>c</p></sec></body></article>"
    );
    let headings = |document: &Document| -> Vec<(u8, String)> {
        let headings = outline(document).into_iter();
        headings
            .map(|(level, title, _)| (level, title.to_owned()))
            .collect()
    };
    let expected = [(1, "S"), (2, "Box"), (3, "Within"), (1, "T")];
    let expected = expected.map(|(level, title)| (level, title.to_owned()));
    assert_eq!(headings(&load(&jats, "a.xml")), expected);
    for name in ["sidebar", "note", "example"] {
        let docbook = format!(
            "<article><section><title>S</title><{name}><title>Box</title><section><title>Within</title>\
             <para>a</para></section></{name}></section><section><title>T</title><para>b</para></section></article>"
        );
        assert_eq!(headings(&load(&docbook, "a.xml")), expected, "{name}");
    }
}

#[test]
fn boxes_and_definitions_in_running_text_stand_apart() {
    let check = |inside: &str, expected: &str| {
        let text = load(
            &format!("<article><body><p>One {inside} end.</p></body></article>"),
            "a.xml",
        )
        .text;
        assert_eq!(text, format!("One\n\n{expected}\n\nend.\n"), "{inside}");
    };
    check(
        "<boxed-text><caption><title>Box</title></caption><p>two</p></boxed-text>",
        "Box\n\ntwo",
    );
    check(
        "<def-list><def-item><term>ebb</term><def><p>two</p></def></def-item>\
         <def-item><term>a <b>flood</b></term><def>three</def></def-item></def-list>",
        "ebb\n\ntwo\n\na flood\n\nthree",
    );
}

#[test]
fn words_of_a_title_or_a_cell_are_not_joined() {
    let xml = "<section><title>One<sbr/>two</title><informaltable><tgroup><tbody><row><entry><simplelist>\
        <member>a</member><member>b</member></simplelist></entry><entry><note><para>c</para><para>d</para></note>\
        </entry></row></tbody></tgroup></informaltable><para>e</para></section>";
    let expected = "# One two\n\n| a b | (c d) |\n| --- | --- |\n\ne\n";
    assert_eq!(load(xml, "a.xml").text, expected);
}

#[test]
fn attributes_of_records_are_kept_beside_running_text() {
    let order = "<order id='991' date='2024-05-01'><line sku='A-17' price='12.50'/>Deliver to gate <gate no='4'/> \
        before <time value='10:30'/>.</order>";
    let expected = "order (id: 991, date: 2024-05-01): line (sku: A-17, price: 12.50) Deliver to gate gate (no: 4) \
        before time (value: 10:30) .\n";
    assert_eq!(load(order, "a.xml").text, expected);
    let items = "<item sku='A-17' qty='3'/><item sku='B-2' qty='9'>Blue mug</item><note lang='en'>Check <b>twice</b></note>";
    let root = |inside: &str| {
        load(
            &format!("<stock date='2024-05-01'>{inside}</stock>"),
            "a.xml",
        )
        .text
    };
    assert_eq!(
        root(&format!("{items} and go")),
        "stock (date: 2024-05-01): item (sku: A-17, qty: 3) Blue mug (sku: B-2, qty: 9) (Check twice) and go\n"
    );
    assert_eq!(
        root(items),
        "date: 2024-05-01\nitem (sku: A-17, qty: 3)\nitem (sku: B-2, qty: 9): Blue mug\nnote (lang: en): Check twice\n"
    );
    let long = root(&format!("{} <b>b</b>", "word ".repeat(100)));
    assert!(
        long.starts_with("stock (date: 2024-05-01)\n\nword word"),
        "{long}"
    );
}

#[test]
fn a_paragraph_takes_no_attributes_from_other_elements() {
    let data = "<param id='7' name='timeout'><para id='p1' xml:space='preserve'>How long to wait.</para></param>";
    assert_eq!(
        load(data, "a.xml").text,
        "id: 7\nname: timeout\n\nHow long to wait.\n"
    );
    let note = "<note version='3'><p due='2024-03-01'>Pay <amount currency='EUR' value='12.50'/> now.</p></note>";
    let expected =
        "version: 3\np (due: 2024-03-01)\n\nPay amount (currency: EUR, value: 12.50) now.\n";
    assert_eq!(load(note, "a.xml").text, expected);
    for root in ["article", "doc xmlns='http://docbook.org/ns/docbook'"] {
        let name = root.split(' ').next().unwrap_or_default();
        let book = format!(
            "<{root} version='5'><para status='draft'>See <x cols='2'>this</x>.</para></{name}>"
        );
        assert_eq!(load(&book, "a.xml").text, "See this.\n");
    }
}

#[test]
fn what_is_no_xml_is_read_as_text() {
    let sgml = "<!DOCTYPE book SYSTEM 'book.dtd'>\n<book><para>One.<para>Two.</book>\n";
    for xml in ["<a><b></a>", "<a>", "text", "<a>{{ name }}<b></a>\n", sgml] {
        check_read_as_text(xml.as_bytes(), "a.xml", "XML");
        let error = XmlLoader::default().load(xml.as_bytes(), Path::new("a.xml"));
        assert!(matches!(error, Err(Error::Parse { .. })), "{xml}");
    }
    let error = load_error("<a>".repeat(10_000).as_bytes(), "a.xml");
    assert!(matches!(error, Error::LimitExceeded { .. }), "{error}");
    let latin = b"<?xml version='1.0' encoding='windows-1252'?><a><p>caf\xE9</p></a>";
    assert_eq!(
        load_bytes(latin, Path::new("a.xml")).unwrap().text,
        "café\n"
    );
}

#[test]
fn deep_elements_end_within_the_stack() {
    for element in ["a", "list", "table", "p", "item", "dict"] {
        let deep =
            format!("<{element}>").repeat(4_000) + "x" + &format!("</{element}>").repeat(4_000);
        let document = load(&deep, "a.xml");
        assert!(
            document.text.contains('x') && document.text.len() < 1_000_000,
            "{element}"
        );
    }
}

#[test]
fn damaged_copies_end_with_text_or_an_error() {
    bounded("xml::damaged_copies_end_with_text_or_an_error", || {
        mutations::check(ARTICLE.as_bytes(), "a.xml");
        mutations::check(POM.as_bytes(), "pom.xml");
        mutations::check(FEED.as_bytes(), "a.rss");
    });
}
