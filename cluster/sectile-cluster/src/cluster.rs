//! The processes of a cluster: Ballista's own, with our functions.

use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::Context as _;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use sectile::load::Limits;

use crate::args::{ExecutorArguments, SchedulerArguments};
use crate::codec::{Plans, Tables};
use crate::session::{functions, registry, state};
use crate::stores::Stores;

/// Runs a scheduler until the process ends.
pub(crate) async fn schedule(arguments: SchedulerArguments) -> anyhow::Result<()> {
    // A scheduler plans; it loads no file.
    let functions = functions(Limits::default(), NonZeroUsize::MIN)?;
    let stores = Arc::<Stores>::default();
    let config = SchedulerConfig {
        bind_host: arguments.bind.ip().to_string(),
        bind_port: arguments.bind.port(),
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        executor_timeout_seconds: arguments.executor_timeout,
        expire_dead_executor_interval_seconds: (arguments.executor_timeout / 3).max(1),
        no_executors_grace_period_seconds: arguments.executor_timeout,
        override_logical_codec: Some(Arc::new(Tables::default())),
        override_physical_codec: Some(Arc::new(Plans::default())),
        override_session_builder: Some(Arc::new(move |config| state(config, &functions, &stores))),
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let served = start_server(cluster, arguments.bind, Arc::new(config)).await;
    served.with_context(|| format!("the scheduler at {} ended", arguments.bind))
}

/// Runs an executor until the process ends.
pub(crate) async fn execute(arguments: ExecutorArguments) -> anyhow::Result<()> {
    let defaults = ExecutorProcessConfig::default();
    let port = arguments.bind.port();
    let flight = port
        .checked_add(1)
        .context("the port after this one is none")?;
    let host = arguments.bind.ip();
    anyhow::ensure!(
        arguments.advertise.is_some() || !host.is_unspecified(),
        "name the address by which other machines reach this one with --advertise, as {host} is none"
    );
    let (stores, folder) = (Arc::<Stores>::default(), arguments.work_dir.clone());
    let tasks = arguments.tasks.unwrap_or(defaults.vcores);
    let processes = arguments.file_processes.or(NonZeroUsize::new(tasks));
    let functions = functions(
        arguments.files.limits(),
        processes.unwrap_or(NonZeroUsize::MIN),
    )?;
    let config = ExecutorProcessConfig {
        bind_host: host.to_string(),
        external_host: Some(arguments.advertise.unwrap_or(host.to_string())),
        port: flight,
        grpc_port: port,
        scheduler_host: arguments.scheduler.host,
        scheduler_port: arguments.scheduler.port,
        scheduler_connect_timeout_seconds: 60,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        vcores: tasks,
        work_dir: arguments
            .work_dir
            .map(|folder| folder.display().to_string()),
        memory_pool_size: arguments.memory,
        executor_heartbeat_interval_seconds: 5,
        override_logical_codec: Some(Arc::new(Tables::default())),
        override_physical_codec: Some(Arc::new(Plans::default())),
        override_runtime_producer: Some(Arc::new(move |_| stores.runtime(folder.as_deref()))),
        override_function_registry: Some(registry(&functions)),
        ..defaults
    };
    let ran = start_executor_process(Arc::new(config)).await;
    ran.with_context(|| format!("the executor at {} ended", arguments.bind))
}
