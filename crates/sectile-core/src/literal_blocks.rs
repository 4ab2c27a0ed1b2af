//! The blocks of markup whose content is taken as it is written.

/// The environments of LaTeX whose content is not LaTeX.
pub const LATEX_VERBATIM: [&str; 17] = [
    "BVerbatim",
    "LVerbatim",
    "SaveVerbatim",
    "Verbatim",
    "Verbatim*",
    "alltt",
    "asy",
    "comment",
    "filecontents",
    "filecontents*",
    "lstlisting",
    "minted",
    "pycode",
    "sageblock",
    "tcblisting",
    "verbatim",
    "verbatim*",
];

/// The blocks of Org whose content is not Org, in lower case.
pub const ORG_LITERAL: [&str; 5] = ["comment", "example", "export", "src", "verse"];
