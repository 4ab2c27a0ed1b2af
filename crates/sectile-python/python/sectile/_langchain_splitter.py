"""What LangChain's splitters in `sectile.langchain` have in common."""

from __future__ import annotations

import copy
import sys
from collections.abc import Collection, Iterable
from typing import Any, Literal, TypeVar

from sectile._regex import for_rust, has_edges, words_differ
from sectile._sectile import DocumentMaker, Splitter, count_tokens

try:
    import langchain_text_splitters as _theirs
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter as _Base
except ImportError:
    _theirs = None
    from sectile._langchain_base import Document, _Base

__all__ = ["NATIVE", "Document", "_Splitter", "_TextSplitter", "_encoding", "_has", "_theirs"]

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
