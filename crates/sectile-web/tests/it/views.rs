//! What readers do, in a browser.

use std::sync::Arc;

use sectile::{RerankOptions, Scope};
use sectile_web::{Site, router};
use serde_json::json;
use thirtyfour::Key;

use crate::browser::{Tab, browse};
use crate::place::{GUIDE, Place, RESEARCH, SUBGRAPH, document, hostile_document};
use crate::reranking::Preferring;

/// Returns the colours of all texts that are too close to that of their ground (WCAG 2.2, 1.4.3).
const PALE: &str = r"
    const channel = (value) => { value /= 255; return value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; };
    const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const rgb = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
    const ground = (at) => {
        for (; at; at = at.parentElement) {
            const found = rgb(getComputedStyle(at).backgroundColor);
            if (found[3] === 255) return found;
        }
        return [255, 255, 255];
    };
    const pale = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const at = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || !at.checkVisibility()) continue;
        if (at.closest(':disabled, label:has(:disabled), .both')) continue;
        const [ink, paper] = [light(rgb(getComputedStyle(at).color)), light(ground(at))];
        const contrast = (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05);
        if (contrast < 4.5) pale.add(`${at.tagName}.${at.className} ${contrast.toFixed(2)}`);
    }
    return [...pale];";

/// Returns how much wider the page is than the window.
const WIDER: &str =
    "return document.documentElement.scrollWidth - document.documentElement.clientWidth;";

/// Returns what stands at the beginning of each chunk.
const BOUNDARIES: &str = "return [...document.querySelectorAll('.mark')].map((mark) => mark.nextSibling.textContent.slice(0, 20));";

/// Looks at a view in every way: light and dark, and on a telephone.
async fn look(tab: &Tab, name: &str) {
    tab.picture(name).await;
    for scheme in ["dark", "light"] {
        tab.prefer("prefers-color-scheme", scheme).await;
        assert_eq!(tab.run(PALE).await, json!([]), "{name} {scheme}");
        assert_eq!(tab.violations().await, json!([]), "{name} {scheme}");
    }
    let wider = tab.run(WIDER).await;
    assert_eq!(wider, json!(0), "{name} is too wide for 1280 pixels");
    let narrow = json!({"width": 320, "height": 740, "deviceScaleFactor": 2, "mobile": true});
    tab.command("Emulation.setDeviceMetricsOverride", narrow)
        .await;
    assert_eq!(
        tab.run(WIDER).await,
        json!(0),
        "{name} is too wide for 320 pixels"
    );
    for scheme in ["dark", "light"] {
        tab.prefer("prefers-color-scheme", scheme).await;
        assert_eq!(tab.violations().await, json!([]), "{name} {scheme}, narrow");
    }
    tab.picture(&format!("{name}-narrow")).await;
    tab.command("Emulation.clearDeviceMetricsOverride", json!({}))
        .await;
}

