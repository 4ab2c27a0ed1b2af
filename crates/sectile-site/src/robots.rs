//! What a site asks programs to leave alone: robots.txt, by RFC 9309.

use std::time::Duration;

use memchr::memmem;
use url::Url;

/// The most characters of a line that count; no rule is longer than a URL.
const LONGEST_LINE: usize = 8 << 10;

/// The rules of a robots.txt for one program.
///
/// ```
/// use sectile_site::Robots;
///
/// let robots = Robots::parse("User-agent: *\nDisallow: /private/\n", "sectile");
/// assert!(robots.allows(&"https://example.org/guide".parse()?));
/// assert!(!robots.allows(&"https://example.org/private/x".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    rules: Vec<Rule>,
    delay: Option<Duration>,
    sitemaps: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    allows: bool,
    pattern: Vec<u8>,
}

/// The rules of the groups for some programs.
#[derive(Default)]
struct Group {
    is_there: bool,
    rules: Vec<Rule>,
    delay: Option<Duration>,
}

impl Group {
    fn add(&mut self, key: &str, value: &str) {
        match key {
            "allow" | "disallow" if !value.is_empty() => self.rules.push(Rule {
                allows: key == "allow",
                pattern: normalized(value.as_bytes()),
            }),
            "crawl-delay" => self.delay = self.delay.or_else(|| seconds(value)),
            _ => {}
        }
    }
}

impl Robots {
    /// Parses the rules for the user agent `agent`, or else those for all programs.
    pub fn parse(text: &str, agent: &str) -> Self {
        let mut sitemaps = Vec::new();
        let (mut ours, mut all) = (Group::default(), Group::default());
        let (mut is_ours, mut is_all, mut is_among_agents) = (false, false, false);
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        for (key, value) in text.split(['\n', '\r']).filter_map(record) {
            match key.as_str() {
                "user-agent" => {
                    if !is_among_agents {
                        (is_ours, is_all) = (false, false);
                    }
                    is_among_agents = true;
                    is_ours |= product(value).eq_ignore_ascii_case(agent);
                    is_all |= value == "*";
                    ours.is_there |= is_ours;
                }
                "sitemap" => sitemaps.push(value.to_owned()),
                "allow" | "disallow" | "crawl-delay" => {
                    is_among_agents = false;
                    if is_ours {
                        ours.add(&key, value);
                    }
                    if is_all {
                        all.add(&key, value);
                    }
                }
                _ => {}
            }
        }
        let Group { rules, delay, .. } = if ours.is_there { ours } else { all };
        Self {
            rules,
            delay,
            sitemaps,
        }
    }

    /// Returns whether the program may request a page. The longest rule that matches the path
    /// decides; of rules of equal length, the one that allows.
    pub fn allows(&self, url: &Url) -> bool {
        if url.path() == "/robots.txt" {
            return true;
        }
        let mut path = url.path().to_owned();
        if let Some(query) = url.query() {
            path.push('?');
            path.push_str(query);
        }
        let path = normalized(path.as_bytes());
        let fitting = self.rules.iter().filter(|rule| rule.fits(&path));
        let strongest = fitting.max_by_key(|rule| (rule.pattern.len(), rule.allows));
        strongest.is_none_or(|rule| rule.allows)
    }

    /// Returns the delay between two requests that the site asks for.
    pub const fn delay(&self) -> Option<Duration> {
        self.delay
    }

    /// Returns the addresses of sitemaps, as written.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }
}

impl Rule {
    /// Returns whether a path begins as the pattern says, where `*` stands for anything and a `$`
    /// at the end for the end of the path. What stands between two stars is looked for once, as
    /// early as it comes, so no pattern takes long.
    fn fits(&self, path: &[u8]) -> bool {
        let (pattern, is_to_end) = match self.pattern.strip_suffix(b"$") {
            Some(pattern) => (pattern, true),
            None => (&*self.pattern, false),
        };
        let mut parts = pattern.split(|&byte| byte == b'*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = path.strip_prefix(first) else {
            return false;
        };
        let parts: Vec<&[u8]> = parts.collect();
        let Some((last, middle)) = parts.split_last() else {
            return !is_to_end || rest.is_empty();
        };
        for part in middle {
            let Some(at) = memmem::find(rest, part) else {
                return false;
            };
            rest = &rest[at + part.len()..];
        }
        if is_to_end {
            rest.ends_with(last)
        } else {
            memmem::find(rest, last).is_some()
        }
    }
}

/// Reads a line: its key in lower case, and its value.
fn record(line: &str) -> Option<(String, &str)> {
    let end = line.floor_char_boundary(LONGEST_LINE);
    let line = line[..end].split('#').next().unwrap_or_default();
    let (key, value) = line.split_once(':')?;
    Some((key.trim().to_ascii_lowercase(), value.trim()))
}

/// Returns the name of a program without its version.
fn product(value: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '_');
    let end = value.find(|c| !is_part(c)).unwrap_or(value.len());
    &value[..end]
}

