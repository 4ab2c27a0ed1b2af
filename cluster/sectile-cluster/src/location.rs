//! Where files, parts and results are: in folders, or in buckets of S3-compatible storage.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow, ensure};
use datafusion::execution::object_store::ObjectStoreRegistry as _;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::path::Path as ObjectPath;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt as _};
use sectile::shown_url;
use url::{Position, Url};

use crate::stores::{S3, Stores};

/// How many requests for single objects are sent at once.
const AT_ONCE: usize = 32;

/// A folder or a file, or in a bucket a prefix or an object.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    store: Arc<dyn ObjectStore>,
    url: Url,
}

/// What changes with the bytes of a file or an object.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) bytes: u64,
    /// The time at which a file was changed, in nanoseconds since 1970; the tag of an object.
    pub(crate) changed: String,
}

impl Location {
    /// Opens a folder that there is, or a prefix. A relative folder is in `beside`.
    pub(crate) fn input(typed: &Path, beside: &Path, stores: &Stores) -> anyhow::Result<Self> {
        let url = match bucket_url(typed)? {
            Some(url) => url,
            None => fs::canonicalize(beside.join(typed))
                .with_context(|| format!("there is no folder `{}`", typed.display()))
                .and_then(|folder| file_url(&folder))?,
        };
        Self::open(url, stores)
    }

    /// Opens a folder, which is made, or a prefix. A relative folder is in `beside`.
    pub(crate) fn output(typed: &Path, beside: &Path, stores: &Stores) -> anyhow::Result<Self> {
        let Some(url) = bucket_url(typed)? else {
            let folder = beside.join(typed);
            fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make `{}`", folder.display()))?;
            return Self::input(&folder, Path::new(""), stores);
        };
        Self::open(url, stores)
    }

    fn open(url: Url, stores: &Stores) -> anyhow::Result<Self> {
        let store = stores.get_store(&url)?;
        let location = Self { store, url };
        // An address that is none is told now, and not with the first file.
        location.path()?;
        Ok(location)
    }

    /// Opens it with connections of its own.
    pub(crate) fn reopened(&self) -> anyhow::Result<Self> {
        Self::open(self.url.clone(), &Stores::default())
    }

    /// Returns the place with a name in it, or below it if there are `/` in the name.
    pub(crate) fn child(&self, name: &str) -> Self {
        let mut url = self.url.clone();
        let mut segments = url
            .path_segments_mut()
            .expect("addresses of files and buckets have paths");
        segments.pop_if_empty().extend(name.split('/'));
        drop(segments);
        let store = Arc::clone(&self.store);
        Self { store, url }
    }

    /// Returns its address, as the engine takes it.
    pub(crate) fn url(&self) -> &str {
        self.url.as_str()
    }

    pub(crate) fn store(&self) -> &Arc<dyn ObjectStore> {
        &self.store
    }

    /// Returns its path in the store.
    pub(crate) fn path(&self) -> anyhow::Result<ObjectPath> {
        ObjectPath::from_url_path(self.url.path())
            .with_context(|| format!("`{}` is no address", self.url))
    }

    /// Returns its path in the file system, if it is there.
    pub(crate) fn file_path(&self) -> Option<PathBuf> {
        let is_file = self.url.scheme() == "file";
        is_file.then(|| self.url.to_file_path().ok()).flatten()
    }

