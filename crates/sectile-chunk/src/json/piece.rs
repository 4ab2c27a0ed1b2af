//! An object that is written entry by entry.

use super::value::{Node, Written};

/// A part of an object: entries, each below the keys that lead to it.
#[derive(Default)]
pub(super) struct Piece<'v> {
    text: String,
    /// The size of the text.
    size: usize,
    /// The keys of the objects that are open, outermost first.
    open: Vec<&'v Written>,
    /// Whether the innermost open object has an entry.
    has_entry: bool,
}

impl<'v> Piece<'v> {
    /// Returns the size of the piece if it ended here.
    pub(super) fn size(&self) -> usize {
        // The braces of the whole, and one for each object that is open.
        self.size + 2 + self.open.len()
    }

    /// Adds a value under a path that ends with its key. Without a key, adds nothing.
    pub(super) fn add(&mut self, path: &[&'v Written], value: &Node) {
        let Some((key, above)) = path.split_last() else {
            return;
        };
        let shared = self.open.iter().zip(above).take_while(|(a, b)| a == b);
        let shared = shared.count();
        self.close_to(shared);
        for parent in &above[shared..] {
            self.key(parent);
            self.push("{", 1);
            self.open.push(parent);
            self.has_entry = false;
        }
        self.key(key);
        value.write(&mut self.text);
        self.size += value.size();
    }

    fn key(&mut self, key: &Written) {
        if self.has_entry {
            self.push(", ", 2);
        }
        self.push(&key.text, key.size);
        self.push(": ", 2);
        self.has_entry = true;
    }

    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.open.pop();
            self.push("}", 1);
            self.has_entry = true;
        }
    }

    fn push(&mut self, text: &str, size: usize) {
        self.text.push_str(text);
        self.size += size;
    }

    /// Returns the text of the piece, unless it is empty.
    pub(super) fn finish(mut self) -> Option<String> {
        self.close_to(0);
        (!self.text.is_empty()).then(|| format!("{{{}}}", self.text))
    }
}
