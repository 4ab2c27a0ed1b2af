//! Counts of the built-in vocabularies against `tiktoken-rs`.

use proptest::prelude::*;
use sectile_chunk::{Bpe, TokenCounter};
use tiktoken_rs::{cl100k_base_singleton, o200k_base_singleton};

fn check(text: &str) {
    let pairs = [
        (Bpe::cl100k_base(), cl100k_base_singleton()),
        (Bpe::o200k_base(), o200k_base_singleton()),
    ];
    for (counter, oracle) in pairs {
        let expected = oracle.encode_ordinary(text).len();
        assert_eq!(
            counter.count(text),
            expected,
            "{} of {text:?}",
            counter.name()
        );
    }
}

#[test]
fn counts_of_chosen_texts_are_those_of_the_oracle() {
    let long = "a".repeat(2000);
    let texts = [
        "",
        " ",
        "\n\n\n",
        "hello world",
        "<|endoftext|> <|im_start|>",
        "fn main() {\r\n\t1\n}",
        "It's don't WE'LL M'ſ",
        "3.14159 1234567",
        "你好，世界。",
        "приве́т",
        "👩‍🚀👩‍🚀",
        "a\u{300}\u{301}",
        "https://example.com/a?b=c&d=%20",
        "          indented",
        "trailing   \n  ",
        &long,
    ];
    texts.into_iter().for_each(check);
}

proptest! {
    #![proptest_config(crate::cases(2000))]

    #[test]
    fn counts_of_any_text_are_those_of_the_oracle(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn counts_of_wordlike_texts_are_those_of_the_oracle(
        text in "([a-zA-Z]{1,8}|[0-9]{1,5}|'s|'LL| |  |\n|\r\n|[.,;!?é中ß/]|\t){0,30}",
    ) {
        check(&text);
    }
}
