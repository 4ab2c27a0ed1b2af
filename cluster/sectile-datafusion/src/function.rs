//! The functions, and what they share.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use datafusion::arrow::array::new_empty_array;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use datafusion::prelude::SessionConfig;
use sectile::load::FileLoader;
use sectile::models::Embedder;

use crate::{chunk, embed, extract, sections, tokens};

/// How many rows are in memory at once, for each partition.
const BATCH: usize = 64;

/// The functions of a process. Models and processes that parse files are shared by all partitions.
#[derive(Clone, Debug)]
pub struct Functions {
    shared: Arc<Shared>,
}

/// What functions share.
pub(crate) struct Shared {
    pub(crate) loader: FileLoader,
    /// Models that were opened, by their names.
    pub(crate) embedders: Mutex<BTreeMap<String, Arc<dyn Embedder>>>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Default for Functions {
    /// Loads files in this process, where one that is hostile can end it.
    fn default() -> Self {
        Self::new(FileLoader::default())
    }
}

impl Functions {
    /// Makes functions that load files with a loader: one with limits of its own, or with worker processes.
    pub fn new(loader: FileLoader) -> Self {
        Self {
            shared: Arc::new(Shared {
                loader,
                embedders: Mutex::default(),
            }),
        }
    }

    /// Adds a model that [`sectile::open_embedder`] does not know, under its name.
    #[must_use]
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Self {
        let name = embedder.model().name.clone();
        embed::known(&self.shared).insert(name, embedder);
        self
    }

    /// Returns the functions.
    pub fn all(&self) -> Vec<Arc<ScalarUDF>> {
        let function = |kind| {
            Arc::new(ScalarUDF::from(Function {
                kind,
                signature: Signature::user_defined(kind.volatility()),
                shared: Arc::clone(&self.shared),
            }))
        };
        Kind::ALL.map(function).into()
    }

    /// Sets what sessions with these functions need: few rows in memory at once, as each may be a document, and no
    /// rewriting of a document's fields into one call for each, for which the file would be loaded again.
    pub fn configure(config: SessionConfig) -> SessionConfig {
        let config = config.with_batch_size(BATCH);
        config.set_bool(
            "datafusion.optimizer.enable_leaf_expression_pushdown",
            false,
        )
    }

    /// Registers the functions, with a session or a cluster's executor.
    ///
    /// # Errors
    ///
    /// Those of the registry.
    pub fn register(&self, registry: &mut dyn FunctionRegistry) -> Result<()> {
        for function in self.all() {
            registry.register_udf(function)?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Extract,
    Sections,
    Chunk,
    Tokens,
    Embed,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::Extract,
        Self::Sections,
        Self::Chunk,
        Self::Tokens,
        Self::Embed,
    ];

    /// An optimizer repeats what is immutable wherever it is used: three fields of a document would load it three
    /// times. Only counting is cheap enough for that.
    const fn volatility(self) -> Volatility {
        match self {
            Self::Tokens => Volatility::Immutable,
            _ => Volatility::Volatile,
        }
    }
}

#[derive(Debug)]
struct Function {
    kind: Kind,
    signature: Signature,
    shared: Arc<Shared>,
}

// Functions of one process are alike, whatever they share.
impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        match self.kind {
            Kind::Extract => "sectile_extract",
            Kind::Sections => "sectile_sections",
            Kind::Chunk => "sectile_chunk",
            Kind::Tokens => "sectile_tokens",
            Kind::Embed => "sectile_embed",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        match self.kind {
            Kind::Extract => extract::takes(given),
            Kind::Sections => sections::takes(given),
            Kind::Chunk => chunk::takes(given),
            Kind::Tokens => tokens::takes(given),
            Kind::Embed => embed::takes(given),
        }
    }

    fn return_type(&self, _given: &[DataType]) -> Result<DataType> {
        Ok(match self.kind {
            Kind::Extract => extract::returns(),
            Kind::Sections => sections::returns(),
            Kind::Chunk => chunk::returns(),
            Kind::Tokens => tokens::returns(),
            Kind::Embed => embed::returns(),
        })
    }

    fn return_field_from_args(&self, given: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        match self.kind {
            Kind::Extract => extract::check(&given)?,
            Kind::Chunk => chunk::check(&given)?,
            Kind::Tokens => tokens::check(&given)?,
            Kind::Embed => embed::check(&given)?,
            Kind::Sections => {}
        }
        Ok(Arc::new(Field::new(
            self.name(),
            self.return_type(&[])?,
            true,
        )))
    }

    fn invoke_with_args(&self, given: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if given.number_rows == 0 {
            let array = new_empty_array(given.return_field.data_type());
            return Ok(ColumnarValue::Array(array));
        }
        let array = match self.kind {
            Kind::Extract => extract::invoke(&given, &self.shared.loader)?,
            Kind::Sections => sections::invoke(&given)?,
            Kind::Chunk => chunk::invoke(&given)?,
            Kind::Tokens => tokens::invoke(&given)?,
            Kind::Embed => embed::invoke(&given, &self.shared)?,
        };
        Ok(ColumnarValue::Array(array))
    }
}
