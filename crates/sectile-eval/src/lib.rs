#![doc = include_str!("../README.md")]

mod collection;
mod corpus;
mod cost;
mod documents;
mod draft;
mod error;
mod judge;
mod measure;
pub mod metrics;
mod question;
mod read;
mod report;
pub mod significance;

pub use collection::{Documents, TestCollection};
pub use corpus::add_corpus;
pub use draft::{Draft, DraftAnswer, draft};
pub use error::{Error, Place, Result};
pub use judge::JudgedQuestions;
pub use measure::{Cutoffs, Measured, Outcome, Setting, measure};
pub use question::{Answer, GainForm, Question};
pub use read::{read_judgements, read_questions};
pub use report::{Asked, Chunking, Cost, Evaluation, Measure, Quality, Row};
