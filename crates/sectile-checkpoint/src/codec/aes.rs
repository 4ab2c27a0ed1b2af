//! Values encrypted with AES-256-GCM.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use aes_gcm::aead::{Aead as _, Generate as _, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm as Cipher, Nonce};

use super::{Codec, SEALED};
use crate::{Error, Result, TypedValue};

/// What stands in the kind of an encrypted value after [`SEALED`].
const NAME: &str = "aes256gcm:";

/// The bytes of a nonce, which stands before the encrypted bytes.
const NONCE: usize = 12;

/// The maximum number of bytes of a key's id.
const MAX_ID: usize = 64;

/// Encrypts values with AES-256-GCM (NIST SP 800-38D), each with a random nonce of 96 bits. The id
/// of the key and the kind of the value are not encrypted, but changes to them are detected.
///
/// To rotate keys, add the new one, which encrypts from then on, and keep the old ones as long as
/// there are checkpoints that they encrypted. A key should not encrypt more than 2³² values.
#[derive(Clone)]
pub struct Aes256Gcm {
    current: String,
    ciphers: BTreeMap<String, Arc<Cipher>>,
}

impl Aes256Gcm {
    /// Returns a codec with the key that encrypts, of 32 random bytes, and its id: 1 to 64 bytes
    /// without a colon.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] for another id.
    pub fn new(key_id: &str, key: &[u8; 32]) -> Result<Self> {
        let none = Self {
            current: key_id.into(),
            ciphers: BTreeMap::new(),
        };
        none.with_old_key(key_id, key)
    }

    /// Adds an earlier key, which only decrypts.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] for an id that no key can have.
    pub fn with_old_key(mut self, key_id: &str, key: &[u8; 32]) -> Result<Self> {
        if key_id.is_empty() || key_id.len() > MAX_ID || key_id.contains([':', '\0']) {
            return Err(Error::InvalidConfig {
                setting: "key_id",
                reason: format!("must have 1 to {MAX_ID} bytes without a colon, not `{key_id}`"),
            });
        }
        let cipher = Arc::new(Cipher::new(key.into()));
        let _ = self.ciphers.insert(key_id.into(), cipher);
        Ok(self)
    }

    fn cipher(&self, key_id: &str) -> Result<&Cipher> {
        let found = self.ciphers.get(key_id).map(|cipher| &**cipher);
        found.ok_or_else(|| Error::InvalidConfig {
            setting: "keys",
            reason: format!("have no `{key_id}`, with which a value was encrypted; add it"),
        })
    }
}

impl fmt::Debug for Aes256Gcm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Aes256Gcm")
            .field("current", &self.current)
            .field("key_ids", &self.ciphers.keys())
            .finish_non_exhaustive()
    }
}

impl Codec for Aes256Gcm {
    fn seal(&self, value: TypedValue) -> Result<TypedValue> {
        let kind = format!("{SEALED}{NAME}{}:{}", self.current, value.kind);
        let nonce = Nonce::generate();
        let payload = Payload {
            msg: &value.bytes,
            aad: kind.as_bytes(),
        };
        let encrypted = self.cipher(&self.current)?.encrypt(&nonce, payload);
        let encrypted = encrypted.map_err(|error| Error::Backend {
            doing: "encrypt a value",
            source: error.to_string().into(),
        })?;
        let mut bytes = nonce.to_vec();
        bytes.extend_from_slice(&encrypted);
        Ok(TypedValue::new(&kind, bytes))
    }

    fn open(&self, value: TypedValue) -> Result<TypedValue> {
        let name = value.kind.strip_prefix(SEALED);
        let Some(rest) = name.and_then(|name| name.strip_prefix(NAME)) else {
            return Ok(value);
        };
        let damaged = |reason: &str| Error::Corrupt {
            what: format!("an encrypted value of kind `{}` {reason}", value.kind),
        };
        let (key_id, kind) = rest
            .split_once(':')
            .ok_or_else(|| damaged("names no key"))?;
        let (nonce, msg) = value
            .bytes
            .split_first_chunk::<NONCE>()
            .ok_or_else(|| damaged("is too short"))?;
        let payload = Payload {
            msg,
            aad: value.kind.as_bytes(),
        };
        let opened = self.cipher(key_id)?.decrypt(&Nonce::from(*nonce), payload);
        let bytes = opened.map_err(|_| damaged("was changed, or the key is another"))?;
        Ok(TypedValue::new(kind, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value() -> TypedValue {
        TypedValue::new("x", *b"a secret")
    }

    #[test]
    fn what_is_encrypted_is_opened_by_its_key() {
        let old = Aes256Gcm::new("old", &[1; 32]).unwrap();
        let sealed = old.seal(value()).unwrap();
        assert_eq!(&*sealed.kind, "sealed:aes256gcm:old:x");
        assert_ne!(old.seal(value()).unwrap(), sealed);
        let new = Aes256Gcm::new("new", &[2; 32]).unwrap();
        let refused = new.open(sealed.clone()).unwrap_err().to_string();
        assert!(refused.contains("have no `old`"), "{refused}");
        let both = new.with_old_key("old", &[1; 32]).unwrap();
        assert_eq!(both.open(sealed).unwrap(), value());
        let sealed = both.seal(value()).unwrap();
        assert!(sealed.kind.contains(":new:"));
        assert_eq!(both.open(sealed).unwrap(), value());
    }

    #[test]
    fn no_changed_byte_or_kind_is_opened() {
        let codec = Aes256Gcm::new("a", &[1; 32]).unwrap();
        let sealed = codec.seal(value()).unwrap();
        for at in 0..sealed.bytes.len() {
            let mut bytes = sealed.bytes.to_vec();
            bytes[at] ^= 1;
            let refused = codec.open(TypedValue::new(&sealed.kind, bytes));
            assert!(matches!(refused, Err(Error::Corrupt { .. })), "{refused:?}");
        }
        for kind in [
            "sealed:aes256gcm:a:y",
            "sealed:aes256gcm:a",
            "sealed:aes256gcm:",
        ] {
            let refused = codec.open(TypedValue::new(kind, Arc::clone(&sealed.bytes)));
            assert!(matches!(refused, Err(Error::Corrupt { .. })), "{refused:?}");
        }
    }

    #[test]
    fn keys_are_not_shown() {
        let codec = Aes256Gcm::new("a", &[77; 32]).unwrap();
        let shown = format!("{codec:?}");
        assert!(shown.contains('a') && !shown.contains("77"), "{shown}");
        assert!(Aes256Gcm::new("a:b", &[1; 32]).is_err());
        assert!(Aes256Gcm::new("", &[1; 32]).is_err());
    }
}
