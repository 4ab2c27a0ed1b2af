//! Jobs, and what is wrong with them.

use super::*;

#[test]
fn what_is_wrong_with_a_job_is_said() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let job = folder.path().join("job.json");
    let cases = [
        ("{}", "parts"),
        (
            r#"{"parts": "none", "output": "out"}"#,
            "there is no folder `none`",
        ),
        (r#"{"parts": ".", "output": "out"}"#, "no Parquet parts"),
        (
            r#"{"parts": ".", "output": "out", "chunks": {}}"#,
            "unknown field",
        ),
    ];
    for (text, word) in cases {
        fs::write(&job, text).expect("it is written");
        let ran = program(&["run", &job.display().to_string()]);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{said}");
        assert!(said.contains(word), "{text}: {said}");
    }
}

/// Answers requests for vectors as OpenAI's protocol has it, until the test ends, and returns the address.
fn serve_vectors() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("it has an address");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer_vectors(stream));
        }
    });
    address
}

fn answer_vectors(mut stream: TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let (mut length, mut line) = (0, String::new());
        while reader.read_line(&mut line).ok()? > 0 && line.trim() != "" {
            let lower = line.to_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            line.clear();
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let asked: serde_json::Value = serde_json::from_slice(&body).ok()?;
        let texts = asked["input"].as_array()?;
        let vectors = texts.iter().enumerate().map(|(index, text)| {
            let length = text.as_str().map_or(0, str::len);
            serde_json::json!({"object": "embedding", "index": index, "embedding": [length, 1]})
        });
        let vectors: Vec<_> = vectors.collect();
        let body = serde_json::json!({"object": "list", "data": vectors, "model": "m"}).to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).ok()?;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_come_from_a_server_and_a_model_that_there_is_not_ends_the_run_at_once() {
    let place = Place::new(&[("a.md", "# A\n\nOne.\n"), ("b.md", "# B\n\nTwo.\n")]);
    assert!(place.parts("2").status.success());
    place.job(&format!(r#", "embed": "http://{}/v1#m""#, serve_vectors()));
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(0), "{said}");
    let ids = place.column("chunks", "id").await;
    assert!(!ids.is_empty());
    assert_eq!(place.column("vectors", "id").await, ids);
    place.job(r#", "embed": "http://127.0.0.1:1/v1#m""#);
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("the model cannot be used"), "{said}");
    assert!(!said.contains("is tried again"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_cuts_files_by_their_formats() {
    let yaml = "# a comment\nserver:\n  port: 80\nclient:\n  # no heading\n  port: 81\n";
    let code = "class Jar:\n    # a comment\n    def open(self):\n        return 1\n";
    let files = [("a.md", "# A\n\nOne.\n"), ("b.yaml", yaml), ("c.py", code)];
    let place = Place::new(&files);
    assert!(place.parts("1").status.success());
    place.job(r#", "chunk": {"strategy": "markdown", "size": 40, "overlap": 0}"#);
    let (status, said) = place.run(&[]);
    assert_eq!(status, Some(0), "{said}");
    let settings = sectile::ChunkSettings {
        size: Some(40),
        overlap: Some(0),
        ..sectile::ChunkSettings::new(sectile::Strategy::Markdown)
    };
    let cutter = settings.cutter().expect("the settings are right");
    let mut expected = Vec::new();
    for (name, _) in files {
        let document = sectile::load::load_file(place.path("files").join(name));
        let document = document.expect("it is loaded");
        let cut = cutter.chunks("", &document.text, document.format, &document.outline);
        for cut in cut.expect("it is cut") {
            let span = cut.chunk.span;
            expected.push(format!("{name}#{}-{}", span.start, span.end));
        }
    }
    expected.sort();
    assert_eq!(place.column("chunks", "id").await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn chunks_of_a_file_with_pages_have_them() {
    let place = Place::new(&[("a.md", "# A\n")]);
    let file = "../../crates/sectile-load/tests/fixtures/three-levels.pdf";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::copy(file, place.path("files/b.pdf")).expect("it is copied");
    assert!(place.parts("1").status.success());
    place.job(r#", "chunk": {"size": 200, "overlap": 0, "unit": "chars"}"#);
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(0), "{said}");
    let pages = place.column("chunks", "concat(uri, ' ', first_page, '-', last_page)");
    let expected = [
        "a.md -",
        "b.pdf 1-1",
        "b.pdf 1-1",
        "b.pdf 2-2",
        "b.pdf 2-2",
        "b.pdf 3-3",
    ];
    assert_eq!(pages.await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_without_a_name_or_a_text_are_rows_with_an_error() {
    use datafusion::arrow::array::BinaryArray;
    use datafusion::parquet::arrow::ArrowWriter;

    let place = Place::new(&[]);
    fs::create_dir(place.path("parts")).expect("there is room");
    let uris = BinaryArray::from(vec![None, Some(&b"\xff"[..]), Some(b"c.md"), Some(b"d.md")]);
    let texts = BinaryArray::from(vec![
        Some(&b"a"[..]),
        Some(b"b"),
        Some(b"\xff"),
        Some(b"# D\n"),
    ]);
    let columns: [(&str, ArrayRef); 2] = [
        ("uri", std::sync::Arc::new(uris)),
        ("text", std::sync::Arc::new(texts)),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("they are as long");
    for name in ["a.PARQUET", "_b.parquet"] {
        let file = fs::File::create(place.path("parts").join(name)).expect("it is made");
        let writer = ArrowWriter::try_new(file, batch.schema(), None);
        let mut writer = writer.expect("it is begun");
        writer.write(&batch).expect("it is written");
        writer.close().expect("it is written");
    }
    place.job("");
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("3 documents could not be loaded"), "{said}");
    // What begins with `_` is no part.
    assert_eq!(place.names("out/done/documents"), ["a.PARQUET.json"]);
    let kept = datafusion::parquet::file::reader::SerializedFileReader::new(
        fs::File::open(place.path("out/chunks/a.PARQUET")).expect("it is there"),
    );
    let kept = kept.expect("it is a Parquet file");
    let rows = datafusion::parquet::file::reader::FileReader::metadata(&kept);
    assert_eq!(rows.file_metadata().num_rows(), 1);
}

#[test]
fn large_texts_are_written_a_few_at_a_time() {
    use datafusion::parquet::file::reader::{FileReader as _, SerializedFileReader};

    let place = Place::new(&[]);
    for at in 0..12 {
        // Letters that do not compress well.
        let mut state = at + 1_u64;
        let letter = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            char::from(b'0' + (state >> 58) as u8)
        };
        let text: String = (0..3 << 20).map(letter).collect();
        place.write(&format!("{at}.txt"), &text);
    }
    assert!(place.parts("1").status.success());
    place.job(r#", "chunk": {"strategy": "token", "size": 100000, "unit": "chars", "overlap": 0}"#);
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(0), "{said}");
    let file = fs::File::open(place.path("out/documents/part-00000.parquet"));
    let file = SerializedFileReader::new(file.expect("it is there")).expect("it is one");
    // 36 MiB of text, 27 MiB once compressed, in groups of 16 MiB.
    assert!(file.metadata().num_row_groups() >= 2);
}

#[cfg(unix)]
#[test]
fn parts_say_what_they_leave_out() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let place = Place::new(&[("a.md", "# A\n"), (".hidden", "no")]);
    std::os::unix::fs::symlink("a.md", place.path("files/link.md")).expect("it is made");
    let files = place.path("files").display().to_string();
    let output = place.path("files/parts").display().to_string();
    for _ in 0..2 {
        let made = program(&["parts", &files, &output, "--parts", "1"]);
        let said = String::from_utf8_lossy(&made.stderr).into_owned();
        assert_eq!(made.status.code(), Some(0), "{said}");
        assert!(said.contains("1 left out, hidden:"), "{said}");
        assert!(said.contains("1 left out, symbolic links"), "{said}");
        assert!(!said.contains("parquet"), "{said}");
    }
    fs::write(place.path("files").join(OsStr::from_bytes(b"\xff.md")), "x").expect("it is written");
    let made = program(&["parts", &files, &output, "--parts", "1"]);
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert_eq!(made.status.code(), Some(1), "{said}");
    assert!(said.contains("1 left out, not named in UTF-8"), "{said}");
}