#[tokio::test]
async fn a_reader_browses_to_a_document_and_cuts_it_anew() {
    let place = Place::new().await;
    place.ingest_broken().await;
    place
        .write(
            "web",
            "https://example.org/guide/",
            "---\ntitle: The guide\n---\n# Guide\n\nHello.\n",
        )
        .await;
    browse(place.whole().await, true, async |tab: Tab| {
        tab.open("/").await;
        look(&tab, "documents").await;
        tab.click_text("td.doc a", "How a search works").await;
        let stored = tab.text("output.chunks").await;
        assert_eq!(tab.count(".mark").await.to_string(), stored);
        tab.click("select[name=strategy] option[value=recursive]")
            .await;
        tab.find_text(
            "#pane .how",
            "Strategy recursive, size 1000, overlap 200, counted in chars.",
        )
        .await;
        let coarse = tab.text("output.chunks").await;
        let boundaries = tab.run(BOUNDARIES).await;
        tab.find("input[name=size]")
            .await
            .send_keys("300")
            .await
            .unwrap();
        tab.find_text(
            "#pane .how",
            "Strategy recursive, size 300, overlap 60, counted in chars.",
        )
        .await;
        let fine = tab.text("output.chunks").await;
        assert!(fine.parse::<usize>().unwrap() > coarse.parse::<usize>().unwrap());
        assert_ne!(boundaries, tab.run(BOUNDARIES).await);
        assert!(tab.count(".both").await > 0 && tab.count(".even").await > 0);
        assert!(tab.address().await.contains("strategy=recursive&size=300"));
        tab.find("input[name=overlap]")
            .await
            .send_keys("150")
            .await
            .unwrap();
        tab.find_text(
            "#pane .how",
            "Strategy recursive, size 300, overlap 150, counted in chars.",
        )
        .await;
        let fine = tab.text("output.chunks").await;
        let link = tab
            .find(".outline a")
            .await
            .attr("href")
            .await
            .unwrap()
            .unwrap();
        assert!(link.contains("size=300"), "{link}");
        tab.run("window.scrollTo(0, 0)").await;
        look(&tab, "document").await;
        assert_eq!(tab.errors().await, Vec::<String>::new());
        // What is shown has an address of its own.
        tab.driver.refresh().await.unwrap();
        assert_eq!(tab.text("output.chunks").await, fine);
        tab.click(".views a:last-child").await;
        tab.find(".rendered h3").await;
        look(&tab, "document-rendered").await;
    })
    .await;
}

