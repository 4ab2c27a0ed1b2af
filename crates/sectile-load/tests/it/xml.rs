//! XML of vocabularies that people have.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{Error, load_bytes};

use crate::mutations;
use crate::support::load_error;

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

The &who; moon (And the sun.) pulls, see [here](https://a.example):

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
    assert_eq!(document.metadata.extra["unresolved_entities"], 1);
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
fn entities_are_never_expanded() {
    let bomb = "<!DOCTYPE a [<!ENTITY b 'xxxxxxxxxx'><!ENTITY c '&b;&b;'><!ENTITY d SYSTEM 'file:///etc/passwd'>]>\
                <a><p>&c; &d; &#65;</p></a>";
    assert_eq!(load(bomb, "a.xml").text, "&c; &d; A\n");
}

#[test]
fn what_is_no_xml_is_refused() {
    for xml in ["<a><b></a>", "<a>", "text", "<a>".repeat(10_000).as_str()] {
        let error = load_error(xml.as_bytes(), "a.xml");
        assert!(
            matches!(error, Error::Parse { .. } | Error::LimitExceeded { .. }),
            "{error}"
        );
    }
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
    mutations::check(ARTICLE.as_bytes(), "a.xml");
    mutations::check(POM.as_bytes(), "pom.xml");
    mutations::check(FEED.as_bytes(), "a.rss");
}

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
    let data = "<a><sup>2</sup><b>1</b></a>";
    assert!(!load(data, "a.xml").text.contains('²'));
}
