//! How a file tells which language it is in.

use std::path::Path;

use super::Language;

/// The extensions of files that others are made of, whose name follows: `config.h.in`.
const MADE_INTO_OTHERS: [&str; 5] = ["dist", "example", "in", "orig", "sample"];

/// What lines of Objective-C begin with, and none of C or MATLAB.
const OBJECTIVE: [&str; 5] = [
    "#import ",
    "@implementation ",
    "@import ",
    "@interface ",
    "@protocol ",
];

/// What lines of Perl begin with, and none of Prolog.
const OF_PERL: [&str; 8] = [
    "=head", "=pod", "my ", "our ", "package ", "require ", "sub ", "use ",
];

impl Language {
    /// Returns the language of the file at `path`, which begins with `text`: by its extension or
    /// name, else by the interpreter that its first line names. Nothing if that is not a language of
    /// this crate.
    ///
    /// ```
    /// use std::path::Path;
    /// use sectile_code::Language;
    ///
    /// let of = |path, text| Language::detect(Path::new(path), text);
    /// assert_eq!(of("src/main.rs", ""), Some(Language::Rust));
    /// assert_eq!(of("bin/tidy", "#!/usr/bin/env -S python3 -u\n"), Some(Language::Python));
    /// assert_eq!(of("notes.txt", "#!/bin/sh\n"), None);
    /// ```
    pub fn detect(path: &Path, text: &str) -> Option<Self> {
        if let Some(language) = Self::of_name(path) {
            return Some(language);
        }
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if extension.is_empty() {
            return Self::of_shebang(text);
        }
        let extension = extension.to_lowercase();
        if MADE_INTO_OTHERS.contains(&&*extension) {
            return path
                .file_stem()
                .and_then(|name| Self::detect(Path::new(name), text));
        }
        Self::of_extension_and_text(&extension, text)
    }

