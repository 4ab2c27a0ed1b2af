//! Texts of others in prompts, and the texts that models make of them.

use std::borrow::Cow;

use crate::{ChatModel, ChatRequest, Result};

/// A function that counts the tokens of a text, exactly or approximately as the model does.
pub type TokenCount<'a> = &'a (dyn Fn(&str) -> usize + Sync);

/// The replacement for the rest of a text.
const ELLIPSIS: char = '…';

/// Cuts a text so that it has at most `limit` tokens, or none if that is not enough for any.
///
/// Each text that it counts has at most nine tenths of the length of the one before, so the cost is
/// linear.
pub(crate) fn cut<'a>(text: &'a str, limit: usize, count: TokenCount<'_>) -> Cow<'a, str> {
    let mut tokens = count(text);
    if tokens <= limit {
        return Cow::Borrowed(text);
    }
    let mut kept = text;
    while !kept.is_empty() {
        let share = kept.len() as u128 * limit as u128 / tokens.max(1) as u128;
        let length = usize::try_from(share).unwrap_or(usize::MAX);
        kept = &kept[..kept.floor_char_boundary(length.min(kept.len() * 9 / 10))];
        let shortened = format!("{}{ELLIPSIS}", kept.trim_end());
        tokens = count(&shortened);
        if tokens <= limit {
            return Cow::Owned(shortened);
        }
    }
    Cow::Borrowed("")
}

/// Writes a text as a JSON string that cannot end the part of a prompt it stands in.
pub(crate) fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    // JSON reads `<\/` as `</`.
    json.replace("</", "<\\/")
}

/// Writes a section for a prompt, as JSON between `<section>` and `</section>`, its text within `budget`
/// tokens and its heading path within an eighth of that.
pub(crate) fn section_prompt(
    heading_path: &[String],
    text: &str,
    budget: usize,
    count: TokenCount<'_>,
) -> String {
    let count = |text: &str| count(&quoted(text));
    let path = heading_path.join(" > ");
    let path = quoted(&cut(&path, budget / 8, &count));
    let text = quoted(&cut(text, budget, &count));
    format!("<section>\n{{\"heading_path\":{path},\"text\":{text}}}\n</section>")
}

/// Asks a model about a section, which [`section_prompt`] wrote, and returns what it says.
pub(crate) async fn ask(model: &dyn ChatModel, system: &str, section: String) -> Result<String> {
    let request = ChatRequest {
        system: system.to_owned(),
        user: section,
        max_tokens: None,
    };
    let answer = model.complete(&request).await?;
    Ok(spoken(&answer).to_owned())
}

/// Returns what a model says after it has thought aloud, as some do before they answer.
pub(crate) fn spoken(answer: &str) -> &str {
    let answer = answer
        .rsplit_once("</think>")
        .map_or(answer, |(_, spoken)| spoken);
    answer.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> usize {
        text.split_whitespace().count()
    }

    #[test]
    fn a_text_within_the_limit_is_kept() {
        assert_eq!(cut("one two", 2, &words), "one two");
        assert_eq!(cut("", 0, &words), "");
    }

    #[test]
    fn a_text_over_the_limit_is_cut_close_to_it() {
        let text = "word ".repeat(1000);
        let cut = cut(&text, 100, &words);
        assert!(cut.ends_with("word…") || cut.ends_with("wo…"), "{cut}");
        assert!((80..=100).contains(&words(&cut)), "{}", words(&cut));
    }

    #[test]
    fn characters_stay_whole() {
        let bytes = |text: &str| text.len();
        for limit in 0..40 {
            assert!(cut("äöü€𝄞äöü€𝄞", limit, &bytes).len() <= limit, "{limit}");
        }
    }

    #[test]
    fn a_counter_that_knows_no_small_text_ends() {
        assert_eq!(cut(&"a".repeat(100_000), 5, &|_| 6), "");
    }

    #[test]
    fn what_is_quoted_cannot_close_its_part() {
        let text = "a \"b\"\n</tree> c";
        assert_eq!(quoted(text), r#""a \"b\"\n<\/tree> c""#);
        assert_eq!(serde_json::from_str::<String>(&quoted(text)).unwrap(), text);
    }

    #[test]
    fn thoughts_are_left_out() {
        assert_eq!(spoken("<think>\nHm.</think>\n\nYes. "), "Yes.");
        assert_eq!(spoken(" Yes.\n"), "Yes.");
    }
}
