//! The files that a Markdown text includes, in the forms of the tools that make sites and books of it.

use crate::not_followed::NotFollowed;

/// One of these is in every form: most texts have none, and are not read line by line.
const SIGNS: [&str; 14] = [
    "{{", "{%", "{!", "{* ", "@include", "<<<", "8<-", "include}", "child", "![[", "[!C", "[!c",
    "[!I", "[!i",
];

/// The beginnings of what `DocFX` includes, in small letters: documents, and samples of code in a language.
const DOCFX: [&str; 2] = ["[!include", "[!code"];

/// How many signs of a kind are looked at in a line, as each may be followed to the end of it.
const MOST_IN_LINE: usize = 32;

/// Directives of mdBook, which reads them in code, too.
const MDBOOK: [&str; 4] = ["include", "rustdoc_include", "playground", "playpen"];

/// Shortcodes of Hugo that stand for a file.
const SHORTCODES: [&str; 4] = ["include", "readfile", "readFile", "code_sample"];

/// Tags of Liquid and its like that stand for a file.
const TAGS: [&str; 4] = ["include", "include_relative", "include-markdown", "render"];

/// Endings of files that are documents: what Liquid includes is mostly part of a page's frame.
const DOCUMENTS: [&str; 8] = [
    ".md",
    ".mdx",
    ".markdown",
    ".adoc",
    ".rst",
    ".txt",
    ".qmd",
    ".ipynb",
];

/// Finds the files that a text includes.
pub(super) fn find(text: &str, is_mdx: bool) -> NotFollowed {
    let mut reader = Reader {
        is_mdx,
        ..Reader::default()
    };
    let has = |sign: &str| memchr::memmem::find(text.as_bytes(), sign.as_bytes()).is_some();
    if SIGNS.into_iter().any(has) || is_mdx && has("import") {
        text.split(['\n', '\r'])
            .for_each(|line| reader.line(line.trim()));
    }
    reader.found
}

#[derive(Default)]
struct Reader<'a> {
    found: NotFollowed,
    is_mdx: bool,
    /// The marks of the code fence that is open.
    fence: Option<&'a str>,
    /// Whether the lines name files, up to the next scissors.
    is_list: bool,
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: &'a str) {
        if self.is_list || is_scissors(line) {
            return self.scissors(line);
        }
        let anywhere = of_mdbook(line)
            .or_else(|| of_comment(line))
            .or_else(|| of_braces(line));
        let is_code = self.fence.is_some();
        self.see_fence(line);
        let outside = || {
            of_directive(line)
                .or_else(|| of_angles(line))
                .or_else(|| of_shortcode(line))
                .or_else(|| of_tag(line))
                .or_else(|| of_import(line).filter(|_| self.is_mdx))
        };
        children(line, is_code).for_each(|child| self.found.add(child));
        if !is_code {
            embedded(line).for_each(|name| self.found.add(name));
            of_docfx(line).for_each(|path| self.found.add(path));
        }
        let target = anywhere.or_else(|| outside().filter(|_| !is_code));
        if let Some(target) = target {
            self.found.add(target);
        }
    }

    fn see_fence(&mut self, line: &'a str) {
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'));
        let Some(mark) = mark else { return };
        let rest = line.trim_start_matches(mark);
        let marks = &line[..line.len() - rest.len()];
        match self.fence {
            Some(open) if rest.is_empty() && marks.starts_with(open) => self.fence = None,
            None if marks.len() >= 3 && !rest.contains('`') => self.fence = Some(marks),
            _ => {}
        }
    }

    /// Reads a snippet of `PyMdown`: a name behind the scissors, or one a line between two of them.
    fn scissors(&mut self, line: &str) {
        let is_name = !line.is_empty() && !line.contains(char::is_whitespace);
        let name = if is_scissors(line) {
            let names = line.trim_start_matches(['-', '8', '<']).trim();
            self.is_list = names.is_empty() && !self.is_list;
            quoted(names).unwrap_or_default()
        } else {
            self.is_list = is_name || line.starts_with(';');
            if is_name { line } else { "" }
        };
        // What begins with a semicolon is left out, and brackets name a part of this file.
        if !name.starts_with([';', '[']) {
            self.found.add(before(name, &[':']));
        }
    }
}

