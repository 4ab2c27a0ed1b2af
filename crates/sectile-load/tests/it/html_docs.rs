//! Pages as programs write them that make documentation.

use std::path::Path;

use sectile_load::{HtmlLoader, Loader as _};

/// Checks the text of a page of documentation.
fn check(main: &str, expected: &str) {
    let page = format!(
        "<html><head><meta name=generator content=Docusaurus></head><body><nav><a href=/>Docs</a></nav>\
         <main>{main}</main></body></html>"
    );
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    assert_eq!(document.unwrap().text, expected);
}

#[test]
fn code_keeps_its_lines_without_their_numbers() {
    // Sphinx writes no `code`, and numbers in the lines.
    check(
        "<div class='highlight-python notranslate'><div class=highlight><pre><span></span><span class=linenos>1</span>\
         <span class=k>def</span> main():\n<span class=linenos>2</span>    <span class=k>return</span> 1\n</pre></div></div>",
        "```python\ndef main():\n    return 1\n```\n",
    );
    // Docusaurus ends lines with `br`.
    check(
        "<div class='language-js theme-code-block'><pre class='prism-code language-js'><code>\
         <span class=token-line>if (a) {<br></span><span class=token-line>  b();<br></span>\
         <span class=token-line style='display:inline-block'></span><br>\
         <span class='token-line theme-code-block-highlighted-line'>}<br></span></code></pre>\
         <button class=clean-btn>Copy</button></div>",
        "```js\nif (a) {\n  b();\n\n}\n```\n",
    );
    // Expressive Code has a division for each.
    check(
        "<figure class=frame><pre data-language=sh><code><div class=ec-line><div class=gutter><div class=ln>1</div></div>\
         <div class=code>cd a</div></div><div class=ec-line><div class=code>\n</div></div>\
         <div class=ec-line><div class=code>  ls</div></div></code></pre></figure>",
        "```sh\ncd a\n\n  ls\n```\n",
    );
    // Rouge and highlight.js put tables into code.
    check(
        "<div class='language-ruby highlighter-rouge'><pre class=highlight><code><table class=rouge-table><tr>\
         <td class='rouge-gutter gl'><pre class=lineno>1\n2\n</pre></td><td class=rouge-code><pre>a\n  b\n</pre></td></table>",
        "```ruby\na\n  b\n```\n",
    );
    check(
        "<pre><code class='hljs python'><table class=hljs-ln><tr><td class=hljs-ln-numbers>1<td>a:<tr><td class=hljs-ln-numbers>2\
         <td>  b</table></code></pre>",
        "```python\na:\n  b\n```\n",
    );
    // VitePress numbers them beside, and names the language.
    check(
        "<div class='language-ts vp-adaptive-theme line-numbers-mode'><button class=copy></button><span class=lang>ts</span>\
         <pre class='shiki'><code><span class=line>a</span>\n<span class=line>  b</span></code></pre>\
         <div class=line-numbers-wrapper aria-hidden=true><span>1</span><br><span>2</span></div></div>",
        "```ts\na\n  b\n```\n",
    );
    // Doxygen writes divisions alone.
    check(
        "<div class=fragment><div class=line><span class=lineno>    1</span> int main()</div>\
         <div class=line><span class=lineno>    2</span>   return 0;</div></div>",
        "```\n int main()\n   return 0;\n```\n",
    );
}

#[test]
fn fences_are_longer_than_those_in_the_code() {
    check("<pre>```\na\n```</pre>", "````\n```\na\n```\n````\n");
    check(
        "<pre class='brush: js notranslate'>a</pre>",
        "```js\na\n```\n",
    );
    check(
        "<pre class=notranslate><code class=plaintext>a</code></pre>",
        "```\na\n```\n",
    );
}

#[test]
fn code_in_a_line_is_its_text() {
    check(
        "<p>See <code>std::<a href=/o>Option</a>&lt;<var>T</var>&gt;</code> and <a href=/b><code>b</code></a>.",
        "See `std::Option<T>` and [`b`](/b).\n",
    );
    check("<p>Use <code>a `b`</code>.", "Use `` a `b` ``.\n");
    check(
        "<p><code>a<br>&nbsp;&nbsp;b</code>",
        "```\na\n\u{A0}\u{A0}b\n```\n",
    );
}

