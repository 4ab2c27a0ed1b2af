"""What `sectile.langchain` stands on where LangChain is not installed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass
class Document:
    """A text with metadata."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)


class _Base:
    def __init__(
        self,
        chunk_size: int = 4000,
        chunk_overlap: int = 200,
        length_function: Callable[[str], int] = len,
        keep_separator: bool | Literal["start", "end"] = False,
        add_start_index: bool = False,
        strip_whitespace: bool = True,
    ) -> None:
        if chunk_size <= 0:
            raise ValueError(f"chunk_size must be > 0, got {chunk_size}")
        if not 0 <= chunk_overlap <= chunk_size:
            raise ValueError(f"chunk_overlap must be from 0 to chunk_size, {chunk_size}, got {chunk_overlap}")
        self._chunk_size = chunk_size
        self._chunk_overlap = chunk_overlap
        self._length_function = length_function
        self._keep_separator = keep_separator
        self._add_start_index = add_start_index
        self._strip_whitespace = strip_whitespace

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        raise NotImplementedError

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        return self.split_documents(list(documents))

    async def atransform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        return await asyncio.to_thread(self.transform_documents, documents)

    @classmethod
    def from_huggingface_tokenizer(cls, tokenizer: Any, **kwargs: Any) -> Any:
        """Makes a splitter whose sizes are tokens of a tokenizer of `transformers`."""
        if not hasattr(tokenizer, "tokenize"):
            raise ValueError("the tokenizer must be one of `transformers`, with the method `tokenize`")
        return cls(length_function=lambda text: len(tokenizer.tokenize(text)), **kwargs)

    @staticmethod
    def _tiktoken_length_function(encoding_name, model_name, allowed_special, disallowed_special):
        import tiktoken

        encoding = tiktoken.encoding_for_model(model_name) if model_name else tiktoken.get_encoding(encoding_name)
        special = {"allowed_special": allowed_special or set(), "disallowed_special": disallowed_special}
        return lambda text: len(encoding.encode(text, **special))
