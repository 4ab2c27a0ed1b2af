"""The Python libraries that loaders are compared with, in a virtual environment of their own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", HERE / "target"))

# The package of each library, in the version that is compared.
PACKAGES = {
    "camelot": "camelot-py==2.0.0",
    "docx2txt": "docx2txt==0.9",
    "edgeparse": "edgeparse==0.3.2",
    "markitdown": "markitdown[docx,pdf,pptx,xls,xlsx]==0.1.8",
    "openpyxl": "openpyxl==3.1.5",
    "pdfminer.six": "pdfminer.six==20260107",
    "pdfplumber": "pdfplumber==0.11.10",
    "pymupdf": "pymupdf==2.0",
    "pypdf": "pypdf[crypto]==7.1.0",
    "python-docx": "python-docx==1.2.0",
    "python-pptx": "python-pptx==1.0.2",
    "readability-lxml": "readability-lxml==0.9",
    "tabula": "tabula-py==2.10.0",
    "trafilatura": "trafilatura==2.3.1",
}
# The programs that some need.
PROGRAMS = {"pandoc": "pandoc", "tabula": "java"}
# The pip of older Pythons fails on extras that are spelled in two ways, as lxml's are.
PIP = "pip>=25"
INSTALL_SECONDS = 180


def python():
    """Returns the Python of the environment, which is made where there is none, with a pip that is new enough."""
    path = TARGET / "python" / "bin" / "python"
    if not path.exists():
        subprocess.run([sys.executable, "-m", "venv", TARGET / "python"], check=True)
    if reason := pip_install(path, PIP):
        print(f"going on with the pip that there is: {reason}", file=sys.stderr)
    return str(path)


def install(path, names):
    """Installs what these libraries need for the Python at a path; returns those that there are, and says which are not."""
    reasons = {name: missing(path, name) for name in sorted(names)}
    for name, reason in reasons.items():
        if reason:
            print(f"{name} is left out: {reason}")
    return {name for name, reason in reasons.items() if not reason}


def missing(path, name):
    """Installs what a library needs; says why where that cannot be."""
    program = PROGRAMS.get(name)
    if program and not shutil.which(program):
        return f"`{program}` is not installed"
    return pip_install(path, PACKAGES[name]) if name in PACKAGES else None


def pip_install(path, *arguments):
    """Runs `pip install`; says why where that fails."""
    command = [path, "-m", "pip", "install", "--quiet", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        return f"installing {arguments[-1]} takes longer than {INSTALL_SECONDS} s"
    if done.returncode:
        return f"{arguments[-1]} cannot be installed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
    return None
