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
    /// Lines about the text: its tags, date, buttons to share it.
    Detail,
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

/// Words of a class or id that say all.
#[rustfmt::skip]
const WORDS: [(Signal, &[&str]); 8] = [
    (Signal::Lead, &["abstract", "chapo", "dek", "description", "excerpt", "intro", "introduction", "introtext", "lead", "leadtext", "standfirst", "subheadline", "subtitle", "summary", "vorspann"]),
    (Signal::Main, &["articlebody", "articlecontent", "articletext", "bodytext", "entrycontent", "maincontent", "postbody", "postcontent", "storybody", "storytext"]),
    (Signal::Detail, &[
        "addthis", "addtoany", "autor", "author", "authors", "authorbox", "avatar", "bio", "breadcrumb", "breadcrumbs", "byline", "bylines",
        "categories", "category", "catlinks", "copyright", "credit", "credits", "crumb", "crumbs", "date", "dateline", "disclaimer", "disclosure", "donate", "edit",
        "follow", "hashtags", "keywords", "kicker", "meta", "metadata", "metas", "noprint", "pager", "pagination", "paginator",
        "permalink", "postmeta", "postmetadata", "print", "profile", "published", "rating", "ratings", "rrssb", "schlagworte", "share", "sharebar", "sharedaddy",
        "sharelinks", "shares", "sharing", "shariff", "social", "socials", "socialmedia", "sociallinks", "sharethis", "stars", "tagcloud", "taglist", "tags", "timestamp",
        "toolbar", "tools", "topics", "vote", "votes", "voting", "wptag",
    ]),
    (Signal::Beside, &[
        "ad", "ads", "adbox", "adsbygoogle", "adslot", "adspot", "advert", "advertisement", "advertising", "advertorial", "anzeige", "anzeigen",
        "authorinfo", "banner", "banners", "carousel", "colophon", "flyout", "foot", "footer", "footnav", "marketing",
        "masthead", "megamenu", "menu", "menus", "mostread", "nav", "navbar", "nextpost", "nextstory", "navi", "navigation", "newsletter", "newsletters", "outbrain", "paywall",
        "partner", "partners", "popular", "promo", "promos", "promobox", "promotion", "rail", "recirc", "recirculation", "recommande", "recommend",
        "recommendation", "recommendations", "recommended", "related", "relatedposts", "relations", "secondary", "sidebar", "sidebars", "signup", "similar",
        "sitemap", "skip", "skyscraper", "sponsor", "sponsored", "sponsors", "subnav", "subscribe", "subscription", "suggestions", "taboola",
        "tertiary", "topbar", "topnav", "trending", "verwandte", "weather", "werbung", "widget", "widgets", "yarpp",
    ]),
    (Signal::Teaser, &["teaser", "teasers"]),
    (Signal::Comments, &["comment", "commentaire", "commentaires", "commentarea", "commentlist", "comments", "commentsection", "comentarios", "commenti", "disqus", "kommentar", "kommentare", "livefyre", "respond"]),
    (Signal::Cover, &["consent", "cookie", "cookiebar", "cookies", "dialog", "dsgvo", "gdpr", "lightbox", "login", "modal", "onetrust", "overlay", "popover", "popup", "popups", "tooltip"]),
    (Signal::Hidden, &["invisible", "offscreen"]),
];

/// Beginnings of such words.
#[rustfmt::skip]
const BEGINNINGS: [(Signal, &[&str]); 4] = [
    (Signal::Detail, &["breadcrumb", "socialshare"]),
    (Signal::Beside, &["advert", "mailchimp", "newsletter", "outbrain", "relatedpost", "sidebar", "taboola", "widget"]),
    (Signal::Comments, &["comment", "kommentar", "disqus"]),
    (Signal::Cover, &["cookie"]),
];

