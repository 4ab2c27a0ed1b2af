//! Measures how well a small handbook answers two questions, by each measure.
//!
//! ```sh
//! cargo run -p sectile-eval --example handbook
//! ```

use sectile::{Library, Scope, SearchMode};
use sectile_eval::{
    Cutoffs, Evaluation, GainForm, JudgedQuestions, Measure, Setting, measure, read_questions,
};

const HANDBOOK: &str = "# Handbook\n\n## Leave\n\nAsk your lead for days off.\n\n## Travel\n\nBook trains, not planes.\n";

const QUESTIONS: &str = r#"{"question": "how do I get days off?", "answers": [{"document": "handbook.md", "heading": "Leave"}]}
{"question": "may I book a plane?", "answers": [{"document": "handbook.md", "heading": "Travel"}]}
"#;

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let docs = folder.path().join("docs");
    std::fs::create_dir(&docs)?;
    std::fs::write(docs.join("handbook.md"), HANDBOOK)?;
    let file = folder.path().join("questions.jsonl");
    std::fs::write(&file, QUESTIONS)?;
    let store = format!("sqlite:{}", folder.path().join("store.db").display());
    let library = Library::open(&store).await?;
    library.ingest("default", &[docs], &|_| ()).await?;

    let questions = read_questions(&file, GainForm::Linear)?;
    let scope = Scope::all();
    let judged = JudgedQuestions::find(&library, &scope, &questions).await?;
    let cutoffs = Cutoffs { k: 10, depth: 100 };
    let setting = Setting {
        mode: SearchMode::Text,
        chunks: None,
    };
    let measured = measure(&library, &scope, &judged, &setting, cutoffs, &|| ()).await?;
    let evaluation = Evaluation::new(&judged, cutoffs, vec![measured]);
    for row in &evaluation.settings {
        for measure in Measure::ALL {
            let estimate = row.quality.get(measure);
            println!("{}: {:.3}", measure.name(cutoffs), estimate.mean);
        }
    }
    Ok(())
}
