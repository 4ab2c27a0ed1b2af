//! Sessions that know Sectile's functions.

use std::num::NonZeroUsize;
use std::sync::Arc;

use ballista::prelude::{SessionConfigExt as _, SessionContextExt as _};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::default_session_builder;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use sectile::load::{FileLoader, Limits, LoadOptions, Workers};
use sectile_datafusion::Functions;

use crate::args::Address;
use crate::codec::Tables;
use crate::stores::Stores;

/// How large the parts of a file are that is written, in bytes. As many rows are read at a time, at the most.
pub(crate) const ROW_GROUP: usize = 16 << 20;

/// Makes the functions: files are parsed in processes of their own, of which so many run at once, whatever the number of
/// partitions.
pub(crate) fn functions(limits: Limits, processes: NonZeroUsize) -> anyhow::Result<Functions> {
    let workers = Workers::of_this_program(crate::WORKER)?.with_most(processes);
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    Ok(Functions::new(
        FileLoader::new(options).with_workers(workers),
    ))
}

/// Sets what a job needs: one task for a part, and memory that is bounded by bytes, not by rows. Only a writer of one
/// thread looks at bytes, and it looks after each few rows.
fn for_jobs(config: SessionConfig) -> SessionConfig {
    let parquet = |name: &str| format!("datafusion.execution.parquet.{name}");
    Functions::configure(config)
        .with_target_partitions(1)
        .with_repartition_file_scans(false)
        .set_bool(&parquet("allow_single_file_parallelism"), false)
        .set_usize(&parquet("max_row_group_bytes"), ROW_GROUP)
        .set_usize(&parquet("write_batch_size"), 8)
        // A view of a text keeps all that was read with it.
        .set_bool(&parquet("schema_force_view_types"), false)
}

/// What makes sessions of a run. They share the functions, with their models and worker processes, and what connects to
/// buckets.
pub(crate) struct Sessions {
    scheduler: Option<Address>,
    functions: Functions,
    stores: Arc<Stores>,
}

impl Sessions {
    /// Makes sessions of a cluster, or of this process.
    pub(crate) fn new(
        scheduler: Option<Address>,
        limits: Limits,
        processes: NonZeroUsize,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            scheduler,
            functions: functions(limits, processes)?,
            stores: Arc::default(),
        })
    }

    pub(crate) fn stores(&self) -> &Stores {
        &self.stores
    }

    /// Opens a session of this process that has no functions of ours.
    pub(crate) fn open_here(&self) -> datafusion::error::Result<SessionContext> {
        let runtime = self.stores.runtime(None)?;
        let config = for_jobs(SessionConfig::new());
        Ok(SessionContext::new_with_config_rt(config, runtime))
    }

    /// Opens a session.
    pub(crate) async fn open(&self) -> datafusion::error::Result<SessionContext> {
        let mut context = match &self.scheduler {
            None => self.open_here()?,
            Some(scheduler) => {
                let config = SessionConfig::new_with_ballista()
                    .with_ballista_logical_extension_codec(Arc::new(Tables::default()));
                let state = SessionStateBuilder::new()
                    .with_default_features()
                    .with_config(for_jobs(config))
                    .with_runtime_env(self.stores.runtime(None)?)
                    .build();
                SessionContext::remote_with_state(&format!("df://{scheduler}"), state).await?
            }
        };
        // A state that becomes a remote one has the engine's functions alone.
        self.functions.register(&mut context)?;
        Ok(context)
    }
}

/// Makes the state of a session on the scheduler.
pub(crate) fn state(
    config: SessionConfig,
    functions: &Functions,
    stores: &Arc<Stores>,
) -> datafusion::error::Result<SessionState> {
    let state = default_session_builder(config)?;
    let mut state = SessionStateBuilder::new_from_existing(state)
        .with_runtime_env(stores.runtime(None)?)
        .build();
    functions.register(&mut state)?;
    Ok(state)
}

/// Makes what executors know: all functions of the engine, and ours.
pub(crate) fn registry(functions: &Functions) -> Arc<BallistaFunctionRegistry> {
    let mut registry = BallistaFunctionRegistry::default();
    for function in functions.all() {
        let known = &mut registry.scalar_functions;
        known.insert(function.name().to_owned(), function);
    }
    Arc::new(registry)
}
