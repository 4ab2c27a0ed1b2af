//! The picture in the documentation.

#[path = "../../examples/picture.rs"]
#[expect(dead_code, reason = "the example has a main function")]
mod example;

#[test]
fn the_picture_in_the_documentation_is_what_the_example_draws() {
    let drawn = example::draw().expect("the options are valid");
    let documented = include_str!("../../docs/picture.md");
    assert_eq!(documented, format!("```text\n{drawn}```\n"));
}
