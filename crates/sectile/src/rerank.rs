//! A second ranking of the best hits, by a model that reads them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sectile_embed::Reranker;
use sectile_store::{Answer, Hit, Leg, Scope, SearchRequest};
use tracing::Instrument as _;

use crate::index::{document_name, embedded_text};
use crate::traced::{Traced, search_span};
use crate::truncated::reranked_note;
use crate::{Error, Library, Result, error_chain};

/// The name of the leg of a hit that was ranked again.
const LEG: &str = "rerank";

/// Options for reranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RerankOptions {
    /// The number of top hits that the model reads; 50 by default.
    pub depth: usize,
    /// The timeout; 2 seconds by default. If reranking takes longer, the first ranking stands.
    pub timeout: Duration,
    /// The collections whose searches are always reranked; none by default. A search that names no collection is one of
    /// them if the store has documents in no other collection.
    pub collections: Vec<String>,
}

impl Default for RerankOptions {
    fn default() -> Self {
        Self {
            depth: 50,
            timeout: Duration::from_secs(2),
            collections: Vec::new(),
        }
    }
}

/// The result of a reranked search.
#[derive(Debug)]
pub struct Reranked {
    /// The answer, best hit first.
    pub answer: Answer,
    /// The reason why the first ranking stands, if it does.
    pub problem: Option<NotReranked>,
}

impl Reranked {
    /// Returns the answer, with a note if the first ranking stands. Only the log has the causes, which
    /// may contain the address of a model's server.
    #[must_use]
    pub fn into_answer(self) -> Answer {
        let Self {
            mut answer,
            problem,
        } = self;
        if let Some(problem) = problem {
            tracing::warn!("{}", error_chain(&problem));
            answer.notes.push(problem.to_string());
        }
        answer
    }
}

/// The reason why hits were not reranked. Its text has no details of a model's server; its causes
/// may.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotReranked {
    /// The model took too long.
    #[error("`{model}` timed out after {after:?}; results are not reranked")]
    Late {
        /// The model.
        model: String,
        /// The time that it had.
        after: Duration,
    },
    /// The model failed.
    #[error("`{model}` failed; results are not reranked")]
    Failed {
        /// The model.
        model: String,
        /// What happened.
        source: sectile_embed::Error,
    },
}

/// A model that ranks hits again, and how.
#[derive(Clone, Debug)]
pub(crate) struct Reranking {
    model: Arc<dyn Reranker>,
    options: RerankOptions,
}

impl Reranking {
    /// Returns the collections whose searches are ranked again without being asked to.
    pub(crate) fn collections(&self) -> &[String] {
        &self.options.collections
    }

    /// Ranks the best hits again, unless that does not work in time.
    async fn rank(&self, question: &str, mut answer: Answer) -> Reranked {
        let best = &answer.hits[..answer.hits.len().min(self.options.depth)];
        let texts: Vec<String> = best.iter().map(text).collect();
        let (scores, truncated) = match self.scores(question, &texts).await {
            Ok(scored) => scored,
            Err(problem) => {
                let problem = Some(problem);
                return Reranked { answer, problem };
            }
        };
        answer.hits = ranked(answer.hits, &scores);
        if truncated > 0 {
            let note = reranked_note(self.model.name(), truncated, texts.len());
            answer.notes.push(note);
        }
        Reranked {
            answer,
            problem: None,
        }
    }

    /// Returns the scores of texts, and how many of the texts the model read in part.
    async fn scores(
        &self,
        question: &str,
        texts: &[String],
    ) -> Result<(Vec<f32>, usize), NotReranked> {
        if texts.is_empty() {
            return Ok((Vec::new(), 0));
        }
        let (model, after) = (self.model.name().to_owned(), self.options.timeout);
        let asked = match Instant::now().checked_add(after) {
            Some(deadline) => self.model.rerank_by(question, texts, deadline),
            None => self.model.rerank(question, texts),
        };
        let asked = async {
            let scores = asked.await?;
            let truncated = self.model.count_truncated(question, texts).await?;
            Ok::<_, sectile_embed::Error>((scores, truncated))
        };
        let (scores, truncated) = match tokio::time::timeout(after, asked).await {
            Err(_) => return Err(NotReranked::Late { model, after }),
            Ok(Err(source)) => return Err(NotReranked::Failed { model, source }),
            Ok(Ok(scored)) => scored,
        };
        if scores.len() == texts.len() && scores.iter().all(|score| score.is_finite()) {
            return Ok((scores, truncated));
        }
        let source = sectile_embed::Error::Answer {
            model: model.clone(),
            reason: format!("{} texts have not as many finite scores", texts.len()),
        };
        Err(NotReranked::Failed { model, source })
    }
}

