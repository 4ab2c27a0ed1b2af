"""Chunkers as a node parser of LlamaIndex.

>>> from llama_index.core.schema import Document
>>> from sectile.llama_index import SectileNodeParser
>>> parser = SectileNodeParser(strategy="markdown", size=20, overlap=0, unit="chars")
>>> nodes = parser.get_nodes_from_documents([Document(text="# Guide\\n\\n## Install\\n\\nRun it.\\n")])
>>> nodes[-1].metadata["headings"]
'Guide > Install'
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

from sectile._placed import placed
from sectile._sectile import Chunker

try:
    from llama_index.core.bridge.pydantic import ConfigDict, Field
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits
    from llama_index.core.schema import BaseNode, MetadataMode
    from llama_index.core.utils import get_tqdm_iterable
except ImportError as error:
    raise ImportError("sectile.llama_index needs LlamaIndex: pip install llama-index-core") from error

__all__ = ["SectileNodeParser"]


class SectileNodeParser(NodeParser):
    """Cuts documents into nodes by a strategy of `sectile.Chunker`.

    `start_char_idx` and `end_char_idx` are where a node stands, also where its text repeats. The metadata of a node has
    its `headings` (joined by ` > `, as vector stores take no lists), `first_line` and `last_line` beside that of its
    document, and where a table is cut its header as `table_header`. What its document has under these names stays as it
    is. The lines are not embedded. Without `include_metadata` there is no metadata.

    The options are those of `sectile.Chunker`, but for `heading_path_in_text`, as the headings are in the metadata. With
    `name_field="file_path"` a document is cut as what the path in its metadata says: source code, for example.
    """

    model_config = ConfigDict(extra="forbid")

    strategy: str = Field(default="markdown", description="How to cut: markdown, sentence, token, recursive or sections.")
    size: int | None = Field(default=None, description="The largest chunk, in the unit.")
    overlap: int | None = Field(default=None, description="The largest overlap, in the unit.")
    unit: str | None = Field(default=None, description="What sizes count: chars, cl100k_base, o200k_base or heuristic.")
    separators: list[str] | None = Field(default=None, description="The separators of `recursive`, coarsest first.")
    language: str | None = Field(default=None, description="The language whose separators `recursive` takes.")
    keep_separator: Literal["start", "end", "none"] | None = Field(
        default=None, description="Where `recursive` leaves a separator: start, end or none."
    )
    trim: bool = Field(default=True, description="Whether `recursive` strips white space from the ends of chunks.")
    long_sentences: Literal["split", "keep"] | None = Field(
        default=None, description="What `sentence` does with sentences that are longer than a chunk."
    )
    merge_below: int = Field(default=0, description="The size below which `markdown` merges sections.")
    name_field: str | None = Field(default=None, description="Where metadata has the path or address of a document.")

    def model_post_init(self, context: Any) -> None:
        super().model_post_init(context)
        self._chunker()

    def _chunker(self) -> Chunker:
        return Chunker(
            self.strategy,
            size=self.size,
            overlap=self.overlap,
            unit=self.unit,
            separators=self.separators,
            language=self.language,
            keep_separator=self.keep_separator,
            trim=self.trim,
            long_sentences=self.long_sentences,
            merge_below=self.merge_below,
        )

    @classmethod
    def class_name(cls) -> str:
        return "SectileNodeParser"

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        chunker = self._chunker()
        parsed: list[BaseNode] = []
        for node in get_tqdm_iterable(nodes, show_progress, "Parsing nodes"):
            text = node.get_content(metadata_mode=MetadataMode.NONE)
            found = list(placed(chunker, text, node.metadata, self.name_field))
            made = build_nodes_from_splits([text for _, text, _ in found], node, id_func=self.id_func)
            for one, (chunk, _, own) in zip(made, found):
                if self.include_metadata:
                    _describe(one, own, node)
                # Nodes are sought in their document after this, and may be found elsewhere.
                one.metadata[_PLACE] = (chunk.start, chunk.end)
            parsed += made
        return parsed

    async def _aparse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        return await asyncio.to_thread(self._parse_nodes, nodes, show_progress=show_progress, **kwargs)

    def _postprocess_parsed_nodes(self, nodes, parent_doc_map):
        places = [node.metadata.pop(_PLACE) for node in nodes]
        nodes = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node, (start, end) in zip(nodes, places):
            node.start_char_idx, node.end_char_idx = start, end
        return nodes


def _describe(node: BaseNode, own: dict[str, Any], document: BaseNode) -> None:
    """Gives a node its own metadata, and that of its document."""
    own["headings"] = " > ".join(own["headings"])
    node.metadata = {**own, **document.metadata}
    hidden = [name for name in _LINES if name not in document.metadata]
    node.excluded_embed_metadata_keys = [*document.excluded_embed_metadata_keys, *hidden]


_PLACE = "_sectile_place"

# Numbers, which say nothing of what a text is about.
_LINES = ("first_line", "last_line")
