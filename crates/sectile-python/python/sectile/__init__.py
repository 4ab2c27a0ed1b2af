"""Text to sections, chunks and answers, and agent state that is kept safe.

>>> from sectile import Chunker
>>> chunks = Chunker("markdown", size=40, overlap=0, unit="chars").chunks("# Guide\\n\\nRead me.\\n\\n## Install\\n\\nRun it.\\n")
>>> [chunk.headings for chunk in chunks]
[('Guide',), ('Guide', 'Install')]
>>> chunks[1].text
'## Install\\n\\nRun it.\\n'

LangChain's splitters are in `sectile.langchain`, the checkpointer for LangGraph is in `sectile.langgraph`.
"""

from sectile._errors import Error
from sectile._sectile import Chunk, Chunker, __version__, count_tokens

__all__ = ["Chunk", "Chunker", "Error", "__version__", "count_tokens"]
