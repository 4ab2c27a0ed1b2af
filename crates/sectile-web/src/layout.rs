//! The frame of all pages.

use axum::response::Html;
use maud::{DOCTYPE, Markup, html};

use crate::assets;

/// The part of the site that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tab {
    Documents,
    Search,
    Threads,
    None,
}

/// The keys, and what they do.
const KEYS: [(&str, &str); 7] = [
    ("/", "search"),
    (
        "j  k",
        "next and previous hit, document, section or checkpoint; arrows go on from there",
    ),
    ("n  p", "next and previous chunk"),
    ("Enter", "open what has the focus"),
    ("g", "all documents"),
    ("?", "this list"),
    ("Esc", "close it, or leave a field"),
];

/// Writes a page. `question` is the text in the search box.
pub(crate) fn page(title: &str, tab: Tab, question: &str, body: &Markup) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Sectile" }
                link rel="icon" type="image/svg+xml" href=(assets::address("icon.svg"));
                link rel="stylesheet" href=(assets::address("page.css"));
                script src=(assets::address("page.js")) defer {}
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                (head(tab, question))
                main id="main" tabindex="-1" { (body) }
                (keys())
            }
        }
    };
    Html(page.into_string())
}

fn head(tab: Tab, question: &str) -> Markup {
    html! {
        header.top {
            a.name href="/" { img src=(assets::address("icon.svg")) alt="" width="20" height="20"; "Sectile" }
            nav aria-label="Views" {
                (link("/", "Documents", tab == Tab::Documents))
                (link("/search", "Search", tab == Tab::Search))
                (link("/threads", "Threads", tab == Tab::Threads))
            }
            @if tab != Tab::Search {
                form.find action="/search" role="search" {
                    input id="q" type="search" name="q" value=(question) placeholder="Search  /" aria-label="Search" autocomplete="off";
                }
            }
            button.keys type="button" data-keys="" hidden title="Keys" aria-label="Keys" { "?" }
        }
    }
}

fn link(address: &str, name: &str, is_here: bool) -> Markup {
    html! { a href=(address) aria-current=[is_here.then_some("page")] { (name) } }
}

fn keys() -> Markup {
    html! {
        dialog id="keys" aria-labelledby="keys-title" {
            h2 id="keys-title" { "Keys" }
            dl {
                @for (key, what) in KEYS {
                    div { dt { @for key in key.split("  ") { kbd { (key) } " " } } dd { (what) } }
                }
            }
            form method="dialog" { button { "Close" } }
        }
    }
}
