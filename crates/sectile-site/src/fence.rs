//! Code fences, so that what stands in them is told from what stands outside.

/// Follows the lines of a text.
#[derive(Debug, Default)]
pub(crate) struct Fence(Option<(u8, usize)>);

impl Fence {
    /// Takes the next line, and says whether it stands in a fence or is one.
    pub(crate) fn holds(&mut self, line: &str) -> bool {
        let text = line.trim_start_matches(' ');
        let is_indented = line.len() - text.len() > 3;
        let Some(mark @ (b'`' | b'~')) = text.bytes().next().filter(|_| !is_indented) else {
            return self.0.is_some();
        };
        let rest = text.trim_start_matches(char::from(mark));
        let length = text.len() - rest.len();
        match self.0 {
            None if length >= 3 && !(mark == b'`' && rest.contains('`')) => {
                self.0 = Some((mark, length));
                true
            }
            None => false,
            Some((open, least)) => {
                if mark == open && length >= least && rest.trim().is_empty() {
                    self.0 = None;
                }
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_goes_to_one_that_is_as_long_and_says_nothing() {
        let text = "a\n```rust\n# b\n~~~\n``` c\n````\nd\n    ```\n`` e\n```f`\n~~~\ng";
        let mut fence = Fence::default();
        let outside: Vec<_> = text.lines().filter(|line| !fence.holds(line)).collect();
        assert_eq!(outside, ["a", "d", "    ```", "`` e", "```f`"]);
    }
}
