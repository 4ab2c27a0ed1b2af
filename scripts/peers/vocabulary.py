"""The vocabulary of cl100k_base for tiktoken, which would download it."""

import subprocess
import zipfile

# The name under which tiktoken looks for it.
NAME = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"


def fetch(python, cache):
    """Takes it out of the package llama-index-core, which carries it, unless the folder has it."""
    if (cache / NAME).exists():
        return
    wheels = cache.parent / "wheels"
    command = [python, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels, "llama-index-core"]
    subprocess.run(command, check=True)
    cache.mkdir(exist_ok=True)
    with zipfile.ZipFile(next(wheels.glob("llama_index_core-*.whl"))) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith(NAME))
        (cache / NAME).write_bytes(wheel.read(name))
