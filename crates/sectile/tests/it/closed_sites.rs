//! Sites that are closed for a while and answer with status 200: what is stored of them stays.

use std::collections::BTreeMap;
use std::ops::Range;

use sectile::{IngestReport, Part, Scope, SiteOptions};

use crate::place::Place;
use crate::site_server::{Answer, Server};

const DOWN: &str = "<title>Down</title><h1>Down</h1><p>Back at noon.";

/// A site of a number of pages, all of them in the store.
struct Site {
    place: Place,
    server: Server,
    is_crawled: bool,
}

impl Site {
    /// Makes one that is crawled by its sitemap.
    async fn crawled(pages: usize) -> Self {
        let site = Self::new(true).await;
        let entry = |number| format!("<url><loc>/p{number}</loc></url>");
        let entries: String = (0..pages).map(entry).collect();
        site.server.html("/", "<h1>Start</h1><p>Welcome.");
        let sitemap = format!("<urlset>{entries}</urlset>");
        site.server
            .text("/sitemap.xml", "application/xml", &sitemap);
        for number in 0..pages {
            let text = format!("<h1>P{number}</h1><p>Word{number}.");
            site.server.html(&format!("/p{number}"), &text);
        }
        assert_eq!(site.ingest().await.added, pages + 1);
        site
    }

    /// Makes one that is listed in an `llms.txt`.
    async fn listed(pages: usize) -> Self {
        let site = Self::new(false).await;
        site.list(0..pages);
        for number in 0..pages {
            let text = format!("# P{number}\n\nWord{number}.\n");
            site.server.markdown(&format!("/p{number}.md"), &text);
        }
        assert_eq!(site.ingest().await.added, pages + 1);
        site
    }

    /// Makes one that has all pages in an `llms-full.txt`.
    async fn full(pages: usize) -> Self {
        let site = Self::new(false).await;
        site.fill(0..pages);
        assert_eq!(site.ingest().await.added, pages + 1);
        site
    }

    /// Lists pages in an `llms.txt`.
    fn list(&self, pages: Range<usize>) {
        let link = |number| format!("- [p{number}](/p{number}.md)\n");
        let links: String = pages.map(link).collect();
        let list = format!("# S\n\n## D\n\n{links}");
        self.server.text("/llms.txt", "text/plain", &list);
    }

    /// Writes pages into an `llms-full.txt`.
    fn fill(&self, pages: Range<usize>) {
        let page = |n| format!("---\nurl: /p{n}\n---\n\n# P{n}\n\nWord{n}.\n\n");
        let pages: String = pages.map(page).collect();
        self.server.text("/llms-full.txt", "text/plain", &pages);
    }

    async fn new(is_crawled: bool) -> Self {
        Self {
            place: Place::new().await,
            server: Server::start(),
            is_crawled,
        }
    }

    async fn ingest(&self) -> IngestReport {
        let options = SiteOptions::default()
            .with_private(true)
            .with_crawl(self.is_crawled);
        let library = &self.place.library;
        let url = self.server.url("");
        let report = library.ingest_site(Some("docs"), &url, &options, &|_| ());
        report.await.unwrap()
    }

    /// Answers every page of some number with an answer.
    fn answer(&self, pages: usize, answer: &Answer) {
        let end = if self.is_crawled { "" } else { ".md" };
        for number in 0..pages {
            self.server
                .answer(&format!("/p{number}{end}"), answer.clone());
        }
    }

    /// Returns the text of each document, by its path.
    async fn texts(&self) -> BTreeMap<String, String> {
        let library = &self.place.library;
        let mut texts = BTreeMap::new();
        for document in library.documents(&Scope::all()).await.unwrap() {
            let text = library.text(&document, &Part::Whole, 0).await;
            let path = document.uri.replace(&self.server.url(""), "");
            texts.insert(path, text.unwrap());
        }
        texts
    }

    /// Checks that another ingest changes no text, and that so many pages are said to stay for a reason.
    async fn expect_kept(&self, count: usize, reason: &str) {
        let before = self.texts().await;
        let report = self.ingest().await;
        assert_eq!(report.removed, 0, "{report:?}");
        let kept = report.kept.iter().filter(|(_, why)| why.contains(reason));
        assert_eq!(kept.count(), count, "{report:?}");
        let mut after = self.texts().await;
        after.retain(|path, _| before.contains_key(path));
        assert_eq!(after, before);
    }
}

fn page(text: &str) -> Answer {
    Answer::new(200, "text/html", text)
}

#[tokio::test]
async fn pages_that_all_are_one_text_stay_as_they_were() {
    let site = Site::crawled(20).await;
    site.server.html("/", DOWN);
    site.answer(20, &page(DOWN));
    site.expect_kept(1, "21 pages in all have one and the same text")
        .await;
    site.expect_kept(20, "and was another page before").await;

    let site = Site::listed(12).await;
    site.answer(12, &Answer::new(200, "text/markdown", "# Down\n"));
    site.expect_kept(12, "12 pages in all have one and the same text")
        .await;
}

