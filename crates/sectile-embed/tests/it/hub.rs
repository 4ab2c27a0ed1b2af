//! Models from a hub on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ring::digest::{SHA256, digest};
use sectile_embed::{
    AddedModel, AddedModels, Error, Hub, HubEvent, HubModel, HubOptions, ModelKind,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fake_hub::{COMMIT, FakeHub, Faults, REPOSITORY, WEIGHTS, config, hex, weights};

/// A hub, and a folder that models of it are put into.
struct Place {
    fake: Arc<FakeHub>,
    options: HubOptions,
    _folder: TempDir,
    models: AddedModels,
}

impl Place {
    async fn new(faults: Faults) -> Self {
        Self::with_config(faults, &config()).await
    }

    async fn with_config(faults: Faults, config: &Value) -> Self {
        let (fake, url) = FakeHub::start(faults, config).await;
        let folder = tempfile::tempdir().unwrap();
        Self {
            fake,
            options: HubOptions::default().with_endpoint(url).with_retries(0),
            models: AddedModels::new(folder.path().join("models")),
            _folder: folder,
        }
    }

    async fn add(&self) -> Result<AddedModel, Error> {
        self.add_with(&HubModel::new(REPOSITORY).unwrap(), &|_| ())
            .await
    }

    async fn add_with(
        &self,
        model: &HubModel,
        on_event: &(dyn Fn(HubEvent) + Send + Sync),
    ) -> Result<AddedModel, Error> {
        let hub = Hub::new(&self.options)?;
        hub.add(&self.models, model, on_event).await
    }

    fn folder(&self) -> PathBuf {
        self.models.folder().join("a-model")
    }

    /// Returns where the weights are while they are not complete.
    fn part(&self) -> PathBuf {
        let incoming = self.models.folder().join(".incoming/a-model");
        incoming.join(COMMIT).join(WEIGHTS)
    }
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

#[tokio::test]
async fn a_model_is_put_into_its_folder_whole() {
    let place = Place::new(Faults::default()).await;
    let events = Mutex::new(Vec::new());
    let wanted = HubModel::new(REPOSITORY).unwrap();
    let wanted = wanted.with_prompts("query: ", "passage: ");
    let on_event = |event| events.lock().unwrap().push(event);
    let model = place.add_with(&wanted, &on_event).await.unwrap();
    assert_eq!(fs::read(place.folder().join(WEIGHTS)).unwrap(), weights());
    assert!(place.folder().join("1_Pooling/config.json").exists());
    assert!(!place.folder().join("README.md").exists());
    assert_eq!(
        (model.revision.as_str(), model.kind),
        (COMMIT, ModelKind::Embedder)
    );
    let paths: Vec<&str> = model.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "config.json",
            "tokenizer.json",
            "1_Pooling/config.json",
            WEIGHTS
        ]
    );
    assert_eq!(model.files[3].sha256, hex(&digest(&SHA256, &weights())));
    assert_eq!(place.models.list().unwrap(), std::slice::from_ref(&model));
    assert_eq!(place.models.find("a-model").unwrap(), Some(model.clone()));
    // What is read of the folder by a model in this process.
    let record = fs::read(place.folder().join("model.json")).unwrap();
    let record: Value = serde_json::from_slice(&record).unwrap();
    assert_eq!(record["prompts"]["query"], "query: ");
    let events = events.into_inner().unwrap();
    let (files, bytes) = (4, model.size());
    assert_eq!(events[0], HubEvent::Found { files, bytes });
    let last = events.last().unwrap().clone();
    let file = WEIGHTS.to_owned();
    assert_eq!(last, HubEvent::Received { file, bytes });
}

#[tokio::test]
async fn a_transfer_that_breaks_goes_on_where_it_ended() {
    let place = Place::new(Faults {
        cuts: 1.into(),
        ..Faults::default()
    })
    .await;
    let error = place.add().await.unwrap_err();
    assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
    assert!(!place.folder().exists());
    let received = size(&place.part());
    assert!(received > 0);
    place.add().await.unwrap();
    assert_eq!(fs::read(place.folder().join(WEIGHTS)).unwrap(), weights());
    let ranges: Vec<_> = place
        .fake
        .of_weights()
        .into_iter()
        .map(|asked| asked.range)
        .collect();
    assert_eq!(ranges, [None, Some(format!("bytes={received}-"))]);
    assert!(!place.part().exists());
}

