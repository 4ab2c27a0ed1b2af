//! Small definitions: tests, macros of C, and clauses.

use sectile_code::{Language, outline};

use super::samples::check;

#[test]
fn each_test_is_a_heading_however_short() {
    let rust = "fn helper() -> u32 {\n    1\n}\n\n/// It opens.\n#[test]\nfn opens_file() {\n    \
                helper();\n}\n\n#[tokio::test]\nasync fn refuses_password() {\n    helper();\n}\n\n#[test]\nfn \
                deletes_folder() {\n    helper();\n}\n";
    check(
        Language::Rust,
        rust,
        &[
            "fn helper() -> u32",
            "fn opens_file()",
            "async fn refuses_password()",
            "fn deletes_folder()",
        ],
    );
    let spans = outline(rust, Language::Rust).headings;
    assert_eq!(
        spans[2].span.of(rust),
        "#[tokio::test]\nasync fn refuses_password() {"
    );
}

#[test]
fn tests_that_are_calls_are_headings() {
    let javascript = "describe('Cart', () => {\n  beforeAll(start);\n\n  it('adds an item', async () => {\n    it(1);\n  \
                      });\n\n  describe.skip(\"empty\", function () {\n    test('is empty', () => {\n      expect(1).toBe(1);\n    \
                      });\n  });\n});\n\ndescribed(() => {\n  test('none', () => {});\n});\n";
    let expected = [
        "describe('Cart', ()",
        "  it('adds an item', async ()",
        "  describe.skip(\"empty\", function ()",
        "    test('is empty', ()",
        "described(()",
    ];
    check(Language::JavaScript, javascript, &expected);
    check(Language::TypeScript, javascript, &expected);
    check(
        Language::Elixir,
        "defmodule CartTest do\n  use ExUnit.Case\n\n  defp cart, do: []\n\n  describe \"add\" do\n    test \"adds an \
         item\", %{cart: cart} do\n      assert cart == []\n    end\n\n    test \"refuses none\" do\n      test(1)\n    \
         end\n  end\nend\n",
        &[
            "defmodule CartTest",
            "  defp cart, do: []",
            "  describe \"add\"",
            "    test \"adds an item\", %{cart: cart}",
            "    test \"refuses none\"",
        ],
    );
    check(
        Language::Ruby,
        "RSpec.describe Cart do\n  def cart\n    []\n  end\n\n  it \"adds an item\" do\n    it(1)\n  end\n\n  context \
         \"without items\" do\n    it \"is empty\" do\n      expect(cart).to be_empty\n    end\n  end\nend\n",
        &[
            "RSpec.describe Cart",
            "  def cart",
            "  it \"adds an item\"",
            "  context \"without items\"",
            "    it \"is empty\"",
        ],
    );
}

const HEADER: &str = "#ifndef A_H
#define A_H

static inline int one(void) { return 1; }

/* Allocates. */
#define ALLOC_ARRAY(x, n) ((x) = make((n) * sizeof(*(x))))
#define EMPTY(x)

/**
 * The limits of a window.
 */
#ifdef HAVE_MMAP
#define WINDOW_SIZE 1024
#define LIMIT 99
#endif

static inline int two(void) { return 2; }

#define LONG(x) \\
  do { \\
    a(x); \\
    b(x); \\
  } while (0)
int after;

/* We allow \"recursive\" references.
   Only within reason, though */
extern int depth;

#endif /* A_H */
";

#[test]
fn each_macro_of_c_with_parameters_is_a_heading() {
    for language in [Language::C, Language::Cpp] {
        check(
            language,
            HEADER,
            &[
                "static inline int one(void)",
                "#define ALLOC_ARRAY(x, n)",
                "#define EMPTY(x)",
                "#define WINDOW_SIZE",
                "static inline int two(void)",
                "#define LONG(x)",
                "int after",
            ],
        );
        let found = outline(HEADER, language).headings;
        let spans: Vec<_> = found
            .iter()
            .map(|heading| heading.span.of(HEADER))
            .collect();
        assert!(spans[1].starts_with("/* Allocates. */\n#define ALLOC"));
        assert_eq!((spans[3], spans[6]), ("/**", "int after;"));
    }
}

