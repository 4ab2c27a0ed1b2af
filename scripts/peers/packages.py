"""Cuts texts with one package for Python, and prints as JSON what that took.

    packages.py CASE PACKAGE PIECE SIZE FILE...

The texts of the files are joined, repeated up to SIZE bytes and cut into documents of PIECE bytes each.
"""

import asyncio
import json
import sys
import time
from pathlib import Path

CHARACTERS = {"chunk_size": 1000, "chunk_overlap": 200}
TOKENS = {"chunk_size": 512, "chunk_overlap": 64}


def each(cut):
    """Makes a function of many texts of that of one."""
    return lambda texts: sum(len(cut(text)) for text in texts)


def langchain_class(package):
    if package == "sectile":
        from sectile.langchain import RecursiveCharacterTextSplitter
    else:
        from langchain_text_splitters import RecursiveCharacterTextSplitter
    return RecursiveCharacterTextSplitter


def documents(package):
    """Makes documents, 1000 characters with an overlap of 200."""
    if package == "semantic-text-splitter":
        from semantic_text_splitter import TextSplitter

        return each(TextSplitter(1000, overlap=200).chunk_indices)
    if package == "chonkie":
        from chonkie import RecursiveChunker

        return each(RecursiveChunker(tokenizer="character", chunk_size=1000).chunk)
    splitter = langchain_class(package)(**CHARACTERS)
    return lambda texts: len(splitter.create_documents(texts))


def tokens(package):
    """Splits by 512 tokens of cl100k_base with an overlap of 64."""
    if package == "semantic-text-splitter":
        from semantic_text_splitter import TextSplitter

        return each(TextSplitter.from_tiktoken_model("gpt-4", 512, overlap=64).chunks)
    if package == "chonkie":
        import tiktoken
        from chonkie import RecursiveChunker

        return each(RecursiveChunker(tokenizer=tiktoken.get_encoding("cl100k_base"), chunk_size=512).chunk)
    special = {} if package == "sectile" else {"disallowed_special": ()}
    return each(langchain_class(package).from_tiktoken_encoder("cl100k_base", **TOKENS, **special).split_text)


def batch(package):
    """Cuts a column of Arrow on all cores."""
    from sectile import Chunker

    chunker = Chunker("recursive", size=1000, overlap=200, unit="chars")
    return lambda texts: len(chunker.batch(texts))


def markdown(package):
    """Cuts Markdown, 1000 characters."""
    if package == "semantic-text-splitter":
        from semantic_text_splitter import MarkdownSplitter

        return each(MarkdownSplitter(1000).chunks)
    if package == "langchain":
        from langchain_text_splitters import MarkdownTextSplitter

        return each(MarkdownTextSplitter(**CHARACTERS).split_text)
    from sectile import Chunker

    return each(Chunker("markdown", size=1000, overlap=200, unit="chars").chunks)


async def longest_gap(cut, texts):
    """Returns for how long at most an event loop stands still while texts are cut in a thread."""
    work = asyncio.create_task(asyncio.to_thread(cut, texts))
    longest, last = 0.0, time.perf_counter()
    while not work.done():
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    await work
    return longest


def texts_of(files, piece, size):
    whole = "".join(Path(file).read_bytes().decode() for file in files)
    length = len(whole.encode())
    # Characters for that many bytes.
    characters = max(1, piece * len(whole) // length)
    whole = (whole * (size // length + 1))[: size * len(whole) // length]
    return [whole[at : at + characters] for at in range(0, len(whole), characters)]


CASES = {"documents": documents, "tokens": tokens, "batch": batch, "loop": markdown}


def main():
    case, package, piece, size, *files = sys.argv[1:]
    texts = texts_of(files, int(piece), int(size))
    cut = CASES[case](package)
    cut([texts[0][:100]])
    found = {"bytes": sum(len(text.encode()) for text in texts)}
    if case == "loop":
        found["seconds"] = asyncio.run(longest_gap(cut, texts))
    else:
        if case == "batch":
            import pyarrow

            texts = pyarrow.array(texts, pyarrow.large_string())
        clock = time.perf_counter if case == "batch" else time.thread_time
        start = clock()
        found["chunks"] = cut(texts)
        found["seconds"] = clock() - start
    print(json.dumps(found))


main()
