//! How fast files become documents, in this process and in worker processes, in bytes of text per
//! second. The same files at two sizes show that the time grows with the size.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::Path;

use criterion::{Criterion, Throughput};
use sectile::load::{FileLoader, LoadOptions, Workers, serve};
use sectile_benches::synthetic;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The argument that makes this program a worker.
const WORKER: &str = "load-worker";

/// How many bytes of text there are on a page.
const PAGE_BYTES: usize = 2_000;

fn main() -> anyhow::Result<()> {
    if std::env::args().nth(1).as_deref() == Some(WORKER) {
        return Ok(serve(std::io::stdin().lock(), std::io::stdout())?);
    }
    let here = FileLoader::new(LoadOptions::default());
    let isolated = here.clone().with_workers(Workers::of_this_program(WORKER)?);
    let mut criterion = Criterion::default().configure_from_args();
    for (name, pages) in [("75_pages", 75), ("300_pages", 300), ("1200_pages", 1_200)] {
        let text = synthetic::document(7, pages * PAGE_BYTES);
        let (pdf, docx) = (pdf(&text), docx(&text)?);
        let mut bench = |group: &str, loader: &FileLoader, file: &str, bytes: &[u8]| {
            let mut group = criterion.benchmark_group(format!("load/{group}"));
            group.sample_size(10);
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    loader
                        .load_bytes(bytes, Path::new(file))
                        .expect("it is sound")
                });
            });
            group.finish();
        };
        bench("pdf", &here, "a.pdf", &pdf);
        bench("pdf_isolated", &isolated, "a.pdf", &pdf);
        bench("docx", &here, "a.docx", &docx);
        bench("html", &here, "a.html", html(&text).as_bytes());
        bench("csv", &here, "a.csv", csv(&text).as_bytes());
        bench("json", &here, "a.jsonl", json(&text)?.as_bytes());
        bench("markdown", &here, "a.md", text.as_bytes());
        bench("text", &here, "a.log", text.as_bytes());
    }
    criterion.final_summary();
    Ok(())
}

/// Writes a text as a PDF with a line of text for each line.
fn pdf(text: &str) -> Vec<u8> {
    let lines: Vec<&str> = text.lines().collect();
    let pages = lines.chunk_by({
        let mut length = 0;
        move |_, next| {
            length += next.len();
            let goes_on = length < PAGE_BYTES;
            length = if goes_on { length } else { 0 };
            goes_on
        }
    });
    let pages: Vec<&[&str]> = pages.collect();
    let kids = (0..pages.len()).fold(String::new(), |mut kids, page| {
        let _ = write!(kids, "{} 0 R ", page * 2 + 4);
        kids
    });
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Kids[{kids}]/Count {}>>", pages.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    for (page, lines) in pages.iter().enumerate() {
        let contents = contents(lines);
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {} 0 R\
             /Resources<</Font<</F 3 0 R>>>>>>",
            page * 2 + 5
        ));
        objects.push(format!(
            "<</Length {}>>stream\n{contents}\nendstream",
            contents.len()
        ));
    }
    file(&objects)
}

fn contents(lines: &[&str]) -> String {
    let mut contents = "BT /F 10 Tf 12 TL 40 760 Td".to_owned();
    for line in lines {
        let shown = line
            .replace(['(', ')', '\\'], " ")
            .replace(|c: char| !c.is_ascii(), "?");
        let _ = write!(contents, " ({shown}) Tj T*");
    }
    contents + " ET"
}

/// Writes objects with a cross-reference table.
fn file(objects: &[String]) -> Vec<u8> {
    let mut file = "%PDF-1.7\n".to_owned();
    let mut table = "0000000000 65535 f \n".to_owned();
    for (number, object) in (1..).zip(objects) {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
    }
    let (xref, size) = (file.len(), objects.len() + 1);
    let _ = write!(
        file,
        "xref\n0 {size}\n{table}trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{xref}\n%%EOF\n"
    );
    file.into_bytes()
}

/// Writes a text as a web page with a paragraph for each line.
fn html(text: &str) -> String {
    let mut page = "<title>A page</title><nav><a href=x>Start</a></nav><main>".to_owned();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let name = if line.starts_with('#') { "h2" } else { "p" };
        let shown = escaped(line.trim_start_matches('#'));
        let _ = write!(page, "<{name}>{shown}</{name}>");
    }
    page + "</main>"
}

/// Writes a text as a table with a row for each line.
fn csv(text: &str) -> String {
    let mut table = "number,line\n".to_owned();
    for (number, line) in text.lines().enumerate() {
        let _ = writeln!(table, "{number},\"{}\"", line.replace('"', "\"\""));
    }
    table
}

/// Writes a text as records, one for each line.
fn json(text: &str) -> anyhow::Result<String> {
    let mut records = String::new();
    for (number, line) in text.lines().enumerate() {
        let record = serde_json::json!({ "number": number, "line": line });
        records += &serde_json::to_string(&record)?;
        records.push('\n');
    }
    Ok(records)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Writes a text as a Word document with a paragraph for each line.
fn docx(text: &str) -> anyhow::Result<Vec<u8>> {
    let mut body = String::new();
    for line in text.lines() {
        let level = line.bytes().take_while(|&byte| byte == b'#').count();
        let style = if level > 0 {
            format!("<w:pPr><w:pStyle w:val='Heading{level}'/></w:pPr>")
        } else {
            String::new()
        };
        let shown = escaped(line);
        let _ = write!(body, "<w:p>{style}<w:r><w:t>{shown}</w:t></w:r></w:p>");
    }
    let main = format!(
        "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>\
         <w:body>{body}</w:body></w:document>"
    );
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("word/document.xml", SimpleFileOptions::default())?;
    archive.write_all(main.as_bytes())?;
    Ok(archive.finish()?.into_inner())
}
