//! Templates: what they are called with, in their places.

mod shown;

/// How deep templates stand in each other; deeper ones stay as they are written.
const MAX_DEPTH: usize = 40;

/// Templates whose arguments are not text of the page.
const WITHOUT_TEXT: [&str; 10] = [
    "anchor",
    "citation needed",
    "clear",
    "cn",
    "fact",
    "refbegin",
    "refend",
    "toc limit",
    "use dmy dates",
    "use mdy dates",
];

/// The arguments of a template of a source that name it, in the order in which they are written.
const OF_SOURCE: [&str; 14] = [
    "author",
    "last",
    "first",
    "last1",
    "first1",
    "title",
    "work",
    "website",
    "journal",
    "publisher",
    "date",
    "year",
    "doi",
    "url",
];

/// What the arguments of a citation say of the page alone, or of how it is shown.
#[rustfmt::skip]
const OF_PAGE: [&str; 22] = [
    "access-date", "accessdate", "archive-date", "archive-url", "archivedate", "archiveurl", "author-link",
    "authorlink", "date-format", "dead-url", "deadurl", "df", "display-authors", "doi-access", "language", "mode",
    "name-list-style", "postscript", "ref", "separator", "url-access", "url-status",
];

/// What is said by a name beside arguments without one, as the author of a quotation is.
const BESIDE: [&str; 10] = [
    "author",
    "by",
    "caption",
    "date",
    "publisher",
    "source",
    "text",
    "title",
    "work",
    "year",
];

/// Puts what templates are called with into their places; returns the title, too, if the page sets one.
pub(super) fn expand(source: &str) -> (String, Option<String>) {
    let mut writer = Writer::default();
    let mut rest = source;
    while let Some(at) = rest.find(['{', '}']) {
        writer.text.push_str(&rest[..at]);
        rest = &rest[at..];
        let sign = if rest.starts_with('{') { '{' } else { '}' };
        let run = rest.len() - rest.trim_start_matches(sign).len();
        let length = if sign == '{' {
            writer.open(run)
        } else {
            writer.close(run)
        };
        writer.text.push_str(&rest[..length.literal]);
        rest = &rest[length.literal + length.read..];
    }
    writer.text.push_str(rest);
    (writer.text, writer.title)
}

/// How many of the next signs are text, and how many behind these are read.
struct Length {
    literal: usize,
    read: usize,
}

impl Length {
    const fn literal(literal: usize) -> Self {
        Self { literal, read: 0 }
    }

    const fn read(read: usize) -> Self {
        Self { literal: 0, read }
    }
}

#[derive(Default)]
struct Writer {
    text: String,
    /// Where what is open begins, and how many signs it begins with: two for a template, three for an argument that
    /// the page itself is called with.
    open: Vec<(usize, usize)>,
    title: Option<String>,
}

impl Writer {
    fn open(&mut self, run: usize) -> Length {
        let signs = if run == 4 { 2 } else { run.min(3) };
        if signs < 2 || self.open.len() >= MAX_DEPTH {
            return Length::literal(run);
        }
        self.open.push((self.text.len(), signs));
        self.text.push_str(&"{".repeat(signs));
        Length::read(signs)
    }

    fn close(&mut self, run: usize) -> Length {
        let Some((start, signs)) = self.open.pop_if(|_| run >= 2) else {
            return Length::literal(run);
        };
        if signs == 3 && run >= 3 {
            let body = self.text.split_off(start);
            let default = body.split_once('|').map_or("", |(_, default)| default);
            self.text.push_str(default);
            return Length::read(3);
        }
        // Of three signs the first may be that of a table.
        let body = self.text.split_off(start + signs - 2);
        let written = self.written(&body[2..]);
        self.text.push_str(&written);
        Length::read(2)
    }

