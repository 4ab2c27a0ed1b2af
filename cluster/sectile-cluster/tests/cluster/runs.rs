//! Runs, changes and what is done again.

use super::*;

const DOCUMENTS: usize = 5_000;

/// Makes documents: Markdown and web pages, files of real programs, and a PDF that takes all memory there is.
fn make_documents(folder: &Path) {
    let fixtures =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sectile-load/tests/fixtures");
    let real: Vec<PathBuf> = fs::read_dir(fixtures)
        .expect("there are fixtures")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|kind| kind == "pdf" || kind == "docx" || kind == "html")
        })
        .collect();
    for path in &real {
        let name = path.file_name().expect("it has a name");
        fs::copy(path, folder.join(name)).expect("it is copied");
    }
    for at in 0..DOCUMENTS {
        let name = folder.join(format!(
            "{at:05}.{}",
            if at % 5 == 0 { "html" } else { "md" }
        ));
        let words = format!("Section {at} says what number {at} is for. ").repeat(at % 60 + 1);
        let text = if at % 5 == 0 {
            format!(
                "<html><body><h1>Page {at}</h1><p>{words}</p><h2>More</h2><p>End.</p></body></html>"
            )
        } else {
            format!("# Document {at}\n\n{words}\n\n## Détails\n\n- one\n- two\n")
        };
        fs::write(name, text).expect("it is written");
    }
    fs::write(folder.join("all-memory.pdf"), all_memory()).expect("it is written");
}

/// A PDF whose one page is gigabytes long: blanks, packed, many times one after the other, and packed again.
fn all_memory() -> Vec<u8> {
    let pack = |bytes: &[u8], times: usize| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        for _ in 0..times {
            encoder.write_all(bytes).expect("it is packed");
        }
        encoder.finish().expect("it is packed")
    };
    let stream = pack(&pack(&vec![b' '; 1 << 20], 2_000), 1);
    let mut pdf = b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
        3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R>>\nendobj\n4 0 obj\n"
        .to_vec();
    pdf.extend(
        format!(
            "<</Length {}/Filter[/FlateDecode/FlateDecode]>>\nstream\n",
            stream.len()
        )
        .bytes(),
    );
    pdf.extend(stream);
    pdf.extend(b"\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n");
    pdf
}

#[tokio::test(flavor = "multi_thread")]
async fn four_executors_make_what_one_process_makes() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let folder = folder.path();
    let documents = folder.join("files");
    fs::create_dir(&documents).expect("there is room");
    make_documents(&documents);
    let parts = folder.join("parts").display().to_string();
    let made = program(&[
        "parts",
        &documents.display().to_string(),
        &parts,
        "--parts",
        "64",
    ]);
    assert!(made.status.success(), "{made:?}");
    assert_eq!(fs::read_dir(&parts).expect("there are parts").count(), 64);

    let alone = write_job(folder, "alone");
    let begun = Instant::now();
    let ran = program(&[
        "run",
        &alone.display().to_string(),
        "--file-memory",
        FILE_MEMORY,
    ]);
    // Some fixtures cannot be loaded, nor can what takes all memory.
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert!(said.contains("documents could not be loaded"), "{said}");
    eprintln!("one process: {:.1} s", begun.elapsed().as_secs_f64());
    assert!(count(&folder.join("alone"), "documents", "true").await > 5_000);
    assert_eq!(
        count(
            &folder.join("alone"),
            "documents",
            "uri = 'all-memory.pdf' AND error LIKE '%ran out of the memory%'"
        )
        .await,
        1
    );

    // Nothing is killed.
    let mut cluster = Cluster::start(4, folder);
    let begun = Instant::now();
    let mut run = cluster.run(&write_job(folder, "whole"));
    assert_eq!(run.0.wait().expect("it ends").code(), Some(1));
    eprintln!("four executors: {:.1} s", begun.elapsed().as_secs_f64());
    assert_same(folder, "alone", "whole").await;

    // An executor is killed while parts are worked on.
    let mut run = cluster.run(&write_job(folder, "killed"));
    wait_for("no part is done", || records(&folder.join("killed")) > 4);
    cluster.executors.remove(0).kill();
    assert!(records(&folder.join("killed")) < 64);
    assert_eq!(run.0.wait().expect("it ends").code(), Some(1));
    assert_same(folder, "alone", "killed").await;

    // The scheduler is killed and started again.
    let mut run = cluster.run(&write_job(folder, "restarted"));
    wait_for("no part is done", || records(&folder.join("restarted")) > 4);
    cluster.restart_scheduler();
    assert_eq!(run.0.wait().expect("it ends").code(), Some(1));
    assert_same(folder, "alone", "restarted").await;

    // Whoever gives the work is killed, and gives it again: what was done is not done again.
    let job = write_job(folder, "broken_off");
    let run = cluster.run(&job);
    wait_for("no part is done", || {
        records(&folder.join("broken_off")) > 4
    });
    run.kill();
    let done = newest_part(&folder.join("broken_off"));
    let mut run = cluster.run(&job);
    assert_eq!(run.0.wait().expect("it ends").code(), Some(1));
    assert_eq!(
        fs::metadata(&done.0)
            .and_then(|part| part.modified())
            .expect("it is there"),
        done.1
    );
    assert_same(folder, "alone", "broken_off").await;

    only_the_part_of_a_changed_file_is_done_again(&cluster, &documents, &job).await;
}

