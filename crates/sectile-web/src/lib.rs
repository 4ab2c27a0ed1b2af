#![doc = include_str!("../README.md")]

mod address;
mod assets;
mod cache;
mod failure;
mod layout;
pub mod picture;
mod query;
mod site;
mod views;
mod write;

pub use site::{Site, router};
