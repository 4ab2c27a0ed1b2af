"""LangChain's splitters, at many times the speed: the same chunks, by the same constructors.

>>> from sectile.langchain import RecursiveCharacterTextSplitter
>>> RecursiveCharacterTextSplitter(chunk_size=12, chunk_overlap=0).split_text("One two three.\\n\\nFour.")
['One two', 'three.', 'Four.']

Where `langchain-text-splitters` is installed they are subclasses of its `TextSplitter`, and what they make are its
documents. `SectileLoader` loads files, and `SectileRetriever` finds what is in a `sectile.Library`; both need
`langchain-core`.
"""

from __future__ import annotations

import pathlib
from collections.abc import Collection
from typing import IO, TYPE_CHECKING, Any, Literal

from sectile._langchain_splitter import NATIVE, Document, _encoding, _has, _Splitter, _TextSplitter, _theirs
from sectile._sectile import HtmlHeaders, MarkdownHeaders, Splitter, separators_for_language

if TYPE_CHECKING:
    from langchain_text_splitters import Language as Language
    from langchain_text_splitters import TextSplitter as TextSplitter
    from langchain_text_splitters.markdown import LineType

    from sectile._langchain_library import SectileLoader, SectileRetriever

__all__ = [
    "CharacterTextSplitter",
    "Document",
    "HTMLHeaderTextSplitter",
    "LatexTextSplitter",
    "MarkdownHeaderTextSplitter",
    "MarkdownTextSplitter",
    "PythonCodeTextSplitter",
    "RecursiveCharacterTextSplitter",
    "SectileLoader",
    "SectileRetriever",
    "TokenTextSplitter",
]


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name not in ("SectileLoader", "SectileRetriever"):
        return _of_langchain(name)
    try:
        from sectile import _langchain_library
    except ImportError as error:
        raise ImportError(f"{name} needs LangChain: pip install langchain-core") from error
    return getattr(_langchain_library, name)


