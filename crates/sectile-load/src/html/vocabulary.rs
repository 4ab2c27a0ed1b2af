//! Words in classes, ids and headings that tell the main part of a page from what stands around it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::kind::Kind;

/// How many names of a class are looked at.
const MAX_NAMES: usize = 50;

/// What the class and id of an element say of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Signal {
    #[default]
    None,
    /// The text of the page.
    Main,
    /// What leads into the text.
    Lead,
    /// Lines about the text: its author, date, tags.
    Detail,
    /// What one does with the text: buttons to share it, ways through the site.
    Tools,
    /// What stands beside the text: related articles, sidebars, advertisements.
    Beside,
    /// What leads into this text or another.
    Teaser,
    /// What readers wrote about the text.
    Comments,
    /// What covers the page: notices about cookies, windows to log in.
    Cover,
    /// What is not drawn.
    Hidden,
}

impl Signal {
    /// Returns whether what has this signal is usually not of the text.
    pub(super) fn is_beside_text(self) -> bool {
        self > Self::Lead
    }
}

/// Words of a class or id that say all.
#[rustfmt::skip]
const WORDS: [(Signal, &[&str]); 9] = [
    (Signal::Lead, &["abstract", "chapo", "dek", "description", "excerpt", "intro", "introduction", "introtext", "lead", "leadtext", "standfirst", "subheadline", "subtitle", "summary", "vorspann"]),
    (Signal::Main, &["articlebody", "articlecontent", "articletext", "bodytext", "entrycontent", "maincontent", "postbody", "postcontent", "storybody", "storytext"]),
    (Signal::Detail, &[
        "autor", "author", "authors", "authorbox", "avatar", "bio", "byline", "bylines", "categories", "category", "catlinks", "copyright", "credit", "credits", "date", "dateline", "disclaimer",
        "disclosure", "hashtags", "keywords", "kicker", "meta", "metadata", "metas", "postmeta", "postmetadata", "profile", "published", "rating", "ratings", "schlagworte", "stars", "tagcloud",
        "taglist", "tags", "timestamp", "topics", "wptag",
    ]),
    (Signal::Tools, &[
        "addthis", "addtoany", "breadcrumb", "breadcrumbs", "crumb", "crumbs", "donate", "edit", "follow", "noprint", "pager", "pagination", "paginator", "permalink", "print", "rrssb", "share",
        "sharebar", "sharedaddy", "sharelinks", "shares", "sharing", "shariff", "social", "socials", "socialmedia", "sociallinks", "sharethis", "toolbar", "tools", "vote", "votes", "voting",
    ]),
    (Signal::Beside, &[
        "ad", "ads", "adbox", "adsbygoogle", "adslot", "adspot", "advert", "advertisement", "advertising", "advertorial", "anzeige", "anzeigen",
        "authorinfo", "banner", "banners", "carousel", "colophon", "flyout", "foot", "footer", "footnav", "marketing",
        "masthead", "megamenu", "menu", "menus", "mostread", "nav", "navbar", "navbox", "nextpost", "nextstory", "navi", "navigation", "newsletter", "newsletters", "outbrain", "paywall",
        "partner", "partners", "popular", "promo", "promos", "promobox", "promotion", "rail", "recirc", "recirculation", "recommande", "recommend",
        "recommendation", "recommendations", "recommended", "related", "relatedposts", "relations", "secondary", "sidebar", "sidebars", "signup", "similar",
        "sitemap", "skip", "skyscraper", "sponsor", "sponsored", "sponsors", "subnav", "subscribe", "subscription", "suggestions", "taboola",
        "tertiary", "topbar", "topnav", "trending", "verwandte", "weather", "werbung", "widget", "widgets", "yarpp",
    ]),
    (Signal::Teaser, &["teaser", "teasers"]),
    (Signal::Comments, &["comment", "commentaire", "commentaires", "commentarea", "commentlist", "comments", "commentsection", "comentarios", "commenti", "disqus", "kommentar", "kommentare", "livefyre", "respond"]),
    (Signal::Cover, &["consent", "cookie", "cookiebar", "cookies", "dialog", "dsgvo", "gdpr", "lightbox", "login", "modal", "onetrust", "overlay", "popover", "popup", "popups", "tooltip"]),
    (Signal::Hidden, &["invisible", "offscreen", "tooltiptext"]),
];

