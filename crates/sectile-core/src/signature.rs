//! The names in the titles of source code.

use crate::Span;

/// Words that say that a type follows, or what is like one.
#[rustfmt::skip]
const TYPES: [&str; 22] = [
    "class", "concept", "contract", "data", "enum", "extension", "fragment", "instance", "interface", "library", "mixin",
    "mod", "module", "namespace", "newtype", "object", "record", "service", "struct", "trait", "type", "union",
];

/// Words that what follows the name of a type begins with.
#[rustfmt::skip]
const BASES: [&str; 17] = [
    "actual", "constructor", "extends", "final", "func", "implements", "interface", "internal", "is", "on", "permits",
    "private", "protected", "struct", "throws", "where", "with",
];

/// Words before parentheses that are not those of parameters.
#[rustfmt::skip]
const BEFORE_OTHERS: [&str; 9] = [
    "__attribute__", "__declspec", "alignas", "decltype", "explicit", "extern", "internal", "pub", "requires",
];

/// Returns the name in the title of a section of source code, without parameters, types and bases:
/// `get_adapter` of `def get_adapter(self, url)`. For a Go method, or an implementation of a trait
/// for a type, it includes all of these names.
///
/// It supports all languages of `sectile-code`, and returns the title if it finds no name.
///
/// ```
/// use sectile_core::definition_name;
///
/// assert_eq!(definition_name("def send(self, request: PreparedRequest) -> Response"), "send");
/// assert_eq!(definition_name("class HTTPBasicAuth(AuthBase)"), "HTTPBasicAuth");
/// assert_eq!(definition_name("impl<T> Display for Matrix<T>"), "Display for Matrix");
/// ```
pub fn definition_name(title: &str) -> &str {
    let found = Names::read(title);
    if let Some(quoted) = found.quoted_name() {
        return quoted.of(title);
    }
    let (Some(first), Some(last)) = (found.first, found.last) else {
        return title;
    };
    Span::new(first.start.min(last.start), last.end).of(title)
}

/// Returns the position of the name in the signature of a definition.
pub fn definition_name_span(signature: &str) -> Option<Span> {
    Names::read(signature).last
}

/// The names in a signature, while it is read.
#[derive(Default)]
struct Names<'a> {
    title: &'a str,
    at: usize,
    /// The first name that counts.
    first: Option<Span>,
    /// The name so far.
    last: Option<Span>,
    /// The strings after the last word, from the first to the last.
    quoted: Option<Span>,
    /// Whether the signature is that of a type.
    is_type: bool,
    /// Whether all names count: of a trait and a type.
    has_several: bool,
}

impl<'a> Names<'a> {
    fn read(title: &'a str) -> Self {
        let mut names = Self {
            title,
            ..Self::default()
        };
        while names.step() {}
        if !names.has_several && names.first.is_none() {
            names.first = names.last;
        }
        names
    }

    /// Returns the names in quotes that end the title, as those of a block of Terraform do.
    fn quoted_name(&self) -> Option<Span> {
        let before = self.last?.of(self.title);
        self.quoted.filter(|_| !BEFORE_OTHERS.contains(&before))
    }

