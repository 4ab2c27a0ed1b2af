//! How elements are written as Markdown.

use std::rc::Rc;

use htmd::element_handler::{HandlerResult, Handlers};
use htmd::options::{BulletListMarker, HrStyle, Options};
use htmd::{Element, HtmlToMarkdown, Node};
use markup5ever_rcdom::NodeData;

use super::cells::Cells;
use super::node::{
    attribute, beginning, children, is_headertitle, is_heading, neighbours, parent, raised, tag,
    text,
};
use super::{code, lists, math, tables, typeset};
use crate::anchor_sign;
use crate::prose::is_prose;
use crate::superscript::{joins, subscript};

/// Elements that no link can be around in Markdown.
const BLOCKS: [&str; 12] = [
    "blockquote",
    "dl",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ol",
    "pre",
    "table",
    "ul",
];

/// Elements that are headings.
const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];

/// The place of the headings from which on pages use them for small print.
const SMALL_HEADINGS: usize = 3;

/// How long a heading is at most, in bytes.
const LONGEST_HEADING: usize = 500;

/// Elements whose text is struck out.
const STRUCK: [&str; 3] = ["del", "s", "strike"];

/// What a quotation begins with that has quotes of its own.
const QUOTES: [char; 8] = ['"', '\'', '“', '„', '‘', '‚', '«', '「'];

/// Classes of signatures in documentation, beside those of terms.
const SIGNATURES: [&str; 2] = ["member-signature", "type-signature"];

/// The class of headings that are code.
const CODE_HEADING: &str = "code-header";

/// How many elements up from a link a heading is sought that it stands in.
const UP: usize = 3;

/// Makes what writes pages as Markdown.
pub(super) fn converter() -> HtmlToMarkdown {
    let options = Options {
        bullet_list_marker: BulletListMarker::Dash,
        hr_style: HrStyle::Dashes,
        ul_bullet_spacing: 1,
        ol_number_spacing: 1,
        ..Options::default()
    };
    let cells = Cells::default();
    let (of_div, of_heading, of_pre) = (cells.clone(), cells.clone(), cells.clone());
    let (of_code, of_table) = (cells.clone(), cells);
    HtmlToMarkdown::builder()
        .options(options)
        .scripting_enabled(false)
        .add_handler(vec!["a"], write_link)
        .add_handler(vec!["code"], move |_: &dyn Handlers, code: Element| {
            Some(code::write_inline(code.node, of_code.is_in_one()).into())
        })
        .add_handler(
            vec!["div", "span"],
            move |handlers: &dyn Handlers, element: Element| {
                write_by_role(handlers, &element, &of_div)
                    .or_else(|| write_by_class(handlers, element, &of_div))
            },
        )
        .add_handler(
            STRUCK.to_vec(),
            |handlers: &dyn Handlers, struck: Element| {
                Some(write_between(handlers, struck.node, ["~~", "~~"]))
            },
        )
        .add_handler(vec!["q"], |handlers: &dyn Handlers, quoted: Element| {
            Some(write_quoted(handlers, quoted.node))
        })
        .add_handler(vec!["dt"], write_term)
        .add_handler(
            HEADINGS.to_vec(),
            move |handlers: &dyn Handlers, heading: Element| {
                Some(if of_heading.is_in_one() {
                    handlers.walk_children(heading.node)
                } else {
                    write_heading(handlers, heading.node).into()
                })
            },
        )
        .add_handler(vec!["img"], write_picture)
        .add_handler(vec!["li"], lists::write_item)
        .add_handler(vec!["ol", "ul"], lists::write)
        .add_handler(vec!["p"], lists::write_paragraph)
        .add_handler(vec!["input"], |_: &dyn Handlers, input: Element| {
            let mark = if input.attrs.iter().any(|one| &*one.name.local == "checked") {
                "[x] "
            } else {
                "[ ] "
            };
            Some(mark.into())
        })
        .add_handler(
            vec![typeset::INLINE, typeset::BLOCK],
            |_: &dyn Handlers, formula: Element| Some(math::of_text(formula.node).into()),
        )
        .add_handler(vec!["math"], |_: &dyn Handlers, math: Element| {
            Some(math::of_mathml(math.node).into())
        })
        .add_handler(
            math::DRAWN.to_vec(),
            |handlers: &dyn Handlers, drawn: Element| Some(handlers.walk_children(drawn.node)),
        )
        .add_handler(
            vec!["pre", "textarea"],
            move |_: &dyn Handlers, block: Element| {
                let is_in_cell = of_pre.is_in_one();
                let code = if is_in_cell {
                    code::in_cell(block.node)
                } else {
                    code::write(block.node)
                };
                Some(code.into())
            },
        )
        .add_handler(vec!["rt"], |handlers: &dyn Handlers, reading: Element| {
            Some(write_reading(handlers, reading.node))
        })
        .add_handler(vec!["sub"], |handlers: &dyn Handlers, element: Element| {
            Some(write_lowered(handlers, element.node))
        })
        .add_handler(vec!["sup"], |handlers: &dyn Handlers, element: Element| {
            Some(write_raised(handlers, element.node))
        })
        .add_handler(
            vec!["table"],
            move |handlers: &dyn Handlers, table: Element| {
                Some(tables::write(handlers, table.node, &of_table).into())
            },
        )
        .build()
}

