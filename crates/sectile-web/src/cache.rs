//! The last few results, as long as they fit a budget.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// A cache that evicts the least recently used values when it has too many bytes.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    budget: usize,
    entries: Mutex<VecDeque<Entry<K, V>>>,
}

#[derive(Debug)]
struct Entry<K, V> {
    key: K,
    value: Arc<V>,
    bytes: usize,
}

impl<K: PartialEq, V> Recent<K, V> {
    /// Makes an empty one for as many bytes.
    pub(crate) const fn new(budget: usize) -> Self {
        Self {
            budget,
            entries: Mutex::new(VecDeque::new()),
        }
    }

    /// Returns the value of a key, if it is still there.
    pub(crate) fn get(&self, key: &K) -> Option<Arc<V>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let at = entries.iter().position(|entry| entry.key == *key)?;
        let entry = entries.remove(at)?;
        let value = Arc::clone(&entry.value);
        entries.push_back(entry);
        Some(value)
    }

    /// Stores a value with its size in bytes, and returns it. A value larger than the cache is not
    /// stored.
    pub(crate) fn put(&self, key: K, value: V, bytes: usize) -> Arc<V> {
        let value = Arc::new(value);
        if bytes > self.budget {
            return value;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| entry.key != key);
        entries.push_back(Entry {
            key,
            value: Arc::clone(&value),
            bytes,
        });
        while entries.iter().map(|entry| entry.bytes).sum::<usize>() > self.budget {
            entries.pop_front();
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let recent = Recent::new(10);
        recent.put("a", 1, 4);
        recent.put("b", 2, 4);
        assert_eq!(recent.get(&"a").as_deref(), Some(&1));
        recent.put("c", 3, 4);
        assert_eq!(recent.get(&"b"), None);
        assert_eq!(recent.get(&"a").as_deref(), Some(&1));
        assert_eq!(*recent.put("d", 4, 11), 4);
        assert_eq!(recent.get(&"d"), None);
    }
}
