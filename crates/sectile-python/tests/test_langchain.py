"""LangChain's splitters beside ours, on the same texts."""

import asyncio
import copy
import hashlib
import http.server
import inspect
import json
import os
import pickle
import random
import subprocess
import sys
import textwrap
import threading
import types
from pathlib import Path
from unittest import mock

import pytest

theirs = pytest.importorskip("langchain_text_splitters")
tiktoken = pytest.importorskip("tiktoken")

import sectile.langchain as ours  # noqa: E402
from sectile.langchain import RecursiveCharacterTextSplitter  # noqa: E402


def both(texts, name="RecursiveCharacterTextSplitter", **options):
    """Asserts that the documents are the same, their metadata included."""
    own, other = (getattr(package, name)(**options) for package in (ours, theirs))
    metadatas = [{"source": str(at), "list": [at]} for at, _ in enumerate(texts)]
    assert own.create_documents(texts, metadatas) == other.create_documents(texts, metadatas), options


@pytest.mark.parametrize("keep_separator", [True, False, "start", "end"])
@pytest.mark.parametrize("strip_whitespace", [True, False])
@pytest.mark.parametrize("size, overlap", [(100, 0), (200, 40), (1000, 200), (64, 64)])
def test_chunks_of_documents(texts, size, overlap, keep_separator, strip_whitespace):
    both(
        [text[:60_000] for text in texts],
        chunk_size=size,
        chunk_overlap=overlap,
        keep_separator=keep_separator,
        strip_whitespace=strip_whitespace,
        add_start_index=True,
    )


@pytest.mark.skipif("SECTILE_CORPUS" not in os.environ, reason="the corpus is not at hand")
def test_what_langchain_once_said():
    """Hashes of LangChain's chunks of real documents, which were taken down; ours are the same."""
    folder = Path(os.environ["SECTILE_CORPUS"], "markdown")
    splitters, texts, compared = {}, {}, 0
    for line in (folder / "langchain_recursive.jsonl").read_text().splitlines():
        line = json.loads(line)
        options = {name: value for name, value in line["params"].items() if name not in ("length", "start_index")}
        unit = line["params"].get("length")
        if unit not in (None, *ours.NATIVE):
            continue
        key = json.dumps(line["params"])
        if key not in splitters:
            make = RecursiveCharacterTextSplitter
            splitters[key] = make.from_tiktoken_encoder(unit, **options) if unit else make(**options)
        name = line["doc"]
        if name not in texts:
            texts[name] = (folder / "files" / name).read_bytes().decode()
        chunks = splitters[key].split_text(texts[name])
        assert hashlib.sha256("\0".join(chunks).encode()).hexdigest() == line["sha256"], line
        compared += 1
    assert compared > 4_000


def test_random_texts():
    chance = random.Random(7)
    alphabet = ["a", "b ", " ", "\n", "\n\n", "é", "漢字", "😀", "word ", ". ", ", ", "\t", "\x1c", "\u2028", "-", "xyz" * 5]
    for _ in range(5_000):
        text = "".join(chance.choices(alphabet, k=chance.randint(0, 120)))
        size = chance.randint(1, 60)
        both(
            [text],
            chunk_size=size,
            chunk_overlap=chance.randint(0, size),
            keep_separator=chance.choice([True, False, "start", "end"]),
            strip_whitespace=chance.random() < 0.5,
            add_start_index=chance.random() < 0.5,
            separators=chance.choice([None, ["\n\n", ". ", " ", ""], [" "], ["x", "-"], [""]]),
        )


def test_random_texts_at_one_separator():
    chance = random.Random(8)
    alphabet = ["a", "bc", " ", "\n", "\n\n", "é", "漢", ", ", "1", "22"]
    for _ in range(3_000):
        size = chance.randint(1, 30)
        separator, regex = chance.choice(
            [(" ", False), ("\n\n", False), ("", False), (", ", False), (".", False), (r"\d", True), (r"(?=\d)", True)]
        )
        both(
            ["".join(chance.choices(alphabet, k=chance.randint(0, 80)))],
            "CharacterTextSplitter",
            separator=separator,
            is_separator_regex=regex,
            # LangChain writes the expression into the chunks where it is not kept.
            keep_separator=chance.choice(["start", "end"] if separator == r"\d" else [True, False, "start", "end"]),
            chunk_size=size,
            chunk_overlap=chance.randint(0, size),
            strip_whitespace=chance.random() < 0.5,
            add_start_index=chance.random() < 0.5,
        )


