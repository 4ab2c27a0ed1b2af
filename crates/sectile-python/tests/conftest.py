"""Where the tests find documents and databases."""

import importlib.util
import os
from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parents[2] / "sectile-chunk" / "tests" / "fixtures"


@pytest.fixture(scope="session")
def texts():
    """Texts of the repository, and those of the corpus where it is at hand."""
    found = [path.read_bytes().decode() for path in sorted(FIXTURES.glob("*.*")) if path.suffix in (".md", ".txt")]
    if corpus := os.environ.get("SECTILE_CORPUS"):
        paths = sorted(Path(corpus, "markdown", "files").rglob("*.md"))
        found += [path.read_bytes().decode() for path in paths]
    return found


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path):
    """A new database, on each engine."""
    if request.param == "sqlite":
        return f"sqlite:{tmp_path}/runs.db"
    return on_postgres(f"{request.node.nodeid} database")


def on_postgres(test):
    """A new database on the server."""
    server = os.environ.get("SECTILE_TEST_POSTGRES")
    if not server:
        pytest.skip("SECTILE_TEST_POSTGRES names no server")
    import psycopg

    name = f"python_{os.getpid()}_{abs(hash(test)) % 10**9}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" STRATEGY FILE_COPY')
    return f"{server}/{name}"


@pytest.fixture(scope="session", autouse=True)
def vocabularies():
    """Has tiktoken read the vocabularies that LlamaIndex carries, which it would download."""
    try:
        package = importlib.util.find_spec("llama_index.core")
    except ModuleNotFoundError:
        return
    if package is not None and "TIKTOKEN_CACHE_DIR" not in os.environ:
        os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(package.origin).parent / "_static" / "tiktoken_cache")


@pytest.fixture(scope="session")
def pages():
    """A PDF of several pages."""
    return FIXTURES.parents[2] / "sectile-load" / "tests" / "fixtures" / "three-levels.pdf"
