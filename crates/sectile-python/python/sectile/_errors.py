"""What can go wrong: one class a kind."""


class Error(Exception):
    """The base of all errors of Sectile.

    `kind` is its name, and `is_retryable` says whether the same call may succeed when it is made again.
    """

    kind = "Other"

    def __init__(self, message: str, is_retryable: bool = False) -> None:
        super().__init__(message)
        self.is_retryable = is_retryable

    def __reduce__(self):
        return type(self), (self.args[0], self.is_retryable)


KINDS = (
    "InvalidArgument", "InvalidConfig", "Unencodable", "Undecodable", "NotFound", "ThreadExists", "IdConflict",
    "NotMigrated", "NewerSchema", "Projection", "DatabaseNotFound", "Unauthenticated", "PreparedStatements", "TimedOut",
    "Busy", "Conflict", "Unavailable", "Full", "ReadOnly", "PermissionDenied", "FileReplaced", "Corrupt", "Backend",
    "Read", "UnsupportedFormat", "Parse", "Encrypted", "NoText", "Ocr", "LimitExceeded", "Ambiguous", "DuplicateKey",
    "Model", "Vectors",
)
# A wrong argument is what Python has a class for.
BASES = {"InvalidArgument": (Error, ValueError), "InvalidConfig": (Error, ValueError)}
for _kind in KINDS:
    globals()[f"{_kind}Error"] = type(f"{_kind}Error", BASES.get(_kind, (Error,)), {"kind": _kind, "__module__": __name__})


def of_kind(kind: str) -> type[Error]:
    """Returns the class of a kind."""
    return globals().get(f"{kind}Error", Error)
