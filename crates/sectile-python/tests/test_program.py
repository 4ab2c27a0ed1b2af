"""The program, which the package has in it."""

import subprocess
import sys
from pathlib import Path


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "sectile", *arguments], capture_output=True, text=True, **options)


def test_it_says_its_version():
    import sectile

    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"sectile {sectile.__version__}\n")


def test_it_searches_with_workers_of_its_own(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "guide.md").write_text("# Guide\n\n## Install\n\nRun the installer.\n")
    (folder / "page.html").write_text("<html><body><h1>Page</h1><p>Nothing of note.</p></body></html>")
    done = run("search", "installer", "--in", str(folder), env={"HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert "Install" in done.stdout
    assert run("search", "nosuchword", "--in", str(folder), env={"HOME": str(tmp_path)}).returncode == 1


def test_a_wrong_argument_is_told():
    done = run("search")
    assert done.returncode == 2
    assert "required" in done.stderr


def test_the_script_is_installed():
    script = Path(sys.executable).with_name("sectile")
    if script.exists():
        assert subprocess.run([script, "--version"], capture_output=True).returncode == 0


def test_it_says_nothing_of_itself_on_a_terminal(tmp_path):
    import os
    import pty

    shown, terminal = pty.openpty()
    command = [sys.executable, "-m", "sectile", "--store", f"sqlite:{tmp_path}/store.db", "status"]
    done = subprocess.run(command, stdin=terminal, stdout=terminal, stderr=terminal)
    os.write(terminal, b"end of test")
    text = b""
    while b"end of test" not in text:
        text += os.read(shown, 4096)
    assert done.returncode in (0, 2)
    assert b"tracing" not in text
