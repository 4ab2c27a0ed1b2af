"""Models that are functions of your own.

>>> from sectile.models import Embedder
>>> Embedder("letters", lambda texts: [[text.count("a"), text.count("b")] for text in texts]).embed(["abba"])
[[2, 2]]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["ChatModel", "Embedder", "Reranker"]

Vectors = Sequence[Sequence[float]]


class Embedder:
    """An embedding model. `embed` makes a vector for each of a list of texts, `embed_query` of questions.

    Vectors of different models cannot be compared, so the name is kept beside them: change it with the model. Of
    LangChain's `Embeddings`, pass `embeddings.embed_documents`.
    """

    def __init__(
        self,
        name: str,
        embed: Callable[[list[str]], Vectors],
        embed_query: Callable[[list[str]], Vectors] | None = None,
    ) -> None:
        self.name = name
        self.embed = embed
        self.embed_query = embed_query or embed


class ChatModel:
    """A chat model. `complete` is called with the system prompt, the question, and the most tokens of an answer or
    `None`, and returns the answer."""

    def __init__(self, name: str, complete: Callable[[str, str, int | None], str]) -> None:
        self.name = name
        self.complete = complete


class Reranker:
    """A reranking model. `rerank` is called with the question and a list of texts, and returns a score for each: the higher,
    the better. A call that is late is not waited for, and goes on to its end."""

    def __init__(self, name: str, rerank: Callable[[str, list[str]], Sequence[float]]) -> None:
        self.name = name
        self.rerank = rerank