#[test]
fn headings_have_no_links_to_themselves() {
    check(
        "<h1><a href='#start' class=header>Start</a></h1><h2>One<a class=headerlink href='#one'>¶</a></h2>\
         <h2><span class=permalink><a href='#a'>◆&nbsp;</a></span>a()</h2>\
         <h3>Type <a href=/t>T</a><a href='#t' class=anchor><svg><path/></svg></a></h3>",
        "# Start\n\n## One\n\n## a()\n\n### Type [T](/t)\n",
    );
    check(
        "<h2>History<span class=mw-editsection>[<a href=/e>edit</a>]</span></h2><p>Text.",
        "## History\n\nText.\n",
    );
}

#[test]
fn links_without_text_are_left_out() {
    check(
        "<p>a <a href=/print><i class=icon></i></a>b <a href=/x><img src=i.png alt=i></a>",
        "a b [![i](i.png)](/x)\n",
    );
    check(
        "<a href=/card><h3>Card</h3><p>What it says.</p></a>",
        "### Card\n\nWhat it says.\n",
    );
}

#[test]
fn panels_follow_the_names_of_their_tabs() {
    let expected = "npm\n\n```\nnpm i\n```\n\nYarn\n\n```\nyarn add\n```\n";
    // Docusaurus.
    check(
        "<div class=tabs-container><ul role=tablist class=tabs><li role=tab>npm</li><li role=tab>Yarn</li></ul>\
         <div class=margin-top--md><div role=tabpanel class=tabItem_x><pre>npm i</pre></div>\
         <div role=tabpanel class=tabItem_x hidden><pre>yarn add</pre></div></div></div>",
        expected,
    );
    // MkDocs.
    check(
        "<div class='tabbed-set tabbed-alternate'><input type=radio><input type=radio><div class=tabbed-labels>\
         <label for=a>npm</label><label for=b>Yarn</label></div><div class=tabbed-content><div class=tabbed-block>\
         <pre>npm i</pre></div><div class=tabbed-block><pre>yarn add</pre></div></div></div>",
        expected,
    );
    // Sphinx.
    check(
        "<div class=sphinx-tabs><div role=tablist><button role=tab>npm</button><button role=tab>Yarn</button></div>\
         <div role=tabpanel><pre>npm i</pre></div><div role=tabpanel hidden=true><pre>yarn add</pre></div></div>",
        expected,
    );
    // VitePress.
    check(
        "<div class=vp-code-group><div class=tabs><input type=radio><label>npm</label><input type=radio><label>Yarn</label></div>\
         <div class=blocks><div class='language- active'><pre>npm i</pre></div><div class=language-><pre>yarn add</pre></div></div></div>",
        expected,
    );
}

#[test]
fn tabs_of_another_number_of_panels_stay_where_they_are() {
    check(
        "<ul role=tablist><li role=tab>One<li role=tab>Two</ul><div role=tabpanel>Text.</div>",
        "- One\n- Two\n\nText.\n",
    );
}

#[test]
fn tasks_say_whether_they_are_done() {
    check(
        "<ul><li class=task-list-item><input type=checkbox disabled checked> Done\
         <li class=task-list-item><input type=checkbox disabled> Open</ul>",
        "- [x] Done\n- [ ] Open\n",
    );
}

#[test]
fn formulas_are_tex() {
    check(
        "<p>So <span class='math notranslate'>\\(a_1 * b\\)</span> is</p><div class=math>\\[\\int_0^1 x\\]</div>",
        "So $a_1 * b$ is\n\n$$\\int_0^1 x$$\n",
    );
    let mathml = "<math display=block><semantics><mi>E</mi><annotation encoding='application/x-tex'>E=mc^2</annotation></semantics></math>";
    check(
        &format!(
            "<p>By <span class=katex><span class=katex-mathml>{mathml}</span><span class=katex-html aria-hidden=true>E=mc2</span></span>"
        ),
        "By $$E=mc^2$$\n",
    );
    check(
        "<p>With <span style='display:none'><math><mi>x</mi></math></span><img class=mwe-math-fallback-image-inline \
         src=x.svg alt='{\\displaystyle x^{2}}'> and <script type='math/tex'>y_i</script>.",
        "With $x^{2}$ and $y_i$.\n",
    );
    check(
        "<p>So <math><mi>x</mi><mo>=</mo><mn>2</mn></math>.",
        "So x = 2.\n",
    );
}

#[test]
fn formulas_in_scripts_stand_apart_from_the_words_beside_them() {
    let formula = |tex: &str| format!("<script type='math/tex'>{tex}</script>");
    check(
        &format!(
            "<p>Of {} and {} for {} drastically, ({}).</p><p>So<script type='math/tex; mode=display'>x=1</script>",
            formula("A"),
            formula("D"),
            formula("f_1"),
            formula("\\text{$x$}")
        ),
        "Of $A$ and $D$ for $f_1$ drastically, ($\\text{$x$}$).\n\nSo\n\n$$x=1$$\n",
    );
}

