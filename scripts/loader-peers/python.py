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


def python_pptx(path):
    import pptx

    shapes = (shape for slide in pptx.Presentation(path).slides for shape in slide.shapes)
    return "\n".join(shape.text_frame.text for shape in shapes if shape.has_text_frame)


def openpyxl(path):
    import openpyxl

    sheets = openpyxl.load_workbook(path, read_only=True, data_only=True).worksheets
    rows = (row for sheet in sheets for row in sheet.iter_rows(values_only=True))
    return "\n".join(" | ".join("" if value is None else str(value) for value in row) for row in rows)


def markitdown(path):
    from markitdown import MarkItDown

    return MarkItDown().convert(path).text_content


def camelot(path):
    import camelot

    return "\n\n".join(table.df.to_csv(index=False, header=False) for table in camelot.read_pdf(path, pages="all"))


def tabula(path):
    import tabula

    tables = tabula.read_pdf(path, pages="all", multiple_tables=True, silent=True, java_options="-Xmx2g")
    return "\n\n".join(table.to_csv(index=False) for table in tables)


LOADERS = {
    "pypdf": pypdf, "pdfminer.six": pdfminer, "python-docx": python_docx, "docx2txt": docx2txt, "pandoc": pandoc,
    "python-pptx": python_pptx, "openpyxl": openpyxl, "markitdown": markitdown, "camelot": camelot, "tabula": tabula,
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
