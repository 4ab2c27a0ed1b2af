"""The library."""

import asyncio
import inspect
import io
import json
import os
import pickle
import sys
import threading
import zipfile
from pathlib import Path
from typing import get_args

import pyarrow
import pytest

from sectile import ChatModel, Chunker, Embedder, Error, Library, Reranker, _operation, aload, load
from sectile.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from sectile.langchain import SectileLoader, SectileRetriever
from sectile.library import Group, Mode


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "guide.md").write_text("# Guide\n\nRead me.\n\n## Install\n\nRun the installer.\n")
    (folder / "page.html").write_text("<html><body><h1>Page</h1><p>Words about whales.</p></body></html>")
    (folder / "blob.bin").write_bytes(bytes(range(256)) * 10)
    return folder


def test_documents_are_kept_and_found(database, folder):
    library = Library(database)
    events = []
    report = library.ingest(folder, on_event=events.append)
    assert (report.added, report.failed) == (2, [])
    assert [event.files for event in events if event.event == "walked"] == [3]
    assert {event.outcome for event in events if event.event == "file"} == {"added", "skipped"}
    hit = library.search("installer", limit=1).hits[0]
    assert (hit.heading_path, hit.lines.first) == (["Guide", "Install"], 5)
    assert library.search("whales", paths=[folder]).hits[0].heading_path == ["Page"]
    assert [section.heading_path for section in library.toc(hit.document.uri)] == [["Guide"], ["Guide", "Install"]]
    assert library.get(hit.document.uri, heading="Install").text == "## Install\n\nRun the installer.\n"
    (folder / "guide.md").unlink()
    assert library.ingest([folder]).removed == 1
    assert library.search("installer").hits == []
    library.remove(library.documents()[0].uri)
    assert library.documents() == []


def test_the_hits_of_many_questions_are_a_table(database, folder):
    library = Library(database)
    library.ingest(folder)
    batch = library.search_batch(["installer", "nothing like it xyzzy", "whales"], limit=1)
    table = pyarrow.table(batch)
    assert (len(batch), table.num_rows) == (2, 2)
    rows = table.to_pylist()
    assert [(row["question"], row["rank"]) for row in rows] == [(0, 1), (2, 1)]
    hit = library.search("installer", limit=1).hits[0]
    first = rows[0]
    assert (first["uri"], first["headings"], first["text"]) == (hit.document.uri, hit.heading_path, hit.text)
    assert (first["score"], first["section"], first["first_page"]) == (hit.score, hit.section, None)
    assert pyarrow.table(asyncio.run(library.asearch_batch(["whales"]))).num_rows == 1
    assert pyarrow.table(library.search_batch([])).num_rows == 0
    with pytest.raises(TypeError):
        library.search_batch("installer")
    with pytest.raises(ValueError, match="mode"):
        library.search_batch(["installer"], mode="no")


def test_an_event_loop_goes_on(database, folder):
    is_ingesting, goes_on = threading.Event(), threading.Event()

    def wait(event):
        is_ingesting.set()
        assert goes_on.wait(60)

    async def go_on():
        while not is_ingesting.is_set():
            await asyncio.sleep(0.001)
        goes_on.set()

    async def run():
        library = Library(database)
        report, _ = await asyncio.gather(library.aingest([folder], on_event=wait), go_on())
        found = await asyncio.gather(*(library.asearch("installer") for _ in range(20)))
        return report.added, {answer.hits[0].heading_path[-1] for answer in found}

    assert asyncio.run(run()) == (2, {"Install"})


def test_what_a_callback_raises_is_raised(database, folder):
    def fails(event):
        raise LookupError(event.event)

    with pytest.raises(LookupError):
        Library(database).ingest([folder], on_event=fails)


@pytest.mark.parametrize("awaited", [False, True])
def test_a_callback_may_call_the_library(database, folder, awaited):
    library, counts = Library(database), []

    def count(_event):
        counts.append(len(library.documents()))
        Library(database)

    if awaited:
        report = asyncio.run(asyncio.wait_for(library.aingest(folder, on_event=count), 60))
    else:
        report = library.ingest(folder, on_event=count)
    assert report.added == 2 and len(counts) > 2


def test_one_path_is_no_list_of_letters(database, folder):
    library = Library(database)
    library.ingest(str(folder))
    for paths in (str(folder), folder, [folder], (path for path in [folder])):
        assert library.search("installer", paths=paths).hits


def test_no_paths_find_nothing(database, folder):
    library = Library(database)
    library.ingest(folder)
    for paths in ([], (), iter([])):
        assert library.search("installer", paths=paths).hits == []
    assert asyncio.run(library.asearch("installer", paths=[])).hits == []
    assert len(library.search_batch(["installer"], paths=[])) == 0
    assert library.search("installer", paths=None).hits


def test_paths_are_searched_in_all_collections(database, folder):
    library = Library(database)
    library.ingest(folder, collection="guides")
    assert library.search("installer", paths=folder).hits[0].document.collection == "guides"
    assert library.search("installer", paths=folder, collection="guides").hits
    assert not library.search("installer", paths=folder, collection="default").hits


