//! A small runtime of one's own: a loop with tools that may be killed at any moment and started again,
//! and does no finished tool call again.
//!
//! ```text
//! cargo run -p sectile-checkpoint --example agent_loop -- FOLDER
//! ```
//!
//! Each step calls some tools. What a tool returned is kept beside the checkpoint that the step began
//! with; when all of them are done the results become the next state. Two lines in `FOLDER/calls.log`
//! say of a call that it was made and that what it returned is kept. Only a call between the two, which
//! was under way when the process was killed, may be made again.

#![expect(clippy::print_stdout, reason = "it is an example")]

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use sectile_checkpoint::{
    At, Checkpoint, Checkpointer as _, Error, FileCheckpointer, Key, RecordsExt as _, Result,
    TaskWrites, TypedValue,
};
use serde::{Deserialize, Serialize};

/// The thread of the run.
const THREAD: &str = "agent";

/// How many steps the run has, and how many tools a step calls.
const STEPS: u64 = 5;
const TOOLS: usize = 4;

/// How long a tool takes.
const TOOL_TIME: Duration = Duration::from_millis(5);

/// What the agent knows.
#[derive(Default, Serialize, Deserialize)]
struct State {
    results: Vec<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "agent".into());
    let folder = Path::new(&folder);
    let checkpointer = FileCheckpointer::new(folder.join("checkpoints"))?;
    let mut checkpoint = match checkpointer.load_as::<State>(THREAD).await? {
        Some(newest) => newest,
        None => begin(&checkpointer).await?,
    };
    while checkpoint.step < STEPS {
        let results = call_tools(&checkpointer, &checkpoint, folder).await?;
        let mut state = checkpoint.state;
        state.results.extend(results);
        let mut next = Checkpoint::new(THREAD, state).at_step(checkpoint.step + 1, "agent");
        next.parent_seq = Some(checkpoint.seq);
        next.seq = checkpointer.save(&next).await?.seq;
        checkpoint = next;
    }
    println!("{} results", checkpoint.state.results.len());
    Ok(())
}

async fn begin(checkpointer: &FileCheckpointer) -> Result<Checkpoint<State>> {
    let mut first = Checkpoint::new(THREAD, State::default());
    first.seq = checkpointer.save(&first).await?.seq;
    Ok(first)
}

/// Returns what the tools of a step return, calling those that have not returned yet.
async fn call_tools(
    checkpointer: &FileCheckpointer,
    checkpoint: &Checkpoint<State>,
    folder: &Path,
) -> Result<Vec<String>> {
    let (key, at) = (Key::from(THREAD), At::Seq(checkpoint.seq));
    let done = checkpointer.pending_writes(&key, &at).await?;
    let mut results = Vec::new();
    for tool in 0..TOOLS {
        let task = format!("tool-{tool}");
        let kept = done.iter().find(|done| done.task_id == task);
        let value = if let Some(kept) = kept {
            kept.write.value.clone()
        } else {
            let call = format!("{task} of step {}", checkpoint.step);
            let value = TypedValue::json(&make(&call, folder).await?)?;
            let writes = TaskWrites::new(&*task).write("results", value.clone());
            checkpointer.put_writes(&key, &at, &writes).await?;
            log(folder, "kept", &call)?;
            value
        };
        results.push(value.as_json().unwrap_or_default().to_owned());
    }
    Ok(results)
}

/// Makes a call that has an effect, here a line in the log, and returns its result.
async fn make(call: &str, folder: &Path) -> Result<String> {
    tokio::time::sleep(TOOL_TIME).await;
    log(folder, "made", call)?;
    Ok(format!("the result of {call}"))
}

/// Appends a line to the log, in one write: a kill leaves a whole line or none.
fn log(folder: &Path, what: &str, call: &str) -> Result<()> {
    let failed = |source: std::io::Error| Error::Backend {
        doing: "log a call",
        source: source.into(),
    };
    let mut options = OpenOptions::new();
    let log = options.append(true).create(true);
    let mut log = log.open(folder.join("calls.log")).map_err(failed)?;
    let line = format!("{what} {call}\n");
    log.write_all(line.as_bytes()).map_err(failed)
}