/// Writes a link. One that shows nothing, or that a heading has to itself, is none.
fn write_link(handlers: &dyn Handlers, link: Element) -> Option<HandlerResult> {
    let target = attribute(link.node, "href").unwrap_or_default();
    match content(link.node) {
        Content::Nothing => Some("".into()),
        Content::Blocks => {
            let blocks = handlers.walk_children(link.node).content;
            Some(format!("\n\n{}\n\n", blocks.trim_matches('\n')).into())
        }
        Content::Line if is_anchor(link.node, &target) => Some("".into()),
        Content::Line if target.starts_with('#') && is_in_heading(link.node) => {
            Some(handlers.walk_children(link.node))
        }
        Content::Line => handlers.fallback(link),
    }
}

/// Returns whether a link is a sign in a heading that leads to it, by a whole address, too.
fn is_anchor(link: &Rc<Node>, target: &str) -> bool {
    let shown = text(link).unwrap_or_default();
    let is_sign = !shown.is_empty() && anchor_sign::title(&shown).is_empty();
    is_sign && target.contains('#') && is_in_heading(link)
}

enum Content {
    Nothing,
    Line,
    Blocks,
}

/// Says what there is to see in an element.
fn content(node: &Rc<Node>) -> Content {
    let mut content = Content::Nothing;
    let mut open = children(node);
    while let Some(node) = open.pop() {
        match (&node.data, tag(&node)) {
            (NodeData::Text { contents }, _) if !contents.borrow().trim().is_empty() => {
                content = Content::Line;
            }
            (_, Some("img" | "input" | "math")) => content = Content::Line,
            (_, Some(name)) if BLOCKS.contains(&name) => return Content::Blocks,
            _ => {}
        }
        open.extend(node.children.borrow().iter().map(Rc::clone));
    }
    content
}

fn is_in_heading(node: &Rc<Node>) -> bool {
    let around = std::iter::successors(parent(node), parent).take(UP);
    around.into_iter().any(|node| is_heading(&node))
}

/// Writes tables and cells that are such by their roles alone.
fn write_by_role(
    handlers: &dyn Handlers,
    element: &Element,
    cells: &Cells,
) -> Option<HandlerResult> {
    let role = attribute(element.node, "role")?;
    if tables::TABLES.contains(&role.as_str()) {
        return tables::of_roles(handlers, element.node, cells).map(Into::into);
    }
    if element.tag == "span" && tables::CELLS.contains(&role.as_str()) {
        // Cells stand apart, in a line as well.
        let text = handlers.walk_children(element.node).content;
        return Some(format!(" {text} ").into());
    }
    None
}

