//! Checkpoints of a thread, or of all, some at a time.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use pyo3::prelude::*;
use sectile::checkpoint::{
    At, Channels, Checkpoint, CheckpointOrder, CheckpointQuery, Key, Records, RecordsExt as _,
    Result, StoredState, ThreadQuery,
};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use crate::filter::Filter;
use crate::operation::Operation;
use crate::saver::{Found, Saver, answer};

/// How many checkpoints are in memory at once.
pub(crate) const PAGE: usize = 32;

/// What is listed.
pub(crate) struct List {
    pub(crate) thread: Option<String>,
    pub(crate) namespace: Option<String>,
    /// Only those of this id: one of a namespace at most.
    pub(crate) id: Option<String>,
    pub(crate) before: Option<String>,
    pub(crate) limit: Option<usize>,
    pub(crate) metadata: Map<String, Value>,
}

/// Lists checkpoints by id, the greatest first, which LangGraph calls the newest: its ids rise with time, in
/// all threads, in whatever order they are saved.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Listing {
    saver: Arc<Saver>,
    listed: Arc<Mutex<Listed>>,
}

#[pymethods]
impl Listing {
    /// Loads the next checkpoints: none at the end.
    fn next(&self) -> PyResult<Operation> {
        let listed = Arc::clone(&self.listed);
        let next = |saver: Arc<Saver>| async move { listed.lock().await.next(&saver).await };
        answer(&self.saver, next, |py, found| {
            let found: PyResult<Vec<_>> =
                found.into_iter().map(|found| found.into_py(py)).collect();
            Ok(found?.into_pyobject(py)?.unbind())
        })
    }
}

impl Listing {
    pub(crate) fn new(saver: Arc<Saver>, list: List) -> Self {
        let listed = Listed {
            left: list.limit.unwrap_or(usize::MAX),
            filter: Filter::new(list.before, list.metadata),
            thread: list.thread,
            namespace: list.namespace,
            id: list.id,
            lines: None,
            heads: BTreeSet::new(),
        };
        Self {
            saver,
            listed: Arc::new(Mutex::new(listed)),
        }
    }
}

/// What is listed of namespaces.
struct Listed {
    thread: Option<String>,
    namespace: Option<String>,
    id: Option<String>,
    filter: Filter,
    /// How many more are asked for.
    left: usize,
    /// Nothing before the first is asked for.
    lines: Option<Vec<Line>>,
    /// The id of the newest that is loaded of each line, with its place in `lines`.
    heads: BTreeSet<(Option<String>, usize)>,
}

/// The checkpoints of a namespace that a query finds.
struct Line {
    key: Key,
    /// Those that are not loaded yet.
    query: CheckpointQuery,
    is_done: bool,
    loaded: VecDeque<Checkpoint<StoredState>>,
}

impl Listed {
    async fn next(&mut self, saver: &Saver) -> Result<Vec<Found>> {
        if let Some(id) = self.id.take() {
            return self.of_id(saver, &id).await;
        }
        let mut lines = match self.lines.take() {
            Some(lines) => lines,
            None => self.begin(saver).await?,
        };
        let mut page = Vec::new();
        while page.len() < PAGE && self.left > 0 {
            let Some((_, at)) = self.heads.pop_last() else {
                break;
            };
            if let Some(checkpoint) = pop(saver, &mut lines, at).await? {
                self.left -= 1;
                page.push(checkpoint);
            }
            self.note_head(saver, &mut lines, at).await?;
        }
        self.lines = Some(lines);
        saver.found(page).await
    }

    /// Loads the checkpoints of an id. After them there are no more.
    async fn of_id(&mut self, saver: &Saver, id: &str) -> Result<Vec<Found>> {
        self.lines = Some(Vec::new());
        let mut found = Vec::new();
        for key in self.keys(&*saver.records).await? {
            if found.len() >= self.left {
                break;
            }
            let at = At::Id(id.to_owned());
            let checkpoint = saver.records.load_stored(&key, &at).await?;
            found.extend(checkpoint.filter(|one| self.filter.matches(one)));
        }
        saver.found(found).await
    }

    async fn begin(&mut self, saver: &Saver) -> Result<Vec<Line>> {
        let mut lines = Vec::new();
        for key in self.keys(&*saver.records).await? {
            let queries = self.filter.queries().into_iter();
            lines.extend(queries.map(|query| Line {
                key: key.clone(),
                query,
                is_done: false,
                loaded: VecDeque::new(),
            }));
        }
        for at in 0..lines.len() {
            self.note_head(saver, &mut lines, at).await?;
        }
        Ok(lines)
    }

    /// Returns the namespaces.
    async fn keys(&self, records: &dyn Records) -> Result<Vec<Key>> {
        let threads = if let Some(thread) = &self.thread {
            vec![thread.clone()]
        } else {
            let threads = records.threads(&ThreadQuery::default()).await?;
            threads.into_iter().map(|thread| thread.thread_id).collect()
        };
        let mut keys = Vec::new();
        for thread in threads {
            if let Some(namespace) = &self.namespace {
                keys.push(Key::new(thread, &**namespace));
            } else {
                let namespaces = records.namespaces(&thread).await?;
                let of_thread = namespaces.into_iter();
                keys.extend(of_thread.map(|found| Key::new(&*thread, found.namespace)));
            }
        }
        Ok(keys)
    }

    /// Notes the newest of a line, which is loaded where it has to be.
    async fn note_head(&mut self, saver: &Saver, lines: &mut [Line], at: usize) -> Result<()> {
        let size = (PAGE / lines.len()).clamp(1, self.left.max(1));
        let are_many = are_many(lines);
        let line = &mut lines[at];
        while line.loaded.is_empty() && !line.is_done && self.left > 0 {
            line.query.limit = Some(size);
            let mut page = saver.records.select(&line.key, &line.query).await?;
            line.is_done = page.len() < size;
            if let Some(last) = page.last() {
                let before = last.id.clone();
                line.query.order = CheckpointOrder::ById { before };
            }
            page.retain(|checkpoint| self.filter.matches(checkpoint));
            if are_many {
                page.iter_mut().for_each(forget_state);
            }
            line.loaded.extend(page);
        }
        if let Some(newest) = line.loaded.front() {
            let _ = self.heads.insert((newest.id.clone(), at));
        }
        Ok(())
    }
}

/// Returns whether the newest of each line are too many for their states to be in memory.
fn are_many(lines: &[Line]) -> bool {
    lines.len() > PAGE
}

fn forget_state(checkpoint: &mut Checkpoint<StoredState>) {
    checkpoint.state = StoredState::Channels(Channels::new());
}

/// Takes the newest that is loaded of a line: nothing if it was deleted meanwhile.
async fn pop(
    saver: &Saver,
    lines: &mut [Line],
    at: usize,
) -> Result<Option<Checkpoint<StoredState>>> {
    let are_many = are_many(lines);
    let line = &mut lines[at];
    match line.loaded.pop_front() {
        Some(newest) if are_many => {
            let again = At::Seq(newest.seq);
            saver.records.load_stored(&line.key, &again).await
        }
        newest => Ok(newest),
    }
}
