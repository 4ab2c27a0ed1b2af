//! Loads files with one of several libraries, for `scripts/compare-loaders`.
//!
//! `loader-peers NAME` reads a path a line and answers each with a line of JSON: the text or the
//! error, and the seconds of the clock that it took.

use std::env;
use std::io::{self, BufRead as _, Write as _};
use std::panic;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use sectile_load::{FileLoader, LoadOptions, Workers};
use serde_json::{Value, json};

fn main() -> Result<()> {
    let name = env::args().nth(1).context("name a loader")?;
    if name == "load-worker" {
        return Ok(sectile_load::serve(io::stdin().lock(), io::stdout())?);
    }
    panic::set_hook(Box::new(|_| {}));
    let load = loader(&name)?;
    for path in io::stdin().lock().lines() {
        let path = path?;
        let start = Instant::now();
        let loaded = panic::catch_unwind(|| load(Path::new(&path)));
        let loaded = loaded.unwrap_or_else(|_| Err(anyhow::anyhow!("panicked")));
        let seconds = start.elapsed().as_secs_f64();
        let answer = match loaded {
            Ok(text) => json!({ "seconds": seconds, "text": text }),
            Err(error) => json!({ "seconds": seconds, "error": format!("{error:#}") }),
        };
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}

type Load = Box<dyn Fn(&Path) -> Result<String> + panic::RefUnwindSafe>;

fn loader(name: &str) -> Result<Load> {
    Ok(match name {
        "sectile" => Box::new(|path| Ok(sectile_load::load_file(path)?.text)),
        "sectile-isolated" => {
            let workers = Workers::of_this_program("load-worker")?;
            let loader = FileLoader::new(LoadOptions::default()).with_workers(workers);
            let loader = panic::AssertUnwindSafe(loader);
            Box::new(move |path| Ok({ &loader }.load_file(path)?.text))
        }
        "unpdf" => Box::new(|path| Ok(unpdf::to_text(path, &unpdf::RenderOptions::default())?)),
        "pdf-extract" => Box::new(|path| Ok(pdf_extract::extract_text(path)?)),
        "lopdf" => Box::new(with_lopdf),
        "pdf_oxide" => Box::new(|path| Ok(pdf_oxide::PdfDocument::open(path)?.extract_all_text()?)),
        "docx-rs" => Box::new(with_docx_rs),
        "office_oxide" => Box::new(|path| Ok(office_oxide::extract_text(path)?)),
        other => bail!("there is no loader `{other}`"),
    })
}

fn with_lopdf(path: &Path) -> Result<String> {
    let document = lopdf::Document::load(path)?;
    let pages: Vec<u32> = document.get_pages().into_keys().collect();
    Ok(document.extract_text(&pages)?)
}

/// Collects the texts of the tree that docx-rs reads.
fn with_docx_rs(path: &Path) -> Result<String> {
    let document = docx_rs::read_docx(&std::fs::read(path)?)?;
    let tree: Value = serde_json::from_str(&document.json())?;
    let mut text = String::new();
    collect(&tree["document"], &mut text);
    Ok(text)
}

fn collect(node: &Value, text: &mut String) {
    match node {
        Value::Array(nodes) => nodes.iter().for_each(|node| collect(node, text)),
        Value::Object(fields) => {
            match fields.get("type").and_then(Value::as_str) {
                Some("text") => text.push_str(node["data"]["text"].as_str().unwrap_or_default()),
                Some("tab" | "break") => text.push(' '),
                _ => fields.values().for_each(|field| collect(field, text)),
            }
            if fields.get("type").and_then(Value::as_str) == Some("paragraph") {
                text.push('\n');
            }
        }
        _ => {}
    }
}
