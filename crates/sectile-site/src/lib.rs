#![doc = include_str!("../README.md")]

mod address;
mod answer;
mod encoding;
mod error;
mod fence;
mod fetch;
mod full;
mod head;
mod links;
mod llms_txt;
mod options;
mod pages;
mod resolve;
mod robots;
mod site;
mod sitemap;

pub use address::is_public;
pub use answer::{Answer, Body, Kind, Known, Validators};
pub use error::{Error, Result};
pub use fetch::{Fetcher, USER_AGENT_TOKEN, Want};
pub use full::{FullPage, SPLIT_VERSION, split_full};
pub use llms_txt::{Link, LinkSection, LlmsTxt};
pub use options::SiteOptions;
pub use pages::{Page, Pages, Presence, Role};
pub use resolve::{Resolver, SystemResolver, normalized};
pub use robots::Robots;
pub use site::Site;
