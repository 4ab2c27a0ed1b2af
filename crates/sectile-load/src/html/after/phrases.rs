//! What headings and lines of what follows an article say: related articles, comments, buttons to share it.

/// How sure it is that a heading is that of what follows an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum After {
    /// It begins as such headings do, but says more: "Related work".
    Perhaps,
    /// It says what such headings say.
    Surely,
}

/// How such headings begin, in small letters, whatever they say then.
#[rustfmt::skip]
const CLEAR: [&str; 89] = [
    // German
    "weitere artikel", "weitere beiträge", "weitere meldungen", "weitere nachrichten", "weitere themen", "weitere news", "mehr zum thema", "zum weiterlesen", "weiterlesen", "lesen sie auch", "lesen sie mehr", "lies auch",
    "auch interessant", "interessant für dich", "meistgelesen", "meist gelesen", "neueste beiträge", "neueste artikel", "aktuelle beiträge", "kommentar schreiben", "kommentar verfassen", "schreibe einen kommentar",
    "schreiben sie einen kommentar", "hinterlasse einen kommentar", "hinterlasse eine antwort", "keine kommentare", "diesen artikel teilen", "diesen beitrag teilen", "artikel teilen", "beitrag teilen", "teile diesen",
    "über den autor", "über die autor", "artikel bewerten", "das könnte sie", "das könnte dich", "das könnte dir", "das könnte ihnen",
    // English
    "more from", "more stories", "more articles", "more news", "you may also", "you might also", "also read", "read also", "read next", "popular posts", "recent posts", "latest news", "latest stories", "latest posts", "leave a comment",
    "leave a reply", "post a comment", "add a comment", "about the author", "about author", "join the conversation",
    // French
    "à lire aussi", "lire aussi", "articles liés", "sur le même sujet", "vous aimerez", "dans la même rubrique", "laisser un commentaire", "partager cet article", "partager sur", "à voir aussi",
    // Spanish, Portuguese, Italian
    "artículos relacionados", "te puede interesar", "noticias relacionadas", "más noticias", "lea también", "deja un comentario", "veja também", "leia também", "leia mais", "notícias relacionadas", "leggi anche", "articoli correlati",
    "potrebbe interessarti",
    // Polish, Russian
    "zobacz także", "zobacz też", "czytaj także", "czytaj też", "czytaj więcej", "читайте также",
    // Chinese
    "推荐阅读",
];

/// How headings begin that an article may have itself; they are clear when they say no more than [`OTHERS`].
#[rustfmt::skip]
const VAGUE: [&str; 39] = [
    // German
    "mehr zu", "mehr aus", "mehr dazu", "mehr von", "das könnte", "das thema könnte", "dies könnte", "passend dazu", "ähnliche", "verwandte", "empfohlene", "hinterlasse", "teilen sie", "zum thema",
    // English
    "related", "more on", "more about", "read more", "see also", "further reading", "recommended", "most read", "most popular", "trending", "leave a", "share this", "sign up", "subscribe", "follow us", "what do you think", "don't miss",
    "filed under",
    // French, Spanish, Italian
    "à découvrir", "a découvrir", "sur le même", "dans la même", "en savoir plus", "compartir", "condividi",
];

/// How they begin in scripts that write without spaces.
const WITHOUT_SPACES: [&str; 2] = ["相关", "関連"];

/// Headings that say it alone.
#[rustfmt::skip]
const ALONE: [&str; 21] = [
    "comments", "comment", "kommentare", "kommentar", "commentaires", "comentarios", "comentários", "commenti", "komentarze", "комментарии", "コメント", "评论", "share", "teilen", "partager", "tags", "schlagworte", "schlagwörter",
    "kategorien", "categories", "newsletter",
];

/// Other words of such headings.
#[rustfmt::skip]
const OTHERS: [&str; 88] = [
    "a", "all", "also", "and", "around", "article", "articles", "artikel", "auch", "author", "beitrag", "beiträge", "blog", "by", "channel", "collections", "comment", "content", "coverage", "daily",
    "dem", "den", "der", "dich", "die", "diesen", "dir", "email", "facebook", "for", "free", "friends", "from", "für", "gefallen", "guides", "here", "ihnen", "in", "inhalte", "interessieren", "items",
    "kategorie", "links", "list", "mailing", "media", "meldungen", "more", "nachrichten", "news", "newsletter", "newsletters", "now", "of", "on", "our", "page", "pages", "post", "posts", "products",
    "produkte", "reading", "reply", "resources", "ressort", "rubrik", "searches", "sie", "site", "social", "stories", "story", "thema", "themen", "this", "to", "today", "topics", "twitter", "updates",
    "us", "videos", "weekly", "with", "you", "your",
];

