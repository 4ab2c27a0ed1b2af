//! Components of Vue, Svelte and Astro.

use sectile_code::{Language, outline};

use super::samples::check;

const SVELTE: &str = "<script lang=\"ts\" generics=\"T extends Map<A, B>\">
\timport { a } from 'a';

\t/** Adds one. */
\tfunction increment() {
\t\tcount += 1;
\t}
\tconst total = (a) => {
\t\treturn a * 2;
\t};
\texport class Cart {
\t\tput(item) {
\t\t\tthis.items.push(item);
\t\t}
\t}
</script>

<h1>Shopping basket</h1>
<p>The basket holds {count} items.</p>

<style>
\t.a { color: red }
</style>
";

#[test]
fn markup_is_not_a_part_of_the_script_before_it() {
    check(
        Language::Svelte,
        SVELTE,
        &[
            "<script lang=\"ts\" generics=\"T extends Map<A, B>\">",
            "  function increment()",
            "  const total = (a)",
            "  export class Cart",
            "    put(item)",
            "markup",
            "<style>",
        ],
    );
    let found = outline(SVELTE, Language::Svelte).headings;
    let spans: Vec<_> = found
        .iter()
        .map(|heading| heading.span.of(SVELTE))
        .collect();
    assert_eq!(spans[1], "\t/** Adds one. */\n\tfunction increment() {");
    assert_eq!(spans[5], "<h1>Shopping basket</h1>");
}

#[test]
fn parts_of_components_are_headings() {
    let text = "<script setup>\nimport a from 'a'\nexport function add(a) {\n  function inner() {}\n}\nconst cancel = (x) => {\n  \
                return x\n}\n</script>\n\n<template>\n  <template #one>\n    <p>{{ a }}</p>\n  </template>\n  \
                <p>b</p>\n</template>\n";
    let expected = [
        "<script setup>",
        "  export function add(a)",
        "  const cancel = (x)",
        "<template>",
    ];
    check(Language::Vue, text, &expected);
    check(Language::Svelte, text, &expected);
    check(
        Language::Vue,
        "<template>\n  <p/>\n</template>\n\n<script lang=\"ts\">\n// Counts.\nexport default defineComponent({\n  data() {\n    \
         return { a: 1 as number };\n  },\n  methods: {\n    go(): void {\n    },\n  },\n});\n</script>\n\n<style>\n</style>\n",
        &[
            "<template>",
            "<script lang=\"ts\">",
            "  export default defineComponent",
            "    data()",
            "    methods",
            "      go(): void",
            "<style>",
        ],
    );
    let vue = "<template src=\"./a.html\" />\n<!-- Texts. -->\n<i18n>\n{}\n</i18n>\n\n<style scoped>.a {}</style>\n<script\n  \
               lang=\"ts\"\n>\nlet a: A\n</script>\n";
    let expected = [
        "<template src=\"./a.html\" />",
        "<i18n>",
        "<style scoped>",
        "<script lang=\"ts\"",
    ];
    let found = outline(vue, Language::Vue).headings;
    let titles: Vec<_> = found.iter().map(|heading| &*heading.title).collect();
    assert_eq!(titles[..3], expected[..3]);
    assert!(titles[3].starts_with(expected[3]));
    assert_eq!(found[1].span.of(vue), "<!-- Texts. -->\n<i18n>");
}

#[test]
fn the_script_of_an_astro_component_stands_between_fences() {
    let text = "---\nimport A from 'a';\nexport async function paths() {\n  return [];\n}\n---\n<A>\n  \
                <script>\n  </script>\n</A>\n\n<script type=\"application/ld+json\">\n{\"a\": 1}\n</script>\n<p>b</p>\n";
    check(
        Language::Svelte,
        text,
        &[
            "export async function paths()",
            "markup",
            "<script type=\"application/ld+json\">",
            "markup",
        ],
    );
    check(Language::Svelte, "---\nconst a = 1;\n---\n<p>b</p>\n", &[]);
}

#[test]
fn comments_and_damaged_parts_are_read() {
    check(
        Language::Vue,
        "<script>\nconst text = `\nfunction none() {\n`\nfunction kept() {}\n</script>\n<!-- \
         was\n<style>\n-->\n<style>\n</style>\n",
        &["<script>", "  function kept()", "<style>"],
    );
    check(
        Language::Svelte,
        "<style>\n.a {}\n<p>a</p>\n<script>\n",
        &["<style>"],
    );
    for part in [
        "<script \"\n",
        "<a>\n </a>\n",
        "<!-- \n",
        "<style>a</style>",
        "---\n",
    ] {
        for language in [Language::Svelte, Language::Vue] {
            let text = part.repeat(20_000);
            let found = outline(&text, language).headings;
            assert!(found.iter().all(|heading| heading.span.end <= text.len()));
        }
    }
    let many = "<style></style>\n".repeat(20_001);
    assert!(outline(&many, Language::Vue).is_unparsed);
}
