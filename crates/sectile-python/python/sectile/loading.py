"""Files of any format that Sectile reads, as text with its headings and pages.

>>> from sectile import load
>>> document = load("guide.md", data=b"# Guide\\n\\nRead me.\\n")
>>> document.text, document.outline[0].title
('# Guide\\n\\nRead me.\\n', 'Guide')
"""

from __future__ import annotations

from os import PathLike

from sectile._operation import done
from sectile._record import Record, read
from sectile._sectile import Loader

__all__ = ["aload", "load"]


def load(
    path: str | PathLike[str],
    *,
    data: bytes | None = None,
    comments: bool = False,
    whole_page: bool = False,
    ocr: str | None = None,
    password: str | None = None,
) -> Record:
    """Loads a file, or `data` of which `path` is the name, and returns its `text`, `format`, `outline`, `pages` and
    `metadata`. Places in the text are bytes of UTF-8.

    `comments` are those of Word documents and PDF files, `whole_page` reads a web page with what stands around its main
    part, `ocr` names the languages of pages that are pictures (`eng+deu`; it needs `tesseract`), `password` opens a PDF.
    """
    return read(Loader(comments, whole_page, ocr, password).load(path, data).wait())


async def aload(
    path: str | PathLike[str],
    *,
    data: bytes | None = None,
    comments: bool = False,
    whole_page: bool = False,
    ocr: str | None = None,
    password: str | None = None,
) -> Record:
    """As `load`."""
    return read(await done(Loader(comments, whole_page, ocr, password).load(path, data)))
