//! The configuration files of a sentence-transformers folder.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::bert::Configuration;
use super::folder::Folder;
use crate::added::RECORD;
use crate::{Purpose, Result};

const CONFIGURATION: &str = "config.json";
const MODULES: &str = "modules.json";

/// How the vectors of the tokens become the vector of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    /// The first token's, which stands for the whole.
    First,
    /// The mean of all.
    Mean,
}

/// The part of a model that makes rows of numbers of texts.
pub(super) struct Encoding {
    pub(super) bert: Configuration,
    /// The maximum number of tokens of a text, or of a pair, including special tokens.
    pub(super) max_tokens: usize,
    /// Whether text is made lower case before the tokenizer sees it.
    pub(super) is_lower_case: bool,
    /// Whether it reads two texts at once.
    pub(super) is_pair: bool,
}

impl Encoding {
    fn read(folder: &Folder, is_pair: bool) -> Result<Self> {
        let bert = configuration(folder)?;
        let limits: Limits = optional(folder, "sentence_bert_config.json")?;
        Ok(Self {
            max_tokens: max_tokens(folder, &limits, &bert)?,
            is_lower_case: limits.do_lower_case,
            bert,
            is_pair,
        })
    }
}

/// An embedding model as its folder describes it.
pub(super) struct Layout {
    pub(super) encoding: Encoding,
    pub(super) pooling: Pooling,
    pub(super) is_normalized: bool,
    pub(super) prompts: Prompts,
}

impl Layout {
    pub(super) fn read(folder: &Folder) -> Result<Self> {
        let modules = Modules::read(folder)?;
        let encoding = Encoding::read(folder, false)?;
        let mut prompts: Prompts = optional(folder, "config_sentence_transformers.json")?;
        if prompts.prompts.is_empty() {
            // Of a model that was added they may be known though its own files do not have them.
            prompts = optional(folder, RECORD)?;
        }
        Ok(Self {
            encoding,
            pooling: pooling(folder, &modules.pooling, &prompts)?,
            is_normalized: modules.is_normalized,
            prompts,
        })
    }
}

/// A cross-encoder as its folder describes it.
pub(super) struct RerankerLayout {
    pub(super) encoding: Encoding,
    pub(super) head: HeadNames,
}

/// What the two matrices after an encoder are called.
pub(super) struct HeadNames {
    pub(super) dense: &'static str,
    pub(super) score: &'static str,
}

impl RerankerLayout {
    pub(super) fn read(folder: &Folder) -> Result<Self> {
        let encoding = Encoding::read(folder, true)?;
        let task: Task = folder.json(CONFIGURATION)?;
        task.check().map_err(|reason| folder.error(reason))?;
        let head = if encoding.bert.is_roberta() {
            HeadNames {
                dense: "classifier.dense",
                score: "classifier.out_proj",
            }
        } else {
            HeadNames {
                dense: "pooler.dense",
                score: "classifier",
            }
        };
        Ok(Self { encoding, head })
    }
}

/// What a model was trained for.
#[derive(Deserialize)]
struct Task {
    #[serde(default)]
    architectures: Vec<String>,
    #[serde(default)]
    id2label: BTreeMap<String, Value>,
}

impl Task {
    fn check(&self) -> Result<(), String> {
        let is_scorer = |name: &String| name.ends_with("ForSequenceClassification");
        if !self.architectures.iter().any(is_scorer) {
            return Err(format!(
                "`{CONFIGURATION}` says that the model is {:?}: use a cross-encoder, which is                  `BertForSequenceClassification` or another for sequence classification",
                self.architectures
            ));
        }
        // Without labels there are two.
        let labels = if self.id2label.is_empty() {
            2
        } else {
            self.id2label.len()
        };
        if labels != 1 {
            return Err(format!(
                "`{CONFIGURATION}` says that the model has {labels} labels: use a cross-encoder                  with one"
            ));
        }
        Ok(())
    }
}

/// The steps from text to vector. Only these three are supported.
struct Modules {
    /// The folder of the second.
    pooling: String,
    is_normalized: bool,
}

impl Modules {
    /// A model that does not list its steps has the usual ones.
    fn read(folder: &Folder) -> Result<Self> {
        let usual = || Self {
            pooling: "1_Pooling".to_owned(),
            is_normalized: true,
        };
        let listed: Option<Vec<Module>> = folder.json_if_there(MODULES)?;
        listed.map_or_else(|| Ok(usual()), |modules| Self::of(folder, &modules))
    }

