//! What stands around the holes of JSON text, as a template.

use sectile_checkpoint::pieces::Split;

use super::code::{Reader, Writer};

/// Writes what stands around the holes.
pub(crate) fn encode_template(split: &Split<'_>) -> Vec<u8> {
    let mut to = Writer::default();
    for part in &split.around {
        to.bytes(part.as_bytes());
    }
    to.0
}

/// Reads a template: what stands before, between and after the holes.
pub(crate) fn decode_template(bytes: &[u8]) -> Option<Vec<&str>> {
    let mut from = Reader(bytes);
    let mut around = Vec::new();
    while !from.is_at_end() {
        around.push(std::str::from_utf8(from.bytes()?).ok()?);
    }
    Some(around)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_read_as_it_was_written() {
        let long = format!("\"{}\"", "é".repeat(300));
        for text in [
            String::new(),
            "1".into(),
            format!("{{\"a\" : [ {long} , {long} , {long} ] , \"b\":{long}}}"),
        ] {
            let split = Split::new(&text);
            let template = encode_template(&split);
            assert_eq!(decode_template(&template).unwrap(), split.around);
        }
    }
}
