//! What definitions and comments begin with, language by language.

use super::Definition;
use super::ends::Ends;
use super::forms::Form;
use super::literals::{C, DOCUMENTS, Finder, Literals, NONE};
use super::words::Words;
use crate::Language;

mod rarer;

/// How far definitions may be indented that stand in no other, in most languages.
const MARGIN: usize = 4;

/// The syntax of a language, as far as lines show it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Syntax {
    words: Words,
    form: Form,
    /// What lines begin with that are comments or attributes.
    comments: &'static [&'static str],
    literals: Literals,
    /// Whether a backslash at the end of a line joins the next one to it.
    has_joined_lines: bool,
    /// How far definitions may be indented that stand in no other.
    margin: usize,
    /// How definitions end.
    pub(super) ends: Ends,
    /// Whether the documentation of Perl may stand between definitions.
    pub(super) has_pod: bool,
}

impl Syntax {
    /// Reads a line that is not blank.
    pub(super) fn definition(&self, line: &str, is_at_margin: bool) -> Option<Definition> {
        let of_words = self.words.definition(line);
        of_words.or_else(|| self.form.definition(line, is_at_margin))
    }

    /// Returns how far a line that is not blank is indented: as far as `own`, or further if it is a part of what begins
    /// at the margin, as a method of Objective-C is.
    pub(super) fn indent(&self, line: &str, own: usize) -> usize {
        own + usize::from(self.form.is_part(line))
    }

    /// Returns whether a line ends all definitions that it stands in.
    pub(super) fn ends_all(&self, line: &str) -> bool {
        self.form.ends_all(line)
    }

    /// Returns whether what looks like a definition is none of the statements in one.
    pub(super) fn is_form_certain(&self) -> bool {
        !matches!(self.form, Form::Braces | Form::Signature)
    }

    /// Returns how far definitions may be indented that stand in no other.
    pub(super) const fn margin(&self) -> usize {
        self.margin
    }

    /// Returns whether a definition with this title is a part of the one before it.
    pub(super) fn goes_on(&self, title: &str, before: &str) -> bool {
        self.form.goes_on(title, before)
    }

    /// Returns whether a line begins as a definition does.
    pub(super) fn begins_definition(&self, line: &str) -> bool {
        self.words.begins_with_keyword(line)
    }

    /// Returns whether a line is a comment or an attribute of what follows.
    pub(super) fn is_comment(&self, line: &str) -> bool {
        let blocks = self.literals.blocks.iter().map(|(open, _)| open);
        let sections = self.literals.sections.iter().map(|(open, _)| open);
        blocks.chain(sections).any(|open| line.starts_with(open))
            || self.comments.iter().any(|begin| line.starts_with(begin))
    }

    /// Returns whether a line goes on in the next one.
    pub(super) fn is_joined(&self, line: &str) -> bool {
        self.has_joined_lines && line.ends_with('\\') && !self.is_comment(line)
    }

    /// Returns what finds the comments, strings and documents of several lines in a text.
    pub(super) fn literals<'a>(&self, text: &'a str) -> Finder<'a> {
        Finder::new(self.literals, self.comments, text)
    }
}

/// The words before definitions of D that begin with a word.
#[rustfmt::skip]
const MODIFIERS_OF_D: [&str; 16] = [
    "abstract", "align", "deprecated", "export", "extern", "final", "mixin", "nothrow", "package", "private", "protected",
    "public", "pure", "shared", "static", "synchronized",
];

const QUOTES: (&str, &str) = ("\"\"\"", "\"\"\"");

/// Returns the syntax of a language without a grammar; that of the others has no definitions.
pub(super) fn of(language: Language) -> Syntax {
    match language {
        Language::Cmake => cmake(),
        Language::Css => with_form(Form::Words, &[], C),
        Language::D => d(),
        Language::Dockerfile => dockerfile(),
        Language::Fsharp => fsharp(),
        Language::Graphql => graphql(),
        Language::Hcl => hcl(),
        Language::Ini => with_form(Form::Brackets, &["#", ";"], NONE),
        Language::Julia => julia(),
        Language::Makefile => makefile(),
        Language::Perl => perl(),
        Language::Protobuf => protobuf(),
        Language::Sql => sql(),
        Language::Swift => swift(),
        Language::Template => template(),
        Language::Toml => toml(),
        _ => rarer::of(language),
    }
}