#[test]
fn tex_that_a_script_typesets_is_as_it_is_written() {
    let typeset = "<script src='https://cdn.example/mathjax@3/tex-mml-chtml.js'></script>";
    check(
        &format!(
            "{typeset}<p>Let \\(f_n*g_m\\) be $a_1*b_2$ for $5 and $6, \\$x_1$ and <code>$y_1$</code>; \\[\\int_0^1\n x_i\\]\
             <p>\\begin{{align*}}a_1 &amp;= b\\end{{align*}}<p>$x_1$ of $ 7, \\(open"
        ),
        "Let $f_n*g_m$ be $a_1*b_2$ for $5 and $6, \\\\$x\\_1$ and `$y_1$`; \n\n$$\\int_0^1 x_i$$\n\n\
         $$\\begin{align*}a_1 &= b\\end{align*}$$\n\n$x_1$ of $ 7, \\\\(open\n",
    );
    check("<p>A pattern: \\(a_b*\\)", "A pattern: \\\\(a_b\\*\\\\)\n");
}

#[test]
fn formulas_without_tex_are_written_in_it() {
    for (mathml, tex) in [
        (
            "<mi>x</mi><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mrow><mn>2</mn><mi>c</mi></mrow></mfrac>\
             <msup><mi>y</mi><mn>2</mn></msup><msqrt><mi>z</mi></msqrt><mroot><mi>t</mi><mn>3</mn></mroot>",
            "x=\\frac{a+b}{2c}y^{2}\\sqrt{z}\\sqrt[3]{t}",
        ),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msubsup><mi>a</mi><mi>i</mi><mn>2</mn></msubsup>\
             <mi>sin</mi><mo>&ApplyFunction;</mo><mi>x</mi><munder><mi>lim</mi><mi>k</mi></munder><mover><mi>v</mi><mo>→</mo></mover>",
            "∑_{i=1}^{n}a_{i}^{2}\\sin x\\lim_{k}\\vec{v}",
        ),
        (
            "<mfenced><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mtext>5 %</mtext></mtd></mtr></mtable></mfenced>",
            "(\\begin{matrix}1 & 0 \\\\ 0 & \\text{5 \\%}\\end{matrix})",
        ),
        (
            "<mmultiscripts><mi>U</mi><none></none><none></none><mprescripts></mprescripts><mn>92</mn><mn>235</mn></mmultiscripts>\
             <msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mrow><mo>−</mo><mn>1</mn></mrow></msup><mover><mi>a</mi><mtext>def</mtext></mover>",
            "{}_{92}^{235}U{(a)}^{-1}\\overset{\\text{def}}{a}",
        ),
        (
            "<mfenced open='{' close='' separators=''><mi>a</mi><mi>b</mi></mfenced>",
            "\\{ab",
        ),
    ] {
        check(
            &format!("<p>So <math>{mathml}</math>."),
            &format!("So ${tex}$.\n"),
        );
    }
}

#[test]
fn words_beside_a_formula_do_not_stand_for_it() {
    check(
        "<p>So <math alttext='Alternative text not available'><msup><mi>x</mi><mn>2</mn></msup></math>, \
         <math alttext='x squared'><mi>x</mi></math>.",
        "So $x^{2}$, x.\n",
    );
    check(
        "<p>So <math alttext='x^{2}'><mi>x</mi></math>, <math alttext='x'><mi>x</mi></math>, <math alttext='no content'></math>.",
        "So $x^{2}$, $x$, $no content$.\n",
    );
}

#[test]
fn signatures_are_code() {
    check(
        "<dl class='py method'><dt class='sig sig-object py'><span>connect</span><span>(</span><em>timeout:\n float = 1.5</em>, \
         <em>*args</em>)<a class='reference internal' href=m.html><span class=viewcode-link>[source]</span></a>\
         <a class=headerlink href='#c'>¶</a></dt><dd><p>Connects.</p></dd></dl>",
        "`connect(timeout: float = 1.5, *args)`\n\nConnects.\n",
    );
    check(
        "<div class=member-signature><span>public</span>&nbsp;<span><a href=S.html>String</a></span> trim()</div>",
        "`public String trim()`\n",
    );
    check(
        "<div class=memproto><table class=memname><tr><td class=memname>int open</td><td>(</td><td>const char *&nbsp;</td>\
         <td><em>path</em></td><td>)</td></tr></table></div><div class=memdoc>Opens.</div>",
        "`int open(const char * path)`\n\nOpens.\n",
    );
}

