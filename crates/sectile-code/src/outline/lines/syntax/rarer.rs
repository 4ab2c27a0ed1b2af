//! The syntax of languages that are not as common.

use super::{QUOTES, Syntax, with_form};
use crate::Language;
use crate::outline::lines::ends::Ends;
use crate::outline::lines::forms::Form;
use crate::outline::lines::literals::{C, Literals, NONE};
use crate::outline::lines::words::Words;

/// How far paragraphs of COBOL and units of Fortran are indented where columns have a meaning.
const FIXED_MARGIN: usize = 10;

/// Strings of several lines in single quotes.
const SINGLE_QUOTES: (&str, &str) = ("'''", "'''");

/// Returns the syntax of a language; that of languages with a grammar has no definitions.
pub(super) fn of(language: Language) -> Syntax {
    match language {
        Language::Ada => ada(),
        Language::Assembly => with_form(Form::Label, &[";", "#", "//", "@"], C),
        Language::Awk => awk(),
        Language::Batch => with_form(Form::Colon, &["::", "rem ", "REM "], NONE),
        Language::Bicep => bicep(),
        Language::Cobol => cobol(),
        Language::Crystal => crystal(),
        Language::Erlang => erlang(),
        Language::Fish => fish(),
        Language::Fortran => fortran(),
        Language::Groovy => groovy(),
        Language::Lisp => lisp(),
        Language::Matlab => matlab(),
        Language::Nim => nim(),
        Language::ObjectiveC => with_form(Form::Objective, &["//", "#pragma mark"], C),
        Language::Ocaml => ocaml(),
        Language::Pascal => pascal(),
        Language::Prisma => prisma(),
        Language::Prolog => prolog(),
        Language::Solidity => solidity(),
        Language::Tcl => tcl(),
        Language::Thrift => thrift(),
        Language::Verilog => verilog(),
        Language::Vhdl => vhdl(),
        Language::Vim => vim(),
        Language::VisualBasic => visual_basic(),
        Language::Wgsl => wgsl(),
        Language::Zig => zig(),
        _ => Syntax::default(),
    }
}

/// Returns the syntax of a language whose definitions begin with words.
fn with_words(words: Words, comments: &'static [&'static str], literals: Literals) -> Syntax {
    Syntax {
        words,
        ..with_form(Form::Words, comments, literals)
    }
}

/// Returns the syntax of a language whose definitions begin with words, and end with braces.
fn with_braces(words: Words, comments: &'static [&'static str], literals: Literals) -> Syntax {
    Syntax {
        ends: Ends::Braces,
        ..with_words(words, comments, literals)
    }
}

fn ada() -> Syntax {
    let words = Words {
        modifiers: &["not", "overriding", "private"],
        containers: &["package", "protected", "task"],
        leaves: &["function", "procedure", "type"],
        particles: &["body", "type"],
        is_any_case: true,
        is_title_the_name: true,
        ..Words::default()
    };
    with_words(words, &["--"], NONE)
}

fn awk() -> Syntax {
    let words = Words {
        leaves: &["func", "function"],
        names: &["BEGIN", "END"],
        ..Words::default()
    };
    with_braces(words, &["#"], NONE)
}

fn bicep() -> Syntax {
    let words = Words {
        leaves: &["func", "module", "resource", "type"],
        is_title_the_name: true,
        ..Words::default()
    };
    let literals = Literals {
        blocks: &[("/*", "*/"), SINGLE_QUOTES],
        quotes: &['\''],
        ..NONE
    };
    with_braces(words, &["//", "@"], literals)
}

fn cobol() -> Syntax {
    Syntax {
        margin: FIXED_MARGIN,
        ..with_form(Form::Paragraph, &["*"], NONE)
    }
}

fn crystal() -> Syntax {
    let words = Words {
        modifiers: &["abstract", "private", "protected"],
        containers: &["class", "lib", "module", "struct"],
        leaves: &["annotation", "def", "enum", "macro"],
        ..Words::default()
    };
    let literals = Literals {
        quotes: &['"'],
        has_documents: true,
        ..NONE
    };
    Syntax {
        ends: Ends::Words(&["end"]),
        ..with_words(words, &["#", "@["], literals)
    }
}

fn erlang() -> Syntax {
    let literals = Literals {
        blocks: &[QUOTES],
        quotes: &['"'],
        ..NONE
    };
    with_form(Form::Clause, &["%", "-spec", "-doc"], literals)
}

fn fish() -> Syntax {
    let words = Words {
        leaves: &["function"],
        is_title_the_name: true,
        ..Words::default()
    };
    Syntax {
        ends: Ends::Words(&["end"]),
        ..with_words(words, &["#"], NONE)
    }
}

fn fortran() -> Syntax {
    let words = Words {
        modifiers: &[
            "character",
            "complex",
            "double",
            "elemental",
            "impure",
            "integer",
            "logical",
            "precision",
            "pure",
            "real",
            "recursive",
        ],
        containers: &["module", "program", "submodule"],
        leaves: &[
            "function",
            "interface",
            "procedure",
            "subroutine",
            "type",
            "type,",
        ],
        particles: &[
            "::",
            "abstract",
            "abstract,",
            "private",
            "private,",
            "public",
            "public,",
        ],
        is_any_case: true,
        ..Words::default()
    };
    Syntax {
        margin: FIXED_MARGIN,
        ..with_words(words, &["!"], NONE)
    }
}

fn groovy() -> Syntax {
    Syntax {
        words: Words {
            modifiers: &[
                "abstract",
                "final",
                "private",
                "protected",
                "public",
                "static",
            ],
            containers: &["class", "enum", "interface", "trait"],
            ..Words::default()
        },
        ends: Ends::Braces,
        ..with_form(
            Form::Braces,
            &["//", "@"],
            Literals {
                blocks: &[("/*", "*/"), QUOTES, SINGLE_QUOTES],
                quotes: &['"', '\''],
                ..NONE
            },
        )
    }
}

