//! Compares the stored data of each document, and repairs it on request.

use sectile::{Library, Misfit, Repairs};

use super::{Finding, START_AFRESH, advice_on};
use crate::commands::{of_store, open, open_to_read, store_url};
use crate::output;
use crate::progress::Progress;

/// How many documents with faults are named.
const NAMED: usize = 5;

/// The message if nothing is wrong.
const AGREE: &str = "texts, metadata, sections, chunks, index and vectors agree";

/// The result of a comparison, and of the repair that was requested.
struct Compared {
    misfits: Vec<Misfit>,
    repairs: Option<Repairs>,
    /// The faults that remain, without those that wait for an ingest.
    left: Vec<Misfit>,
}

/// Compares the stored data of each document, and repairs what it can on request.
pub(super) async fn compared(url: Option<String>, repairs: bool) -> Finding {
    match compare(url.clone(), repairs).await {
        Ok(compared) if compared.misfits.is_empty() => Finding::fine("contents", AGREE),
        Ok(compared) => misfit(&compared),
        Err(error) => {
            let url = store_url(url).unwrap_or_default();
            let advice = match of_store(&error) {
                Some(sectile::store::Error::Corrupt { .. }) if repairs => LEFT,
                Some(error) => advice_on(error, &url),
                None => "fix the problems above first",
            };
            Finding::problem("contents", &error, advice)
        }
    }
}

async fn compare(store: Option<String>, repairs: bool) -> anyhow::Result<Compared> {
    let library = if repairs {
        open(store).await?
    } else {
        open_to_read(store).await?
    };
    let misfits = verified(&library).await?;
    if !repairs || misfits.is_empty() {
        return Ok(Compared {
            misfits,
            repairs: None,
            left: Vec::new(),
        });
    }
    let repairs = Some(library.repair(&misfits).await?);
    let left = verified(&library).await?;
    Ok(Compared {
        misfits,
        repairs,
        left,
    })
}

async fn verified(library: &Library) -> sectile::Result<Vec<Misfit>> {
    let progress = Progress::of_documents();
    library
        .verify(&|done, of| progress.show_done(done, of))
        .await
}

fn misfit(compared: &Compared) -> Finding {
    let says = faults(&compared.misfits);
    let Some(Repairs {
        indexed, marked, ..
    }) = compared.repairs
    else {
        let error = anyhow::anyhow!(says);
        let advice = advice(&compared.misfits, "run `sectile doctor --repair`");
        return Finding::problem("contents", &error, advice);
    };
    let done = format!(
        "{} reindexed, {} marked",
        output::count(indexed, "document"),
        output::count(marked, "document")
    );
    if !compared.left.is_empty() {
        let error = anyhow::anyhow!("{done}; still {}", faults(&compared.left));
        return Finding::problem("contents", &error, advice(&compared.left, LEFT));
    }
    if marked == 0 {
        return Finding::fine("contents", format!("{done}; {AGREE} now"));
    }
    let advice = format!("{done}. `sectile ingest` with their paths reads them again");
    Finding::warning("contents", says, advice)
}

/// Returns what to do about documents: a file with unreadable parts cannot be repaired.
fn advice(misfits: &[Misfit], otherwise: &'static str) -> &'static str {
    let is_of_file = misfits.iter().any(|misfit| misfit.fault.is_of_file());
    if is_of_file { START_AFRESH } else { otherwise }
}

/// The advice for documents that cannot be repaired.
const LEFT: &str =
    "ingest their sources again; what stays damaged then can only be restored from a backup";

fn faults(misfits: &[Misfit]) -> String {
    let named = misfits.iter().take(NAMED).map(|misfit| {
        let name = output::document_name(&misfit.document.uri);
        format!("{name}: {}", misfit.fault)
    });
    let named: Vec<String> = named.collect();
    let count = output::count(misfits.len(), "document");
    format!("{count} with faults: {}", named.join("; "))
}