    fn rest(&self) -> &'a str {
        &self.title[self.at..]
    }

    /// Reads a word or a sign, and says whether the name may still follow.
    fn step(&mut self) -> bool {
        let Some(char) = self.rest().chars().next() else {
            return false;
        };
        let length = word_length(self.rest());
        if length > 0 {
            return self.word(length);
        }
        match char {
            '(' => return self.parentheses(),
            '<' | '[' => return self.group_or_sign(char),
            '=' => return self.equals(),
            ':' => return self.colon(),
            '{' | ',' | ';' | '|' => return false,
            '`' if self.rest().starts_with("``") => return self.backticks(),
            '"' => self.skip_string(),
            _ => self.at += char.len_utf8(),
        }
        true
    }

    fn word(&mut self, length: usize) -> bool {
        let span = Span::new(self.at, self.at + length);
        let word = span.of(self.title);
        self.at = span.end;
        self.quoted = None;
        let begins_word = self.rest().starts_with(' ') && word_length(self.rest().trim_start()) > 0;
        if self.is_type && self.last.is_some() && BASES.contains(&word) {
            return false;
        }
        // The parts of a program of COBOL are named before this.
        if self.last.is_some() && matches!(word, "DIVISION" | "SECTION") {
            return false;
        }
        if word == "impl" && self.last.is_none() {
            (self.has_several, self.is_type) = (true, true);
            return true;
        }
        if begins_word && TYPES.contains(&word) {
            self.is_type = true;
            self.has_several |= word == "instance";
            return true;
        }
        // The parameters of a type of Haskell stand behind its name as they are.
        let is_parameter = length == 1 && word.starts_with(char::is_lowercase);
        if self.is_type && is_parameter && self.last.is_some() {
            return true;
        }
        if word.rsplit("::").next() == Some("operator") {
            let signs = self.rest().find([' ', '(']).unwrap_or(self.rest().len());
            self.at += signs;
        }
        self.last = Some(Span::new(span.start, self.at));
        if self.has_several {
            self.first = self.first.or(self.last);
        }
        true
    }

    /// Reads an opening parenthesis: that of the parameters, if nothing tells that it is another one.
    fn parentheses(&mut self) -> bool {
        let before = self.last.map_or("", |last| last.of(self.title));
        if let Some(name) = self.string_in_parentheses()
            && !BEFORE_OTHERS.contains(&before)
        {
            (self.first, self.last) = (Some(name), Some(name));
            return false;
        }
        let Some(end) = group_end(self.rest(), '(', ')') else {
            return false;
        };
        if before == "func" {
            // The type of a method of Go is in its parentheses.
            let receiver = &self.rest()[1..end - 1];
            let name = receiver.split('[').next().unwrap_or_default();
            let start = name.rfind([' ', '*']).map_or(0, |at| at + 1);
            self.first = Some(Span::new(self.at + 1 + start, self.at + 1 + name.len()));
        } else if !BEFORE_OTHERS.contains(&before)
            && self.last.is_some()
            && !is_before_function(&self.rest()[end..])
        {
            return false;
        }
        self.at += end;
        true
    }

    /// Returns the string that is the first argument of a call, which is the name of a test: `it('adds', …`.
    fn string_in_parentheses(&self) -> Option<Span> {
        let inner = self.rest().strip_prefix('(')?;
        let quote = inner.chars().next()?;
        let text = inner.strip_prefix(['"', '\'', '`'])?;
        let start = self.at + 2;
        let name = Span::new(start, start + text.find(quote)?);
        (self.last.is_some() && !name.is_empty()).then_some(name)
    }

    /// Leaves out type parameters and the like, or reads an assignment of R.
    fn group_or_sign(&mut self, open: char) -> bool {
        if open == '<'
            && self.rest().starts_with(['<', '-'])
            && self.rest()[1..].starts_with(['<', '-'])
        {
            return false;
        }
        // A name may be in brackets: `[Symbol.iterator]()`.
        let is_after_word = self.last.is_some_and(|last| last.end == self.at);
        if open == '[' && !is_after_word {
            self.at += 1;
            return true;
        }
        let close = if open == '<' { '>' } else { ']' };
        let end = group_end(self.rest(), open, close);
        self.at += end.unwrap_or_default();
        end.is_some()
    }

    /// Reads an equals sign, which ends all but the context of a class of Haskell.
    fn equals(&mut self) -> bool {
        let is_context = self.is_type && self.rest().starts_with("=>");
        if is_context {
            self.at += 2;
            (self.first, self.last) = (None, None);
        }
        is_context
    }

    /// Reads a colon that is not part of a word: two before a name are a path.
    fn colon(&mut self) -> bool {
        let after = self.rest().strip_prefix("::");
        let is_path = after.is_some_and(|after| !after.is_empty() && !after.starts_with(' '));
        self.at += if is_path { 2 } else { 0 };
        is_path
    }

    /// Reads a name of F#, which may be any text between two backticks on each side.
    fn backticks(&mut self) -> bool {
        let start = self.at + 2;
        let end = self.title[start..].find("``");
        let end = end.map_or(self.title.len(), |length| start + length);
        self.last = Some(Span::new(start, end)).filter(|name| !name.is_empty());
        self.at = end;
        false
    }

    fn skip_string(&mut self) {
        let start = self.at + 1;
        let Some(length) = self.title[start..].find('"') else {
            self.at = self.title.len();
            return;
        };
        let first = self.quoted.map_or(start, |quoted| quoted.start);
        self.quoted = Some(Span::new(first, start + length)).filter(|quoted| !quoted.is_empty());
        self.at = start + length + 1;
    }
}

/// Returns whether the word follows that a function of Fortran begins with, behind the kind of its result:
/// `real(8) function`.
fn is_before_function(rest: &str) -> bool {
    let word = rest.split_whitespace().next();
    word.is_some_and(|word| word.eq_ignore_ascii_case("function")) && rest.starts_with(' ')
}

/// Returns the length of the word that a text begins with, with the names that it is qualified by.
fn word_length(text: &str) -> usize {
    let is_letter = |char: char| char.is_alphanumeric() || char == '_' || char == '$';
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let joint = ["::", ".", ":", "\\", "-", "~", ""]
            .into_iter()
            .find(|joint| rest.starts_with(joint))
            .unwrap_or_default();
        let joint = if end == 0 { "" } else { joint };
        let word = &rest[joint.len()..];
        let length = word.find(|char| !is_letter(char)).unwrap_or(word.len());
        if length == 0 {
            return end;
        }
        end += joint.len() + length;
    }
}

