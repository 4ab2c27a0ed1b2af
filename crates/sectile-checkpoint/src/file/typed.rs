//! Values of any kind as JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};

use crate::TypedValue;

/// A value of any kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Typed {
    /// The kind, and the bytes in base64.
    Bytes(String, String),
    /// The kind, and the bytes as the text that they are.
    Text {
        /// The kind.
        kind: String,
        /// The text.
        text: String,
    },
}

impl Typed {
    /// Writes a value so that people can read it, if its bytes are text.
    pub(super) fn of(value: &TypedValue) -> Self {
        match readable(&value.bytes) {
            Some(text) => Self::Text {
                kind: value.kind.as_ref().into(),
                text: text.into(),
            },
            None => Self::in_base64(value),
        }
    }

    /// Writes a value in base64, which the first release reads, too.
    pub(super) fn in_base64(value: &TypedValue) -> Self {
        Self::Bytes(value.kind.as_ref().into(), BASE64.encode(&value.bytes))
    }

    /// Returns the value; nothing for bytes that are not base64.
    pub(super) fn into_value(self) -> Option<TypedValue> {
        match self {
            Self::Bytes(kind, base64) => {
                let bytes = BASE64.decode(base64).ok()?;
                Some(TypedValue::new(&kind, bytes))
            }
            Self::Text { kind, text } => Some(TypedValue::new(&kind, text.into_bytes())),
        }
    }
}

/// Returns bytes as text without control characters, which take six bytes each in JSON.
fn readable(bytes: &[u8]) -> Option<&str> {
    let is_readable = |byte: &u8| *byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r');
    let text = std::str::from_utf8(bytes).ok()?;
    bytes.iter().all(is_readable).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_can_be_read_and_bytes_are_in_base64() {
        for (bytes, written) in [
            (&b"{\"a\":1}\n"[..], r#"{"kind":"x","text":"{\"a\":1}\n"}"#),
            (&b""[..], r#"{"kind":"x","text":""}"#),
            ("é".as_bytes(), r#"{"kind":"x","text":"é"}"#),
            (&b"\0\x01"[..], r#"["x","AAE="]"#),
            (&b"\xff\xfe"[..], r#"["x","//4="]"#),
        ] {
            let value = TypedValue::new("x", bytes);
            assert_eq!(serde_json::to_string(&Typed::of(&value)).unwrap(), written);
            let in_base64 = serde_json::to_string(&Typed::in_base64(&value)).unwrap();
            for written in [written, &in_base64] {
                let read: Typed = serde_json::from_str(written).unwrap();
                assert_eq!(read.into_value(), Some(value.clone()));
            }
        }
        assert_eq!(Typed::Bytes("x".into(), "!".into()).into_value(), None);
    }
}