def test_why_there_is_nothing_to_find_is_said(database, folder, caplog):
    library = Library(database)
    assert library.search("installer").notes == ["the store has no documents"]
    library.ingest(folder)
    missing = "there is no collection `nope`, only `default`"
    assert library.search("installer", collection="nope").notes == [missing]
    assert asyncio.run(library.asearch("installer", collection="nope")).notes == [missing]
    assert library.search_batch(["installer", "whales"], collection="nope").notes == [(0, missing), (1, missing)]
    [note] = library.search("installer", filters={"heading": "Install"}).notes
    assert note.startswith("no document has a field `heading`")
    assert library.search("installer", paths=[]).notes == ["no document matches the filters and paths"]
    for where in ({}, {"collection": "default"}, {"filters": ["heading=install"]}):
        assert library.search("zebra", **where).notes == []
    assert caplog.text == ""
    assert SectileRetriever(library=library, collection="nope").invoke("installer") == []
    assert missing in caplog.text


def test_a_part_is_read_as_hits_name_it(database, folder, pages):
    library = Library(database)
    library.ingest([folder, pages])
    hit = library.search("installer").hits[0]
    by_section = library.get(hit.document.uri, section=hit.section)
    assert by_section.text == library.get(hit.document.uri, heading="Install").text
    paged = next(document.uri for document in library.documents() if document.uri.endswith(".pdf"))
    first, second = (library.get(paged, pages=(page, page)).text for page in (1, 2))
    assert first and second and first != second
    assert asyncio.run(library.aget(paged, pages=(2, 2))).text == second
    with pytest.raises(ValueError, match="only one"):
        library.get(paged, pages=(1, 2), lines=(1, 2))
    with pytest.raises(ValueError, match="not the id"):
        library.get(paged, section="Install")


def test_errors_have_what_they_are_about(database, folder, pages):
    (folder / "twice.md").write_text("# A\n\n## B\n\nOne.\n\n# C\n\n## B\n\nTwo.\n")
    library = Library(database)
    library.ingest([folder, pages])
    uri = {document.uri.rsplit("/")[-1]: document.uri for document in library.documents()}
    with pytest.raises(AmbiguousError) as ambiguous:
        library.get(uri["twice.md"], heading="B")
    candidates = ambiguous.value.candidates
    assert [one["heading_path"] for one in candidates] == [["A", "B"], ["C", "B"]]
    texts = [library.get(uri["twice.md"], section=one["id"]).text for one in candidates]
    assert "One." in texts[0] and "Two." in texts[1]
    with pytest.raises(NotFoundError) as lines:
        library.get(uri["guide.md"], lines=(90, 99))
    assert (lines.value.first, lines.value.last, lines.value.lines) == (90, 99, 7)
    with pytest.raises(NotFoundError) as beyond:
        library.get(uri["three-levels.pdf"], pages=(90, 99))
    assert (beyond.value.first, beyond.value.last) == (90, 99) and beyond.value.pages > 1
    with pytest.raises(InvalidArgumentError) as address:
        Library("mysql:store")
    assert (address.value.argument, address.value.url) == ("url", "mysql:store")
    for wrong in ({"limit": -1}, {"limit": -(2**70)}):
        with pytest.raises(ValueError, match="limit"):
            library.search("installer", **wrong)
    for wrong in ({"cursor": -1}, {"max_tokens": -1}, {"lines": (-1, 3)}, {"pages": (1, 2**80)}, {"lines": (1,)}):
        with pytest.raises(ValueError):
            library.get(uri["guide.md"], **wrong)


def test_a_library_is_made_unless_it_must_be_there(tmp_path):
    url = f"sqlite:{tmp_path / 'no' / 'store.db'}"
    with pytest.raises(InvalidArgumentError, match="there is no such file"):
        Library(url, create=False)
    assert not (tmp_path / "no").exists()
    Library(url).close()
    assert Library(url, create=False).documents() == []


def test_a_document_is_named_by_its_path_or_its_uri(database, folder, monkeypatch):
    library = Library(database)
    library.ingest(folder)
    path = folder / "guide.md"
    [uri] = [found.uri for found in library.documents() if found.uri.endswith("guide.md")]
    monkeypatch.chdir(folder)
    text = library.get(uri).text
    for name in (path, str(path), "guide.md", Path("guide.md"), path.parent / "." / "guide.md"):
        assert library.get(name).text == text
        assert library.toc(name) == library.toc(uri)
        assert library.tree(name) == library.tree(uri)
        assert asyncio.run(library.aget(name)).text == text
    path.unlink()
    assert library.remove(path).uri == uri
    with pytest.raises(NotFoundError):
        library.get(path)


def test_errors_name_what_was_asked(database, folder):
    library = Library(database)
    with pytest.raises(Error, match="no-such-file"):
        library.ingest([folder / "no-such-file"])
    with pytest.raises(NotFoundError, match="nothing.md") as missing:
        library.toc("nothing.md")
    assert (missing.value.uri, missing.value.seq) == ("nothing.md", None)
    assert "named by its path, or by its URI" in str(missing.value)
    with pytest.raises(InvalidArgumentError, match="question 1, `!`") as failed:
        library.search_batch(["installer", "!"])
    assert (failed.value.question, failed.value.query) == (1, "!")
    assert pickle.loads(pickle.dumps(failed.value)).question == 1
    with pytest.raises(ValueError, match="mode"):
        library.search("x", mode="guess")