async fn only_the_part_of_a_changed_file_is_done_again(
    cluster: &Cluster,
    documents: &Path,
    job: &Path,
) {
    let output = job.with_extension("");
    let parts = job.with_file_name("parts").display().to_string();
    fs::write(documents.join("00001.md"), "# Changed\n\nAll of it.\n").expect("it is written");
    assert!(
        program(&[
            "parts",
            &documents.display().to_string(),
            &parts,
            "--parts",
            "64"
        ])
        .status
        .success()
    );
    let scheduler = cluster.address.to_string();
    let ran = program(&["run", &job.display().to_string(), "--scheduler", &scheduler]);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert_eq!(
        said.lines()
            .filter(|line| line.contains(" was done ("))
            .count(),
        63,
        "{said}"
    );
    assert_eq!(
        count(
            &output,
            "chunks",
            "uri = '00001.md' AND text LIKE '%All of it%'"
        )
        .await,
        1
    );
}

/// Returns a part whose chunks are done, and when they were. A record that was being written when its writer was killed
/// has another name.
fn newest_part(output: &Path) -> (PathBuf, std::time::SystemTime) {
    let records = fs::read_dir(output.join("done").join("chunks")).expect("there are records");
    let names = records
        .flatten()
        .map(|record| record.file_name().to_string_lossy().into_owned());
    let mut parts = names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned));
    let part = parts.next().expect("one is done");
    let part = output.join("chunks").join(part);
    let modified = fs::metadata(&part).and_then(|part| part.modified());
    (part, modified.expect("it is there"))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_gone_goes() {
    let names: Vec<String> = (0..40).map(|at| format!("{at}.md")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "# A\n")).collect();
    let place = Place::new(&files);
    assert!(place.parts("16").status.success());
    place.job("");
    assert_eq!(place.run(&[]).0, Some(0));
    fs::remove_file(place.path("files/7.md")).expect("it is removed");
    assert!(place.parts("2").status.success());
    let parts = place.names("parts");
    assert_eq!(parts, ["part-00000.parquet", "part-00001.parquet"]);
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(0), "{said}");
    for stage in TABLES {
        assert_eq!(place.names(&format!("out/{stage}")), parts, "{stage}");
        assert_eq!(
            place.names(&format!("out/done/{stage}")).len(),
            2,
            "{stage}"
        );
    }
    let uris = place.column("documents", "uri").await;
    assert_eq!(uris.len(), 39);
    assert!(!uris.contains(&"7.md".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_cannot_be_loaded_are_named_each_time_and_tried_again_with_other_limits() {
    let place = Place::new(&[("a.md", "# A\n"), ("b.pdf", "%PDF-1.4 of no use")]);
    assert!(place.parts("1").status.success());
    place.job("");
    for _ in 0..2 {
        let (code, said) = place.run(&[]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("1 document could not be loaded"), "{said}");
        assert!(said.contains("  b.pdf: "), "{said}");
    }
    let (_, said) = place.run(&["--file-seconds", "60"]);
    assert!(!said.contains("was done"), "{said}");
    let (_, said) = place.run(&["--file-seconds", "60"]);
    assert!(said.contains("was done"), "{said}");
}

#[test]
fn one_run_at_a_time_writes_to_an_output() {
    let place = Place::new(&[("a.md", "# A\n")]);
    assert!(place.parts("1").status.success());
    place.job("");
    fs::create_dir(place.path("out")).expect("there is room");
    let lock = fs::File::create(place.path("out/.lock")).expect("it is made");
    lock.try_lock().expect("nobody has it");
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("another run writes to"), "{said}");
    drop(lock);
    assert_eq!(place.run(&[]).0, Some(0));
}
