//! Models that are known to run here, with what their authors publish of them.

use crate::ModelKind;

/// The prefix that the models of BAAI and Snowflake expect before a question.
const PASSAGES: &str = "Represent this sentence for searching relevant passages: ";

/// A model that [`HubModel::new`](super::HubModel::new) knows by its short name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownModel {
    /// The name.
    pub name: &'static str,
    /// Its kind.
    pub kind: ModelKind,
    /// The repository on the hub.
    pub repository: &'static str,
    /// The pinned commit of the repository.
    pub revision: &'static str,
    /// The size of the download, in millions of bytes.
    pub megabytes: u32,
    /// The number of dimensions of its vectors.
    pub dimensions: Option<usize>,
    /// The quality that its authors, or authors of a comparison, published.
    pub published: &'static str,
    /// The languages that it was trained on.
    pub languages: &'static str,
    /// The prefixes that it expects before a question and before a text.
    pub(super) prompts: [&'static str; 2],
    /// The SHA-256 of files at that commit.
    pub(super) pins: &'static [(&'static str, &'static str)],
}

const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";
const WEIGHTS: &str = "model.safetensors";

/// The vocabulary of BERT as several models have it.
const UNCASED: &str = "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66";

/// The models that are known by a short name, smaller ones first.
///
/// Retrieval is the mean nDCG@10 over the 15 sets of MTEB's English retrieval task, as the tables of
/// the BGE and Arctic models' cards have it.
pub const KNOWN_MODELS: &[KnownModel] = &[
    KnownModel {
        name: "all-MiniLM-L6-v2",
        kind: ModelKind::Embedder,
        repository: "sentence-transformers/all-MiniLM-L6-v2",
        revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        megabytes: 91,
        dimensions: Some(384),
        published: "MTEB retrieval 41.95",
        languages: "English",
        prompts: [""; 2],
        pins: &[
            (
                CONFIG,
                "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            ),
            (
                TOKENIZER,
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            ),
            (
                WEIGHTS,
                "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            ),
        ],
    },
    KnownModel {
        name: "gte-small",
        kind: ModelKind::Embedder,
        repository: "thenlper/gte-small",
        revision: "17e1f347d17fe144873b1201da91788898c639cd",
        megabytes: 67,
        dimensions: Some(384),
        published: "MTEB retrieval 49.46",
        languages: "English",
        prompts: [""; 2],
        pins: &[
            (
                CONFIG,
                "00273cdfb3e05c7304d180270bdef8adae45023e7bdfc396338bdd815943dc59",
            ),
            (
                TOKENIZER,
                "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
            ),
            (
                WEIGHTS,
                "9a1eb90bbac323ea08aa5629b624fe6ae75db121b904799c2266a1e2c2de22d2",
            ),
        ],
    },
    KnownModel {
        name: "e5-small-v2",
        kind: ModelKind::Embedder,
        repository: "intfloat/e5-small-v2",
        revision: "ffb93f3bd4047442299a41ebb6fa998a38507c52",
        megabytes: 134,
        dimensions: Some(384),
        published: "MTEB retrieval 49.04",
        languages: "English",
        prompts: ["query: ", "passage: "],
        pins: &[
            (TOKENIZER, UNCASED),
            (
                WEIGHTS,
                "45bfa60070649aae2244fbc9d508537779b93b6f353c17b0f95ceccb1c5116c1",
            ),
        ],
    },
    KnownModel {
        name: "bge-small-en-v1.5",
        kind: ModelKind::Embedder,
        repository: "BAAI/bge-small-en-v1.5",
        revision: "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
        megabytes: 134,
        dimensions: Some(384),
        published: "MTEB retrieval 51.68",
        languages: "English",
        prompts: [PASSAGES, ""],
        pins: &[
            (
                CONFIG,
                "094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750",
            ),
            (TOKENIZER, UNCASED),
            (
                WEIGHTS,
                "3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad",
            ),
        ],
    },
    KnownModel {
        name: "snowflake-arctic-embed-s",
        kind: ModelKind::Embedder,
        repository: "Snowflake/snowflake-arctic-embed-s",
        revision: "e596f507467533e48a2e17c007f0e1dacc837b33",
        megabytes: 134,
        dimensions: Some(384),
        published: "MTEB retrieval 51.98",
        languages: "English",
        prompts: [PASSAGES, ""],
        pins: &[
            (
                CONFIG,
                "4e519aa92ec40943356032afe458c8829d70c5766b109e4a57490b82f72dcfb7",
            ),
            (
                TOKENIZER,
                "91f1def9b9391fdabe028cd3f3fcc4efd34e5d1f08c3bf2de513ebb5911a1854",
            ),
        ],
    },
    KnownModel {
        name: "bge-base-en-v1.5",
        kind: ModelKind::Embedder,
        repository: "BAAI/bge-base-en-v1.5",
        revision: "a5beb1e3e68b9ab74eb54cfd186867f64f240e1a",
        megabytes: 439,
        dimensions: Some(768),
        published: "MTEB retrieval 53.25",
        languages: "English",
        prompts: [PASSAGES, ""],
        pins: &[
            (
                CONFIG,
                "bc00af31a4a31b74040d73370aa83b62da34c90b75eb77bfa7db039d90abd591",
            ),
            (TOKENIZER, UNCASED),
            (
                WEIGHTS,
                "c7c1988aae201f80cf91a5dbbd5866409503b89dcaba877ca6dba7dd0a5167d7",
            ),
        ],
    },
    KnownModel {
        name: "multilingual-e5-small",
        kind: ModelKind::Embedder,
        repository: "intfloat/multilingual-e5-small",
        revision: "614241f622f53c4eeff9890bdc4f31cfecc418b3",
        megabytes: 488,
        dimensions: Some(384),
        published: "Mr. TyDi MRR@10 64.4",
        languages: "about 100",
        prompts: ["query: ", "passage: "],
        pins: &[
            (
                CONFIG,
                "69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959",
            ),
            (
                TOKENIZER,
                "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
            ),
            (
                WEIGHTS,
                "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
            ),
        ],
    },
    KnownModel {
        name: "ms-marco-MiniLM-L6-v2",
        kind: ModelKind::Reranker,
        repository: "cross-encoder/ms-marco-MiniLM-L6-v2",
        revision: "233902d25c440f23af6f7d6e94d2946bac0bee0a",
        megabytes: 92,
        dimensions: None,
        published: "TREC DL 19 nDCG@10 74.30",
        languages: "English",
        prompts: [""; 2],
        pins: &[
            (
                CONFIG,
                "380e02c93f431831be65d99a4e7e5f67c133985bf2e77d9d4eba46847190bacc",
            ),
            (TOKENIZER, UNCASED),
            (
                WEIGHTS,
                "821d1aa69520101d6e0737f78a042ae25b19e5cb9160701909d10434f4aeb0ae",
            ),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_has_a_name_of_its_own_a_commit_and_hashes() {
        let is_hex = |text: &str, length| {
            text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        for (at, model) in KNOWN_MODELS.iter().enumerate() {
            assert!(
                KNOWN_MODELS[..at]
                    .iter()
                    .all(|other| other.name != model.name)
            );
            assert!(model.repository.ends_with(&format!("/{}", model.name)));
            assert!(is_hex(model.revision, 40), "{}", model.name);
            assert!(
                model.pins.iter().all(|(_, hash)| is_hex(hash, 64)),
                "{}",
                model.name
            );
            assert!(!model.pins.is_empty(), "{}", model.name);
        }
    }
}
