//! Namespaces, runs and damage, as `sectile checkpoint` shows them.

use super::*;

/// Saves what a run left in a subgraph: two checkpoints with a long history, and a write.
async fn fill_subgraph(place: &Place) {
    let options = CheckpointOptions::default();
    let checkpoints = Checkpoints::connect(&place.url, &options).await.unwrap();
    let records = checkpoints.records();
    let message = |at: usize| json!(format!("{at} {}", "words ".repeat(200)));
    for count in [60, 61] {
        let messages: Vec<Value> = (0..count).map(message).collect();
        let checkpoint = Checkpoint::new("run", json!({ "messages": messages }))
            .in_namespace("child:1")
            .of_run("r1")
            .with_metadata("user_id", "ada");
        records.save(&checkpoint).await.unwrap();
    }
    let key = Key::new("run", "child:1");
    let writes = TaskWrites::new("task").at_path("~pull").of_run("r2");
    let writes = writes.write("answer", TypedValue::new("json", b"42".to_vec()));
    let failed =
        TaskWrites::new("\u{1b}failed").write("__error__", TypedValue::new("msgpack", *b"\x93"));
    for writes in [writes, failed] {
        records
            .put_writes(&key, &At::Latest, &writes)
            .await
            .unwrap();
    }
}

/// Changes a state behind the back of the program.
async fn damage(place: &Place) {
    let change = "UPDATE checkpoints SET state_json = replace(state_json, '5', '6') WHERE seq = 5";
    if let Some(file) = place.url.strip_prefix("sqlite:") {
        let pool = sqlx::SqlitePool::connect(&format!("sqlite://{file}"))
            .await
            .unwrap();
        sqlx::query(change).execute(&pool).await.unwrap();
        pool.close().await;
    } else {
        let pool = sqlx::PgPool::connect(&place.url).await.unwrap();
        sqlx::query(change).execute(&pool).await.unwrap();
        pool.close().await;
    }
}

/// Looks at what tasks wrote in a subgraph: in the order of their paths, of which one has none.
fn check_writes(place: &Place, writes: &Value) {
    let bytes = json!({ "kind": "msgpack", "bytes": "kw==" });
    assert_eq!(
        *writes,
        json!([
            {
                "task_id": "\u{1b}failed", "index": -1, "channel": "__error__", "kind": "msgpack",
                "value": bytes,
            },
            {
                "task_id": "task", "task_path": "~pull", "run_id": "r2", "index": 0,
                "channel": "answer", "kind": "json", "value": 42,
            },
        ])
    );
    let text = place.stdout(&["show", "run", "--namespace", "child:1"]);
    let expected = format!(
        "task \\u{{1b}}failed wrote msgpack to __error__: {bytes}\n\
         task task at ~pull of run r2 wrote json to answer: 42\n"
    );
    assert!(text.ends_with(&expected), "{text}");
}