#[tokio::test]
async fn a_transfer_goes_on_by_itself_and_without_ranges_begins_anew() {
    let faults = |has_no_ranges| Faults {
        cuts: 2.into(),
        has_no_ranges,
        ..Faults::default()
    };
    for has_no_ranges in [false, true] {
        let mut place = Place::new(faults(has_no_ranges)).await;
        place.options = place.options.clone().with_retries(2);
        place.add().await.unwrap();
        assert_eq!(fs::read(place.folder().join(WEIGHTS)).unwrap(), weights());
        assert_eq!(place.fake.of_weights().len(), 3);
    }
}

#[tokio::test]
async fn a_file_with_another_hash_is_refused_and_removed() {
    let place = Place::new(Faults {
        is_forged: true.into(),
        ..Faults::default()
    })
    .await;
    let error = place.add().await.unwrap_err();
    assert!(
        matches!(&error, Error::Damaged { file, .. } if file == WEIGHTS),
        "{error:?}"
    );
    assert!(!place.part().exists() && !place.folder().exists());
    // What was right is not received again.
    place.fake.faults.is_forged.store(false, Ordering::SeqCst);
    let before = place.fake.asked().len();
    place.add().await.unwrap();
    assert_eq!(place.fake.asked().len(), before + 3);
}

#[tokio::test]
async fn a_file_that_is_longer_than_listed_is_not_received_to_its_end() {
    let place = Place::new(Faults {
        is_longer: true,
        ..Faults::default()
    })
    .await;
    let error = place.add().await.unwrap_err();
    assert!(error.to_string().contains("more than"), "{error}");
    assert!(!place.part().exists());
}

#[tokio::test]
async fn a_model_that_is_there_is_checked_and_only_made_anew_if_it_changed() {
    let place = Place::new(Faults::default()).await;
    let wanted = HubModel::new(REPOSITORY)
        .unwrap()
        .with_revision(COMMIT)
        .unwrap();
    let first = place.add_with(&wanted, &|_| ()).await.unwrap();
    let before = place.fake.asked().len();
    assert_eq!(place.add_with(&wanted, &|_| ()).await.unwrap(), first);
    assert_eq!(place.fake.asked().len(), before, "a commit does not change");
    assert_eq!(place.add().await.unwrap(), first);
    assert_eq!(place.fake.asked().len(), before + 1, "a branch may change");
    fs::write(place.folder().join(WEIGHTS), "damaged").unwrap();
    assert_eq!(place.add_with(&wanted, &|_| ()).await.unwrap(), first);
    assert_eq!(fs::read(place.folder().join(WEIGHTS)).unwrap(), weights());
    assert!(place.models.remove("a-model").unwrap());
    assert!(!place.folder().exists());
    assert!(!place.models.remove("a-model").unwrap());
}

#[tokio::test]
async fn what_an_earlier_replacement_left_behind_is_in_nobodys_way() {
    let place = Place::new(Faults::default()).await;
    place.add().await.unwrap();
    let left = place.models.folder().join(".incoming/a-model/old");
    fs::create_dir_all(&left).unwrap();
    fs::write(left.join("model.json"), "{}").unwrap();
    fs::write(place.folder().join(WEIGHTS), "changed").unwrap();
    place.add().await.unwrap();
    assert!(!left.exists());
    assert_eq!(fs::read(place.folder().join(WEIGHTS)).unwrap(), weights());
}

#[tokio::test]
async fn what_the_hub_refuses_is_said_with_what_to_do() {
    let check = async |status: u16, code: &'static str, expected: &str, advice: &str| {
        let faults = Faults {
            status: Some((status, code)),
            ..Faults::default()
        };
        let mut place = Place::new(faults).await;
        place.options = place.options.clone().with_token("hf_secret");
        let error = place.add().await.unwrap_err();
        assert!(
            format!("{error:?}").starts_with(expected),
            "{status}: {error:?}"
        );
        let chain = format!("{error} {:?}", std::error::Error::source(&error));
        assert!(
            chain.contains(advice) && chain.contains(&status.to_string()),
            "{chain}"
        );
        assert!(!format!("{error:?}{:?}", place.options).contains("hf_secret"));
        assert!(!place.folder().exists());
    };
    check(404, "", "NotFound", "so says the hub").await;
    // The hub says so of what it does not show.
    check(401, "RepoNotFound", "NotFound", "give a token").await;
    check(401, "GatedRepo", "Forbidden", "accept its conditions").await;
    check(403, "GatedRepo", "Forbidden", "some-org/a-model").await;
    check(429, "", "Unavailable", "so says the hub").await;
    check(503, "", "Unavailable", "so says the hub").await;
    check(400, "", "Refused", "so says the hub").await;
}

