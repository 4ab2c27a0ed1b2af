//! Redirects and host names that lead to forbidden addresses. In these tests, one address of this
//! machine counts as public, and all others do not.

use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use url::Url;

use super::{Fetcher, Rule, Want};
use crate::{Answer, Error, Known, Resolver, SiteOptions};

fn is_public_here(address: IpAddr) -> bool {
    address == IpAddr::from([127, 0, 0, 1])
}

fn rule() -> Rule {
    Rule {
        is_public: is_public_here,
        private_hosts: Arc::default(),
    }
}

/// Says one address after the other, and counts.
#[derive(Debug, Default)]
struct Names {
    addresses: Mutex<VecDeque<IpAddr>>,
    asked: Mutex<Vec<String>>,
}

impl Names {
    fn of(addresses: &[[u8; 4]]) -> Arc<Self> {
        let addresses = addresses.iter().map(|&address| address.into());
        Arc::new(Self {
            addresses: Mutex::new(addresses.collect()),
            asked: Mutex::default(),
        })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Resolver for Names {
    fn resolve(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        self.asked.lock().unwrap().push(host.to_owned());
        let address = self.addresses.lock().unwrap().pop_front();
        Box::pin(async move { Ok(address.into_iter().collect()) })
    }
}

/// Starts a server on all addresses of this machine, and returns its port and what it was asked for: as
/// `/path at host`. Each path but that of a page and of the rules redirects to `elsewhere`.
async fn serve(elsewhere: &'static str) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let log = Arc::clone(&asked);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.unwrap();
            let at = stream.local_addr().unwrap().ip();
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let path = request.split(' ').nth(1).unwrap().to_owned();
            let head = match path.as_str() {
                "/robots.txt" => "404 Not Found".to_owned(),
                "/page" => "200 OK\r\ncontent-type: text/plain".to_owned(),
                _ => format!(
                    "302 Found\r\nlocation: {}",
                    elsewhere.replace("PORT", &port.to_string())
                ),
            };
            log.lock().unwrap().push(format!("{path} at {at}"));
            let answer =
                format!("HTTP/1.1 {head}\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    (port, asked)
}

async fn get(fetcher: &Fetcher, url: String) -> crate::Result<Answer> {
    fetcher
        .get(&url.parse::<Url>().unwrap(), Want::Page, &Known::new())
        .await
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_not_followed() {
    for elsewhere in [
        "http://127.0.0.2:PORT/page",
        "http://2130706434:PORT/page",
        "http://inner.example:PORT/page",
        "//inner.example:PORT/page",
    ] {
        let (port, asked) = serve(elsewhere).await;
        let names = Names::of(&[[127, 0, 0, 2]]);
        let options = SiteOptions::default();
        let fetcher = Fetcher::with_rule(&options, names, rule()).unwrap();
        let error = get(&fetcher, format!("http://127.0.0.1:{port}/a"))
            .await
            .unwrap_err();
        assert!(
            matches!(error, Error::PrivateAddress { .. }),
            "{elsewhere}: {error:?}"
        );
        let asked = asked.lock().unwrap();
        assert_eq!(
            *asked,
            ["/robots.txt at 127.0.0.1", "/a at 127.0.0.1"],
            "{elsewhere}"
        );
    }
}

#[tokio::test]
async fn a_name_that_comes_to_mean_a_private_address_is_not_followed() {
    let (port, asked) = serve("/").await;
    // Each request is a connection of its own, and looks the name up for itself.
    let names = Names::of(&[[127, 0, 0, 1], [127, 0, 0, 1], [127, 0, 0, 2]]);
    let options = SiteOptions::default();
    let fetcher = Fetcher::with_rule(&options, names.clone(), rule()).unwrap();
    let url = format!("http://rebinding.example:{port}/page");
    get(&fetcher, url.clone()).await.unwrap();
    let error = get(&fetcher, url).await.unwrap_err();
    assert!(matches!(error, Error::PrivateAddress { .. }), "{error:?}");
    assert_eq!(
        *asked.lock().unwrap(),
        ["/robots.txt at 127.0.0.1", "/page at 127.0.0.1"]
    );
    // One lookup a connection: what was checked is what was connected to.
    assert_eq!(names.asked(), ["rebinding.example"; 3]);
}

/// Says that every name has two addresses.
#[derive(Debug)]
struct Both;

impl Resolver for Both {
    fn resolve(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let both = vec![[127, 0, 0, 2].into(), [127, 0, 0, 1].into()];
        Box::pin(std::future::ready(Ok(both)))
    }
}

#[tokio::test]
async fn of_several_addresses_only_public_ones_are_connected_to() {
    let (port, asked) = serve("/").await;
    let options = SiteOptions::default();
    let fetcher = Fetcher::with_rule(&options, Arc::new(Both), rule()).unwrap();
    get(&fetcher, format!("http://both.example:{port}/page"))
        .await
        .unwrap();
    assert_eq!(
        *asked.lock().unwrap(),
        ["/robots.txt at 127.0.0.1", "/page at 127.0.0.1"]
    );
}
