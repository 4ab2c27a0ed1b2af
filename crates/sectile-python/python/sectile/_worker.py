"""How another process of the program is started, in which files are parsed that may be hostile."""

import os
import sys


def command() -> list[str]:
    """Returns what starts the program: nothing where the interpreter does not know its own program.

    The process imports the standard library and, behind it, the folder that this package was found in. It imports
    nothing else: neither what stands in the current folder nor what other packages have Python do at its start.
    """
    if not sys.executable:
        return []
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # In ASCII, as the process has no locale.
    code = f"import sys; sys.path.append({folder!a}); from sectile.__main__ import main; main()"
    return [sys.executable, "-I", "-S", "-c", code]