/// Words that say it when they stand behind each other.
#[rustfmt::skip]
const PAIRS: [(Signal, &[(&str, &str)]); 5] = [
    (Signal::Main, &[
        ("article", "body"), ("article", "content"), ("article", "text"), ("body", "text"), ("content", "body"), ("entry", "content"), ("main", "content"),
        ("page", "content"), ("post", "body"), ("post", "content"), ("post", "text"), ("story", "body"), ("story", "content"), ("text", "body"),
    ]),
    (Signal::Detail, &[
        ("about", "author"), ("article", "info"), ("author", "bio"), ("author", "box"), ("author", "info"), ("entry", "footer"), ("entry", "utility"),
        ("jp", "relatedposts"), ("post", "author"), ("post", "footer"), ("post", "info"), ("post", "tags"), ("tag", "cloud"), ("tag", "list"), ("to", "top"),
    ]),
    (Signal::Beside, &[
        ("also", "like"), ("call", "action"), ("more", "articles"), ("more", "from"), ("more", "news"), ("more", "posts"), ("most", "read"), ("next", "article"), ("next", "post"), ("next", "prev"), ("next", "story"), ("prev", "post"), ("previous", "post"), ("post", "nav"), ("prev", "next"), ("read", "also"), ("read", "more"),
        ("right", "col"), ("right", "column"), ("side", "bar"), ("you", "may"), ("latest", "news"), ("latest", "posts"), ("recent", "posts"),
    ]),
    (Signal::Cover, &[("opt", "in"), ("sign", "in")]),
    (Signal::Hidden, &[("d", "none"), ("display", "none"), ("is", "hidden"), ("screen", "reader"), ("sr", "only"), ("visually", "hidden")]),
];

