//! A graph that writes a story.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use wesichain_core::WesichainError;
use wesichain_core::checkpoint::Checkpointer;
use wesichain_graph::{
    ExecutableGraph, ExecutionOptions, GraphBuilder, GraphContext, GraphNode, GraphState,
    StateSchema, StateUpdate,
};

/// Grows by a line at each node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Story {
    pub(crate) lines: Vec<String>,
    pub(crate) weight: f64,
}

impl Story {
    pub(crate) fn of(lines: &[&str]) -> Self {
        Self {
            lines: lines.iter().map(|&line| line.to_owned()).collect(),
            weight: 0.0,
        }
    }

    pub(crate) fn sorted(mut self) -> Vec<String> {
        self.lines.sort();
        self.lines
    }
}

impl StateSchema for Story {
    type Update = Self;

    fn apply(current: &Self, update: Self) -> Self {
        Self {
            lines: [current.lines.clone(), update.lines].concat(),
            weight: current.weight + update.weight,
        }
    }
}

/// A node that writes its name.
struct Line;

#[async_trait]
impl GraphNode<Story> for Line {
    async fn invoke_with_context(
        &self,
        _: GraphState<Story>,
        context: &GraphContext,
    ) -> Result<StateUpdate<Story>, WesichainError> {
        Ok(StateUpdate::new(Story::of(&[&context.node_id])))
    }
}

/// A node that fails.
struct Broken;

#[async_trait]
impl GraphNode<Story> for Broken {
    async fn invoke_with_context(
        &self,
        _: GraphState<Story>,
        _: &GraphContext,
    ) -> Result<StateUpdate<Story>, WesichainError> {
        Err(WesichainError::Custom("no paper".into()))
    }
}

/// A draft, and two branches after it.
pub(crate) fn branching(
    checkpointer: impl Checkpointer<Story> + 'static,
    thread_id: &str,
) -> ExecutableGraph<Story> {
    GraphBuilder::new()
        .add_node("draft", Line)
        .add_node("left", Line)
        .add_node("right", Line)
        .add_edges("draft", &["left", "right"])
        .set_entry("draft")
        .with_checkpointer(checkpointer, thread_id)
        .build()
}

/// A draft and a print of it, for which there may be no paper.
pub(crate) fn printing(
    checkpointer: impl Checkpointer<Story> + 'static,
    thread_id: &str,
    has_paper: bool,
) -> ExecutableGraph<Story> {
    let graph = GraphBuilder::new().add_node("draft", Line);
    let graph = if has_paper {
        graph.add_node("print", Line)
    } else {
        graph.add_node("print", Broken)
    };
    graph
        .add_edge("draft", "print")
        .set_entry("draft")
        .with_checkpointer(checkpointer, thread_id)
        .build()
}

pub(crate) fn beginning() -> GraphState<Story> {
    GraphState::new(Story::default())
}

/// Stops a run before a node.
pub(crate) fn stop_before(node: &str) -> ExecutionOptions {
    ExecutionOptions {
        interrupt_before: vec![node.into()],
        ..ExecutionOptions::default()
    }
}

/// Lets a run go on where it stopped.
pub(crate) fn resume() -> ExecutionOptions {
    ExecutionOptions {
        auto_resume: true,
        ..ExecutionOptions::default()
    }
}
