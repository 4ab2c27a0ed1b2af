//! YAML: the source as it is, with its keys as outline.

mod lines;
mod outline;

use std::path::Path;

use sectile_chunk::with_newlines;
use sectile_core::{Document, Format};

use crate::text::load_text;
use crate::{Error, Loader};

/// Loads YAML: the source as it is, with the keys of its large mappings and lists as outline.
///
/// Keys are headings three levels deep where what stands below them is long enough, elements of
/// lists under their `name`, `title` or `id`. Short keys in a row behind such a heading have one
/// together, such as `type, required`. In a stream of several documents each is a heading
/// above its keys: a Kubernetes resource as `kind/name`. A comment right above a key belongs to it.
/// Lines alone are read: anchors and tags stay as they are written, and templates that are not YAML
/// until they are filled in are read, too.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{Loader, YamlLoader};
///
/// let yaml = b"name: app\n# Where it runs.\nservices:\n  web:\n    image: nginx\n";
/// let document = YamlLoader.load(yaml, Path::new("compose.yaml"))?;
/// assert_eq!(document.text.as_bytes(), yaml);
/// assert_eq!(document.outline[0].title, "services");
/// assert_eq!(document.outline[0].span.of(&document.text), "# Where it runs.\nservices:\n");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct YamlLoader;

impl Loader for YamlLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = load_text(bytes, path, Format::Yaml)?;
        let found = outline::find(&with_newlines(&document.text));
        document.outline = found.outline;
        document.metadata.title = found.title;
        Ok(document)
    }
}
