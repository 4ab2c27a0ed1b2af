"""Text to sections, chunks and answers, and agent state that is kept safe.

>>> from sectile import Chunker
>>> chunks = Chunker("markdown", size=40, overlap=0, unit="chars").chunks("# Guide\\n\\nRead me.\\n\\n## Install\\n\\nRun it.\\n")
>>> [chunk.headings for chunk in chunks]
[('Guide',), ('Guide', 'Install')]
>>> chunks[1].text
'## Install\\n\\nRun it.\\n'

LangChain's splitters are in `sectile.langchain`, the checkpointer for LangGraph is in `sectile.langgraph`.
"""

from sectile import _worker
from sectile.errors import Error
from sectile._sectile import Chunk, ChunkBatches, Chunker, HitBatch, __version__, count_tokens, set_host
from sectile.library import Library
from sectile.loading import aload, load
from sectile.models import ChatModel, Embedder, Reranker

__all__ = [
    "ChatModel",
    "Chunk",
    "ChunkBatches",
    "Chunker",
    "Embedder",
    "Error",
    "HitBatch",
    "Library",
    "Reranker",
    "__version__",
    "aload",
    "count_tokens",
    "load",
]

# Files that may be hostile are parsed in processes of the program, which this package is.
set_host(_worker.command())
del set_host
