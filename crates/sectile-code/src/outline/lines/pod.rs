//! Headings in the documentation of Perl.

/// How many brackets of a formatting code are told apart.
const MOST_BRACKETS: usize = 8;

/// Reads a line such as `=head2 C<add>`: returns the level and the title.
pub(super) fn heading(line: &str) -> Option<(u8, String)> {
    let rest = line.strip_prefix("=head")?;
    let digit = rest.chars().next()?.to_digit(10)?;
    let level = u8::try_from(digit).ok()?;
    let title = &rest[1..];
    let is_apart = title.starts_with(char::is_whitespace);
    let title = without_codes(title.trim());
    ((1..=6).contains(&level) && is_apart && !title.is_empty()).then_some((level, title))
}

/// A formatting code: `C<add>`, `B<< a > b >>`.
struct Code {
    letter: char,
    brackets: usize,
    /// Where its text begins in what is written.
    start: usize,
}

impl Code {
    /// Reads the beginning of a code.
    fn opened(rest: &str, start: usize) -> Option<Self> {
        let letter = rest.chars().next().filter(char::is_ascii_uppercase)?;
        let brackets = rest[1..].bytes().take_while(|byte| *byte == b'<').count();
        let inner = &rest[1 + brackets..];
        let is_apart = inner.starts_with(char::is_whitespace) && brackets <= MOST_BRACKETS;
        (brackets > 0).then_some(Self {
            letter,
            brackets: if is_apart { brackets } else { 1 },
            start,
        })
    }

    fn is_closed(&self, rest: &str) -> bool {
        let brackets = rest.bytes().take_while(|byte| *byte == b'>');
        brackets.take(self.brackets).count() == self.brackets
    }

    /// Writes what a reader sees of a code in the place of its text.
    fn close(&self, written: &mut String) {
        let text = written.split_off(self.start);
        let shown = match self.letter {
            'E' => match &*text {
                "amp" => "&",
                "gt" => ">",
                "lt" => "<",
                "quot" => "\"",
                "sol" => "/",
                "verbar" => "|",
                other => other,
            },
            'L' => text.split('|').next().unwrap_or_default(),
            'X' | 'Z' => "",
            _ => &text,
        };
        written.push_str(shown);
    }
}

/// Returns a text without its formatting codes.
fn without_codes(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut around: Vec<Code> = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some(code) = Code::opened(rest, written.len()) {
            at += 1 + code.brackets;
            around.push(code);
        } else if let Some(code) = around.pop_if(|code| code.is_closed(rest)) {
            at += code.brackets;
            code.close(&mut written);
        } else {
            at += letter.len_utf8();
            written.push(letter);
        }
    }
    written.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_no_formatting_codes() {
        let title = |line: &str| heading(line).map(|(_, title)| title);
        for (line, expected) in [
            ("=head1 NAME\r\n", "NAME"),
            ("=head2 C<add>, B<I<all>>", "add, all"),
            ("=head2 C<< $a->b > 1 >>", "$a->b > 1"),
            ("=head2 $a->add(L<Cart|Shop::Cart>)", "$a->add(Cart)"),
            ("=head3 E<lt>b>X<bold> x", "<b> x"),
            ("=head4 A<B", "B"),
        ] {
            assert_eq!(title(line).as_deref(), Some(expected), "{line}");
        }
        for line in [
            "=head",
            "=head1",
            "=head1NAME",
            "=head0 a",
            "=headé a",
            "=item a",
        ] {
            assert_eq!(title(line), None, "{line}");
        }
        assert_eq!(heading("=head6 a"), Some((6, "a".to_owned())));
    }

    #[test]
    fn any_title_is_read_in_linear_time() {
        for part in ["<", ">", "A<", "A<< ", "A>", "é"] {
            heading(&format!("=head1 {}", part.repeat(100_000)));
        }
        let many = format!("=head1 A{} {}", "<".repeat(50_000), ">".repeat(50_000));
        assert!(heading(&many).is_some());
    }
}