/// First words of classes that name what a page is about, not what the element is.
const SUBJECTS: [&str; 3] = ["category", "tag", "tax"];

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
    let names = names.split_whitespace().take(MAX_NAMES);
    let names: Vec<Vec<String>> = names.map(words).collect();
    // Bootstrap hides an element on one screen to show it on another.
    let is_shown = |words: &Vec<String>| {
        words.first().is_some_and(|word| word == "d")
            && words.last().is_some_and(|word| word != "none")
    };
    let signals = names.iter().map(|words| of_name(words));
    let signal = signals.max().unwrap_or_default();
    if signal == Signal::Hidden && names.iter().any(is_shown) {
        Signal::None
    } else {
        signal
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
    let kept = words
        .iter()
        .filter(|word| !is_elementor || *word != "widget");
    let singles = kept.map(|word| of_word(word));
    let pairs = words
        .windows(2)
        .map(|pair| BY_PAIR.get(&(pair[0].as_str(), pair[1].as_str())));
    let pairs = pairs.map(|signal| signal.copied().unwrap_or_default());
    singles.chain(pairs).max().unwrap_or_default()
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
const NOTES: [&str; 15] = [
    "admonition", "alert", "callout", "caution", "danger", "footnote", "hint", "important", "infobox", "note", "onebox", "quote", "starlight", "tip", "warning",
];

/// Parts of the classes of links to the heading beside them.
const PERMALINKS: [&str; 5] = [
    "anchor",
    "hash-link",
    "headerlink",
    "heading-link",
    "permalink",
];

/// Programs that write documentation.
#[rustfmt::skip]
const GENERATORS: [&str; 14] = [
    "antora", "asciidoc", "confluence", "docfx", "docusaurus", "docutils", "doxygen", "gitbook", "javadoc", "mdbook", "mkdocs", "rustdoc", "sphinx", "vitepress",
];

/// Classes that such programs write.
#[rustfmt::skip]
const CLASSES: [&str; 15] = [
    "Documentation-content", "docutils", "main-page-content", "markdown-body", "md-content", "memproto", "memberdecls", "mw-parser-output", "rst-content", "rustdoc", "sl-markdown-content", "sphinxsidebar", "theme-doc-markdown", "vp-doc", "docMainContainer",
];

/// Parts of the classes of one panel of several.
const ONE_PANEL: [&str; 5] = [
    "tab-pane",
    "tabbed-block",
    "tabitem",
    "tabpanel",
    "tabs__item",
];

/// Says whether a class is that of one of the panels that tabs show.
pub(super) fn is_one_panel(class: &str) -> bool {
    let class = class.to_lowercase();
    ONE_PANEL.iter().any(|name| class.contains(name))
}

/// Says whether a class is that of a panel that a tab shows.
pub(super) fn is_panel(class: &str) -> bool {
    let class = class.to_lowercase();
    PANELS.iter().any(|name| class.contains(name))
}

/// Says whether a class is that of a field that shows code.
pub(super) fn is_code(class: &str) -> bool {
    class
        .split_whitespace()
        .any(|name| name.eq_ignore_ascii_case("code"))
}

/// Says whether a class is that of a note in a text.
pub(super) fn is_note(class: &str) -> bool {
    let mut names = class.split_whitespace().take(MAX_NAMES);
    names.any(|name| {
        words(name)
            .iter()
            .any(|word| NOTES.contains(&word.as_str()))
    })
}

/// Says whether a class is that of a link to the heading beside it.
pub(super) fn is_permalink(class: &str) -> bool {
    PERMALINKS.iter().any(|name| class.contains(name))
}

/// Says whether a program writes documentation.
pub(super) fn is_documentation_generator(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("starlight") || GENERATORS.iter().any(|generator| name.contains(generator))
}

/// Says whether a class is one of documentation.
pub(super) fn is_documentation_class(class: &str) -> bool {
    let mut names = class.split_whitespace().take(MAX_NAMES);
    names.any(|name| CLASSES.contains(&name))
}

/// How the headings of what follows an article begin, in small letters.
#[rustfmt::skip]
const AFTER: [&str; 121] = [
    // German
    "weitere artikel", "weitere beiträge", "weitere meldungen", "weitere nachrichten", "weitere themen", "weitere news", "mehr zum thema", "mehr zu", "mehr aus", "mehr dazu",
    "mehr von", "zum weiterlesen", "weiterlesen", "lesen sie auch", "lesen sie mehr", "lies auch", "auch interessant", "interessant für dich", "das könnte", "das thema könnte", "dies könnte", "passend dazu",
    "ähnliche", "verwandte", "empfohlene", "meistgelesen", "meist gelesen", "neueste beiträge", "neueste artikel", "aktuelle beiträge", "kommentar schreiben", "kommentar verfassen", "schreibe einen kommentar",
    "schreiben sie einen kommentar", "hinterlasse", "keine kommentare", "diesen artikel teilen", "diesen beitrag teilen", "artikel teilen", "beitrag teilen", "teilen sie", "teile diesen", "über den autor", "über die autor", "artikel bewerten", "zum thema",
    // English
    "related", "more from", "more on", "more stories", "more articles", "more about", "more news", "you may also", "you might also", "also read", "read also", "read more", "read next", "see also", "further reading", "recommended", "most read", "most popular",
    "popular posts", "recent posts", "latest news", "latest stories", "latest posts", "trending", "leave a", "post a comment", "add a comment", "share this", "about the author", "about author", "sign up", "subscribe", "follow us", "join the conversation", "what do you think", "don't miss", "filed under", "advertisement", "sponsored",
    // French
    "à lire aussi", "lire aussi", "à découvrir", "a découvrir", "articles liés", "sur le même", "vous aimerez", "dans la même", "laisser un commentaire", "partager", "à voir aussi", "en savoir plus",
    // Spanish, Portuguese, Italian
    "artículos relacionados", "te puede interesar", "noticias relacionadas", "más noticias", "lea también", "deja un comentario", "compartir", "veja também", "leia também", "leia mais", "notícias relacionadas", "leggi anche", "articoli correlati", "potrebbe interessarti", "condividi",
    // Polish, Russian
    "zobacz także", "zobacz też", "czytaj także", "czytaj też", "czytaj więcej", "читайте также",
    // Chinese, Japanese
    "相关", "推荐阅读", "関連",
];

/// Headings that say so alone.
#[rustfmt::skip]
const AFTER_ALONE: [&str; 22] = [
    "comments", "comment", "kommentare", "kommentar", "commentaires", "comentarios", "comentários", "commenti", "komentarze", "комментарии", "コメント", "评论",
    "share", "teilen", "tags", "schlagworte", "schlagwörter", "kategorien", "categories", "newsletter", "anzeige", "werbung",
];

/// What stands before a colon in lines about an article.
#[rustfmt::skip]
const LABELS: [&str; 26] = [
    "category", "categories", "kategorie", "kategorien", "catégorie", "catégories", "categoria", "categoría", "tag", "tags", "keywords", "schlagwort", "schlagworte", "schlagwörter", "stichworte", "mots-clés", "etiquetas", "rubrik",
    "foto", "fotos", "photo", "photos", "bild", "bildquelle", "credit", "crédits photos",
];

/// Says whether a line names what an article is filed under, or who took its picture.
pub(super) fn is_label(line: &str) -> bool {
    let label = line
        .split_once(':')
        .map(|(label, _)| label.trim().to_lowercase());
    line.starts_with('©') || label.is_some_and(|label| LABELS.contains(&label.as_str()))
}

/// Says whether a heading is that of what follows an article.
pub(super) fn is_after(heading: &str) -> bool {
    let heading = heading.to_lowercase();
    let alone = heading.trim_matches(|letter: char| !letter.is_alphabetic());
    AFTER.iter().any(|begin| heading.starts_with(begin)) || AFTER_ALONE.contains(&alone)
}