/// Writes formulas, code and boxes of tasks that are such by their class alone.
fn write_by_class(
    handlers: &dyn Handlers,
    element: Element,
    cells: &Cells,
) -> Option<HandlerResult> {
    let class = element.attrs.iter().find(|one| &*one.name.local == "class");
    let Some(class) = class.map(|class| &*class.value) else {
        return handlers.fallback(element);
    };
    if element.tag == "div" && SIGNATURES.contains(&class) {
        return Some(signature(element.node).into());
    }
    if element.tag == "div" && class.contains("summary-table") {
        let table = tables::of_divisions(handlers, element.node, cells);
        return table.map(Into::into).or_else(|| handlers.fallback(element));
    }
    if is_headertitle(element.node) {
        return Some(write_headertitle(handlers, element.node).into());
    }
    if code::is_block(element.node) {
        return Some(code::write(element.node).into());
    }
    if let Some(mark) = lists::checkbox(class) {
        return Some(mark.into());
    }
    match math::of_marked(element.node, class) {
        Some(formula) => Some(formula.into()),
        None => handlers.fallback(element),
    }
}

/// Writes the heading of a page of Doxygen, and below it the groups that it names beside it.
fn write_headertitle(handlers: &dyn Handlers, title: &Rc<Node>) -> String {
    let all = title.children.take();
    let (groups, words): (Vec<_>, Vec<_>) = all
        .iter()
        .map(Rc::clone)
        .partition(|child| tag(child) == Some("div"));
    title.children.replace(words);
    let heading = write_heading(handlers, title);
    title.children.replace(groups);
    let groups = handlers.walk_children(title).content;
    title.children.replace(all);
    heading + &groups
}

/// Writes a heading on one line; one without text is none, and neither is one that holds no more than a sign that leads to
/// it, or a picture that nothing is said of. One that holds pictures and paragraphs as well is written line by line. What
/// counts of its length is what is shown: the addresses of its links are not.
fn write_heading(handlers: &dyn Handlers, heading: &Rc<Node>) -> String {
    let shown = text(heading).unwrap_or_default();
    let text = handlers.walk_children(heading).content;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.collect::<Vec<&str>>().join(" ");
    let line = plain_number(anchor_sign::title(&line).to_owned());
    if line.is_empty() {
        return line;
    }
    if is_silent_picture(&line) {
        return format!("\n\n{line}\n\n");
    }
    let level = HEADINGS
        .iter()
        .position(|level| tag(heading) == Some(level));
    let is_code = is_code(heading);
    let is_small = level.is_some_and(|level| level >= SMALL_HEADINGS);
    if is_small && !is_code && is_prose(&shown) {
        return format!("\n\n{}\n\n", text.trim());
    }
    let marks = "#".repeat(level.unwrap_or_default() + 1);
    let is_long =
        shown.len() > LONGEST_HEADING || line.contains("![") && line.len() > LONGEST_HEADING;
    let line = if is_long && !is_code {
        text.trim()
    } else {
        &line
    };
    format!("\n\n{marks} {line}\n\n")
}

/// Returns whether a heading is a line of code, as Rustdoc writes signatures: it may be long, and end with a comma.
fn is_code(heading: &Rc<Node>) -> bool {
    let class = attribute(heading, "class").unwrap_or_default();
    if class.split_whitespace().any(|name| name == CODE_HEADING) {
        return true;
    }
    let is_beside = |node: &Node| match &node.data {
        NodeData::Text { contents } => contents.borrow().trim().is_empty(),
        _ => tag(node) == Some("a") || text(node).is_none(),
    };
    let (code, others): (Vec<_>, Vec<_>) = children(heading)
        .into_iter()
        .partition(|node| tag(node) == Some("code"));
    !code.is_empty() && others.iter().all(|node| is_beside(node))
}

/// Returns whether a line is a picture without an alternative text.
fn is_silent_picture(line: &str) -> bool {
    let rest = line
        .strip_prefix("![](")
        .and_then(|rest| rest.strip_suffix(')'));
    rest.is_some_and(|address| !address.contains([' ', '(', ')']))
}

