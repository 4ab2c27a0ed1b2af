"""The node parser for LlamaIndex, and the component for Haystack."""

import asyncio
import copy
import pickle
import threading

import pytest
from haystack import Document as HaystackDocument
from haystack import Pipeline
from haystack.components.retrievers import SentenceWindowRetriever
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import Document, MetadataMode, NodeRelationship
from llama_index.core.vector_stores.utils import node_to_metadata_dict

from sectile import Chunker
from sectile.haystack import SectileSplitter
from sectile.llama_index import SectileNodeParser

TABLE = "# Guide\n\n| name | value |\n|---|---|\n" + "".join(f"| name {at} | value {at} |\n" for at in range(8))
TABLE += "\n## After\n\nThe dose is 5 mg, never more.\n"
TEXT = "# Guide\n\nSame words. Same words.\n\n## Install 漢字\n\nSame words. Run it.\n\n## End\n\nSame words.\n"
OPTIONS = {"strategy": "sentence", "size": 12, "overlap": 0, "unit": "chars"}


def test_nodes_know_their_places():
    parser = SectileNodeParser(**OPTIONS)
    nodes = parser.get_nodes_from_documents([Document(text=TEXT, metadata={"file": "a.md"}), Document(text="")])
    assert len(nodes) > 5 and len({node.node_id for node in nodes}) == len(nodes)
    for node in nodes:
        assert TEXT[node.start_char_idx : node.end_char_idx] == node.text
        assert node.metadata["file"] == "a.md"
    starts = [node.start_char_idx for node in nodes]
    assert starts == sorted(set(starts))
    assert nodes[0].relationships[NodeRelationship.NEXT].node_id == nodes[1].node_id
    assert nodes[1].relationships[NodeRelationship.PREVIOUS].node_id == nodes[0].node_id
    assert nodes[0].source_node.node_id == nodes[-1].source_node.node_id


def test_nodes_know_their_headings():
    parser = SectileNodeParser(strategy="markdown", size=30, overlap=0, unit="chars")
    nodes = parser.get_nodes_from_documents([Document(text=TEXT)])
    assert "Guide > Install 漢字" in [node.metadata["headings"] for node in nodes]
    assert all(not key.startswith("_") for node in nodes for key in node.metadata)


def test_metadata_of_nodes_is_flat_and_that_of_documents_stays():
    parser = SectileNodeParser(**OPTIONS)
    nodes = parser.get_nodes_from_documents([Document(text=TEXT, metadata={"headings": "mine", "first_line": 99})])
    for node in nodes:
        assert (node.metadata["headings"], node.metadata["first_line"]) == ("mine", 99)
        assert node.metadata["last_line"] >= 1
        assert node_to_metadata_dict(node, flat_metadata=True)["headings"] == "mine"
    for node in parser.get_nodes_from_documents([Document(text=TEXT)]):
        node_to_metadata_dict(node, flat_metadata=True)


def test_nodes_of_a_table_that_is_cut_have_its_header_beside_their_text():
    parser = SectileNodeParser(strategy="markdown", size=100, overlap=0, unit="chars")
    nodes = parser.get_nodes_from_documents([Document(text=TABLE)])
    for node in nodes:
        assert TABLE[node.start_char_idx : node.end_char_idx] == node.text
    assert "".join(node.text for node in nodes) == TABLE
    headers = {node.metadata.get("table_header") for node in nodes}
    assert headers == {None, "| name | value |\n|---|---|\n"}


# Options that each strategy has, with a text that they cut otherwise than the defaults do.
CODE = "class A:\n    x = 1\n\n    def f(self):\n        return self.x\n\n\ndef g():\n    return 2\n"
STRATEGIES = [
    ({"strategy": "recursive", "size": 24, "overlap": 0, "unit": "chars", "language": "python"}, "x = 1\ndef f():\n    return 2\n"),
    ({"strategy": "recursive", "size": 12, "overlap": 0, "unit": "chars", "separators": ["x", ""], "keep_separator": "end"}, CODE),
    ({"strategy": "recursive", "size": 12, "overlap": 0, "unit": "chars", "keep_separator": "none"}, "a\n\n\n\nb\n\nc d e f g h i j"),
    ({"strategy": "recursive", "size": 12, "overlap": 0, "unit": "chars", "trim": False}, CODE),
    ({"strategy": "sentence", "size": 12, "overlap": 0, "unit": "chars", "long_sentences": "keep"}, "One two three four."),
    ({"strategy": "markdown", "size": 60, "overlap": 0, "unit": "chars", "merge_below": 30}, "# A\n\nOne.\n\n## B\n\nTwo.\n\n## C\n\nC.\n"),
]


@pytest.mark.parametrize(("options", "text"), STRATEGIES)
def test_nodes_and_documents_are_cut_by_the_options_of_a_strategy(options, text):
    usual = {name: options[name] for name in ("strategy", "size", "overlap", "unit")}
    chunks, others = Chunker(**options).chunks(text), Chunker(**usual).chunks(text)
    assert [(chunk.start, chunk.text) for chunk in chunks] != [(chunk.start, chunk.text) for chunk in others]
    places = [(chunk.start, chunk.end) for chunk in chunks]
    nodes = SectileNodeParser(**options).get_nodes_from_documents([Document(text=text)])
    assert [(node.start_char_idx, node.end_char_idx) for node in nodes] == places
    # A pipeline that is written and read has them too.
    splitter = SectileSplitter.from_dict(SectileSplitter(**options).to_dict())
    documents = splitter.run([HaystackDocument(content=text)])["documents"]
    assert [document.content for document in documents] == [text[start:end] for start, end in places]
    for metadata in [node.metadata for node in nodes] + [document.meta for document in documents]:
        assert "table_header" not in metadata


