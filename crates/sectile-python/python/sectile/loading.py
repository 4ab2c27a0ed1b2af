"""Files of any format that Sectile reads, as text with its headings and pages.

>>> from sectile import load
>>> document = load("guide.md", data=b"# Guide\\n\\nRead me.\\n")
>>> document.text, document.outline[0].title
('# Guide\\n\\nRead me.\\n', 'Guide')
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fsdecode
from typing import Any

from sectile._operation import done
from sectile._record import Record, read
from sectile._sectile import Loader

__all__ = ["aload", "load"]


def load(
    path: str | bytes | PathLike[str],
    *,
    data: bytes | None = None,
    comments: bool = False,
    whole_page: bool = False,
    ocr: str | None = None,
    password: str | None = None,
    pages: Iterable[int] | None = None,
    keep_running_lines: bool = False,
    guess_headings: bool = True,
    headers_and_footers: bool = False,
    timeout: float | None = None,
    max_file_size: int | None = None,
    max_memory: int | None = None,
) -> Record:
    """Loads a file, or `data` of which `path` is the name, and returns its `text`, `format`, `outline`, `pages`,
    `metadata` and `omissions`. Places in the text are bytes of UTF-8.

    `omissions` says what the text lacks, in sentences: pages that are pictures, attachments that could not be loaded.
    They are warnings of the logger `sectile`, too.

    `comments` are those of Word documents and PDF files, `whole_page` reads a web page with what stands around its main
    part, `ocr` names the languages of pages that are pictures (`eng+deu`; it needs `tesseract`), `password` opens a PDF.

    Of a PDF only `pages` are loaded, numbers from 1: `range(1, 4)`. `keep_running_lines` keeps what repeats at the head
    and foot of its pages, and without `guess_headings` only bookmarks are headings. `headers_and_footers` are those of
    Word documents, OpenDocument texts and RTF.

    A file that takes longer than `timeout` seconds, has more than `max_file_size` bytes, or whose parser needs more than
    `max_memory` bytes is refused: 120 seconds, 512 MiB and 3 GiB where nothing is said.
    """
    most = limits(timeout, max_file_size, max_memory)
    loader = _loader(
        comments, whole_page, ocr, password, pages, keep_running_lines, guess_headings, headers_and_footers, most
    )
    path = fsdecode(path)
    return _told(path, read(loader.load(path, data).wait()))


async def aload(
    path: str | bytes | PathLike[str],
    *,
    data: bytes | None = None,
    comments: bool = False,
    whole_page: bool = False,
    ocr: str | None = None,
    password: str | None = None,
    pages: Iterable[int] | None = None,
    keep_running_lines: bool = False,
    guess_headings: bool = True,
    headers_and_footers: bool = False,
    timeout: float | None = None,
    max_file_size: int | None = None,
    max_memory: int | None = None,
) -> Record:
    """As `load`."""
    most = limits(timeout, max_file_size, max_memory)
    loader = _loader(
        comments, whole_page, ocr, password, pages, keep_running_lines, guess_headings, headers_and_footers, most
    )
    path = fsdecode(path)
    return _told(path, read(await done(loader.load(path, data))))


def _told(path: str, loaded: Record) -> Record:
    """Logs what the text of a file lacks."""
    if loaded.omissions:
        # It takes a while to import.
        import logging

        logger = logging.getLogger("sectile")
        for omission in loaded.omissions:
            logger.warning("%s: %s", path, omission)
    return loaded


def limits(timeout: float | None, max_file_size: int | None, max_memory: int | None) -> dict[str, Any]:
    """Returns how slow and large files may be, checked."""
    for name, given in (("timeout", timeout), ("max_file_size", max_file_size), ("max_memory", max_memory)):
        if given is not None and not 0 < given < 2**63:
            raise ValueError(f"{name} must be more than 0 and less than 2**63, not {given}")
    return {"timeout": timeout, "max_file_size": max_file_size, "max_memory": max_memory}


def _loader(
    comments, whole_page, ocr, password, pages, keep_running_lines, guess_headings, headers_and_footers, most
):
    numbers = [] if pages is None else list(pages)
    if pages is not None and (not numbers or min(numbers) < 1):
        raise ValueError(f"pages are numbers from 1, not {pages!r}; leave them out for all pages")
    return Loader(
        {
            "comments": comments,
            "whole_page": whole_page,
            "ocr": ocr,
            "password": password,
            "pages": numbers,
            "keep_running_lines": keep_running_lines,
            "guess_headings": guess_headings,
            "headers_and_footers": headers_and_footers,
            "limits": most,
        }
    )
