"""The package as pip installs it."""

import importlib.metadata
import shutil
import sys
from pathlib import Path

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
