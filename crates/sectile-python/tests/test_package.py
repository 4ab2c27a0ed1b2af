"""The package as pip installs it."""

import importlib.metadata
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import sectile

SOURCE = Path(__file__).resolve().parents[1] / "python" / "sectile"


def test_a_wheel_is_installed_with_all_files():
    installed = importlib.metadata.distribution("sectile")
    files = {Path(str(file)).as_posix() for file in installed.files}
    expected = {f"sectile/{path.name}" for path in SOURCE.iterdir() if path.is_file()}
    assert {"sectile/py.typed", "sectile/_sectile.pyi"} <= expected
    assert expected - files == set()
    assert installed.version == sectile.__version__
    folder = Path(sectile.__file__).parent
    assert folder == Path(str(installed.locate_file("sectile")))
    assert [path for path in folder.iterdir() if path.is_symlink()] == []
    module = Path(sys.modules["sectile._sectile"].__file__)
    assert f"sectile/{module.name}" in files


def test_the_program_is_beside_the_interpreter():
    program = shutil.which("sectile", path=str(Path(sys.executable).parent))
    scripts = [point.value for point in importlib.metadata.entry_points(group="console_scripts", name="sectile")]
    assert program and scripts == ["sectile.__main__:main"]


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has its lock")
def test_a_python_without_its_lock_stays_so():
    """An extension that does not say that it needs no lock turns it on for the whole process."""
    code = "import sys, sectile, sectile.langchain; print(sys._is_gil_enabled())"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_an_import_takes_nothing_that_is_not_needed():
    """Frameworks take seconds to import."""
    code = "import sys, sectile; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "sectile" in loaded
    assert not loaded & {"haystack", "langchain_core", "langgraph", "llama_index", "numpy", "pyarrow", "pydantic"}