    /// Returns whether this is the same folder or prefix as another.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let real = |location: &Self| {
            let path = location.file_path();
            path.and_then(|path| fs::canonicalize(path).ok())
        };
        let (one, two) = (real(self), real(other));
        (one.is_some() && one == two) || self.name_below(other).is_some_and(|name| name.is_empty())
    }

    /// Returns what has to be added to another to name this, if this is in it or below.
    pub(crate) fn name_below(&self, other: &Self) -> Option<String> {
        let bucket = |location: &Self| location.url[..Position::BeforePath].to_owned();
        let (path, outer) = (self.path().ok()?, other.path().ok()?);
        let is_below = bucket(self) == bucket(other) && path.prefix_matches(&outer);
        let (path, outer): (&str, &str) = (path.as_ref(), outer.as_ref());
        let name = path.strip_prefix(outer).filter(|_| is_below)?;
        Some(name.trim_start_matches('/').to_owned())
    }

    /// Returns the names of the files in it, in order. What is not there has none.
    pub(crate) async fn names(&self) -> anyhow::Result<Vec<String>> {
        let listed = self.store.list_with_delimiter(Some(&self.path()?)).await;
        let listed = listed.with_context(|| format!("cannot list `{self}`"))?;
        let names = listed.objects.iter();
        let names = names.filter_map(|object| object.location.filename());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        Ok(names)
    }

    /// Returns the names of the files in it and below, in order.
    pub(crate) async fn names_below(&self) -> anyhow::Result<Vec<String>> {
        let path = self.path()?;
        let listed: Result<Vec<_>, Error> = self.store.list(Some(&path)).try_collect().await;
        let listed = listed.with_context(|| format!("cannot list `{self}`"))?;
        let names = stream::iter(listed).map(|object| self.name_of_file(object, &path));
        let names: Vec<Option<String>> = names.buffer_unordered(AT_ONCE).collect().await;
        let mut names: Vec<String> = names.into_iter().flatten().collect();
        names.sort();
        Ok(names)
    }

    /// Returns the name below `outer` of an object that was listed, if it is a file. Consoles create an object whose name
    /// ends with `/` for an empty folder. Its path lacks the `/`, and there is no object of that name.
    async fn name_of_file(&self, object: ObjectMeta, outer: &ObjectPath) -> Option<String> {
        let is_file = object.size > 0 || self.store.head(&object.location).await.is_ok();
        let (name, outer): (&str, &str) = (object.location.as_ref(), outer.as_ref());
        let name = name.strip_prefix(outer).filter(|_| is_file)?;
        Some(name.trim_start_matches('/').to_owned())
    }

    /// Returns the version of a file.
    pub(crate) async fn version(&self) -> anyhow::Result<Version> {
        let known = self.store.head(&self.path()?).await?;
        let modified = known.last_modified.timestamp_nanos_opt();
        let modified = modified.unwrap_or_default().to_string();
        let tag = known.e_tag.filter(|_| self.file_path().is_none());
        Ok(Version {
            bytes: known.size,
            changed: tag.unwrap_or(modified),
        })
    }

    /// Reads a file.
    pub(crate) async fn read(&self) -> anyhow::Result<Vec<u8>> {
        let found = self.store.get(&self.path()?).await?;
        Ok(found.bytes().await?.into())
    }

    /// Writes a file, all of it or nothing.
    pub(crate) async fn write(&self, text: String) -> anyhow::Result<()> {
        self.store.put(&self.path()?, text.into()).await?;
        Ok(())
    }

    /// Puts a file in the place of another, all of it or nothing.
    pub(crate) async fn rename(&self, to: &Self) -> anyhow::Result<()> {
        Ok(self.store.rename(&self.path()?, &to.path()?).await?)
    }

    /// Removes a file.
    pub(crate) async fn remove(&self) -> anyhow::Result<()> {
        Ok(self.store.delete(&self.path()?).await?)
    }

    /// Removes all files in it and below. There may be none.
    pub(crate) async fn remove_all(&self) -> anyhow::Result<()> {
        if let Some(folder) = self.file_path() {
            // What was broken off has names that are not listed.
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
            return Ok(());
        }
        let listed = self.store.list(Some(&self.path()?));
        let paths = listed.map_ok(|object| object.location).boxed();
        let removed: Result<Vec<_>, Error> = self.store.delete_stream(paths).try_collect().await;
        removed?;
        Ok(())
    }
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file_path() {
            Some(path) => write!(formatter, "{}", path.display()),
            None => write!(formatter, "{}", self.url),
        }
    }
}