#[tokio::test]
async fn all_pages_of_a_small_site_do_not_become_one() {
    let site = Site::listed(3).await;
    site.answer(3, &Answer::new(200, "text/markdown", "# Down\n"));
    site.expect_kept(3, "3 pages in all have one and the same text")
        .await;

    let site = Site::crawled(2).await;
    site.server.html("/", DOWN);
    site.answer(2, &page(DOWN));
    site.expect_kept(1, "3 pages in all have one and the same text")
        .await;

    let site = Site::crawled(3).await;
    site.answer(3, &Answer::moved("/"));
    site.expect_kept(3, "and so do 3 pages in all").await;

    let site = Site::listed(2).await;
    let closed = "<title>Closed</title><h1>Closed</h1>";
    site.server.html("/closed", closed);
    site.answer(2, &Answer::moved("/closed"));
    site.expect_kept(2, "and so do 2 pages in all").await;
}

#[tokio::test]
async fn a_start_page_without_links_stays_if_all_pages_have_its_text() {
    for (pages, text) in [(20, DOWN), (4, DOWN), (20, "")] {
        let site = Site::crawled(pages).await;
        site.server.remove("/sitemap.xml");
        site.server.otherwise(page(text));
        site.server.html("/", text);
        site.server.text("/robots.txt", "text/plain", "");
        for number in 0..pages {
            // What differs from one answer to the other is not the text.
            let answer = format!("<!-- request {number} -->{text}");
            site.server.html(&format!("/p{number}"), &answer);
        }
        site.expect_kept(1, "pages in all have one and the same text")
            .await;
    }
}

#[tokio::test]
async fn a_start_page_that_leads_nowhere_any_more_is_written() {
    let site = Site::crawled(20).await;
    site.server.remove("/sitemap.xml");
    site.server.html("/", DOWN);
    let report = site.ingest().await;
    assert_eq!((report.updated, report.removed), (1, 0), "{report:?}");
    assert!(site.texts().await["/"].contains("Back at noon"));
}

#[tokio::test]
async fn pages_that_all_are_empty_stay_as_they_were() {
    let site = Site::listed(12).await;
    site.answer(12, &Answer::new(200, "text/markdown", ""));
    site.expect_kept(12, "12 pages in all").await;
}

#[tokio::test]
async fn pages_of_one_text_with_a_mark_of_their_own_stay_as_they_were() {
    let site = Site::crawled(20).await;
    for number in 0..20 {
        let text = format!("<!-- request {number} -->{DOWN}");
        site.server.html(&format!("/p{number}"), &text);
    }
    site.expect_kept(20, "20 pages in all have one and the same text")
        .await;
}

#[tokio::test]
async fn a_few_pages_with_one_text_are_as_the_site_has_them() {
    let site = Site::listed(12).await;
    site.answer(10, &Answer::new(200, "text/markdown", "# Down\n"));
    let report = site.ingest().await;
    assert_eq!((report.updated, report.kept.len()), (10, 0));
}

#[tokio::test]
async fn pages_that_were_one_text_before_follow_their_site() {
    let site = Site::listed(12).await;
    // So few at a time that nobody takes them for a closed site.
    for pages in [10, 12] {
        site.answer(pages, &Answer::new(200, "text/markdown", "# Soon\n"));
        site.ingest().await;
    }
    site.answer(12, &Answer::new(200, "text/markdown", "# Later\n"));
    let report = site.ingest().await;
    assert_eq!((report.updated, report.kept.len()), (12, 0));
}

#[tokio::test]
async fn more_changed_pages_than_wait_for_each_other_are_all_written() {
    let site = Site::listed(150).await;
    for number in 0..150 {
        let text = format!("# P{number}\n\nOther{number}.\n");
        site.server.markdown(&format!("/p{number}.md"), &text);
    }
    let report = site.ingest().await;
    assert_eq!((report.updated, report.kept.len()), (150, 0));
}

#[tokio::test]
async fn a_copy_goes_only_where_it_was_one() {
    let site = Site::crawled(2).await;
    site.answer(2, &page("<h1>Both</h1>"));
    let before = site.texts().await;
    let report = site.ingest().await;
    assert_eq!((report.updated, report.removed), (1, 0), "{report:?}");
    assert_eq!(site.texts().await["/p1"], before["/p1"]);
}

#[tokio::test]
async fn pages_that_all_send_browsers_on_stay() {
    let refresh = "<meta http-equiv=refresh content='0;url=/closed'>";
    let site = Site::crawled(20).await;
    site.server.html("/closed", "<h1>Closed</h1>");
    site.answer(20, &page(refresh));
    site.expect_kept(20, "and so do 20 pages in all").await;

    // Nothing leads to them any more, and they are asked for once more.
    site.server.remove("/sitemap.xml");
    site.server.html("/", "<a href=closed>c</a>");
    let report = site.ingest().await;
    assert_eq!(report.removed, 0, "{report:?}");
}