#[tokio::test]
async fn a_size_that_cannot_be_used_is_said_while_it_is_typed() {
    let place = Place::new().await;
    browse(place.whole().await, true, async |tab: Tab| {
        tab.open(&document(GUIDE, "&strategy=token")).await;
        let overlap = tab.find("input[name=overlap]").await;
        overlap.send_keys("900").await.unwrap();
        let said = tab.find("#pane [role=alert]").await;
        assert!(
            said.text()
                .await
                .unwrap()
                .contains("must be smaller than a window of 512")
        );
        look(&tab, "refused").await;
        overlap.clear().await.unwrap();
        overlap.send_keys("9").await.unwrap();
        tab.find("#pane .numbers").await;
        // A browser notes every answer that is an error, and nothing else is there to note.
        let errors = tab.errors().await;
        assert!(
            errors.iter().all(|error| error.contains("422")),
            "{errors:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_failure_while_settings_are_typed_is_said_in_a_sentence() {
    let place = Place::new().await;
    browse(place.whole().await, true, async |tab: Tab| {
        tab.open(&document(GUIDE, "")).await;
        let address = tab.address().await;
        place.library.remove(&Scope::all()).await.unwrap();
        tab.click("select[name=strategy] option[value=recursive]")
            .await;
        tab.find_text(
            "#pane",
            "The server cannot show this now. Try again, or load the page anew.",
        )
        .await;
        assert_eq!(tab.count("#pane *").await, 0);
        assert_eq!(tab.address().await, address);
    })
    .await;
}

#[tokio::test]
async fn without_scripts_forms_and_links_do_it() {
    let place = Place::new().await;
    browse(place.whole().await, false, async |tab: Tab| {
        tab.open("/").await;
        tab.click_text("td.doc a", "How a search works").await;
        let stored = tab.text("output.chunks").await;
        assert!(!tab.find("[data-keys]").await.is_displayed().await.unwrap());
        tab.click("select[name=strategy] option[value=recursive]")
            .await;
        tab.click(".cutting button").await;
        tab.find("option[value=recursive][selected]").await;
        tab.find("input[name=size]")
            .await
            .send_keys("200")
            .await
            .unwrap();
        tab.click(".cutting button").await;
        tab.find("input[name=size][value='200']").await;
        assert_ne!(tab.text("output.chunks").await, stored);
        assert!(tab.address().await.contains("size=200"));
        let find = tab.find(".find input").await;
        find.send_keys("vectors" + Key::Enter).await.unwrap();
        tab.click(".hit h2 a").await;
        // They may stand on a page that is still on its way.
        tab.find("mark").await;
        tab.open("/thread?id=support-4711").await;
        tab.click(".history button").await;
        tab.find(".diff .ins").await;
        assert_eq!(tab.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_question_leads_to_the_passage_that_answers_it() {
    let place = Place::new().await.embed().await;
    browse(place.whole().await, true, async |tab: Tab| {
        tab.open("/search").await;
        look(&tab, "search-empty").await;
        tab.find("#q").await.send_keys("how are hits ranked?" + Key::Enter).await.unwrap();
        tab.find(".hit").await;
        tab.click("input[value=hybrid]").await;
        tab.click("input[name=explain]").await;
        tab.click(".ask button").await;
        tab.find(".legs tfoot").await;
        assert!(tab.count(".snippet mark").await > 1);
        look(&tab, "search").await;
        assert_eq!(tab.errors().await, Vec::<String>::new());
        tab.click(".hit h2 a").await;
        tab.find("#passage").await;
        let in_view = "const { top } = document.getElementById('passage').getBoundingClientRect(); return top > 20 && top < innerHeight;";
        assert_eq!(tab.run(in_view).await, json!(true));
        assert!(tab.count(".passage").await > 0 && tab.count("mark").await > 0);
        tab.picture("passage").await;
        assert_eq!(tab.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn reranking_is_chosen_with_the_keyboard_and_stays_in_the_address() {
    let place = Place::new().await;
    let model = Arc::new(Preferring("posting"));
    let library = place.library.clone();
    let library = library.with_reranker(model, RerankOptions::default());
    browse(router(Site::new(library)), true, async |tab: Tab| {
        tab.open("/search?q=how+are+hits+ranked").await;
        tab.find(".hit").await;
        assert_eq!(tab.count("input[name=rerank]:checked").await, 0);
        tab.run("document.querySelector('input[name=mode]:checked').focus();")
            .await;
        tab.press(Key::Tab + "").await;
        tab.press(" ").await;
        assert_eq!(tab.count("input[name=rerank]:checked:focus").await, 1);
        tab.press(Key::Enter + "").await;
        tab.find(".hit").await;
        tab.find("input[name=rerank][checked]").await;
        assert!(tab.address().await.contains("&rerank=1"));
        look(&tab, "search-reranked").await;
        assert_eq!(tab.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn two_checkpoints_are_chosen_and_compared() {
    let place = Place::empty().await;
    browse(place.whole().await, true, async |tab: Tab| {
        tab.open("/threads").await;
        look(&tab, "threads").await;
        tab.click_text("td.doc a", "support-4711").await;
        look(&tab, "thread").await;
        tab.click("input[name=from][value='2']").await;
        tab.click("input[name=to][value='5']").await;
        tab.click(".history button").await;
        tab.find_text("h1", "From 2 to 5").await;
        let added = tab
            .driver
            .find_all(thirtyfour::By::Css(".diff .ins"))
            .await
            .unwrap();
        let mut lines = Vec::new();
        for line in added {
            lines.push(line.text().await.unwrap());
        }
        assert!(
            lines
                .iter()
                .any(|line| line.contains("say how, not only why")),
            "{lines:?}"
        );
        look(&tab, "diff").await;
        tab.click(".sides a").await;
        tab.find(".json .key").await;
        look(&tab, "checkpoint").await;
        assert_eq!(tab.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn namespaces_writes_and_pieces_are_looked_at() {
    let place = Place::empty().await;
    let site = router(place.site().with_checkpoints(place.research().await));
    browse(site, true, async |tab: Tab| {
        tab.open("/threads").await;
        tab.click_text("td.doc a", RESEARCH).await;
        tab.find_text(".links a", SUBGRAPH).await;
        look(&tab, "thread-namespaces").await;
        tab.click(".history a[data-step]").await;
        tab.find_text("h1", "Checkpoint 2").await;
        assert_eq!(tab.count("[aria-label='Pending writes'] tbody tr").await, 3);
        look(&tab, "checkpoint-writes").await;
        tab.click_text(".facts-list a", "1").await;
        tab.find_text("h1", "Checkpoint 1").await;
        tab.open("/threads").await;
        tab.click_text("td.doc a", RESEARCH).await;
        tab.click_text(".links a", SUBGRAPH).await;
        tab.find_text(".links b", SUBGRAPH).await;
        tab.click(".history button").await;
        tab.find(".diff .ins").await;
        assert!(tab.address().await.contains("namespace=reader"));
        assert_eq!(tab.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn everything_is_reached_by_keys() {
    let place = Place::new().await;
    browse(place.whole().await, true, async |tab: Tab| {
        let focused = "const at = document.activeElement; return at.id || at.textContent;";
        tab.open("/").await;
        tab.press(Key::Tab + "").await;
        assert_eq!(tab.run(focused).await, json!("Skip to the content"));
        tab.press("?").await;
        tab.find("dialog[open]").await;
        tab.picture("keys").await;
        tab.press(Key::Escape + "").await;
        assert_eq!(tab.count("dialog[open]").await, 0);
        tab.press("j").await;
        tab.press("j").await;
        let second = tab.run(focused).await;
        tab.press("k").await;
        tab.press(Key::Down + "").await;
        assert_eq!(tab.run(focused).await, second);
        tab.press("k").await;
        tab.press(Key::Enter + "").await;
        tab.find(".document").await;
        tab.press("j").await;
        let heading = tab.run(focused).await;
        tab.press("j").await;
        assert_ne!(tab.run(focused).await, heading);
        tab.press("n").await;
        assert_eq!(tab.run(focused).await, json!("c0"));
        assert!(tab.count(".lit").await > 0);
        let outline = "return getComputedStyle(document.activeElement).outlineStyle";
        assert_eq!(tab.run(outline).await, json!("solid"));
        tab.press("/").await;
        assert_eq!(tab.run(focused).await, json!("q"));
        tab.press("checkpoints jn?" + Key::Enter).await;
        tab.find(".hit").await;
        tab.press(Key::Escape + "").await;
        tab.press("j").await;
        tab.press(Key::Enter + "").await;
        tab.find("#passage").await;
        assert_eq!(tab.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_document_of_scripts_does_nothing() {
    let place = Place::empty().await;
    place.write_hostile().await;
    browse(place.whole().await, true, async |tab: Tab| {
        let hostile_address = hostile_document();
        for (view, address) in [
            ("", "/".to_owned()),
            ("hostile", hostile_address.clone()),
            ("", format!("{hostile_address}&strategy=recursive&size=9&overlap=4&q=script&lines=1-9#passage")),
            ("hostile-rendered", format!("{hostile_address}&view=rendered")),
            ("hostile-search", "/search?q=owned&explain=1".to_owned()),
            ("", "/threads".to_owned()),
            ("", "/checkpoint?thread=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&seq=1".to_owned()),
            ("", "/nothing".to_owned()),
        ] {
            tab.open(&address).await;
            tab.find("main").await;
            // An open dialog makes every command fail.
            let title = tab.driver.title().await.unwrap();
            assert!(title.ends_with("· Sectile"), "{title}");
            let active = "return [document.scripts.length, document.querySelectorAll('main img, iframe, main svg:not(.histogram), [onerror], [onload], a[href^=\"javascript\"]').length]";
            assert_eq!(tab.run(active).await, json!([1, 0]), "{address}");
            let errors = tab.errors().await;
            let is_own = |error: &String| address == "/nothing" && error.contains("404");
            assert!(errors.iter().all(is_own), "{address}: {errors:?}");
            if !view.is_empty() {
                tab.picture(view).await;
            }
        }
        // A live change goes through the script of the page.
        tab.open(&hostile_address).await;
        tab.click("select[name=strategy] option[value=sentence]").await;
        tab.find_text("#pane .how", "Strategy sentence, size 800, overlap 120, counted in o200k_base.").await;
        assert!(tab.driver.title().await.unwrap().ends_with("· Sectile"));
        assert!(tab.text(".text").await.contains("<script>document.title = 'owned'</script>"));
        assert_eq!(tab.errors().await, Vec::<String>::new());
    })
    .await;
}
