//! Made-up documentation, the same on every machine, for when no real texts are at hand.

use std::fmt::Write as _;

/// Words of documentation, so that questions find something; rarer ones are made of syllables.
const WORDS: &[&str] = &[
    "the",
    "a",
    "of",
    "to",
    "is",
    "in",
    "and",
    "for",
    "file",
    "state",
    "value",
    "function",
    "when",
    "component",
    "read",
    "with",
    "error",
    "effect",
    "node",
    "data",
    "render",
    "this",
    "that",
    "use",
    "index",
    "chunk",
    "return",
    "type",
    "list",
    "call",
    "transaction",
    "graph",
    "memory",
    "hook",
    "store",
    "network",
    "contract",
    "account",
    "deploy",
    "configure",
    "query",
    "search",
    "thread",
    "read_chunks",
    "useState",
    "chunk_size",
    "検索する文書",
    "東京の天気",
];

const SYLLABLES: &[&str] = &[
    "ba", "co", "di", "fe", "gu", "ka", "lo", "mi", "ne", "pra", "que", "ro", "sta", "tri", "ul",
    "ven", "wo", "xi", "yar", "zen",
];

/// How many made-up words there are besides the real ones.
const RARE_WORDS: u64 = 8_000;

/// Writes a Markdown document of at least `bytes` bytes and little more, with a title, sections
/// two levels deep, lists and code. Another `seed` gives another document.
pub fn document(seed: u64, bytes: usize) -> String {
    let mut writer = Writer::new(seed);
    writer.heading(1);
    writer.paragraph();
    while writer.text.len() < bytes {
        let level = 2 + usize::from(!writer.numbers.one_in(3));
        writer.heading(level);
        writer.body(bytes);
    }
    writer.text
}

/// Knuth's linear congruential generator (MMIX).
struct Numbers(u64);

impl Numbers {
    /// Returns a number below `limit`.
    fn below(&mut self, limit: u64) -> u64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        // The low bits of such a generator repeat soon.
        (self.0 >> 33) % limit
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}

struct Writer {
    text: String,
    numbers: Numbers,
}

impl Writer {
    fn new(seed: u64) -> Self {
        let numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Self {
            text: String::new(),
            numbers,
        }
    }

    fn heading(&mut self, level: usize) {
        self.text.push_str(&"#".repeat(level));
        self.text.push(' ');
        let words = 2 + self.numbers.below(4);
        self.words(words);
        self.text.push_str("\n\n");
    }

    fn body(&mut self, bytes: usize) {
        let blocks = 1 + self.numbers.below(4);
        for _ in 0..blocks {
            match self.numbers.below(6) {
                _ if self.text.len() >= bytes => return,
                0 => self.list(),
                1 => self.code(),
                _ => self.paragraph(),
            }
        }
    }

    fn paragraph(&mut self) {
        for _ in 0..2 + self.numbers.below(4) {
            let words = 6 + self.numbers.below(16);
            self.words(words);
            self.text.push_str(". ");
        }
        self.text.push_str("\n\n");
    }

    fn list(&mut self) {
        for _ in 0..3 + self.numbers.below(5) {
            self.text.push_str("- ");
            let words = 4 + self.numbers.below(8);
            self.words(words);
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    fn code(&mut self) {
        self.text.push_str("```js\n");
        for line in 0..3 + self.numbers.below(8) {
            let _ = write!(self.text, "const v{line} = ");
            self.word();
            self.text.push('(');
            self.word();
            self.text.push_str("); # not a heading\n");
        }
        self.text.push_str("```\n\n");
    }

    fn words(&mut self, count: u64) {
        for index in 0..count {
            if index > 0 {
                self.text.push(' ');
            }
            self.word();
        }
    }

    /// Writes a word; as in real text, few words are most of it.
    fn word(&mut self) {
        if self.numbers.one_in(4) {
            self.rare_word();
            return;
        }
        let common = WORDS.len() as u64;
        let place = self.numbers.below(common).min(self.numbers.below(common));
        self.text.push_str(WORDS[place as usize]);
    }

    fn rare_word(&mut self) {
        let mut rest = self
            .numbers
            .below(RARE_WORDS)
            .min(self.numbers.below(RARE_WORDS));
        let count = SYLLABLES.len() as u64;
        for _ in 0..3 {
            self.text.push_str(SYLLABLES[(rest % count) as usize]);
            rest /= count;
        }
    }
}

#[cfg(test)]
mod tests {
    use sectile::chunk::markdown_outline;

    use super::*;

    #[test]
    fn a_seed_gives_one_document_and_another_seed_another() {
        assert_eq!(document(1, 10_000), document(1, 10_000));
        assert_ne!(document(1, 10_000), document(2, 10_000));
    }

    #[test]
    fn a_document_is_little_larger_than_asked_for() {
        for bytes in [0, 1_000, 100_000] {
            let length = document(3, bytes).len();
            assert!(
                (bytes..bytes + 4_000).contains(&length),
                "{length} for {bytes}"
            );
        }
    }

    #[test]
    fn headings_of_three_levels_stand_every_few_paragraphs() {
        let outline = markdown_outline(&document(4, 100_000));
        let of_level = |level| {
            outline
                .iter()
                .filter(|heading| heading.level == level)
                .count()
        };
        assert_eq!(of_level(1), 1);
        assert!(
            of_level(2) > 20 && of_level(3) > of_level(2),
            "{}",
            outline.len()
        );
        assert!((60..400).contains(&outline.len()), "{}", outline.len());
    }
}