# Expressions that mean something else in Rust's syntax, or look as if they did.
EXPRESSIONS = [
    *[r"\<", r"\>", r"\<\w+\>", r"[\<\>]", "[&&t]", "[a-z&&t]", "[!--a]", "[--/]", "[~~]", "[[a]", "[]a]", "[^]a]"],
    *["[a-]", "[-a]", r"[\]\[]", r"[\b]", r"[\w&&\d]", r"[^\W\d]", r"[\S]", r"[^\s]", r"[\d-]", r"[\x41-\x43]"],
    *[r"\N{FULL STOP}", r"[\N{COMMA}\N{FULL STOP}]", r"\056", r"\0", r"[\56]", r"\u0915", r"\x1c", r"\U0001F600"],
    *[r"\w+", r"\W+", r"\s+", r"\S+", r"\d+", r"\D+", r"\b", r"\B", r"\bof\b", r"\b\w", r"\Bo", r"\w\b"],
    *["{", "}", "{}", "a{,2}", "a{1,}", "a{,}", "a{2}?", "{a}", "{1,2", "x{a,b}", "a*?", "a??", "a+?"],
    *["a$", "$", "$$", r"\Z", r"\A.", "(?m:$)", "(?m:a$)", "(?m:^)", "^", "(?:a|b$)", "(?s:.b)", "(?i:A)", "(?i:A)b", "(?u:a)"],
    *["(?#what)a", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)b", "(?-i:a)", "a|", "#", "a#b", "&", "~", " ", r"\ ", r"\é", r"\#"],
]

TEXTS_OF_SIGNS = [
    "<p>one two</p><p>three of four</p>",
    "a&b t&c d-e [x] ]y[ ~~z~~ !--a/",
    "one. two, three; {a} {} a{1,2} aa aaa {",
    "किताब मेज कुर्सी क्\u200dष",
    "x²½ a‿b ①Ⓐ _a_ é́a",
    "a\x1cb\x1d\x1ec\x1f d\x85e\x08\x00",
    "a\nb a\n",
    "b a",
    "",
    "A a#b 😀 12-34",
]


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_mean_what_they_mean_in_python(expression):
    for keep in (True, "end"):
        for name, separator in (("CharacterTextSplitter", "separator"), ("RecursiveCharacterTextSplitter", "separators")):
            given = {separator: [expression, ""] if separator == "separators" else expression}
            options = dict(is_separator_regex=True, keep_separator=keep, chunk_overlap=0)
            both(TEXTS_OF_SIGNS, name, chunk_size=3, **given, **options)
            for text in TEXTS_OF_SIGNS:
                both([text], name, chunk_size=3, **given, **options)


@pytest.mark.parametrize("expression, reason", [("(?x) a", "verbose"), ("(?a)\\w", "ASCII"), ("(", "missing"), (r"\p{L}", "bad escape")])
def test_expressions_that_are_not_understood_are_refused(expression, reason):
    for make in (ours.CharacterTextSplitter, lambda separator, **more: RecursiveCharacterTextSplitter([separator], **more)):
        with pytest.raises(ValueError, match=reason):
            make(separator=expression, is_separator_regex=True)


@pytest.mark.parametrize("options", [{}, {"keep_separator": "start"}, {"length_function": lambda text: len(text) / 2}])
def test_chunks_that_are_too_long_are_logged(options, caplog):
    text, logged = "a,bcdef,g, hijk ,l,mnopqr" * 3, []
    for package in (theirs, ours):
        for name, given in (("CharacterTextSplitter", {"separator": ","}), ("RecursiveCharacterTextSplitter", {})):
            splitter = getattr(package, name)(chunk_size=2, chunk_overlap=0, **given, **options)
            caplog.clear()
            splitter.split_text(text)
            splitter.create_documents([text, text])
            logged.append([(record.name, record.levelname, record.getMessage()) for record in caplog.records])
    assert logged[:2] == logged[2:] and logged[0] and not logged[1]


def test_markdown_separators(texts):
    both([text[:40_000] for text in texts], "MarkdownTextSplitter", chunk_size=300, chunk_overlap=30)


LEVELS = [("#", "One"), ("##", "Two"), ("###", "Three"), ("**", "Bold")]


def headings(**options):
    return ours.MarkdownHeaderTextSplitter(**options), theirs.MarkdownHeaderTextSplitter(**options)


@pytest.mark.parametrize("return_each_line", [True, False])
@pytest.mark.parametrize("strip_headers", [True, False])
@pytest.mark.parametrize("patterns", [None, {"**": 2}])
def test_markdown_headings(texts, return_each_line, strip_headers, patterns):
    own, other = headings(
        headers_to_split_on=LEVELS,
        return_each_line=return_each_line,
        strip_headers=strip_headers,
        custom_header_patterns=patterns,
    )
    chance = random.Random(9)
    lines = ["# A", "## B", "### C", "#", "#D", "**E**", "***F***", "** G", "```", "~~~", "```x``` y", "", "  z\t", "\ufeff#\u200bH", "é\xa0漢\u2028!"]
    made = ["\n".join(chance.choices(lines, k=chance.randint(0, 25))) for _ in range(2_000)]
    for text in [*texts, *made]:
        try:
            expected = other.split_text(text)
        except IndexError:
            continue  # LangChain fails on code that ends with an empty line.
        assert own.split_text(text) == expected, text