#[tokio::test]
async fn a_page_that_sends_browsers_on_goes_if_the_other_is_there() {
    let site = Site::crawled(3).await;
    let refresh = |to: &str| page(&format!("<meta http-equiv=refresh content='0;url={to}'>"));
    site.server.answer("/p0", refresh("/p1"));
    site.server.answer("/p1", refresh("/p2"));
    let report = site.ingest().await;
    assert_eq!(report.removed, 2, "{report:?}");
    site.server.answer("/p2", refresh("/busy"));
    site.server
        .answer("/busy", Answer::new(503, "text/html", ""));
    assert_eq!(site.ingest().await.removed, 0);
}

#[tokio::test]
async fn pages_that_all_name_one_address_as_theirs_stay() {
    let site = Site::crawled(20).await;
    let text = "<title>Down</title><link rel=canonical href=/down>";
    site.server
        .html("/down", "<title>Down</title><h1>Down</h1>");
    for number in 0..20 {
        let text = format!("{text}<h1>Down</h1><p>Request {number}.");
        site.server.html(&format!("/p{number}"), &text);
    }
    site.expect_kept(20, "and so do 20 pages in all").await;
}

#[tokio::test]
async fn pages_that_all_ask_not_to_be_indexed_stay() {
    let site = Site::crawled(20).await;
    let hidden = |number: usize| {
        let text = format!("<meta name=robots content=noindex>{DOWN}{number}");
        site.server.html(&format!("/p{number}"), &text);
    };
    (0..10).for_each(hidden);
    assert_eq!(site.ingest().await.removed, 10);

    let site = Site::crawled(20).await;
    site.answer(
        20,
        &page(&format!("<meta name=robots content=noindex>{DOWN}")),
    );
    site.expect_kept(20, "and so do 20 of 21 pages").await;
}

#[tokio::test]
async fn a_list_without_links_takes_no_page_away() {
    let site = Site::listed(3).await;
    let text = "# Site\n\nUnder maintenance.\n";
    site.server.text("/llms.txt", "text/plain", text);
    let report = site.ingest().await;
    assert_eq!((report.removed, report.kept.len()), (0, 3), "{report:?}");
    assert!(report.kept[0].1.contains("lists no pages any more"));
}

#[tokio::test]
async fn a_file_of_all_pages_that_has_none_takes_no_page_away() {
    let site = Site::new(false).await;
    let full = "---\nurl: /a\n---\n\n# A\n\nOne.\n\n---\nurl: /b\n---\n\n# B\n\nTwo.\n";
    site.server.text("/llms-full.txt", "text/plain", full);
    assert_eq!(site.ingest().await.added, 3);
    let text = "Under maintenance.\n";
    site.server.text("/llms-full.txt", "text/plain", text);
    let report = site.ingest().await;
    assert_eq!((report.removed, report.kept.len()), (0, 2), "{report:?}");
}

#[tokio::test]
async fn a_list_that_is_cut_off_takes_no_page_away_that_is_there() {
    let site = Site::listed(12).await;
    site.list(0..1);
    site.server.remove("/p3.md");
    // Those that stay do so although they are few enough later.
    for removed in [1, 0] {
        let report = site.ingest().await;
        let stay = (report.removed, report.kept.len());
        assert_eq!(stay, (removed, 10), "{report:?}");
        let reason = "does not have it any more, but it is still there";
        let has_reason = |(_, why): &(String, String)| why.contains(reason);
        assert!(report.kept.iter().all(has_reason), "{report:?}");
    }
    site.server.remove("/p4.md");
    assert_eq!(site.ingest().await.removed, 1);
    site.list(0..12);
    let report = site.ingest().await;
    assert_eq!((report.removed, report.kept.len()), (0, 0), "{report:?}");
}

#[tokio::test]
async fn a_list_lets_go_of_a_few_pages_of_half_of_them_or_of_all_for_others() {
    for (pages, left, gone) in [(12, 0..2, 10), (30, 0..18, 12), (12, 12..24, 12)] {
        let site = Site::listed(pages).await;
        for number in left.clone() {
            let text = format!("# P{number}\n\nWord{number}.\n");
            let path = format!("/p{number}.md");
            site.server.markdown(&path, &text);
        }
        site.list(left);
        let report = site.ingest().await;
        assert_eq!((report.removed, report.kept.len()), (gone, 0), "{report:?}");
    }
}

#[tokio::test]
async fn a_file_of_all_pages_that_is_cut_off_takes_pages_away_if_it_stays_so() {
    let site = Site::full(30).await;
    site.fill(0..10);
    let report = site.ingest().await;
    assert_eq!((report.removed, report.kept.len()), (0, 20), "{report:?}");
    let (_, why) = &report.kept[0];
    assert!(
        why.contains("nor 19 others of 31, as if it were cut off"),
        "{why}"
    );
    site.fill(0..30);
    let report = site.ingest().await;
    assert_eq!((report.removed, report.kept.len()), (0, 0), "{report:?}");
    site.fill(0..10);
    assert_eq!(site.ingest().await.removed, 0);
    let report = site.ingest().await;
    assert_eq!((report.removed, report.kept.len()), (20, 0), "{report:?}");
    assert_eq!(site.texts().await.len(), 11);
}