fn lisp() -> Syntax {
    let literals = Literals {
        blocks: &[("#|", "|#")],
        quotes: &['"'],
        are_strings_long: true,
        has_letters: true,
        ..NONE
    };
    Syntax {
        ends: Ends::List,
        ..with_form(Form::List, &[";"], literals)
    }
}

fn matlab() -> Syntax {
    let literals = Literals {
        blocks: &[("%{", "%}")],
        ..NONE
    };
    Syntax {
        words: Words {
            containers: &["classdef", "methods"],
            names: &["methods"],
            ..Words::default()
        },
        ..with_form(Form::Function, &["%", "#"], literals)
    }
}

fn nim() -> Syntax {
    let words = Words {
        leaves: &[
            "converter",
            "func",
            "iterator",
            "macro",
            "method",
            "proc",
            "template",
        ],
        ..Words::default()
    };
    let literals = Literals {
        blocks: &[("#[", "]#"), QUOTES],
        quotes: &['"'],
        ..NONE
    };
    Syntax {
        ends: Ends::Layout,
        ..with_words(words, &["#"], literals)
    }
}

fn ocaml() -> Syntax {
    Syntax {
        words: Words {
            containers: &["class", "module", "type"],
            leaves: &[
                "and",
                "exception",
                "external",
                "inherit",
                "inherit!",
                "let",
                "method",
                "method!",
                "val",
                "val!",
            ],
            particles: &["mutable", "nonrec", "private", "rec", "virtual"],
            is_title_the_name: true,
            ..Words::default()
        },
        ends: Ends::Layout,
        ..with_form(
            Form::Words,
            &["[@"],
            Literals {
                blocks: &[("(*", "*)"), ("{|", "|}")],
                quotes: &['"'],
                are_strings_long: true,
                ..NONE
            },
        )
    }
}

fn pascal() -> Syntax {
    let literals = Literals {
        blocks: &[("(*", "*)"), ("{", "}")],
        quotes: &['\''],
        ..NONE
    };
    Syntax {
        words: Words {
            containers: &["library", "program", "unit"],
            is_any_case: true,
            is_title_the_name: true,
            ..Words::default()
        },
        ..with_form(Form::Pascal, &["//"], literals)
    }
}

fn prisma() -> Syntax {
    let words = Words {
        leaves: &["datasource", "enum", "generator", "model", "type", "view"],
        ..Words::default()
    };
    with_braces(words, &["//"], C)
}

fn prolog() -> Syntax {
    let literals = Literals {
        quotes: &['"', '\''],
        ..C
    };
    with_form(Form::Predicate, &["%"], literals)
}

fn solidity() -> Syntax {
    let words = Words {
        modifiers: &["abstract"],
        containers: &["contract", "interface", "library"],
        leaves: &["enum", "error", "event", "function", "modifier", "struct"],
        names: &["constructor", "fallback", "receive"],
        ..Words::default()
    };
    with_braces(words, &["//"], C)
}

fn tcl() -> Syntax {
    Syntax {
        words: Words {
            containers: &["oo::class"],
            leaves: &[";proc", "method", "proc"],
            names: &["oo::class"],
            ..Words::default()
        },
        ends: Ends::Braces,
        ..with_form(Form::Namespace, &["#"], NONE)
    }
}

fn thrift() -> Syntax {
    let words = Words {
        containers: &["service"],
        leaves: &["enum", "exception", "struct", "union"],
        ..Words::default()
    };
    with_braces(words, &["//", "#"], C)
}

/// The words that definitions of Verilog end with.
#[rustfmt::skip]
const VERILOG_ENDS: [&str; 8] = [
    "endclass", "endfunction", "endgroup", "endinterface", "endmodule", "endpackage", "endprogram", "endtask",
];

fn verilog() -> Syntax {
    let words = Words {
        modifiers: &["extern", "local", "protected", "pure", "static", "virtual"],
        containers: &[
            "class",
            "interface",
            "macromodule",
            "module",
            "package",
            "program",
        ],
        leaves: &["covergroup", "function", "task"],
        particles: &["automatic", "static"],
        ..Words::default()
    };
    Syntax {
        ends: Ends::Words(&VERILOG_ENDS),
        ..with_words(words, &["//"], C)
    }
}

fn vhdl() -> Syntax {
    let words = Words {
        modifiers: &["impure", "pure"],
        containers: &["architecture", "entity", "package"],
        leaves: &["component", "configuration", "function", "procedure"],
        particles: &["body"],
        is_any_case: true,
        is_title_the_name: true,
        ..Words::default()
    };
    Syntax {
        words,
        ..with_form(Form::Process, &["--"], NONE)
    }
}

fn vim() -> Syntax {
    let words = Words {
        modifiers: &["export", "silent!"],
        leaves: &["def", "def!", "fu", "fu!", "function", "function!"],
        ..Words::default()
    };
    Syntax {
        ends: Ends::Words(&[
            "enddef",
            "endf",
            "endfu",
            "endfun",
            "endfunc",
            "endfunction",
        ]),
        ..with_words(words, &["\""], NONE)
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
        ends: Ends::Words(&["end"]),
        ..with_form(Form::Words, &["'", "<", "#"], NONE)
    }
}

fn wgsl() -> Syntax {
    let words = Words {
        leaves: &["fn", "struct"],
        ..Words::default()
    };
    with_braces(words, &["//", "@"], C)
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
        ends: Ends::Braces,
        ..with_form(Form::Words, &["//"], NONE)
    }
}