@pytest.mark.parametrize("strip_headers", [True, False])
def test_lines_are_joined_as_langchain_joins_them(strip_headers):
    own, other = headings(headers_to_split_on=LEVELS, strip_headers=strip_headers)
    chance = random.Random(5)
    contents = ["# A", "## B", "text", "text\n# C", "# D\ntext", "##"]
    metadata = [{}, {"One": "A"}, {"One": "B"}, {"One": "A", "Two": "B"}, {"Two": "B"}]
    for _ in range(2_000):
        lines = [{"content": chance.choice(contents), "metadata": chance.choice(metadata)} for _ in range(chance.randint(0, 9))]
        found = own.aggregate_lines_to_chunks(copy.deepcopy(lines))
        assert found == other.aggregate_lines_to_chunks(copy.deepcopy(lines)), lines
    # LangChain fails on a part that ends with an empty line.
    lines = [{"content": "a\n", "metadata": {}}, {"content": "b", "metadata": {"One": "A"}}]
    assert [part.page_content for part in own.aggregate_lines_to_chunks(lines)] == ["a\n", "b"]


@pytest.fixture
def site():
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            page = "<h1>Über</h1><p>Café.</p>".encode()
            self.send_response(200 if self.path == "/page" else 404)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_pages_are_fetched_as_langchain_fetches_them(site, monkeypatch):
    transport = pytest.importorskip("langchain_core._security._transport")
    httpx = pytest.importorskip("httpx")

    def fetched(path):
        for package in (ours, theirs):
            splitter = package.HTMLHeaderTextSplitter([("h1", "title")])
            try:
                yield splitter.split_text_from_url(site + path, timeout=30)
            except Exception as error:
                yield type(error), str(error)

    # LangChain asks no server on this machine.
    own, other = fetched("/page")
    assert own == other and isinstance(own, tuple)
    monkeypatch.setattr(transport, "ssrf_safe_client", lambda: httpx.Client(trust_env=False))
    own, other = fetched("/page")
    assert own == other
    assert (own[-1].page_content, own[-1].metadata) == ("Café.", {"title": "Über"})
    own, other = fetched("/missing")
    assert own == other and own[0] is httpx.HTTPStatusError


def test_headings_of_pages():
    page = "<body><h1>A</h1><p>Read <b>this</b> first.</p><h2>B</h2><div>x<p>y</p></div><h1>C</h1><p>z</p></body>"
    options = {"headers_to_split_on": [("h1", "One"), ("h2", "Two")]}
    for each in (True, False):
        own = ours.HTMLHeaderTextSplitter(**options, return_each_element=each)
        other = theirs.HTMLHeaderTextSplitter(**options, return_each_element=each)
        assert own.split_text(page) == other.split_text(page)
    right = ours.HTMLHeaderTextSplitter(**options, in_reading_order=True)
    assert right.split_text(page)[1].page_content == "Read this first."


@pytest.mark.parametrize("names", [[None, "Two"], ["Same", "Same"], ["z", "a"], [1, ("t",)]])
def test_headings_of_pages_may_have_any_names(names):
    page = "<body><h1>A</h1><p>one</p><h2>B</h2><template><p>two</p></template><h1>C</h1><p>z</p></body>"
    headers = list(zip(["h1", "h2"], names))
    own, other = (package.HTMLHeaderTextSplitter(headers).split_text(page) for package in (ours, theirs))
    assert [(part.page_content, part.metadata) for part in own] == [(part.page_content, part.metadata) for part in other]


@pytest.mark.parametrize("names", [[1, ("b",)], ["x", "x"], [None, 2.5], [1, True]])
@pytest.mark.parametrize("options", [{}, {"strip_headers": False}, {"return_each_line": True}])
def test_headings_of_markdown_may_have_any_names(names, options):
    text = "# A\n\none\n\n## B\n\ntwo\n\n# C\n\nthree\n"
    own, other = (package(list(zip(["#", "##"], names)), **options) for package in HEADER_SPLITTERS)
    assert own.split_text(text) == other.split_text(text)


HEADER_SPLITTERS = ours.MarkdownHeaderTextSplitter, theirs.MarkdownHeaderTextSplitter


def test_a_page_has_six_levels():
    with pytest.raises(ValueError, match="levels from 1 to 6, not 7"):
        ours.HTMLHeaderTextSplitter([("h7", "Seven")]).split_text("<h1>A</h1>")


def test_windows_of_tokens():
    text = "Windows of tokens, with 漢字 and 😀 in them. " * 9
    options = {"chunk_size": 7, "chunk_overlap": 2}
    whole = ours.TokenTextSplitter("gpt2", **options, whole_characters=True, add_start_index=True, exact_start_index=True)
    for document in whole.create_documents([text]):
        assert text.startswith(document.page_content, document.metadata["start_index"])
    split = ours.TokenTextSplitter("cl100k_base", chunk_size=1, chunk_overlap=0).split_text("a😀")
    assert split[0] == "a" and "\ufffd" in split[1]
    with pytest.raises(ValueError):
        ours.TokenTextSplitter(chunk_size=7, chunk_overlap=7)