#[test]
fn lists_that_lay_out_sections_keep_them_in_the_outline() {
    let page = "<main class=docMainContainer><ul class=details-list><li><section><h2>Methods</h2><ul><li><h3>trim</h3><p>Trims.</p>\
                <li><h3>pad</h3><ul><li>one<li>two</ul></ul></section></ul></main>";
    let document = HtmlLoader::default()
        .load(page.as_bytes(), Path::new("a.html"))
        .unwrap();
    assert_eq!(
        document.text,
        "## Methods\n\n### trim\n\nTrims.\n\n### pad\n\n- one\n- two\n"
    );
    assert_eq!(document.outline.len(), 3);
    let page = "<main class=docMainContainer><ul><li>\n<a href=/a><img src=a.png alt=A></a>\n<article><div><div><h2>Alpha</h2></div></div><p>One.</article>\
                <li><img src=b.png><h2>Beta</h2><p>Two.</ul><ul><li>Words<h3>before</h3><li>more</ul></main>";
    let document = HtmlLoader::default()
        .load(page.as_bytes(), Path::new("a.html"))
        .unwrap();
    let titles: Vec<&str> = document
        .outline
        .iter()
        .map(|one| one.title.as_str())
        .collect();
    assert_eq!(titles, ["Alpha", "Beta"], "{}", document.text);
}

#[test]
fn divisions_that_are_a_table_are_written_as_one() {
    check(
        "<div class='summary-table two-column-summary'><div class='table-header col-first'>Name</div>\
         <div class='table-header col-last'>What</div><div class=col-first><code>a</code></div><div class=col-last>One.</div></div>",
        "| Name | What |\n| - | - |\n| `a` | One. |\n",
    );
}

#[test]
fn the_name_of_a_site_is_no_heading_of_each_page() {
    let page = "<title>Start - The Guide</title><meta name=generator content=mdBook><div id=menu-bar><h1 class=menu-title>The Guide</h1>\
                <a href=print.html><i class=icon></i></a></div><div id=content><main><h1>Start</h1><p>Text.</p></main></div>";
    let document = HtmlLoader::default()
        .load(page.as_bytes(), Path::new("a.html"))
        .unwrap();
    assert_eq!(document.text, "# Start\n\nText.\n");
}

#[test]
fn pictures_within_the_page_show_what_they_say() {
    check(
        "<p>a <img src='data:image/png;base64,AAAA' alt='A cat'> b",
        "a ![A cat]() b\n",
    );
    check("<p>a <img src='data:image/png;base64,AAAA'>b", "a b\n");
    // A script loads it.
    check(
        "<p>a <img data-src=cat.png alt='A cat'> b <img data-src=i.png>c",
        "a ![A cat]() b c\n",
    );
}

#[test]
fn examples_to_run_and_steps_to_unfold_stay() {
    check(
        "<details><summary>Example</summary><textarea class='Documentation-exampleCode code'>package main\n\n\tx()\n</textarea>\
         <button>Run</button></details>",
        "Example\n\n```\npackage main\n\n\tx()\n```\n",
    );
    check(
        "<div class=expand-control>Click</div><div class='expand-content expand-hidden' style='display:none'><p>Hidden steps.</p></div>\
         <pre data-syntaxhighlighter-params='brush: bash; gutter: false'>ls</pre><aside class=quote><blockquote>Said.</blockquote></aside>",
        "Click\n\nHidden steps.\n\n```bash\nls\n```\n\n> Said.\n",
    );
}

#[test]
fn comments_in_code_and_about_it_are_not_those_of_readers() {
    check(
        "<pre><code class='language-rust'><span class=comment>// Note to self.</span>\n<span class='token comment'>/* and more */</span>\n\
         f();</code></pre><div class=fragment><div class=line><span class=comment>/// Doc</span></div></div>",
        "```rust\n// Note to self.\n/* and more */\nf();\n```\n\n```\n/// Doc\n```\n",
    );
    check(
        "<div id=comment class=fullcommenttop><div class='comment cmt'><p>What the class is for.</p></div></div>\
         <p class='shortcomment cmt'>What it does.</p><p>More of it, and more.</p>",
        "What the class is for.\n\nWhat it does.\n\nMore of it, and more.\n",
    );
    check(
        "<div class=deprecation-block>Deprecated.<div class=deprecation-comment>Use <code>b</code>.</div></div>",
        "Deprecated.\n\nUse `b`.\n",
    );
    check(
        "<p>Text.</p><section id=comments><h2 id=comments-1>Comments</h2><p>They begin with a sign.</p></section>\
         <div class=section id=cookies><h2 id=keywords>Keywords</h2><p>They are small.</p></div>",
        "Text.\n\n## Comments\n\nThey begin with a sign.\n\n## Keywords\n\nThey are small.\n",
    );
    check(
        "<p>Text that is long enough to be what the page is about.</p><div id=comments class=comments>\
         <p>A comment of a reader.</p></div>",
        "Text that is long enough to be what the page is about.\n",
    );
}

