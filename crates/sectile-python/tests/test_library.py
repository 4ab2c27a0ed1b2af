"""The library."""

import asyncio

import pytest

from sectile import Error, Library


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


def test_an_event_loop_goes_on(database, folder):
    async def run():
        library = Library(database)
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.ensure_future(tick())
        report = await library.aingest([folder])
        ticking.cancel()
        found = await asyncio.gather(*(library.asearch("installer") for _ in range(20)))
        return report.added, ticks, {answer.hits[0].heading_path[-1] for answer in found}

    added, ticks, headings = asyncio.run(run())
    assert (added, headings) == (2, {"Install"})
    assert ticks > 10


def test_what_a_callback_raises_is_raised(database, folder):
    def fails(event):
        raise LookupError(event.event)

    with pytest.raises(LookupError):
        Library(database).ingest([folder], on_event=fails)


def test_errors_name_what_was_asked(database, folder):
    library = Library(database)
    with pytest.raises(Error, match="no-such-file"):
        library.ingest([folder / "no-such-file"])
    with pytest.raises(Error, match="nothing.md"):
        library.toc("nothing.md")
    with pytest.raises(ValueError, match="mode"):
        library.search("x", mode="guess")