#[test]
fn code_between_definitions_is_not_named_by_comments_and_conditions() {
    let title = |text: &str, language: Language| {
        let text = text.replace('|', "\n");
        let found = outline(&text, language).headings;
        found.last().expect("a heading").title.clone()
    };
    let c = |text: &str| title(&format!("int one() {{ return 1; }}|{text}|"), Language::C);
    assert_eq!(
        c("/* So|be it */|extern int a;|extern int b;"),
        "extern int a"
    );
    assert_eq!(
        c("#ifdef A|#include <a.h>|#endif /* A */|#include <b.h>"),
        "#include <a.h>"
    );
    assert_eq!(c("#if defined(A)|#else|#endif /* A_H */"), "int one()");
    assert_eq!(c("/*| * Of old times,| * and new.| */"), "Of old times");
    assert_eq!(c("#  define A 1|#  define B 2"), "#define A");
    let python = "def one():|    pass||# Of all.|# Twice.|_all = one()|";
    assert_eq!(title(python, Language::Python), "_all = one()");
    let ruby = "def one|end||=begin|Old ways.|New ways.|=end|";
    assert_eq!(title(ruby, Language::Ruby), "Old ways.");
}

#[test]
fn directives_are_no_code() {
    let titles = |text: &str, language: Language| -> Vec<String> {
        let headings = outline(text, language).headings.into_iter();
        headings.map(|heading| heading.title).collect()
    };
    let csharp = "class Cart {\n#region Methods\n  void Add() {\n  }\n#endregion\n#pragma warning disable\n#region More\n  \
                  int x;\n  int y;\n#endregion\n#region Fill\n  void Clear() {}\n#endregion\n\n#region Last\n  void End() {}\n#if \
                  DEBUG\n#endif\n}\n";
    assert_eq!(
        titles(csharp, Language::Csharp),
        [
            "class Cart",
            "void Add()",
            "int x",
            "void Clear()",
            "void End()"
        ]
    );
    let commented = "class Cart {\n  void Add() {}\n  /// <summary>\n  /// Shows all.\n  /// </summary>\n#if DEBUG\n  void \
                     Dump() {}\n#endif\n  // Old:\n  // void None() {}\n#region More\n  // Two.\n  int x;\n  int y;\n#endregion\n}\n";
    assert_eq!(
        titles(commented, Language::Csharp),
        ["class Cart", "void Add()", "void Dump()", "int x"]
    );
    let swift = "func add() {\n}\n\n#if canImport(A)\nimport A\n#endif\n#if canImport(B)\n#endif\n\nfunc clear() \
                 {\n}\n\n#if canImport(C)\nlet c = 1\nlet d = 2\n#endif\n";
    assert_eq!(
        titles(swift, Language::Swift),
        ["func add()", "func clear()", "let c = 1"]
    );
}

#[test]
fn constructors_of_kotlin_may_be_on_lines_of_their_own() {
    check(
        Language::Kotlin,
        "actual class Queue<T>\nactual constructor(size: Int) : Base() {\n    fun add(x: T) {\n    }\n}\n\n@Inject\nclass \
         Cart\n@Inject\ninternal constructor(val a: Int) {\n    fun add() {\n    }\n}\n\nactual class Plain\nactual \
         constructor()\n\nfun last() {\n}\n",
        &[
            "actual class Queue<T> actual constructor(size: Int) : Base()",
            "  fun add(x: T)",
            "class Cart @Inject internal constructor(val a: Int)",
            "  fun add()",
            "actual class Plain",
            "fun last()",
        ],
    );
}

#[test]
fn titles_of_cython_have_no_bodies() {
    let text = "cdef class Store:\n    cdef list items\n\n    def __init__(self):\n        self.items = []\n\n    cdef int \
                add(self, obj) except -1:\n        self.items.append(obj)\n        return 0\n\ndef plain(x):\n    return \
                x\n\n# It fails.\ncdef class Error(Exception):\n    pass\n";
    let found = outline(text, Language::Python).headings;
    let titles: Vec<_> = found.iter().map(|heading| &*heading.title).collect();
    assert!(titles.contains(&"class Store"), "{titles:?}");
    assert!(!titles.contains(&"cdef"), "{titles:?}");
    assert!(
        titles.iter().all(|title| !title.contains("items")),
        "{titles:?}"
    );
    let text =
        "def one():\n    pass\n\ntry:\n    import fast\nexcept ImportError:\n    fast = None\n";
    check(Language::Python, text, &["def one()", "import fast"]);
}

