//! What a web page says of itself to programs.

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};
use url::Url;

use crate::resolve::link;
use crate::{Body, Kind, USER_AGENT_TOKEN};

/// The most tokens that are looked at; a head is at the beginning.
const MOST_TOKENS: usize = 20_000;

/// The longest delay in seconds after which a page that redirects counts as a redirect only: a reader hardly
/// sees it.
const SOON: f64 = 5.0;

/// The names of directives that have a value after a colon, so that what stands before it is not a program.
const VALUED: [&str; 4] = [
    "max-image-preview",
    "max-snippet",
    "max-video-preview",
    "unavailable_after",
];

/// What the head of a page, and that of the answer that it came in, say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The address that the page names as its own.
    pub(crate) canonical: Option<Url>,
    pub(crate) title: String,
    /// Where the page sends browsers at once or nearly.
    pub(crate) leads_to: Option<Url>,
    /// Programs are asked not to index the page.
    pub(crate) is_noindex: bool,
    /// Programs are asked not to follow its links.
    pub(crate) is_nofollow: bool,
}

impl Head {
    /// Reads the head of a page; one that is not a web page has that of its answer alone.
    pub(crate) fn of(body: &Body) -> Self {
        let mut head = Self::default();
        for header in &body.robots {
            head.ask_in_header(header);
        }
        if body.kind() != Some(Kind::Html) {
            return head;
        }
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        let mut is_in_title = false;
        // What addresses are joined with, wherever the page says so.
        let (mut base, mut canonical, mut refresh) = (None, None, None);
        let tokens = Tokenizer::new_with_emitter(&*body.bytes, emitter).flatten();
        for token in tokens.take(MOST_TOKENS) {
            match token {
                Token::StartTag(tag) => match &**tag.name {
                    b"body" => break,
                    b"title" => is_in_title = head.title.is_empty(),
                    b"meta" => {
                        head.ask_in_meta(&tag);
                        refresh = refresh.or_else(|| refresh_of(&tag));
                    }
                    b"link" => canonical = canonical.or_else(|| canonical_of(&tag)),
                    b"base" => base = base.or_else(|| base_of(&tag, &body.url)),
                    _ => {}
                },
                Token::String(text) if is_in_title => {
                    let text = String::from_utf8_lossy(&text);
                    head.title = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    is_in_title = false;
                }
                Token::EndTag(tag) if &**tag.name == b"head" => break,
                _ => {}
            }
        }
        let at = base.as_ref().unwrap_or(&body.url);
        head.canonical = canonical.and_then(|address| without_fragment(at, &address));
        head.leads_to = refresh.and_then(|address| without_fragment(at, &address));
        head
    }

    fn ask_in_meta(&mut self, tag: &StartTag<()>) {
        let name = attribute(tag, "name").to_lowercase();
        if matches!(&*name, "robots" | USER_AGENT_TOKEN) {
            let content = attribute(tag, "content");
            content
                .split(',')
                .for_each(|directives| self.ask(directives));
        }
    }

    /// Takes directives for all programs, or for those that are named before them.
    fn ask_in_header(&mut self, header: &str) {
        let mut is_ours = true;
        for directive in header.split(',') {
            let named = directive.split_once(':').filter(|(name, _)| {
                let name = name.trim().to_lowercase();
                !VALUED.contains(&&*name)
            });
            let directive = named.map_or(directive, |(_, directive)| directive);
            if let Some((name, _)) = named {
                is_ours = name.trim().eq_ignore_ascii_case(USER_AGENT_TOKEN);
            }
            if is_ours {
                self.ask(directive);
            }
        }
    }

    /// Takes a directive; some sites write spaces between several.
    fn ask(&mut self, directives: &str) {
        for directive in directives.to_lowercase().split_whitespace() {
            self.is_noindex |= matches!(directive, "noindex" | "none");
            self.is_nofollow |= matches!(directive, "nofollow" | "none");
        }
    }
}

/// Returns what the page is joined with that a `base` element names.
fn base_of(tag: &StartTag<()>, at: &Url) -> Option<Url> {
    let address = attribute(tag, "href");
    link(at, address.trim()).filter(|_| !address.trim().is_empty())
}

fn canonical_of(tag: &StartTag<()>) -> Option<String> {
    let relations = attribute(tag, "rel").to_lowercase();
    if !relations.split_whitespace().any(|name| name == "canonical") {
        return None;
    }
    let address = attribute(tag, "href").trim().to_owned();
    Some(address).filter(|address| !address.is_empty())
}

