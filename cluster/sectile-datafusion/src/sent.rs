//! Plans that another process has sent.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::physical_plan::ExecutionPlan;

use crate::files::Files;
use crate::scan::{Columns, ListedScan, Sent, Source, from_bytes, only};
use crate::store::OpenedStore;

impl ListedScan {
    /// Reads a plan that [`ListedScan::to_bytes`] wrote, with its input. A store is opened when it is read.
    ///
    /// # Errors
    ///
    /// For other bytes, and without one input.
    pub fn from_bytes(bytes: &[u8], inputs: &[Arc<dyn ExecutionPlan>]) -> Result<Self> {
        let (sent, columns): (Sent, Columns) = from_bytes(bytes)?;
        let source: Arc<dyn Source> = match sent {
            Sent::Files(address) => Arc::new(Files::at(&address)?),
            Sent::Documents(address) => Arc::new(OpenedStore::at(&address)),
        };
        Self::new(only(inputs)?, source, columns)
    }
}