/// Beginnings of such words.
#[rustfmt::skip]
const BEGINNINGS: [(Signal, &[&str]); 4] = [
    (Signal::Tools, &["breadcrumb", "socialshare"]),
    (Signal::Beside, &["advert", "mailchimp", "newsletter", "outbrain", "relatedpost", "sidebar", "taboola", "titlearea", "widget"]),
    (Signal::Comments, &["comment", "kommentar", "disqus"]),
    (Signal::Cover, &["cookie"]),
];

/// Words that say it when they stand behind each other.
#[rustfmt::skip]
const PAIRS: [(Signal, &[(&str, &str)]); 6] = [
    (Signal::Main, &[
        ("article", "body"), ("article", "content"), ("article", "text"), ("body", "text"), ("content", "body"), ("entry", "content"), ("main", "content"),
        ("page", "content"), ("post", "body"), ("post", "content"), ("post", "text"), ("story", "body"), ("story", "content"), ("text", "body"),
    ]),
    (Signal::Detail, &[
        ("about", "author"), ("article", "info"), ("author", "bio"), ("author", "box"), ("author", "info"), ("entry", "footer"),
        ("jp", "relatedposts"), ("post", "author"), ("post", "footer"), ("post", "info"), ("post", "tags"), ("tag", "cloud"), ("tag", "list"),
    ]),
    (Signal::Tools, &[("entry", "utility"), ("to", "top")]),
    (Signal::Beside, &[
        ("also", "like"), ("call", "action"), ("more", "articles"), ("more", "from"), ("more", "news"), ("more", "posts"), ("most", "read"), ("next", "article"), ("next", "post"), ("next", "prev"), ("next", "story"), ("prev", "post"), ("previous", "post"), ("post", "nav"), ("prev", "next"), ("read", "also"), ("read", "more"),
        ("right", "col"), ("right", "column"), ("side", "bar"), ("you", "may"), ("latest", "news"), ("latest", "posts"), ("recent", "posts"),
    ]),
    (Signal::Cover, &[("opt", "in"), ("sign", "in")]),
    (Signal::Hidden, &[("d", "none"), ("display", "none"), ("is", "hidden"), ("screen", "reader"), ("sr", "only"), ("tooltip", "content"), ("tooltip", "text"), ("visually", "hidden")]),
];

/// How the names of screens begin, as Tailwind writes them before a colon.
#[rustfmt::skip]
const SCREENS: [&str; 12] = [
    "2xl", "3xl", "desktop", "laptop", "lg", "max-", "md", "min-", "mobile", "sm", "tablet", "xl",
];

/// How an element is drawn that is not hidden.
#[rustfmt::skip]
const DISPLAYS: [&str; 14] = [
    "block", "contents", "flex", "flow-root", "grid", "inline", "inline-block", "inline-flex", "inline-grid", "list-item", "table",
    "table-cell", "table-row", "visible",
];

/// First words of classes that name what a page is about, or under which heading an element stands (`h2-related` of
/// Writerside), not what the element is.
#[rustfmt::skip]
const SUBJECTS: [&str; 9] = ["category", "h1", "h2", "h3", "h4", "h5", "h6", "tag", "tax"];

/// Words of classes that say how an element looks, as `text-secondary` of Bootstrap and `bg-tertiary-100` of Tailwind.
#[rustfmt::skip]
const LOOKS: [&str; 12] = ["bg", "border", "btn", "button", "color", "fg", "fill", "font", "headline", "label", "text", "title"];

/// Words that name a colour beside these, and a column of the page by themselves.
const TONES: [&str; 2] = ["secondary", "tertiary"];

