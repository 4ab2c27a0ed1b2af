//! What definitions and comments begin with, language by language.

use super::Definition;
use super::forms::Form;
use super::words::Words;
use crate::Language;

/// The syntax of a language, as far as lines show it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Syntax {
    words: Words,
    form: Form,
    /// What lines begin with that are comments or attributes.
    comments: &'static [&'static str],
    /// What comments, strings and bodies of macros of several lines begin and end with.
    blocks: &'static [(&'static str, &'static str)],
}

impl Syntax {
    /// Reads a line that is not blank.
    pub(super) fn definition(&self, line: &str, is_at_margin: bool) -> Option<Definition> {
        let of_words = self.words.definition(line);
        of_words.or_else(|| self.form.definition(line, is_at_margin))
    }

    /// Returns whether a line begins as a definition does.
    pub(super) fn begins_definition(&self, line: &str) -> bool {
        self.words.begins_with_keyword(line)
    }

    /// Returns whether a line is a comment or an attribute of what follows.
    pub(super) fn is_comment(&self, line: &str) -> bool {
        let mut begins = self.blocks.iter().map(|(open, _)| open);
        begins.any(|open| line.starts_with(open))
            || self.comments.iter().any(|begin| line.starts_with(begin))
    }

    /// Returns what ends the comment or the string that a line opens.
    pub(super) fn opened(&self, line: &str) -> Option<&'static str> {
        let is_commented = self.comments.iter().any(|begin| line.starts_with(begin));
        let is_opened = |(open, close): &&(&str, &str)| {
            if open == close {
                let is_read = line.starts_with(open) || !is_commented;
                return is_read && line.matches(open).count() % 2 == 1;
            }
            let inner = line.strip_prefix(open);
            inner.is_some_and(|inner| !inner.contains(close))
        };
        let block = self.blocks.iter().find(is_opened);
        block.map(|(_, close)| *close)
    }
}

const C: &[(&str, &str)] = &[("/*", "*/")];
const ML: &[(&str, &str)] = &[("(*", "*)")];
const QUOTES: (&str, &str) = ("\"\"\"", "\"\"\"");

/// Returns the syntax of a language without a grammar; that of the others has no definitions.
pub(super) fn of(language: Language) -> Syntax {
    match language {
        Language::Cmake => with_form(Form::Call, &["#"], &[]),
        Language::Css => with_form(Form::Words, &[], C),
        Language::Dockerfile => dockerfile(),
        Language::Fsharp => fsharp(),
        Language::Graphql => graphql(),
        Language::Hcl => with_form(Form::Block, &["#", "//"], C),
        Language::Ini => with_form(Form::Brackets, &["#", ";"], &[]),
        Language::Julia => julia(),
        Language::Makefile => makefile(),
        Language::Ocaml => ocaml(),
        Language::Perl => perl(),
        Language::Protobuf => protobuf(),
        Language::Sql => sql(),
        Language::Svelte | Language::Vue => component(),
        Language::Swift => swift(),
        Language::Template => with_form(Form::Directive, &["{#", "{{!", "<%#", "<%--"], &[]),
        Language::Toml => with_form(Form::Brackets, &["#"], &[QUOTES, ("'''", "'''")]),
        Language::VisualBasic => visual_basic(),
        Language::Zig => zig(),
        _ => Syntax::default(),
    }
}

fn with_form(
    form: Form,
    comments: &'static [&'static str],
    blocks: &'static [(&'static str, &'static str)],
) -> Syntax {
    Syntax {
        words: Words::default(),
        form,
        comments,
        blocks,
    }
}

fn component() -> Syntax {
    Syntax {
        words: Words {
            modifiers: &["async", "default", "export"],
            containers: &["class"],
            leaves: &["function", "interface"],
            ..Words::default()
        },
        ..with_form(Form::Tag, &["//"], &[("/*", "*/"), ("<!--", "-->")])
    }
}

fn dockerfile() -> Syntax {
    Syntax {
        words: Words {
            leaves: &["from"],
            is_any_case: true,
            ..Words::default()
        },
        ..with_form(Form::Words, &["#"], &[])
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
        ..with_form(Form::Words, &["//", "[<"], ML)
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
        ..with_form(Form::Words, &["#", "\""], &[QUOTES])
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
        ..with_form(Form::Equation, &["#", "@"], &[QUOTES, ("#=", "=#")])
    }
}

fn makefile() -> Syntax {
    Syntax {
        words: Words {
            leaves: &["define"],
            ..Words::default()
        },
        ..with_form(Form::Target, &["#", ".PHONY"], &[("define ", "endef")])
    }
}

fn ocaml() -> Syntax {
    Syntax {
        words: Words {
            containers: &["class", "module", "type"],
            leaves: &["and", "exception", "external", "let", "method", "val"],
            particles: &["mutable", "nonrec", "private", "rec", "virtual"],
            is_title_the_name: true,
            ..Words::default()
        },
        ..with_form(Form::Words, &["[@"], ML)
    }
}

fn perl() -> Syntax {
    let pod = &[
        ("=begin", "=cut"),
        ("=encoding", "=cut"),
        ("=for", "=cut"),
        ("=head", "=cut"),
        ("=item", "=cut"),
        ("=over", "=cut"),
        ("=pod", "=cut"),
    ];
    Syntax {
        words: Words {
            modifiers: &["async"],
            containers: &["class", "package", "role"],
            leaves: &["method", "sub"],
            ..Words::default()
        },
        ..with_form(Form::Words, &["#"], pod)
    }
}

fn protobuf() -> Syntax {
    Syntax {
        words: Words {
            containers: &["message", "service"],
            leaves: &["enum", "extend", "rpc"],
            ..Words::default()
        },
        ..with_form(Form::Words, &["//"], C)
    }
}

fn sql() -> Syntax {
    Syntax {
        words: Words {
            begins: &["create"],
            modifiers: &[
                "alter",
                "create",
                "definer",
                "external",
                "foreign",
                "global",
                "invoker",
                "local",
                "materialized",
                "or",
                "recursive",
                "replace",
                "security",
                "sql",
                "temp",
                "temporary",
                "unique",
                "unlogged",
                "virtual",
            ],
            leaves: &[
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
        ..with_form(Form::Words, &["--"], C)
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
        ..with_form(Form::Words, &["//", "@"], &[("/*", "*/"), QUOTES])
    }
}

fn visual_basic() -> Syntax {
    Syntax {
        words: Words {
            modifiers: &[
                "async",
                "default",
                "friend",
                "iterator",
                "mustinherit",
                "mustoverride",
                "notinheritable",
                "notoverridable",
                "overloads",
                "overridable",
                "overrides",
                "partial",
                "private",
                "protected",
                "public",
                "readonly",
                "shadows",
                "shared",
                "static",
                "writeonly",
            ],
            containers: &["class", "interface", "module", "namespace", "structure"],
            leaves: &["enum", "function", "property", "sub"],
            particles: &["get", "let", "set"],
            is_any_case: true,
            is_title_the_name: true,
            ..Words::default()
        },
        ..with_form(Form::Words, &["'", "<"], &[])
    }
}

fn zig() -> Syntax {
    Syntax {
        words: Words {
            modifiers: &["export", "extern", "inline", "noinline", "pub"],
            containers: &["const"],
            leaves: &["fn", "test"],
            values: &[
                "enum", "error{", "extern ", "opaque", "packed ", "struct", "union",
            ],
            ..Words::default()
        },
        ..with_form(Form::Words, &["//"], &[])
    }
}
