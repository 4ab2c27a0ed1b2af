"""Loads files with a library of Python, and answers as the Rust program does."""

import json
import subprocess
import sys
import time


def pypdf(path):
    import pypdf

    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def pdfminer(path):
    from pdfminer.high_level import extract_text

    return extract_text(path)


def python_docx(path):
    import docx
    from docx.table import Table

    def blocks(container):
        for block in container.iter_inner_content():
            if isinstance(block, Table):
                for row in block.rows:
                    for cell in row.cells:
                        yield from blocks(cell)
            else:
                yield block.text

    return "\n".join(blocks(docx.Document(path)))


def docx2txt(path):
    import docx2txt

    return docx2txt.process(path)


def pandoc(path):
    done = subprocess.run(["pandoc", "-t", "gfm", path], check=True, capture_output=True, text=True)
    return done.stdout


LOADERS = {
    "pypdf": pypdf, "pdfminer.six": pdfminer, "python-docx": python_docx, "docx2txt": docx2txt, "pandoc": pandoc,
}


def main():
    load = LOADERS[sys.argv[1]]
    for path in sys.stdin:
        start = time.perf_counter()
        try:
            answer = {"text": load(path.strip())}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"seconds": time.perf_counter() - start, **answer}), flush=True)


main()
