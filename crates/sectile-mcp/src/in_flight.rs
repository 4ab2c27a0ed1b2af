//! The ids of requests that are being answered. Two requests of a client cannot have the same id at once, because only
//! one of the answers would arrive.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;

/// The ids of the requests of one client that are being answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashSet<RequestId>>>);

impl InFlight {
    fn ids(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an id. Returns false if it is in use.
    pub(crate) fn add(&self, id: RequestId) -> bool {
        self.ids().insert(id)
    }

    /// Removes an id, which another request may have then.
    pub(crate) fn remove(&self, id: &RequestId) {
        self.ids().remove(id);
    }

    /// Adds an id until the last clone of the claim is dropped. Returns `None` if the id is in use.
    pub(crate) fn claim(&self, id: RequestId) -> Option<Arc<Claim>> {
        let in_flight = self.clone();
        let is_free = self.add(id.clone());
        is_free.then(|| Arc::new(Claim { in_flight, id }))
    }
}

/// The use of an id by a request.
#[derive(Debug)]
pub(crate) struct Claim {
    in_flight: InFlight,
    id: RequestId,
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.in_flight.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_free_again_when_its_last_claim_is_dropped() {
        let in_flight = InFlight::default();
        let claim = in_flight.claim(RequestId::Number(1)).unwrap();
        let other = Arc::clone(&claim);
        assert!(in_flight.claim(RequestId::Number(1)).is_none());
        assert!(in_flight.claim(RequestId::String("1".into())).is_some());
        drop(claim);
        assert!(in_flight.claim(RequestId::Number(1)).is_none());
        drop(other);
        assert!(in_flight.claim(RequestId::Number(1)).is_some());
    }
}