/// Reads `{{#include path:lines}}`.
fn of_mdbook(line: &str) -> Option<&str> {
    let (name, target) = line.strip_prefix("{{#")?.split_once(' ')?;
    let target = target.split_once("}}")?.0.trim();
    MDBOOK.contains(&name).then(|| before(target, &[':', ' ']))
}

/// Reads `<!--@include: path{lines}-->` of `VitePress`.
fn of_comment(line: &str) -> Option<&str> {
    let inner = line.strip_prefix("<!--")?.trim_start();
    let target = inner.strip_prefix("@include:")?.split_once("-->")?.0;
    Some(before(target.trim(), &['{', '#', ' ']))
}

/// Reads `{!path!}` of `markdown-include`, and `{!> path!}` and `{* path lines *}` of `mdx-include`, which both read them
/// in code, too.
fn of_braces(line: &str) -> Option<&str> {
    let path = if let Some(inner) = line.strip_prefix("{!") {
        // Signs before a path say how it is read in.
        let inner = inner.trim_start_matches(['+', '-', '>']);
        let (path, behind) = inner.split_once('!')?;
        let path = path.trim();
        let lines = path.strip_suffix(']').and_then(|path| path.split_once('['));
        let path = lines.map_or(path, |(path, _)| path.trim());
        // What two signs of negation stand around is an expression.
        let is_one = !path.contains(char::is_whitespace) && !behind.starts_with('=');
        is_one.then_some(path)?
    } else {
        let (inner, _) = line.strip_prefix("{*")?.split_once("*}")?;
        inner.split_whitespace().next()?
    };
    // An abbreviation ends with a full stop.
    let is_path = path.contains(['/', '.']) && !path.ends_with('.');
    is_path.then(|| before(path, &['[']))
}

/// Reads `[!INCLUDE [title](path)]` and `[!code-csharp[title](path#lines)]` of `DocFX`, anywhere in a line.
fn of_docfx(line: &str) -> impl Iterator<Item = &str> {
    let parts = line
        .match_indices("[!")
        .take(MOST_IN_LINE)
        .filter(move |(at, _)| !is_in_code(line, *at));
    parts.filter_map(move |(at, _)| {
        let rest = &line[at..];
        let begin = DOCFX.iter().find(|begin| {
            let own = rest.get(..begin.len());
            own.is_some_and(|own| own.eq_ignore_ascii_case(begin))
        })?;
        let (label, target) = rest[begin.len()..].split_once("](")?;
        let target = target.split_once(')')?.0.trim();
        let is_one = label.contains('[') && !label.contains(']');
        is_one.then(|| before(target, &['?', '#', ' ']))
    })
}

/// Reads the notes that a line of Obsidian shows, `![[Note#Heading|words]]`. Pictures and the like are none.
fn embedded(line: &str) -> impl Iterator<Item = &str> {
    let parts = line
        .match_indices("![[")
        .take(MOST_IN_LINE)
        .filter(move |(at, _)| !is_in_code(line, *at));
    parts.filter_map(move |(at, sign)| {
        let (target, _) = line[at + sign.len()..].split_once("]]")?;
        let name = before(target, &['#', '|', '^']).trim();
        is_note(name).then_some(name)
    })
}

/// Returns whether a file in a vault is a note: it has no ending, or that of one.
fn is_note(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_ending = ending.chars().all(char::is_alphanumeric)
        && ending.contains(|sign: char| sign.is_ascii_alphabetic());
    is_document(name) || !is_ending
}

/// Returns whether a place in a line is within code between backticks.
fn is_in_code(line: &str, at: usize) -> bool {
    let runs = line[..at].split(|sign: char| sign != '`');
    runs.filter(|run| !run.is_empty()).count() % 2 == 1
}

/// Reads `<<< path{lines}` of `VitePress`.
fn of_angles(line: &str) -> Option<&str> {
    let target = line.strip_prefix("<<<")?.trim_start();
    let is_path = target.contains(['/', '.']) && !target.starts_with('<');
    is_path.then(|| before(target, &['{', '#', ' ', '[']))
}

/// Reads the first line of a directive of `MyST`.
fn of_directive(line: &str) -> Option<&str> {
    let inner = line.trim_start_matches(['`', ':', '~']);
    let target = ["{include}", "{literalinclude}"]
        .into_iter()
        .find_map(|name| inner.strip_prefix(name))?;
    (line.len() >= inner.len() + 3).then(|| target.trim())
}