fn with_form(form: Form, comments: &'static [&'static str], literals: Literals) -> Syntax {
    Syntax {
        words: Words::default(),
        form,
        comments,
        literals,
        has_joined_lines: false,
        margin: MARGIN,
        ends: Ends::WithNext,
        has_pod: false,
    }
}

fn cmake() -> Syntax {
    let literals = Literals {
        blocks: &[
            ("#[[", "]]"),
            ("#[=[", "]=]"),
            ("#[==[", "]==]"),
            ("[[", "]]"),
            ("[=[", "]=]"),
            ("[==[", "]==]"),
        ],
        quotes: &['"'],
        are_strings_long: true,
        ..NONE
    };
    Syntax {
        ends: Ends::Words(&["endfunction", "endmacro"]),
        ..with_form(Form::Call, &["#"], literals)
    }
}

fn d() -> Syntax {
    Syntax {
        words: Words {
            modifiers: &MODIFIERS_OF_D,
            containers: &["class", "interface", "struct", "template", "union"],
            names: &["this", "unittest", "~this"],
            ..Words::default()
        },
        ..with_form(
            Form::Signature,
            &["//", "@"],
            Literals {
                blocks: &[("/*", "*/"), ("/+", "+/")],
                ..C
            },
        )
    }
}

fn dockerfile() -> Syntax {
    Syntax {
        words: Words {
            leaves: &["from"],
            is_any_case: true,
            ..Words::default()
        },
        has_joined_lines: true,
        ..with_form(Form::Words, &["#"], DOCUMENTS)
    }
}

fn fsharp() -> Syntax {
    Syntax {
        words: Words {
            modifiers: &[
                "abstract", "default", "internal", "override", "private", "public", "static",
            ],
            containers: &["module", "namespace", "type"],
            leaves: &["and", "exception", "let", "member", "val"],
            particles: &["inline", "internal", "mutable", "private", "public", "rec"],
            is_title_the_name: true,
            ..Words::default()
        },
        ends: Ends::Layout,
        ..with_form(
            Form::Words,
            &["//", "[<"],
            Literals {
                // The operator of multiplication begins no comment.
                blocks: &[("(*)", ""), ("(*", "*)"), QUOTES],
                quotes: &['"'],
                are_strings_long: true,
                ..NONE
            },
        )
    }
}

fn graphql() -> Syntax {
    Syntax {
        words: Words {
            modifiers: &["extend"],
            leaves: &[
                "directive",
                "enum",
                "fragment",
                "input",
                "interface",
                "mutation",
                "query",
                "scalar",
                "subscription",
                "type",
                "union",
            ],
            ..Words::default()
        },
        ends: Ends::Braces,
        ..with_form(
            Form::Words,
            &["#", "\""],
            Literals {
                blocks: &[QUOTES],
                quotes: &['"'],
                ..NONE
            },
        )
    }
}

fn hcl() -> Syntax {
    let literals = Literals {
        has_documents: true,
        ..C
    };
    Syntax {
        ends: Ends::Braces,
        ..with_form(Form::Block, &["#", "//"], literals)
    }
}

fn julia() -> Syntax {
    Syntax {
        words: Words {
            modifiers: &["abstract", "mutable", "primitive"],
            containers: &["baremodule", "module"],
            leaves: &["function", "macro", "struct", "type"],
            ..Words::default()
        },
        ends: Ends::Words(&["end"]),
        ..with_form(
            Form::Equation,
            &["#", "@"],
            Literals {
                blocks: &[QUOTES, ("#=", "=#")],
                quotes: &['"'],
                are_strings_long: true,
                ..NONE
            },
        )
    }
}

fn makefile() -> Syntax {
    Syntax {
        words: Words {
            leaves: &["define"],
            ..Words::default()
        },
        has_joined_lines: true,
        ends: Ends::Recipe,
        ..with_form(
            Form::Target,
            &["#", ".PHONY"],
            Literals {
                sections: &[("define ", Some("endef"))],
                ..NONE
            },
        )
    }
}

