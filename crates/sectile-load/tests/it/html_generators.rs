//! Pages of programs whose classes and ids sound like what stands around a text.

use std::path::Path;

use sectile_load::{HtmlLoader, Loader as _};

/// Checks what a page of a site shows under its title.
fn check(within: &str, expected: &str) {
    let page = format!(
        "<nav><a href=/>Home</a></nav><main><h1>Title</h1>{within}</main><footer>Imprint</footer>"
    );
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    assert_eq!(document.unwrap().text, format!("# Title\n\n{expected}\n"));
}

#[test]
fn what_stands_under_headings_of_writerside_stays() {
    check(
        "<section class=chapter><h2>Methods</h2>\
         <p class='article__p h2-related'>Use these methods to ask for what the server has, and to tell it what is new.</p>\
         <ul class='list h2-related'><li class=list__item>One call a second<li class=list__item>Ten calls a minute</ul>\
         <div class='table h2-related'><table><tr><th>Call<th>Cost<tr><td>get<td>1</table></div>\
         <p class='article__p h2-related'>Calls that are refused cost nothing, and may be tried again after a minute.</p></section>",
        "## Methods\n\nUse these methods to ask for what the server has, and to tell it what is new.\n\n\
         - One call a second\n- Ten calls a minute\n\n| Call | Cost |\n| - | - |\n| get | 1 |\n\n\
         Calls that are refused cost nothing, and may be tried again after a minute.",
    );
}

#[test]
fn code_of_writerside_keeps_its_lines() {
    check(
        "<p>It is called once, when the program begins.</p>\
         <div class=code-block data-lang=kotlin>\nfun main() {\n    run(\"#a\")\n}\n</div>\
         <div class='code-block code-block--wide' data-lang=http>GET https://api.example/items\n\n&gt; {%\n%}</div>",
        "It is called once, when the program begins.\n\n```kotlin\nfun main() {\n    run(\"#a\")\n}\n```\n\n\
         ```http\nGET https://api.example/items\n\n> {%\n%}\n```",
    );
    // A frame around the code is none.
    check(
        "<p>It is called once, when the program begins.</p>\
         <div class=code-block data-lang=sh><p>In a shell:</p><pre>ls\n  -l</pre></div>",
        "It is called once, when the program begins.\n\nIn a shell:\n\n```sh\nls\n  -l\n```",
    );
}

#[test]
fn a_synopsis_whose_names_are_links_stays() {
    let link = |name: &str| format!("<a href=api.html#{name}>{name}</a>");
    let (list, node, value) = (link("xmlListPtr"), link("xmlNodePtr"), link("xmlValue"));
    let sentence =
        "<p>It frees what the list holds, and the list itself, but not what its nodes lead to.";
    let page = format!(
        "<table class=navigation><tr><td><a href=a.html>Prev</a><td><a href=b.html>Next</a></table>\
         <h2>list</h2><p>list - lists of nodes</p>\
         <div class=refsynopsisdiv><h2>Synopsis</h2><pre>{list} {}({node} {value});\n{value} {}({list});</pre></div>\
         <div class=refsect1><h2>Details</h2><pre>int {}(void);</pre>{}</div>",
        link("xmlListCreate"),
        link("xmlListFirstValue"),
        link("xmlListSize"),
        sentence.repeat(9),
    );
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    let text = document.unwrap().text;
    let synopsis = "## Synopsis\n\n```\nxmlListPtr xmlListCreate(xmlNodePtr xmlValue);\n\
                    xmlValue xmlListFirstValue(xmlListPtr);\n```\n\n## Details\n";
    assert!(text.contains(synopsis), "{text}");
    assert!(!text.contains("Prev"), "{text}");
}

/// A section of a text.
fn section(id: &str, class: &str, links: &str) -> String {
    let sentence =
        "Texts should be used again only where they stand in the same place of a sentence.";
    format!(
        "<section id={id} class='{class}'><h2>About {id}</h2><p>{sentence}<p>{sentence}<p>{sentence} {links}</section>"
    )
}