impl Library {
    /// Sets the model that reranks the best hits on request.
    #[must_use]
    pub fn with_reranker(mut self, model: Arc<dyn Reranker>, options: RerankOptions) -> Self {
        let model = Arc::new(Traced(model));
        self.reranking = Some(Reranking { model, options });
        self
    }

    /// Returns the reranking model, if there is one.
    pub fn reranker(&self) -> Option<&dyn Reranker> {
        self.reranking.as_ref().map(|reranking| &*reranking.model)
    }

    /// Answers a question as [`search`](Self::search) does, and has the reranker read and reorder
    /// the best hits. These hits have the reranker's score, and the leg `rerank`. If the reranker
    /// fails or takes too long, the first ranking stands, and the answer says so. This needs a
    /// Tokio runtime with timers.
    ///
    /// # Errors
    ///
    /// Those of [`search`](Self::search), and [`Error::NoReranker`].
    pub async fn search_reranked(&self, request: &SearchRequest) -> Result<Reranked> {
        let reranking = self.reranking.as_ref().ok_or(Error::NoReranker)?;
        let span = search_span(request);
        let reranked = self.reranked(reranking, request).instrument(span.clone());
        let reranked = reranked.await?;
        span.record("hits", reranked.answer.hits.len());
        Ok(reranked)
    }

    /// Returns whether a search in `scope` covers documents of these collections only: of the one that it names, or else
    /// of each that has documents.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn is_within(&self, scope: &Scope, collections: &[String]) -> Result<bool> {
        let is_one = |name: &str| collections.iter().any(|other| other == name);
        match scope.collection_name() {
            _ if collections.is_empty() => Ok(false),
            Some(name) => Ok(is_one(name)),
            None => {
                let searched = self.collections().await?;
                Ok(!searched.is_empty() && searched.iter().all(|name| is_one(name)))
            }
        }
    }

    pub(crate) async fn reranked(
        &self,
        reranking: &Reranking,
        request: &SearchRequest,
    ) -> Result<Reranked> {
        let depth = reranking.options.depth;
        let wide = request.clone().with_limit(request.limit.max(depth));
        let answer = self.search_once(&wide).await?;
        let mut reranked = reranking.rank(&request.query, answer).await;
        let answer = &mut reranked.answer;
        answer.hits.truncate(request.limit);
        let about = std::mem::take(&mut answer.about);
        answer.set_about(about);
        Ok(reranked)
    }
}

/// Returns what the model reads of a hit: what an embedding model would.
fn text(hit: &Hit) -> String {
    let name = document_name(hit.document.title.as_deref(), &hit.document.uri);
    let head = hit.table_head.as_deref();
    embedded_text(&name, &hit.heading_path, head, &hit.text)
}

/// Orders the first hits by their scores, best first; of equal ones the first ranking decides. The
/// others follow as they were.
fn ranked(mut hits: Vec<Hit>, scores: &[f32]) -> Vec<Hit> {
    let rest = hits.split_off(scores.len());
    let mut read: Vec<(f32, Hit)> = scores.iter().copied().zip(hits).collect();
    read.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let again = (1..).zip(read).map(|(rank, (score, mut hit))| {
        hit.score = f64::from(score);
        hit.legs.push(Leg {
            name: LEG.to_owned(),
            rank,
            score: hit.score,
        });
        hit
    });
    again.chain(rest).collect()
}
