//! Which files are parts.

use std::ffi::OsStr;
use std::path::Path;

/// Returns whether a file of this name is a part of a data set: it ends with `.parquet`, in
/// whatever case, and begins with neither `_` nor `.`, as what engines have not finished does.
pub fn is_part_name(name: &OsStr) -> bool {
    let is_hidden = name.to_string_lossy().starts_with(['_', '.']);
    let extension = Path::new(name).extension();
    !is_hidden && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unfinished_is_no_part() {
        let check =
            |name: &str, expected| assert_eq!(is_part_name(name.as_ref()), expected, "{name}");
        check("part-00000.parquet", true);
        check("A.PARQUET", true);
        check("_part.parquet", false);
        check(".part.parquet", false);
        check("part.parquet.new", false);
        check("parquet", false);
    }
}
