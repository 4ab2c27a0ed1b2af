//! Code fences, to distinguish code from the text around it.

/// Follows the lines of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fence(Option<Open>);

/// A fence that is open.
#[derive(Clone, Debug)]
struct Open {
    mark: u8,
    length: usize,
    /// How far the item of a list is indented that it opens in.
    margin: usize,
}

/// A line that may open or close a fence.
struct Mark<'a> {
    byte: u8,
    length: usize,
    indent: usize,
    margin: usize,
    /// What follows the marks: the language, or nothing.
    rest: &'a str,
}

impl Fence {
    /// Takes the next line, and says whether it stands in a fence or is one.
    pub(crate) fn holds(&mut self, line: &str) -> bool {
        let Some(found) = mark(line) else {
            return self.is_open();
        };
        match &self.0 {
            None if found.opens() => {
                self.0 = Some(Open {
                    mark: found.byte,
                    length: found.length,
                    margin: found.margin,
                });
                true
            }
            None => false,
            Some(open) => {
                if found.closes(open) {
                    self.0 = None;
                }
                true
            }
        }
    }

    /// Returns whether a line could close the fence, or open the next one if it was closed before. What has fewer marks
    /// may be in it.
    pub(crate) fn is_closed_or_opened_by(&self, line: &str) -> bool {
        let found = self.0.as_ref().zip(mark(line));
        found.is_some_and(|(open, found)| {
            found.byte == open.mark && found.length >= open.length && found.opens()
        })
    }

    /// Returns whether the next line stands in a fence.
    pub(crate) const fn is_open(&self) -> bool {
        self.0.is_some()
    }
}

/// Returns whether a line may open or close a fence. All others leave it as it is.
pub(crate) fn is_mark(line: &str) -> bool {
    mark(line).is_some()
}

/// Returns whether a line names a language, so that it can open a fence and close none.
pub(crate) fn names_language(line: &str) -> bool {
    mark(line).is_some_and(|found| !found.rest.is_empty())
}

impl Mark<'_> {
    fn opens(&self) -> bool {
        self.indent <= 3 && !(self.byte == b'`' && self.rest.contains('`'))
    }

    fn closes(&self, open: &Open) -> bool {
        // One that follows on the marker of an item is the first line of that.
        self.margin == 0
            && self.indent <= open.margin + 3
            && self.byte == open.mark
            && self.length >= open.length
            && self.rest.is_empty()
    }
}

fn mark(line: &str) -> Option<Mark<'_>> {
    let outer = line.trim_start_matches(' ');
    let inner = without_markers(outer);
    let byte = inner
        .bytes()
        .next()
        .filter(|mark| matches!(mark, b'`' | b'~'))?;
    let rest = inner.trim_start_matches(char::from(byte));
    let length = inner.len() - rest.len();
    let is_item = inner.len() < outer.len();
    (length >= 3).then(|| Mark {
        byte,
        length,
        indent: line.len() - outer.len(),
        margin: if is_item { line.len() - inner.len() } else { 0 },
        rest: rest.trim(),
    })
}

/// Returns what follows on the markers of items of lists.
fn without_markers(mut line: &str) -> &str {
    loop {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest = match digits {
            0 => line.strip_prefix(['-', '*', '+']),
            _ => line[digits..].strip_prefix(['.', ')']),
        };
        match rest.filter(|rest| rest.starts_with(' ')) {
            Some(rest) => line = rest.trim_start_matches(' '),
            None => return line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outside(text: &str) -> Vec<&str> {
        let mut fence = Fence::default();
        text.lines().filter(|line| !fence.holds(line)).collect()
    }

    #[test]
    fn a_fence_goes_to_one_that_is_as_long_and_says_nothing() {
        let text = "a\n```rust\n# b\n~~~\n``` c\n````\nd\n    ```\n`` e\n```f`\n~~~\ng";
        assert_eq!(outside(text), ["a", "d", "    ```", "`` e", "```f`"]);
    }

    #[test]
    fn a_fence_may_begin_on_the_marker_of_an_item() {
        assert_eq!(outside("1. ```sh\n   # a\n   ```\nb"), ["b"]);
        assert_eq!(outside("- * ~~~\n    # a\n    ~~~\nb"), ["b"]);
        assert_eq!(outside("- ```\n- ```\n  ```\nb"), ["b"]);
        assert_eq!(outside("-```\n2 ```"), ["-```", "2 ```"]);
    }
}
