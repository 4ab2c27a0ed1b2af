//! One run at a time writes to an output.

use std::fs::{File, TryLockError};
use std::future;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, anyhow};
use object_store::path::Path as ObjectPath;
use object_store::{Error, ObjectStore, ObjectStoreExt as _, PutMode, UpdateVersion};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::location::Location;
use crate::stderr::say;

/// How often a lock in a bucket is renewed.
const RENEWAL: Duration = Duration::from_secs(5);
/// How long a lock in a bucket stays as it is before it counts as that of a run that died.
const SILENCE: Duration = Duration::from_secs(30);

/// What keeps other runs away from an output until it is dropped.
pub(crate) enum Lock {
    Folder { _file: File },
    Bucket(Renewals),
}

impl Lock {
    /// Takes the lock of an output, if no other run has it.
    pub(crate) async fn of(output: &Location) -> anyhow::Result<Self> {
        let place = output.child(".lock");
        let taken = match place.file_path() {
            None => {
                let held = Held::take(&place).await?;
                held.map(Renewals::begin).transpose()?.map(Self::Bucket)
            }
            Some(path) => {
                let file = File::create(&path)?;
                match file.try_lock() {
                    Ok(()) => Some(Self::Folder { _file: file }),
                    Err(TryLockError::WouldBlock) => None,
                    Err(TryLockError::Error(error)) => {
                        return Err(error)
                            .with_context(|| format!("cannot lock `{}`", path.display()));
                    }
                }
            }
        };
        taken.ok_or_else(|| {
            anyhow!(
                "another run writes to `{output}`; wait until it has ended, or name another output"
            )
        })
    }

    /// Waits until another run has taken the lock, which it does when this one could not renew it for long.
    pub(crate) async fn lost(&mut self) {
        if let Self::Bucket(renewals) = self
            && (&mut renewals.lost).await.is_ok()
        {
            return;
        }
        future::pending().await
    }
}

/// A thread that renews a lock in a bucket. It has connections of its own, and does not wait where the run has work for
/// all processors.
pub(crate) struct Renewals {
    stop: Option<oneshot::Sender<()>>,
    lost: oneshot::Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl Renewals {
    fn begin(held: Held) -> anyhow::Result<Self> {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let (lose, lost) = oneshot::channel();
        let thread = std::thread::spawn(move || runtime.block_on(held.keep(stopped, lose)));
        Ok(Self {
            stop: Some(stop),
            lost,
            thread: Some(thread),
        })
    }
}

impl Drop for Renewals {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // A lock that was not removed is one of a run that died.
            let _ = thread.join();
        }
    }
}

/// A lock in a bucket that this run has: an object whose content is the name of the run, and changes.
struct Held {
    store: Arc<dyn ObjectStore>,
    path: ObjectPath,
    run: String,
    renewed: u64,
    version: UpdateVersion,
}

impl Held {
    /// Makes the object, or takes it over from a run that died; returns nothing where another run has it.
    async fn take(place: &Location) -> anyhow::Result<Option<Self>> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_nanos();
        let mode = match version(&**place.store(), &place.path()?).await? {
            None => PutMode::Create,
            Some(known) => {
                say(&format!(
                    "`{place}` is there: waiting to see whether its run goes on"
                ));
                if !is_left_behind(&**place.store(), &place.path()?, &known).await? {
                    return Ok(None);
                }
                PutMode::Update(known)
            }
        };
        let mut held = Self {
            store: Arc::clone(place.reopened()?.store()),
            path: place.path()?,
            run: format!("{now}-{}", std::process::id()),
            renewed: 0,
            version: UpdateVersion {
                e_tag: None,
                version: None,
            },
        };
        match held.put(&**place.store(), mode).await {
            Ok(()) => Ok(Some(held)),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot lock `{place}`")),
        }
    }

    async fn put(&mut self, store: &dyn ObjectStore, mode: PutMode) -> Result<(), Error> {
        self.renewed += 1;
        let text = format!("{} {}", self.run, self.renewed);
        let put = store.put_opts(&self.path, text.into(), mode.into()).await?;
        self.version = put.into();
        Ok(())
    }

    /// Renews the lock until the run ends, and removes it then; or says that another run has it.
    async fn keep(mut self, mut stopped: oneshot::Receiver<()>, lose: oneshot::Sender<()>) {
        while tokio::time::timeout(RENEWAL, &mut stopped).await.is_err() {
            if !self.renew().await {
                // The run may have ended.
                let _ = lose.send(());
                return;
            }
        }
        // One that stays is one of a run that died.
        let _ = self.store.delete(&self.path).await;
    }

    /// Renews the lock, and says whether this run still has it.
    async fn renew(&mut self) -> bool {
        let store = Arc::clone(&self.store);
        let mode = PutMode::Update(self.version.clone());
        match self.put(&*store, mode).await {
            Err(Error::Precondition { .. }) => self.is_ours().await,
            // What fails for another reason is tried again at the next renewal.
            _ => true,
        }
    }

    /// Returns whether the object is of this run: the answer to its last renewal may have been lost.
    async fn is_ours(&mut self) -> bool {
        let found = match self.store.get(&self.path).await {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return false,
            Err(_) => return true,
        };
        let (e_tag, version) = (found.meta.e_tag.clone(), found.meta.version.clone());
        let Ok(text) = found.bytes().await else {
            return true;
        };
        self.version = UpdateVersion { e_tag, version };
        text.starts_with(self.run.as_bytes())
    }
}

/// Waits, and says whether a lock stayed as it was.
async fn is_left_behind(
    store: &dyn ObjectStore,
    path: &ObjectPath,
    known: &UpdateVersion,
) -> anyhow::Result<bool> {
    let begun = Instant::now();
    while begun.elapsed() < SILENCE {
        tokio::time::sleep(RENEWAL).await;
        let now = version(store, path).await?;
        if now.is_none_or(|now| now.e_tag != known.e_tag) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the version of an object, if it is there.
async fn version(
    store: &dyn ObjectStore,
    path: &ObjectPath,
) -> anyhow::Result<Option<UpdateVersion>> {
    match store.head(path).await {
        Ok(known) => Ok(Some(UpdateVersion {
            e_tag: known.e_tag,
            version: known.version,
        })),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    /// Puts a lock into a bucket, and returns its path and its version.
    async fn put(store: &InMemory, text: &'static str) -> (ObjectPath, UpdateVersion) {
        let path = ObjectPath::from("out/.lock");
        store.put(&path, text.into()).await.expect("it is kept");
        let known = version(store, &path).await.expect("it is read");
        (path, known.expect("it is there"))
    }

    #[tokio::test(start_paused = true)]
    async fn a_lock_that_stays_as_it_is_counts_as_left_behind_after_its_silence() {
        let store = InMemory::new();
        let (path, known) = put(&store, "a run").await;
        let begun = Instant::now();
        let is_left = is_left_behind(&store, &path, &known).await;
        assert!(is_left.expect("it is read"));
        assert_eq!(begun.elapsed().as_secs(), SILENCE.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn a_lock_that_is_renewed_late_or_removed_is_not_left_behind() {
        for is_removed in [false, true] {
            let store = InMemory::new();
            let (path, known) = put(&store, "a run").await;
            let change = async {
                tokio::time::sleep(SILENCE - RENEWAL).await;
                if is_removed {
                    store.delete(&path).await.expect("it is removed");
                } else {
                    put(&store, "a run goes on").await;
                }
            };
            let (is_left, ()) = tokio::join!(is_left_behind(&store, &path, &known), change);
            assert!(!is_left.expect("it is read"));
        }
    }
}
