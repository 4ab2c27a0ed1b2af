"""Regular expressions of Python, written so that Rust's engine finds what Python's finds."""

from __future__ import annotations

import functools
import re
import unicodedata

# What `\w` and `\s` are in Python, as classes within brackets.
_WORD = r"\pL\pN_"
_SPACE = r"\s\x1c-\x1f"
_CLASSES = {"w": f"[{_WORD}]", "W": f"[^{_WORD}]", "s": f"[{_SPACE}]", "S": f"[^{_SPACE}]", "d": r"\d", "D": r"\D"}

# The edge of a word, by looking around, and what is no edge.
_IS, _IS_NOT = f"(?=[{_WORD}])", f"(?![{_WORD}])"
_WAS, _WAS_NOT = f"(?<=[{_WORD}])", f"(?<![{_WORD}])"
_EDGES = {"b": f"(?:{_WAS}{_IS_NOT}|{_WAS_NOT}{_IS})", "B": f"(?:{_WAS}{_IS}|{_WAS_NOT}{_IS_NOT})"}

# Escapes of one letter that stand for a character, and how many digits those with digits have.
_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_DIGITS = {"x": 2, "u": 4, "U": 8}

# Categories of which some characters are part of a word in one language and not in the other.
_DIFFERENT = {"Mn", "Mc", "Me", "Pc", "Cf", "No", "So"}


def words_differ(text: str) -> bool:
    """Says whether the edges of words may be others in Rust than in Python: where marks or joiners stand, for example."""
    if text.isascii():
        return False
    return any(character != "_" and unicodedata.category(character) in _DIFFERENT for character in set(text))


@functools.lru_cache(maxsize=1024)
def for_rust(pattern: str, exact_edges: bool) -> str:
    """Returns an expression that finds in Rust what `pattern` finds in Python.

    Edges of words (`\\b`) look around with `exact_edges`, which takes longer, and are those of Rust otherwise: see
    `words_differ`. Raises `ValueError` for what is no expression of Python, and for what Rust has no words for.
    """
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"separator pattern {pattern!r} is not a valid regular expression: {error}") from error
    # An end alone is understood as it is.
    return pattern if not pattern.strip("$") else _Translation(pattern, exact_edges).written()


def has_edges(pattern: str) -> bool:
    """Says whether an expression asks for edges of words."""
    return for_rust(pattern, True) != for_rust(pattern, False)


class _Translation:
    """An expression that Python understands, read from the left."""

    def __init__(self, pattern: str, exact_edges: bool) -> None:
        self._pattern = pattern
        self._exact_edges = exact_edges
        self._at = 0
        # Whether lines have ends of their own, in each group that is open.
        self._multiline = [False]

    def written(self) -> str:
        parts = []
        while self._at < len(self._pattern):
            parts.append(self._next())
        return "".join(parts)

    def _take(self, count: int = 1) -> str:
        self._at += count
        return self._pattern[self._at - count : self._at]

    def _taken(self, expression: str) -> re.Match[str] | None:
        """Takes what an expression finds here, if anything."""
        if found := re.compile(expression, re.DOTALL).match(self._pattern, self._at):
            self._at = found.end()
        return found

    def _next(self) -> str:
        character = self._take()
        if character == "\\":
            return self._escape()
        if character == "[":
            return self._set()
        if character == "(":
            return self._group()
        if character == ")":
            self._multiline.pop()
            return character
        if character == "{":
            return self._count()
        if character == "$":
            return "$" if self._multiline[-1] else r"(?=\n?\z)"
        if character in "*+?":
            return character + self._laziness()
        return character if character in ".^|" else _literal(character)

    def _laziness(self) -> str:
        if self._taken(r"\+"):
            raise self._refused("a possessive quantifier")
        return "?" if self._taken(r"\?") else ""

    def _count(self) -> str:
        found = self._taken(r"([0-9]*)(,?)([0-9]*)\}")
        if not found or found[0] == "}":
            self._at -= len(found[0]) if found else 0
            return r"\{"
        lowest, comma, highest = found.groups()
        return f"{{{lowest or 0}{comma}{highest}}}" + self._laziness()

    def _group(self) -> str:
        if self._taken(r"\?#[^)]*\)"):
            return ""
        if found := self._taken(r"\?([a-zA-Z]*)(?:-([a-z]+))?([:)])"):
            return self._flags(found[1], found[2] or "", found[3])
        self._multiline.append(self._multiline[-1])
        found = self._taken(r"\?(?:[=!>]|<[=!]|P<\w+>|P=\w+|\(\w+\))")
        return "(" + (found[0] if found else "")

    def _flags(self, on: str, off: str, end: str) -> str:
        for flag, name in (("x", "verbose (x)"), ("a", "for ASCII (a)")):
            if flag in on:
                raise self._refused(f"the flag that makes it {name}")
        is_multiline = ("m" in on or self._multiline[-1]) and "m" not in off
        if end == ")":
            self._multiline[-1] = is_multiline
        else:
            self._multiline.append(is_multiline)
        on, off = on.replace("u", ""), f"-{off}" if off else ""
        return f"(?{on}{off}{end}" if on or off or end == ":" else ""

    def _escape(self) -> str:
        letter = self._pattern[self._at]
        if letter in _CLASSES:
            return _CLASSES[self._take()]
        if letter in _EDGES:
            self._take()
            return _EDGES[letter] if self._exact_edges else f"\\{letter}"
        if letter in "AZz":
            self._take()
            return r"\A" if letter == "A" else r"\z"
        if letter in "123456789" and not self._is_octal():
            raise self._refused("a reference to a group")
        return _literal(self._character())

    def _is_octal(self) -> bool:
        return re.compile("[0-3][0-7]{2}").match(self._pattern, self._at) is not None

    def _character(self) -> str:
        """Takes the character that an escape stands for, after its backslash."""
        letter = self._take()
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter in _DIGITS:
            return chr(int(self._take(_DIGITS[letter]), 16))
        if letter == "N":
            return unicodedata.lookup(self._taken(r"\{([^}]*)\}")[1])
        if letter in "01234567":
            return chr(int(letter + self._taken("[0-7]{0,2}")[0], 8))
        return letter

    def _set(self) -> str:
        """Returns the class that a set is, in which `&&`, `--`, `~~` and `[` are text."""
        parts = ["[^" if self._taken(r"\^") else "["]
        while len(parts) == 1 or self._pattern[self._at] != "]":
            parts.append(self._member())
            if self._taken(r"-(?!\])"):
                parts.append("-" + self._member())
        self._take()
        return "".join(parts) + "]"

    def _member(self) -> str:
        character = self._take()
        if character != "\\":
            return _member_of_class(character)
        letter = self._pattern[self._at]
        if letter in _CLASSES:
            return _CLASSES[self._take()]
        if letter == "b":
            self._take()
            return r"\x08"
        return _member_of_class(self._character())

    def _refused(self, what: str) -> ValueError:
        return ValueError(f"separator pattern {self._pattern!r} has {what}, which is not understood; write it without")


def _literal(character: str) -> str:
    """Returns an expression for a character, which may mean something else."""
    return f"\\{character}" if character in r"\.+*?()|[]{}^$" else character


def _member_of_class(character: str) -> str:
    return f"\\{character}" if character in r"\[]^-&~" else character
