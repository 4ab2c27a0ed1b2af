//! Documents as resources, prompts, and names that are completed.

use std::path::Path;

use rmcp::model::{ArgumentInfo, CompleteRequestParams};
use rmcp::model::{
    ErrorCode, GetPromptRequestParams, PaginatedRequestParams, PromptReference,
    ReadResourceRequestParams, Reference, ResourceContents, ResourceTemplateReference,
};
use rmcp::service::ServiceError;
use sectile::load::FileLoader;
use serde_json::json;

use super::agent::{Agent, Place};

async fn read(agent: &Agent, uri: &str) -> Result<String, ServiceError> {
    let request = ReadResourceRequestParams::new(uri);
    let read = agent.client.read_resource(request).await?;
    match &read.contents[0] {
        ResourceContents::TextResourceContents { text, .. } => Ok(text.clone()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn documents_are_resources() {
    let place = Place::new().await;
    place.write(
        "a b.md",
        "---\ntitle: The guide\n---\n# A\n\nOne.\n\n## B\n\nTwo.\n",
    );
    place.write("c.txt", "Three.\n");
    place.ingest().await;
    let agent = place.agent().await;
    let listed = agent.client.list_all_resources().await.unwrap();
    let names: Vec<&str> = listed.iter().map(|resource| &*resource.name).collect();
    assert_eq!(names, ["a b.md", "c.txt"]);
    assert_eq!(listed[0].title.as_deref(), Some("The guide"));
    assert_eq!(listed[0].mime_type.as_deref(), Some("text/markdown"));
    let uri = &listed[0].uri;
    assert!(uri.starts_with("sectile://default/file:///"), "{uri}");
    assert!(read(&agent, uri).await.unwrap().ends_with("## B\n\nTwo.\n"));
    // By the end of its path, and a section of it.
    assert_eq!(
        read(&agent, "sectile://default/c.txt").await.unwrap(),
        "Three.\n"
    );
    let toc = agent.ok("toc", json!({"document": "a b.md"})).await;
    let section = toc.facts["sections"][1][2].as_str().unwrap();
    let part = read(&agent, &format!("sectile://default/a%20b.md#{section}")).await;
    assert_eq!(part.unwrap().trim_end(), "## B\n\nTwo.");
    for unknown in [
        "sectile://default/d.md",
        "sectile://other/c.txt",
        "file:///etc/passwd",
    ] {
        let Err(ServiceError::McpError(error)) = read(&agent, unknown).await else {
            panic!("{unknown}");
        };
        assert!(
            [ErrorCode::RESOURCE_NOT_FOUND, ErrorCode::INVALID_PARAMS].contains(&error.code),
            "{error:?}"
        );
    }
    let templates = agent.client.list_all_resource_templates().await.unwrap();
    assert_eq!(
        templates[0].uri_template,
        "sectile://{collection}/{+document}"
    );
}

#[tokio::test]
async fn every_resource_that_is_listed_or_completed_is_read() {
    let place = Place::new().await;
    let uris = [
        "https://example.org/llms-full.txt",
        "https://example.org/llms-full.txt#gr%C3%B6%C3%9Fe-100",
        "https://example.org/llms-full.txt#install",
        "s3://reports/\u{fc}ber 100% \"a\" <b>.md",
        "s3://reports/a%23b.md",
        "notes/a b#c.md",
        // The first one is read as the end of the second.
        "notes/100%25.md",
        "old/notes/100%.md",
    ];
    for (number, uri) in uris.iter().enumerate() {
        let text = format!("# Document {number}\n\nWords.\n");
        let document = FileLoader::default().load_bytes(text.as_bytes(), Path::new("a.md"));
        let added = [((*uri).to_owned(), document.unwrap())];
        place.library.add("all of it", &added).await.unwrap();
    }
    let agent = place.agent().await;
    let listed = agent.client.list_all_resources().await.unwrap();
    assert_eq!(listed.len(), uris.len());
    for resource in &listed {
        let text = read(&agent, &resource.uri).await.unwrap();
        let title = resource.title.as_deref().unwrap();
        let heading = format!("# {title}\n");
        assert!(text.starts_with(&heading), "{}: {text}", resource.uri);
    }
    let completed = format!("sectile://all%20of%20it/{}", uris[2]);
    let text = read(&agent, &completed).await.unwrap();
    assert!(text.starts_with("# Document 2\n"), "{text}");
}

#[tokio::test]
async fn many_resources_are_listed_page_by_page() {
    let place = Place::new().await;
    for number in 0..450 {
        place.write(&format!("{number:03}.md"), &format!("# Page {number}\n"));
    }
    place.ingest().await;
    let agent = place.agent().await;
    let first = agent.client.list_resources(None).await.unwrap();
    assert_eq!(first.resources.len(), 200);
    assert_eq!(agent.client.list_all_resources().await.unwrap().len(), 450);
    let wrong = PaginatedRequestParams::default().with_cursor(Some("x".into()));
    assert!(agent.client.list_resources(Some(wrong)).await.is_err());
}

#[tokio::test]
async fn a_resource_that_is_too_long_says_where_it_is_cut() {
    let text = "Words that fill a line of text.\n\n".repeat(9_000);
    let place = Place::with_document("long.md", &text).await;
    let agent = place.agent().await;
    let read = read(&agent, "sectile://default/long.md").await.unwrap();
    let end = read.lines().next_back().unwrap();
    assert!(
        end.starts_with("[Cut after line") && end.contains("`get`"),
        "{end}"
    );
}

#[tokio::test]
async fn prompts_ask_for_what_they_need() {
    let place = Place::new().await;
    let agent = place.agent().await;
    let all = agent.client.list_all_prompts().await.unwrap();
    let names: Vec<&str> = all.iter().map(|prompt| &*prompt.name).collect();
    assert_eq!(names, ["answer", "summarize", "compare"]);
    let ask = |name: &str, arguments: serde_json::Value| {
        let request = GetPromptRequestParams::new(name);
        request.with_arguments(arguments.as_object().unwrap().clone())
    };
    let asked = ask(
        "answer",
        json!({"question": "How long is {collection}?", "collection": "faq"}),
    );
    let prompt = agent.client.get_prompt(asked).await.unwrap();
    let text = serde_json::to_string(&prompt).unwrap();
    // What the user wrote is not a placeholder.
    assert!(
        text.contains("How long is {collection}?") && text.contains("`faq`"),
        "{text}"
    );
    for (wrong, said) in [
        (ask("answer", json!({})), "`question`"),
        (
            ask("answer", json!({"question": "Why?", "colection": "faq"})),
            "has no argument `colection`; it takes `question`, `collection`",
        ),
        (
            ask("answer", json!({"question": "Why?", "collection": 1})),
            "`collection` of the prompt `answer` must be a text",
        ),
        (ask("translate", json!({})), "`summarize`"),
    ] {
        let error = agent
            .client
            .get_prompt(wrong)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[tokio::test]
async fn names_are_completed() {
    let place = Place::new().await;
    place.write("guide.md", "# G\n");
    place.write("sub/other.md", "# O\n");
    place.ingest().await;
    let agent = place.agent().await;
    let complete = async |reference: Reference, name: &str, written: &str| {
        let request = CompleteRequestParams::new(reference, ArgumentInfo::new(name, written));
        let result = agent.client.complete(request).await.unwrap();
        result.completion.values
    };
    let template = || {
        let uri = "sectile://{collection}/{+document}";
        Reference::Resource(ResourceTemplateReference::new(uri))
    };
    assert_eq!(complete(template(), "collection", "def").await, ["default"]);
    let found = complete(template(), "document", "GUI").await;
    assert!(
        found.len() == 1 && found[0].ends_with("/guide.md"),
        "{found:?}"
    );
    let prompt = Reference::Prompt(PromptReference::new("summarize"));
    assert_eq!(complete(prompt, "document", ".md").await.len(), 2);
    // A name is typed as it is read.
    place.write("\u{dc}ber uns.md", "# U\n");
    place.ingest().await;
    let found = complete(template(), "document", "\u{fc}ber u").await;
    assert!(
        found.len() == 1 && found[0].ends_with("/%C3%9Cber%20uns.md"),
        "{found:?}"
    );
    let prompt = |name: &str| Reference::Prompt(PromptReference::new(name));
    let resource = |uri: &str| Reference::Resource(ResourceTemplateReference::new(uri));
    // Nothing completes what is not there.
    for (reference, name) in [
        (prompt("nope"), "document"),
        (prompt("answer"), "document"),
        (resource("file:///a"), "document"),
        (template(), "first"),
    ] {
        assert_eq!(complete(reference, name, "").await, [""; 0]);
    }
}

#[tokio::test]
async fn a_memory_is_a_resource_by_its_id() {
    let place = Place::new().await;
    let agent = place.agent().await;
    let text = "Deploys are on Tuesdays.";
    let kept = agent.ok("remember", json!({"text": text})).await;
    let id = kept.facts["id"].as_str().unwrap();
    for name in [id, &format!("memory:{id}")] {
        let uri = format!("sectile://memories/{name}");
        assert_eq!(read(&agent, &uri).await.unwrap(), text);
    }
}
