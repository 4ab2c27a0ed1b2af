//! Questions of every form, and measurements on real stores.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/forms.rs"]
mod forms;
#[path = "it/place.rs"]
mod place;
#[path = "it/running.rs"]
mod running;
