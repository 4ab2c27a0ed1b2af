//! Stops a graph before its last node, and finishes the run over the same SQLite file as another process would.
//!
//! ```sh
//! cargo run -p sectile-checkpoint-wesichain --example resume
//! ```

use sectile_checkpoint_sqlite::SqliteCheckpointer;
use sectile_checkpoint_wesichain::WesichainCheckpointer;
use serde::{Deserialize, Serialize};
use wesichain_core::WesichainError;
use wesichain_graph::{
    ExecutionOptions, GraphBuilder, GraphContext, GraphError, GraphNode, GraphState, StateSchema,
    StateUpdate,
};

/// What the graph works on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Letter {
    steps: Vec<String>,
}

impl StateSchema for Letter {
    type Update = Self;

    fn apply(current: &Self, update: Self) -> Self {
        Self {
            steps: [current.steps.clone(), update.steps].concat(),
        }
    }
}

struct Step(&'static str);

#[async_trait::async_trait]
impl GraphNode<Letter> for Step {
    async fn invoke_with_context(
        &self,
        _: GraphState<Letter>,
        _: &GraphContext,
    ) -> Result<StateUpdate<Letter>, WesichainError> {
        let steps = vec![self.0.to_owned()];
        Ok(StateUpdate::new(Letter { steps }))
    }
}

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite:{}", folder.path().join("runs.db").display());

    let before_sending = ExecutionOptions {
        interrupt_before: vec!["send".into()],
        ..Default::default()
    };
    match run(&url, before_sending).await? {
        Err(GraphError::Interrupted) => println!("stopped before `send`"),
        other => println!("not stopped: {other:?}"),
    }

    let on = ExecutionOptions {
        auto_resume: true,
        ..Default::default()
    };
    println!("done: {:?}", run(&url, on).await??.data.steps);
    Ok(())
}

/// Runs the graph with its checkpoints in a file, which is opened for this run alone.
async fn run(
    url: &str,
    options: ExecutionOptions,
) -> Result<Result<GraphState<Letter>, GraphError>, sectile_checkpoint::Error> {
    let records = SqliteCheckpointer::builder(url).connect().await?;
    records.migrate().await?;
    let graph = GraphBuilder::new()
        .add_node("write", Step("written"))
        .add_node("send", Step("sent"))
        .add_edge("write", "send")
        .set_entry("write")
        .with_checkpointer(WesichainCheckpointer::new(records.clone()), "letter")
        .build();
    let state = GraphState::new(Letter::default());
    let done = graph.invoke_graph_with_options(state, options).await;
    records.close().await?;
    Ok(done)
}
