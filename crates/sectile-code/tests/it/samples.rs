//! A sample in each language.

use sectile_code::{Language, outline};

/// Each language, a text in it, and its headings, indented by level.
pub(super) const SAMPLES: [(Language, &str, &[&str]); 21] = [
    (
        Language::Bash,
        include_str!("../fixtures/sample.sh"),
        &["greet()", "function leave"],
    ),
    (
        Language::C,
        include_str!("../fixtures/sample.c"),
        &[
            "struct point",
            "typedef struct node node_t",
            "enum color",
            "static int add(int a, int b)",
            "int main(int argc, char **argv)",
            "const char *name(void)",
        ],
    ),
    (
        Language::Cpp,
        include_str!("../fixtures/sample.cpp"),
        &[
            "namespace shapes",
            "  template <typename T> class Circle : public Shape",
            "    explicit Circle(T r) : r_(r)",
            "    T area() const",
            "    T r_",
            "  enum class Kind",
            "  int count(int n)",
            "void shapes::Circle::draw(int scale)",
        ],
    ),
    (
        Language::Csharp,
        include_str!("../fixtures/sample.cs"),
        &[
            "namespace Shop.Orders",
            "  public class Order : IOrder",
            "    public Order(int total)",
            "    public int Total { get { return total; } }",
            "    public void Add(int n)",
            "  public interface IOrder",
            "  public record Line(string Name)",
            "  enum State",
        ],
    ),
    (
        Language::Dart,
        include_str!("../fixtures/sample.dart"),
        &[
            "abstract class Animal",
            "  String speak(int times)",
            "  int get age",
            "enum Color",
            "mixin Flies on Animal",
            "  void fly()",
            "extension More on String",
            "  bool get isBlank",
            "void main()",
        ],
    ),
    (
        Language::Elixir,
        include_str!("../fixtures/sample.ex"),
        &[
            "defmodule Shop.Cart",
            "  def add(items, item)",
            "  defp total(items), do: Enum.sum(items)",
            "  defmacro twice(x)",
        ],
    ),
    (
        Language::Go,
        include_str!("../fixtures/sample.go"),
        &[
            "type Server struct",
            "func (s *Server) Run(ctx context.Context) error",
            "A int",
            "B interface{ Do() }",
            "func main()",
        ],
    ),
    (
        Language::Haskell,
        include_str!("../fixtures/sample.hs"),
        &[
            "data Item = Item",
            "total :: [Item] -> Int",
            "class Show a => Pretty a",
            "instance Pretty Item",
            "main = print (total [])",
        ],
    ),
    (
        Language::Java,
        include_str!("../fixtures/sample.java"),
        &[
            "public class Order extends Base implements Thing",
            "  public Order(int total)",
            "  public int add(int n)",
            "  enum State",
            "  interface Visitor",
            "record Point(int x, int y)",
        ],
    ),
    (
        Language::JavaScript,
        include_str!("../fixtures/sample.js"),
        &[
            "export async function read(path)",
            "const double = (x)",
            "export default class Queue extends Base",
            "  constructor(items)",
            "  put(item)",
            "  static get size()",
            "exports.helper = function (a, b)",
            "const table",
        ],
    ),
    (
        Language::Kotlin,
        include_str!("../fixtures/sample.kt"),
        &[
            "data class Order(val total: Int) : Base()",
            "  fun add(n: Int): Order",
            "  companion object",
            "    fun empty()",
            "interface Visitor",
            "object Registry",
            "fun String.shout(): String",
        ],
    ),
    (
        Language::Lua,
        include_str!("../fixtures/sample.lua"),
        &[
            "function M.add(a, b)",
            "local function helper(x)",
            "M.twice = function(x)",
            "function M:name()",
        ],
    ),
    (
        Language::Php,
        include_str!("../fixtures/sample.php"),
        &[
            "final class Order extends Base implements Thing",
            "  public function add(int $n): int",
            "interface Visitor",
            "trait Loud",
            "  function shout()",
            "enum State: string",
            "function help($a)",
        ],
    ),
    (
        Language::PowerShell,
        include_str!("../fixtures/sample.ps1"),
        &[
            "function Get-Greeting",
            "class Dog",
            "  [void] Bark([int]$times)",
            "enum Color { Red; Green }",
        ],
    ),
    (
        Language::Python,
        include_str!("../fixtures/sample.py"),
        &[
            "def greet(name: str, *, times=1) -> str",
            "class Queue(Base)",
            "  def __init__(self, items)",
            "  def first(self)",
            "  class Empty(Exception)",
            "async def main()",
            "if __name__ == \"__main__\"",
        ],
    ),
    (
        Language::R,
        include_str!("../fixtures/sample.r"),
        &[
            "add <- function(a, b = 2)",
            "setClass(\"Person\", representation(name = \"character\"))",
            "twice = function(x)",
        ],
    ),
    (
        Language::Ruby,
        include_str!("../fixtures/sample.rb"),
        &[
            "module Shop",
            "  class Order < Base",
            "    def initialize(total)",
            "    def add(n)",
            "    def self.empty",
            "    class << self",
            "      def build; end",
            "def helper(x)",
        ],
    ),
    (
        Language::Rust,
        include_str!("../fixtures/sample.rs"),
        &[
            "pub struct Point",
            "impl Point",
            "  pub fn new(x: i32) -> Self",
            "impl fmt::Display for Point",
            "  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result",
            "trait Area",
            "  fn twice(&self) -> f64",
            "enum Kind",
            "macro_rules! twice",
            "async fn run<T>(value: T) -> Result<(), Error> where T: Copy",
            "mod tests",
            "  fn helper() -> u8",
            "  fn points_are_made()",
        ],
    ),
    (
        Language::Scala,
        include_str!("../fixtures/sample.scala"),
        &[
            "case class Order(total: Int) extends Base",
            "  def add(n: Int): Order",
            "object Order",
            "  def empty: Order",
            "trait Visitor",
            "enum Color",
            "def main(args: Array[String]): Unit",
        ],
    ),
    (
        Language::TypeScript,
        include_str!("../fixtures/sample.ts"),
        &[
            "export interface Shape",
            "enum Color",
            "namespace Geometry",
            "  export function area(shape: Shape): number",
            "export class Service<T> implements Shape",
            "  constructor(private readonly http: Http)",
            "  area(): number",
            "  handle = async (event: Event): Promise<void>",
            "export const useThing = (id: Id): Thing",
            "declare module 'foo'",
        ],
    ),
    (
        Language::Tsx,
        include_str!("../fixtures/sample.tsx"),
        &[
            "export function App({ name }: Props)",
            "const Button: React.FC<Props> = ({ label })",
        ],
    ),
];