def letters(texts):
    return [[text.lower().count(letter) + 0.01 for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode here")
def test_paths_may_be_bytes_and_need_not_be_unicode(database, tmp_path):
    path = os.fsencode(tmp_path) + b"/na\xefve (1).md"
    with open(path, "wb") as file:
        file.write(b"# Guide\n\nRun the installer.\n")
    library = Library(database)
    for paths in (path, [path], os.fsdecode(path)):
        library.ingest(paths)
        [hit] = library.search("installer", paths=paths).hits
    for name in (path, os.fsdecode(path), hit.document.uri):
        assert library.get(name).uri == hit.document.uri
        assert library.toc(name)[0].heading_path == ["Guide"]
        assert asyncio.run(library.aget(name)) == library.get(name)
    assert load(path).text == load(os.fsdecode(path)).text
    assert SectileLoader(path).load()[0].metadata["source"] == os.fsdecode(path)
    assert library.remove(path).uri == hit.document.uri


def test_arguments_that_cannot_be_are_named(database, folder):
    library = Library(database)
    library.ingest(folder)
    for limit in (-1, 2**63, 2**70):
        with pytest.raises(ValueError, match="limit must be"):
            library.search("installer", limit=limit)
    for limit in (None, 1.5, "3"):
        with pytest.raises(TypeError, match="integer"):
            library.search("installer", limit=limit)
    for value, kind in ((float("nan"), ValueError), (object(), TypeError)):
        with pytest.raises(kind, match="^filters: "):
            library.search("installer", filters={"n": value})
        with pytest.raises(kind, match="^metadata: "):
            library.remember("The installer is kept.", n=value)


def test_numbers_of_data_frames_are_numbers(database):
    numpy = pytest.importorskip("numpy")
    library = Library(database)
    library.remember("The installer is kept.", price=numpy.int64(3), is_red=numpy.bool_(True))
    for filters in ({"price": numpy.int64(3)}, {"price": numpy.float32(3)}, {"price": 3, "is_red": numpy.bool_(True)}):
        assert len(library.search("installer", filters=filters).hits) == 1
    assert library.search("installer", filters={"price": numpy.int64(4)}).hits == []


def test_what_an_embedder_returns_may_be_any_iterable(database, folder):
    library = Library(database, embedder=Embedder("letters", lambda texts: iter(letters(texts))))
    library.ingest(folder)
    assert library.search("elahw", mode="vector").hits[0].heading_path == ["Page"]


def test_what_is_no_model_is_refused(tmp_path):
    class Embeddings:
        def embed_documents(self, texts):
            return letters(texts)

    url = f"sqlite:{tmp_path / 'store.db'}"
    for argument, kind in (("embedder", "Embedder"), ("chat_model", "ChatModel"), ("reranker", "Reranker")):
        for given in (letters, Embeddings(), 5):
            with pytest.raises(TypeError, match=rf"^{argument} is a name or a sectile\.{kind}, not "):
                Library(url, **{argument: given})
    for returned in (None, 1.0, [1.0, 2.0], "ab"):
        with pytest.raises(TypeError):
            Library(url, embedder=Embedder("wrong", lambda texts: returned))


def test_vectors_are_made_by_a_function(database, folder):
    library = Library(database, embedder=Embedder("letters", letters))
    library.ingest(folder)
    assert library.embed() == {"embedded": 0, "truncated": None, "failed": []}
    assert library.search("elahw", mode="vector").hits[0].heading_path == ["Page"]
    with pytest.raises(Error) as other:
        Library(database, embedder=Embedder("others", letters)).ingest(folder)
    assert other.value.kind == "Vectors"


def test_a_text_without_a_usable_vector_takes_nothing_from_the_others(database, folder):
    (folder / "fruit.md").write_text("The kumquat.\n")
    Library(database).ingest(folder)
    vectors = lambda texts: [[float("kumquat" not in text), 0.0] for text in texts]  # noqa: E731
    library = Library(database, embedder=Embedder("fruit", vectors))
    report = library.embed()
    assert report.embedded == library.totals().chunks - 1 > 0
    [(name, reason)] = report.failed
    assert name.endswith("fruit.md") and "cannot be used" in reason
    assert library.search("guide", mode="vector").hits


def test_what_a_model_raises_is_the_cause(database, folder):
    def fails(texts):
        if texts == ["length"]:
            return [[1.0]]
        raise LookupError("no vectors today")

    library = Library(database, embedder=Embedder("fails", fails))
    with pytest.raises(Error) as failed:
        library.ingest(folder)
        library.search("guide", mode="vector")
    assert failed.value.kind == "Model"
    assert isinstance(failed.value.__cause__, LookupError)


def test_a_chat_model_writes_summaries(database, tmp_path):
    (tmp_path / "long.md").write_text("# Whales\n\n" + "Whales sing songs under water. " * 400 + "\n\n## Short\n\nEnd.\n")
    asked = []

    def complete(system, user, max_tokens):
        asked.append(user)
        return "About whales."

    library = Library(database, chat_model=ChatModel("echo", complete))
    library.ingest(tmp_path / "long.md")
    uri = library.documents()[0].uri
    # A short section is its own summary.
    assert library.summarize(uri) == 2 and len(asked) == 1
    assert "About whales." in str(library.tree(uri))


def test_each_mode_of_search_answers(database, folder):
    def choose_all(system, user, max_tokens):
        ids = [part.split('"')[0] for part in user.split('"node_id":"')[1:]]
        return json.dumps({"thinking": "", "node_list": ids})

    library = Library(database, embedder=Embedder("letters", letters), chat_model=ChatModel("all", choose_all))
    library.ingest(folder)
    for mode in get_args(Mode):
        found = library.search("installer", mode=mode)
        assert found.hits and isinstance(found.notes, list), mode
        assert asyncio.run(library.asearch("installer", mode=mode)).hits == found.hits
        if mode != "tree":
            rows = pyarrow.table(library.search_batch(["installer"], mode=mode)).to_pylist()
            assert [row["section"] for row in rows] == [hit.section for hit in found.hits]
    assert [hit.heading_path for hit in library.search("installer", limit=1).hits] == [["Guide", "Install"]]
    for group in get_args(Group):
        assert library.search("installer", group_by=group).hits, group
    without_models = Library(database)
    for mode in ("vector", "tree"):
        with pytest.raises(InvalidArgumentError):
            without_models.search("installer", mode=mode)


def test_each_call_has_a_twin_for_event_loops_with_the_same_arguments():
    calls = [name for name, value in vars(Library).items() if callable(value) and not name.startswith("_")]
    calls = [name for name in calls if f"a{name}" in calls or not name.startswith("a")]
    assert {"ingest", "search", "toc", "tree", "get", "documents", "remember", "learn", "close"} <= set(calls)
    for name in calls:
        own, twin = (inspect.signature(getattr(Library, each)) for each in (name, f"a{name}"))
        assert own.parameters == twin.parameters, name
    assert inspect.signature(load).parameters == inspect.signature(aload).parameters


def test_what_is_awaited_is_what_is_returned(database, folder):
    chat_model = ChatModel("brief", lambda system, user, max_tokens: "In short.")
    library = Library(database, embedder=Embedder("letters", letters), chat_model=chat_model)

    async def awaited():
        (folder / "long.md").write_text("# Whales\n\n" + "Whales sing songs under water. " * 400)
        assert (await library.aingest(folder)).added == 3 and (await library.aembed()).embedded == 0
        assert await library.adocuments() == library.documents()
        for name in (folder / "guide.md", folder / "long.md"):
            assert await library.atoc(name) == library.toc(name) and await library.atree(name) == library.tree(name)
            assert await library.aget(name, lines=(1, 3)) == library.get(name, lines=(1, 3))
        assert await library.asummarize(folder / "long.md") == 1 and library.summarize(folder / "long.md") == 0
        assert await library.asearch("whales", explain=True) == library.search("whales", explain=True)
        tables = pyarrow.table(await library.asearch_batch(["whales"])), pyarrow.table(library.search_batch(["whales"]))
        assert tables[0] == tables[1]
        memory, known = await library.aremember("Ada likes trains.", about="Ada"), await library.alearn("Trains run.")
        assert library.remember("Ada likes trains.", about="Ada").id == memory.id
        assert library.learn("Trains run.").outcome == "unchanged"
        await library.aforget(memory.id)
        await library.adelete_knowledge(known.id)
        for gone in (library.aforget(memory.id), library.adelete_knowledge(known.id)):
            with pytest.raises(NotFoundError):
                await gone
        removed = await library.aremove(folder / "guide.md")
        assert removed.uri.endswith("guide.md")
        with pytest.raises(NotFoundError):
            await library.aget(removed.uri)

    asyncio.run(awaited())


def test_stop_iteration_of_a_callback_does_not_hang(database, folder):
    """As `next` raises it that finds nothing."""
    library = Library(database)
    with pytest.raises(RuntimeError) as raised:
        asyncio.run(asyncio.wait_for(library.aingest(folder, on_event=lambda _: next(iter([]))), 60))
    assert isinstance(raised.value.__cause__, StopIteration)
    with pytest.raises(StopIteration):
        library.ingest(folder, on_event=lambda _: next(iter([])))


def test_a_cancelled_await_stops_the_work(database, tmp_path, monkeypatch):
    sections = [f"# Whale {at}\n\n" + f"Whale {at} sings songs under water. " * 100 for at in range(60)]
    (tmp_path / "long.md").write_text("\n\n".join(sections))
    asked, may_answer = [], threading.Event()

    def complete(system, user, max_tokens):
        asked.append(user)
        assert may_answer.wait(120)
        return "About whales."

    library = Library(database, chat_model=ChatModel("slow", complete))
    library.ingest(tmp_path / "long.md")
    uri = library.documents()[0].uri

    async def cancelled():
        ended, tell = asyncio.Event(), _operation._tell

        def told(*answer):
            ended.set()
            tell(*answer)

        monkeypatch.setattr(_operation, "_tell", told)
        task = asyncio.ensure_future(library.asummarize(uri))
        while not asked:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # The work tells its end though the model has answered nothing.
        await asyncio.wait_for(ended.wait(), 60)

    asyncio.run(cancelled())
    may_answer.set()
    assert len(asked) < 60
    # The rest is done when it is asked for again.
    library.summarize(uri)
    assert len(asked) >= 60


def test_a_cancelled_ingest_has_whole_documents(database, tmp_path):
    for at in range(300):
        (tmp_path / f"{at}.md").write_text(f"# Whale {at}\n\nIt sings song number {at}.\n")
    library, events, is_cancelled = Library(database), [], threading.Event()

    def hold(event):
        events.append(event)
        assert len(events) < 20 or is_cancelled.wait(60)

    async def cancelled():
        task = asyncio.ensure_future(library.aingest(tmp_path, on_event=hold))
        while len(events) < 20:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        is_cancelled.set()

    asyncio.run(cancelled())
    for document in library.documents():
        assert "It sings song" in library.get(document.uri).text
    report = library.ingest(tmp_path)
    assert report.added + report.unchanged == 300 and len(library.documents()) == 300


def test_memories(database):
    library = Library(database)
    kept = library.remember("Ada likes trains.", about="Ada")
    assert kept.outcome == "added" and library.remember("Ada likes trains.", about="Ada").outcome == "unchanged"
    assert library.search("trains", collection="memories", filters={"about": "Ada"}).hits
    assert not library.search("trains", collection="memories", filters={"about": "Bob"}).hits
    library.forget(kept.id)
    with pytest.raises(Error) as gone:
        library.forget(kept.id)
    assert gone.value.kind == "NotFound"
    with pytest.raises(ValueError):
        library.forget("no id")
    known = library.learn("Trains run on rails.")
    library.delete_knowledge(known.id)


def test_filters_find_numbers_by_their_values(database):
    library = Library(database)
    values = [1, 1.0, True, "1", "1.0", "true", [0, 1], 2]
    texts = {library.remember(f"Train number {at} runs.", n=value).id: repr(value) for at, value in enumerate(values)}
    assert len(texts) == len(values)

    def found(value):
        options = {"collection": "memories", "filters": {"n": value}}
        hits = library.search("train", limit=100, **options).hits
        documents = SectileRetriever(library=library, k=100, **options).invoke("train")
        assert [document.metadata["source"] for document in documents] == [hit.document.uri for hit in hits]
        return sorted(texts[hit.document.id] for hit in hits)

    assert found(1) == ["'1'", "1", "1.0", "[0, 1]"]
    assert found(1.0) == ["'1.0'", "1", "1.0", "[0, 1]"]
    assert found(True) == ["'true'", "True"]
    assert found("1") == ["'1'", "1", "[0, 1]"]
    assert found(3) == []


def test_filters_are_also_conditions_as_the_program_takes_them(database, folder):
    library = Library(database)
    library.ingest(folder)
    library.remember("The installer is kept.", team="red")

    def found(question, filters):
        hits = library.search(question, filters=filters).hits
        assert asyncio.run(library.asearch(question, filters=filters)).hits == hits
        retriever = SectileRetriever(library=library, filters=filters)
        assert len(retriever.invoke(question)) == len(hits)
        return [hit.heading_path for hit in hits]

    assert found("installer", ["heading=install"]) == [["Guide", "Install"]]
    assert found("installer", ["heading=install", "team=red"]) == []
    assert found("installer", "heading=install") == [["Guide", "Install"]]
    assert found("read", ["level=1"]) == [["Guide"]] and found("read", ["level=2"]) == []
    assert library.search("installer", filters="team=red").hits == library.search("installer", filters={"team": "red"}).hits
    assert library.search("installer", filters="team=red").hits[0].document.collection == "memories"
    for wrong in (["heading"], ["level=x"], ["since=yesterday"], [1]):
        with pytest.raises(ValueError):
            library.search("installer", filters=wrong)
        with pytest.raises(ValueError):
            library.documents(filters=wrong)


def test_documents_are_listed_where_they_are_asked_for(database, folder):
    library = Library(database)
    library.ingest(folder)
    library.remember("The installer is kept.", team="red")

    def listed(**where):
        documents = library.documents(**where)
        assert asyncio.run(library.adocuments(**where)) == documents
        return [document.uri.rsplit("/")[-1].split(":")[0] for document in documents]

    assert listed() == ["guide.md", "page.html", "memory"]
    assert listed(collection="default", paths=folder / "page.html") == ["page.html"]
    assert listed(filters=["heading=install"]) == ["guide.md"]
    assert listed(filters={"team": "red"}) == ["memory"]
    totals = library.totals()
    assert (totals.documents, totals.collections) == (3, {"default": 2, "memories": 1})
    assert asyncio.run(library.atotals()).collections == totals.collections


def test_chunks_are_cut_as_asked(database, tmp_path):
    (tmp_path / "a.txt").write_text("one two three four five six seven eight nine ten. " * 50)
    library = Library(database, chunker=Chunker("sentence", size=40))
    library.ingest(tmp_path / "a.txt")
    assert all(hit.text.count("ten.") <= 4 for hit in library.search("seven", group_by="chunk").hits)


def test_files_are_loaded(tmp_path, pages):
    assert load("page.html", data=b"<h1>Caf\xc3\xa9</h1><p>Read.").text == "# Café\n\nRead.\n"
    loaded = load(pages)
    assert loaded.format == "pdf" and len(loaded.pages) > 1
    assert asyncio.run(aload(pages)) == loaded
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\n" + bytes(200))
    with pytest.raises(Error) as broken:
        load(tmp_path / "a.pdf")
    assert broken.value.kind in ("Parse", "NoText", "UnsupportedFormat")
    with pytest.raises(Error) as missing:
        load(tmp_path / "none.txt")
    assert missing.value.kind == "Read" and missing.value.path.endswith("none.txt")


def test_what_a_text_lacks_is_said(caplog):
    lacks = "b.txt, which it includes, is not part of the text"
    loaded = load("a.rst", data=b"Title\n=====\n\n.. include:: b.txt\n")
    assert loaded.omissions == [lacks] and caplog.messages == [f"a.rst: {lacks}"]
    assert asyncio.run(aload("a.md", data=b"# Title\n")).omissions == []
    assert len(caplog.messages) == 1


def test_files_are_loaded_by_their_options(tmp_path, pages):
    whole = load(pages)
    part = load(pages, pages=range(2, 3))
    assert [page.number for page in part.pages] == [2] and part.text != whole.text
    assert asyncio.run(aload(pages, pages=[2, 2])) == part
    documents = SectileLoader(pages, mode="page", pages=[2]).load()
    assert [document.metadata["page"] for document in documents] == [2]
    for wrong in ([], [0], [1, -1]):
        with pytest.raises(ValueError, match="from 1"):
            load(pages, pages=wrong)
    with pytest.raises(Error):
        load(pages, pages=[len(whole.pages) + 1])
    unmarked = pages.parent / "no-bookmarks.pdf"
    assert load(unmarked).outline and not load(unmarked, guess_headings=False).outline
    running = pages.parent / "book.pdf"
    assert "The Book of Columns" in load(running, keep_running_lines=True).text
    assert "The Book of Columns" not in load(running).text
    assert "Running title" in load("a.docx", data=docx_with_header(), headers_and_footers=True).text
    assert load("a.docx", data=docx_with_header()).text == "Body.\n"


ARTICLE = "The article of this page, in a sentence that is long enough. " * 4
PAGE = f"<nav>Contents</nav><article><p>{ARTICLE}</article><div id=comments><p>Remarkable.</div>"


@pytest.mark.parametrize("how", ["ingest", "aingest", "ingest_events", "aingest_events"])
def test_an_ingest_has_the_options_of_the_program(database, tmp_path, pages, how):
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "locked.pdf").write_bytes((pages.parent / "encrypted.pdf").read_bytes())
    library = Library(database)

    async def events(**options):
        return [event async for event in library.aingest_events(tmp_path, **options)]

    def ingest(**options):
        if how == "ingest":
            return library.ingest(tmp_path, **options)
        if how == "aingest":
            return asyncio.run(library.aingest(tmp_path, **options))
        told = asyncio.run(events(**options)) if how == "aingest_events" else library.ingest_events(tmp_path, **options)
        return list(told)[-1].report

    def is_whole():
        return bool(library.search("remarkable", paths=tmp_path / "page.html").hits)

    report = ingest()
    assert (report.added, len(report.failed), is_whole()) == (1, 1, False)
    report = ingest(whole_page=True, password="secret", language="de")
    assert (report.added + report.updated, report.failed, is_whole()) == (2, [], True)
    assert {document.language for document in library.documents()} == {"de"}
    # What was read as a whole stays so unless that is asked for.
    ingest(language="de")
    assert is_whole()
    ingest(language="de", keep_options=False)
    assert not is_whole()
    (tmp_path / "large.pdf").write_bytes(pages.read_bytes())
    assert "large.pdf" in str(ingest(max_file_size=1000).failed)
    for name in ("timeout", "max_file_size", "max_memory"):
        for wrong in (0, -1, 2**64):
            with pytest.raises(ValueError, match=name):
                ingest(**{name: wrong})
            with pytest.raises(ValueError, match=name):
                load("a.txt", data=b"text", **{name: wrong})
    with pytest.raises(ValueError, match="klingon"):
        ingest(language="klingon")
    with pytest.raises(TypeError):
        ingest(comments=True)


def test_documents_have_the_language_of_their_collection(database, folder):
    plain = Library(database)
    plain.ingest(folder, collection="handbook")
    plain.ingest(folder, collection="minutes")
    plain.remember("The installer is kept.")

    def languages(collection):
        return {document.language for document in plain.documents(collection=collection)}

    detected = languages("minutes")
    library = Library(database, languages={"handbook": "greek", "memories": "he"})
    report = library.ingest(folder, collection="handbook")
    assert (report.added, report.updated, report.renewed) == (0, 2, 1)
    assert [languages(name) for name in ("handbook", "minutes", "memories")] == [{"el"}, detected, {"he"}]
    library.ingest(folder, collection="handbook", language="fr")
    assert languages("handbook") == {"fr"}
    asyncio.run(library.aingest(folder, collection="handbook"))
    assert languages("handbook") == {"el"}
    with pytest.raises(ValueError, match="`klingon` is not known; write one of ar, "):
        Library(database, languages={"handbook": "klingon"})


def test_files_that_are_too_large_or_slow_are_refused(pages):
    assert load("a.txt", data=b"text", max_file_size=4).text == "text"
    with pytest.raises(Error) as large:
        load("a.txt", data=b"text", max_file_size=3)
    assert large.value.kind == "LimitExceeded"
    with pytest.raises(Error) as slow:
        load(pages, timeout=1e-9)
    assert slow.value.kind == "TimedOut"
    with pytest.raises(Error) as large:
        asyncio.run(aload(pages, max_file_size=10))
    assert large.value.kind == "LimitExceeded"


def docx_with_header():
    """A Word document with the page header `Running title`."""
    office = "http://schemas.openxmlformats.org"
    word, relations = f"{office}/wordprocessingml/2006/main", f"{office}/officeDocument/2006/relationships"
    package, kind = f"{office}/package/2006", "application/vnd.openxmlformats-officedocument.wordprocessingml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{kind}.document.main+xml"/>'
        f'<Override PartName="/word/header1.xml" ContentType="{kind}.header+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{relations}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{relations}/header" Target="header1.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{word}" xmlns:r="{relations}"><w:body><w:p><w:r><w:t>Body.</w:t></w:r>'
        '</w:p><w:sectPr><w:headerReference w:type="default" r:id="r1"/></w:sectPr></w:body></w:document>',
        "word/header1.xml": f'<w:hdr xmlns:w="{word}"><w:p><w:r><w:t>Running title</w:t></w:r></w:p></w:hdr>',
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def test_langchain_loads_and_retrieves(database, folder, pages):
    documents = SectileLoader(pages, mode="page").load()
    assert [document.metadata["page"] for document in documents] == list(range(1, len(documents) + 1))
    whole = load(pages).text
    assert all(document.page_content in whole for document in documents)
    sections = SectileLoader(folder / "guide.md", mode="section").load()
    assert [document.metadata["headings"] for document in sections] == [["Guide"], ["Guide", "Install"]]
    assert "".join(document.page_content for document in sections) == (folder / "guide.md").read_text()
    library = Library(database)
    library.ingest(folder)
    retriever = SectileRetriever(library=library, search={"limit": 1})
    found = retriever.invoke("installer")
    assert found == asyncio.run(retriever.ainvoke("installer"))
    assert found[0].metadata["headings"] == ["Guide", "Install"] and "installer" in found[0].page_content


def test_the_retriever_has_rows_of_tables_below_the_names_of_their_columns(database, tmp_path):
    rows = "".join(f"| zu{chr(97 + at // 26)}{chr(97 + at % 26)}k | {at}.50 |\n" for at in range(300))
    (tmp_path / "prices.md").write_text(f"| Product | Unit price |\n|---|---|\n{rows}")
    library = Library(database)
    library.ingest(tmp_path / "prices.md")
    [found] = SectileRetriever(library=library, k=1).invoke("zufuk unit price")
    assert found.page_content.startswith("| Product | Unit price |\n")
    assert "| zufuk | 150.50 |" in found.page_content


def test_the_retriever_has_the_metadata_of_documents(database, tmp_path):
    guide = tmp_path / "guide.md"
    guide.write_text("---\nteam: red\nsource: elsewhere\n---\n# Guide\n\nRun the installer.\n")
    library = Library(database)
    library.ingest(guide)
    library.remember("The installer is kept.", about="Ada")
    retriever = SectileRetriever(library=library)
    documents = retriever.invoke("installer")
    assert asyncio.run(retriever.ainvoke("installer")) == documents
    found = {document.metadata["source"].split(":")[0]: document.metadata for document in documents}
    assert (found["file"]["team"], found["file"]["headings"]) == ("red", ["Guide"])
    assert found["memory"]["about"] == "Ada" and "team" not in found["memory"]
    assert not [name for one in found.values() for name in one if name.startswith("sectile_")]
    assert len(retriever.invoke("installer", k=1)) == 1 and len(retriever.invoke("installer", k=None)) == 2


def test_the_retriever_has_the_options_of_a_search(database, folder):
    library = Library(database, embedder=Embedder("letters", letters))
    library.ingest(folder)
    library.remember("The installer is kept.", about="Ada")

    def found(call=None, **options):
        retriever = SectileRetriever(library=library, **options)
        documents = retriever.invoke("installer", **call or {})
        assert documents == asyncio.run(retriever.ainvoke("installer", **call or {}))
        return documents

    everything = found()
    assert len(everything) > 1
    assert found(k=1) == found({"k": 1}) == found(search={"limit": 1}) == found({"k": 1}, k=5) == everything[:1]
    assert [document.metadata["source"] for document in found(collection="memories")] == [
        hit.document.uri for hit in library.search("installer", collection="memories").hits
    ]
    assert found(filters={"about": "Bob"}) == [] and len(found(filters={"about": "Ada"})) == 1
    vectors = [hit.heading_path for hit in library.search("installer", mode="vector").hits]
    for options in ({"mode": "vector"}, {"search_type": "similarity"}):
        assert [document.metadata["headings"] for document in found(**options)] == vectors
    scores = [document.metadata["score"] for document in everything]
    assert found(score_threshold=max(scores)) == [document for document in everything if document.metadata["score"] == max(scores)]
    assert found(score_threshold=max(scores) + 1) == []
    for wrong in ({"limit": 3}, {"k": -1}, {"search_type": "mmr"}, {"mode": "best"}):
        with pytest.raises(ValueError):
            SectileRetriever(library=library, **wrong)
    with pytest.raises(ValueError, match="no score_threshold"):
        found(search_type="similarity_score_threshold")


def test_hits_are_ranked_again_where_that_is_asked_for(database, folder):
    read = []

    def longest(question, texts):
        read.append((question, texts))
        return [len(text) for text in texts]

    library = Library(database, reranker=Reranker("longest", longest))
    library.ingest(folder)
    library.remember("The installer is kept. " + "It is kept well. " * 9)
    usual = library.search("installer")
    assert read == [] and len(usual.hits) > 1
    answer = library.search("installer", rerank=True)
    assert [question for question, _ in read] == ["installer"] and len(read[0][1]) == len(usual.hits)
    assert [hit.score for hit in answer.hits] == sorted((len(text) for text in read[0][1]), reverse=True)
    assert asyncio.run(library.asearch("installer", rerank=True)).hits == answer.hits
    for batch in (
        library.search_batch(["installer"], rerank=True),
        asyncio.run(library.asearch_batch(["installer"], rerank=True)),
    ):
        assert pyarrow.table(batch)["score"].to_pylist() == [hit.score for hit in answer.hits]
    found = SectileRetriever(library=library, rerank=True, k=1).invoke("installer")
    assert [document.metadata["score"] for document in found] == [answer.hits[0].score]
    assert SectileRetriever(library=library).invoke("installer", rerank=True, k=1) == found
    for named in (["memories"], "memories"):
        always = Library(database, reranker=Reranker("longest", longest), rerank_collections=named)
        for collection, count in (("default", 0), ("memories", 1)):
            read.clear()
            assert always.search("installer", collection=collection).hits and len(read) == count
    with pytest.raises(ValueError, match="rerank_collections changes nothing without a reranker"):
        Library(database, rerank_collections=["memories"])
    with pytest.raises(InvalidArgumentError):
        Library(database).search("installer", rerank=True)
    for wrong in ({"rerank_timeout": -1}, {"rerank_depth": -1}):
        with pytest.raises(ValueError):
            Library(database, reranker=Reranker("longest", longest), **wrong)


def test_the_first_ranking_stands_where_the_reranker_fails(database, folder):
    def fails(question, texts):
        raise KeyError("no model")

    library = Library(database, reranker=Reranker("broken", fails))
    library.ingest(folder)
    usual, answer = library.search("installer"), library.search("installer", rerank=True)
    assert answer.hits == usual.hits
    assert [note for note in answer.notes if "broken" in note and "no model" in note]
    batch = library.search_batch(["read", "installer"], rerank=True)
    assert [question for question, note in batch.notes if "broken" in note] == [0, 1]
    assert [note for _, note in library.search_batch(["installer"]).notes] == usual.notes


def test_the_first_ranking_stands_where_the_reranker_is_late(database, folder):
    released = threading.Event()

    def waits(question, texts):
        released.wait(60)
        return [0.0 for _ in texts]

    library = Library(database, reranker=Reranker("slow", waits), rerank_timeout=0.01)
    library.ingest(folder)
    usual = library.search("installer")
    try:
        answer = library.search("installer", rerank=True)
    finally:
        released.set()
    assert answer.hits == usual.hits
    assert [note for note in answer.notes if "`slow` timed out" in note and "not reranked" in note]


def test_an_answer_says_what_was_required_and_names_equal_texts(database, folder):
    (folder / "copy.md").write_text((folder / "guide.md").read_text())
    library = Library(database)
    library.ingest(folder)
    for question, note in (
        ("guide NOT installer", "no hit has `installer`"),
        ("installer AND run", "every hit has `installer` and `run`"),
    ):
        assert library.search(question).notes == [note]
    [hit] = library.search("installer").hits
    places = [hit.document.uri, *(same.document.uri for same in hit.same_text)]
    assert sorted(place.rsplit("/", 1)[-1] for place in places) == ["copy.md", "guide.md"]


def test_an_ingest_tells_what_happens_as_an_iterator(database, folder):
    with Library(database) as library:
        events = list(library.ingest_events(folder))
        assert events[-1].event == "done" and events[-1].report.added == 2
        assert {event.outcome for event in events if event.event == "file"} == {"added", "skipped"}

        async def told():
            return [event async for event in library.aingest_events(folder)]

        assert asyncio.run(told())[-1].report.unchanged == 2
        for at in range(300):
            (folder / f"{at}.md").write_text(f"# Whale {at}\n\nIt sings song number {at}.\n")
        begun = library.ingest_events(folder)
        next(begun)
        begun.close()
        with pytest.raises(Error, match="no-such-file"):
            list(library.ingest_events(folder / "no-such-file"))
        # The rest is done when it is asked for again.
        assert list(library.ingest_events(folder))[-1].report.failed == []
        assert len(library.documents()) == 302


def test_a_library_is_closed_once_and_for_all(database, folder):
    async def opened():
        async with await Library.aopen(database) as library:
            assert (await library.aingest(folder)).added == 2
        await library.aclose()
        return library

    library = asyncio.run(opened())
    library.close()
    with pytest.raises(ValueError, match="closed"):
        library.search("installer")
    with Library(database) as again:
        assert again.search("installer").hits
