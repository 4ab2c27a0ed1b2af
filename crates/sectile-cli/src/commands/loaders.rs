//! The loaders that arguments describe.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use sectile::core::Document;
use sectile::load::{
    DocxOptions, FileLoader, HtmlOptions, Limits, LoadOptions, OcrOptions, PdfOptions, Workers,
    omissions,
};

use super::Outcome;
use super::messages::with_options_typed;
use crate::args::{LOAD_WORKER, LimitArguments, LoadArguments, ReadingArguments};
use crate::output;

/// Makes the loader that a command's arguments describe.
pub(crate) fn loader(arguments: &LoadArguments) -> anyhow::Result<FileLoader> {
    let mut options = LoadOptions {
        pdf: PdfOptions {
            password: arguments.password.clone(),
            pages: arguments.pages.clone(),
            guess_headings: !arguments.no_guessed_headings,
            drop_running_lines: !arguments.keep_running_lines,
            comments: arguments.comments,
            ocr: ocr(arguments.ocr.as_deref())?,
        },
        docx: DocxOptions {
            headers_and_footers: arguments.headers_and_footers,
            comments: arguments.comments,
        },
        html: HtmlOptions {
            main_only: !arguments.whole_page,
            ..HtmlOptions::default()
        },
        ..LoadOptions::default()
    };
    limit(&mut options.limits, &arguments.limits);
    isolated(options)
}

/// Finds what recognizes text in these languages, if it was asked for.
fn ocr(languages: Option<&str>) -> anyhow::Result<Option<OcrOptions>> {
    let Some(languages) = languages else {
        return Ok(None);
    };
    let found = OcrOptions::find(languages);
    let found = found.context(
        "--ocr needs tesseract, which is not installed; install it, for example with \
         `apt install tesseract-ocr` or `brew install tesseract`",
    )?;
    Ok(Some(found))
}

/// Makes the loader that the arguments of an ingest describe.
pub(crate) fn loader_of_ingest(arguments: &ReadingArguments) -> anyhow::Result<FileLoader> {
    let mut options = LoadOptions::default();
    options.pdf.ocr = ocr(arguments.ocr.as_deref())?;
    options.pdf.password.clone_from(&arguments.password);
    options.html.main_only = !arguments.whole_page;
    limit(&mut options.limits, &arguments.limits);
    isolated(options)
}

/// Sets how large and slow files may be.
fn limit(limits: &mut Limits, arguments: &LimitArguments) {
    *limits = limits.with_file_bytes(arguments.max_file_size);
    limits.time = Duration::from_secs(arguments.timeout);
    limits.memory = arguments.max_memory;
}

/// Says what a reader sees in a file and its text does not have.
pub(crate) fn warn_of_omissions(file: &Path, document: &Document) {
    for omitted in omissions(&document.metadata) {
        let omitted = with_options_typed(&omitted);
        output::warning(format_args!("{}: {omitted}", file.display()));
    }
}

/// The message if the command that starts another process of this program is unknown.
const NO_HOST: &str = "`sys.executable` is not Python's own program, in which files that may be hostile are parsed: set it \
                       before `sectile` is imported; a frozen program has none";

/// Makes workers that are processes of this program.
pub(crate) fn workers() -> std::io::Result<Workers> {
    let Some(host) = crate::HOST.get() else {
        return Workers::of_this_program(LOAD_WORKER);
    };
    let (program, rest) = host
        .split_first()
        .ok_or_else(|| std::io::Error::other(NO_HOST))?;
    let (program, rest) = (program.clone(), rest.to_vec());
    Ok(Workers::new(move || {
        let mut command = Command::new(&program);
        command.args(&rest).arg(LOAD_WORKER);
        command
    }))
}

/// Makes a loader that parses in processes of this program what may be hostile.
pub(super) fn isolated(options: LoadOptions) -> anyhow::Result<FileLoader> {
    let workers = workers().context("cannot find out the path of this program")?;
    Ok(FileLoader::new(options).with_workers(workers))
}

/// Parses files for the process that started this one.
pub(crate) fn load_worker() -> anyhow::Result<Outcome> {
    sectile::load::serve(std::io::stdin().lock(), std::io::stdout())?;
    Ok(Outcome::Done)
}
