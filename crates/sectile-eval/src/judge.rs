//! Which hits answer a question.

use std::collections::{HashMap, HashSet};

use sectile::core::{DocumentId, Lines, SectionId, subtree};
use sectile::store::{DocumentRecord, SectionRecord};
use sectile::{GroupBy, Hit, Library, Scope, document_path, find_heading};

use crate::documents::documents;
use crate::question::{Answer, Question};
use crate::{Error, Result};

/// How many documents an error names.
const NAMED: usize = 4;

/// Questions whose answers were found in the documents of a library.
#[derive(Clone, Debug)]
pub struct JudgedQuestions {
    /// The questions that have an answer.
    pub(crate) questions: Vec<JudgedQuestion>,
    /// The number of questions left out, as nothing is known to answer them.
    pub unjudged: usize,
    /// The number of judgements of documents that are not there. No hit can be one of those, and they
    /// count as answers all the same.
    pub missing: usize,
    /// The number of documents.
    pub documents: usize,
    /// What a hit stands for, so that it can be an answer: a document, a section, or where answers are
    /// lines a chunk.
    pub group_by: GroupBy,
}

/// A question with what answers it among the documents of a library.
#[derive(Clone, Debug)]
pub(crate) struct JudgedQuestion {
    pub(crate) question: Question,
    targets: Vec<Target>,
}

/// An answer among the documents of a library.
#[derive(Clone, Debug)]
struct Target {
    gain: f64,
    /// The document, if it is there.
    document: Option<DocumentId>,
    /// The sections under the heading, where one is named.
    sections: Option<HashSet<SectionId>>,
    lines: Option<Lines>,
}

/// What tells an answer from others.
type Part<'a> = (
    Result<DocumentId, &'a str>,
    Option<SectionId>,
    Option<Lines>,
);

/// What hits are worth, best first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judgement {
    /// What each hit is worth: the best of the answers that it is the first to hold.
    pub(crate) gains: Vec<f64>,
    /// How many answers each hit is the first to hold.
    pub(crate) found: Vec<usize>,
}

impl JudgedQuestions {
    /// Finds the answers of questions among the documents in `scope`.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchDocument`], [`Error::AmbiguousDocument`] and [`Error::NoSuchAnswer`] for an answer
    /// that is not there, [`Error::NoDocuments`] where there is none at all, [`Error::Unjudged`] where no question has
    /// an answer, or [`Error::Library`].
    pub async fn find(library: &Library, scope: &Scope, questions: &[Question]) -> Result<Self> {
        let (judged, unjudged): (Vec<_>, Vec<_>) =
            questions.iter().partition(|question| question.is_judged());
        if judged.is_empty() {
            return Err(Error::Unjudged {
                questions: questions.len(),
            });
        }
        let group_by = group_by(&judged);
        let mut finder = Finder::new(library, documents(library, scope).await?);
        let mut found = Vec::with_capacity(judged.len());
        for question in judged {
            found.push(finder.question(question).await?);
        }
        Ok(Self {
            questions: found,
            unjudged: unjudged.len(),
            missing: finder.missing,
            documents: finder.documents.len(),
            group_by,
        })
    }

    /// Returns the number of questions.
    pub fn len(&self) -> usize {
        self.questions.len()
    }

    /// Returns whether there are no questions, which [`find`](Self::find) does not let happen.
    pub fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }
}

/// Returns the coarsest hits that can be told to be answers.
fn group_by(questions: &[&Question]) -> GroupBy {
    let mut group_by = GroupBy::Document;
    for answer in questions.iter().flat_map(|question| &question.answers) {
        if answer.lines.is_some() {
            return GroupBy::Chunk;
        }
        if answer.heading.is_some() {
            group_by = GroupBy::Section;
        }
    }
    group_by
}

/// Finds documents by name.
struct Finder<'a> {
    library: &'a Library,
    documents: Vec<DocumentRecord>,
    /// The path of each document, or else its URI.
    names: Vec<String>,
    /// The documents by the last part of their names.
    by_end: HashMap<String, Vec<usize>>,
    /// The sections of documents that were asked for.
    sections: HashMap<DocumentId, Vec<SectionRecord>>,
    missing: usize,
}

