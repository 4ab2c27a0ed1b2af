//! What is damaged, deep or no source code at all.

use sectile_code::{Language, outline};

use super::samples::SAMPLES;

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn check(text: &str, language: Language) {
    let found = outline(text, language);
    let mut last = 0;
    for heading in &found.headings {
        let span = heading.span;
        assert!(text.get(span.start..span.end).is_some(), "{heading:?}");
        assert!(span.start >= last, "{heading:?}");
        assert!((1..=6).contains(&heading.level));
        last = span.start;
    }
}

#[test]
fn mutated_sources_have_outlines_within_the_text() {
    let mut numbers = Numbers(7);
    for round in 0..200 {
        let (language, text, _) = SAMPLES[round % SAMPLES.len()];
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..=numbers.below(8) {
            if characters.is_empty() {
                break;
            }
            let at = numbers.below(characters.len());
            match numbers.below(4) {
                0 => drop(characters.remove(at)),
                1 => characters.insert(at, ['{', '"', '\n', '\0', 'é'][numbers.below(5)]),
                2 => characters.truncate(at.max(1)),
                _ => {
                    let other = characters[numbers.below(characters.len())];
                    characters[at] = other;
                }
            }
        }
        check(&characters.into_iter().collect::<String>(), language);
    }
}

#[test]
fn nesting_without_end_is_walked() {
    for (language, part) in [
        (Language::Rust, "mod a {"),
        (Language::JavaScript, "["),
        (Language::Python, "if x:\n "),
        (Language::C, "("),
    ] {
        check(&part.repeat(5_000), language);
    }
}

#[test]
fn a_text_that_is_too_long_is_not_parsed() {
    let text = "def f():\n    pass\n".repeat(80_000);
    assert!(outline(&text, Language::Python).is_unparsed);
}

#[test]
fn definitions_on_one_long_line_are_found() {
    const COUNT: usize = 30_000;
    let blank = " ".repeat(200_000);
    let commented = format!("/* A comment. */{blank}\n\n");
    for (language, before, part) in [
        (Language::JavaScript, "", "function a(){}"),
        (Language::Rust, "@ ", "fn a(){}"),
        (Language::Java, &*blank, "class A{}"),
        (Language::C, "// A comment.\n", "void a(){}"),
        (Language::TypeScript, &*commented, "class A{}"),
    ] {
        let text = format!("{before}{}", part.repeat(COUNT));
        check(&text, language);
        let found = outline(&text, language).headings.len();
        assert!(found > COUNT / 2, "{language:?}: {found}");
    }
}