#[test]
fn names_are_as_they_are_read() {
    check(
        "<h2>const_iterator</h2><p>Call open_file() with a &gt; <i>b</i> = 2, *not* _this_; <code>a\\_b</code>.",
        "## const_iterator\n\nCall open_file() with a > *b* = 2, \\*not\\* \\_this\\_; `a\\_b`.\n",
    );
}

#[test]
fn lines_of_code_have_no_empty_lines_between_them() {
    check(
        "<div class=fragment><div class=line>int a;</div>\n<div class=line></div>\n  <div class=line>\n</div>\n<div class=line>int b;</div>\n</div>",
        "```\nint a;\n\n\nint b;\n```\n",
    );
    check(
        "<pre><div>a</div>\n\n<div>b</div><br><div>c</div>d\n\ne</pre>",
        "```\na\n\nb\n\nc\nd\n\ne\n```\n",
    );
}

#[test]
fn classes_of_the_block_itself_take_no_code() {
    check(
        "<pre class='brush: js; gutter: false'>a</pre>",
        "```js\na\n```\n",
    );
    check(
        "<pre class='line-numbers copyable'><code class='language-css line-numbers'>a<span class=line-numbers-rows>1</span></code></pre>",
        "```css\na\n```\n",
    );
    check(
        "<div class=chroma><table class=lntable><tr><td class=lntd><pre class=chroma><code><span class=lnt>1\n</span></code></pre>\
         <td class=lntd><pre class=chroma><code class=language-go data-lang=go>x()</code></pre></table></div>",
        "```go\nx()\n```\n",
    );
}

#[test]
fn ids_that_are_made_of_titles_say_nothing() {
    check(
        "<p>Text.</p><div class=table id=FUNCTIONS-COMMENT-TABLE><p><b>Comment functions</b></p><table><tr><th>Name<th>What<tr><td>a()<td>One</table></div>",
        "Text.\n\n**Comment functions**\n\n| Name | What |\n| - | - |\n| a() | One |\n",
    );
}

/// Checks the text of a page of documentation that has no `main`.
fn check_page(body: &str, expected: &str) {
    let page = format!("<meta name=generator content='DocBook XSL Stylesheets'><body>{body}");
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    assert_eq!(document.unwrap().text, expected);
}

#[test]
fn links_to_the_pages_around_are_left_out() {
    let text = "<div><h2>56.2. Reporting</h2><p>Errors are reported as said here, and nowhere else.</p></div>";
    let expected = "## 56.2. Reporting\n\nErrors are reported as said here, and nowhere else.\n";
    let cell = |name: &str| format!("<td><a accesskey={name} href={name}.html>{name}</a></td>");
    let (p, u, h, n) = (cell("p"), cell("u"), cell("h"), cell("n"));
    for way in [
        format!("<table><tr><th colspan=4>56.2. Reporting</th></tr><tr>{p}{u}<th>Chapter 56. Conventions of Writing</th>{h}{n}</tr></table>"),
        format!("<div><hr><table><tr>{p}{u}{n}</tr><tr><td>56.1. Formatting </td>{h}<td> 56.3. Guide of Style for Messages</td></tr></table></div>"),
        "<div class=header><p>Next: <a href=g.html rel=next>graphs</a>, Previous: <a href=p.html rel=prev>Gentran</a> \
         [<a href=t.html rel=contents>Contents</a>]</p></div>".into(),
        "<div>Goto Chapter: <a href=0.html>Top</a> <a href=1.html>1</a> <a href=2.html>2</a> <a href=3.html>3</a> <a href=4.html>4</a> \
         <a href=5.html>5</a> <a href=6.html>6</a> <a href=7.html>7</a> <a href=8.html>8</a> <a href=9.html>9</a></div>".into(),
        "<div><a href=0.html>[Top of Book]</a> <a href=1.html>[Previous Chapter]</a></div>".into(),
        "<ul><li><a href=1.html>Zurück</a><li><a href=2.html>Weiter</a></ul>".into(),
    ] {
        check_page(&format!("{text}{way}"), expected);
    }
}

