"""The program, which the package has in it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import sectile

PAGE = b"<html><body><h1>Page</h1><p>Nothing of note.</p></body></html>"


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "sectile", *arguments], capture_output=True, text=True, **options)


def test_it_says_its_version():
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"sectile {sectile.__version__}\n")


def test_it_searches_with_workers_of_its_own(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "guide.md").write_text("# Guide\n\n## Install\n\nRun the installer.\n")
    (folder / "page.html").write_bytes(PAGE)
    done = run("search", "installer", "--in", str(folder), env={"HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert "Install" in done.stdout
    assert run("search", "nosuchword", "--in", str(folder), env={"HOME": str(tmp_path)}).returncode == 1


@pytest.mark.parametrize("name", ["asyncio", "copy", "json", "sectile", "sitecustomize", "typing", "usercustomize"])
def test_workers_run_nothing_of_the_current_folder(tmp_path, monkeypatch, name):
    (tmp_path / f"{name}.py").write_text("open('written', 'w')")
    monkeypatch.chdir(tmp_path)
    assert "Nothing of note." in sectile.load("page.html", data=PAGE).text
    assert not (tmp_path / "written").exists()


@pytest.mark.parametrize("folder", ["plain", "with 'quotes' \" and \\", "ünï 漢字"])
def test_workers_are_found_where_the_package_was(tmp_path, folder):
    package = Path(sectile.__file__).parent
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "sectile").symlink_to(package)
    code = f"""
import sys
sys.path.append({str(tmp_path / folder)!r})
import sectile
print(sectile.load("page.html", data={PAGE!r}).text)
"""
    # The environment of the tests has the package, and this Python has not.
    python = sys._base_executable
    done = subprocess.run([python, "-I", "-S", "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert "Nothing of note." in done.stdout, done.stderr
    path = {**os.environ, "PYTHONPATH": str(tmp_path / folder)}
    code = f"import sectile; print(sectile.load('page.html', data={PAGE!r}).text)"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=path)
    assert "Nothing of note." in done.stdout, done.stderr


@pytest.mark.parametrize("change", ["executable = None", "executable = ''", "executable = '/bin/app'", "frozen = True"])
def test_an_interpreter_without_a_program_is_told_when_files_are_parsed(change):
    code = f"""
import json, sys
sys.{change}
import sectile
assert sectile.count_tokens("one") == 1
try:
    sectile.load("page.html", data={PAGE!r})
except OSError as error:
    print(json.dumps(str(error)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "sys.executable" in json.loads(done.stdout), done.stderr


def test_a_wrong_argument_is_told():
    done = run("search")
    assert done.returncode == 2
    assert "required" in done.stderr


def test_the_script_is_installed():
    script = Path(sys.executable).with_name("sectile")
    if script.exists():
        assert subprocess.run([script, "--version"], capture_output=True).returncode == 0


def on_terminal(*arguments, **options):
    """Runs the program on a terminal; returns its exit code and what is shown."""
    import pty

    shown, terminal = pty.openpty()
    command = [sys.executable, "-m", "sectile", *arguments]
    done = subprocess.run(command, stdin=terminal, stdout=terminal, stderr=terminal, **options)
    os.write(terminal, b"end of test")
    text = b""
    while b"end of test" not in text:
        text += os.read(shown, 4096)
    return done.returncode, text


def test_it_says_nothing_of_itself_on_a_terminal(tmp_path):
    code, text = on_terminal("--store", f"sqlite:{tmp_path}/store.db", "status")
    assert code in (0, 2)
    assert b"tracing" not in text


def test_it_has_colours_on_a_terminal_alone(tmp_path):
    (tmp_path / "guide.md").write_text("# Guide\n\nRun the installer.\n")
    settings = {"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"}
    environment = {name: value for name, value in os.environ.items() if name not in settings}
    environment |= {"HOME": str(tmp_path), "TERM": "xterm-256color"}
    search = ["--store", f"sqlite:{tmp_path}/store.db", "search", "installer", "--in", str(tmp_path / "guide.md")]
    code, text = on_terminal(*search, env=environment)
    assert code == 0 and b"\x1b[31minstaller" in text
    code, text = on_terminal(*search, env=environment | {"NO_COLOR": "1"})
    assert code == 0 and b"\x1b[3" not in text
    done = run(*search, env=environment)
    assert done.returncode == 0 and "\x1b" not in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")
def test_a_reader_that_leaves_ends_it_in_silence(tmp_path):
    # The hits are more than a pipe holds, so some are written when the reader has left.
    for at in range(300):
        (tmp_path / f"{at}.md").write_text(f"# Whale {at} {'of the sea ' * 30}\n\n" + "It sings a song. " * 50)
    store = ["--store", f"sqlite:{tmp_path}/store.db"]
    assert run(*store, "ingest", str(tmp_path)).returncode == 0
    command = [sys.executable, "-m", "sectile", *store, "search", "song", "--limit", "300"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        program.stdout.read(1)
        program.stdout.close()
        said = program.stderr.read()
        assert b"Traceback" not in said and b"panicked" not in said and b"pipe" not in said.lower()
        assert program.wait(60) in (0, -signal.SIGPIPE)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")
def test_ctrl_c_ends_it_without_a_traceback(tmp_path):
    command = [sys.executable, "-m", "sectile", "--store", f"sqlite:{tmp_path}/store.db", "mcp"]
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, text=True, **pipes) as server:
        server.stdin.write(json.dumps(begin) + "\n")
        server.stdin.flush()
        assert "serverInfo" in server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(60) in (0, 130, -signal.SIGINT)
        assert "Traceback" not in server.stderr.read()