    /// Returns the language of a file with this extension, which the text tells if files of several have it.
    fn of_extension_and_text(extension: &str, text: &str) -> Option<Self> {
        let is_objective = || {
            // Without a semicolon, it is a command in a comment for Doxygen.
            let declares = |line: &str| line.starts_with("@class ") && line.contains(';');
            let begins = |line: &str| OBJECTIVE.iter().any(|begin| line.starts_with(begin));
            text.lines().any(|line| begins(line) || declares(line))
        };
        // Manifests of Puppet have the same extension as programs of Pascal, which begin with a comment or their name.
        let is_pascal = || {
            let begins = ["{", "(*", "//", "library ", "program ", "unit "];
            let text = text.trim_start();
            begins.iter().any(|begin| {
                let beginning = text.get(..begin.len());
                beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(begin))
            })
        };
        // The comments of Mathematica and Coq.
        let is_other = || text.trim_start().starts_with("(*");
        match extension {
            "d" if is_no_d(text) => None,
            "h" | "m" if is_objective() => Some(Self::ObjectiveC),
            "m" | "v" if is_other() => None,
            "pl" if is_prolog(text) => Some(Self::Prolog),
            "pp" if is_pascal() => Some(Self::Pascal),
            "cl" if text.trim_start().starts_with(['(', ';']) => Some(Self::Lisp),
            _ => Self::of_extension(extension),
        }
    }

    /// Returns the language that files with this extension, in lower case, are in; the usual one, if there are several.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "sh" | "bash" | "zsh" | "ksh" | "bats" | "ebuild" => Self::Bash,
            "c" => Self::C,
            // The shaders of OpenGL, DirectX and Metal, and the programs of OpenCL, are near to C++.
            "cc" | "cpp" | "cxx" | "c++" | "h" | "hh" | "hpp" | "hxx" | "h++" | "inl" | "ipp"
            | "cl" | "cppm" | "cu" | "cuh" | "frag" | "glsl" | "hlsl" | "ino" | "ixx" | "metal"
            | "tcc" | "tpp" | "vert" => Self::Cpp,
            "cake" | "cs" | "csx" => Self::Csharp,
            "dart" => Self::Dart,
            "ex" | "exs" => Self::Elixir,
            "go" => Self::Go,
            "hs" => Self::Haskell,
            "java" => Self::Java,
            "js" | "jsx" | "mjs" | "cjs" | "es6" | "gs" => Self::JavaScript,
            "kt" | "kts" => Self::Kotlin,
            "lua" | "luau" | "rockspec" => Self::Lua,
            "php" | "php5" | "phtml" => Self::Php,
            "ps1" | "psm1" | "psd1" => Self::PowerShell,
            // Cython and Starlark are near to Python.
            "py" | "pyi" | "pyw" | "bazel" | "bzl" | "pxd" | "pyx" | "star" => Self::Python,
            "r" => Self::R,
            "rb" | "rake" | "gemspec" | "ru" | "podspec" => Self::Ruby,
            "rs" => Self::Rust,
            "scala" | "sc" | "sbt" => Self::Scala,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "cmake" => Self::Cmake,
            "css" | "less" | "sass" | "scss" => Self::Css,
            "containerfile" | "dockerfile" => Self::Dockerfile,
            "fs" | "fsi" | "fsx" => Self::Fsharp,
            "gql" | "graphql" | "graphqls" => Self::Graphql,
            "hcl" | "nomad" | "tf" | "tfvars" => Self::Hcl,
            "cfg" | "desktop" | "inf" | "ini" | "properties" | "reg" | "service" | "socket"
            | "timer" => Self::Ini,
            "jl" => Self::Julia,
            "mak" | "mk" => Self::Makefile,
            "ml" | "mli" => Self::Ocaml,
            "pl" | "pm" | "pod" => Self::Perl,
            "proto" => Self::Protobuf,
            "sql" => Self::Sql,
            "astro" | "svelte" => Self::Svelte,
            "swift" => Self::Swift,
            "toml" => Self::Toml,
            "bas" | "vb" | "vbs" => Self::VisualBasic,
            "vue" => Self::Vue,
            "zig" | "zon" => Self::Zig,
            _ => {
                return Self::of_rarer_extension(extension)
                    .or_else(|| Self::of_template(extension));
            }
        })
    }

    /// Returns the language of files with this extension, if it is one without a grammar that is not as common.
    fn of_rarer_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "adb" | "ads" => Self::Ada,
            "asm" | "nasm" | "s" => Self::Assembly,
            "awk" | "gawk" => Self::Awk,
            "bat" | "cmd" => Self::Batch,
            "bicep" => Self::Bicep,
            "cbl" | "cob" | "cpy" => Self::Cobol,
            "cr" => Self::Crystal,
            "d" | "di" => Self::D,
            "erl" | "escript" | "hrl" => Self::Erlang,
            "fish" => Self::Fish,
            "f" | "f03" | "f08" | "f77" | "f90" | "f95" | "for" | "fpp" | "fypp" => Self::Fortran,
            "gradle" | "groovy" | "gvy" => Self::Groovy,
            "bb" | "clj" | "cljc" | "cljs" | "el" | "fnl" | "lisp" | "lsp" | "rkt" | "scm"
            | "ss" => Self::Lisp,
            "m" => Self::Matlab,
            "nim" | "nims" => Self::Nim,
            "mm" => Self::ObjectiveC,
            "dpr" | "lpr" | "pas" => Self::Pascal,
            "prisma" => Self::Prisma,
            "sol" => Self::Solidity,
            "tcl" | "tk" => Self::Tcl,
            "thrift" => Self::Thrift,
            "sv" | "svh" | "v" | "vh" => Self::Verilog,
            "vhd" | "vhdl" => Self::Vhdl,
            "vim" => Self::Vim,
            "wgsl" => Self::Wgsl,
            _ => return None,
        })
    }

    /// Returns the language of templates, if files with this extension are such.
    fn of_template(extension: &str) -> Option<Self> {
        let is_template = matches!(
            extension,
            "ascx"
                | "asp"
                | "aspx"
                | "cfm"
                | "cshtml"
                | "eex"
                | "ejs"
                | "ep"
                | "erb"
                | "eta"
                | "ftl"
                | "ftlh"
                | "gohtml"
                | "gotmpl"
                | "gsp"
                | "handlebars"
                | "hbs"
                | "heex"
                | "j2"
                | "jinja"
                | "jinja2"
                | "jsp"
                | "jspf"
                | "jspx"
                | "latte"
                | "leex"
                | "liquid"
                | "mako"
                | "mustache"
                | "njk"
                | "razor"
                | "rhtml"
                | "tmpl"
                | "tpl"
                | "tt"
                | "tt2"
                | "twig"
                | "vbhtml"
                | "vm"
        );
        is_template.then_some(Self::Template)
    }

    /// Returns the language of files that have a name of their own.
    fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        Some(match name {
            "Rakefile" | "Gemfile" | "Vagrantfile" | "Podfile" | "Brewfile" | "Capfile"
            | "Dangerfile" | "Fastfile" | "Guardfile" => Self::Ruby,
            ".bashrc" | ".bash_aliases" | ".bash_profile" | ".envrc" | ".profile" | ".zprofile"
            | ".zshenv" | ".zshrc" | "APKBUILD" | "PKGBUILD" => Self::Bash,
            ".emacs" => Self::Lisp,
            ".vimrc" | "vimrc" => Self::Vim,
            "BUILD" | "SConscript" | "SConstruct" | "Tiltfile" | "WORKSPACE" | "wscript" => {
                Self::Python
            }
            "CMakeLists.txt" => Self::Cmake,
            "Cargo.lock" | "Pipfile" | "poetry.lock" | "uv.lock" => Self::Toml,
            ".editorconfig" | ".gitconfig" | ".gitmodules" | ".pylintrc" => Self::Ini,
            "Jenkinsfile" => Self::Groovy,
            "Makefile.PL" => Self::Perl,
            "GNUmakefile" | "makefile" => Self::Makefile,
            // They are named for what they build: `Dockerfile.dev`, `Makefile.am`.
            _ => match name.split('.').next()? {
                "Containerfile" | "Dockerfile" => Self::Dockerfile,
                "Makefile" => Self::Makefile,
                _ => return None,
            },
        })
    }

    /// Returns the language of the interpreter that the first line of `text` names.
    fn of_shebang(text: &str) -> Option<Self> {
        let line = text.strip_prefix("#!")?.lines().next()?;
        let name = |word: &str| word.rsplit('/').next().map(str::to_owned);
        let mut words = line
            .split_ascii_whitespace()
            .filter(|word| !word.starts_with('-') && !word.contains('='))
            .filter_map(name);
        let program = words.next()?;
        let program = if program == "env" {
            words.next()?
        } else {
            program
        };
        // `python3.12` is Python.
        let program = program.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
        Some(match program {
            "sh" | "bash" | "bats" | "dash" | "ksh" | "zsh" => Self::Bash,
            "tcc" => Self::C,
            "dotnet-script" => Self::Csharp,
            "dart" => Self::Dart,
            "awk" | "gawk" => Self::Awk,
            "clojure" | "bb" | "sbcl" | "guile" | "racket" => Self::Lisp,
            "crystal" => Self::Crystal,
            "elixir" => Self::Elixir,
            "escript" => Self::Erlang,
            "fish" => Self::Fish,
            "groovy" => Self::Groovy,
            "octave" => Self::Matlab,
            "tclsh" | "wish" => Self::Tcl,
            "runhaskell" | "runghc" | "stack" => Self::Haskell,
            "node" | "nodejs" | "bun" => Self::JavaScript,
            "kotlin" => Self::Kotlin,
            "lua" | "luajit" => Self::Lua,
            "php" => Self::Php,
            "julia" => Self::Julia,
            "ocaml" => Self::Ocaml,
            "perl" => Self::Perl,
            "pwsh" | "powershell" => Self::PowerShell,
            "python" | "pypy" => Self::Python,
            "Rscript" => Self::R,
            "ruby" | "jruby" => Self::Ruby,
            "rust-script" => Self::Rust,
            "scala" => Self::Scala,
            "deno" | "ts-node" | "tsx" => Self::TypeScript,
            _ => return None,
        })
    }
}