/// Takes the backslash from behind the number that a heading begins with: it begins no list there.
fn plain_number(line: String) -> String {
    let digits = line.len()
        - line
            .trim_start_matches(|letter: char| letter.is_ascii_digit())
            .len();
    match line[digits..].strip_prefix("\\.") {
        Some(rest) if digits > 0 => format!("{}.{rest}", &line[..digits]),
        _ => line,
    }
}

/// Writes a raised text in superscript characters, where each of its characters has one; where not, a mark is between it
/// and the number before it. Links stay.
fn write_raised(handlers: &dyn Handlers, element: &Rc<Node>) -> HandlerResult {
    let written = handlers.walk_children(element);
    if written.content.contains('[') {
        return written;
    }
    if let Some(raised) = raised(element) {
        return raised.into();
    }
    if joins(neighbours(element).0, &written.content) {
        return format!("^{}", written.content).into();
    }
    written
}

/// Writes a lowered text, in subscript characters beside digits.
fn write_lowered(handlers: &dyn Handlers, element: &Rc<Node>) -> HandlerResult {
    let written = handlers.walk_children(element);
    let (before, after) = neighbours(element);
    let lowered = subscript(before, &written.content, after);
    lowered.map_or(written, Into::into)
}

/// Writes how the characters before it are read in parentheses, unless the page writes these itself, for browsers that
/// do not know readings.
fn write_reading(handlers: &dyn Handlers, reading: &Rc<Node>) -> HandlerResult {
    let written = handlers.walk_children(reading);
    let text = written.content.trim();
    let around = parent(reading)
        .map(|around| children(&around))
        .unwrap_or_default();
    if text.is_empty() || around.iter().any(|node| tag(node) == Some("rp")) {
        return written;
    }
    format!("({text})").into()
}

/// Writes a quotation in a line between the quotes that browsers draw, unless it has its own.
fn write_quoted(handlers: &dyn Handlers, element: &Rc<Node>) -> HandlerResult {
    if beginning(element).starts_with(QUOTES) {
        return handlers.walk_children(element);
    }
    write_between(handlers, element, ["“", "”"])
}

/// Writes a text between marks, as one that is struck out; paragraphs have none.
fn write_between(handlers: &dyn Handlers, element: &Rc<Node>, marks: [&str; 2]) -> HandlerResult {
    let written = handlers.walk_children(element);
    let text = written.content.trim();
    if text.is_empty() || text.contains('\n') {
        return written;
    }
    written.content.replacen(text, &marks.join(text), 1).into()
}

/// Writes the signature of a function as code.
fn signature(element: &Rc<Node>) -> String {
    match joined(element) {
        text if text.is_empty() => text,
        text => format!("\n\n{}\n\n", code::inline(&text)),
    }
}

/// Writes a term; the signature of a function is code.
fn write_term(handlers: &dyn Handlers, term: Element) -> Option<HandlerResult> {
    let class = attribute(term.node, "class").unwrap_or_default();
    if class.split_whitespace().any(|name| name == "sig") {
        return Some(signature(term.node).into());
    }
    handlers.fallback(term)
}

/// Returns the text of an element as it is drawn on one line.
fn joined(node: &Rc<Node>) -> String {
    let text = code::text(node);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Writes a picture; of one that is in the page itself, or that a script loads, what it shows alone.
fn write_picture(handlers: &dyn Handlers, picture: Element) -> Option<HandlerResult> {
    if let Some(formula) = math::of_picture(picture.node) {
        return Some(formula.into());
    }
    let source = attribute(picture.node, "src");
    let is_address = |source: &String| {
        let start = source.get(..5).unwrap_or_default();
        !start.eq_ignore_ascii_case("data:")
    };
    if source.as_ref().is_some_and(is_address) {
        return handlers.fallback(picture);
    }
    let shown = attribute(picture.node, "alt").unwrap_or_default();
    let shown: Vec<&str> = shown.split_whitespace().collect();
    Some(if shown.is_empty() {
        "".into()
    } else {
        format!("![{}]()", shown.join(" ")).into()
    })
}
