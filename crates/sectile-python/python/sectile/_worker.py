"""How another process of the program is started, in which files are parsed that may be hostile."""

import os
import sys

# What the programs of Python are called.
_PYTHONS = ("python", "pypy", "graalpy")


def command() -> list[str]:
    """Returns what starts the program: nothing where the interpreter has no program of its own.

    The process imports the standard library and, behind it, the folder that this package was found in. It imports
    nothing else: neither what stands in the current folder nor what other packages have Python do at its start.
    """
    if not sys.executable or not _is_python(sys.executable):
        return []
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # In ASCII, as the process has no locale.
    code = f"import sys; sys.path.append({folder!a}); from sectile.__main__ import main; main()"
    return [sys.executable, "-I", "-S", "-c", code]


def _is_python(program: str) -> bool:
    """Says whether a program is Python's, and not one that is frozen or has an interpreter in it.

    Such a program would begin anew, as it reads the arguments in its own way.
    """
    names = (os.path.basename(path).lower() for path in (program, os.path.realpath(program)))
    return not getattr(sys, "frozen", False) and any(name.startswith(_PYTHONS) for name in names)
