//! Files with some of the pages of a large one.
//!
//! The parser walks the tree of all pages several times for each page, so its time grows with the
//! square of their number. In parts of a bounded size it grows with their number.

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};

use super::objects::get_dictionary;

/// How many pages a file may have before it is read in parts, and how many a part has.
pub(super) const PAGES_AT_ONCE: usize = 256;

/// The attributes that a page takes from the nodes above it (ISO 32000-2, 7.7.3.4).
const INHERITED: [&[u8]; 4] = [b"Resources", b"MediaBox", b"CropBox", b"Rotate"];

/// How many nodes above a page are asked for what it inherits.
const MAX_DEPTH: usize = 64;

/// Writes a file that has `pages` of `document` and what they are drawn with.
pub(super) fn write(document: &Document, pages: &[ObjectId]) -> Option<Vec<u8>> {
    let (root, catalog) = ((document.max_id + 1, 0), (document.max_id + 2, 0));
    let mut part = Document::with_version("1.7");
    part.max_id = catalog.0;
    for &id in pages {
        let mut page = with_inherited(document, document.get_dictionary(id).ok()?);
        page.set("Parent", root);
        part.objects.insert(id, Object::Dictionary(page));
    }
    copy_referenced(document, &mut part, pages);
    let kids: Vec<Object> = pages.iter().map(|&id| Object::Reference(id)).collect();
    let node = dictionary! {
        "Type" => "Pages", "Count" => u32::try_from(kids.len()).ok()?, "Kids" => kids,
    };
    part.objects.insert(root, node.into());
    let node = dictionary! { "Type" => "Catalog", "Pages" => root };
    part.objects.insert(catalog, node.into());
    part.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    part.save_to(&mut bytes).ok()?;
    Some(bytes)
}

/// Copies a page with what it has from the nodes above it.
fn with_inherited(document: &Document, page: &Dictionary) -> Dictionary {
    let mut copy = page.clone();
    let mut node = page;
    for _ in 0..MAX_DEPTH {
        let Some(parent) = get_dictionary(document, node, b"Parent") else {
            break;
        };
        for key in INHERITED {
            if let (false, Ok(value)) = (copy.has(key), parent.get(key)) {
                copy.set(key, value.clone());
            }
        }
        node = parent;
    }
    copy
}

/// Copies what the pages refer to, directly or not, save other pages.
fn copy_referenced(document: &Document, part: &mut Document, pages: &[ObjectId]) {
    let mut seen: HashSet<ObjectId> = pages.iter().copied().collect();
    let mut open = Vec::new();
    for page in pages {
        references(&part.objects[page], &mut open);
    }
    while let Some(id) = open.pop() {
        let Some(object) = document.objects.get(&id).filter(|_| seen.insert(id)) else {
            continue;
        };
        if is_of_the_tree(object) {
            continue;
        }
        references(object, &mut open);
        part.objects.insert(id, without_pixels(object));
    }
}

/// Says whether an object is a page or stands above pages, or is what a structure tree is made of.
fn is_of_the_tree(object: &Object) -> bool {
    let kind = object
        .as_dict()
        .ok()
        .and_then(|node| node.get(b"Type").ok());
    let kind = kind.and_then(|kind| kind.as_name().ok());
    matches!(
        kind,
        Some(b"Page" | b"Pages" | b"Catalog" | b"StructTreeRoot" | b"StructElem")
    )
}

/// Copies an object. Of an image only the place counts, and the pixels are most of many a file.
fn without_pixels(object: &Object) -> Object {
    let Object::Stream(stream) = object else {
        return object.clone();
    };
    let subtype = stream.dict.get(b"Subtype").and_then(Object::as_name);
    if subtype.is_ok_and(|subtype| subtype == b"Image") {
        return lopdf::Stream::new(stream.dict.clone(), Vec::new()).into();
    }
    object.clone()
}

/// Adds what `object` refers to, save the node above it.
fn references(object: &Object, found: &mut Vec<ObjectId>) {
    let mut open = vec![object];
    while let Some(object) = open.pop() {
        match object {
            Object::Reference(id) => found.push(*id),
            Object::Array(items) => open.extend(items),
            Object::Dictionary(dictionary) => open.extend(values(dictionary)),
            Object::Stream(stream) => open.extend(values(&stream.dict)),
            _ => {}
        }
    }
}

fn values(dictionary: &Dictionary) -> impl Iterator<Item = &Object> {
    let pairs = dictionary
        .iter()
        .filter(|(key, _)| key.as_slice() != b"Parent");
    pairs.map(|(_, value)| value)
}
