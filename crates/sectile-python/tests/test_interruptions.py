"""Calls that Ctrl-C, a fork or the end of the interpreter meets while they work."""

import os
import signal
import subprocess
import sys
import textwrap
import threading

import pytest

from sectile import ChatModel, Chunker, Embedder, Library, load

LONG = "# Whales\n\n" + "Whales sing songs under water. " * 400

PAGE = b"<html><body><h1>Page</h1><p>Nothing of note.</p></body></html>"


class Slow:
    """A model that answers when it may, and sends Ctrl-C to the process as soon as it is asked."""

    def __init__(self):
        self.may_answer, self.answered = threading.Event(), []

    def interrupt(self):
        if not self.may_answer.is_set():
            os.kill(os.getpid(), signal.SIGINT)
        self.answered.append(self.may_answer.wait(60))

    def complete(self, system, user, max_tokens):
        self.interrupt()
        return "About whales."

    def embed(self, texts):
        # With the first text the library asks how long vectors are.
        if any("sing" in text for text in texts):
            self.interrupt()
        return [[1.0, 2.0] for _ in texts]


@pytest.mark.skipif(sys.platform == "win32", reason="a process sends itself no Ctrl-C")
class TestInterruptedByHand:
    def test_a_call_ends_though_the_model_has_not_answered(self, database, tmp_path):
        (tmp_path / "long.md").write_text(LONG)
        model = Slow()
        library = Library(database, chat_model=ChatModel("slow", model.complete))
        library.ingest(tmp_path / "long.md")
        with pytest.raises(KeyboardInterrupt):
            library.summarize(tmp_path / "long.md")
        assert model.answered == []
        model.may_answer.set()
        # The library works as before.
        assert library.search("whales").hits and library.summarize(tmp_path / "long.md") == 1

    @pytest.mark.parametrize("how", ["ingest", "ingest_events"])
    def test_an_ingest_ends_and_can_be_made_again(self, database, tmp_path, how):
        for at in range(3):
            (tmp_path / f"{at}.md").write_text(f"{LONG}\n\nSong {at}.\n")
        model = Slow()
        library = Library(database, embedder=Embedder("slow", model.embed))
        with pytest.raises(KeyboardInterrupt):
            list(getattr(library, how)(sorted(tmp_path.glob("*.md"))))
        assert model.answered == []
        model.may_answer.set()
        report = library.ingest(sorted(tmp_path.glob("*.md")))
        assert (report.added + report.updated + report.unchanged, report.failed) == (3, [])
        library.embed()
        assert len(library.documents()) == 3 and library.search("whales", mode="vector").hits


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
class TestForked:
    def in_child(self, check):
        """Runs a function in a forked process, which must not hang, and returns its exit code."""
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            try:
                check()
            except BaseException as error:  # noqa: BLE001
                os.write(2, f"{error!r}\n".encode())
                os._exit(1)
            os._exit(7)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_a_process_cuts_and_loads_as_its_parent_did(self):
        chunker, text = Chunker("markdown", size=40, overlap=0, unit="chars"), LONG
        chunks, loaded = [str(chunk) for chunk in chunker.chunks(text)], load("page.html", data=PAGE)

        def check():
            assert [str(chunk) for chunk in chunker.chunks(text)] == chunks
            assert len(chunker.batch([text] * 50)) == 50 * len(chunks)
            assert load("page.html", data=PAGE) == loaded

        assert self.in_child(check) == 7
        # The parent goes on.
        check()

    def test_a_library_of_the_parent_is_refused_and_a_new_one_works(self, tmp_path):
        (tmp_path / "guide.md").write_text(LONG)
        url = f"sqlite:{tmp_path}/store.db"
        library = Library(url)
        library.ingest(tmp_path / "guide.md")

        def check():
            with pytest.raises(RuntimeError, match="forked from"):
                library.search("whales")
            with pytest.raises(RuntimeError, match="forked from"):
                library.ingest(tmp_path / "guide.md")
            assert Library(url).search("whales").hits

        assert self.in_child(check) == 7
        assert library.search("whales").hits


# What a thread or an event loop does when the main thread comes to its end.
ENDS = {
    "a thread waits for a model": """
        library = with_model(lambda *_: asked.set() or time.sleep(60))
        start(lambda: library.summarize(path))
    """,
    "a thread waits for a model that is called again and again": """
        library = with_model(lambda *_: asked.set() or "Words.")
        def loop():
            while True:
                library.remember(str(time.time()))
                Library(url, chat_model=ChatModel("m", lambda *_: "Words.")).summarize(path)
                asked.set()
        start(loop)
    """,
    "a thread cuts": """
        chunker = Chunker("sentence", size=20)
        def loop():
            while True:
                chunker.chunks(text * 20)
                asked.set()
        start(loop)
    """,
    "threads cut batches": """
        chunker = Chunker("markdown", size=20)
        def loop():
            while True:
                chunker.batch([text] * 200)
                asked.set()
        start(loop)
        start(loop)
    """,
    "a thread measures in Python": """
        from sectile.langchain import RecursiveCharacterTextSplitter
        splitter = RecursiveCharacterTextSplitter(chunk_size=9, chunk_overlap=0, length_function=lambda text: len(text))
        def loop():
            while True:
                splitter.split_text(text)
                asked.set()
        start(loop)
    """,
    "a thread searches": """
        library = Library(url)
        def loop():
            while True:
                library.search("whales")
                asked.set()
        start(loop)
    """,
    "an ingest tells what happens": """
        library = Library(url, embedder=Embedder("slow", lambda texts: [[1.0, time.sleep(0.001) or 1.0] for _ in texts]))
        for at in range(300):
            (folder / f"{at}.md").write_text(f"# Whale {at}")
        start(lambda: library.ingest(folder, on_event=lambda event: asked.set()))
    """,
    "an iterator of an ingest is left alone": """
        library = Library(url)
        for at in range(300):
            (folder / f"{at}.md").write_text(f"# Whale {at}")
        events = library.ingest_events(folder)
        next(events)
        asked.set()
    """,
    "an event loop stops with calls that nobody awaits": """
        import asyncio
        library = with_model(lambda *_: asked.set() or time.sleep(60))
        loop = asyncio.new_event_loop()
        async def begin():
            tasks = [asyncio.ensure_future(library.asummarize(path))]
            tasks += [asyncio.ensure_future(library.asearch("whales")) for _ in range(20)]
            while not asked.is_set():
                await asyncio.sleep(0.001)
            return tasks
        tasks = loop.run_until_complete(begin())
        # Else it would say itself that they were not awaited.
        for task in tasks:
            task._log_destroy_pending = False
    """,
}

PROGRAM = """
import sys, threading, time
from pathlib import Path
from sectile import ChatModel, Chunker, Embedder, Library

folder = Path(sys.argv[1])
path, url = folder / "long.md", f"sqlite:{folder / 'store.db'}"
text = path.read_text()
Library(url).ingest(path)
asked = threading.Event()

def with_model(complete):
    return Library(url, chat_model=ChatModel("m", complete))

def start(work):
    threading.Thread(target=work, daemon=True).start()
"""


@pytest.mark.parametrize("what", ENDS)
def test_the_interpreter_ends_in_the_middle_of_a_call(tmp_path, what):
    (tmp_path / "long.md").write_text(LONG)
    program = PROGRAM + textwrap.dedent(ENDS[what]) + "\nassert asked.wait(60)\nprint('ends')\n"
    for at in range(3):
        done = subprocess.run(
            [sys.executable, "-c", program, tmp_path], capture_output=True, text=True, timeout=120
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "ends\n", ""), at