def _of_langchain(name: str) -> Any:
    """Returns what is LangChain's own, and not ours, where it goes with our splitters."""
    if _theirs is not None and name in ("Language", "TextSplitter"):
        return getattr(_theirs, name)
    if name in ("Language", "TextSplitter"):
        raise ImportError(f"{name} is LangChain's own: pip install langchain-text-splitters")
    if _theirs is not None and hasattr(_theirs, name):
        raise ImportError(f"{__name__} has no {name}: keep importing it from langchain_text_splitters")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class CharacterTextSplitter(_TextSplitter):
    """LangChain's `CharacterTextSplitter`: splits at one separator, and merges what fits into a chunk.

    `exact_start_index` and `length_function` are those of `RecursiveCharacterTextSplitter`.
    """

    def __init__(
        self,
        separator: str = "\n\n",
        is_separator_regex: bool = False,
        exact_start_index: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(exact_start_index=exact_start_index, **kwargs)
        self._separator = separator
        self._is_separator_regex = is_separator_regex
        self._splitter_for([])

    def _settings(self, texts):
        [separator] = self._expressions([self._separator], texts)
        return self._chunk_size, self._chunk_overlap, separator, self._is_separator_regex, self._options()

    def _make(self, size, overlap, separator, regex, options):
        return Splitter.character(size, overlap, separator, regex=regex, **options)

    def _is_own(self) -> bool:
        return _has(self, *_CHARACTER) and not self._merges()

    def split_text(self, text: str) -> list[str]:
        """Splits a text."""
        if self._merges():
            return _theirs.CharacterTextSplitter.split_text(self, text)
        return self._splitter_for([text]).split(text)


_CHARACTER = (CharacterTextSplitter.split_text,)


class RecursiveCharacterTextSplitter(_TextSplitter):
    """LangChain's `RecursiveCharacterTextSplitter`.

    `exact_start_index` makes `start_index` the place where the chunk stands. By default it is what LangChain says: the
    first place behind the chunk before where the same text stands, which is another one where text repeats, and for
    sizes in tokens more often than not. A subclass that splits in its own way has no such places: `create_documents`
    raises `ValueError`.

    A `length_function` other than `len` is called for each piece, which takes most of the time; `from_tiktoken_encoder`
    counts `cl100k_base`, `o200k_base` and `gpt2` without Python.
    """

    def __init__(
        self,
        separators: list[str] | None = None,
        keep_separator: bool | Literal["start", "end"] = True,
        is_separator_regex: bool = False,
        exact_start_index: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(exact_start_index=exact_start_index, keep_separator=keep_separator, **kwargs)
        self._separators = separators or ["\n\n", "\n", " ", ""]
        self._is_separator_regex = is_separator_regex
        self._splitter_for([])

    def _settings(self, texts):
        separators = self._expressions(self._separators, texts)
        return self._chunk_size, self._chunk_overlap, separators, self._is_separator_regex, self._options()

    def _make(self, size, overlap, separators, regex, options):
        return Splitter.recursive(size, overlap, separators, regex=regex, **options)

    def _is_own(self) -> bool:
        return _has(self, *_RECURSIVE) and not self._merges()

    def split_text(self, text: str) -> list[str]:
        """Splits a text."""
        return self._split_text(text, self._separators)

    def _split_text(self, text: str, separators: list[str]) -> list[str]:
        """Splits a text at other separators, as subclasses of LangChain's class do."""
        if self._merges():
            return _theirs.RecursiveCharacterTextSplitter._split_text(self, text, separators)
        if separators == self._separators:
            return self._splitter_for([text]).split(text)
        size, overlap, _, regex, options = self._settings([text])
        return self._make(size, overlap, self._expressions(separators, [text]), regex, options).split(text)

    @classmethod
    def from_language(cls, language: Any, **kwargs: Any) -> RecursiveCharacterTextSplitter:
        """Makes a splitter for a language, by LangChain's `Language` or its name."""
        return cls(separators=cls.get_separators_for_language(language), is_separator_regex=True, **kwargs)

    @staticmethod
    def get_separators_for_language(language: Any) -> list[str]:
        """Returns LangChain's separators for a language."""
        return separators_for_language(getattr(language, "value", language))


_RECURSIVE = (RecursiveCharacterTextSplitter.split_text, RecursiveCharacterTextSplitter._split_text)


class MarkdownTextSplitter(RecursiveCharacterTextSplitter):
    """LangChain's `MarkdownTextSplitter`: splits at the separators of Markdown, as text and not as expressions."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(separators=self.get_separators_for_language("markdown"), **kwargs)


class PythonCodeTextSplitter(RecursiveCharacterTextSplitter):
    """LangChain's `PythonCodeTextSplitter`: splits at the separators of Python, as text and not as expressions."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(separators=self.get_separators_for_language("python"), **kwargs)


class LatexTextSplitter(RecursiveCharacterTextSplitter):
    """LangChain's `LatexTextSplitter`: splits at the separators of LaTeX, as text and not as expressions."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(separators=self.get_separators_for_language("latex"), **kwargs)


class TokenTextSplitter(_TextSplitter):
    """LangChain's `TokenTextSplitter`: windows of tokens.

    A window may begin or end inside a character, and has U+FFFD there, as LangChain's has. `whole_characters` gives
    each character to one window. Text that looks like a special token is text, unless `allowed_special` names it.
    Encodings other than `cl100k_base`, `o200k_base` and `gpt2` need the package `tiktoken`.
    """

    def __init__(
        self,
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Literal["all"] | Collection[str] | None = None,
        disallowed_special: Literal["all"] | Collection[str] = "all",
        exact_start_index: bool = False,
        whole_characters: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(exact_start_index=exact_start_index, **kwargs)
        if self._chunk_overlap >= self._chunk_size:
            raise ValueError("chunk_overlap must be smaller than chunk_size, in tokens")
        name = _encoding(encoding_name, model_name)
        self._encoding = name
        self._whole_characters = whole_characters
        self._special = {"allowed_special": allowed_special or set(), "disallowed_special": disallowed_special}
        self._is_native = name in NATIVE and not allowed_special
        if not self._is_native and (exact_start_index or whole_characters):
            raise ValueError(f"exact_start_index and whole_characters are for {', '.join(NATIVE)}, not {name}")
        if not self._is_native:
            import tiktoken

            tiktoken.get_encoding(name)

    def _settings(self, texts):
        return self._chunk_size, self._chunk_overlap, self._encoding, self._whole_characters

    def _make(self, size, overlap, encoding, whole_characters):
        return Splitter.tokens(size, overlap, encoding, whole_characters)

    def _is_own(self) -> bool:
        return self._is_native and _has(self, *_TOKENS)

    def split_text(self, text: str) -> list[str]:
        """Splits a text."""
        if self._is_native:
            return self._splitter_for([text]).split(text)
        tokens = self._tokenizer.encode(text, **self._special)
        chunks, start = [], 0
        while start < len(tokens):
            end = start + self._chunk_size
            chunks.append(self._tokenizer.decode(tokens[start:end]))
            if end >= len(tokens):
                break
            start = end - self._chunk_overlap
        return chunks

    @property
    def _tokenizer(self) -> Any:
        """The encoding, as `tiktoken` has it."""
        import tiktoken

        return tiktoken.get_encoding(self._encoding)

    @classmethod
    def from_tiktoken_encoder(
        cls: type[_Splitter],
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Literal["all"] | Collection[str] | None = None,
        disallowed_special: Literal["all"] | Collection[str] = "all",
        **kwargs: Any,
    ) -> _Splitter:
        """Makes a splitter for an encoding."""
        return cls(encoding_name, model_name, allowed_special, disallowed_special, **kwargs)


_TOKENS = (TokenTextSplitter.split_text,)


class MarkdownHeaderTextSplitter:
    """LangChain's `MarkdownHeaderTextSplitter`: parts of a Markdown text, with the headings above them as metadata.

    >>> splitter = MarkdownHeaderTextSplitter([("#", "Chapter"), ("##", "Section")])
    >>> splitter.split_text("# Guide\\n\\n## Start\\n\\nRun it.\\n")[0].metadata
    {'Chapter': 'Guide', 'Section': 'Start'}
    """

    def __init__(
        self,
        headers_to_split_on: list[tuple[str, str]],
        return_each_line: bool = False,
        strip_headers: bool = True,
        custom_header_patterns: dict[str, int] | None = None,
    ) -> None:
        self.headers_to_split_on = sorted(headers_to_split_on, key=lambda header: len(header[0]), reverse=True)
        self.return_each_line = return_each_line
        self.strip_headers = strip_headers
        self.custom_header_patterns = custom_header_patterns or {}

    def split_text(self, text: str) -> list[Document]:
        """Splits a text."""
        # Names may be anything, as in LangChain, so each goes by a number. A heading without a name is in no metadata.
        numbers = {name: str(at) for at, name in enumerate(dict.fromkeys(name for _, name in self.headers_to_split_on))}
        names = {number: name for name, number in numbers.items()}
        headers = [(mark, None if name is None else numbers[name]) for mark, name in self.headers_to_split_on]
        patterns = list(self.custom_header_patterns.items())
        parts = MarkdownHeaders(headers, self.return_each_line, self.strip_headers, patterns).split(text)
        return _documents_of([(part, {names[at]: title for at, title in found.items()}) for part, found in parts])

    def aggregate_lines_to_chunks(self, lines: list[LineType]) -> list[Document]:
        """Joins lines that have the same headings above them, and headings that are kept with the lines below them."""
        parts: list[tuple[str, dict[Any, str]]] = []
        for line in lines:
            content, metadata = line["content"], line["metadata"]
            if parts and (parts[-1][1] == metadata or self._is_heading_of(*parts[-1], metadata)):
                content = f"{parts.pop()[0]}  \n{content}"
            parts.append((content, metadata))
        return _documents_of(parts)

    def _is_heading_of(self, part: str, headings: dict[Any, str], below: dict[Any, str]) -> bool:
        """Says whether a part ends with a heading that is kept with lines that have more headings above them."""
        ends_with_heading = part.rsplit("\n", 1)[-1].startswith("#")
        return not self.strip_headers and ends_with_heading and len(headings) < len(below)


class HTMLHeaderTextSplitter:
    """LangChain's `HTMLHeaderTextSplitter`: parts of a web page, with the headings above them as metadata.

    LangChain puts the words of links and bold type behind the rest of their paragraph, and reads scripts and comments
    as text; so does this. `in_reading_order` gives the text in its order, and only that. Pages are parsed as browsers
    do, so that parts of a page with elements that are not closed may differ, and what stands in `<iframe>` and
    `<noframes>` is text, tags included. Levels are those of HTML, `h1` to `h6`.
    """

    def __init__(
        self,
        headers_to_split_on: list[tuple[str, str]],
        return_each_element: bool = False,
        in_reading_order: bool = False,
    ) -> None:
        self.headers_to_split_on = sorted(headers_to_split_on, key=lambda header: int(header[0][1:]))
        self.return_each_element = return_each_element
        self.in_reading_order = in_reading_order

    def split_text(self, text: str) -> list[Document]:
        """Splits a page."""
        return self._split(text.encode())

    def split_text_from_file(self, file: str | IO[str] | IO[bytes]) -> list[Document]:
        """Splits the page in a file, given by its path or open, as text or binary."""
        page = pathlib.Path(file).read_text("utf-8") if isinstance(file, str) else file.read()
        return self.split_text(page) if isinstance(page, str) else self._split(page)

    def split_text_from_url(self, url: str, timeout: int = 10, **kwargs: Any) -> list[Document]:
        """Splits the page at an address, which LangChain fetches in its way."""
        if _theirs is None:
            raise ImportError("split_text_from_url needs LangChain: pip install langchain-text-splitters")
        fetch: Any = _theirs.HTMLHeaderTextSplitter.split_text_from_url
        return fetch(self, url, timeout, **kwargs)

    def _split(self, page: bytes) -> list[Document]:
        # Names may be anything, as in LangChain, so levels go by their places.
        names = [name for _, name in self.headers_to_split_on]
        headers = [(int(tag[1:]), str(at)) for at, (tag, _) in enumerate(self.headers_to_split_on)]
        parts = HtmlHeaders(headers, self.return_each_element, not self.in_reading_order).split(page)
        return _documents_of([(part, {names[int(at)]: title for at, title in found.items()}) for part, found in parts])


def _documents_of(parts: list[tuple[str, dict[Any, str]]]) -> list[Document]:
    return [Document(page_content=part, metadata=metadata) for part, metadata in parts]
