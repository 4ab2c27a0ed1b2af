"""LangChain's splitters, at many times the speed: the same chunks, by the same constructors.

>>> from sectile.langchain import RecursiveCharacterTextSplitter
>>> RecursiveCharacterTextSplitter(chunk_size=12, chunk_overlap=0).split_text("One two three.\\n\\nFour.")
['One two', 'three.', 'Four.']

Where `langchain-text-splitters` is installed they are subclasses of its `TextSplitter`, and what they make are its
documents. `SectileLoader` loads files, and `SectileRetriever` finds what is in a `sectile.Library`; both need
`langchain-core`.
"""

from __future__ import annotations

import copy
import pathlib
import sys
from collections.abc import Collection, Iterable
from typing import IO, TYPE_CHECKING, Any, Literal, TypeVar

from sectile._regex import for_rust, has_edges, words_differ
from sectile._sectile import DocumentMaker, HtmlHeaders, MarkdownHeaders, Splitter, count_tokens, separators_for_language

try:
    import langchain_text_splitters as _theirs
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter as _Base
except ImportError:
    _theirs = None
    from sectile._langchain_base import Document, _Base

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


# The encodings of tiktoken that are counted in Rust.
NATIVE = ("cl100k_base", "gpt2", "o200k_base", "r50k_base")

# What pydantic keeps of a document that was made without an id.
_FIELDS = {"id", "metadata", "page_content", "type"}


def _maker() -> DocumentMaker | None:
    """Returns what makes documents fast, if they are made of what it knows."""
    model = Document(page_content="")
    if getattr(model, "__dict__", {}).keys() != _FIELDS or getattr(model, "__pydantic_private__", 0) is not None:
        return None
    return DocumentMaker(Document, model.type)


_documents = _maker()

# What a subclass may put in the place of LangChain's own, as it was when it was imported.
_HOOKS = () if _theirs is None else (_Base._merge_splits, _Base._join_docs)


def _has(splitter: Any, *methods: Any) -> bool:
    """Says whether a splitter has these methods, and no others in their place: those of a subclass, those that were set on
    the splitter, or those that were put into the class later."""
    return all(getattr(getattr(splitter, method.__name__), "__func__", None) is method for method in methods)


# What may be in metadata that a copy for each chunk can share.
_PLAIN = (str, int, float, bool, type(None), bytes)


def _is_plain(metadata: dict[Any, Any]) -> bool:
    return all(type(key) in _PLAIN and type(value) in _PLAIN for key, value in metadata.items())


_Splitter = TypeVar("_Splitter", bound="_TextSplitter")