#[test]
fn sections_stay_whose_ids_sound_like_what_stands_around_a_text() {
    let plain = section("plan", "", "");
    let load = |sections: &str| {
        let page = format!(
            "<nav><a href=/>Home</a></nav><div class=page><h1>Title</h1><p>A first paragraph that leads into the text.</p>\
             {sections}</div><footer>Imprint</footer>"
        );
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        document.unwrap().text
    };
    for id in [
        "recommendations",
        "related-work",
        "metadata",
        "popular",
        "sidebar",
    ] {
        let text = load(&format!("{plain}{}", section(id, "", "")));
        assert_eq!(text.matches("Texts should be").count(), 6, "{id}: {text}");
        assert!(text.contains(&format!("## About {id}\n")), "{id}: {text}");
    }
    let titled = section("about-related-work-of-others", "", "");
    let titled = titled.replace("About about-related", "About: related");
    let text = load(&format!("{plain}<div class=end>{titled}</div>"));
    assert_eq!(text.matches("Texts should be").count(), 6, "{text}");
    let cookies = section("cookies", "", "");
    let text = load(&format!("{plain}{cookies}{}", section("data", "", "")));
    assert!(text.contains("## About cookies\n"), "{text}");
    let link =
        "<a href=/other>Another article of the same site, which tells more of what is new</a> ";
    for other in [
        section("popular", "widget", ""),
        section("popular", "", &link.repeat(5)),
        section("comments", "", ""),
        cookies,
    ] {
        let text = load(&format!("{plain}{other}"));
        assert_eq!(
            text.matches("Texts should be").count(),
            3,
            "{other}: {text}"
        );
    }
}

#[test]
fn formulas_that_katex_has_drawn_without_mathml_stay() {
    let drawn = |letters: &str| {
        format!(
            "<span class=katex><span class=katex-html aria-hidden=true><span class=base>{letters}</span></span></span>"
        )
    };
    let stacked = drawn("<span class=vlist>2</span><span class=vlist>1</span>");
    let text = "So it is said that this holds for all of the numbers";
    check(
        &format!(
            "<p>{text} <span class=math-inline data-math='\\forall x'>{}</span>, but not for {}.</p>\
             <div class=math-block data-math='x = \\frac{{1}}{{2}}'>{stacked}</div>\
             <p>{text} {stacked} that there are.</p>",
            drawn("<span>∀</span><span>x</span>"),
            drawn("<span>y</span><span>=</span><span>2</span>"),
        ),
        &format!(
            "{text} $\\forall x$, but not for y=2.\n\n$$x = \\frac{{1}}{{2}}$$\n\n{text} that there are."
        ),
    );
    // A block in a line is none of its own.
    check(
        &format!(
            "<p>{text} <span class='math inline-block' data-math='x'>{}</span>.</p>",
            drawn("x")
        ),
        &format!("{text} $x$."),
    );
    // The TeX of several formulas is that of none of them.
    check(
        &format!(
            "<p>{text} <span data-math='a b'>{} {}</span>.",
            drawn("a"),
            drawn("b")
        ),
        &format!("{text} a b."),
    );
}

#[test]
fn a_main_part_of_links_comes_before_the_help_of_a_program() {
    let help = "<div id=help><h2>Keys</h2><p>Press the arrow keys to go to the next chapter</div>";
    let page = |more: &str| {
        let page = format!(
            "<html><head><title>Topic index</title></head><body>{help}<nav><a href=/>Book</a></nav><main><h1>Topic index</h1>\
             <h2>Tasks</h2><ul><li><a href=a>Running tasks in parallel</a><li><a href=b>Cancellation of tasks</a></ul></main>\
             {more}</body></html>"
        );
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        document.unwrap().text
    };
    assert_eq!(
        page(""),
        "# Topic index\n\n## Tasks\n\n- [Running tasks in parallel](a)\n- [Cancellation of tasks](b)\n"
    );
    let article = "<p>The text of the page stands behind its main part, where nobody would look for it, and it is long enough \
                   that it says more than what is in there.</p>";
    assert!(page(&article.repeat(2)).contains("The text of the page"));
}