impl<'a> Finder<'a> {
    fn new(library: &'a Library, documents: Vec<DocumentRecord>) -> Self {
        let names: Vec<String> = documents.iter().map(name).collect();
        let mut by_end: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, name) in names.iter().enumerate() {
            by_end
                .entry(last_part(name).to_owned())
                .or_default()
                .push(index);
        }
        Self {
            library,
            documents,
            names,
            by_end,
            sections: HashMap::new(),
            missing: 0,
        }
    }

    /// An answer that is named twice counts once, whatever the names.
    async fn question(&mut self, question: &Question) -> Result<JudgedQuestion> {
        let mut targets = Vec::with_capacity(question.answers.len());
        let mut known = HashMap::new();
        for answer in &question.answers {
            let target = self.target(answer).await?;
            match known.insert(target.part(answer), target.gain) {
                None => targets.push(target),
                Some(gain) if gain.total_cmp(&target.gain).is_eq() => {}
                Some(gain) => {
                    let document = &answer.document;
                    let reason =
                        format_args!("`{document}` is judged {gain} for this question before");
                    return Err(answer.place.refuse(reason));
                }
            }
        }
        self.missing += targets
            .iter()
            .filter(|target| target.document.is_none())
            .count();
        Ok(JudgedQuestion {
            question: question.clone(),
            targets,
        })
    }

    async fn target(&mut self, answer: &Answer) -> Result<Target> {
        if !answer.gain.is_finite() {
            let reason = "a gain is too large to be added up; grades this large need linear gains";
            return Err(answer.place.refuse(reason));
        }
        let Some(index) = self.document(answer)? else {
            return Ok(Target {
                gain: answer.gain,
                document: None,
                sections: None,
                lines: None,
            });
        };
        let id = self.documents[index].id;
        if !self.sections.contains_key(&id) && (answer.heading.is_some() || answer.lines.is_some())
        {
            self.sections.insert(id, self.library.toc(id).await?);
        }
        let sections = match &answer.heading {
            Some(heading) => Some(self.under(index, heading, answer)?),
            None => None,
        };
        self.check_lines(index, answer)?;
        Ok(Target {
            gain: answer.gain,
            document: Some(id),
            sections,
            lines: answer.lines,
        })
    }

    /// Finds the document of an answer; nothing where it may be missing.
    fn document(&self, answer: &Answer) -> Result<Option<usize>> {
        let wanted = answer.document.trim_start_matches("./");
        let candidates = self
            .by_end
            .get(last_part(wanted))
            .map_or(&[][..], Vec::as_slice);
        let is_named =
            |index: &usize| self.names[*index] == wanted || self.documents[*index].uri == wanted;
        if let Some(index) = candidates.iter().copied().find(is_named) {
            return Ok(Some(index));
        }
        let end = format!("/{wanted}");
        let ends: Vec<usize> = candidates
            .iter()
            .copied()
            .filter(|index| self.names[*index].ends_with(&end))
            .collect();
        match *ends {
            [only] => Ok(Some(only)),
            [] if !answer.is_required => Ok(None),
            [] => Err(Error::NoSuchDocument {
                place: answer.place.clone(),
                document: answer.document.clone(),
                documents: self.documents.len(),
            }),
            _ => Err(Error::AmbiguousDocument {
                place: answer.place.clone(),
                document: answer.document.clone(),
                candidates: ends
                    .iter()
                    .take(NAMED)
                    .map(|index| self.names[*index].clone())
                    .collect(),
            }),
        }
    }

    /// Returns the section with a heading and all below it.
    fn under(&self, index: usize, heading: &str, answer: &Answer) -> Result<HashSet<SectionId>> {
        let DocumentRecord {
            id, uri, format, ..
        } = &self.documents[index];
        let sections = &self.sections[id];
        let root = find_heading(sections, uri, *format, heading).map_err(|source| {
            Error::NoSuchAnswer {
                place: answer.place.clone(),
                source: Box::new(source),
            }
        })?;
        let below = subtree(sections, root, |section| section.parent);
        Ok(sections[below].iter().map(|section| section.id).collect())
    }

    fn check_lines(&self, index: usize, answer: &Answer) -> Result<()> {
        let Some(asked) = answer.lines else {
            return Ok(());
        };
        let DocumentRecord { id, uri, .. } = &self.documents[index];
        let lines = self.sections[id]
            .last()
            .map_or(0, |section| section.lines.last);
        if asked.first <= lines {
            return Ok(());
        }
        Err(Error::NoSuchAnswer {
            place: answer.place.clone(),
            source: Box::new(sectile::Error::NoSuchLines {
                uri: uri.clone(),
                first: asked.first,
                last: asked.last,
                lines,
            }),
        })
    }
}

/// Returns the path of a document, or else its URI.
fn name(document: &DocumentRecord) -> String {
    let path = document_path(&document.uri);
    path.map_or_else(
        || document.uri.clone(),
        |path| path.display().to_string().replace('\\', "/"),
    )
}

fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

impl JudgedQuestion {
    /// Returns what its answers are worth.
    pub(crate) fn judged(&self) -> Vec<f64> {
        self.targets.iter().map(|target| target.gain).collect()
    }

    /// Says what hits are worth. An answer counts at the first hit that holds it.
    pub(crate) fn judge(&self, hits: &[Hit]) -> Judgement {
        let mut open: Vec<&Target> = self.targets.iter().collect();
        let mut judgement = Judgement::default();
        for hit in hits {
            let (mut gain, mut found) = (0.0_f64, 0);
            open.retain(|target| {
                let is_held = target.is_held_by(hit);
                if is_held && target.gain > 0.0 {
                    gain = gain.max(target.gain);
                    found += 1;
                }
                !is_held
            });
            judgement.gains.push(gain);
            judgement.found.push(found);
        }
        judgement
    }
}

impl Target {
    /// Returns what tells it from other answers: its document, or the name of one that is not there, and which part of it.
    fn part<'a>(&self, answer: &'a Answer) -> Part<'a> {
        let document = self.document.ok_or(answer.document.as_str());
        let section = self.sections.iter().flatten().min().copied();
        (document, section, self.lines)
    }

    /// Returns whether a hit is the answer, or names it among the places with its text, which are no hits of their own.
    fn is_held_by(&self, hit: &Hit) -> bool {
        let mut others = hit.same_text.iter();
        self.is_at(hit.document.id, hit.section, hit.lines)
            || others.any(|other| self.is_at(other.document.id, other.section, other.lines))
    }

    fn is_at(&self, document: DocumentId, section: SectionId, lines: Lines) -> bool {
        let touches = |asked: Lines| asked.first <= lines.last && lines.first <= asked.last;
        self.document == Some(document)
            && self
                .sections
                .as_ref()
                .is_none_or(|sections| sections.contains(&section))
            && self.lines.is_none_or(touches)
    }
}