/// Returns the address of a bucket, or of a prefix or an object in it, if what is typed is no path.
pub(crate) fn bucket_url(typed: &Path) -> anyhow::Result<Option<Url>> {
    let Some(text) = typed.to_str().filter(|text| text.contains("://")) else {
        return Ok(None);
    };
    let is_right = |url: &Url| {
        let has_bucket = url.host_str().is_some_and(|bucket| !bucket.is_empty());
        let has_user = !url.username().is_empty() || url.password().is_some();
        url.scheme() == S3 && has_bucket && !has_user && url[Position::AfterPath..].is_empty()
    };
    let url = Url::parse(text).ok().filter(is_right);
    ensure!(
        url.is_some(),
        "`{}` is neither a folder nor an address as s3://BUCKET/PREFIX",
        shown_url(text)
    );
    Ok(url)
}

/// Returns the address of a file or a folder: a path in its place may be taken for a pattern.
pub(crate) fn file_url(path: &Path) -> anyhow::Result<Url> {
    let url = Url::from_file_path(path);
    url.map_err(|()| anyhow!("the path `{}` is not absolute", path.display()))
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    #[test]
    fn addresses_are_those_of_buckets() {
        for (typed, expected) in [
            ("s3://bucket/a/b", Some("s3://bucket/a/b")),
            ("s3://bucket", Some("s3://bucket")),
            ("a/b", None),
            ("/a b/[c]*", None),
        ] {
            let url = bucket_url(Path::new(typed)).expect("it is right");
            assert_eq!(url.as_ref().map(Url::as_str), expected, "{typed}");
        }
        for typed in [
            "gs://bucket/a",
            "s3://",
            "s3:///a",
            "s3://b/a?c",
            "s3://b/a#c",
            "s3://u:s3cret@b/a",
        ] {
            let refused = bucket_url(Path::new(typed)).expect_err("it is none");
            assert!(!refused.to_string().contains("s3cret"), "{refused}");
        }
    }

    #[tokio::test]
    async fn files_are_written_listed_and_removed() {
        let folder = tempfile::tempdir().expect("there is a folder");
        // A name that would be a pattern, or an address.
        let path = folder.path().join("a [b]*%20#");
        let stores = Stores::default();
        let place = Location::output(&path, Path::new(""), &stores).expect("it is made");
        assert!(place.child("none").names().await.expect("none").is_empty());
        let file = place.child("b/c?.json");
        file.write("1".to_owned()).await.expect("it is written");
        assert_eq!(
            place.names_below().await.expect("it is listed"),
            ["b/c?.json"]
        );
        assert_eq!(place.child("b").names().await.expect("listed"), ["c?.json"]);
        assert_eq!(fs::read(path.join("b/c?.json")).expect("it is there"), b"1");
        assert_eq!(file.version().await.expect("it is there").bytes, 1);
        assert_eq!(file.name_below(&place).as_deref(), Some("b/c?.json"));
        assert!(place.is_same(&place) && !place.is_same(&file));
        let other = place.child("d");
        file.rename(&other).await.expect("it is renamed");
        assert!(file.version().await.is_err());
        assert_eq!(other.read().await.expect("it is there"), b"1");
        other.remove().await.expect("it is removed");
        place.remove_all().await.expect("all is removed");
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn empty_files_are_listed_in_order() {
        let store = Arc::new(InMemory::new());
        let names: Vec<String> = (0..128).map(|at| format!("{at:03}.txt")).collect();
        for name in &names {
            let path = ObjectPath::from(format!("a/{name}"));
            store.put(&path, "".into()).await.expect("it is written");
        }
        let url = Url::parse("s3://bucket/a").expect("it is right");
        let place = Location { store, url };
        assert_eq!(place.names_below().await.expect("it is listed"), names);
    }
}
