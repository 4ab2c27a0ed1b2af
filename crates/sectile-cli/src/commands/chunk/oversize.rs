//! Chunks that are larger than the size, because no separator is in them.

use sectile::core::Chunk;

use crate::output;

/// Counts the chunks of a file that are larger than the size, where the separators that were typed allow for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Oversize<'a> {
    separators: &'a [String],
    size: usize,
    /// Whether sizes are in tokens, and not in characters.
    is_in_tokens: bool,
    chunks: usize,
    larger: usize,
    largest: usize,
}

impl<'a> Oversize<'a> {
    pub(super) const fn new(separators: &'a [String], size: usize, is_in_tokens: bool) -> Self {
        Self {
            separators,
            size,
            is_in_tokens,
            chunks: 0,
            larger: 0,
            largest: 0,
        }
    }

    pub(super) fn add(&mut self, chunk: &Chunk<'_>) {
        let size = if self.is_in_tokens {
            chunk.tokens.unwrap_or_default()
        } else {
            chunk.chars.len()
        };
        self.chunks += 1;
        self.larger += usize::from(size > self.size);
        self.largest = self.largest.max(size);
    }

    /// Says how many chunks are larger. The empty separator is between any two characters, so with it, and with the
    /// separators that are used unless others are typed, none is.
    pub(super) fn warn(&self, file: &str) {
        let has_empty = self.separators.iter().any(String::is_empty);
        if self.larger == 0 || self.separators.is_empty() || has_empty {
            return;
        }
        let unit = if self.is_in_tokens {
            "token"
        } else {
            "character"
        };
        output::warning(format_args!(
            "{} of {} of `{file}` exceed --size {}, the largest with {}, because no separator is in them; add \
             --separator '' to cut there between any characters{}",
            self.larger,
            output::count(self.chunks, "chunk"),
            self.size,
            output::count(self.largest, unit),
            self.about_escapes(),
        ));
    }

    /// Says that a shell passes `\n` as it is typed, if it was typed.
    fn about_escapes(&self) -> &'static str {
        let is_escaped =
            |separator: &String| separator.contains("\\n") || separator.contains("\\t");
        if self.separators.iter().any(is_escaped) {
            ". In a separator, \\n is a backslash and a letter; in bash, $'\\n' is a line break"
        } else {
            ""
        }
    }
}
