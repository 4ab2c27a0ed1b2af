//! Addresses of this site, with what users and documents say in them encoded.

use std::fmt::{Display, Write as _};

use maud::Render;

/// A path of this site with its query.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    text: String,
    has_query: bool,
}

impl Address {
    /// Begins the address of a page.
    pub(crate) fn new(path: &str) -> Self {
        Self {
            text: path.to_owned(),
            has_query: false,
        }
    }

    /// Adds a parameter.
    pub(crate) fn with(mut self, name: &str, value: impl Display) -> Self {
        self.text.push(if self.has_query { '&' } else { '?' });
        self.has_query = true;
        self.text.push_str(name);
        self.text.push('=');
        encode(&value.to_string(), &mut self.text);
        self
    }

    /// Adds a parameter that says something.
    pub(crate) fn with_some(self, name: &str, value: Option<impl Display>) -> Self {
        match value.map(|value| value.to_string()) {
            Some(value) if !value.is_empty() => self.with(name, value),
            _ => self,
        }
    }

    /// Names a place on the page.
    pub(crate) fn at(mut self, place: &str) -> Self {
        self.text.push('#');
        encode(place, &mut self.text);
        self
    }
}

impl Render for Address {
    fn render_to(&self, buffer: &mut String) {
        self.text.render_to(buffer);
    }
}

/// Writes characters other than letters and digits as `%XX`, except those that keep a query
/// readable.
fn encode(text: &str, encoded: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                encoded.push(char::from(byte));
            }
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
}

/// Returns a document's address if a browser may be sent there: on the web, and never to a script.
pub(crate) fn web_link(uri: &str) -> Option<&str> {
    let is_web = |scheme| {
        let start = uri.get(..str::len(scheme));
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    ["https://", "http://"]
        .into_iter()
        .any(is_web)
        .then_some(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_parameter_says_cannot_end_it() {
        let address = Address::new("/document")
            .with("uri", "file:///a b/ü&x=1#?.md")
            .with_some("q", Some(""))
            .with_some("at", Some(3))
            .at("c 1");
        let expected = "/document?uri=file:///a%20b/%C3%BC%26x%3D1%23%3F.md&amp;at=3#c%201";
        assert_eq!(address.render().into_string(), expected);
    }

    #[test]
    fn only_the_web_is_linked() {
        assert!(web_link("https://example.org/a").is_some());
        assert!(web_link("HTTP://example.org").is_some());
        for uri in [
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc",
            "ü",
        ] {
            assert_eq!(web_link(uri), None, "{uri}");
        }
    }
}
