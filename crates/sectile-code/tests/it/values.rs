//! Functions that are values, and definitions in texts with errors.

use sectile_code::{Language, outline};

use super::samples::check;

/// Returns the titles of a text with errors, indented by level.
fn titles(language: Language, text: &str) -> Vec<String> {
    let found = outline(text, language);
    assert!(found.has_errors, "{text}");
    let headings = found.headings.iter();
    let indented = |level: u8| "  ".repeat(usize::from(level) - 1);
    headings
        .map(|heading| indented(heading.level) + &heading.title)
        .collect()
}

#[test]
fn functions_in_a_list_of_values_are_those_of_the_list() {
    let text = "const api = {\n  limit: 1,\n  put: function (a) {\n    return a;\n  },\n  post: (a) => {\n    return a;\n  },\n};\n";
    let expected = ["const api", "  put: function (a)", "  post: (a)"];
    check(Language::JavaScript, text, &expected);
    check(Language::TypeScript, text, &expected);
    check(
        Language::JavaScript,
        "// Counts.\nexport const slice = createSlice({\n  reducers: {\n    add(state) {\n    },\n    sub: (state) => {\n    },\n  },\n});\n",
        &[
            "export const slice = createSlice",
            "  reducers",
            "    add(state)",
            "    sub: (state)",
        ],
    );
    check(
        Language::Lua,
        "local M = {\n  a = function(x) return x end,\n  b = function() return 2 end,\n}\nreturn M\n",
        &["local M", "  a = function(x)", "  b = function()"],
    );
    // Values alone are no definitions.
    check(
        Language::JavaScript,
        "function one() {\n}\n\nconst table = { first: 1, second: { third: 2 } };\n",
        &["function one()"],
    );
}

#[test]
fn what_a_module_exports_by_default_is_a_definition() {
    check(
        Language::JavaScript,
        "/** Makes. */\nexport default function () {\n  return 1;\n}\n",
        &["export default function ()"],
    );
    check(
        Language::TypeScript,
        "export default async (request: Request) => {\n  return 1;\n};\n",
        &["export default async (request: Request)"],
    );
    check(
        Language::TypeScript,
        "export default defineComponent({\n  setup() {\n    return 1;\n  },\n  methods: {\n    go() {\n    },\n  },\n});\n",
        &[
            "export default defineComponent",
            "  setup()",
            "  methods",
            "    go()",
        ],
    );
    let text = "/** Makes. */\nexport default function () {\n  return 1;\n}\n";
    let found = outline(text, Language::JavaScript);
    let heading = &found.headings[0];
    assert_eq!(
        heading.span.of(text),
        "/** Makes. */\nexport default function () {"
    );
}

#[test]
fn what_is_declared_together_stands_side_by_side() {
    check(
        Language::TypeScript,
        "declare global {\n  interface One {\n    a: string;\n  }\n  interface Two {\n    b: string;\n  }\n}\n",
        &["interface One", "interface Two"],
    );
}

#[test]
fn classes_that_are_values_are_definitions() {
    check(
        Language::JavaScript,
        "module.exports = class Cart extends Base {\n  add(item) {\n    return 1;\n  }\n};\nconst Other = class {\n  run() {\n  }\n};\n",
        &[
            "module.exports = class Cart extends Base",
            "  add(item)",
            "const Other = class",
            "  run()",
        ],
    );
    check(
        Language::R,
        "library(R6)\n\n#' A cart.\nCart <- R6Class(\"Cart\",\n  public = list(\n    initialize = function(a) {\n      self$a <- a\n    },\n    \
         add = function() {\n      lapply(self$a, FUN = function(x) x)\n    }\n  )\n)\n\nsetMethod(\"show\", \"Item\", function(object) {\n  \
         cat(1)\n})\n\nall <- list(run = function() 1)\n",
        &[
            "Cart <- R6Class(\"Cart\"",
            "  initialize = function(a)",
            "  add = function()",
            "setMethod(\"show\", \"Item\", function(object)",
        ],
    );
}

#[test]
fn a_long_function_of_a_variable_is_one_definition() {
    let body = "  print(1)\n".repeat(45);
    check(
        Language::Lua,
        &format!("local run = function()\n{body}end\n"),
        &["local run = function()"],
    );
}

#[test]
fn clauses_are_those_of_one_function_whatever_stands_in_them() {
    check(
        Language::Elixir,
        "defmodule A do\n  def add(a, b) when a > 0 do\n    a + b\n  end\n\n  def add(a, _) do\n    a\n  end\n\n  def a + b do\n    \
         add(a, b)\n  end\nend\n",
        &["defmodule A", "  def add(a, b) when a > 0", "  def a + b"],
    );
    check(
        Language::Haskell,
        "(+++) :: [a] -> [a] -> [a]\na +++ b = a ++ b\n\nx `plus` y = x\n\ninstance Show A where\n  show _ = \"a\"\n\ninstance Show B \
         where\n  show _ = \"b\"\n",
        &[
            "(+++) :: [a] -> [a] -> [a]",
            "x `plus` y = x",
            "instance Show A",
            "instance Show B",
        ],
    );
}

#[test]
fn functions_that_nothing_ends_hold_none_that_is_indented_as_they_are() {
    let text = "function run() {\n  if (a) {\n}\n\n// Stops.\nfunction stop() {\n  function inner() {\n  }\n}\n";
    let expected = ["function run()", "function stop()"];
    assert_eq!(titles(Language::JavaScript, text), expected);
    let stop = &outline(text, Language::JavaScript).headings[1];
    assert_eq!(stop.span.of(text), "// Stops.\nfunction stop() {");
}

#[test]
fn types_of_flow_are_syntax_of_javascript() {
    let text = "// @flow\ntype Props = {\n  onBlur?: (event: BlurEvent) => void,\n  onFocus?: (event: FocusEvent) => \
                void,\n};\n\n/** Tells when it is pressed. */\nexport default class Press {\n  _config: Props;\n\n  \
                constructor(config: ?Props) {\n    this._config = config;\n  }\n\n  isPressed(signal: TouchSignal): boolean \
                {\n    return signal === 'IN';\n  }\n}\n\nfunction measure(node: ?Node): ?number {\n  return \
                node?.height;\n}\n";
    check(
        Language::JavaScript,
        text,
        &[
            "type Props",
            "export default class Press",
            "  constructor(config: ?Props)",
            "  isPressed(signal: TouchSignal): boolean",
            "function measure(node: ?Node): ?number",
        ],
    );
    // Other errors are no types.
    let broken =
        "function one() {\n  return 1;\n}\n\nconst x = = 2;\n\nfunction two() {\n  return 2;\n}\n";
    let found = titles(Language::JavaScript, broken);
    assert_eq!(found, ["function one()", "function two()"]);
}