/// Returns whether a text with the extension of D is none: compilers write what a file is made of (`cart.o: cart.c`), and
/// scripts of `DTrace` have the same extension.
fn is_no_d(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let target = line.split_once(':').map_or("", |(target, _)| target);
    let is_comment = ["//", "/*", "/+"]
        .iter()
        .any(|begin| line.starts_with(begin));
    let is_path = !is_comment && target.contains(['.', '/']);
    let is_rule = is_path && !target.contains(char::is_whitespace) || line.contains(".o:");
    is_rule || line.starts_with("#!") && line.contains("dtrace")
}

/// Returns whether a text with the extension of Perl is Prolog: it begins with a comment that only Prolog has, or the first
/// line says so that only one of them has.
fn is_prolog(text: &str) -> bool {
    let says = |line: &str| {
        let is_run_by = |program: &str| line.starts_with("#!") && line.contains(program);
        let is_prolog = line.starts_with(":-") || is_run_by("swipl") || is_clause(line);
        let begins = |begin: &&str| line.starts_with(*begin);
        let is_perl = is_run_by("perl") || OF_PERL.iter().any(begins);
        (is_prolog || is_perl).then_some(is_prolog)
    };
    text.trim_start().starts_with("/*") || text.lines().find_map(says).unwrap_or_default()
}