#[test]
fn links_within_text_and_data_stay_whatever_they_say() {
    for (html, expected) in [
        (
            "<p>The steps are told on the <a href=2.html rel=next>next page</a> and <a href=0.html rel=up>above</a>, and take 24 hours.",
            "The steps are told on the [next page](2.html) and [above](0.html), and take 24 hours.",
        ),
        (
            "<div><p>Limits: 7 files.</p><p><a rel=next href=2.html>Next</a> <a rel=prev href=1.html>Back</a></p></div>",
            "Limits: 7 files.",
        ),
        (
            "<table><tr><th>Key<th>Page<tr><td>n<td><a href=n.html>Next</a><tr><td>7<td><a href=m.html>Mail</a></table>",
            "| Key | Page |\n| - | - |\n| n | [Next](n.html) |\n| 7 | [Mail](m.html) |",
        ),
        (
            "<ul><li><a href=a.html>sin</a><li><a href=b.html>cos</a><li><a href=1.html>1</a></ul>",
            "- [sin](a.html)\n- [cos](b.html)\n- [1](1.html)",
        ),
    ] {
        check_page(
            &format!("<h2>Keys</h2>{html}"),
            &format!("## Keys\n\n{expected}\n"),
        );
    }
}

#[test]
fn links_to_the_headings_of_the_page_are_left_out() {
    let text = "<h1>Guide</h1><h2 id=a>Install it</h2><p>Run the program of the release, and then this.</p><h2 id=b>Use</h2><p>Ask.</p>";
    let expected = "# Guide\n\n## Install it\n\nRun the program of the release, and then this.\n\n## Use\n\nAsk.\n";
    let list = "<ul><li><a href=#a>1. Install it</a><li><a href=#b>2 Use</a></ul>";
    for contents in [
        list,
        &format!("<div><h5>Table of Contents</h5>{list}</div>"),
        &format!("<p>On this page</p>{list}"),
        "<div class=summary><a href=#a>Install it</a> | <a href=#b>Use</a></div>",
        "<ul class=table-of-contents><li><a href=#a>Install</a></ul>",
        "<div><h5>Table of Contents</h5><button>Close</button></div>",
        "<button aria-expanded=false>On this page</button>",
    ] {
        check_page(&format!("{text}{contents}"), expected);
        check_page(&format!("{contents}{text}"), expected);
    }
    // A heading above text is one of a section, and one above nothing goes with the list.
    check_page(
        &format!(
            "{text}<h3>Sommaire</h3><p>What it does.</p><h3>Topics</h3>{list}<h3>Bugs</h3><p>None.</p>"
        ),
        &format!("{expected}\n### Sommaire\n\nWhat it does.\n\n### Bugs\n\nNone.\n"),
    );
    check_page(
        &format!(
            "{text}<h3>Contents</h3><ul><li><a href=c.html>Install it</a><li><a href=#d>Note 7</a></ul>"
        ),
        &format!("{expected}\n### Contents\n\n- [Install it](c.html)\n- [Note 7](#d)\n"),
    );
}

#[test]
fn links_before_the_first_heading_and_the_name_of_the_program_are_left_out() {
    let items = "<li><a href=a.html>Buffer</a><li><a href=b.html>Child processes</a>";
    check_page(
        &format!(
            "<div id=column2><a href=/>Node.js</a><ul>{items}</ul></div><div id=menu><a href=_index.html>Index (R)</a> » <span class=title>YARD</span></div>\
             <p>Version 7.2</p><div><h1>Assert</h1><p>The module has functions to test what is true of a program.</p><ul>{items}</ul></div><div class=footer>Generated by GTK-Doc V1.33.1</div>"
        ),
        "Version 7.2\n\n# Assert\n\nThe module has functions to test what is true of a program.\n\n- [Buffer](a.html)\n- [Child processes](b.html)\n",
    );
}

#[test]
fn what_doxygen_writes_in_the_place_of_a_heading_is_one() {
    let page = "<html><head><title>Library: Slider Class Reference</title></head><body>\
        <div id=top><div id=titlearea>Library</div></div>\
        <div class=header><div class=headertitle><div class=title>Slider Class Reference\
        <div class=ingroups><a class=el href=g.html>Controls</a></div></div></div></div>\
        <div class=contents><p>A control with a handle that one moves along a line to choose a value.</p>\
        <dl class='section see'><dt>See also</dt><dd><a class=el href=a.html>Gauge</a>, <a class=el href=b.html>ScrollBar</a>\
        </dd></dl><h2 class=groupheader>Styles</h2><p>It is horizontal, unless its style says that it is not.</p></div></body></html>";
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    let document = document.unwrap();
    let titles: Vec<(u8, &str)> = document
        .outline
        .iter()
        .map(|heading| (heading.level, heading.title.as_str()))
        .collect();
    assert_eq!(titles, [(1, "Slider Class Reference"), (2, "Styles")]);
    let text = document.text;
    assert!(text.contains("See also\n"), "{text:?}");
    assert!(
        text.contains("[Gauge](a.html), [ScrollBar](b.html)"),
        "{text:?}"
    );
}

