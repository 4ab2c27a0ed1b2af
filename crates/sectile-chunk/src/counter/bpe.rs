//! Counts of byte-pair vocabularies.

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use regex::Regex;
use tiktoken::CoreBpe;

use super::{TokenCounter, Tokenizer};

/// Counts the tokens of a byte-pair vocabulary exactly.
///
/// Text that looks like a special token, for example `<|endoftext|>`, counts as ordinary text. The
/// first count unpacks its vocabulary once per process, which takes about a tenth of a second.
/// Creating and copying a counter costs nothing.
#[derive(Clone, Copy)]
pub struct Bpe {
    name: &'static str,
    /// The bytes of each token; few are longer than fit, and they are asked for one by one.
    lengths: &'static OnceLock<Vec<u8>>,
}

static CL100K_LENGTHS: OnceLock<Vec<u8>> = OnceLock::new();
static O200K_LENGTHS: OnceLock<Vec<u8>> = OnceLock::new();
static R50K_LENGTHS: OnceLock<Vec<u8>> = OnceLock::new();

impl Bpe {
    /// Makes the counter of the vocabulary of GPT-4 and of the OpenAI embedding models.
    pub const fn cl100k_base() -> Self {
        Self {
            name: "cl100k_base",
            lengths: &CL100K_LENGTHS,
        }
    }

    /// Makes the counter of the vocabulary of GPT-4o and its successors.
    pub const fn o200k_base() -> Self {
        Self {
            name: "o200k_base",
            lengths: &O200K_LENGTHS,
        }
    }

    /// Makes the counter of the vocabulary of GPT-2 and GPT-3, which is `LangChain`'s default.
    pub const fn r50k_base() -> Self {
        Self {
            name: "r50k_base",
            lengths: &R50K_LENGTHS,
        }
    }

    /// Returns the vocabulary, unpacking it if this is the first use.
    fn encoding(self) -> &'static CoreBpe {
        let encoding = tiktoken::get_encoding(self.name);
        encoding.expect("the crate's features include the vocabularies")
    }

    /// Returns the bytes of each token, by its id.
    fn lengths(self) -> &'static [u8] {
        self.lengths.get_or_init(|| {
            let encoding = self.encoding();
            let tokens = u32::try_from(encoding.vocab_size()).unwrap_or(u32::MAX);
            let length = |token| u8::try_from(encoding.decode(&[token]).len()).unwrap_or(u8::MAX);
            (0..tokens).map(length).collect()
        })
    }
}

impl TokenCounter for Bpe {
    fn count(&self, text: &str) -> usize {
        self.encoding().count(text)
    }

    fn name(&self) -> &str {
        self.name
    }
}

impl Tokenizer for Bpe {
    fn token_ends(&self, text: &str) -> Vec<usize> {
        let (encoding, lengths) = (self.encoding(), self.lengths());
        let mut end = 0;
        let tokens = encoding.encode(text).into_iter();
        tokens
            .map(|token| {
                end += match lengths.get(token as usize) {
                    Some(&length) if length < u8::MAX => usize::from(length),
                    _ => encoding.decode(&[token]).len(),
                };
                end
            })
            .collect()
    }

    /// The vocabularies cut a text into pieces before they look for tokens. A piece ends between a
    /// letter and a character that is not a letter, mark or apostrophe (which begins a suffix as in
    /// `it's`), for their patterns match a letter only as the last of a run of letters, or before
    /// such a suffix.
    fn settled(&self, text: &str) -> usize {
        static LETTER: LazyLock<Regex> = LazyLock::new(|| compile(r"\p{L}"));
        static GOES_ON: LazyLock<Regex> = LazyLock::new(|| compile(r"[\p{L}\p{M}']"));
        let is = |class: &Regex, char: char| class.is_match(char.encode_utf8(&mut [0; 4]));
        let mut follower: Option<char> = None;
        for (start, char) in text.char_indices().rev() {
            let ends_word = follower.is_some_and(|follower| !is(&GOES_ON, follower));
            if ends_word && is(&LETTER, char) {
                return start + char.len_utf8();
            }
            follower = Some(char);
        }
        0
    }
}

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a valid regular expression")
}

impl fmt::Debug for Bpe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Bpe").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::counter::tests::check_ends;

    const ALL: [Bpe; 3] = [Bpe::cl100k_base(), Bpe::o200k_base(), Bpe::r50k_base()];

    #[test]
    fn special_token_text_is_ordinary_text() {
        for counter in ALL {
            assert!(counter.count("<|endoftext|>") > 1, "{counter:?}");
            assert_eq!(counter.count("hello world"), 2);
        }
    }

    #[test]
    fn tokens_longer_than_a_byte_counts_have_their_length() {
        // Runs of spaces and of dashes are the longest tokens.
        for text in [" ".repeat(2_000), "-".repeat(2_000), "a ".repeat(500)] {
            for counter in &ALL {
                check_ends(counter, &text);
            }
        }
    }

    /// Texts with the characters that the patterns tell apart.
    fn texts() -> impl Strategy<Value = String> {
        let parts = "[a-zA-Z]{1,6}|[0-9]{1,4}|'(s|S|ll|RE|ſ)|[ \t]{1,3}|\r?\n|[.,!/’'_-]|[é中ßǅʰ]|[\u{300}\u{93e}]|👩\u{200d}🚀";
        prop::collection::vec(parts, 0..30).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn settled_tokens_do_not_depend_on_what_follows(start in texts(), rest in texts()) {
            let text = format!("{start}{rest}");
            for counter in ALL {
                let settled = counter.settled(&start);
                let mut ends = counter.token_ends(&text[..settled]);
                prop_assert_eq!(ends.last().copied().unwrap_or(0), settled);
                let after = counter.token_ends(&text[settled..]);
                ends.extend(after.into_iter().map(|end| settled + end));
                prop_assert_eq!(ends, counter.token_ends(&text), "{:?} of {:?}", counter, text);
            }
        }

        #[test]
        fn tokens_end_at_the_end_of_the_text(text in any::<String>()) {
            for counter in &ALL {
                check_ends(counter, &text);
            }
        }
    }
}
