//! Messages as Apple Mail keeps them: a line with the number of bytes, the message, and a property list.

/// How long the line with the number is at most.
const LONGEST_LINE: usize = 24;

/// What the property list begins with.
const PROPERTIES: &[u8] = b"<?xml";

/// Returns the message in a file of Apple Mail.
pub(super) fn message(bytes: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(LONGEST_LINE)])?;
    let (line, rest) = (bytes[..end].trim_ascii(), &bytes[end + 1..]);
    let is_number = !line.is_empty() && line.iter().all(u8::is_ascii_digit);
    let length = std::str::from_utf8(line).ok().filter(|_| is_number)?;
    let (message, behind) = rest.split_at_checked(length.parse().ok()?)?;
    let behind = behind.trim_ascii_start();
    let is_whole = behind.is_empty() || behind.starts_with(PROPERTIES);
    (is_whole && begins_with_header(message)).then_some(message)
}

/// Returns whether a message begins with the name of a header.
fn begins_with_header(message: &[u8]) -> bool {
    let colon = message.iter().position(|&byte| byte == b':');
    let is_name = |name: &[u8]| name.iter().all(u8::is_ascii_graphic);
    colon.is_some_and(|colon| colon > 0 && is_name(&message[..colon]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_stands_between_its_length_and_the_properties() {
        let found = |text: &'static str| message(text.as_bytes());
        let whole = Some(&b"From: a\n\nb\n"[..]);
        assert_eq!(
            found("11      \nFrom: a\n\nb\n<?xml version=\"1.0\"?>"),
            whole
        );
        assert_eq!(found("11\nFrom: a\n\nb\n"), whole);
        assert_eq!(found("11\nFrom: a\n\nb\nmore"), None);
        assert_eq!(found("99\nFrom: a\n\nb\n"), None);
        assert_eq!(found("From: a\n\nb\n"), None);
        assert_eq!(found("11\nFrom a: b \n"), None);
    }
}
