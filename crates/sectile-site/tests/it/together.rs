//! Many requests at a time.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use futures_util::future::join_all;
use sectile_site::{Fetcher, Known, Want};
use url::Url;

use super::fetch::this_machine;

/// How many pages each host has.
const PAGES: usize = 24;

/// How long one request too many has to come in.
const MOMENT: Duration = Duration::from_millis(200);

/// Holds requests until a number of them are in, and a moment longer.
struct Gate {
    state: Mutex<State>,
    changed: Condvar,
    enough: usize,
}

struct State {
    /// How many requests each host has to answer.
    waiting: Vec<usize>,
    most_of_host: usize,
    most_of_all: usize,
    is_open: bool,
}

impl Gate {
    fn of(hosts: usize, enough: usize) -> Arc<Self> {
        let state = State {
            waiting: vec![0; hosts],
            most_of_host: 0,
            most_of_all: 0,
            is_open: false,
        };
        Arc::new(Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            enough,
        })
    }

    fn pass(&self, host: usize) {
        let mut state = self.state.lock().unwrap();
        state.enter(host);
        self.changed.notify_all();
        let is_early = |state: &mut State| !state.is_open && state.in_all() < self.enough;
        let state = self.changed.wait_while(state, is_early).unwrap();
        let is_right = |state: &mut State| !state.is_open && state.in_all() <= self.enough;
        let waited = self.changed.wait_timeout_while(state, MOMENT, is_right);
        let (mut state, _) = waited.unwrap();
        state.is_open = true;
        state.waiting[host] -= 1;
        self.changed.notify_all();
    }
}

impl State {
    fn enter(&mut self, host: usize) {
        self.waiting[host] += 1;
        self.most_of_host = self.most_of_host.max(self.waiting[host]);
        self.most_of_all = self.most_of_all.max(self.in_all());
    }

    fn in_all(&self) -> usize {
        self.waiting.iter().sum()
    }
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
    let gate = Gate::of(hosts, enough);
    let ports: Vec<u16> = (0..hosts).map(|host| serve(&gate, host)).collect();
    let fetcher = Fetcher::new(&this_machine()).unwrap();
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
    let state = gate.state.lock().unwrap();
    (state.most_of_host, state.most_of_all)
}

#[tokio::test]
async fn a_host_gets_four_requests_at_a_time_and_all_together_eight() {
    assert_eq!(most(1, 4).await, (4, 4));
    assert_eq!(most(2, 8).await, (4, 8));
    assert_eq!(most(3, 8).await, (4, 8));
}
