//! Verbs whose forms have stems of their own, in lists: `lose` and `lost`, `prendre` and `pris`.

/// A verb: what may stand before it, such as `with` of `withdraw`, where the empty text stands for the verb alone, and
/// its forms with stems of their own, among them nouns such as `loss`.
pub(super) type Verb = (&'static [&'static str], &'static [&'static str]);

/// What stands before a verb alone.
pub(super) const ALONE: &[&str] = &[""];

/// The verbs of a language.
pub(super) struct Irregular {
    pub(super) verbs: &'static [Verb],
    /// What a form ends with, and what stands for it in the list: `es` and nothing, as in `perdues` and `perdu`.
    pub(super) endings: &'static [(&'static str, &'static str)],
    /// Words that look like forms of verbs, and are others, or nouns that say more: `entreprise`.
    pub(super) excepted: &'static [&'static str],
}

impl Irregular {
    /// Returns the other forms of the verbs that a word in small letters may be a form of.
    pub(super) fn others(&self, word: &str) -> Vec<String> {
        if self.excepted.contains(&word) {
            return Vec::new();
        }
        let mut all = self.others_of(word);
        if all.is_empty() {
            for (ending, listed) in self.endings {
                if let Some(stem) = word.strip_suffix(*ending) {
                    all.extend(self.others_of(&format!("{stem}{listed}")));
                }
            }
        }
        all
    }

    /// Returns the other forms of the verbs that a word is a listed form of.
    fn others_of(&self, word: &str) -> Vec<String> {
        let mut all = Vec::new();
        for (prefixes, forms) in self.verbs {
            for prefix in *prefixes {
                let Some(rest) = word.strip_prefix(*prefix) else {
                    continue;
                };
                if forms.contains(&rest) {
                    let others = forms.iter().filter(|form| **form != rest);
                    all.extend(others.map(|form| format!("{prefix}{form}")));
                }
            }
        }
        all
    }
}