/// Returns where a page leads that browsers leave by themselves: `<meta http-equiv="refresh" content="0; url=en/">`.
fn refresh_of(tag: &StartTag<()>) -> Option<String> {
    if !attribute(tag, "http-equiv").eq_ignore_ascii_case("refresh") {
        return None;
    }
    let content = attribute(tag, "content");
    let (delay, address) = content.split_once([';', ','])?;
    let delay: f64 = delay.trim().parse().ok()?;
    let address = address.trim();
    let named = address
        .get(..3)
        .filter(|name| name.eq_ignore_ascii_case("url"));
    let address = named.map_or(address, |_| {
        address[3..].trim_start().trim_start_matches('=')
    });
    let address = address.trim().trim_matches(['"', '\'']);
    (delay <= SOON && !address.is_empty()).then(|| address.to_owned())
}

/// Reads an address that a page names as that of a page.
fn without_fragment(at: &Url, address: &str) -> Option<Url> {
    let mut url = link(at, address)?;
    url.set_fragment(None);
    Some(url)
}

fn attribute(tag: &StartTag<()>, name: &str) -> String {
    let value = tag.attributes.get(&HtmlString(name.as_bytes().to_vec()));
    value.map_or_else(String::new, |value| {
        String::from_utf8_lossy(value).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Validators;

    fn head(html: &str, robots: &[&str]) -> Head {
        Head::of(&Body {
            url: Url::parse("https://x.org/a?utm=1").unwrap(),
            content_type: "text/html".to_owned(),
            validators: Validators::default(),
            robots: robots.iter().copied().map(str::to_owned).collect(),
            bytes: html.as_bytes().to_vec(),
        })
    }

    #[test]
    fn a_head_is_read_as_far_as_it_goes() {
        let head = head(
            "<!doctype html><!-- <meta name=robots content=noindex> --><TITLE> A &amp;\n B </TITLE>\
             <script>'<link rel=canonical href=/no>'</script><link rel='x Canonical' href='/a#b'>\
             <link rel=canonical href=/c></head><meta name=robots content=noindex>",
            &[],
        );
        assert_eq!(head.title, "A & B");
        assert_eq!(head.canonical.unwrap().as_str(), "https://x.org/a");
        assert!(!head.is_noindex && !head.is_nofollow);
    }

    #[test]
    fn a_page_that_sends_browsers_on_says_where_to() {
        let leads_to = |content: &str| {
            let html = format!("<meta http-equiv=Refresh content=\"{content}\">");
            head(&html, &[]).leads_to.map(String::from)
        };
        let to = |url: &str| Some(format!("https://x.org/{url}"));
        assert_eq!(leads_to("0; url=en/"), to("en/"));
        assert_eq!(leads_to("0;URL='/b#c'"), to("b"));
        assert_eq!(leads_to("1.5, index.html"), to("index.html"));
        // A page that is read for a while, or again.
        assert_eq!(leads_to("30; url=en/"), None);
        assert_eq!(leads_to("5"), None);
        assert_eq!(leads_to("0; url="), None);
    }

    #[test]
    fn addresses_are_joined_with_the_base_of_the_page() {
        let canonical = "<link rel=canonical href=a>";
        let refresh = "<meta http-equiv=refresh content='0; url=b'>";
        let base = "<base target=x><base href=' /docs/ '><base href=/no/>";
        for html in [
            format!("{base}{canonical}{refresh}"),
            format!("{canonical}{refresh}{base}"),
        ] {
            let head = head(&html, &[]);
            let canonical = head.canonical.map(String::from);
            assert_eq!(canonical.as_deref(), Some("https://x.org/docs/a"), "{html}");
            let leads_to = head.leads_to.map(String::from);
            assert_eq!(leads_to.as_deref(), Some("https://x.org/docs/b"), "{html}");
        }
    }

    #[test]
    fn what_programs_are_asked_is_asked_of_this_one() {
        let asked = |html: &str, robots: &[&str]| {
            let head = head(html, robots);
            (head.is_noindex, head.is_nofollow)
        };
        assert_eq!(
            asked("<meta name=ROBOTS content='NoIndex, follow'>", &[]),
            (true, false)
        );
        assert_eq!(asked("<meta name=sectile content=none>", &[]), (true, true));
        assert_eq!(
            asked("<meta name=googlebot content=none>", &[]),
            (false, false)
        );
        assert_eq!(
            asked("<meta name=robots content='noindex nofollow'>", &[]),
            (true, true)
        );
        assert_eq!(asked("", &["noindex"]), (true, false));
        assert_eq!(asked("", &["noindex nofollow"]), (true, true));
        assert_eq!(asked("", &["googlebot: noindex, nofollow"]), (false, false));
        assert_eq!(
            asked("", &["googlebot: noindex", "Sectile: nofollow"]),
            (false, true)
        );
        let until = ["unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow"];
        assert_eq!(asked("", &until), (false, true));
    }
}
