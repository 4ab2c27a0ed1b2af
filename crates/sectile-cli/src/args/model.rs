//! Models: which are used, and where they come from.

use std::time::Duration;

use clap::{Args, Subcommand};
use sectile::RerankOptions;

use super::range::{duration, whole};

/// Download, list and remove models that run in this process
///
/// A model is downloaded once, into your data directory or the folder that `SECTILE_MODELS` names.
/// Nothing is downloaded unless you ask.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile model add all-MiniLM-L6-v2 && sectile search \"retry storms\" --in docs/ --mode hybrid
  sectile model add ms-marco-MiniLM-L6-v2 && sectile search \"retry storms\" --rerank
  sectile model add intfloat/e5-base-v2 --query-prompt 'query: ' --document-prompt 'passage: '
  sectile model list")]
pub(crate) struct ModelArguments {
    #[command(subcommand)]
    pub(crate) command: ModelCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    Add(AddArguments),
    /// List downloaded models, and models that can be added by name
    List,
    /// Remove downloaded models
    Rm {
        /// Names, as list shows them
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
}

/// Download a model, or resume a download
///
/// Every file is verified by its hash. If `HF_TOKEN` is set, it is sent to the hub and to no other server.
#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    /// Model: a name that list shows, or ORGANISATION/NAME of any model of the BERT family
    pub(crate) model: String,
    /// Branch, tag or commit [default: the commit that is known for the model, or main]
    #[arg(long, value_name = "REVISION")]
    pub(crate) revision: Option<String>,
    /// Local name [default: that of the model]
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Hub, or a mirror of it
    #[arg(
        long,
        value_name = "URL",
        env = "HF_ENDPOINT",
        default_value = "https://huggingface.co"
    )]
    pub(crate) endpoint: String,
    /// Prefix that the model expects before a question
    #[arg(long, value_name = "TEXT")]
    pub(crate) query_prompt: Option<String>,
    /// Prefix that the model expects before a text
    #[arg(long, value_name = "TEXT")]
    pub(crate) document_prompt: Option<String>,
}

/// How long a reranker may take, and how much it reads
#[derive(Debug, Args)]
#[command(next_help_heading = "Reranking")]
pub(crate) struct RerankArguments {
    /// Number of best hits that the reranker reads [default: 50]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(crate) rerank_depth: Option<usize>,
    /// Timeout, such as 500ms; when it expires, hits keep the first ranking [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) rerank_timeout: Option<Duration>,
    /// The collections that are always reranked, by the configuration file.
    #[arg(skip)]
    pub(crate) collections: Vec<String>,
}

impl RerankArguments {
    pub(crate) fn options(&self) -> RerankOptions {
        let usual = RerankOptions::default();
        RerankOptions {
            depth: self.rerank_depth.unwrap_or(usual.depth),
            timeout: self.rerank_timeout.unwrap_or(usual.timeout),
            collections: self.collections.clone(),
        }
    }

    /// Refuses options that change nothing, as no model reranks. `needed` is the option that names one.
    pub(crate) fn check_unused(&self, needed: &str) -> anyhow::Result<()> {
        let depth = self.rerank_depth.map(|_| "--rerank-depth");
        let timeout = self.rerank_timeout.map(|_| "--rerank-timeout");
        match depth.or(timeout) {
            Some(option) => anyhow::bail!("`{option}` changes nothing without `{needed}`: add it"),
            None => Ok(()),
        }
    }
}