/// What stands alone in the place of an advertisement.
#[rustfmt::skip]
const ADVERTISEMENTS: [&str; 8] = [
    "ad", "advertisement", "anzeige", "publicidad", "publicité", "reklama", "sponsored", "werbung",
];

/// What stands before a colon in lines about an article.
#[rustfmt::skip]
const LABELS: [&str; 18] = [
    "category", "categories", "kategorie", "kategorien", "catégorie", "catégories", "categoria", "categoría", "tag", "tags", "keywords", "schlagwort", "schlagworte", "schlagwörter", "stichworte", "mots-clés", "etiquetas", "rubrik",
];

/// What stands before a colon in lines about a picture.
#[rustfmt::skip]
const CREDITS: [&str; 8] = [
    "foto", "fotos", "photo", "photos", "bild", "bildquelle", "credit", "crédits photos",
];

/// Says how sure it is that a heading is that of what follows an article; nothing when it is another.
pub(in super::super) fn after(heading: &str) -> Option<After> {
    let heading = heading.to_lowercase();
    let heading = heading.trim_matches(|letter: char| !letter.is_alphabetic());
    if begins(heading, &CLEAR).is_some() || ALONE.contains(&heading) {
        return Some(After::Surely);
    }
    if WITHOUT_SPACES
        .iter()
        .any(|begin| heading.starts_with(begin))
    {
        return Some(After::Surely);
    }
    let more = begins(heading, &VAGUE)?;
    let words = more.split(|letter: char| !letter.is_alphanumeric());
    let is_clear = words
        .filter(|word| !word.is_empty())
        .all(|word| OTHERS.contains(&word));
    Some(if is_clear {
        After::Surely
    } else {
        After::Perhaps
    })
}

/// Returns what follows one of the beginnings, if a text has it in whole words.
fn begins<'a>(text: &'a str, beginnings: &[&str]) -> Option<&'a str> {
    let more = |begin: &&str| text.strip_prefix(begin);
    let mut found = beginnings.iter().filter_map(more);
    found.find(|more| !more.starts_with(char::is_alphabetic))
}

/// Returns whether a line stands in the place of an advertisement.
pub(in super::super) fn is_advertisement(line: &str) -> bool {
    let line = line.to_lowercase();
    let line = line.trim_matches(|letter: char| !letter.is_alphabetic());
    ADVERTISEMENTS.contains(&line)
}

/// Returns whether a line begins as one that names what an article is filed under.
pub(in super::super) fn is_label(line: &str) -> bool {
    begins_with_label(line, &LABELS)
}

/// Returns whether a line names who took a picture, or who owns the text.
pub(in super::super) fn is_credit(line: &str) -> bool {
    line.starts_with('©') || begins_with_label(line, &CREDITS)
}

fn begins_with_label(line: &str, labels: &[&str]) -> bool {
    let label = line
        .split_once(':')
        .map(|(label, _)| label.trim().to_lowercase());
    label.is_some_and(|label| labels.contains(&label.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_what_follows_are_told_from_those_of_the_text() {
        for heading in [
            "Related articles",
            "Related",
            "Comments (12)",
            "Tags:",
            "Recommended for you",
            "More from this author",
            "Leave a reply",
            "Subscribe to our newsletter",
            "Share this article",
            "Ähnliche Beiträge",
            "関連記事",
        ] {
            assert_eq!(after(heading), Some(After::Surely), "{heading}");
        }
        for heading in [
            "Related Work",
            "Recommended settings",
            "Sign up for an account",
            "Subscribe to events",
            "Leave a gap",
            "Related parties",
        ] {
            assert_eq!(after(heading), Some(After::Perhaps), "{heading}");
        }
        for heading in [
            "Shareholders",
            "Comments on the draft",
            "Relatedness",
            "Tags and labels",
            "",
        ] {
            assert_eq!(after(heading), None, "{heading}");
        }
    }
}
