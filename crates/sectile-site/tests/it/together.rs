//! Many requests at a time, and what runs beside them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::future::join_all;
use sectile_site::{Fetcher, Known, SiteOptions, Want};
use url::Url;

use super::server::{Answer, Server};

/// How many pages each host has.
const PAGES: usize = 24;

/// Holds requests until a number of them are open, and lets one go each time that they are.
struct Gate {
    hosts: Mutex<Vec<Open>>,
    changed: Condvar,
    enough: usize,
}

/// The requests to one host.
#[derive(Clone, Default)]
struct Open {
    arrived: usize,
    open: usize,
    most: usize,
    most_in_all: usize,
}

impl Gate {
    fn pass(&self, host: usize) {
        let mut hosts = self.hosts.lock().unwrap();
        hosts[host].arrived += 1;
        hosts[host].open += 1;
        hosts[host].most = hosts[host].most.max(hosts[host].open);
        let in_all = open_in_all(&hosts);
        hosts[host].most_in_all = hosts[host].most_in_all.max(in_all);
        self.changed.notify_all();
        // Once a host has been asked for everything there may be too few left.
        let is_early = |hosts: &mut Vec<Open>| {
            open_in_all(hosts) < self.enough && hosts.iter().all(|host| host.arrived < PAGES)
        };
        let mut hosts = self.changed.wait_while(hosts, is_early).unwrap();
        hosts[host].open -= 1;
    }
}

fn open_in_all(hosts: &[Open]) -> usize {
    hosts.iter().map(|host| host.open).sum()
}

/// Starts a host whose pages pass a gate, and returns its port.
fn serve(gate: &Arc<Gate>, host: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let gate = Arc::clone(gate);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let gate = Arc::clone(&gate);
            thread::spawn(move || answer(&stream, &gate, host));
        }
    });
    port
}

fn answer(mut stream: &TcpStream, gate: &Gate, host: usize) {
    let head = BufReader::new(stream).lines().map_while(Result::ok);
    let head: Vec<String> = head.take_while(|line| !line.is_empty()).collect();
    if !head[0].contains("robots.txt") {
        gate.pass(host);
    }
    let answer = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    stream.write_all(answer.as_bytes()).unwrap();
}

/// Asks a number of hosts for all of their pages at once; returns the most requests that one host had,
/// and the most that all had together.
async fn most(hosts: usize, enough: usize) -> (usize, usize) {
    let gate = Arc::new(Gate {
        hosts: Mutex::new(vec![Open::default(); hosts]),
        changed: Condvar::new(),
        enough,
    });
    let ports: Vec<u16> = (0..hosts).map(|host| serve(&gate, host)).collect();
    let fetcher = Fetcher::new(&SiteOptions::default().with_private(true)).unwrap();
    let urls = (0..PAGES).flat_map(|page| {
        let url = move |port| format!("http://127.0.0.1:{port}/{page}.md");
        ports.iter().map(url)
    });
    let urls: Vec<Url> = urls.map(|url| url.parse().unwrap()).collect();
    let nothing = Known::new();
    let get = |url| fetcher.get(url, Want::Page, &nothing);
    for answer in join_all(urls.iter().map(get)).await {
        answer.unwrap();
    }
    let hosts = gate.hosts.lock().unwrap();
    let most = |number: fn(&Open) -> usize| hosts.iter().map(number).max().unwrap();
    (most(|host| host.most), most(|host| host.most_in_all))
}

#[tokio::test]
async fn a_host_gets_four_requests_at_a_time_and_all_together_eight() {
    assert_eq!(most(1, 4).await, (4, 4));
    assert_eq!(most(2, 8).await, (4, 8));
    assert_eq!(most(3, 8).await, (4, 8));
}

#[test]
fn answers_are_unpacked_beside_the_runtime() {
    let server = Server::start();
    server.text("/plain.md", "text/markdown", "# Plain");
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(b"# Packed").unwrap();
    let packed = Answer::new(200, "text/markdown", packer.finish().unwrap());
    server.answer("/packed.md", packed.with("content-encoding", "gzip"));
    let threads = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&threads);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .on_thread_start(move || {
            count.fetch_add(1, Ordering::SeqCst);
        })
        .build()
        .unwrap();
    let fetcher = Fetcher::new(&SiteOptions::default().with_private(true)).unwrap();
    let started = |path: &str| {
        let (url, nothing) = (server.url(path).parse().unwrap(), Known::new());
        let got = runtime.block_on(fetcher.get(&url, Want::Page, &nothing));
        got.unwrap();
        threads.load(Ordering::SeqCst)
    };
    assert_eq!(started("/plain.md"), 0);
    assert_eq!(started("/packed.md"), 1);
}