    fn of(folder: &Folder, modules: &[Module]) -> Result<Self> {
        let kinds: Vec<&str> = modules.iter().map(Module::kind).collect();
        let is_normalized = match kinds[..] {
            ["Transformer", "Pooling"] => false,
            ["Transformer", "Pooling", "Normalize"] => true,
            _ => {
                return Err(folder.error(format!(
                    "`{MODULES}` lists the steps {kinds:?}: use a model with the steps \
                     Transformer, Pooling and, if wanted, Normalize"
                )));
            }
        };
        if !modules[0].path.is_empty() {
            let path = &modules[0].path;
            return Err(folder.error(format!(
                "`{MODULES}` puts the transformer into `{path}`: use a model that has it beside \
                 that file"
            )));
        }
        Ok(Self {
            pooling: modules[1].path.clone(),
            is_normalized,
        })
    }
}

#[derive(Deserialize)]
struct Module {
    path: String,
    r#type: String,
}

impl Module {
    /// Returns the type without its Python package, which releases have renamed.
    fn kind(&self) -> &str {
        self.r#type.rsplit('.').next().unwrap_or_default()
    }
}

#[derive(Default, Deserialize)]
struct Limits {
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: bool,
}

/// The tokenizer's own limit, which is 1e30 where it has none.
#[derive(Default, Deserialize)]
struct TokenizerLimits {
    model_max_length: Option<f64>,
}

/// Returns the first limit that is written down, or what the model has positions for.
fn max_tokens(folder: &Folder, limits: &Limits, bert: &Configuration) -> Result<usize> {
    let tokenizer: TokenizerLimits = optional(folder, "tokenizer_config.json")?;
    let positions = bert.positions();
    let most = limits.max_seq_length.map_or_else(
        || tokenizer.model_max_length.unwrap_or(f64::INFINITY),
        |tokens| tokens as f64,
    );
    #[expect(
        clippy::cast_sign_loss,
        reason = "a limit below 0 is none, and is refused as that"
    )]
    Ok((most as usize).min(positions))
}

fn optional<T: Default + DeserializeOwned>(folder: &Folder, file: &str) -> Result<T> {
    Ok(folder.json_if_there(file)?.unwrap_or_default())
}

fn configuration(folder: &Folder) -> Result<Configuration> {
    let value: Value = folder.json(CONFIGURATION)?;
    let wanted = "use a model of the architecture `bert`, `roberta` or `xlm-roberta`";
    match value.get("model_type").and_then(Value::as_str) {
        Some("bert" | "roberta" | "xlm-roberta") => {}
        Some(other) => {
            return Err(folder.error(format!(
                "`{CONFIGURATION}` says that its architecture is `{other}`: {wanted}"
            )));
        }
        None => {
            return Err(folder.error(format!("`{CONFIGURATION}` names no `model_type`: {wanted}")));
        }
    }
    let bert: Configuration = folder.json(CONFIGURATION)?;
    bert.check()
        .map_err(|reason| folder.error(format!("`{CONFIGURATION}` is wrong: {reason}")))?;
    Ok(bert)
}

fn pooling(folder: &Folder, path: &str, prompts: &Prompts) -> Result<Pooling> {
    let file = format!("{path}/config.json");
    let settings: BTreeMap<String, Value> = folder.json(&file)?;
    let leaves_out = settings.get("include_prompt") == Some(&Value::Bool(false));
    if leaves_out && !prompts.prompts.is_empty() {
        return Err(folder.error(format!(
            "`{file}` leaves the prompt out of the vector: use a model that does not"
        )));
    }
    let modes = pooling_modes(&settings);
    match modes[..] {
        ["cls_token" | "cls"] => Ok(Pooling::First),
        ["mean_tokens" | "mean"] => Ok(Pooling::Mean),
        _ => Err(folder.error(format!(
            "`{file}` wants the pooling {modes:?}: use a model with the pooling `mean` or `cls`"
        ))),
    }
}

/// Newer releases write one name, older ones a switch for each.
fn pooling_modes(settings: &BTreeMap<String, Value>) -> Vec<&str> {
    if let Some(mode) = settings.get("pooling_mode").and_then(Value::as_str) {
        return vec![mode];
    }
    let on = settings.iter().filter(|(_, value)| **value == true);
    on.filter_map(|(name, _)| name.strip_prefix("pooling_mode_"))
        .collect()
}

/// The prefixes that a model expects before a text, by the purpose of the text.
#[derive(Default, Deserialize)]
pub(super) struct Prompts {
    #[serde(default)]
    prompts: BTreeMap<String, String>,
    default_prompt_name: Option<String>,
}

impl Prompts {
    /// Returns what to put before a text.
    pub(super) fn prompt(&self, purpose: Purpose) -> &str {
        let names: &[&str] = match purpose {
            Purpose::Query => &["query"],
            Purpose::Document => &["document", "passage", "corpus"],
        };
        let mut names = names
            .iter()
            .copied()
            .chain(self.default_prompt_name.as_deref());
        names
            .find_map(|name| self.prompts.get(name))
            .map_or("", String::as_str)
    }
}