/// Reads the documents that a chunk of knitr stands for: `{r, child = c("a.Rmd", "b.Rmd")}` behind the marks of its
/// fence, `#| child: a.qmd` in its lines.
fn children(line: &str, is_code: bool) -> impl Iterator<Item = &str> {
    let head = line.trim_start_matches(['`', '~']);
    let is_head = !is_code && line.len() >= head.len() + 3 && head.starts_with('{');
    let of_head = || {
        let (before, value) = head.split_once("child")?;
        let value = value.trim_start().strip_prefix('=')?;
        before.ends_with([' ', ',', '{']).then_some(value)
    };
    let of_line = || line.strip_prefix("#|")?.trim_start().strip_prefix("child:");
    let value = if is_head {
        of_head()
    } else {
        of_line().filter(|_| is_code)
    };
    let parts = value
        .unwrap_or_default()
        .split(['"', '\'', ' ', ',', '(', ')', '[', ']', '}']);
    parts.filter(|part| is_document(part) || part.ends_with(".Rmd"))
}

/// Reads `{{% include "path" %}}` of Hugo.
fn of_shortcode(line: &str) -> Option<&str> {
    let inner = ["{{%", "{{<"]
        .into_iter()
        .find_map(|open| line.strip_prefix(open))?;
    let (name, arguments) = inner.trim_start().split_once(' ')?;
    let arguments = arguments.split("}}").next().unwrap_or_default();
    let target = quoted(arguments).or_else(|| arguments.split_whitespace().next());
    target.filter(|_| SHORTCODES.contains(&name))
}

/// Reads `{% include path %}` of Jekyll, where it is that of a document.
fn of_tag(line: &str) -> Option<&str> {
    let inner = line.strip_prefix("{%")?.trim_start_matches('-');
    let (name, arguments) = inner.trim_start().split_once(' ')?;
    let target = quoted(arguments).or_else(|| arguments.split_whitespace().next())?;
    (TAGS.contains(&name) && is_document(target)).then_some(target)
}

/// Reads `import Name from 'path'` of MDX, where it is that of a document or of the text of a file.
fn of_import(line: &str) -> Option<&str> {
    let (_, target) = line.strip_prefix("import ")?.split_once(" from ")?;
    let (loaders, target) =
        quoted(target).map(|path| path.rsplit_once('!').unwrap_or(("", path)))?;
    let path = before(target, &['?']);
    let is_text = loaders.contains("raw-loader") || target.ends_with("?raw");
    (is_text || is_document(path)).then_some(path)
}

fn is_document(path: &str) -> bool {
    DOCUMENTS.iter().any(|ending| path.ends_with(ending))
}

fn is_scissors(line: &str) -> bool {
    line.strip_prefix('-')
        .and_then(|rest| rest.trim_start_matches('-').strip_prefix("8<-"))
        .is_some()
}

/// Returns what stands between the first quotation marks.
fn quoted(text: &str) -> Option<&str> {
    let start = text.find(['"', '\''])?;
    let rest = &text[start + 1..];
    let end = rest.find(&text[start..=start])?;
    Some(&rest[..end])
}

/// Returns what stands before the first of `ends`.
fn before<'t>(text: &'t str, ends: &[char]) -> &'t str {
    text.find(ends).map_or(text, |end| &text[..end])
}

#[cfg(test)]
mod tests {
    use sectile_core::Metadata;

    use super::*;
    use crate::omissions::NOT_FOLLOWED;

    fn check(text: &str, is_mdx: bool, expected: &[&str]) {
        let mut metadata = Metadata::default();
        find(text, is_mdx).write_into(&mut metadata);
        let names = metadata.extra.get(NOT_FOLLOWED).cloned();
        let expected = (!expected.is_empty()).then(|| serde_json::json!(expected));
        assert_eq!(names, expected, "{text}");
    }

