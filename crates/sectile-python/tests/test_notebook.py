"""The notebook: its cells run, and print what stands below them."""

import contextlib
import io
import json
from pathlib import Path

NOTEBOOK = Path(__file__).resolve().parents[1] / "first-steps.ipynb"


def run(notebook):
    """Runs the cells and returns what each printed."""
    names, printed = {"__name__": "__main__"}, []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)
            printed.append(output.getvalue())
    return printed


def test_cells_print_what_stands_below_them():
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    below = ["".join(line for output in cell["outputs"] for line in output["text"]) for cell in cells]
    assert len(cells) > 4 and run(notebook) == below