async fn check_namespaces_runs_and_damage(place: &Place) {
    fill_subgraph(place).await;
    let namespaces = place.json(&["namespaces", "run"]);
    assert_eq!(namespaces[0]["namespace"], "");
    assert_eq!(namespaces[1]["namespace"], "child:1");
    assert_eq!(namespaces[1]["checkpoints"], 2);
    let listed = place.json(&["list", "run", "--namespace", "child:1"]);
    assert_eq!(listed[0]["run_id"], "r1");
    assert_eq!(listed[0]["pending_writes"], 2);
    assert_eq!(listed[1]["pending_writes"], 0);
    let listed_text = place.stdout(&["list", "run", "--namespace", "child:1"]);
    let lines: Vec<&str> = listed_text.lines().collect();
    assert!(lines[0].ends_with("  {\"user_id\":\"ada\"}  2 pending writes"));
    assert!(lines[1].ends_with("  {\"user_id\":\"ada\"}"));
    let shown = place.json(&["show", "run", "--namespace", "child:1"]);
    assert_eq!(shown["state"]["messages"].as_array().unwrap().len(), 61);
    check_writes(place, &shown["writes"]);
    for absent in ["id", "parent_seq", "node"] {
        assert_eq!(shown.get(absent), Some(&Value::Null), "{absent}");
        assert_eq!(listed[0].get(absent), Some(&Value::Null), "{absent}");
    }

    let by_use = place.json(&["threads", "--by-use"]);
    assert_eq!(by_use[0]["thread_id"], "run");
    let of_ada = place.json(&["threads", "--filter", "user_id=ada"]);
    assert_eq!(of_ada.as_array().unwrap().len(), 1);
    let unused = place.json(&["threads", "--by-use", "--unused-for", "1day"]);
    assert_eq!(unused[0]["thread_id"], "other\u{1b}[2J");
    assert_eq!(unused.as_array().unwrap().len(), 1);
    let used = place.json(&["threads", "--since", "1day"]);
    assert_eq!(used[0]["thread_id"], "run");
    assert_eq!(used.as_array().unwrap().len(), 1);

    let used = place.json(&["du"]);
    assert_eq!(used["more"], 0);
    assert_eq!(place.json(&["du", "--limit", "1"])["more"], 2);
    let output = place.run(&["du", "--limit", "1"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "2 more; `--limit 3` shows all\n");
    let child = &used["namespaces"][0];
    assert_eq!(child["namespace"], "child:1");
    let [stored, whole] = ["stored_bytes", "whole_bytes"].map(|of| child[of].as_u64().unwrap());
    assert!(
        whole > 140_000 && stored < whole * 6 / 10,
        "{stored} of {whole}"
    );

    assert_eq!(place.stdout(&["verify"]), "no damage found\n");
    // It has writes alone, which are not counted.
    let output = place.run(&["delete-runs", "r2"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "deleted 0 checkpoints\n"
    );
    let shown = place.json(&["show", "run", "--namespace", "child:1"]);
    assert_eq!(shown["writes"].as_array().unwrap().len(), 1);
    assert_eq!(shown["writes"][0]["channel"], "__error__");
    // One of several that is unknown is named, and the others are deleted.
    let output = place.run(&["delete-runs", "nothing", "r1"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.starts_with("no checkpoint belongs to `nothing`, "),
        "{errors}"
    );
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "deleted 2 checkpoints\n"
    );
    assert_eq!(
        place.json(&["namespaces", "run"]).as_array().unwrap().len(),
        1
    );
    assert_eq!(place.stdout(&["verify"]), "no damage found\n");

    damage(place).await;
    let output = place.run(&["verify"]);
    assert_eq!(output.status.code(), Some(2));
    let found = String::from_utf8(output.stdout).unwrap();
    assert!(found.contains("checkpoint 5 of thread `run`"), "{found}");
    let output = place.run(&["show", "run"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("is not as it was saved"), "{errors}");
}

/// Deletes one namespace of a thread, the root included, and names that it does not have.
async fn check_deleting_namespaces(place: &Place) {
    fill_subgraph(place).await;
    for (thread, namespace, said) in [
        (
            "run",
            "chlid:1",
            "`run` has no namespace `chlid:1`; did you mean `child:1`?\n",
        ),
        (
            "run",
            "other",
            "`run` has no namespace `other`; `sectile checkpoint namespaces run` lists all\n",
        ),
        (
            "nobody",
            "child:1",
            "`nobody` is not a thread; `sectile checkpoint threads` lists all\n",
        ),
    ] {
        let output = place.run(&["delete", thread, "--namespace", namespace]);
        assert_eq!(output.status.code(), Some(1), "{namespace}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), said);
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "deleted 0 checkpoints\n"
        );
    }
    let kept = |namespace: &str| {
        let all = place.json(&["namespaces", "run"]);
        assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
        assert_eq!(all[0]["namespace"], namespace);
    };
    assert_eq!(
        place.stdout(&["delete", "run", "--namespace", "child:1"]),
        "deleted 2 checkpoints\n"
    );
    kept("");
    fill_subgraph(place).await;
    assert_eq!(
        place.json(&["delete", "run", "--namespace", ""]),
        json!({ "deleted": 5 })
    );
    kept("child:1");
    assert_eq!(place.stdout(&["verify"]), "no damage found\n");
}

#[tokio::test]
async fn one_namespace_is_deleted_in_sqlite() {
    check_deleting_namespaces(&Place::sqlite().await).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn one_namespace_is_deleted_in_postgres() {
    check_deleting_namespaces(&Place::postgres().await).await;
}

#[tokio::test]
async fn namespaces_runs_and_damage_are_shown_in_sqlite() {
    check_namespaces_runs_and_damage(&Place::sqlite().await).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn namespaces_runs_and_damage_are_shown_in_postgres() {
    check_namespaces_runs_and_damage(&Place::postgres().await).await;
}
