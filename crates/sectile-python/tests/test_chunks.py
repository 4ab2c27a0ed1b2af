"""Chunkers."""

import copy
import pickle
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


def test_texts_that_are_no_unicode_are_refused():
    with pytest.raises(UnicodeEncodeError):
        Chunker("recursive").chunks("\ud800")


def test_other_threads_go_on():
    text = "Words that go on. " * 400_000
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    Chunker("token", size=500).chunks(text)
    took = time.perf_counter() - begin
    done.set()
    thread.join()
    gaps = [later - earlier for earlier, later in zip(ticks, ticks[1:])]
    assert max(gaps) < took / 2


def test_errors_can_be_pickled():
    error = sectile.Error("what", True)
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (str(same), same.is_retryable, same.kind) == ("what", True, "Other")
    with pytest.raises(InvalidArgumentError) as raised:
        Chunker(size=5, overlap=5)
    for same in (pickle.loads(pickle.dumps(raised.value)), copy.copy(raised.value)):
        assert (same.argument, same.reason, str(same)) == (raised.value.argument, raised.value.reason, str(raised.value))
        assert same.argument and same.reason