#[tokio::test]
async fn a_hub_that_is_silent_or_away_is_given_up() {
    let silence = Duration::from_mins(1);
    let mut place = Place::new(Faults {
        silence,
        ..Faults::default()
    })
    .await;
    place.options = place
        .options
        .clone()
        .with_timeout(Duration::from_millis(50));
    let error = place.add().await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
    let patient = place.options.clone().with_timeout(Duration::from_mins(1));
    place.options = patient.with_endpoint("http://127.0.0.1:9");
    let error = place.add().await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "cannot reach the model server http://127.0.0.1:9: connection refused"
    );
    for endpoint in ["huggingface.co", "ftp://host", "https://user:hidden@host"] {
        let options = HubOptions::default().with_endpoint(endpoint);
        let error = Hub::new(&options).unwrap_err();
        assert!(matches!(error, Error::Configuration { .. }), "{error:?}");
        assert!(!error.to_string().contains("hidden"), "{error}");
    }
}

#[tokio::test]
async fn the_token_goes_to_the_endpoint_alone() {
    let mut place = Place::new(Faults::default()).await;
    place.options = place.options.clone().with_token("hf_secret");
    place.add().await.unwrap();
    let (storage, hub): (Vec<_>, Vec<_>) = place
        .fake
        .asked()
        .into_iter()
        .partition(|asked| asked.path.starts_with("/storage"));
    assert!(
        hub.iter()
            .all(|asked| asked.key.as_deref() == Some("Bearer hf_secret"))
    );
    assert!(!storage.is_empty() && storage.iter().all(|asked| asked.key.is_none()));
}

#[tokio::test]
async fn two_at_once_receive_a_model_once() {
    let place = Place::new(Faults::default()).await;
    let (one, other) = tokio::join!(place.add(), place.add());
    assert_eq!(one.unwrap(), other.unwrap());
    assert_eq!(place.fake.of_weights().len(), 1);
}

#[tokio::test]
async fn a_model_that_cannot_run_here_is_refused_before_its_weights_come() {
    let other = json!({"model_type": "mpnet"});
    let place = Place::with_config(Faults::default(), &other).await;
    let error = place.add().await.unwrap_err();
    assert!(matches!(&error, Error::Refused { .. }), "{error:?}");
    assert!(error.to_string().contains("mpnet"), "{error}");
    assert!(place.fake.of_weights().is_empty());
}

#[tokio::test]
async fn a_model_that_classifies_pairs_is_a_reranker() {
    let architectures = json!(["BertForSequenceClassification"]);
    let config = json!({"model_type": "bert", "architectures": architectures});
    let place = Place::with_config(Faults::default(), &config).await;
    assert_eq!(place.add().await.unwrap().kind, ModelKind::Reranker);
}

#[tokio::test]
async fn a_folder_that_was_put_there_by_hand_is_left_alone() {
    let place = Place::new(Faults::default()).await;
    fs::create_dir_all(place.folder()).unwrap();
    fs::write(place.folder().join("mine"), "mine").unwrap();
    let error = place.add().await.unwrap_err();
    assert!(matches!(error, Error::Configuration { .. }), "{error:?}");
    assert_eq!(fs::read(place.folder().join("mine")).unwrap(), b"mine");
    let named = HubModel::new(REPOSITORY).unwrap().with_name("other");
    assert_eq!(place.add_with(&named, &|_| ()).await.unwrap().name, "other");
    for name in ["..", "a/b", ""] {
        let named = HubModel::new(REPOSITORY).unwrap().with_name(name);
        let error = place.add_with(&named, &|_| ()).await.unwrap_err();
        assert!(matches!(error, Error::Configuration { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn weights_that_the_hub_lists_otherwise_than_they_are_known_are_refused() {
    let place = Place::new(Faults::default()).await;
    let known = HubModel::new("all-MiniLM-L6-v2").unwrap();
    let error = place.add_with(&known, &|_| ()).await.unwrap_err();
    assert!(
        matches!(&error, Error::Damaged { file, .. } if file == WEIGHTS),
        "{error:?}"
    );
    assert!(place.fake.of_weights().is_empty());
}
