"""LangChain's splitters, at many times the speed: the same chunks, by the same constructor.

>>> from sectile.langchain import RecursiveCharacterTextSplitter
>>> RecursiveCharacterTextSplitter(chunk_size=12, chunk_overlap=0).split_text("One two three.\\n\\nFour.")
['One two', 'three.', 'Four.']

Where `langchain-text-splitters` is installed they are subclasses of its `TextSplitter`, and what they make are its
documents.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable
from typing import Any, Literal

from sectile._sectile import Splitter, separators_for_language

try:
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter as _Base
except ImportError:
    from sectile._langchain_base import Document, _Base

__all__ = ["Document", "RecursiveCharacterTextSplitter"]

# The encodings of tiktoken that are counted in Rust, and the models that have them.
NATIVE = ("cl100k_base", "o200k_base")

# What pydantic keeps of a document that was made without an id.
_FIELDS = {"id", "metadata", "page_content", "type"}
_new, _set = object.__new__, object.__setattr__


def _fast_maker():
    """Returns what makes documents of texts and metadata that are right, without pydantic looking at each again."""
    model = Document(page_content="")
    if getattr(model, "__dict__", {}).keys() != _FIELDS or getattr(model, "__pydantic_private__", 0) is not None:
        return lambda text, metadata: Document(page_content=text, metadata=metadata)
    kind = model.type

    def make(text, metadata):
        document = _new(Document)
        _set(document, "__dict__", {"id": None, "metadata": metadata, "page_content": text, "type": kind})
        _set(document, "__pydantic_fields_set__", {"metadata", "page_content"})
        _set(document, "__pydantic_extra__", None)
        _set(document, "__pydantic_private__", None)
        return document

    return make


_document = _fast_maker()

# What may be in metadata that a copy for each chunk can share.
PLAIN = (str, int, float, bool, type(None), bytes)


class RecursiveCharacterTextSplitter(_Base):
    """LangChain's `RecursiveCharacterTextSplitter`.

    `exact_start_index` makes `start_index` the place where the chunk stands. By default it is what LangChain says: the
    first place behind the chunk before where the same text stands, which is another one where text repeats, and for
    sizes in tokens more often than not.

    A `length_function` other than `len` is called for each piece, which takes most of the time; `from_tiktoken_encoder`
    counts `cl100k_base` and `o200k_base` without Python.
    """

    def __init__(
        self,
        separators: list[str] | None = None,
        keep_separator: bool | Literal["start", "end"] = True,
        is_separator_regex: bool = False,
        exact_start_index: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(keep_separator=keep_separator, **kwargs)
        self._separators = separators or ["\n\n", "\n", " ", ""]
        self._is_separator_regex = is_separator_regex
        self._exact_start_index = exact_start_index
        self._splitter = self._make()

    def _make(self) -> Splitter:
        keep = {True: "start", False: "none"}.get(self._keep_separator, self._keep_separator)
        length = getattr(self._length_function, "sectile_unit", self._length_function)
        return Splitter(
            self._chunk_size,
            self._chunk_overlap,
            separators=self._separators,
            regex=self._is_separator_regex,
            keep=keep,
            trim=self._strip_whitespace,
            length=None if length is len else length,
        )

    def split_text(self, text: str) -> list[str]:
        """Splits a text."""
        return self._splitter.split(text)

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """Splits texts into documents, each with a copy of the metadata of its text."""
        documents = []
        for at, text in enumerate(texts):
            metadata = metadatas[at] if metadatas else {}
            is_plain = all(type(value) in PLAIN for value in metadata.values())
            copied = metadata.copy if is_plain else lambda: copy.deepcopy(metadata)  # noqa: B023
            if not self._add_start_index:
                documents += [_document(chunk, copied()) for chunk in self.split_text(text)]
                continue
            for chunk, start in self._placed(text):
                documents.append(_document(chunk, {**copied(), "start_index": start}))
        return documents

    def _placed(self, text: str) -> Iterable[tuple[str, int]]:
        if self._exact_start_index:
            for chunk in self._splitter.chunks(text):
                yield chunk.text, chunk.start
            return
        index, length = 0, 0
        for chunk in self.split_text(text):
            index = text.find(chunk, max(0, index + length - self._chunk_overlap))
            yield chunk, index
            length = len(chunk)

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Splits documents."""
        documents = list(documents)
        texts = [document.page_content for document in documents]
        return self.create_documents(texts, [document.metadata for document in documents])

    @classmethod
    def from_language(cls, language: Any, **kwargs: Any) -> RecursiveCharacterTextSplitter:
        """Makes a splitter for a language, by LangChain's `Language` or its name."""
        return cls(separators=cls.get_separators_for_language(language), is_separator_regex=True, **kwargs)

    @staticmethod
    def get_separators_for_language(language: Any) -> list[str]:
        """Returns LangChain's separators for a language."""
        return separators_for_language(getattr(language, "value", language))

    @classmethod
    def from_tiktoken_encoder(
        cls,
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Literal["all"] | Collection[str] | None = None,
        disallowed_special: Literal["all"] | Collection[str] = "all",
        **kwargs: Any,
    ) -> RecursiveCharacterTextSplitter:
        """Makes a splitter whose sizes are tokens of tiktoken.

        Text that looks like a special token counts as text; tiktoken refuses it. Of other encodings than `cl100k_base`
        and `o200k_base` each piece is counted in Python.
        """
        name = encoding_name
        if model_name is not None:
            import tiktoken

            name = tiktoken.encoding_name_for_model(model_name)
        if name in NATIVE and not allowed_special:
            return cls(length_function=_Unit(name), **kwargs)
        length = cls._tiktoken_length_function(encoding_name, model_name, allowed_special, disallowed_special)
        return cls(length_function=length, **kwargs)


class _Unit:
    """Counts the tokens of an encoding, in Rust where it can."""

    def __init__(self, name: str) -> None:
        self.sectile_unit = name

    def __call__(self, text: str) -> int:
        from sectile import count_tokens

        return count_tokens(text, self.sectile_unit)