def test_a_document_is_cut_as_what_its_name_says():
    options = {"strategy": "markdown", "size": 40, "overlap": 0, "unit": "chars"}
    expected = [list(chunk.headings) for chunk in Chunker(**options).chunks(CODE, name="a.py")]
    assert expected != [list(chunk.headings) for chunk in Chunker(**options).chunks(CODE)]
    path = {"file_path": "src/a.py"}
    parser = SectileNodeParser(**options, name_field="file_path")
    nodes = parser.get_nodes_from_documents([Document(text=CODE, metadata=path)])
    assert [node.metadata["headings"] for node in nodes] == [" > ".join(headings) for headings in expected]
    splitter = SectileSplitter.from_dict(SectileSplitter(**options, name_field="file_path").to_dict())
    documents = splitter.run([HaystackDocument(content=CODE, meta=path)])["documents"]
    assert [document.meta["headings"] for document in documents] == expected
    # One without a name is Markdown.
    unnamed = parser.get_nodes_from_documents([Document(text=TEXT)])
    assert "Guide" in [node.metadata["headings"] for node in unnamed]


def test_options_that_do_not_exist_or_would_be_ignored_are_refused():
    for wrong in ({"sizes": 3}, {"language": "python"}, {"strategy": "recursive", "language": "klingon"}, {"trim": False}):
        with pytest.raises((TypeError, ValueError)):
            SectileNodeParser(**wrong)
        with pytest.raises((TypeError, ValueError)):
            SectileSplitter(**wrong)


def test_metadata_is_left_out_where_it_is_not_wanted():
    parser = SectileNodeParser(**OPTIONS, include_metadata=False)
    for node in parser.get_nodes_from_documents([Document(text=TEXT, metadata={"secret": "x"})]):
        assert node.metadata == {} and TEXT[node.start_char_idx : node.end_char_idx] == node.text


def test_lines_are_not_embedded():
    document = Document(text=TEXT, metadata={"file": "a.md", "hidden": 1}, excluded_embed_metadata_keys=["hidden"])
    node = SectileNodeParser(**OPTIONS).get_nodes_from_documents([document])[0]
    embedded = node.get_content(metadata_mode=MetadataMode.EMBED)
    assert "file: a.md" in embedded and "headings" in embedded
    assert "line" not in embedded and "hidden" not in embedded
    assert document.excluded_embed_metadata_keys == ["hidden"]
    own = Document(text=TEXT, metadata={"first_line": "mine"})
    node = SectileNodeParser(**OPTIONS).get_nodes_from_documents([own])[0]
    assert "first_line: mine" in node.get_content(metadata_mode=MetadataMode.EMBED)


def test_progress_is_shown(capsys):
    SectileNodeParser(**OPTIONS).get_nodes_from_documents([Document(text=TEXT)], show_progress=True)
    assert "Parsing nodes" in capsys.readouterr().err


def test_the_event_loop_goes_on_while_nodes_are_made():
    parser = SectileNodeParser(**OPTIONS, id_func=lambda i, doc: f"{i} {threading.get_ident()}")
    nodes = asyncio.run(parser.aget_nodes_from_documents([Document(text=TEXT)]))
    threads = {node.node_id.split()[1] for node in nodes}
    assert len(nodes) > 5 and str(threading.get_ident()) not in threads


def test_the_parser_is_written_and_read():
    parser = SectileNodeParser(**OPTIONS)
    document = Document(text=TEXT)
    texts = [node.text for node in parser.get_nodes_from_documents([document])]
    # LlamaIndex does not read what it writes of `id_func`, of its own parsers neither.
    written = {name: value for name, value in parser.to_dict().items() if name != "id_func"}
    copies = [
        SectileNodeParser.from_dict(written),
        copy.deepcopy(parser),
        pickle.loads(pickle.dumps(parser)),
    ]
    for same in copies:
        assert isinstance(same, NodeParser)
        assert [node.text for node in same.get_nodes_from_documents([document])] == texts
    assert [node.text for node in IngestionPipeline(transformations=[parser]).run(documents=[document])] == texts
    with pytest.raises(ValueError):
        SectileNodeParser(strategy="best")


def test_haystack_has_places_and_metadata():
    source = HaystackDocument(content=TEXT, meta={"file": "a.md", "list": [1]})
    pipeline = Pipeline()
    pipeline.add_component("splitter", SectileSplitter(**OPTIONS))
    pipeline = Pipeline.loads(pipeline.dumps(), allowed_modules=["sectile.haystack"])
    documents = pipeline.run({"splitter": {"documents": [source, HaystackDocument(content="")]}})["splitter"]["documents"]
    assert len(documents) > 5 and len({document.id for document in documents}) == len(documents)
    for at, document in enumerate(documents):
        meta = document.meta
        assert TEXT.startswith(document.content, meta["split_idx_start"])
        assert (meta["split_id"], meta["source_id"], meta["file"]) == (at, source.id, "a.md")
    documents[0].meta["list"].append(2)
    assert documents[1].meta["list"] == [1] == source.meta["list"]


def test_haystack_joins_what_was_cut():
    """`SentenceWindowRetriever` merges documents by `split_idx_start` and the length of their content."""
    documents = SectileSplitter("markdown", size=100, overlap=0, unit="chars").run([HaystackDocument(content=TABLE)])["documents"]
    for document in documents:
        assert TABLE.startswith(document.content, document.meta["split_idx_start"])
    assert any(document.meta.get("table_header") == "| name | value |\n|---|---|\n" for document in documents)
    assert SentenceWindowRetriever.merge_documents_text(documents) == TABLE


def test_haystack_refuses_what_has_no_text():
    with pytest.raises(ValueError, match="no text"):
        SectileSplitter().run([HaystackDocument(content=None)])
