//! Headings as a tree that opens and closes.

use maud::{Markup, html};

use crate::address::Address;

/// A heading with what is below it.
pub(crate) struct Branch {
    pub(crate) title: String,
    /// Where it stands, and how much it is.
    pub(crate) place: String,
    /// Its part of the whole, of a thousand.
    pub(crate) share: Option<usize>,
    /// Where it leads.
    pub(crate) link: Option<Address>,
    pub(crate) summary: Option<String>,
    pub(crate) is_open: bool,
    pub(crate) is_here: bool,
    pub(crate) children: Vec<Self>,
    /// How many headings below it are not shown.
    pub(crate) hidden: usize,
}

/// Draws branches.
pub(crate) fn branches(branches: &[Branch]) -> Markup {
    html! {
        ul.tree {
            @for branch in branches {
                li {
                    div.line { (line(branch)) }
                    (said(branch))
                    @if !branch.children.is_empty() {
                        // A link within would be a control within a control.
                        details open[branch.is_open] {
                            summary aria-label=(format!("Headings below {}", branch.title)) {}
                            (self::branches(&branch.children))
                        }
                    }
                }
            }
        }
    }
}

fn line(branch: &Branch) -> Markup {
    html! {
        @if let Some(link) = &branch.link {
            a.title href=(link) data-step="" data-keep="" aria-current=[branch.is_here.then_some("location")] {
                bdi { (branch.title) }
            }
        } @else {
            span.title { bdi { (branch.title) } }
        }
        @if branch.hidden > 0 { span.more title="headings below it" { "+" (branch.hidden) " below" } }
        span.place { (branch.place) }
        @if let Some(share) = branch.share { (bar(share)) }
    }
}

fn said(branch: &Branch) -> Markup {
    html! {
        @if let Some(summary) = &branch.summary { p.summary { (summary) } }
    }
}

fn bar(share: usize) -> Markup {
    html! {
        svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
            rect width=(share.clamp(4, 1000)) height="10" {}
        }
    }
}
