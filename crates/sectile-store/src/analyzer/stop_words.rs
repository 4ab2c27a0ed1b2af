//! English words that tell documents apart so little that a query does better without them.

/// The stop words as the analyser writes them: in lower case, stemmed, without
/// apostrophes. Sorted.
const STOP_WORDS: &[&str] = &[
    "a", "about", "abov", "after", "again", "against", "all", "am", "an", "and", "ani", "are",
    "arent", "as", "at", "be", "becaus", "been", "befor", "being", "below", "between", "both",
    "but", "by", "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "doe", "does",
    "doesnt", "doing", "dont", "down", "dure", "each", "few", "for", "from", "further", "had",
    "hadnt", "has", "hasnt", "have", "havent", "having", "he", "her", "here", "hers", "herself",
    "him", "himself", "his", "how", "i", "if", "im", "in", "into", "is", "isnt", "it", "its",
    "itself", "ive", "let", "me", "more", "most", "my", "myself", "no", "nor", "not", "of", "off",
    "on", "onc", "onli", "or", "other", "ought", "our", "ourselv", "out", "over", "own", "same",
    "shant", "she", "should", "shouldnt", "so", "some", "such", "than", "that", "the", "their",
    "them", "themselv", "then", "there", "these", "they", "theyd", "theyll", "theyr", "theyv",
    "this", "those", "through", "to", "too", "under", "until", "up", "veri", "was", "wasnt", "we",
    "were", "werent", "weve", "what", "whats", "when", "where", "whi", "which", "while", "who",
    "whom", "whose", "why", "will", "with", "wont", "would", "wouldnt", "you", "youd", "youll",
    "your", "yourself", "yourselv", "youv", "youve",
];

/// Says whether `term` is a stop word.
pub(super) fn contains(term: &str) -> bool {
    STOP_WORDS.binary_search(&term).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn question_words_and_articles_are_in_it() {
        for word in ["the", "what", "how", "is", "do", "dont"] {
            assert!(contains(word), "{word}");
        }
        assert!(!contains("state"));
    }
}