/// Checks the headings of a text, indented by level.
pub(super) fn check(language: Language, text: &str, expected: &[&str]) {
    let found = outline(text, language);
    let indented = |level: u8| "  ".repeat(usize::from(level) - 1);
    let headings = found.headings.iter();
    let titles: Vec<_> = headings
        .map(|heading| indented(heading.level) + &heading.title)
        .collect();
    assert_eq!(titles, expected, "{}", language.name());
    assert!(
        !found.has_errors && !found.is_unparsed,
        "{}",
        language.name()
    );
}

#[test]
fn definitions_of_every_language_are_headings() {
    for (language, text, expected) in SAMPLES {
        check(language, text, expected);
    }
}

#[test]
fn macros_without_a_semicolon_hide_no_class() {
    let class = |name: &str| {
        format!(
            "/// A {name}.\nstruct {name} : Base\n{{\n    {name}(int n)\n    {{\n        v = n;\n    }};\n\n    COMMON_METHODS\n}};\n\n"
        )
    };
    let text = ["Number", "Text"].map(class).concat();
    let found = outline(&text, Language::Cpp);
    let titles: Vec<_> = found
        .headings
        .iter()
        .map(|heading| &*heading.title)
        .collect();
    let expected = [
        "struct Number : Base",
        "Number(int n)",
        "struct Text : Base",
        "Text(int n)",
    ];
    assert_eq!(titles, expected);
    let second = &found.headings[2];
    assert_eq!(second.span.of(&text), "/// A Text.\nstruct Text : Base");
}

/// Checks the titles of a text in C++.
fn check_titles(text: &str, expected: &[&str]) {
    let found = outline(text, Language::Cpp);
    let headings = found.headings.iter();
    let titles: Vec<_> = headings.map(|heading| &*heading.title).collect();
    assert_eq!(titles, expected);
}

#[test]
fn the_name_of_a_type_may_follow_its_body() {
    check_titles(
        "typedef struct {\n  int b;\n} elk_t;\n\nenum { RED, GREEN } colour;\n\ntypedef union Old {\n  int a;\n} *New;\n\
         \nstruct Point {\n  int x;\n} origin;\n\nenum { ONE = 1 };\n",
        &[
            "typedef struct elk_t",
            "enum colour",
            "typedef union Old New",
            "struct Point",
            "enum { ONE = 1 }",
        ],
    );
}

#[test]
fn macros_before_a_definition_are_a_part_of_it() {
    let text = "int one() { return 1; }\n\n// What is public.\nBEGIN_EXPORT\n\nPRAGMA_GCC(pop_options)\n\n\
                int two() { return 2; }\n";
    check_titles(text, &["int one()", "int two()"]);
    let second = outline(text, Language::Cpp).headings[1].span;
    assert!(
        second
            .of(text)
            .starts_with("// What is public.\nBEGIN_EXPORT\n")
    );
}

#[test]
fn code_between_definitions_is_named_by_a_whole_statement() {
    check_titles(
        "int one() { return 1; }\n\ntemplate <typename Char>\nusing Wide = Pair<Char>;\n\nint two() { return 2; }\n",
        &[
            "int one()",
            "template <typename Char> using Wide = Pair<Char>",
            "int two()",
        ],
    );
}

#[test]
fn a_function_that_a_macro_begins_is_named_by_it() {
    let text = "int one(void) { return 1; }\n\nSYSCALL_DEFINE2(read, unsigned int, fd, char *, buf)\n{\n  return 1;\n}\n\n\
                int two(void) { return 2; }\n";
    for language in [Language::C, Language::Cpp] {
        let found = outline(text, language);
        let headings = found.headings.iter();
        let titles: Vec<_> = headings.map(|heading| &*heading.title).collect();
        let macro_title = "SYSCALL_DEFINE2(read, unsigned int, fd, char *, buf)";
        assert_eq!(titles, ["int one(void)", macro_title, "int two(void)"]);
    }
}

#[test]
fn marks_of_conflicts_are_no_headings() {
    let text =
        "def one():\n    pass\n\n<<<<<<< HEAD\n=======\n>>>>>>> other\n\ndef two():\n    pass\n";
    let found = outline(text, Language::Python);
    let marked = |title: &str| title.contains("HEAD") || title.contains("other");
    assert!(!found.headings.iter().any(|heading| marked(&heading.title)));
}