/// What has facts of its own, such as its rating or its date, beside those of the page.
const OF_FACTS: [&str; 4] = ["event", "job", "product", "recipe"];

/// How the classes of comments in code begin (Scaladoc).
const COMMENTS_IN_CODE: [&str; 4] = ["cmt", "doccomment", "fullcomment", "shortcomment"];

/// Words that turn round what follows them.
const NOT: [&str; 7] = [
    "commented",
    "deprecation",
    "has",
    "no",
    "not",
    "with",
    "without",
];

/// What each word says.
static BY_WORD: LazyLock<HashMap<&str, Signal>> = LazyLock::new(|| by_name(&WORDS));

/// What two words say that stand behind each other.
static BY_PAIR: LazyLock<HashMap<(&str, &str), Signal>> = LazyLock::new(|| by_name(&PAIRS));

fn by_name<T: Copy + Eq + std::hash::Hash>(lists: &[(Signal, &[T])]) -> HashMap<T, Signal> {
    let names = lists
        .iter()
        .flat_map(|(signal, names)| names.iter().map(|name| (*name, *signal)));
    names.collect()
}

/// Tells what a class or id says.
pub(super) fn signal(names: &str) -> Signal {
    let names = || names.split_whitespace().take(MAX_NAMES);
    // Names with a colon, such as `md:block`, hold on some screens or states alone.
    let signals = names().filter(|name| !name.contains(':'));
    let signal = signals.map(|name| of_name(&words(name))).max();
    let signal = signal.unwrap_or_default();
    if signal == Signal::Hidden && names().any(is_shown_on_a_screen) {
        Signal::None
    } else {
        signal
    }
}

/// Returns whether a name shows an element on one screen that another name hides: `d-md-block` of Bootstrap,
/// `md:block` of Tailwind, `is-hidden-mobile` of Bulma.
fn is_shown_on_a_screen(name: &str) -> bool {
    let (screen, display) = name.split_once(':').unwrap_or(("", name));
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["d", .., display] => display != "none",
        ["is", "hidden", _, ..] => true,
        _ => SCREENS.iter().any(|begin| screen.starts_with(begin)) && DISPLAYS.contains(&display),
    }
}

fn of_name(words: &[String]) -> Signal {
    let is_about = words.len() > 1 && SUBJECTS.contains(&words[0].as_str());
    if is_about || words.iter().any(|word| NOT.contains(&word.as_str())) {
        return Signal::None;
    }
    if words == ["hidden"] {
        return Signal::Hidden;
    }
    // Elementor calls all parts of a page widgets.
    let is_elementor = words.first().is_some_and(|word| word == "elementor");
    let is_look = words.iter().any(|word| LOOKS.contains(&word.as_str()));
    let kept = words.iter().filter(|word| {
        let is_tone = is_look && TONES.contains(&word.as_str());
        !is_tone && (!is_elementor || *word != "widget")
    });
    let singles = kept.map(|word| of_word(word));
    let pairs = words
        .windows(2)
        .map(|pair| BY_PAIR.get(&(pair[0].as_str(), pair[1].as_str())));
    let pairs = pairs.map(|signal| signal.copied().unwrap_or_default());
    let signal = singles.chain(pairs).max().unwrap_or_default();
    let is_fact = |word: &String| OF_FACTS.contains(&word.as_str());
    if signal == Signal::Detail && words.iter().any(is_fact) {
        Signal::None
    } else {
        signal
    }
}

fn of_word(word: &str) -> Signal {
    if let Some(signal) = BY_WORD.get(word) {
        return *signal;
    }
    let begun = BEGINNINGS
        .iter()
        .find(|(_, begins)| begins.iter().any(|begin| word.starts_with(begin)));
    begun.map_or(Signal::None, |(signal, _)| *signal)
}

