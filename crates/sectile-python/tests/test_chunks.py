"""Chunkers."""

import copy
import functools
import importlib
import pickle
import sys
import threading
import time

import pytest

import sectile
from sectile import Chunker, count_tokens
from sectile.errors import InvalidArgumentError

STRATEGIES = ["recursive", "markdown", "sentence", "token", "sections"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_places_are_true(texts, strategy):
    chunker = Chunker(strategy, size=300)
    for text in texts[:40]:
        lines = text.split("\n")
        for chunk in chunker.chunks(text):
            assert text[chunk.start:chunk.end] == text.encode()[chunk.start_byte:chunk.end_byte].decode()
            if strategy != "markdown":
                assert chunk.text == text[chunk.start:chunk.end]
            assert 1 <= chunk.first_line <= chunk.last_line <= len(lines)


def test_an_overlap_of_a_whole_chunk_is_made_smaller_with_a_warning():
    with pytest.warns(UserWarning, match="an overlap of 9 does not fit into chunks of 5; using 4"):
        Chunker("recursive", size=5, overlap=9, unit="chars")


def test_headings_are_told():
    chunks = Chunker("markdown", size=30, overlap=0, unit="chars").chunks("# A\n\nOne.\n\n## B\n\nTwo words here.\n")
    assert chunks[-1].headings == ("A", "B")
    assert str(chunks[-1]) == chunks[-1].text
    assert "headings" not in repr(chunks[-1])


def test_one_heading_is_told_as_several_are():
    for text in ["# Guide\n\nRead me first.\n", "Guide\n=====\n\nRead me first.\n"]:
        assert [chunk.headings for chunk in Chunker().chunks(text)] == [("Guide",)]


def test_tokens_are_those_of_gpt():
    assert count_tokens("hello world", "cl100k_base") == 2
    assert count_tokens("") == 0


@pytest.mark.parametrize("wrong", [{"strategy": "no"}, {"size": 0}, {"unit": "words"}, {"strategy": "sections", "overlap": 3}])
def test_settings_that_cannot_be(wrong):
    with pytest.raises(ValueError):
        Chunker(**wrong)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_size_that_cannot_be_is_named_as_it_is_written(strategy):
    with pytest.raises(InvalidArgumentError, match="size must be at least 1, not 0") as refused:
        Chunker(strategy, size=0)
    assert refused.value.argument == "size"


OPTIONS = [
    ("recursive", {"separators": ["|"]}, "one two|three four"),
    ("recursive", {"language": "python"}, "x\ny\ndef f():\n  p"),
    ("recursive", {"keep_separator": "none"}, "one  two  three  four"),
    ("recursive", {"trim": False}, "one two three four"),
    ("sentence", {"long_sentences": "keep"}, "One two three four."),
    ("markdown", {"merge_below": 30, "size": 60}, "# A\n\nOne.\n\n## B\n\nTwo.\n\n## C\n\nThree.\n"),
    ("markdown", {"heading_path_in_text": True, "size": 60}, "# A\n\nOne.\n\n## B\n\nTwo.\n"),
]


@pytest.mark.parametrize("strategy, options, text", OPTIONS)
def test_each_option_is_of_one_strategy(tmp_path, strategy, options, text):
    settings = {"size": 12, "overlap": 0, "unit": "chars"}
    usual = Chunker(strategy, **settings | {name: options[name] for name in options if name == "size"})
    chunker = Chunker(strategy, **settings | options)
    texts = [chunk.text for chunk in chunker.chunks(text)]
    assert texts != [chunk.text for chunk in usual.chunks(text)]
    for same in (copy.copy(chunker), pickle.loads(pickle.dumps(chunker))):
        assert [chunk.text for chunk in same.chunks(text)] == texts
    for other in set(STRATEGIES) - {strategy}:
        name, value = next(iter(options.items()))
        with pytest.raises(InvalidArgumentError, match=f"{strategy}, not of {other}") as refused:
            Chunker(other, **{name: value})
        assert refused.value.argument == name
    with pytest.raises(ValueError, match="a library cuts"):
        sectile.Library(f"sqlite:{tmp_path}/store.db", chunker=chunker)


@pytest.mark.parametrize(
    "wrong",
    [
        {"language": "cobra"},
        {"keep_separator": "middle"},
        {"language": "c", "separators": ["|"]},
        {"strategy": "sentence", "long_sentences": "drop"},
        {"strategy": "markdown", "merge_below": -1},
    ],
)
def test_options_that_cannot_be(wrong):
    with pytest.raises(ValueError):
        Chunker(**{"strategy": "recursive"} | wrong)


@pytest.mark.parametrize("name", ["size", "overlap"])
@pytest.mark.parametrize("number", [-1, 2**80])
def test_numbers_that_cannot_be_are_wrong_values(name, number):
    with pytest.raises(ValueError, match=str(number)):
        Chunker(**{name: number})
    with pytest.raises(TypeError):
        Chunker(**{name: "1"})


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("unit", ["o200k_base", "cl100k_base", "heuristic", "chars"])
def test_tokens_are_those_of_the_text(texts, strategy, unit):
    for text in texts[:20]:
        for chunk in Chunker(strategy, size=60, unit=unit).chunks(text):
            assert chunk.tokens == (None if unit == "chars" else count_tokens(chunk.text, unit))


def test_the_name_says_what_a_text_is():
    code = "# Load the file. Then read it.\nx = 1\n\n# Go on.\ny = 2\n"
    assert {chunk.headings for chunk in Chunker().chunks(code)} == {("Load the file. Then read it.",), ("Go on.",)}
    for strategy, overlap in (("markdown", 0), ("sentence", 0), ("sections", None)):
        chunker = Chunker(strategy, size=50, overlap=overlap, unit="chars")
        chunks = chunker.chunks(code, name="folder/a.py")
        assert [chunk.text for chunk in chunks] == [code[:38], code[38:]]
        assert all("Go on." not in chunk.headings for chunk in chunks)
        assert len(chunker.batch([code], name="a.py")) == 2
    definitions = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n"
    found = Chunker(size=40, overlap=0, unit="chars").chunks(definitions, name="a.py")
    assert [chunk.headings[-1][:7] for chunk in found] == ["def add", "def sub"]
    markup = "Guide\n=====\n\nRead it.\n\nUse\n***\n\nCall it.\n"
    assert [chunk.headings for chunk in Chunker().chunks(markup, name="a.rst")] == [("Guide",), ("Guide", "Use")]
    # Of these Sectile makes Markdown.
    for name in ("a.pdf", "https://example.org/", "https://example.org/?a.py", "a.docx", "A.MD", "id-7", "v1.2"):
        assert [chunk.headings for chunk in Chunker("sections").chunks("# A\n\nB.\n", name=name)] == [("A",)]
    for name in ("a.sh", "https://example.org/a.sh", "https://example.org/a.sh?raw#top"):
        assert [chunk.headings for chunk in Chunker().chunks("# A\n\nb\n", name=name)] == [()]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_chunks_say_what_they_are_asked_and_hold_no_text_of_their_own(strategy):
    text = "# Whales\n\n" + "".join(f"## Song {at}\n\nIt has no words, but a tune that is long. 漢字.\n\n" for at in range(900))
    before = sys.getrefcount(text)
    chunks = Chunker(strategy, size=100, unit="chars", **({} if strategy == "sections" else {"overlap": 0})).chunks(text)
    assert len(chunks) > 500
    # Each holds the whole text, which is there once, and makes what it says from it.
    assert sys.getrefcount(text) - before == len(chunks)
    assert chunks[5].text == chunks[5].text and chunks[5].text is not chunks[5].text
    del chunks
    assert sys.getrefcount(text) == before


def test_threads_share_chunkers_and_chunks():
    """Also where Python has no lock: what they say is the same in each."""
    text = "# Guide\n\n漢字 here.\n\n## Install\n\n" + "Run the installer. Then restart it.\n\n" * 300
    chunkers = [Chunker(strategy, size=60) for strategy in STRATEGIES]
    said = lambda chunk: (chunk.text, chunk.start, chunk.end_byte, chunk.last_line, chunk.tokens, chunk.headings)  # noqa: E731
    shared = [chunker.chunks(text) for chunker in chunkers]
    expected = [[said(chunk) for chunk in chunks] for chunks in shared]
    found, start = [], threading.Barrier(4)

    def work():
        start.wait()
        for _ in range(5):
            found.append([[said(chunk) for chunk in chunker.chunks(text)] for chunker in chunkers])
            found.append([[said(chunk) for chunk in chunks] for chunks in shared])
            found.append([[*map(str, chunker.chunks(text))] for chunker in chunkers])
            assert all(len(chunker.batch([text] * 3)) == 3 * len(chunks) for chunker, chunks in zip(chunkers, shared))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 60
    texts = [[one[0] for one in chunks] for chunks in expected]
    assert all(one in (expected, texts) for one in found)


def test_chunkers_and_chunks_can_be_copied_and_pickled():
    text = "# Guide\n\n漢字 here.\n\n## Install\n\n" + "Run the installer. " * 200
    copies = [copy.copy, copy.deepcopy]
    copies += [lambda one, at=at: pickle.loads(pickle.dumps(one, at)) for at in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    fields = ["text", "index", "start", "end", "start_byte", "end_byte", "first_line", "last_line", "tokens", "headings"]
    for chunker in (Chunker(), Chunker("sentence", size=40, overlap=3, unit="heuristic"), Chunker("recursive", size=50)):
        chunks = chunker.chunks(text)
        said = [[getattr(chunk, name) for name in fields] for chunk in chunks]
        for same in copies:
            assert repr(same(chunker)) == repr(chunker)
            assert [[getattr(chunk, name) for name in fields] for chunk in same(chunker).chunks(text)] == said
            assert [[getattr(chunk, name) for name in fields] for chunk in map(same, chunks)] == said
    assert len(pickle.dumps(Chunker("recursive", size=50).chunks(text)[-1])) < 500


def test_texts_that_are_no_unicode_are_refused():
    with pytest.raises(UnicodeEncodeError):
        Chunker("recursive").chunks("\ud800")


def library_with_text(tmp_path):
    (tmp_path / "guide.md").write_text("# Guide\n\nRun the installer.\n" * 2_000)
    library = sectile.Library(f"sqlite:{tmp_path}/store.db")
    library.ingest(tmp_path / "guide.md")
    return library


def splitter(name, *given, **options):
    return getattr(importlib.import_module("sectile.langchain"), name)(*given, **options)


WORDS = "Words that go on. " * 200_000
MARKDOWN = "# Whales\n\nThey sing.\n\n## Songs\n\nThey have no words.\n\n" * 20_000
PAGE = "<h1>Whales</h1><p>They sing.</p><h2>Songs</h2><p>They have no words.</p>" * 5_000

# What makes each piece of work; it may take a folder.
WORK = {
    "chunks": lambda _: functools.partial(Chunker("token", size=500).chunks, WORDS),
    "batch": lambda _: functools.partial(Chunker("markdown", size=500).batch, [MARKDOWN] * 3),
    "count_tokens": lambda _: functools.partial(count_tokens, WORDS),
    "split_text": lambda _: functools.partial(splitter("RecursiveCharacterTextSplitter").split_text, WORDS),
    "split_text at one separator": lambda _: functools.partial(splitter("CharacterTextSplitter", ".").split_text, WORDS),
    "split_text by tokens": lambda _: functools.partial(splitter("TokenTextSplitter", "cl100k_base").split_text, WORDS),
    "create_documents": lambda _: functools.partial(
        splitter("RecursiveCharacterTextSplitter", add_start_index=True).create_documents, [WORDS]
    ),
    "headings of Markdown": lambda _: functools.partial(
        splitter("MarkdownHeaderTextSplitter", [("#", "One"), ("##", "Two")]).split_text, MARKDOWN
    ),
    "headings of pages": lambda _: functools.partial(
        splitter("HTMLHeaderTextSplitter", [("h1", "One"), ("h2", "Two")]).split_text, PAGE
    ),
    "load": lambda _: functools.partial(sectile.load, "guide.md", data=MARKDOWN.encode()),
    "search": lambda folder: functools.partial(library_with_text(folder).search, "installer"),
    "ingest": lambda folder: functools.partial(library_with_text(folder).ingest, folder / "guide.md"),
}


@pytest.mark.parametrize("what", WORK)
def test_other_threads_go_on(tmp_path, what):
    work = WORK[what](tmp_path)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append("tick")
            time.sleep(0.001)

    def ticks_meanwhile():
        before = len(ticks)
        work()
        return len(ticks) - before

    thread, interval = threading.Thread(target=tick), sys.getswitchinterval()
    # From now on another thread runs only where this one lets it.
    sys.setswitchinterval(3600)
    try:
        thread.start()
        # A busy machine may not run the other thread at the first time.
        assert any(ticks_meanwhile() for _ in range(50))
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join()


def test_errors_can_be_pickled():
    error = sectile.Error("what", True)
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (str(same), same.is_retryable, same.kind) == ("what", True, "Other")
    with pytest.raises(InvalidArgumentError) as raised:
        Chunker(size=5, overlap=5)
    for same in (pickle.loads(pickle.dumps(raised.value)), copy.copy(raised.value)):
        assert (same.argument, same.reason, str(same)) == (raised.value.argument, raised.value.reason, str(raised.value))
        assert same.argument and same.reason
