//! How many words a text has.

/// The first letter of scripts that write without spaces.
const WITHOUT_SPACES: char = '\u{2E80}';

/// Counts words; of scripts without spaces, two letters are one.
pub(super) fn count(text: &str) -> usize {
    let (mut words, mut letters, mut is_within) = (0, 0, false);
    for letter in text.chars() {
        if letter >= WITHOUT_SPACES && letter.is_alphanumeric() {
            letters += 1;
            is_within = false;
        } else if letter.is_whitespace() {
            is_within = false;
        } else if letter.is_alphanumeric() && !is_within {
            words += 1;
            is_within = true;
        }
    }
    words + usize::div_ceil(letters, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_letters() {
        assert_eq!(count(" one, two - isn't 3.5 \n"), 4);
        assert_eq!(count("漢字かな ABC"), 3);
        assert_eq!(count(" | "), 0);
    }
}