/// Words that tell what stands beside the text, by their beginnings.
#[rustfmt::skip]
const BESIDE: [(Kind, &[&str]); 4] = [
    (Kind::Navigation, &["meganav", "megamenu", "menu", "nav", "sitemap", "skip", "subnav", "topnav"]),
    (Kind::Footer, &["colophon", "foot"]),
    (Kind::Header, &["banner", "masthead", "topbar"]),
    (Kind::Related, &["also", "latest", "more", "most", "next", "outbrain", "popular", "prev", "recent", "recirc", "recomm", "relat", "similar", "suggest", "taboola", "trending", "verwandte", "yarpp"]),
];

/// Returns whether a class is that of a title which is not a heading element.
pub(super) fn is_title(class: &str) -> bool {
    let mut names = class.split_whitespace().take(MAX_NAMES);
    names.any(|name| {
        words(name)
            .last()
            .is_some_and(|word| word == "title" || word == "headline")
    })
}

/// Words that a class ends with which is that of the name of an author.
const AUTHORS: [&str; 5] = ["author", "authors", "autor", "byline", "bylines"];

/// Returns whether a class is that of the name of an author.
pub(super) fn is_author(class: &str) -> bool {
    let mut names = class.split_whitespace().take(MAX_NAMES);
    names.any(|name| {
        words(name)
            .last()
            .is_some_and(|word| AUTHORS.contains(&word.as_str()))
    })
}

/// Tells what a part beside the text is.
pub(super) fn kind(names: &str) -> Option<Kind> {
    let names = names.split_whitespace().take(MAX_NAMES);
    let words: Vec<String> = names.flat_map(words).collect();
    let is_said = |begin: &&str| words.iter().any(|word| word.starts_with(begin));
    let mut kinds = BESIDE.iter();
    let found = kinds.find(|(_, beginnings)| beginnings.iter().any(is_said));
    found.map(|(kind, _)| *kind)
}

/// Splits a name at marks and before capital letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (was_small && letter.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut()
            && letter.is_alphanumeric()
        {
            word.extend(letter.to_lowercase());
        }
        was_small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Parts of the classes of panels that tabs show.
const PANELS: [&str; 7] = [
    "tab-content",
    "tab-pane",
    "expand-content",
    "tabbed",
    "tabitem",
    "tabpanel",
    "tabs__item",
];

/// Words in the classes of notes in a text.
#[rustfmt::skip]
const NOTES: [&str; 17] = [
    "admonition", "alert", "callout", "caution", "danger", "endnotes", "footnote", "footnotes", "hint", "important", "infobox", "note", "onebox", "quote", "starlight", "tip", "warning",
];

/// Parts of the classes of buttons that unfold a text.
const ACCORDIONS: [&str; 5] = ["accordion", "collapsible", "expander", "faq", "question"];

/// Parts of the classes of links to the heading beside them.
const PERMALINKS: [&str; 5] = [
    "anchor",
    "hash-link",
    "headerlink",
    "heading-link",
    "permalink",
];

/// Titles of tables of contents, in small letters.
#[rustfmt::skip]
const CONTENTS: [&str; 20] = [
    "auf dieser seite", "contenido", "contents", "dans cette page", "en esta página", "in this article", "in this page", "indice", "inhalt", "inhaltsverzeichnis", "nesta página", "on this page", "page contents",
    "sommaire", "sumário", "table des matières", "table of contents", "содержание", "目次", "目录",
];

/// How a line begins that says which program made a page, in small letters.
const IMPRINTS: [&str; 6] = [
    "built with ",
    "created using ",
    "created with ",
    "generated by ",
    "generated with ",
    "made with ",
];

/// Programs that write documentation.
#[rustfmt::skip]
const GENERATORS: [&str; 33] = [
    "antora", "asciidoc", "bikeshed", "bookdown", "confluence", "docbook", "docfx", "docusaurus", "docutils", "doxygen", "exdoc", "gapdoc", "gitbook", "groovydoc", "gtk-doc", "javadoc", "latex2html", "latexml", "makeinfo", "mdbook", "mkdocs", "pandoc", "publican", "pydoctor", "quarto", "respec", "rustdoc",
    "sphinx", "tex4ht", "texi2any", "texi2html", "vitepress", "xml2rfc",
];

