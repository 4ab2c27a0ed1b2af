//! Answers that are packed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use sectile_site::{Error, Fetcher, Known, Want};

use super::fetch::{get, this_machine};
use super::server::{Answer, Server};

pub(super) fn packed<W: io::Write>(
    mut packer: W,
    bytes: &[u8],
    finish: impl FnOnce(W) -> io::Result<Vec<u8>>,
) -> Vec<u8> {
    packer.write_all(bytes).unwrap();
    finish(packer).unwrap()
}

pub(super) fn brotli(mut bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 5,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut bytes, &mut packed, &parameters).unwrap();
    packed
}

#[tokio::test]
async fn packed_answers_are_unpacked() {
    let server = Server::start();
    let text = "# Guide\n".repeat(100);
    let bytes = text.as_bytes();
    let fast = Compression::fast();
    let all = [
        (
            "gzip",
            packed(GzEncoder::new(Vec::new(), fast), bytes, GzEncoder::finish),
        ),
        (
            "deflate",
            packed(
                ZlibEncoder::new(Vec::new(), fast),
                bytes,
                ZlibEncoder::finish,
            ),
        ),
        (
            "deflate",
            packed(
                DeflateEncoder::new(Vec::new(), fast),
                bytes,
                DeflateEncoder::finish,
            ),
        ),
        ("br", brotli(bytes)),
        ("identity", bytes.to_vec()),
        ("none", bytes.to_vec()),
        ("UTF-8", bytes.to_vec()),
    ];
    for (encoding, packed) in all {
        let answer = Answer::new(200, "text/plain", packed.clone());
        server.answer("/a", answer.with("content-encoding", encoding));
        assert_eq!(get(&server, "/a").await.unwrap().bytes, bytes, "{encoding}");
        if packed != bytes {
            let answer = Answer::new(200, "text/plain", &packed[..packed.len() / 2]);
            server.answer("/a", answer.with("content-encoding", encoding));
            let error = get(&server, "/a").await.unwrap_err();
            assert!(
                matches!(error, Error::Unreadable { .. }),
                "{encoding}: {error:?}"
            );
            check_without_length(&server, encoding, &packed, bytes).await;
        }
    }
    server.answer(
        "/a",
        Answer::new(200, "text/plain", "x").with("content-encoding", "zstd"),
    );
    assert!(matches!(
        get(&server, "/a").await,
        Err(Error::Unreadable { .. })
    ));
}

/// Checks that an answer that ends with its connection is read where it is whole, that a later attempt may succeed where
/// it breaks off, and that none may where it is damaged.
async fn check_without_length(server: &Server, encoding: &str, packed: &[u8], text: &[u8]) {
    let answer = |body: &[u8]| {
        let answer = Answer::new(200, "text/plain", body).unmeasured();
        server.answer("/a", answer.with("content-encoding", encoding));
    };
    answer(packed);
    assert_eq!(get(server, "/a").await.unwrap().bytes, text, "{encoding}");
    for end in [1, packed.len() / 2, packed.len() - 1] {
        answer(&packed[..end]);
        let error = get(server, "/a").await.unwrap_err();
        assert!(error.is_transient(), "{encoding}, {end}: {error:?}");
    }
    answer(&[0xff; 100]);
    let error = get(server, "/a").await.unwrap_err();
    let is_damaged = matches!(error, Error::Unreadable { .. });
    assert!(is_damaged, "{encoding}: {error:?}");
}

#[tokio::test]
async fn an_answer_without_bytes_is_an_empty_text_in_every_encoding() {
    let server = Server::start();
    for encoding in ["gzip", "deflate", "br", "identity"] {
        let answer = Answer::new(200, "text/plain", "").with("content-encoding", encoding);
        for answer in [answer.clone(), answer.unmeasured()] {
            server.answer("/a", answer);
            let bytes = get(&server, "/a").await.unwrap().bytes;
            assert!(bytes.is_empty(), "{encoding}: {bytes:?}");
        }
    }
}

#[test]
fn answers_are_unpacked_beside_the_runtime() {
    let server = Server::start();
    server.text("/plain.md", "text/markdown", "# Plain");
    let packer = GzEncoder::new(Vec::new(), Compression::fast());
    let bytes = packed(packer, b"# Packed", GzEncoder::finish);
    let answer = Answer::new(200, "text/markdown", bytes);
    server.answer("/packed.md", answer.with("content-encoding", "gzip"));
    let threads = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&threads);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .on_thread_start(move || {
            count.fetch_add(1, Ordering::SeqCst);
        })
        .build()
        .unwrap();
    let fetcher = Fetcher::new(&this_machine()).unwrap();
    let started = |path: &str| {
        let (url, nothing) = (server.url(path).parse().unwrap(), Known::new());
        let got = runtime.block_on(fetcher.get(&url, Want::Page, &nothing));
        got.unwrap();
        threads.load(Ordering::SeqCst)
    };
    assert_eq!(started("/plain.md"), 0);
    assert_eq!(started("/packed.md"), 1);
}

#[tokio::test]
async fn of_too_many_packed_rules_the_first_count() {
    let server = Server::start();
    server.markdown("/a.md", "# A");
    server.markdown("/b.md", "# B");
    let noise = (0..200_000_u64).map(|number| {
        let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("# {:016x}\n", mixed ^ (mixed >> 29))
    });
    let noise: String = noise.collect();
    let rules = format!("User-agent: *\nDisallow: /a.md\n{noise}Disallow: /b.md\n");
    let rules = rules.as_bytes();
    let gzip = GzEncoder::new(Vec::new(), Compression::fast());
    let zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    let all = [
        ("gzip", packed(gzip, rules, GzEncoder::finish)),
        ("deflate", packed(zlib, rules, ZlibEncoder::finish)),
        ("br", brotli(rules)),
    ];
    for (encoding, packed) in all {
        assert!(packed.len() > 600 << 10, "{encoding}: {}", packed.len());
        let answer = Answer::new(200, "text/plain", packed);
        server.answer("/robots.txt", answer.with("content-encoding", encoding));
        let error = get(&server, "/a.md").await.unwrap_err();
        assert!(
            matches!(error, Error::Disallowed { .. }),
            "{encoding}: {error:?}"
        );
        assert!(get(&server, "/b.md").await.is_ok(), "{encoding}");
    }
    let damaged = Answer::new(200, "text/plain", vec![b'#'; 600 << 10]);
    server.answer("/robots.txt", damaged.with("content-encoding", "gzip"));
    let error = get(&server, "/b.md").await.unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }), "{error:?}");
}