class _TextSplitter(_Base):
    """What the splitters have in common."""

    def __init__(self, *, exact_start_index: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._exact_start_index = exact_start_index
        self._made: tuple[Any, Splitter] | None = None

    def _make(self, *settings: Any) -> Splitter:
        raise NotImplementedError

    def _settings(self, texts: Iterable[str]) -> tuple[Any, ...]:
        """What `_make` takes for texts: the attributes as they are now."""
        raise NotImplementedError

    def _splitter_for(self, texts: Iterable[str]) -> Splitter:
        """What splits texts. It is made anew where an attribute was set to something else."""
        settings, made = self._settings(texts), self._made
        # Another thread may set `_made` meanwhile, for texts that it splits in another way.
        if made is None or made[0] != settings:
            made = self._made = settings, self._make(*settings)
        return made[1]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": None}

    def _is_own(self) -> bool:
        """Says whether it splits as its class does, and no subclass or caller has it split in another way."""
        raise NotImplementedError

    def _merges(self) -> bool:
        """Says whether it merges splits in another way than LangChain, which is called from LangChain's code alone."""
        return not _has(self, *_HOOKS)

    def _is_exact(self) -> bool:
        """Says whether documents are to have the places of their chunks."""
        return self._add_start_index and self._exact_start_index

    def _is_looked_for(self) -> bool:
        """Says whether documents are to have the places that LangChain finds."""
        return self._add_start_index and not self._exact_start_index

    def _is_usual(self, metadatas: list[Any]) -> bool:
        """Says whether documents can be made in Rust: of dictionaries, and with an overlap that can be a place."""
        can_find = not self._is_looked_for() or type(self._chunk_overlap) is int
        return can_find and all(type(metadata) is dict for metadata in metadatas)

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """Splits texts into documents, each with a copy of the metadata of its text."""
        metadatas = metadatas or []
        if self._is_exact() and not self._is_own():
            name = type(self).__name__
            raise ValueError(f"exact_start_index is not for {name}, which splits in its own way; leave the option out")
        if _documents is not None and self._is_own() and self._is_usual(metadatas):
            return self._splitter_for(texts).documents(
                _documents,
                texts,
                metadatas,
                copy=None if all(map(_is_plain, metadatas)) else copy.deepcopy,
                starts=bool(self._add_start_index),
                overlap=min(self._chunk_overlap, sys.maxsize) if self._is_looked_for() else None,
            )
        documents = []
        for at, text in enumerate(texts):
            for chunk, start in self._placed(text):
                metadata = copy.deepcopy(metadatas[at]) if metadatas else {}
                if self._add_start_index:
                    metadata["start_index"] = start
                documents.append(Document(page_content=chunk, metadata=metadata))
        return documents

    def _placed(self, text: str) -> Iterable[tuple[str, int]]:
        if self._is_exact():
            for chunk in self._splitter_for([text]).chunks(text):
                yield chunk.text, chunk.start
            return
        index, length = 0, 0
        for chunk in self.split_text(text):
            index = text.find(chunk, max(0, index + length - self._chunk_overlap)) if self._add_start_index else -1
            yield chunk, index
            length = len(chunk)

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Splits documents."""
        documents = list(documents)
        texts = [document.page_content for document in documents]
        return self.create_documents(texts, [document.metadata for document in documents])

    @classmethod
    def from_tiktoken_encoder(
        cls: type[_Splitter],
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Literal["all"] | Collection[str] | None = None,
        disallowed_special: Literal["all"] | Collection[str] = "all",
        **kwargs: Any,
    ) -> _Splitter:
        """Makes a splitter whose sizes are tokens of tiktoken.

        Text that looks like a special token counts as text; tiktoken refuses it. Of other encodings than
        `cl100k_base`, `o200k_base` and `gpt2` each piece is counted in Python.
        """
        name = _encoding(encoding_name, model_name)
        if name in NATIVE and not allowed_special:
            return cls(length_function=_Unit(name), **kwargs)
        length = cls._tiktoken_length_function(encoding_name, model_name, allowed_special, disallowed_special)
        return cls(length_function=length, **kwargs)

    def _expressions(self, separators: list[str], texts: Iterable[str]) -> list[str]:
        """Separators as Rust understands them."""
        if not self._is_separator_regex:
            return [*separators]
        exact_edges = any(map(has_edges, separators)) and any(map(words_differ, texts))
        return [for_rust(separator, exact_edges) for separator in separators]

    def _options(self) -> dict[str, Any]:
        """What `Splitter` takes of LangChain's options."""
        length = self._length_function
        # Of sizes with a fraction only functions know.
        if all(float(size).is_integer() for size in (self._chunk_size, self._chunk_overlap)):
            length = None if length is len else getattr(length, "sectile_unit", length)
        keep = self._keep_separator
        return {
            "keep": "end" if keep == "end" else "start" if keep else "none",
            "trim": bool(self._strip_whitespace),
            "length": length,
        }


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


def _encoding(name: str, model: str | None) -> str:
    if model is None:
        return name
    import tiktoken

    return tiktoken.encoding_name_for_model(model)


class _Unit:
    """Counts the tokens of an encoding, in Rust where it can."""

    def __init__(self, name: str) -> None:
        self.sectile_unit = name

    def __call__(self, text: str) -> int:
        return count_tokens(text, self.sectile_unit)