fn seconds(value: &str) -> Option<Duration> {
    let seconds: f64 = value.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Writes bytes that mean the same the same way, as section 2.2.2 says.
fn normalized(bytes: &[u8]) -> Vec<u8> {
    let mut written = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, escaped(after)) {
            (b'%', Some(byte)) => {
                rest = &after[2..];
                if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                    written.push(byte);
                } else {
                    escape(byte, &mut written);
                }
            }
            (byte, _) if byte.is_ascii_graphic() => written.push(*byte),
            (byte, _) => escape(*byte, &mut written),
        }
    }
    written
}

/// Reads the two digits of an escaped byte.
fn escaped(digits: &[u8]) -> Option<u8> {
    let digit = |index: usize| char::from(*digits.get(index)?).to_digit(16);
    Some((digit(0)? * 16 + digit(1)?) as u8)
}

fn escape(byte: u8, written: &mut Vec<u8>) {
    written.extend_from_slice(format!("%{byte:02X}").as_bytes());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(rules: &str, path: &str, expected: bool) {
        let robots = Robots::parse(rules, "sectile");
        let url = Url::parse("https://example.org")
            .unwrap()
            .join(path)
            .unwrap();
        assert_eq!(robots.allows(&url), expected, "{rules:?} of {path}");
    }

    #[test]
    fn the_longest_rule_decides_and_of_two_the_one_that_allows() {
        check("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true);
        check("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/c", false);
        check("User-agent: *\nDisallow: /a\nAllow: /a", "/a", true);
        check("User-agent: *\nDisallow:\n", "/a", true);
        check("", "/a", true);
        check("User-agent: *\nDisallow: /", "/robots.txt", true);
    }

    #[test]
    fn stars_and_ends_are_patterns() {
        check("User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", false);
        check("User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf?x", true);
        check("User-agent: *\nDisallow: /a*b*c", "/a1b2c3", false);
        check("User-agent: *\nDisallow: /a*b*c", "/a1c2b3", true);
        check("User-agent: *\nDisallow: *?print", "/x?print=1", false);
        check("User-agent: *\nDisallow: /a$", "/ab", true);
    }

    #[test]
    fn our_own_group_goes_before_that_for_all() {
        let rules = "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Sectile/2.0 (x)\n\
                     Crawl-delay: 1.5\nDisallow: /x\nUser-agent: last\nDisallow: /y";
        check(rules, "/a", true);
        check(rules, "/x", false);
        check(rules, "/y", true);
        let robots = Robots::parse(rules, "sectile");
        assert_eq!(robots.delay(), Some(Duration::from_millis(1500)));
        check(
            "User-agent: sectile\n\nUser-agent: *\nDisallow: /",
            "/a",
            false,
        );
        check(
            "User-agent: sectile\nAllow: /\n\nUser-agent: *\nDisallow: /",
            "/a",
            true,
        );
    }

    #[test]
    fn escapes_are_compared_by_what_they_mean() {
        check("User-agent: *\nDisallow: /caf\u{e9}", "/caf%C3%A9", false);
        check("User-agent: *\nDisallow: /%7euser", "/~user", false);
        check("User-agent: *\nDisallow: /a%2fb", "/a%2Fb", false);
        check("User-agent: *\nDisallow: /a%2fb", "/a/b", true);
        check("User-agent: *\nDisallow: /a%", "/a%", false);
    }

    #[test]
    fn other_records_do_not_end_a_group() {
        let rules = "\u{FEFF}Sitemap: https://a/s.xml\r\nUser-agent: x\rUnknown: 1\nSitemap: /t\n\
                     user-agent: SECTILE\nDISALLOW : /p # why\nnonsense\nDisallow: /q";
        check(rules, "/p", false);
        check(rules, "/q", false);
        let robots = Robots::parse(rules, "sectile");
        assert_eq!(robots.sitemaps(), ["https://a/s.xml", "/t"]);
        for delay in ["-1", "NaN", "inf", "1e300", "x"] {
            let robots = Robots::parse(&format!("User-agent: *\nCrawl-delay: {delay}"), "sectile");
            assert_eq!(robots.delay(), None, "{delay}");
        }
    }

    #[test]
    fn hostile_patterns_take_no_time() {
        let star = format!("User-agent: *\nDisallow: /{}b\n", "*a".repeat(4_000));
        let robots = Robots::parse(&star.repeat(60), "sectile");
        let url = Url::parse(&format!("https://example.org/{}", "a".repeat(8_000))).unwrap();
        assert!(robots.allows(&url));
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "\\PC*", path in "\\PC*") {
            let robots = Robots::parse(&text, "sectile");
            if let Ok(url) = Url::parse("https://example.org/").unwrap().join(&path) {
                robots.allows(&url);
            }
        }

        #[test]
        fn patterns_mean_what_they_mean_as_regular_expressions(
            pattern in "/[ab*]{0,6}\\$?",
            path in "/[ab]{0,6}",
        ) {
            let (start, end) = match pattern.strip_suffix('$') {
                Some(start) => (start, "$"),
                None => (&*pattern, ""),
            };
            let expression = format!("^{}{end}", start.replace('*', ".*"));
            let expected = regex::Regex::new(&expression).unwrap().is_match(&path);
            let rule = Rule { allows: false, pattern: pattern.clone().into_bytes() };
            prop_assert_eq!(rule.fits(path.as_bytes()), expected, "{} of {}", pattern, path);
        }
    }
}