/// Returns where the group ends that a text begins with.
fn group_end(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, char) in text.char_indices() {
        let is_arrow = char == '>' && matches!(before, '-' | '=');
        if char == open {
            depth += 1;
        } else if char == close && !is_arrow {
            depth -= 1;
        }
        if depth == 0 {
            return Some(at + char.len_utf8());
        }
        before = char;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(title: &str, expected: &str) {
        assert_eq!(definition_name(title), expected, "{title}");
    }

    #[test]
    fn functions_are_named_before_their_parameters() {
        check("def __init__(self, name: str = \"a\")", "__init__");
        check(
            "pub(crate) async fn read<'a, T: Into<A>>(&'a self, x: T) -> Vec<T>",
            "read",
        );
        check(
            "public static <T extends Comparable<T>> List<T> sorted(Collection<T> items) throws E",
            "sorted",
        );
        check(
            "template <typename T, int N = f<T>()> constexpr auto make(T x) -> decltype(x)",
            "make",
        );
        check(
            "void shapes::Circle::draw(int scale)",
            "shapes::Circle::draw",
        );
        check("inline ::testing::Matcher<T> Contains(T x)", "Contains");
        check("template <class T> requires(X<T>) void run(T x)", "run");
        check("bool operator==(const A& a, const A& b)", "operator==");
        check("bool A::operator!=(const A& a)", "A::operator!=");
        check(
            "func (s *Server[T]) Run(ctx context.Context) error",
            "Server[T]) Run",
        );
        check("func Map[T any, U any](in []T) []U", "Map");
        check("def self.find(id)", "self.find");
        check("function M:open(path)", "M:open");
        check("function Get-Thing", "Get-Thing");
        check("greet()", "greet");
        check("__attribute__((noreturn)) void fail(int)", "fail");
        check("extern \"C\" fn call(x: u8)", "call");
        check("defp total(items), do: Enum.sum(items)", "total");
        check("[Symbol.iterator]()", "Symbol.iterator");
        check("fun String.isBlank(): Boolean", "String.isBlank");
        check("…insertionsort(Iter begin, Iter end)", "insertionsort");
        check("def type(self)", "type");
        check("struct point *make(int a)", "make");
        check("void on(String name)", "on");
        check("~Circle()", "Circle");
        check("real(8) function area(r) result(a)", "area");
        check("procedure TCart.Add(Item: TItem)", "TCart.Add");
        check("let ``adds (two) items``", "adds (two) items");
        check("proc ::shop::add", "shop::add");
        check("- (void)add:(int)count to:(Cart *)cart", "add");
        check("function automatic logic [7:0] add(input a)", "add");
        check("defn valid?", "valid");
    }

    #[test]
    fn types_are_named_before_their_bases() {
        check("class Cookie(RequestsCookieJar, MutableMapping)", "Cookie");
        check(
            "public abstract class Order<T> extends Base<T> implements Thing",
            "Order",
        );
        check(
            "template <typename T> class API Circle : public Shape",
            "Circle",
        );
        check("enum class Kind", "Kind");
        check("type Server struct{}", "Server");
        check("type Handler func(c *Context)", "Handler");
        check("struct Reader final : public Base", "Reader");
        check(
            "actual class Queue<T> actual constructor(size: Int)",
            "Queue",
        );
        check("class Show a => Pretty a", "Pretty");
        check("data Tree a b = Leaf", "Tree");
        check("data Item = Item", "Item");
        check(
            "impl<T: Copy> From<T> for Matrix<T> where T: X",
            "From<T> for Matrix",
        );
        check("impl Matrix", "Matrix");
        check("record Point(int x, int y)", "Point");
        check("extension More on String", "More");
        check("namespace Shop.Orders", "Shop.Orders");
        check("struct", "struct");
        check("contract Cart is Owned, IShop", "Cart");
        check("service Shop extends Base", "Shop");
        check("@interface Cart : NSObject <Shop>", "Cart");
        check("@implementation Cart (Sums)", "Cart");
        check("module fifo #(parameter N = 1)", "fifo");
        check("TCart = class(TObject)", "TCart");
        check("PROCEDURE DIVISION", "PROCEDURE");
        check("namespace eval shop", "shop");
    }

    #[test]
    fn values_are_named_before_what_they_are() {
        check("const double = (x)", "double");
        check("exports.helper = function (a, b)", "exports.helper");
        check("total :: [Item] -> Int", "total");
        check("pub const LIMIT: u32 = 3", "LIMIT");
        check("public int Total { get { return total; } }", "Total");
        check("area <- function(r)", "area");
        check("resource \"aws_vpc\" \"this\"", "aws_vpc\" \"this");
        check("variable \"region\"", "region");
        check("CREATE TABLE \"Album\"", "Album");
        check("[tool.ruff]", "tool.ruff");
        check("fragment Parts on User", "Parts");
        check("extern \"C\"", "extern");
        check("it('adds an item', async ()", "adds an item");
        check("describe.skip(\"Cart (new)\", function ()", "Cart (new)");
        check("it(`adds`, ()", "adds");
        check("it(\"is open", "it");
        check("int get age", "age");
        check(
            "use std::collections::HashMap;",
            "std::collections::HashMap",
        );
    }

    #[test]
    fn any_text_is_read_in_linear_time() {
        for text in [
            "", "(", "<", "::", "é", "\"", "``", "= (", "func (", "func (]", "operator", "impl",
            "a - b", "a:",
        ] {
            definition_name(text);
            definition_name(&text.repeat(50_000));
        }
        check("(", "(");
    }
}
