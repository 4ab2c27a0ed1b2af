//! Answers that a server gives, and searches with them.

use std::time::Duration;

use sectile_embed::{
    ChatModel, ChatRequest, Error, OpenAiChat, OpenAiOptions, TokenLimit, TreeSearch,
};
use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::support::{document, kind, node, section, tokens};

fn said(text: &str) -> Reply {
    Reply::json(&json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}))
}

fn options(server: &Server) -> OpenAiOptions {
    OpenAiOptions::new(server.base_url(), "a-model")
}

fn request() -> ChatRequest {
    ChatRequest {
        system: "be brief".into(),
        user: "why?".into(),
        max_tokens: Some(7),
    }
}

async fn ask(reply: Value) -> Result<String, Error> {
    let server = Server::start(move |_, _| Reply::json(&reply)).await;
    let model = OpenAiChat::new(&options(&server)).unwrap();
    model.complete(&request()).await
}

#[tokio::test]
async fn a_request_has_model_messages_and_limit() {
    let server = Server::start(|_, _| said("because")).await;
    let model = OpenAiChat::new(&options(&server)).unwrap();
    assert_eq!(model.name(), "a-model");
    assert_eq!(model.complete(&request()).await.unwrap(), "because");
    let asked = server.asked();
    assert_eq!(asked[0].path(), "/v1/chat/completions");
    let messages = json!([
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "why?"},
    ]);
    let expected = json!({"model": "a-model", "messages": messages, "max_tokens": 7});
    assert_eq!(asked[0].body, expected);
}

#[tokio::test]
async fn what_is_not_asked_for_is_not_sent() {
    let server = Server::start(|_, _| said("because")).await;
    let model = OpenAiChat::new(&options(&server)).unwrap();
    let request = ChatRequest {
        user: "why?".into(),
        ..ChatRequest::default()
    };
    model.complete(&request).await.unwrap();
    let messages = json!([{"role": "user", "content": "why?"}]);
    let expected = json!({"model": "a-model", "messages": messages});
    assert_eq!(server.asked()[0].body, expected);
}

#[tokio::test]
async fn the_limit_has_the_name_that_is_wanted() {
    let server = Server::start(|_, _| said("because")).await;
    let options = options(&server).with_token_limit(TokenLimit::MaxCompletionTokens);
    let model = OpenAiChat::new(&options).unwrap();
    model.complete(&request()).await.unwrap();
    let body = &server.asked()[0].body;
    assert_eq!(body["max_completion_tokens"], 7);
    assert_eq!(body.get("max_tokens"), None);
}

#[tokio::test]
async fn refusals_are_refused() {
    let refusal = json!({"content": null, "refusal": "I will not do that"});
    let error = ask(json!({"choices": [{"message": refusal}]}))
        .await
        .unwrap_err();
    assert_eq!(kind(&error), "refused");
    assert!(error.to_string().contains("I will not do that"));

    let filtered = json!({"message": {"content": ""}, "finish_reason": "content_filter"});
    let error = ask(json!({"choices": [filtered]})).await.unwrap_err();
    assert_eq!(kind(&error), "refused");
}

#[tokio::test]
async fn answers_without_text_cannot_be_read() {
    let check = async |reply: Value, expected: &str| {
        let error = ask(reply).await.unwrap_err();
        assert_eq!(kind(&error), "answer");
        assert!(error.to_string().contains(expected), "{error}");
    };
    check(json!({"choices": []}), "no choices").await;
    check(
        json!({"choices": [{"message": {"content": null}}]}),
        "no text",
    )
    .await;
    check(
        json!({"choices": [{"message": {"content": " \n"}}]}),
        "no text",
    )
    .await;
    let cut = json!({"message": {"content": ""}, "finish_reason": "length"});
    check(json!({"choices": [cut]}), "more tokens").await;
    check(
        json!({"choices": [{"message": {"content": ["x"]}}]}),
        "string",
    )
    .await;
    check(json!({"object": "list"}), "choices").await;
}

#[tokio::test]
async fn an_answer_that_was_cut_is_one_only_for_who_set_a_limit() {
    let cut = json!({"message": {"content": "because of"}, "finish_reason": "length"});
    let reply = json!({"choices": [cut]});
    assert_eq!(ask(reply.clone()).await.unwrap(), "because of");
    let server = Server::start(move |_, _| Reply::json(&reply)).await;
    let model = OpenAiChat::new(&options(&server)).unwrap();
    let request = ChatRequest {
        max_tokens: None,
        ..request()
    };
    let error = model.complete(&request).await.unwrap_err();
    assert_eq!(kind(&error), "answer");
    assert!(error.to_string().contains("cut before its end"), "{error}");
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_not_read_to_the_end() {
    let server = Server::start(|_, _| Reply::new(200, vec![b' '; (16 << 20) + 1])).await;
    let model = OpenAiChat::new(&options(&server)).unwrap();
    let error = model.complete(&request()).await.unwrap_err();
    assert_eq!(kind(&error), "answer");
    assert!(error.to_string().contains("bytes"), "{error}");
}

#[tokio::test]
async fn a_tree_is_searched_over_the_network() {
    let busy = Reply::new(429, "busy").with_header("retry-after: 0");
    let server = Server::start(move |number, _| match number {
        0 => busy.clone(),
        _ => said("Of course:\n```json\n{\"thinking\": \"it is named\", \"node_list\": [1]}\n```"),
    })
    .await;
    let trees = [document(
        "d",
        vec![node("d", "A", vec![]), node("d", "B", vec![])],
    )];
    let model = OpenAiChat::new(&options(&server).with_retries(1)).unwrap();
    let answer = TreeSearch::new(&model)
        .search("b?", &trees, &tokens)
        .await
        .unwrap();
    assert_eq!(answer.hits[0].section_id, section("d", "B"));
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn a_search_has_the_errors_of_its_model() {
    let check_within = async |timeout: Duration, reply: Reply, expected: &str| {
        let server = Server::start(move |_, _| reply.clone()).await;
        let options = options(&server).with_timeout(timeout);
        let model = OpenAiChat::new(&options).unwrap();
        let trees = [document("d", vec![node("d", "A", vec![])])];
        let answer = TreeSearch::new(&model).search("a?", &trees, &tokens).await;
        assert_eq!(kind(&answer.unwrap_err()), expected);
    };
    let check = async |reply: Reply, expected: &str| {
        check_within(Duration::from_mins(1), reply, expected).await;
    };
    check(said("I cannot help with that."), "answer").await;
    let refusal = json!({"choices": [{"message": {"refusal": "no"}}]});
    check(Reply::json(&refusal), "refused").await;
    let late = said("{}").after(Duration::from_mins(1));
    check_within(Duration::from_millis(200), late, "unreachable").await;
    check(Reply::new(429, "busy"), "unavailable").await;
    check(Reply::new(401, "who?"), "configuration").await;
}
