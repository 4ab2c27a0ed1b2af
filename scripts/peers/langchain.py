"""Cuts files with a splitter of langchain-text-splitters, and prints what the Rust program prints."""

import json
import sys
import time
from pathlib import Path

from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

LEVELS = [("#" * level, f"h{level}") for level in range(1, 7)]


def splitter(name):
    if name == "chars langchain":
        return RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200).split_text
    if name == "cl100k langchain":
        made = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
            "cl100k_base", chunk_size=512, chunk_overlap=64, disallowed_special=()
        )
        made.split_text("a")
        return made.split_text
    if name == "markdown-chars langchain":
        return MarkdownHeaderTextSplitter(LEVELS, strip_headers=False).split_text
    raise SystemExit(f"there is no splitter `{name}`")


def main():
    name, documents, repeat, *files = sys.argv[1:]
    cut = splitter(name)
    texts = [Path(file).read_bytes().decode() for file in files]
    if documents == "one":
        texts = ["".join(texts) * int(repeat)]
    seconds = []
    for _ in range(2):
        start = time.thread_time()
        chunks = sum(len(cut(text)) for text in texts)
        seconds.append(time.thread_time() - start)
    size = sum(len(text.encode()) for text in texts)
    print(json.dumps({"bytes": size, "seconds": seconds, "quality": {"chunks": chunks}}))


main()