def test_a_subclass_may_split_in_its_own_way():
    class Shouting(RecursiveCharacterTextSplitter):
        def split_text(self, text):
            return [chunk.upper() for chunk in super().split_text(text)]

    assert Shouting(chunk_size=9, chunk_overlap=0).create_documents(["a b"])[0].page_content == "A B"


MAKERS = {
    "CharacterTextSplitter": {"separator": " "},
    "RecursiveCharacterTextSplitter": {},
    "MarkdownTextSplitter": {},
    "TokenTextSplitter": {"encoding_name": "cl100k_base"},
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_method_that_is_set_or_patched_is_called(name):
    # LangChain's windows of tokens need the files of tiktoken.
    for package in [ours] if name == "TokenTextSplitter" else [theirs, ours]:
        given = getattr(package, name)
        make = lambda: given(chunk_size=4, chunk_overlap=0, **MAKERS[name])  # noqa: B023, E731
        documents = [package.Document(page_content="one two")] if hasattr(package, "Document") else None
        texts_of = lambda splitter: [made.page_content for made in splitter.create_documents(["one two"])]  # noqa: E731
        splitter = make()
        splitter.split_text = lambda text: [text.upper()]
        assert texts_of(splitter) == ["ONE TWO"]
        if documents:
            assert [made.page_content for made in splitter.split_documents(documents)] == ["ONE TWO"]
        with mock.patch.object(given, "split_text", return_value=["mock"]) as split:
            assert texts_of(make()) == ["mock"]
            split.assert_called_once_with("one two")
        assert texts_of(make()) != ["mock"]


@pytest.mark.parametrize("hook", ["_merge_splits", "_join_docs"])
@pytest.mark.parametrize("name", ["CharacterTextSplitter", "RecursiveCharacterTextSplitter"])
def test_what_merges_may_be_set_or_patched(name, hook):
    answer = ["merged"] if hook == "_merge_splits" else "merged"
    found = []
    for package in (theirs, ours):
        splitter = getattr(package, name)(chunk_size=100, chunk_overlap=0)
        setattr(splitter, hook, lambda *_: answer)
        found.append((splitter.split_text("one two"), splitter.create_documents(["one two"])[0].page_content))
        with mock.patch.object(theirs.TextSplitter, hook, return_value=answer):
            splitter = getattr(package, name)(chunk_size=100, chunk_overlap=0)
            found[-1] += (splitter.split_text("one two"), splitter.create_documents(["one two"])[0].page_content)
    assert found[0] == found[1] == (["merged"], "merged") * 2


def test_splitters_are_copied_and_changed():
    splitters = [
        RecursiveCharacterTextSplitter(chunk_size=9, chunk_overlap=0),
        ours.CharacterTextSplitter(" ", chunk_size=9, chunk_overlap=0),
        ours.TokenTextSplitter(chunk_size=3, chunk_overlap=0),
        ours.MarkdownHeaderTextSplitter(LEVELS),
    ]
    text = "one two three four"
    for splitter in splitters:
        for same in (copy.deepcopy(splitter), pickle.loads(pickle.dumps(splitter))):
            assert same.split_text(text) == splitter.split_text(text)
    splitters[0]._chunk_size = 4
    assert splitters[0].split_text(text) == RecursiveCharacterTextSplitter(chunk_size=4, chunk_overlap=0).split_text(text)
    assert RecursiveCharacterTextSplitter.from_tiktoken_encoder()._length_function(text) == 4


def test_metadata_is_not_shared():
    metadata = {"list": [1], "text": "x"}
    for given in (metadata, {"text": "x"}):
        first, second = RecursiveCharacterTextSplitter(chunk_size=4, chunk_overlap=0).create_documents(["one two"], [given])
        first.metadata["text"] = "y"
        first.metadata.setdefault("list", []).append(2)
        assert second.metadata == given
    assert metadata == {"list": [1], "text": "x"}


@pytest.mark.parametrize("language", [language for language in theirs.Language if language.value != "perl"])
def test_languages(texts, language):
    own = RecursiveCharacterTextSplitter.from_language(language, chunk_size=300, chunk_overlap=30)
    try:
        other = theirs.RecursiveCharacterTextSplitter.from_language(language, chunk_size=300, chunk_overlap=30)
    except ValueError:
        pytest.skip("LangChain refuses it")
    for text in texts[:20]:
        assert own.split_text(text[:20_000]) == other.split_text(text[:20_000])


ENCODINGS = ["cl100k_base", "o200k_base", "gpt2"]


def need_vocabulary(encoding):
    """Skips a test of an encoding that tiktoken cannot fetch; what LlamaIndex carries it need not fetch."""
    try:
        tiktoken.get_encoding(encoding)
    except Exception:
        if encoding != "gpt2":
            raise
        pytest.skip("tiktoken cannot fetch its vocabulary")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_tokens(texts, encoding):
    need_vocabulary(encoding)
    options = {"chunk_size": 200, "chunk_overlap": 20}
    own = RecursiveCharacterTextSplitter.from_tiktoken_encoder(encoding, **options)
    other = theirs.RecursiveCharacterTextSplitter.from_tiktoken_encoder(encoding, **options)
    for text in texts[:20]:
        assert own.split_text(text[:20_000]) == other.split_text(text[:20_000])
        both([text[:20_000]], "TokenTextSplitter", encoding_name=encoding, **options)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_random_texts_by_tokens(encoding):
    need_vocabulary(encoding)
    chance = random.Random(11)
    alphabet = ["a", "b ", " ", "\n", "\n\n", "é", "漢字", "😀", "word ", ". ", "don't", "\t", "\x1c", "1234", "-", "xyz" * 5]
    for _ in range(1_000):
        text = "".join(chance.choices(alphabet, k=chance.randint(0, 80)))
        size = chance.randint(2, 30)
        options = {"chunk_size": size, "chunk_overlap": chance.randint(0, size - 1)}
        options |= {"strip_whitespace": chance.random() < 0.5, "add_start_index": chance.random() < 0.5}
        both([text], "TokenTextSplitter", encoding_name=encoding, **options)
        made = []
        for package in (ours, theirs):
            splitter = package.RecursiveCharacterTextSplitter.from_tiktoken_encoder(encoding, **options)
            made.append(splitter.create_documents([text], [{"source": 1}]))
        assert made[0] == made[1], (text, options)


@pytest.mark.parametrize("overlap", [0, 3, 12])
@pytest.mark.parametrize("size", [12, 40])
def test_places_are_those_of_langchain_whatever_is_counted(size, overlap):
    """Also where LangChain finds another place, or none."""
    texts = ["one two  three\n\nfour é漢字😀 five. " * 9, "ab ab ab ab abc ab  ab\n" * 12, "a" * 99, "", "漢漢 漢" * 30]
    for keep_separator in (True, False, "end"):
        for length in (len, lambda text: (len(text) + 3) // 4):
            both(
                texts,
                chunk_size=size,
                chunk_overlap=overlap,
                keep_separator=keep_separator,
                length_function=length,
                add_start_index=True,
            )


def test_metadata_is_copied_as_langchain_does():
    class Counted:
        copies = 0

        def __deepcopy__(self, memo):
            Counted.copies += 1
            return self

    for package in (ours, theirs):
        splitter = package.RecursiveCharacterTextSplitter(chunk_size=3, chunk_overlap=0)
        shared, Counted.copies = Counted(), 0
        made = splitter.create_documents(["ab cd ef"], [{"value": shared, ("a", 1): [1]}])
        assert [document.metadata for document in made] == [{"value": shared, ("a", 1): [1]}] * 3
        assert Counted.copies == 3


def test_a_length_function_is_called():
    def words(text):
        return len(text.split())

    both(["one two three four five six " * 9], chunk_size=4, chunk_overlap=1, length_function=words)


@pytest.mark.parametrize("keep_separator", [True, False, "end"])
def test_what_a_length_function_counts_of_no_text_stands_between_pieces(texts, keep_separator):
    def with_marks(text):
        return len(text.split()) + 2

    for size, overlap in ((20, 0), (60, 15)):
        sizes = dict(chunk_size=size, chunk_overlap=overlap, keep_separator=keep_separator, length_function=with_marks)
        both([text[:3_000] for text in texts[:30]], add_start_index=True, **sizes)
        both([text[:3_000] for text in texts[:30]], "CharacterTextSplitter", separator=" ", **sizes)
        both([text[:300] for text in texts[:30]], "CharacterTextSplitter", separator="", **sizes)


def test_what_a_length_function_raises_is_raised():
    def fails(text):
        raise LookupError(text)

    splitter = RecursiveCharacterTextSplitter(chunk_size=4, chunk_overlap=0, length_function=fails)
    with pytest.raises(LookupError):
        splitter.split_text("one two three")


def test_exact_places():
    text = "same words. " * 40
    options = {"chunk_size": 30, "chunk_overlap": 10, "add_start_index": True}
    exact = RecursiveCharacterTextSplitter(**options, exact_start_index=True)
    places = [document.metadata["start_index"] for document in exact.create_documents([text])]
    assert places == sorted(set(places))
    for document, place in zip(exact.create_documents([text]), places):
        assert text[place:].startswith(document.page_content)


@pytest.mark.parametrize("size, overlap", [(0, 0), (-1, 0), (5, 6), (5, -1)])
def test_sizes_that_cannot_be(size, overlap):
    with pytest.raises(ValueError):
        RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap)


@pytest.mark.parametrize("name", [name for name in ours.__all__ if isinstance(getattr(theirs, name, None), type)])
def test_all_arguments_of_langchain_are_there_in_their_order(name):
    own, other = getattr(ours, name), getattr(theirs, name)

    def given(function):
        parameters = inspect.signature(function).parameters.values()
        return [(one.name, one.kind, one.default) for one in parameters if one.kind != inspect.Parameter.VAR_KEYWORD]

    methods = {method for method, value in inspect.getmembers(other, callable) if not method.startswith("_")}
    assert [method for method in methods if not hasattr(own, method)] == []
    for method in ("__init__", *(methods & {method for method in dir(own)})):
        wanted, found = given(getattr(other, method)), given(getattr(own, method))
        assert found[: len(wanted)] == wanted, method
        # What is ours has defaults.
        assert all(default is not inspect.Parameter.empty for _, _, default in found[len(wanted) :])


@pytest.mark.parametrize("name", ["CharacterTextSplitter", "RecursiveCharacterTextSplitter", "MarkdownTextSplitter"])
def test_arguments_are_taken_as_langchain_takes_them(name):
    """Those of the base class as well, and those that it refuses."""
    texts = ["one two\n\nthree. four " * 9]
    base = {"chunk_size": 12, "chunk_overlap": 3, "length_function": len, "keep_separator": "end"}
    both(texts, name, **base, add_start_index=True, strip_whitespace=False)
    for package in (ours, theirs):
        for wrong in ({"no_such": 1}, {"chunk_size": 0}, {"chunk_overlap": 5000}, {"chunk_overlap": -1}):
            with pytest.raises((TypeError, ValueError)):
                getattr(package, name)(**wrong)


@pytest.mark.parametrize("name", ["CharacterTextSplitter", "RecursiveCharacterTextSplitter", "MarkdownTextSplitter", "TokenTextSplitter"])
def test_documents_are_transformed_and_awaited(name):
    documents = [ours.Document(page_content=TEXT, metadata={"at": at, "list": [at]}) for at in range(3)]
    made = []
    for package in (ours, theirs):
        given = {"CharacterTextSplitter": {"separator": " "}, "TokenTextSplitter": {"encoding_name": "cl100k_base"}}
        splitter = getattr(package, name)(chunk_size=30, chunk_overlap=5, add_start_index=True, **given.get(name, {}))
        made.append(splitter.transform_documents(documents))
        made.append(asyncio.run(splitter.atransform_documents(documents)))
        made.append(splitter.split_documents(iter(documents)))
    assert len(made[0]) > 3 and all(one == made[0] for one in made)


def test_an_event_loop_goes_on_while_documents_are_transformed():
    threads = set()

    def length(text):
        threads.add(threading.get_ident())
        return len(text)

    splitter = RecursiveCharacterTextSplitter(chunk_size=30, chunk_overlap=5, length_function=length)
    assert asyncio.run(splitter.atransform_documents([ours.Document(page_content=TEXT)]))
    assert threads and threading.get_ident() not in threads


@pytest.mark.parametrize("name", ["CharacterTextSplitter", "RecursiveCharacterTextSplitter", "MarkdownTextSplitter"])
def test_tokens_of_transformers_are_counted(name, monkeypatch):
    class PreTrainedTokenizerBase:
        def tokenize(self, text):
            return text.split()

    module = types.ModuleType("transformers.tokenization_utils_base")
    module.PreTrainedTokenizerBase = PreTrainedTokenizerBase
    monkeypatch.setitem(sys.modules, "transformers", types.ModuleType("transformers"))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    made = []
    for package in (ours, theirs):
        make = getattr(package, name).from_huggingface_tokenizer
        splitter = make(PreTrainedTokenizerBase(), chunk_size=4, chunk_overlap=1, add_start_index=True)
        made.append(splitter.create_documents(["one two three\n\nfour five six seven eight " * 5]))
        with pytest.raises(ValueError):
            make(object())
    assert made[0] == made[1] and len(made[0]) > 1


def test_it_is_a_splitter_of_langchain():
    splitter = RecursiveCharacterTextSplitter()
    assert isinstance(splitter, theirs.TextSplitter)
    document = splitter.transform_documents(theirs.RecursiveCharacterTextSplitter().create_documents(["a"], [{"b": 1}]))
    assert document[0].metadata == {"b": 1}


TEXT = "one two three four five six seven eight. " * 30


def test_threads_share_a_splitter():
    """A function that lets other threads run, as tokenizers do, in a process that is ended if it hangs."""
    program = textwrap.dedent("""
        import threading, time
        from sectile.langchain import RecursiveCharacterTextSplitter

        def length(text):
            time.sleep(0)
            return len(text)

        splitter = RecursiveCharacterTextSplitter(chunk_size=20, chunk_overlap=0, length_function=length)
        done = []
        def split():
            for _ in range(10):
                done.append(len(splitter.split_text("word " * 60)))
        threads = [threading.Thread(target=split) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert len(done) == 40 and len(set(done)) == 1
    """)
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_a_splitter_that_threads_share_splits_each_text_in_its_own_way():
    class Shared(ours.CharacterTextSplitter):
        """Another thread splits a text with marks whenever this one has made what it splits with."""

        others = []

        @property
        def _made(self):
            return self.__dict__.get("made")

        @_made.setter
        def _made(self, made):
            self.__dict__["made"] = self.others[0] if self.others else made

    options = {"separator": r"\b", "is_separator_regex": True, "keep_separator": True, "chunk_size": 3, "chunk_overlap": 0}
    plain, marked = "one two", "किताब मेज"
    expected = [ours.CharacterTextSplitter(**options).split_text(text) for text in (plain, marked)]
    splitter = Shared(**options)
    for text, other in ((plain, marked), (marked, plain)):
        splitter.others.clear()
        splitter.split_text(other)
        splitter.others.append(splitter._made)
        assert splitter.split_text(text) == expected[text is marked]


def test_a_length_function_may_split_itself():
    def length(text):
        return len(splitter.split_text("a b")) if len(text) > 30 else len(text)

    splitter = RecursiveCharacterTextSplitter(chunk_size=20, chunk_overlap=0, length_function=length)
    text = "x" * 40 + " y"
    assert splitter.split_text(text) == [text]


def test_what_is_raised_is_raised_where_it_was():
    inside = threading.Event()

    def length(text):
        if "BAD" in text:
            inside.set()
            raise LookupError(text)
        return len(text)

    splitter = RecursiveCharacterTextSplitter(chunk_size=20, chunk_overlap=0, length_function=length)
    expected = theirs.RecursiveCharacterTextSplitter(chunk_size=20, chunk_overlap=0).split_text(TEXT)
    raised = []

    def bad():
        try:
            splitter.split_text("BAD " + "word " * 20_000)
        except LookupError as error:
            raised.append(error)

    thread = threading.Thread(target=bad)
    thread.start()
    inside.wait()
    assert splitter.split_text(TEXT) == expected
    thread.join()
    assert len(raised) == 1
    with pytest.raises(LookupError):
        splitter.create_documents([TEXT, "BAD word", TEXT])


def test_lengths_and_sizes_may_be_fractions():
    quarter = lambda text: len(text) / 4  # noqa: E731
    for options in [
        {"chunk_size": 5, "chunk_overlap": 1, "length_function": quarter},
        {"chunk_size": 5.5, "chunk_overlap": 0.75, "length_function": quarter},
        {"chunk_size": 10.5, "chunk_overlap": 2},
        {"chunk_size": 10, "chunk_overlap": 2.5},
        {"chunk_size": 10.0, "chunk_overlap": 2.0},
    ]:
        both([TEXT], **options)
        both([TEXT], "CharacterTextSplitter", separator=" ", **options)
    for wrong in (-1, float("nan"), float("inf"), 1e30):
        splitter = RecursiveCharacterTextSplitter(chunk_size=9, chunk_overlap=0, length_function=lambda _: wrong)
        with pytest.raises(ValueError):
            splitter.split_text(TEXT)


@pytest.mark.parametrize("size", [1_000, 2_000_000, 10**13, float("inf")])
def test_lengths_and_sizes_may_be_large(size):
    """A file without spaces, such as one in base64, is one piece."""
    text = "a\n\n" + "b" * 1_500_000 + "\n\nc"
    for length in (len, lambda text: len(text), lambda text: len(text) * 1_000_000):
        options = {"chunk_size": size, "chunk_overlap": 0, "length_function": length}
        both([text], separators=["\n\n"], **options)
        both([text], "CharacterTextSplitter", separator="\n\n", **options)


@pytest.mark.parametrize("keep_separator", [None, 0, 1, "middle"])
def test_whatever_is_true_keeps_separators(keep_separator):
    both([TEXT], chunk_size=10, chunk_overlap=2, keep_separator=keep_separator, strip_whitespace=None)


@pytest.mark.parametrize("add_start_index", [1, "yes", 0, None])
def test_whatever_is_true_adds_places(add_start_index):
    both([TEXT], chunk_size=10, chunk_overlap=2, add_start_index=add_start_index)
    both([TEXT], "CharacterTextSplitter", separator=" ", chunk_size=10, chunk_overlap=2, add_start_index=add_start_index)


@pytest.mark.parametrize("name", ["RecursiveCharacterTextSplitter", "CharacterTextSplitter", "MarkdownTextSplitter"])
def test_a_subclass_may_merge_in_its_own_way(name):
    def with_hooks(base):
        class Merging(base):
            def _merge_splits(self, splits, separator):
                return [f"<{text}>" for text in super()._merge_splits(splits, separator)]

        class Joining(base):
            def _join_docs(self, docs, separator):
                return "+".join(docs)

        return Merging, Joining

    for own, other in zip(with_hooks(getattr(ours, name)), with_hooks(getattr(theirs, name))):
        options = {"chunk_size": 30, "chunk_overlap": 10}
        assert own(**options).create_documents([TEXT]) == other(**options).create_documents([TEXT])


def test_metadata_may_be_fewer_than_texts_where_the_rest_has_no_chunks():
    for package in (ours, theirs):
        splitter = package.RecursiveCharacterTextSplitter(chunk_size=9, chunk_overlap=0)
        made = splitter.create_documents(["ab", ""], [{"a": 1}])
        assert [(document.page_content, document.metadata) for document in made] == [("ab", {"a": 1})]
        with pytest.raises(IndexError):
            splitter.create_documents(["ab", "c"], [{"a": 1}])


def test_pages_are_read_from_binary_files(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<body><h1>Size</h1><p>Text.</p></body>")
    made = []
    for package in (ours, theirs):
        splitter = package.HTMLHeaderTextSplitter([("h1", "title")])
        made.append(splitter.split_text_from_file(str(page)))
        for mode, encoding in (("r", "utf-8"), ("rb", None)):
            with open(page, mode, encoding=encoding) as file:
                made.append(splitter.split_text_from_file(file))
    assert all(one == made[0] for one in made) and made[0][-1].metadata == {"title": "Size"}


def test_places_of_a_subclass_are_those_of_what_it_makes_or_refused():
    class Shouting(RecursiveCharacterTextSplitter):
        def split_text(self, text):
            return [chunk.upper() for chunk in super().split_text(text)]

    class Whispering(RecursiveCharacterTextSplitter):
        def _split_text(self, text, separators):
            return [chunk.lower() for chunk in super()._split_text(text, separators)]

    class Merging(RecursiveCharacterTextSplitter):
        def _merge_splits(self, splits, separator):
            return super()._merge_splits(list(splits)[::-1], separator)

    for kind in (Shouting, Whispering, Merging, ours.CharacterTextSplitter, ours.TokenTextSplitter):
        options = {"chunk_size": 30, "chunk_overlap": 0}
        without = [document.page_content for document in kind(**options).create_documents([TEXT])]
        exact = kind(**options, exact_start_index=True)
        assert [document.page_content for document in exact.create_documents([TEXT])] == without == exact.split_text(TEXT)
        with_places = kind(**options, exact_start_index=True, add_start_index=True)
        if kind.__module__ == ours.__name__:
            assert [document.page_content for document in with_places.create_documents([TEXT])] == without
        else:
            with pytest.raises(ValueError, match=kind.__name__):
                with_places.create_documents([TEXT])


@pytest.mark.parametrize("name", ["PythonCodeTextSplitter", "LatexTextSplitter"])
def test_separators_of_a_language_as_text(name, texts):
    code = Path(__file__).read_text()
    latex = "\\section{One} text $x$ and\n\\begin{itemize} more \\end{itemize}"
    both([code, latex, *(text[:20_000] for text in texts[:3])], name, chunk_size=60, chunk_overlap=10)


def test_names_of_langchain_are_found_or_their_place_is_named():
    from sectile.langchain import Language, TextSplitter

    assert (Language, TextSplitter) == (theirs.Language, theirs.TextSplitter)
    assert RecursiveCharacterTextSplitter.from_language(Language.PYTHON).split_text("x = 1") == ["x = 1"]
    with pytest.raises(ImportError, match="keep importing it from langchain_text_splitters"):
        from sectile.langchain import NLTKTextSplitter  # noqa: F401
    with pytest.raises(ImportError, match="cannot import name"):
        from sectile.langchain import NoSuchSplitter  # noqa: F401
    assert not hasattr(ours, "NoSuchSplitter")


def test_types_are_known(tmp_path):
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        from sectile import Library
        from sectile.langchain import Language, RecursiveCharacterTextSplitter, TextSplitter, TokenTextSplitter
        splitter: TextSplitter = RecursiveCharacterTextSplitter.from_language(Language.PYTHON)
        reveal_type(RecursiveCharacterTextSplitter.from_tiktoken_encoder("gpt2"))
        reveal_type(TokenTextSplitter.from_tiktoken_encoder("gpt2"))
        reveal_type(Library("sqlite:x.db").search("q").hits)
        """)
    )
    told, _, _ = api.run([str(program), "--no-implicit-reexport", "--cache-dir", str(tmp_path / "cache")])
    assert "explicitly export" not in told
    for name in ("langchain.RecursiveCharacterTextSplitter", "langchain.TokenTextSplitter", "list[sectile._record.Record]"):
        assert name in told, told


def test_all_splitters_work_without_langchain():
    program = textwrap.dedent("""
        import sys
        for name in ("langchain_core", "langchain_text_splitters"):
            sys.modules[name] = None
        from sectile.langchain import CharacterTextSplitter, RecursiveCharacterTextSplitter

        class Words:
            def tokenize(self, text):
                return text.split()

        for kind in (CharacterTextSplitter, RecursiveCharacterTextSplitter):
            splitter = kind.from_huggingface_tokenizer(Words(), chunk_size=2, chunk_overlap=0)
            assert splitter.split_text("one two\\n\\nthree four") == ["one two", "three four"]
            for options in ({"chunk_size": 0}, {"chunk_size": 10, "chunk_overlap": 20}):
                try:
                    kind(**options)
                except ValueError:
                    continue
                raise AssertionError(options)
    """)
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
