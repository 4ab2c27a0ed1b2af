//! Where the links of a page lead that says which address they begin from.

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::tree::Tree;

/// The elements that lead to an address, and the attributes that name it.
const LINKS: [(&str, &str); 3] = [("a", "href"), ("area", "href"), ("img", "src")];

/// Writes the relative links of a page with a `base` as they lead from it. A `base` that is relative makes them relative
/// to the page. Links to places in the page stay.
pub(super) fn resolve_links(tree: &Tree) {
    let mut bases = tree.elements.iter().filter(|one| one.tag() == "base");
    let Some(base) = bases.find_map(|base| base.attribute("href")) else {
        return;
    };
    let base = Base::new(&base);
    for element in &tree.elements {
        let link = LINKS.iter().find(|(tag, _)| *tag == element.tag());
        if let Some((_, name)) = link {
            rewrite(&element.node, name, &base);
        }
    }
}

fn rewrite(node: &Node, name: &str, base: &Base<'_>) {
    let NodeData::Element { attrs, .. } = &node.data else {
        return;
    };
    let mut attributes = attrs.borrow_mut();
    let link = attributes.iter_mut().find(|one| &*one.name.local == name);
    if let Some(link) = link
        && let Some(joined) = base.join(link.value.trim())
    {
        link.value = joined.into();
    }
}

/// An address that links begin from, in parts.
struct Base<'b> {
    /// The scheme and the host, where it names them.
    origin: &'b str,
    /// The path, without a query.
    path: &'b str,
}

impl<'b> Base<'b> {
    fn new(address: &'b str) -> Self {
        let address = &address[..address.find(['?', '#']).unwrap_or(address.len())];
        let host = address.find("//").map_or(0, |at| at + 2);
        let is_host = host > 0 && (host == 2 || has_scheme(address));
        let host = if is_host { host } else { 0 };
        let end = address[host..]
            .find('/')
            .map_or(address.len(), |at| host + at);
        let (origin, path) = address.split_at(if is_host { end } else { 0 });
        Self { origin, path }
    }

    /// Returns where a link leads; nothing for one that does not begin from here.
    fn join(&self, link: &str) -> Option<String> {
        let is_whole =
            link.is_empty() || link.starts_with('#') || link.starts_with("//") || has_scheme(link);
        if is_whole {
            return None;
        }
        if link.starts_with('/') {
            return (!self.origin.is_empty()).then(|| format!("{}{link}", self.origin));
        }
        if link.starts_with('?') {
            return Some(format!("{}{}{link}", self.origin, self.path));
        }
        let mut folder = &self.path[..self.path.rfind('/').map_or(0, |at| at + 1)];
        let mut link = link;
        loop {
            if let Some(rest) = link.strip_prefix("./") {
                link = rest;
            } else if let Some(rest) = link.strip_prefix("../")
                && let Some(above) = folder
                    .strip_suffix('/')
                    .filter(|above| !above.ends_with(".."))
                && let Some(at) = above.rfind('/')
            {
                (folder, link) = (&folder[..=at], rest);
            } else {
                break;
            }
        }
        let slash = if folder.is_empty() && !self.origin.is_empty() {
            "/"
        } else {
            ""
        };
        Some(format!("{}{slash}{folder}{link}", self.origin))
    }
}

/// Returns whether an address begins with a scheme, such as `https:` or `mailto:`.
fn has_scheme(address: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
    address.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(is_letter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_the_base() {
        for (base, link, expected) in [
            ("/other/", "a.html#b", Some("/other/a.html#b")),
            ("/other/x.html?y", "./a", Some("/other/a")),
            ("/other/", "/a", None),
            ("../up/", "../a", Some("../a")),
            ("../up/", "../../a", Some("../../a")),
            ("https://x.org", "a", Some("https://x.org/a")),
            ("https://x.org/b/c/", "../a", Some("https://x.org/b/a")),
            (
                "https://x.org/b/c/",
                "../../../a",
                Some("https://x.org/../a"),
            ),
            ("https://x.org/b/c?d", "?e", Some("https://x.org/b/c?e")),
            ("//x.org/b/", "/a", Some("//x.org/a")),
            ("/other/", "#a", None),
            ("/other/", "mailto:a@b.c", None),
            ("/other/", "//y.org/a", None),
            ("x", "a:b", None),
        ] {
            let joined = Base::new(base).join(link);
            assert_eq!(joined.as_deref(), expected, "{base} {link}");
        }
    }
}