fn perl() -> Syntax {
    const POD: Option<&str> = Some("=cut");
    let literals = Literals {
        sections: &[
            ("=back", POD),
            ("=begin", POD),
            ("=encoding", POD),
            ("=end", POD),
            ("=for", POD),
            ("=head", POD),
            ("=item", POD),
            ("=over", POD),
            ("=pod", POD),
            ("__DATA__", None),
            ("__END__", None),
        ],
        ..DOCUMENTS
    };
    Syntax {
        words: Words {
            modifiers: &["async"],
            containers: &["class", "package", "role"],
            leaves: &["method", "sub"],
            ..Words::default()
        },
        ends: Ends::Braces,
        has_pod: true,
        ..with_form(Form::Words, &["#"], literals)
    }
}

fn protobuf() -> Syntax {
    Syntax {
        words: Words {
            containers: &["message", "service"],
            leaves: &["enum", "extend", "rpc"],
            ..Words::default()
        },
        ends: Ends::Braces,
        ..with_form(Form::Words, &["//"], C)
    }
}

fn sql() -> Syntax {
    Syntax {
        words: Words {
            begins: &["create"],
            modifiers: &[
                "alter",
                "bitmap",
                "clustered",
                "columnstore",
                "create",
                "definer",
                "dynamic",
                "editionable",
                "editioning",
                "external",
                "force",
                "foreign",
                "fulltext",
                "global",
                "hash",
                "invoker",
                "local",
                "materialized",
                "noforce",
                "nonclustered",
                "noneditionable",
                "or",
                "private",
                "public",
                "recursive",
                "replace",
                "secure",
                "security",
                "sharded",
                "spatial",
                "sql",
                "temp",
                "temporary",
                "transient",
                "unique",
                "unlogged",
                "virtual",
            ],
            leaves: &[
                "aggregate",
                "database",
                "domain",
                "function",
                "index",
                "macro",
                "package",
                "proc",
                "procedure",
                "role",
                "schema",
                "sequence",
                "synonym",
                "table",
                "trigger",
                "type",
                "view",
            ],
            particles: &["body", "concurrently", "exists", "if", "not", "only"],
            is_any_case: true,
            is_title_the_name: true,
            ..Words::default()
        },
        ends: Ends::Statement,
        ..with_form(
            Form::Alter,
            &["--"],
            Literals {
                quotes: &['"', '\''],
                is_sql: true,
                ..C
            },
        )
    }
}

fn swift() -> Syntax {
    Syntax {
        words: Words {
            modifiers: &[
                "async",
                "convenience",
                "dynamic",
                "fileprivate",
                "final",
                "indirect",
                "infix",
                "internal",
                "isolated",
                "mutating",
                "nonisolated",
                "nonmutating",
                "open",
                "override",
                "package",
                "postfix",
                "prefix",
                "private",
                "public",
                "required",
                "static",
            ],
            containers: &["actor", "class", "enum", "extension", "protocol", "struct"],
            leaves: &["func", "macro", "typealias"],
            names: &["deinit", "init", "init!", "init?", "subscript"],
            ..Words::default()
        },
        ends: Ends::Braces,
        ..with_form(
            Form::Words,
            &["//", "@", "#if ", "#else", "#endif"],
            Literals {
                blocks: &[("/*", "*/"), QUOTES],
                ..C
            },
        )
    }
}

fn template() -> Syntax {
    let literals = Literals {
        blocks: &[
            ("{#", "#}"),
            ("{{!--", "--}}"),
            ("{{!", "}}"),
            ("{{/*", "*/}}"),
            ("<%--", "--%>"),
            ("<%#", "%>"),
            ("@*", "*@"),
            ("{% comment", "endcomment"),
            ("{% raw", "endraw"),
            ("{% verbatim", "endverbatim"),
        ],
        ..NONE
    };
    Syntax {
        ends: Ends::Directive,
        ..with_form(Form::Directive, &["{#", "{{!", "<%#", "<%--"], literals)
    }
}

fn toml() -> Syntax {
    let literals = Literals {
        blocks: &[QUOTES, ("'''", "'''")],
        quotes: &['"', '\''],
        ..NONE
    };
    with_form(Form::Brackets, &["#"], literals)
}
