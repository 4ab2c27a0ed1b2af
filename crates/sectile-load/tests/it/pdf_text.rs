//! What is drawn on the pages of made PDF files, and what is read of them.

#[path = "pdf_text/beside.rs"]
mod beside;
#[path = "pdf_text/fonts.rs"]
mod fonts;
#[path = "pdf_text/lines.rs"]
mod lines;
#[path = "pdf_text/order.rs"]
mod order;
#[path = "pdf_text/raised.rs"]
mod raised;
#[path = "pdf_text/right_to_left.rs"]
mod right_to_left;
#[path = "pdf_text/running_lines.rs"]
mod running_lines;
#[path = "pdf_text/shown.rs"]
mod shown;
#[path = "pdf_text/structure.rs"]
mod structure;
#[path = "pdf_text/unreadable.rs"]
mod unreadable;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sectile_core::Document;
use sectile_load::{Error, LoadOptions, Loader as _, PdfLoader, PdfOptions, omissions};

use crate::made_pdf::{Made, at, check, load};
use crate::support::fixture;