    /// Returns what stands in the place of a template.
    fn written(&mut self, body: &str) -> String {
        let parts = arguments(body);
        let name = parts[0].trim().replace('_', " ");
        if let Some((name, value)) = name.split_once(':')
            && name.eq_ignore_ascii_case("displaytitle")
        {
            self.title = Some(value.trim().into());
        }
        let lower = name.to_lowercase();
        let lower = lower.as_str();
        let (named, others): (Vec<_>, Vec<_>) = parts[1..]
            .iter()
            .map(|part| argument(part))
            .partition(|(name, value)| !name.is_empty() && !value.is_empty());
        let others: Vec<&str> = others
            .into_iter()
            .map(|(_, value)| value)
            .filter(|value| !value.is_empty())
            .collect();
        if let Some(text) = shown::known(lower, &named, &others) {
            return text;
        }
        match lower {
            "!" => "|".into(),
            "=" => "=".into(),
            "reflist" | "references" | "notelist" => format!("\n{}\n", super::literals::NOTES),
            _ if lower.starts_with('#') => shown::function(&parts),
            _ if WITHOUT_TEXT.contains(&lower) => String::new(),
            _ if lower.starts_with("cite ") || lower == "citation" => of_source(&named),
            _ if body.trim_end().contains('\n') => as_list(&named, &others),
            _ if others.is_empty() => pairs(&named).join(", "),
            _ => {
                let beside = named.iter().filter(|(name, _)| BESIDE.contains(name));
                let beside = beside.map(|(_, value)| *value);
                others
                    .into_iter()
                    .chain(beside)
                    .collect::<Vec<_>>()
                    .join(" ")
            }
        }
    }
}