#[test]
fn clauses_of_one_function_are_one_section_and_instances_of_one_class_are_not() {
    check(
        Language::Haskell,
        "module Main where\n\nclass Foo a where\n  foo :: a -> Int\n\ninstance Foo Int where\n  foo = id\n\ninstance Foo \
         Bool where\n  foo _ = 1\n\nadd 0 = 1\nadd n = n\n",
        &[
            "class Foo a",
            "instance Foo Int",
            "instance Foo Bool",
            "add 0 = 1",
        ],
    );
    check(
        Language::Elixir,
        "defmodule A do\n  def handle(:one, s) do\n    s\n  end\n\n  def handle(x, s) when is_list(x) do\n    s\n  end\n\n  \
         def handle(x, s) do\n    s\n  end\n\n  def other(x) when x > 0, do: x\nend\n",
        &[
            "defmodule A",
            "  def handle(:one, s)",
            "  def other(x) when x > 0, do: x",
        ],
    );
    check(
        Language::Elixir,
        "defmodule A do\n  def run(a), do: run(a, 1)\n\n  def run(a, b) when a > b do\n    a + b\n  end\n\n  def run(a, b) do\n    \
         b\n  end\n\n  def run(a, _, c) do\n    a\n  end\nend\n",
        &[
            "defmodule A",
            "  def run(a), do: run(a, 1)",
            "  def run(a, b) when a > b",
            "  def run(a, _, c)",
        ],
    );
}

#[test]
fn tests_of_bats_are_headings() {
    let text = "#!/usr/bin/env bats\n\nsetup() {\n  a=1\n}\n\n# It adds.\n@test \"adds an item\" {\n  run add 1\n}\n\n\
                @test 'is empty' {\n  [ -z \"$a\" ]\n}\n";
    let expected = ["setup()", "@test \"adds an item\"", "@test 'is empty'"];
    check(Language::Bash, text, &expected);
    let second = outline(text, Language::Bash).headings[1].span;
    assert_eq!(second.of(text), "# It adds.\n@test \"adds an item\" {");
}

#[test]
fn items_in_macros_of_rust_are_headings() {
    let text = "use a::b;\n\ncfg_net! {\n    /// A socket.\n    pub struct Socket {\n        a: u8,\n    }\n\n    \
                impl Socket {\n        pub fn bind(&self) {}\n    }\n}\n\nfn last() {}\n";
    let expected = [
        "pub struct Socket",
        "impl Socket",
        "  pub fn bind(&self)",
        "fn last()",
    ];
    check(Language::Rust, text, &expected);
    // What is not the syntax of Rust is left as it is.
    let other = "fn first() {}\n\nmake! {\n    fn none => ({ a ; });\n}\n\nfn last() {}\n";
    let titles = outline(other, Language::Rust).headings;
    assert_eq!(titles[0].title, "fn first()");
    assert_eq!(titles.last().map(|last| &*last.title), Some("fn last()"));
}

#[test]
fn annotations_belong_to_what_follows_them() {
    let kotlin = "/** A. */\n@Named(\"a\")\nenum class Kind { ONE }\n\n@Retention(A)\n@Target(B)\nannotation class \
                  Marked\n\nfun <T : A?> twice(a: T) = a\n\n/** Adds. */\n@JvmName(\"b\")\nfun <T : B?> twice(a: T) = a\n";
    let found = outline(kotlin, Language::Kotlin).headings;
    let spans: Vec<_> = found
        .iter()
        .map(|heading| heading.span.of(kotlin).trim_end())
        .collect();
    let expected = [
        "/** A. */\n@Named(\"a\")\nenum class Kind { ONE }",
        "@Retention(A)\n@Target(B)\nannotation class Marked",
        "fun <T : A?> twice(a: T) = a",
        "/** Adds. */\n@JvmName(\"b\")\nfun <T : B?> twice(a: T) = a",
    ];
    assert_eq!(spans, expected);
    check(
        Language::Csharp,
        "class A\n{\n#if NET\n    [Obsolete(\"Use B. It is new\")]\n#endif\n    public int Get()\n    {\n        return 1;\n    }\n}\n",
        &["class A", "  public int Get()"],
    );
}

#[test]
fn comments_in_signatures_are_not_in_titles() {
    check(
        Language::Rust,
        "fn add(\n    a: u8, // The first.\n    /* the second */ b: &str,\n) {\n    // It is \"none\".\n}\n",
        &["fn add( a: u8, b: &str, )"],
    );
    check(
        Language::Python,
        "def add(  # pylint: disable\n    a, b=\"# no comment\"\n):\n    pass\n",
        &["def add( a, b=\"# no comment\" )"],
    );
}

#[test]
fn types_of_functions_are_no_functions() {
    let text =
        "module A where\n\ntype Check = Node -> Bool\n\n-- Runs.\nrun :: Check -> Int\nrun _ = 1\n";
    check(Language::Haskell, text, &["run :: Check -> Int"]);
}
