//! The usual dialogues, which users of a client begin by name, as with `/`.

use rmcp::model::JsonObject;
use rmcp::model::{
    CompletionInfo, ErrorData, GetPromptResult, ListPromptsResult, Prompt, PromptArgument,
    PromptMessage, Role,
};
use sectile::Scope;
use serde_json::Value;

use crate::handler::Handler;
use crate::problem::{Problem, quoted};

/// A dialogue: what it is for, what it asks of the user, and what it tells the model.
struct Dialogue {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    /// The text, with `{name}` in the place of each argument.
    text: &'static str,
}

struct Argument {
    name: &'static str,
    description: &'static str,
    is_required: bool,
}

const COLLECTION: Argument = Argument {
    name: "collection",
    description: "Only documents of this collection",
    is_required: false,
};

const fn document(name: &'static str) -> Argument {
    Argument {
        name,
        description: "A document: its URI, its path or the end of its path",
        is_required: true,
    }
}

static DIALOGUES: [Dialogue; 3] = [
    Dialogue {
        name: "answer",
        title: "Answer from the documents",
        description: "Answers a question from the documents, with the places that say so",
        arguments: &[
            Argument {
                name: "question",
                description: "What you want to know",
                is_required: true,
            },
            COLLECTION,
        ],
        text: "Answer this question from the documents that Sectile holds: {question}\n\n\
            {collection}Search with its words, and once more with other words when the first hits do not \
            answer it. Read the sections that matter with `get` before you answer. Name the document, the \
            heading and the lines of each statement. Where the documents do not say it, say that.",
    },
    Dialogue {
        name: "summarize",
        title: "Summarize a document",
        description: "Summarizes a document section by section",
        arguments: &[document("document")],
        text: "Summarize the document `{document}` that Sectile holds. Begin with its `toc`. Read it with \
            `get`, section by section where it is long, and several `parts` at once. Write one paragraph \
            on the whole and a line for each of its main sections, with its heading.",
    },
    Dialogue {
        name: "compare",
        title: "Compare two documents",
        description: "Says what two documents have in common and where they differ",
        arguments: &[document("first"), document("second")],
        text: "Compare the documents `{first}` and `{second}` that Sectile holds. Begin with the `toc` of \
            both. Read the sections that correspond with `get`, several `parts` at once. Say what both \
            have, what only one has, and where they contradict each other, with headings and lines.",
    },
];

/// Lists the dialogues.
pub(crate) fn all() -> ListPromptsResult {
    let argument = |argument: &Argument| {
        PromptArgument::new(argument.name)
            .with_description(argument.description)
            .with_required(argument.is_required)
    };
    let prompt = |dialogue: &Dialogue| {
        let arguments = dialogue.arguments.iter().map(argument).collect();
        Prompt::new(dialogue.name, Some(dialogue.description), Some(arguments))
            .with_title(dialogue.title)
    };
    ListPromptsResult::with_all_items(DIALOGUES.iter().map(prompt).collect())
}

/// Returns the dialogue of a name.
fn dialogue(name: &str) -> Result<&'static Dialogue, ErrorData> {
    let found = DIALOGUES.iter().find(|dialogue| dialogue.name == name);
    found.ok_or_else(|| {
        let names = DIALOGUES.each_ref().map(|dialogue| dialogue.name);
        let names = names.join("`, `");
        let asked = quoted(name);
        let message = format!("there is no prompt {asked}; the prompts are `{names}`");
        ErrorData::invalid_params(message, None)
    })
}

/// Returns whether there is a prompt with an argument.
pub(crate) fn has_argument(prompt: &str, argument: &str) -> bool {
    let arguments = dialogue(prompt).map(|dialogue| dialogue.arguments);
    arguments.is_ok_and(|all| all.iter().any(|known| known.name == argument))
}

/// Writes what a dialogue tells the model.
pub(crate) fn written(
    name: &str,
    arguments: Option<&JsonObject>,
) -> Result<GetPromptResult, ErrorData> {
    let dialogue = dialogue(name)?;
    dialogue.check_names(arguments)?;
    let mut text = String::new();
    let mut rest = dialogue.text;
    while let Some((before, after)) = rest.split_once('{') {
        let (argument, after) = after.split_once('}').expect("a placeholder has an end");
        text.push_str(before);
        text.push_str(&dialogue.value(argument, arguments)?);
        rest = after;
    }
    text.push_str(rest);
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(dialogue.description))
}

impl Dialogue {
    /// Refuses unknown arguments, because the client meant something by them.
    fn check_names(&self, arguments: Option<&JsonObject>) -> Result<(), ErrorData> {
        let known: Vec<&str> = self.arguments.iter().map(|known| known.name).collect();
        let mut given = arguments.iter().flat_map(|all| all.keys());
        let Some(unknown) = given.find(|name| !known.contains(&name.as_str())) else {
            return Ok(());
        };
        let (name, unknown, known) = (self.name, quoted(unknown), known.join("`, `"));
        let message = format!("the prompt `{name}` has no argument {unknown}; it takes `{known}`");
        Err(ErrorData::invalid_params(message, None))
    }

    /// Returns the text of an argument.
    fn value(&self, name: &str, arguments: Option<&JsonObject>) -> Result<String, ErrorData> {
        let given = match arguments.and_then(|all| all.get(name)) {
            None | Some(Value::Null) => "",
            Some(Value::String(text)) => text.trim(),
            Some(_) => {
                let message = format!("`{name}` of the prompt `{}` must be a text", self.name);
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        let is_required = self
            .arguments
            .iter()
            .any(|argument| argument.name == name && argument.is_required);
        match (given, is_required) {
            ("", false) => Ok(String::new()),
            ("", true) => {
                let message = format!("the prompt `{}` needs `{name}`", self.name);
                Err(ErrorData::invalid_params(message, None))
            }
            (given, false) => Ok(format!("Keep to the {name} `{given}`. ")),
            (given, true) => Ok(given.to_owned()),
        }
    }
}

impl Handler {
    /// Returns the names that an argument may go on with: those of collections, or of documents.
    pub(crate) async fn completions(
        &self,
        argument: &str,
        written: &str,
        collection: Option<&str>,
    ) -> Result<CompletionInfo, Problem> {
        let names: Vec<String> = match argument {
            "collection" => self.library.collections().await?,
            "document" | "first" | "second" => {
                let scope = collection.map_or_else(Scope::all, Scope::collection);
                let documents = self.library.documents(&scope).await?;
                documents.into_iter().map(|document| document.uri).collect()
            }
            _ => Vec::new(),
        };
        let written = written.to_lowercase();
        let (mut begins, holds): (Vec<String>, Vec<String>) = names
            .into_iter()
            .filter(|name| sectile::uri_contains(name, &written))
            .partition(|name| name.to_lowercase().starts_with(&written));
        begins.extend(holds);
        let total = begins.len();
        begins.truncate(CompletionInfo::MAX_VALUES);
        let mut info = CompletionInfo::new(begins).expect("there are no more than may be");
        info.total = u32::try_from(total).ok();
        info.has_more = Some(total > CompletionInfo::MAX_VALUES);
        Ok(info)
    }
}