#[test]
fn languages_of_code_are_named_by_classes_alone() {
    let text = "It is called once, when the program begins.";
    for (code, fence) in [
        (
            // Hexo
            "<figure class='highlight yaml'><table><tr><td class=gutter><pre><span class=line>1</span></pre></td>\
             <td class=code><pre><span class=line>a: b</span></pre></td></tr></table></figure>",
            "```yaml\na: b\n```",
        ),
        (
            // Slate
            "<div class=highlight><pre class='highlight ruby tab-ruby'><code>a.b</code></pre></div>",
            "```ruby\na.b\n```",
        ),
        ("<pre class=cpp>a.b();</pre>", "```cpp\na.b();\n```"),
        (
            "<pre class='highlight elixir tab-elixir'><code>a.b</code></pre>",
            "```elixir\na.b\n```",
        ),
        ("<pre class='highlight notranslate'>a</pre>", "```\na\n```"),
        ("<pre class='highlight mt-4'>a</pre>", "```\na\n```"),
        (
            "<figure class=highlight><pre>a</pre></figure>",
            "```\na\n```",
        ),
        ("<pre class=screen>a</pre>", "```\na\n```"),
    ] {
        check(
            &format!("<p>{text}</p>{code}"),
            &format!("{text}\n\n{fence}"),
        );
    }
}

#[test]
fn lists_of_links_stay_in_specifications() {
    for generator in [
        "ReSpec 35.1.2",
        "Bikeshed version 1",
        "pandoc",
        "xml2rfc 3.12.0",
    ] {
        let page = format!(
            "<html><head><title>Form labels</title><meta name=generator content='{generator}'></head><body>\
             <nav><a href=/>Home</a></nav><div class=page><h1>Form labels</h1><p>A label says what is wanted, in words that \
             everybody knows, and stands before the field that it belongs to, so that nobody has to look for it.</p>\
             <p>It is enough to do one of these, as long as all of the fields of a form are labelled in the same way.</p>\
             <h3>Techniques</h3><ul><li><a href=g1>G1: Writing labels before the fields</a>\
             <li><a href=g2>G2: Writing labels within the fields</a></ul></div></body></html>"
        );
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        let text = document.unwrap().text;
        let list = "### Techniques\n\n- [G1: Writing labels before the fields](g1)\n- [G2: Writing labels within the fields](g2)\n";
        assert!(text.ends_with(list), "{generator}: {text}");
    }
}

#[test]
fn comments_stay_where_a_technical_page_has_nothing_else() {
    let comment = |text: &str| {
        format!(
            "<div class=timeline-comment><h3>Ada wrote on Monday</h3><div class='comment-body markdown-body'><p>{text}</p></div></div>"
        )
    };
    let first = "The text of the page is cut behind the first picture, where it has a frame of its own, and no warning says so.";
    let second = "That was the end of an element that is not closed, and the next release reads on behind it, as browsers do.";
    let load = |text: &str| {
        let page = format!(
            "<nav><a href=/>Code</a></nav><main><h1>Text is cut</h1>{text}<div>{}{}</div></main><footer>Imprint</footer>",
            comment(first),
            comment(second)
        );
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        document.unwrap().text
    };
    let all = load("");
    assert!(all.contains(first) && all.contains(second), "{all}");
    let about = load(&format!(
        "<p>{} {}</p>",
        "This page tells of texts that are cut.",
        "It says why. ".repeat(20)
    ));
    assert!(!about.contains(first) && !about.contains(second), "{about}");
}

#[test]
fn figures_stay_whose_ids_sound_like_what_stands_around_a_text() {
    let text =
        "It is said here at some length what the figure shows, and why it was drawn in this way.";
    for id in ["fig_commas_in_ad", "figure-button-invisible", "login"] {
        check(
            &format!(
                "<p>{text}</p><div><figure id={id}><img src=a.png alt=Commas><figcaption>Old commas</figcaption></figure></div><p>{text}</p>"
            ),
            &format!("{text}\n\n![Commas](a.png)\n\nOld commas\n\n{text}"),
        );
    }
}

#[test]
fn colours_of_a_text_say_nothing_of_its_place() {
    let text =
        "It is said here at some length what the words in another colour are about, and why.";
    for class in [
        "text-secondary",
        "text-body-tertiary",
        "bg-secondary",
        "bg-tertiary-100 border-secondary",
        "secondary-text",
    ] {
        for tag in ["p", "div"] {
            check(
                &format!("<p>{text}</p><{tag} class='{class}'>Short words.</{tag}><p>{text}</p>"),
                &format!("{text}\n\nShort words.\n\n{text}"),
            );
        }
    }
    for class in ["secondary", "secondary-column", "tertiary"] {
        check(
            &format!(
                "<p>{text}</p><p>{text}</p><div class={class}><a href=/b>Other</a> words</div>"
            ),
            &format!("{text}\n\n{text}"),
        );
    }
}

