//! Sessions that know Sectile's functions.

use std::net::SocketAddr;
use std::sync::Arc;

use ballista::prelude::{SessionConfigExt as _, SessionContextExt as _};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::default_session_builder;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use sectile::load::{FileLoader, Limits, LoadOptions, Workers};
use sectile_datafusion::Functions;

/// Makes the functions: files are parsed in processes of their own.
pub(crate) fn functions(limits: Limits) -> anyhow::Result<Functions> {
    let workers = Workers::of_this_program(crate::WORKER)?;
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    Ok(Functions::new(
        FileLoader::new(options).with_workers(workers),
    ))
}

/// Sets what a job needs: one task for a part.
fn for_jobs(config: SessionConfig) -> SessionConfig {
    Functions::configure(config)
        .with_target_partitions(1)
        .with_repartition_file_scans(false)
}

/// Makes a session: of a cluster, or of this process.
pub(crate) async fn session(
    scheduler: Option<SocketAddr>,
    limits: Limits,
) -> anyhow::Result<SessionContext> {
    let functions = functions(limits)?;
    let Some(scheduler) = scheduler else {
        let mut context = SessionContext::new_with_config(for_jobs(SessionConfig::new()));
        functions.register(&mut context)?;
        return Ok(context);
    };
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(for_jobs(SessionConfig::new_with_ballista()))
        .build();
    let mut context =
        SessionContext::remote_with_state(&format!("df://{scheduler}"), state).await?;
    // A state that becomes a remote one has the engine's functions alone.
    functions.register(&mut context)?;
    Ok(context)
}

/// Makes the state of a session on the scheduler.
pub(crate) fn state(
    config: SessionConfig,
    functions: &Functions,
) -> datafusion::error::Result<SessionState> {
    let mut state = default_session_builder(config)?;
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
