"""What can go wrong: one class a kind, each with what it is about as attributes.

An attribute that does not apply is `None`.

>>> from sectile import Chunker
>>> try:
...     Chunker("sentence", size=0)
... except InvalidArgumentError as error:
...     error.argument, error.kind, error.is_retryable
('size', 'InvalidArgument', False)
"""

from __future__ import annotations

import json
from typing import Any


class Error(Exception):
    """The base of all errors of Sectile.

    `kind` is its name, and `is_retryable` says whether the same call may succeed when it is made again. `question` is the
    number of the one of `search_batch` that failed.
    """

    kind = "Other"
    question: int | None = None

    def __init__(self, message: str, is_retryable: bool = False, **fields: Any) -> None:
        super().__init__(message)
        self.is_retryable = is_retryable
        self.__dict__.update(fields)

    def __reduce__(self) -> Any:
        return type(self), (self.args[0], self.is_retryable), self.__dict__


class InvalidArgumentError(Error, ValueError):
    """An argument that cannot be: pass another one. `query`, `uri`, `filter` or `url` is what was passed."""

    kind = "InvalidArgument"
    argument: str | None = None
    reason: str | None = None
    query: str | None = None
    uri: str | None = None
    filter: str | None = None
    url: str | None = None


class InvalidConfigError(Error, ValueError):
    """A setting that cannot be used: set another one."""

    kind = "InvalidConfig"
    argument: str | None = None
    reason: str | None = None


class UnencodableError(Error):
    """A value that could not be loaded again, and so is not saved. `path` is where it stands."""

    kind = "Unencodable"
    thread_id: str | None = None
    path: str | None = None
    reason: str | None = None


class UndecodableError(Error):
    """A checkpoint of something else than what was asked for. `path` is where it differs."""

    kind = "Undecodable"
    thread_id: str | None = None
    seq: int | None = None
    path: str | None = None
    reason: str | None = None


class NotFoundError(Error):
    """No such thread, checkpoint, document or part of one, or memory.

    Of lines and pages, `first` and `last` were asked for, and the document has `lines` or `pages`.
    """

    kind = "NotFound"
    thread_id: str | None = None
    seq: int | None = None
    uri: str | None = None
    heading: str | None = None
    similar: list[str] | None = None
    id: str | None = None
    first: int | None = None
    last: int | None = None
    lines: int | None = None
    pages: int | None = None


class ThreadExistsError(Error):
    """A copy would run into a thread that is there."""

    kind = "ThreadExists"
    thread_id: str | None = None


class IdConflictError(Error):
    """Another checkpoint has this id. `differs` names the fields that are not the same."""

    kind = "IdConflict"
    thread_id: str | None = None
    id: str | None = None
    seq: int | None = None
    differs: list[str] | None = None


class NotMigratedError(Error):
    """The database lacks the tables, or has older ones: call `setup`."""

    kind = "NotMigrated"
    found: int | None = None
    needed: int | None = None


class NewerSchemaError(Error):
    """A newer release migrated the database: use that one."""

    kind = "NewerSchema"
    found: int | None = None
    known: int | None = None


class ProjectionError(Error):
    """The projections of a state could not be written, so nothing was."""

    kind = "Projection"
    thread_id: str | None = None


class DatabaseNotFoundError(Error):
    """There is no such file, folder or database."""

    kind = "DatabaseNotFound"
    reason: str | None = None


class UnauthenticatedError(Error):
    """The server does not let the role in: correct the user or the password."""

    kind = "Unauthenticated"


class PreparedStatementsError(Error):
    """A pooler hands out connections for single transactions: connect with `pgbouncer=True`."""

    kind = "PreparedStatements"


class TimedOutError(Error):
    """The server ended a statement for its time, or a file took too long."""

    kind = "TimedOut"
    path: str | None = None


class BusyError(Error):
    """Others hold the database for longer than the timeout: try again."""

    kind = "Busy"


class ConflictError(Error):
    """The database gave up one of several transactions: try again."""

    kind = "Conflict"


class UnavailableError(Error):
    """The database cannot be reached, or the connection broke: try again."""

    kind = "Unavailable"


class FullError(Error):
    """The disk is full: make room."""

    kind = "Full"


class ReadOnlyError(Error):
    """The file or the server takes no writes."""

    kind = "ReadOnly"
    path: str | None = None


class PermissionDeniedError(Error):
    """The role lacks a right: have it granted."""

    kind = "PermissionDenied"


class FileReplacedError(Error):
    """The file was deleted, moved or replaced while it was open."""

    kind = "FileReplaced"
    path: str | None = None


class CorruptError(Error):
    """What was stored is damaged."""

    kind = "Corrupt"
    what: str | None = None


class IncompleteError(Error):
    """A call that goes through many threads failed in some of them. `done` is how many checkpoints were deleted, and
    each of `failures` has the `thread_id`, `namespace`, `kind` and `message`.
    """

    kind = "Incomplete"
    done: int | None = None
    failures: list[dict[str, Any]] | None = None


class BackendError(Error):
    """Anything else that a database or the system reports. `doing` is what was being done."""

    kind = "Backend"
    doing: str | None = None


class ReadError(Error):
    """A file cannot be read."""

    kind = "Read"
    path: str | None = None


class UnsupportedFormatError(Error):
    """A file of a format that Sectile does not read."""

    kind = "UnsupportedFormat"
    path: str | None = None


class ParseError(Error):
    """A file that is not of its format, or damaged."""

    kind = "Parse"
    path: str | None = None


class EncryptedError(Error):
    """A file that needs a password, or another one."""

    kind = "Encrypted"
    path: str | None = None


class NoTextError(Error):
    """A file whose text cannot be had, a scan for example, or with blank pages alone."""

    kind = "NoText"
    path: str | None = None


class OcrError(Error):
    """The text of pictures could not be recognized."""

    kind = "Ocr"
    path: str | None = None


class LimitExceededError(Error):
    """A file that is larger than a limit, or becomes so."""

    kind = "LimitExceeded"
    path: str | None = None


class AmbiguousError(Error):
    """Several documents or sections are meant: name one. `candidates` are sections, each with its `heading_path`, its `id`
    and the `line` that it begins at."""

    kind = "Ambiguous"
    uri: str | None = None
    collections: list[str] | None = None
    heading: str | None = None
    candidates: list[dict[str, Any]] | None = None


class DuplicateKeyError(Error):
    """Two documents of a collection have one key."""

    kind = "DuplicateKey"
    collection: str | None = None
    uri: str | None = None
    other: str | None = None
    key: str | None = None


class ModelError(Error):
    """A model failed. What a function of yours raised is the `__cause__`."""

    kind = "Model"
    model: str | None = None


class VectorsError(Error):
    """The vectors of a collection are missing, or another model's."""

    kind = "Vectors"
    collection: str | None = None
    stored: str | None = None
    asked: str | None = None
    reason: str | None = None


_CLASSES = {made.kind: made for made in list(globals().values()) if isinstance(made, type) and issubclass(made, Error)}


def _of_kind(kind: str, message: str, is_retryable: bool, fields: str) -> Error:
    """Makes the error of a kind. `fields` are JSON."""
    return _CLASSES.get(kind, Error)(message, is_retryable, **json.loads(fields))