#[test]
fn blocks_of_code_within_code_keep_their_lines() {
    let text = "It is called once, when the program begins.";
    for (code, fence) in [
        (
            "<code class=language-ts>\n\t<pre><code>interface A {\n  a: string;\n}</code></pre>\n</code>",
            "```ts\ninterface A {\n  a: string;\n}\n```",
        ),
        (
            "<div class='language-cpp highlighter-rouge'><div class=highlight><code><table><tr><td class=rouge-gutter>\
             <pre class=lineno>1\n2\n</pre></td><td class=rouge-code><pre>int x;\n  y();\n</pre></td></tr></table></code></div></div>",
            "```cpp\nint x;\n  y();\n```",
        ),
    ] {
        check(
            &format!("<p>{text}</p>{code}"),
            &format!("{text}\n\n{fence}"),
        );
    }
    check(
        &format!(
            "<p>{text}</p><table><tr><th>Name<th>Code<tr><td>a<td><code><pre>b\nc</pre></code></table>"
        ),
        &format!("{text}\n\n| Name | Code |\n| - | - |\n| a | `b`<br>`c` |"),
    );
}

#[test]
fn numbers_and_names_beside_code_are_no_code() {
    let text = "It is called once, when the program begins.";
    let number =
        "<span style='white-space:pre;-webkit-user-select:none;user-select: none;color:#7f7f7f'>";
    for (code, fence) in [
        (
            format!(
                "<pre><code class=language-python><span style='display:flex'>{number} 9</span><span>p = 61\n</span></span>\
                 <span style='display:flex'>{number}10</span><span>  q\n</span></span></code></pre>"
            ),
            "```python\np = 61\n  q\n```",
        ),
        (
            "<pre><code class='hljs language-bash'><div class=code__header><span>bash</span><button>Copy</button></div>\
             <div class=code-content>read -p name\n\necho $name\n</div></code></pre>"
                .to_owned(),
            "```bash\nread -p name\n\necho $name\n```",
        ),
        (
            "<pre><div class=code-with-header><button>Copy</button><code>read -p name</code></div></pre>".to_owned(),
            "```\nread -p name\n```",
        ),
    ] {
        check(&format!("<p>{text}</p>{code}"), &format!("{text}\n\n{fence}"));
    }
}

#[test]
fn names_of_which_a_style_separates_the_parts_are_no_one_word() {
    check(
        "<h2><a href=index.html>Gdk</a><span class=sep></span><a href=b.html>Formats</a><span class=sep></span>new</h2>\
         <p>Creates formats <span class=divider></span>or<span class=dot></span> takes those that there are already.</p>",
        "## [Gdk](index.html) [Formats](b.html) new\n\n\
         Creates formats or takes those that there are already.",
    );
    // What is empty may be a place to lead to.
    check(
        "<p>All of what is said here holds for re<span id=a></span>source files and re<span class=hit>source</span> names.</p>",
        "All of what is said here holds for resource files and resource names.",
    );
}

#[test]
fn labels_of_doxygen_stand_apart() {
    check(
        "<h2>Query Class Reference<span class=mlabels><span class=mlabel>inline</span><span class=mlabel>static</span></span></h2>\
         <p>What is asked for, with all of its words and (<span class=label>new</span>) weights.</p>",
        "## Query Class Reference inline static\n\n\
         What is asked for, with all of its words and (new) weights.",
    );
}

#[test]
fn what_scaladoc_unfolds_is_written_once() {
    let short = |text: &str| format!("<p class='shortcomment cmt'>{text}</p>");
    let sign = "<span class=permalink><a href=../index.html#A@b title=Permalink><img src=p.png alt=Permalink></a></span>";
    check(
        &format!(
            "<h4 class=signature>def size</h4>{sign}{}<div class=fullcomment><div class='comment cmt'>\
             <p>Counts the items.<p>It takes as long as there are items.</div></div>\
             <h4 class=signature>def last</h4><span class=permalink><a href=../index.html#A@c>&#xE157;</a></span>{}\
             <div class=fullcomment><p>The compiler writes it in its place.</div>",
            short("Counts the items."),
            short("The last item."),
        ),
        "#### def size\n\nCounts the items.\n\nIt takes as long as there are items.\n\n\
         #### def last\n\nThe last item.\n\nThe compiler writes it in its place.",
    );
}