/// Classes that such programs write.
#[rustfmt::skip]
const CLASSES: [&str; 16] = [
    "Documentation-content", "docutils", "headertitle", "main-page-content", "markdown-body", "md-content", "memproto", "memberdecls", "mw-parser-output", "rst-content", "rustdoc", "sl-markdown-content", "sphinxsidebar", "theme-doc-markdown", "vp-doc", "docMainContainer",
];

/// Parts of the classes of one panel of several.
const ONE_PANEL: [&str; 5] = [
    "tab-pane",
    "tabbed-block",
    "tabitem",
    "tabpanel",
    "tabs__item",
];

/// Returns whether a class is that of one of the panels that tabs show.
pub(super) fn is_one_panel(class: &str) -> bool {
    let class = class.to_lowercase();
    ONE_PANEL.iter().any(|name| class.contains(name))
}

/// Returns whether a class is that of a panel that a tab shows.
pub(super) fn is_panel(class: &str) -> bool {
    let class = class.to_lowercase();
    PANELS.iter().any(|name| class.contains(name))
}

/// Returns whether a class is that of a field that shows code.
pub(super) fn is_code(class: &str) -> bool {
    class
        .split_whitespace()
        .any(|name| name.eq_ignore_ascii_case("code"))
}

/// Returns whether a class is that of text which readers pay for, as search engines want it marked.
pub(super) fn is_behind_paywall(class: &str) -> bool {
    let mut names = class.split_whitespace().take(MAX_NAMES);
    names.any(|name| name == "paywall")
}

/// Returns whether a class is that of a comment in code, which documentation is made of.
pub(super) fn is_comment_in_code(class: &str) -> bool {
    let mut names = class.split_whitespace().take(MAX_NAMES);
    names.any(|name| COMMENTS_IN_CODE.iter().any(|begin| name.starts_with(begin)))
}

/// Returns whether a class is that of a note in a text.
pub(super) fn is_note(class: &str) -> bool {
    let mut names = class.split_whitespace().take(MAX_NAMES);
    names.any(|name| {
        words(name)
            .iter()
            .any(|word| NOTES.contains(&word.as_str()))
    })
}

/// Returns whether a class is that of a button that unfolds a text.
pub(super) fn is_accordion(class: &str) -> bool {
    let class = class.to_lowercase();
    ACCORDIONS.iter().any(|name| class.contains(name))
}

/// Returns whether a class is that of a link to the heading beside it.
pub(super) fn is_permalink(class: &str) -> bool {
    PERMALINKS.iter().any(|name| class.contains(name))
}

/// Returns whether a program writes documentation.
pub(super) fn is_documentation_generator(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("starlight") || GENERATORS.iter().any(|generator| name.contains(generator))
}

/// Returns whether a class or id is that of a table of contents.
pub(super) fn is_contents(names: &str) -> bool {
    let mut names = names.split_whitespace().take(MAX_NAMES);
    names.any(|name| {
        let words = words(name);
        let is_pair = |pair: &[String]| pair[0] == "of" && pair[1] == "contents";
        words.windows(2).any(is_pair)
            || words
                .iter()
                .any(|word| matches!(word.as_str(), "tableofcontents" | "toc"))
    })
}

/// Returns whether a line is the title of a table of contents.
pub(super) fn is_title_of_contents(line: &str) -> bool {
    let line = line.to_lowercase();
    let line = line.trim_matches(|letter: char| !letter.is_alphanumeric());
    CONTENTS.contains(&line)
}

/// Returns whether a line tells which program made a page.
pub(super) fn is_imprint(line: &str) -> bool {
    let line = line.to_lowercase();
    IMPRINTS.iter().any(|begin| line.starts_with(begin))
}

/// Returns whether a class is one of documentation.
pub(super) fn is_documentation_class(class: &str) -> bool {
    let mut names = class.split_whitespace().take(MAX_NAMES);
    names.any(|name| CLASSES.contains(&name))
}
