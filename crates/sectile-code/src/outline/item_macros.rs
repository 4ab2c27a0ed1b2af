//! Macros of Rust that have items in them, whose content the grammar takes for words.

/// Words that items begin with.
const ITEMS: [&str; 9] = [
    "enum", "extern", "fn", "impl", "mod", "struct", "trait", "type", "use",
];

/// Words that may stand before those.
const MODIFIERS: [&str; 5] = ["async", "const", "default", "pub", "unsafe"];

/// Returns `text` with spaces for the head and the end of each macro at the margin whose content begins with an item:
/// `cfg_net! {` and `}`. Nothing is returned where there is none.
pub(super) fn without_item_macros(text: &str) -> Option<String> {
    if !text.contains("! {") {
        return None;
    }
    let mut without = String::with_capacity(text.len());
    let mut is_found = false;
    let mut is_open = false;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        let shown = line.trim_end();
        let begins = !is_open && is_head(shown) && begins_with_item(after);
        let ends = is_open && shown == "}";
        if begins || ends {
            without.extend(std::iter::repeat_n(' ', shown.len()));
            without.push_str(&line[shown.len()..]);
        } else {
            without.push_str(line);
        }
        is_open = begins || is_open && !ends;
        is_found |= ends;
        rest = after;
    }
    is_found.then_some(without)
}

/// Returns whether a line is the head of a macro and nothing else.
fn is_head(line: &str) -> bool {
    let of_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':');
    let name = line.strip_suffix("! {").unwrap_or_default();
    !name.is_empty() && name.chars().all(of_name) && name != "macro_rules"
}

/// Returns whether the first line of code of a text begins an item.
fn begins_with_item(text: &str) -> bool {
    let is_comment =
        |line: &&str| line.is_empty() || line.starts_with("//") || line.starts_with('#');
    let first = text.lines().map(str::trim).find(|line| !is_comment(line));
    let words = first.unwrap_or_default().split([' ', '(', '<']);
    let mut words = words.skip_while(|word| MODIFIERS.contains(word) || word.ends_with(')'));
    words.next().is_some_and(|word| ITEMS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_around_items_are_blank() {
        let text = "cfg_net! {\n    /// A.\n    #[b]\n    pub(crate) async fn c() {\n    }\n}\n\na::b! {\r\n    struct D;\r\n}\n";
        let expected = "          \n    /// A.\n    #[b]\n    pub(crate) async fn c() {\n    }\n \n\n       \r\n    struct D;\r\n \n";
        assert_eq!(without_item_macros(text).as_deref(), Some(expected));
    }

    #[test]
    fn other_macros_stay() {
        for text in [
            "",
            "macro_rules! a {\n    fn b() {}\n}\n",
            "lazy_static! {\n    static ref A: u8 = 1;\n}\n",
            "let a = quote! {\n    fn b() {}\n}\n",
            "    quote! {\n    fn b() {}\n}\n",
            "cfg_net! {\n    fn b() {}\n",
            "! {\nfn b() {}\n}\n",
        ] {
            assert_eq!(without_item_macros(text), None, "{text}");
        }
    }
}