    #[test]
    fn files_are_named_in_the_forms_of_each_tool() {
        for (text, name) in [
            ("{{#include ../a.rs:2:10}}", "../a.rs"),
            ("```rust\n{{#rustdoc_include b.rs:here}}\n```", "b.rs"),
            ("{{#playground c.rs editable}}", "c.rs"),
            ("<!--@include: ./d.md{3,}-->", "./d.md"),
            ("<!-- @include: e.md -->", "e.md"),
            ("<<< @/snippets/f.js#part{2}", "@/snippets/f.js"),
            ("```{include} ../G.md\n:start-line: 2\n```", "../G.md"),
            ("::::{literalinclude} h.py\n::::", "h.py"),
            ("{{% include \"/_common/i.md\" %}}", "/_common/i.md"),
            ("{{< readfile file=\"j.md\" >}}", "j.md"),
            ("{{< include k.md >}}", "k.md"),
            ("{% include l.md %}", "l.md"),
            ("{%- include_relative m.md x=1 -%}", "m.md"),
            ("{% include-markdown \"n.md\" %}", "n.md"),
            ("--8<-- \"o.md:part\"", "o.md"),
            ("{!../docs/q.md!}", "../docs/q.md"),
            ("```python\n{! r.py !lines=1 3-5}\n```", "r.py"),
            ("{!> ../../src/q.py [ln:1,3-5]!}", "../../src/q.py"),
            ("{!+- r.md!}", "r.md"),
            ("{* ./docs_src/s.py ln[1:19] hl[9] *}", "./docs_src/s.py"),
            ("[!INCLUDE [the note](includes/t.md)]", "includes/t.md"),
            ("See [!include[](~/u.md)] there.", "~/u.md"),
            ("{!t.py[ln:1-7]!}", "t.py"),
            ("[!Code-csharp[Main](v.cs?name=a#L2)]", "v.cs"),
            ("As ![[W 1.2 of May#Part|words]] says.", "W 1.2 of May"),
            ("![[x.md]] and ![[y.png]]", "x.md"),
            ("--8<--\np.md\n; left.md\n--8<--", "p.md"),
        ] {
            check(&format!("# A\r\n\r\n  {text}\r\n"), false, &[name]);
        }
    }

    #[test]
    fn a_line_of_beginnings_alone_is_read_once() {
        check(
            &format!("{}\n![[a]]", "![[ [!include[ ".repeat(200_000)),
            false,
            &["a"],
        );
    }

    #[test]
    fn children_of_chunks_are_named() {
        let text = "```{r, child=\"a.Rmd\"}\n```\n\n```{r two, child = c('b.Rmd', 'c.md'), eval=x}\n```\n\n\
                    ```{r}\n#| child: d.qmd\nchild = 'e.Rmd'\n```\n";
        check(text, false, &["a.Rmd", "b.Rmd", "c.md", "d.qmd"]);
        check(
            "```{r, children='a.Rmd'}\n```\n#| child: a.qmd\n",
            false,
            &[],
        );
    }

    #[test]
    fn documents_that_mdx_imports_are_named() {
        let text = "import A from './a.mdx';\nimport B from \"@site/b.md\"\nimport C from '!!raw-loader!./c.py'\n\
                    import D from './d.js'\nimport { E } from 'e'\n\n```js\nimport F from './f.md'\n```\n";
        check(text, true, &["./a.mdx", "@site/b.md", "./c.py"]);
        check(text, false, &[]);
    }

    #[test]
    fn what_only_looks_alike_is_not_named() {
        for text in [
            "Use `{{#include a.rs}}` for that.",
            "\\{{#include a.rs}}",
            "{{#if x}}",
            "```\n{% include a.md %}\n{{% include \"a.md\" %}}\n<<< a.js\n```",
            "````md\n```{include} a.md\n```\n````",
            "{% include footer.html %}",
            "{% if a.md %}",
            "{{< youtube id >}}",
            "{! }",
            "{* b *}",
            "{* i.e. b.c *}",
            "{!a.b && !c.d}",
            "{!a.b[0] && !c.d}",
            "{!a.b!==c}",
            "> [!IMPORTANT]\n> [!code]",
            "`[!INCLUDE [a](a.md)]`, ``![[a]]`` and `![[a]]`",
            "![[#Part]] ![[a.png|300]] ![[a b.canvas]]",
            "```\n![[a]]\n[!INCLUDE [a](a.md)]\n```",
            "<<<<<<< HEAD",
            "# --8<-- [start:a]\n--8<-- [end:a]",
            "<!-- include: a -->",
            "--8<--\n\na\n",
            "--8<---------------cut here---------------start------------->8---\na",
        ] {
            check(text, false, &[]);
        }
    }
}
