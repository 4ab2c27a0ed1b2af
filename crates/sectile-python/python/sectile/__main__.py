"""The program `sectile`, as `python -m sectile`."""

import os
import signal
import sys

from sectile._sectile import main as run


def main() -> None:
    # Ctrl-C and a closed pipe are the program's affair.
    for name in ("SIGINT", "SIGPIPE"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    sys.stdout.flush()
    # What is left of the interpreter needs no tidying.
    os._exit(run(["sectile", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