#[test]
fn signatures_of_haddock_stay_beside_a_table_of_facts() {
    let page = "<body><div id=package-header><span class=caption>ghc-9.0: The API</span><ul class=links id=page-menu>\
        <li><a href=index.html>Contents</a></ul></div><div id=content><div id=module-header><table class=info>\
        <tr><th>Safe Haskell<td>Safe-Inferred<tr><th>Language<td>Haskell2010</table><p class=caption>Core.FloatOut</p></div>\
        <div id=interface><h1>Documentation</h1><div class=top><p class=src><a id=v:f class=def>floatOut</a> :: \
        <a href=a.html>Switches</a> -&gt; <a href=b.html>IO</a> <a href=c.html>CoreProgram</a></p></div></div></div></body>";
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    let text = document.unwrap().text;
    let signature = "floatOut :: [Switches](a.html) -> [IO](b.html) [CoreProgram](c.html)";
    assert!(
        text.contains(&format!("# Documentation\n\n{signature}")),
        "{text:?}"
    );
    assert!(text.contains("Safe-Inferred"), "{text:?}");
}

#[test]
fn what_holds_the_title_stays_beside_a_longer_notice() {
    let notice = "Please help us to know our users better, and answer the questions of this survey on the page.";
    let list =
        "<ul><li><a href=a.html>Geometry module</a><li><a href=b.html>Module of splines</a></ul>";
    check_page(
        &format!("<div>{notice}</div><div><h1>Geometry</h1>{list}</div>"),
        &format!(
            "{notice}\n\n# Geometry\n\n- [Geometry module](a.html)\n- [Module of splines](b.html)\n"
        ),
    );
}

#[test]
fn titles_that_are_no_headings_stay() {
    let page = "<title>Many Small Queries</title><div class=nosearch><h1>Search</h1></div><div class=fancy_title>Many Small Queries</div>\
                <h2>1. Summary</h2><div class=body><p>A paragraph that is long enough to be one.<pre>a</pre><pre>b</pre></div>";
    let document = HtmlLoader::default()
        .load(page.as_bytes(), Path::new("a.html"))
        .unwrap();
    let expected = "Many Small Queries\n\n## 1. Summary\n\nA paragraph that is long enough to be one.\n\n```\na\n```\n\n```\nb\n```\n";
    assert!(document.text.ends_with(expected), "{}", document.text);
}

#[test]
fn pages_of_javadoc_keep_their_titles_and_sections() {
    let load = |page: &str| {
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        document.unwrap().text
    };
    let class = |name: &str| {
        format!(
            "<li>org.example.shop.<a href={name}.html>{name}</a> (implements java.io.Serializable)"
        )
    };
    let items = ["Item", "Order", "Payment"].map(&class).concat();
    let sections = format!(
        "<section><h2>Class Hierarchy</h2><ul><li>java.lang.Object<ul>{items}</ul></ul></section>\
         <section><h2>Annotation Type Hierarchy</h2><ul>{}</ul></section>",
        class("Checked")
    );
    let title =
        "<div class=header><h1 class=title>Hierarchy For Package org.example.shop</h1></div>";
    let name = "<title>org.example.shop Class Hierarchy (Shop API)</title>";
    let nav = "<nav><ul><li><a href=i.html>Overview</a><li>Class</ul></nav>";
    let generator = "<!-- Generated by javadoc (1.8.0) on Tue May 03 2022 -->";
    let main = format!("{title}<div class=contentContainer>{sections}</div>");
    for page in [
        format!("<head>{generator}{name}</head><body>{nav}<main role=main>{main}</main></body>"),
        format!("<head>{name}</head><body>{nav}<main role=main>{main}</main></body>"),
        format!("<head>{generator}{name}</head><body>{nav}{main}</body>"),
    ] {
        let text = load(&page);
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
        let expected = [
            "# Hierarchy For Package org.example.shop",
            "## Class Hierarchy",
            "## Annotation Type Hierarchy",
        ];
        assert_eq!(headings, expected, "{page}");
        assert!(text.contains("[Checked](Checked.html)"), "{text}");
    }
    // The name of a site is no title of the page.
    let text = load(
        "<title>Class Hierarchy of a shop</title><body><header><h1>The site</h1></header><nav><a href=/>Home</a></nav>\
         <main><h2>Class Hierarchy of a shop</h2><p>All classes of the shop are listed on this page, with those that they extend.\
         <p>Each of them is described on a page of its own, and so are the packages that they are in.</main>",
    );
    assert!(text.starts_with("## Class Hierarchy of a shop\n"), "{text}");
}

