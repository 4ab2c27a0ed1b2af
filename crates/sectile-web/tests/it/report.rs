//! The pictures that are written as files.

use std::path::Path;

use sectile::chunk::section_tree;
use sectile::core::{Document, DocumentTree};
use sectile::load::FileLoader;
use sectile::{ChunkSettings, GroupBy, SearchMode, Strategy};
use sectile_eval::significance::{Difference, Estimate};
use sectile_eval::{Asked, Cost, Cutoffs, Evaluation, Outcome, Quality, Row};
use sectile_web::picture::{ChunkReport, Cut, chunk_report, evaluation_report, tree_report};

use crate::place::{HOSTILE, root};

fn load(text: &str) -> Document {
    FileLoader::default()
        .load_bytes(text.as_bytes(), Path::new("a.md"))
        .unwrap()
}

fn drawn(document: &Document, settings: ChunkSettings) -> String {
    let cutter = settings.cutter().unwrap();
    let chunks = cutter
        .chunks("a.md", &document.text, document.format, &document.outline)
        .unwrap();
    chunk_report(&[ChunkReport {
        name: "a.md".to_owned(),
        text: document.text.clone(),
        sections: section_tree("a.md", &document.text, &document.outline),
        cut: Cut::of(chunks.iter().map(|chunk| &chunk.chunk)),
        how: "Small.".to_owned(),
    }])
}

#[test]
fn a_file_holds_all_that_it_needs_and_runs_nothing() {
    let text = std::fs::read_to_string(root().join("docs/search.md")).unwrap();
    let settings = ChunkSettings {
        size: Some(300),
        overlap: Some(60),
        ..ChunkSettings::new(Strategy::Recursive)
    };
    let html = drawn(&load(&text), settings);
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("style-src 'sha256-"));
    assert!(html.contains("class=\"both") && html.contains("id=\"f0-c3\""));
    for outside in ["<script", "src=", "<link", "url(", "@import"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn a_hostile_file_is_text() {
    let document = load(HOSTILE);
    let html = drawn(&document, ChunkSettings::new(Strategy::Sentence));
    assert!(html.contains("&lt;script&gt;"));
    let sections = section_tree("a.md", &document.text, &document.outline);
    let tree = tree_report(&DocumentTree::new("<i>a.md", &document, &sections));
    assert!(tree.contains("&lt;i&gt;a.md") && tree.contains("&quot; autofocus"));
    for html in [html, tree] {
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("<i>"));
    }
}

/// Two settings that answered a hostile question, the second one better.
fn evaluation() -> Evaluation {
    let difference = Difference {
        estimate: ESTIMATE,
        p: 0.01,
    };
    Evaluation {
        cutoffs: Cutoffs { k: 10, depth: 10 },
        group_by: GroupBy::Section,
        questions: vec![Asked {
            id: "<i>1".to_owned(),
            question: HOSTILE.to_owned(),
            drafted: true,
        }],
        unjudged: 1,
        missing: 0,
        documents: 3,
        settings: vec![row("text", 0.0, None), row("hybrid", 1.0, Some(difference))],
    }
}

const ESTIMATE: Estimate = Estimate {
    mean: 0.5,
    low: 0.25,
    high: 0.75,
};

fn row(name: &str, ndcg: f64, difference: Option<Difference>) -> Row {
    let all = |value| Quality {
        ndcg: value,
        recall: value,
        mrr: value,
        hit: value,
    };
    Row {
        name: name.to_owned(),
        mode: SearchMode::Text,
        chunking: None,
        chunks: 5,
        quality: all(ESTIMATE),
        difference: difference.map(|difference| Quality {
            ndcg: difference,
            recall: difference,
            mrr: difference,
            hit: difference,
        }),
        unanswered: 0,
        cost: Cost {
            milliseconds: 1.0,
            milliseconds_p95: 2.0,
            processor_milliseconds: None,
            tokens: 1_234.0,
        },
        outcomes: vec![Outcome {
            id: "<i>1".to_owned(),
            ndcg,
            recall: 1.0,
            reciprocal_rank: 1.0,
            hit: 1.0,
            hits: 2,
            tokens: 10,
            milliseconds: 1.0,
            processor_milliseconds: None,
        }],
    }
}

#[test]
fn settings_side_by_side_are_said_as_well_as_drawn() {
    let html = evaluation_report(&evaluation());
    for said in [
        "aria-label=\"nDCG@10. text: 0.500 (0.250 to 0.750); hybrid: 0.500 (0.250 to 0.750)\"",
        "hybrid: +0.500 (+0.250 to +0.750), p = 0.010",
        "hybrid: better for 1, worse for 0, the same for 0",
        "A chat model drafted 1 of the questions.",
        "Left out: 1 question without an answer.",
        "1\u{202f}234",
    ] {
        assert!(html.contains(said), "{said}");
    }
    assert!(html.contains("&lt;script&gt;") && html.contains("&lt;i&gt;1"));
    for outside in [
        "<script", "src=\"", "<link", "url(", "@import", "<img", "<i>", "style=", "NaN",
    ] {
        assert!(!html.contains(outside), "{outside}");
    }
}
