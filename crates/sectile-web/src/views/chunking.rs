//! How a document's text is cut, as the address says.

use sectile::{ChunkSettings, Library, StoredDocument, Strategy, Unit, error_chain};
use serde::Deserialize;

use crate::failure::Failure;
use crate::picture::Cut;
use crate::query::{filled, number};

/// The name of the chunks that a store has.
pub(crate) const STORED: &str = "stored";

/// The chunk settings of the form, as typed.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Typed {
    pub(crate) strategy: Option<String>,
    pub(crate) size: Option<String>,
    pub(crate) overlap: Option<String>,
    pub(crate) unit: Option<String>,
}

/// The way in which a document is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutBy {
    /// As an ingest cuts it.
    Stored,
    Settings(ChunkSettings),
}

impl Typed {
    /// Reads what was typed.
    pub(crate) fn read(&self) -> Result<CutBy, String> {
        let strategy = match filled(self.strategy.as_deref()) {
            None | Some(STORED) => return Ok(CutBy::Stored),
            Some(name) => strategy(name)?,
        };
        Ok(CutBy::Settings(ChunkSettings {
            size: number("the size", self.size.as_deref())?,
            overlap: number("the overlap", self.overlap.as_deref())?,
            unit: filled(self.unit.as_deref()).map(unit).transpose()?,
            ..ChunkSettings::new(strategy)
        }))
    }
}

fn strategy(name: &str) -> Result<Strategy, String> {
    let known = Strategy::ALL.map(Strategy::name).join(", ");
    let unknown = || format!("`{name}` is not a strategy; choose {STORED}, {known}");
    Strategy::from_name(name).ok_or_else(unknown)
}

fn unit(name: &str) -> Result<Unit, String> {
    let known: Vec<&str> = Unit::ALL.iter().map(|unit| unit.name()).collect();
    let unknown = || format!("`{name}` is not a unit; choose {}", known.join(", "));
    Unit::from_name(name).ok_or_else(unknown)
}

impl CutBy {
    /// Returns the default overlap; `None` if the strategy has no overlap.
    pub(crate) fn overlap(self) -> Option<usize> {
        match self {
            Self::Settings(settings) if settings.strategy != Strategy::Sections => {
                Some(settings.strategy.default_overlap(settings.size()))
            }
            _ => None,
        }
    }

    /// Cuts a document.
    pub(crate) fn cut(
        self,
        library: &Library,
        uri: &str,
        stored: &StoredDocument,
    ) -> Result<Cut, Failure> {
        let Self::Settings(settings) = self else {
            return Ok(Cut::of(&library.indexed_chunks(stored)));
        };
        let refuse = |error: sectile::Error| Failure::unusable(error_chain(&error));
        let cutter = settings.cutter().map_err(refuse)?;
        let chunks = cutter.chunks(uri, &stored.text, stored.format, &stored.outline());
        let chunks = chunks.map_err(refuse)?;
        let cut = Cut::of(chunks.iter().map(|chunk| &chunk.chunk));
        Ok(cut.counted_in(settings.unit()))
    }

    /// Says in words how it is cut.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Stored => {
                "As stored: sentences up to 400 tokens with 15 % overlap, each section apart."
                    .to_owned()
            }
            Self::Settings(settings) => format!("Strategy {settings}."),
        }
    }
}