#[test]
fn titles_of_the_second_level_stay() {
    let page = "<head><!-- Generated by javadoc (build 1.6.0_20) --><title>Widget (Lib API)</title></head><body>\
                <div class=topNav><ul><li><a href=a.html>Overview</a><li>Class</ul></div>\
                <div class=header><div class=subTitle>org.example</div><h2 class=title>Class Widget</h2></div>\
                <div class=contentContainer><pre>public class Widget</pre><div class=block>A widget that can be drawn on a \
                screen, and moved from there to another screen of the same machine.</div><h3>Method Detail</h3><h4>draw</h4>\
                <pre>public void draw()</pre><div class=block>Draws the widget on the screen, if it has one at all.</div></div>";
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    let document = document.unwrap();
    let titles: Vec<&str> = document
        .outline
        .iter()
        .map(|heading| heading.title.as_str())
        .collect();
    assert_eq!(
        titles,
        ["Class Widget", "Method Detail", "draw"],
        "{}",
        document.text
    );
}

#[test]
fn headings_in_the_only_item_of_a_list_are_headings() {
    let text = "<p>Runs tests with parameters.</p><h3>Tests with one parameter</h3><p>Name it.</p>";
    let expected = "# Parameterized\n\nRuns tests with parameters.\n\n### Tests with one parameter\n\nName it.\n";
    for list in [
        format!("<ul class=blockList><li class=blockList>{text}</ul>"),
        format!("<ul><li><div class=block>{text}</div></ul>"),
        format!("<ul><li><ul><li><section>{text}</section></ul></ul>"),
    ] {
        check(&format!("<h1>Parameterized</h1>{list}"), expected);
    }
    // Items that are some of several, or have a number, stay.
    check(
        "<ul><li><p>One.<h3>Title</h3><p>Two.<li>Three.</ul>",
        "- One.\n\n  ### Title\n\n  Two.\n\n- Three.\n",
    );
    check(
        "<ol start=3><li><p>One.<h3>Title</h3><p>Two.</ol>",
        "3. One.\n\n   ### Title\n\n   Two.\n",
    );
}

#[test]
fn signatures_with_long_clauses_are_headings() {
    let link = |name: &str| {
        format!(
            "<a href='../../core/iter/traits/trait.{name}.html#method.{name}' title='trait core::iter::{name}'>{name}</a>"
        )
    };
    let written =
        |name: &str| format!("[{name}](../../core/iter/traits/trait.{name}.html#method.{name}");
    let clause = format!(
        "fn last(self) where<br>&nbsp;&nbsp;&nbsp;&nbsp;Self: {},&nbsp;",
        link("Sized")
    );
    let titles = |main: &str| -> Vec<String> {
        let page = format!("<body class=rustdoc><main><h1>Iterator</h1>{main}</main></body>");
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        let outline = document.unwrap().outline;
        outline.into_iter().map(|heading| heading.title).collect()
    };
    // Short but for the addresses, in any heading; and long, in code.
    for class in ["", " class=code-header"] {
        let page =
            format!("<section id=last><h4{class}>{clause}</h4></section><p>Returns the last one.");
        let found = titles(&page);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[1].starts_with("fn last(self) where Self: "),
            "{found:?}"
        );
    }
    let clauses = (0..20).map(|_| format!("<br>&nbsp;&nbsp;{},", link("Sized")));
    let long = format!("fn fold() where{}", clauses.collect::<Vec<_>>().concat());
    for heading in [
        format!("<h4 class=code-header>{long}</h4>"),
        format!("<h4><code>{long}</code><a class=srclink href=../src.html#1>[src]</a></h4>"),
    ] {
        let found = titles(&format!("{heading}<p>Folds all of them into one."));
        assert_eq!(found.len(), 2, "{found:?}");
        let title = &found[1];
        assert!(
            title.contains("fn fold() where") && title.contains("Sized"),
            "{title}"
        );
        assert!(!title.contains("```"), "{title}");
    }
    let prose = "The supplier delivers to the address that the customer names. ".repeat(3);
    let heading = format!("<h4>{prose}{}.</h4><p>Text.", link("Sized"));
    assert_eq!(titles(&heading).len(), 1);
    check(
        &heading,
        &format!("{prose}{}).\n\nText.\n", written("Sized")),
    );
}
