//! The tools.

mod get;
mod ingest;
mod list;
mod memory;
mod search;
mod status;
mod toc;

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;

use crate::Server;
use crate::answer::Answer;
use crate::arguments::{read, whole};
use crate::handler::Handler;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::schema;

/// Lists the tools of a server, in the order in which they are used.
pub(crate) fn all(server: &Server) -> Vec<Tool> {
    let mut tools = vec![
        search::tool(server),
        toc::tool(),
        get::tool(),
        list::tool(),
        status::tool(),
    ];
    if !server.is_read_only {
        tools.extend([ingest::tool(server), memory::remember(), memory::forget()]);
    }
    tools
}

/// Answers a call of one of the tools.
pub(crate) async fn call(
    handler: &Handler,
    tool: &Tool,
    arguments: Option<JsonObject>,
    progress: &Progress,
) -> Answer {
    let asked = arguments.as_ref().and_then(|all| all.get("max_tokens"));
    let asked = asked.and_then(whole).map(|max| max as usize);
    let answer = answer(handler, tool, arguments, progress).await;
    answer.unwrap_or_else(|problem| in_budget(handler, &problem, asked))
}

async fn answer(
    handler: &Handler,
    tool: &Tool,
    arguments: Option<JsonObject>,
    progress: &Progress,
) -> Result<Answer, Problem> {
    match &*tool.name {
        "search" => search::call(handler, read(tool, arguments)?).await,
        "toc" => toc::call(handler, read(tool, arguments)?).await,
        "get" => get::call(handler, read(tool, arguments)?).await,
        "list" => list::call(handler, read(tool, arguments)?).await,
        "status" => status::call(handler, read(tool, arguments)?).await,
        "ingest" => ingest::call(handler, read(tool, arguments)?, progress).await,
        "remember" => memory::call_remember(handler, read(tool, arguments)?).await,
        "forget" => memory::call_forget(handler, read(tool, arguments)?).await,
        name => unreachable!("`{name}` is not among the tools"),
    }
}

fn in_budget(handler: &Handler, problem: &Problem, asked: Option<usize>) -> Answer {
    let budget = handler.budget(asked).or_else(|_| handler.budget(None));
    match budget {
        Ok(budget) => budget.fit_problem(problem),
        Err(_) => unreachable!("the default is in range"),
    }
}

/// The effect of a tool, for its annotations.
enum Effect {
    /// Nothing.
    Reads,
    /// Brings the store up to date with files or sites.
    Updates,
    /// Adds to the store each time.
    Adds,
    /// Takes something away.
    Removes,
}

/// Makes a tool whose arguments and facts are of these types.
fn tool<Arguments: JsonSchema, Facts: JsonSchema>(
    name: &'static str,
    effect: &Effect,
    description: String,
) -> Tool {
    // The protocol's defaults for annotations that are left out: a tool writes, destroys, is not idempotent and reaches
    // the outside world.
    let annotations = match effect {
        Effect::Reads => ToolAnnotations::new().read_only(true),
        Effect::Updates | Effect::Removes => ToolAnnotations::new().idempotent(true),
        Effect::Adds => ToolAnnotations::new().destructive(false),
    };
    let arguments = schema::of_arguments::<Arguments>();
    Tool::new(name, description, Arc::new(arguments))
        .with_raw_output_schema(schema::of_facts::<Facts>())
        .with_annotations(annotations)
}
