//! The objects of a PDF, through `lopdf`: pages by object and destinations by name.

use std::collections::{HashMap, HashSet};

use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId, decode_text_string};

/// How many nodes and pairs of a name or number tree are read; the largest real one has 16,000.
const MAX_PAIRS: usize = 200_000;

/// Reads the objects of the file, unless it is too damaged or encrypted.
pub(super) fn read(bytes: &[u8], password: Option<&str>) -> Option<Document> {
    let options = LoadOptions {
        password: password.map(str::to_owned),
        ..LoadOptions::default()
    };
    let loaded = Document::load_mem_with_options(bytes, options);
    let loaded = loaded.inspect_err(|error| tracing::debug!(%error, "no bookmarks or metadata"));
    loaded.ok().filter(|document| !document.is_encrypted())
}

/// Returns what `key` of `dictionary` refers to.
pub(super) fn get<'a>(
    document: &'a Document,
    dictionary: &'a Dictionary,
    key: &[u8],
) -> Option<&'a Object> {
    follow(document, dictionary.get(key).ok()?)
}

/// Returns the dictionary that `key` of `dictionary` refers to.
pub(super) fn get_dictionary<'a>(
    document: &'a Document,
    dictionary: &'a Dictionary,
    key: &[u8],
) -> Option<&'a Dictionary> {
    get(document, dictionary, key)?.as_dict().ok()
}

/// Returns the text under `key`, trimmed, unless it is blank.
pub(super) fn get_text(document: &Document, dictionary: &Dictionary, key: &[u8]) -> Option<String> {
    let text = decode_text_string(get(document, dictionary, key)?).ok()?;
    let text = text.replace('\0', "");
    let text = text.trim();
    (!text.is_empty()).then(|| text.into())
}

/// Returns the object that `object` refers to, through any number of references.
pub(super) fn follow<'a>(document: &'a Document, object: &'a Object) -> Option<&'a Object> {
    let (_, found) = document.dereference(object).ok()?;
    Some(found)
}

/// Finds the pages that destinations point to.
pub(super) struct Destinations<'a> {
    document: &'a Document,
    pages: HashMap<ObjectId, usize>,
    names: HashMap<&'a [u8], &'a Object>,
}

impl<'a> Destinations<'a> {
    /// Collects the pages and the named destinations of `document`.
    pub(super) fn new(document: &'a Document) -> Self {
        let pages = document.page_iter().enumerate();
        Self {
            document,
            pages: pages.map(|(index, id)| (id, index)).collect(),
            names: names(document),
        }
    }

    /// Returns the index of the page that `destination` points to.
    pub(super) fn page(&self, destination: &'a Object) -> Option<usize> {
        let mut target = follow(self.document, destination)?;
        if let Some(name) = name(target) {
            target = follow(self.document, self.names.get(name)?)?;
        }
        if let Ok(dictionary) = target.as_dict() {
            target = get(self.document, dictionary, b"D")?;
        }
        match target.as_array().ok()?.first()? {
            Object::Reference(id) => self.pages.get(id).copied(),
            // Only destinations in other files may give a number, but some writers do here.
            Object::Integer(index) => {
                let index = usize::try_from(*index).ok()?;
                (index < self.pages.len()).then_some(index)
            }
            _ => None,
        }
    }
}

fn name(object: &Object) -> Option<&[u8]> {
    match object {
        Object::Name(name) | Object::String(name, _) => Some(name),
        _ => None,
    }
}

/// Collects the named destinations, of both the old dictionary and the name tree.
fn names(document: &Document) -> HashMap<&[u8], &Object> {
    let mut found = HashMap::new();
    let Ok(catalog) = document.catalog() else {
        return found;
    };
    if let Some(dictionary) = get_dictionary(document, catalog, b"Dests") {
        found.extend(
            dictionary
                .iter()
                .map(|(key, value)| (key.as_slice(), value)),
        );
    }
    let tree = get_dictionary(document, catalog, b"Names");
    if let Some(root) = tree.and_then(|names| names.get(b"Dests").ok()) {
        for (key, value) in walk_pairs(document, root, b"Names") {
            if let Some(name) = follow(document, key).and_then(name) {
                found.entry(name).or_insert(value);
            }
        }
    }
    found
}

/// Lists the numbers and values of the number tree under `root` (ISO 32000-2, 7.9.7).
pub(super) fn number_tree<'a>(document: &'a Document, root: &'a Object) -> Vec<(i64, &'a Object)> {
    let pairs = walk_pairs(document, root, b"Nums").into_iter();
    let numbered = pairs.filter_map(|(key, value)| {
        let key = follow(document, key)?.as_i64().ok()?;
        Some((key, value))
    });
    numbered.collect()
}

/// Lists the pairs under `key` of all nodes of a name or number tree.
fn walk_pairs<'a>(
    document: &'a Document,
    root: &'a Object,
    key: &[u8],
) -> Vec<(&'a Object, &'a Object)> {
    let mut found = Vec::new();
    let mut visited = HashSet::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let fresh = node.as_reference().is_err() || visited.insert(node.as_reference().ok());
        if !fresh || found.len() + visited.len() > MAX_PAIRS {
            continue;
        }
        let Some(Ok(node)) = follow(document, node).map(Object::as_dict) else {
            continue;
        };
        let list = |key| get(document, node, key).and_then(|list| list.as_array().ok());
        open.extend(list(b"Kids").into_iter().flatten());
        let pairs = list(key).into_iter().flat_map(|list| list.chunks_exact(2));
        found.extend(pairs.map(|pair| (&pair[0], &pair[1])));
    }
    found
}