#[test]
fn the_title_of_a_page_of_groovydoc_stays() {
    let sentence = "<p>The item at the top is the one that was added last, and is removed first.";
    let page = format!(
        "<html><head><!-- Generated by groovydoc (2.4) on Mon May 15 --><title>Stack (groovy 2.4 API)</title></head>\
         <body><div class=topNav><ul class=navList><li><a href=a.html>Package</a><li><a href=b.html>Index</a></ul></div>\
         <div class=header><div class=subTitle>Package: <strong>a.b</strong></div>\
         <h2 title='Class Stack' class=title>Class Stack</h2></div>\
         <div class=contentContainer>{}</div></body></html>",
        sentence.repeat(5),
    );
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    let text = document.unwrap().text;
    assert!(text.contains("## Class Stack\n\nThe item at"), "{text}");
    assert!(!text.contains("Index"), "{text}");
}

#[test]
fn code_of_scribble_keeps_its_lines() {
    let space = "<span class=hspace>&nbsp;</span>";
    let link = "<span class=RktSym><a href=define.html class=RktStxLink>define</a></span>";
    check(
        &format!(
            "<p>A function is defined so that others can call it by its name.</p>\
             <table cellspacing=0 class=RktBlk><tr><td><table class=RktBlk>\
             <tr><td><span class=stt>&gt; </span>({link}{space}(f{space}x)</td></tr>\
             <tr><td>{space}{space}{space}{space}(+{space}x{space}1))</td></tr></table></td></tr>\
             <tr><td><p><span class=RktRes>2</span></p></td></tr></table>\
             <table class=SVerbatim><tr><td><p><span class=stt>racket -I f</span></p></td></tr></table>"
        ),
        "A function is defined so that others can call it by its name.\n\n\
         ```racket\n> (define (f x)\n    (+ x 1))\n2\n```\n\n```\nracket -I f\n```",
    );
}

#[test]
fn names_that_a_style_shows_as_lines_are_no_one_word() {
    check(
        "<p>Functions that tell whether one can be copied from another, at compile time: \
         <a href=a.html><span class=t-lines><span>is_copyable</span><span>is_trivially_copyable</span></span></a> \
         <span class=t-lines><span>(C++11)</span><span>(C++14)</span></span>, <span class=line><span>re</span><span>source</span></span>.</p>",
        "Functions that tell whether one can be copied from another, at compile time: \
         [is_copyable is_trivially_copyable](a.html) (C++11) (C++14), resource.",
    );
}

#[test]
fn hidden_help_of_pydoctor_is_not_the_text_of_a_page() {
    let help = "<p>The search shows all names that have the words, and those that begin with one before a star.";
    let load = |shown: &str| {
        let page = format!(
            "<head><title>a.Error</title><meta name=generator content='pydoctor 22.9'></head>\
             <nav class=navbar><a href=index.html>Modules</a></nav><div id=main>\
             <div id=search-results-container style='display: none;'><noscript><h1>Cannot search</h1></noscript>\
             <div class=hint>{}</div></div>{shown}</div>",
            help.repeat(5),
        );
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        document.unwrap().text
    };
    let shown = "<div class=page-header><h1 class=exception>a.Error</h1></div>\
                 <div class=moduleDocstring><p>The base class for all errors of the protocol.</div>";
    assert_eq!(
        load(shown),
        "# a.Error\n\nThe base class for all errors of the protocol.\n"
    );
    // What shows nothing else is read.
    assert!(load("").contains("before a star"));
}

#[test]
fn text_of_documentation_that_a_script_shows_stays() {
    let sentence =
        "<p>The client opens a connection when the first request is sent, and keeps it open.";
    let page = format!(
        "<head><title>Connections</title><meta name=generator content='Sphinx 7.2'></head><body><h1>Connections</h1>\
         <p>This page needs a script to show its text, so allow it in this browser.</p>\
         <div id=content style='display: none'>{}</div></body>",
        sentence.repeat(9),
    );
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    let text = document.unwrap().text;
    assert!(text.contains("keeps it open"), "{text}");
}