/// Returns whether a line is a fact of Prolog, or begins a rule: `near(A, B) :- near(B, A).`
fn is_clause(line: &str) -> bool {
    let line = line.trim_end();
    let rule = line.split_once(":-").map(|(head, _)| head.trim_end());
    let head = rule.or_else(|| line.strip_suffix('.')).unwrap_or_default();
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let arguments = head.trim_start_matches(is_of_name);
    // Perl may join a text to what a call returns, and a dot between them may end a line.
    let has_variables = arguments.contains(['$', '@', ';']);
    let is_call = arguments.starts_with('(') && arguments.ends_with(')') && !has_variables;
    let is_bare = rule.is_some() && arguments.is_empty();
    head.starts_with(char::is_lowercase) && (is_call || is_bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_tell_their_language_by_extension_name_or_interpreter() {
        let check = |path: &str, text: &str, expected: Option<Language>| {
            assert_eq!(Language::detect(Path::new(path), text), expected, "{path}");
        };
        check("a.PY", "", Some(Language::Python));
        check("app/Rakefile", "", Some(Language::Ruby));
        check("run", "#!/bin/bash -e\n", Some(Language::Bash));
        check(
            "run",
            "#! /usr/bin/env FOO=1 node\n",
            Some(Language::JavaScript),
        );
        check("run", "#!/usr/bin/python3.12", Some(Language::Python));
        check("run", "#!/usr/bin/env", None);
        check("run", "#!/usr/bin/perl -w\n", Some(Language::Perl));
        check("lib/CMakeLists.txt", "", Some(Language::Cmake));
        check("perlre.pod", "=head1 NAME\n", Some(Language::Perl));
        check("notes.txt", "", None);
        check("Makefile", "", Some(Language::Makefile));
        check("page.html.erb", "", Some(Language::Template));
        check("page.html", "", None);
        check("run", "print('hi')", None);
        check("a.md", "#!/bin/sh", None);
        check("deploy/Dockerfile.dev", "", Some(Language::Dockerfile));
        check("Makefile.am", "", Some(Language::Makefile));
        check("Makefile.PL", "", Some(Language::Perl));
        check("Jenkinsfile", "", Some(Language::Groovy));
        check("tools/BUILD.bazel", "", Some(Language::Python));
        check("uv.lock", "", Some(Language::Toml));
        check("run", "#!/usr/bin/env escript\n", Some(Language::Erlang));
        check("a.escript", "", Some(Language::Erlang));
    }

    #[test]
    fn what_other_files_are_made_of_is_in_their_language() {
        let check = |path: &str, expected: Option<Language>| {
            assert_eq!(Language::detect(Path::new(path), ""), expected, "{path}");
        };
        check("config.h.in", Some(Language::Cpp));
        check("setup.py.orig", Some(Language::Python));
        check("settings.toml.example", Some(Language::Toml));
        check("Makefile.in", Some(Language::Makefile));
        check("page.md.in", None);
        check("words.in", None);
        check("in", None);
    }

    #[test]
    fn an_extension_of_several_languages_is_told_by_the_text() {
        let check = |path: &str, text: &str, expected: Option<Language>| {
            assert_eq!(Language::detect(Path::new(path), text), expected, "{path}");
        };
        let objective = "// Shop.\n#import <Foundation/Foundation.h>\n";
        check("a.m", objective, Some(Language::ObjectiveC));
        check("a.h", objective, Some(Language::ObjectiveC));
        check("a.h", "@class Cart, Shop;\n", Some(Language::ObjectiveC));
        check("a.h", "class A {};\n", Some(Language::Cpp));
        check(
            "a.h",
            "/*!\n@class Cart\nSums.\n*/\nclass Cart {};\n",
            Some(Language::Cpp),
        );
        check("a.m", "function y = f(x)\n", Some(Language::Matlab));
        check("a.m", "(* ::Package:: *)\n", None);
        check("a.v", "module a;\nendmodule\n", Some(Language::Verilog));
        check("a.v", "(** Proofs. *)\nLemma a : b.\n", None);
        let prolog = "/* Lists. */\n\n:- module(lists, [append/3]).\n";
        check("lists.pl", prolog, Some(Language::Prolog));
        check(
            "a.pl",
            "%! a(X).\na(X) :-\n    b(X).\n",
            Some(Language::Prolog),
        );
        check("a.pl", "#!/usr/bin/env swipl\n", Some(Language::Prolog));
        let rule = "near(A, B) :- near(B, A).\n";
        check("a.pl", rule, Some(Language::Prolog));
        let facts = "% Cities.\nnear(bern, thun).\n";
        check("a.pl", facts, Some(Language::Prolog));
        let comment = "/* How to\nuse it. */\nnear(bern, thun).\n";
        check("a.pl", comment, Some(Language::Prolog));
        check("a.pl", "print(\":-)\");\nmy $a;\n", Some(Language::Perl));
        let joined = "print join($a, @b).\nlc($c).\n\"d\";\n";
        check("a.pl", joined, Some(Language::Perl));
        check("a.pl", "# Says.\nuse strict;\n:- a\n", Some(Language::Perl));
        check("a.pl", "print 1;\n", Some(Language::Perl));
        check("a.d", "module a;\n", Some(Language::D));
        check("a.d", "import std.stdio : File;\n", Some(Language::D));
        check("a.d", "//https://example.org\n", Some(Language::D));
        check("a.d", "a.o: a.c a.h\n", None);
        check("a.d", "/shop/target/libcart.rlib: src/lib.rs\n", None);
        check("a.d", "#!/usr/sbin/dtrace -s\n", None);
        check("a.pp", "{ Carts. }\nUnit Shop;\n", Some(Language::Pascal));
        check("a.pp", "unit Shop;\n", Some(Language::Pascal));
        check("a.pp", "# A shop.\nclass shop {\n}\n", None);
        check("a.cl", "__kernel void a() {}\n", Some(Language::Cpp));
        check("a.cl", ";; Lists.\n(defun a ())\n", Some(Language::Lisp));
    }
}