/// Returns what stands between bars outside links: the name of a template and its arguments.
pub(super) fn arguments(body: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (at, sign) in body.bytes().enumerate() {
        let is_double = body.as_bytes().get(at + 1) == Some(&sign);
        match sign {
            b'[' if is_double => depth += 1,
            b']' if is_double => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => {
                parts.push(&body[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&body[start..]);
    parts
}

/// Returns the name and the value of an argument; the name is empty where it has none, or is only its number.
fn argument(part: &str) -> (&str, &str) {
    let is_in_name = |sign: char| sign.is_alphanumeric() || matches!(sign, ' ' | '_' | '-');
    let is_digit = |byte: u8| byte.is_ascii_digit();
    match part.split_once('=') {
        Some((name, value)) if name.trim().bytes().all(is_digit) => ("", value.trim()),
        Some((name, value)) if name.trim().chars().all(is_in_name) => (name.trim(), value.trim()),
        _ => ("", part.trim()),
    }
}

fn pairs(named: &[(&str, &str)]) -> Vec<String> {
    let named = named.iter();
    named
        .map(|(name, value)| format!("{name}: {}", in_line(value)))
        .collect()
}

/// Returns a list as its items on one line, and other values as they are.
fn in_line(value: &str) -> String {
    let lines = value.lines().map(str::trim);
    let items: Option<Vec<&str>> = lines.map(|line| line.strip_prefix('*')).collect();
    match items {
        Some(items) => items
            .into_iter()
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(", "),
        None => value.into(),
    }
}

fn of_source(named: &[(&str, &str)]) -> String {
    let value = |wanted: &&str| {
        named
            .iter()
            .find(|(name, _)| name == wanted)
            .map(|(_, value)| *value)
    };
    let values = OF_SOURCE.iter().filter_map(value).map(str::to_owned);
    let others = named.iter().filter_map(|(name, value)| {
        // Of several people each has a number.
        let kind = name.trim_end_matches(|sign: char| sign.is_ascii_digit());
        let is_person = matches!(kind, "author" | "first" | "last");
        if OF_SOURCE.contains(name) || OF_PAGE.contains(&kind) {
            None
        } else if is_person {
            Some((*value).to_owned())
        } else {
            Some(format!("{name}: {value}"))
        }
    });
    values.chain(others).collect::<Vec<_>>().join(", ")
}

/// Writes the arguments of a template of several lines, each as an item.
fn as_list(named: &[(&str, &str)], others: &[&str]) -> String {
    let mut list = String::from("\n");
    // A list is one already.
    let (lists, others): (Vec<&str>, Vec<&str>) = others
        .iter()
        .copied()
        .partition(|value| value.starts_with(['*', '#']));
    let others = others.into_iter().map(str::to_owned);
    for item in pairs(named).into_iter().chain(others) {
        let words: Vec<&str> = item.split_whitespace().collect();
        list.push_str("* ");
        list.push_str(&words.join(" "));
        list.push('\n');
    }
    for own in lists {
        list.push_str(own);
        list.push('\n');
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_stand_in_the_places_of_their_templates() {
        for (source, expected) in [
            ("a {{lang|fr|mot}} b", "a mot b"),
            ("10{{sup|3}} H{{sub|2}}O", "10<sup>3</sup> H<sub>2</sub>O"),
            ("{{frac|3}} {{sfrac|1|2}} {{frac|4|1|2}}", "1/3 1/2 4 1/2"),
            ("{{convert|5|km|mi}} {{cvt|2|to|3|m|ft}}", "5 km 2 to 3 m"),
            ("{{abbr|UN|United Nations}}", "UN (United Nations)"),
            ("{{columns-list|\n* a\n* b\n}}", "\n* a\n* b\n"),
            (
                "{{box\n| name = {{plainlist|\n* a\n* b\n}}\n| c = 1\n}}",
                "\n* name: a, b\n* c: 1\n",
            ),
            ("{{x}}{{cn|date=May}}{{#if:a|b}}", "b"),
            ("{{x|[[a|b]]|{{y|c}}}}", "[[a|b]] c"),
            (
                "{{box\n| name = A\n| empty =\n| B\n}}",
                "\n* name: A\n* B\n",
            ),
            ("{{cite web|url=u|title=T|access-date=d}}", "T, u"),
            (
                "{{cite book|title=T|last=A|last2=B|author-link2=C|pages=12–15|quote=so}}",
                "A, T, B, pages: 12–15, quote: so",
            ),
            (
                "{{quote|It rained.|author=Ada|align=left}}",
                "It rained. Ada",
            ),
            ("{{x|1=a=b|lang=c}}", "a=b"),
            ("{{{1|default}}}{{{2}}}", "default"),
            ("{{{!}} class=x\n{{!}}}", "{| class=x\n|}"),
            ("{{a", "{{a"),
            ("a}} {b} {| c |}", "a}} {b} {| c |}"),
        ] {
            assert_eq!(expand(source).0, expected, "{source}");
        }
        assert_eq!(
            expand("{{DISPLAYTITLE:The page}}").1.as_deref(),
            Some("The page")
        );
    }

    #[test]
    fn parser_functions_show_what_the_page_decides() {
        for (source, expected) in [
            ("{{#if: a | b | c }}{{#if: | b | c}}", "bc"),
            ("{{#if:{{{1|}}}|b}}{{#if:{{x|y}}|b}}", "b"),
            ("{{#ifeq: a | a | same | other}}", "same"),
            ("{{#ifeq:a|b|same|other}}", "other"),
            ("{{#switch: b | a = 1 | b | c = 2 | 3}}", "2"),
            ("{{#switch: x | a = 1 | #default = 3}}", "3"),
            ("{{#switch:x|a=1|3}}", "3"),
            ("{{#ifexist:Page|[[Page]]|no}}", "[[Page]]"),
            ("{{#invoke:Module|run|a}}", ""),
        ] {
            assert_eq!(expand(source).0, expected, "{source}");
        }
    }

    #[test]
    fn common_templates_show_what_a_reader_sees() {
        for (source, expected) in [
            (
                "rain.{{sfn|Smith|Jones|2005|p=12}}",
                "rain. (Smith Jones 2005, p. 12)",
            ),
            ("{{harvnb|Smith|2005|pp=1–2|ref=x}}", "Smith 2005, pp. 1–2"),
            (
                "{{coord|57|18|22|N|4|27.5|W|type:city|display=title}}",
                "57°18′22″N 4°27.5′W",
            ),
            ("{{Coord|43.65|-79.38|scale:50}}", "43.65, -79.38"),
            ("{{langx|fr|mot}} {{transl|ru|ISO|mir}}", "mot mir"),
            ("{{convert|10|km|mi|abbr=on}}", "10 km"),
            ("{{cvt|5|to|10|kg|0}}", "5 to 10 kg"),
            ("{{convert|6|ft|2|in|m|2}}", "6 ft 2 in"),
        ] {
            assert_eq!(expand(source).0, expected, "{source}");
        }
    }
}
