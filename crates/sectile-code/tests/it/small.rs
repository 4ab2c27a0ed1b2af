//! Small definitions: tests, and macros of C.

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
