"""Arguments of a library, as the crates take them."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Mapping
from os import PathLike, fsdecode
from typing import Any

from sectile._sectile import path_uri
from sectile.loading import limits

# A document: its path as it was ingested, or its URI.
Name = str | bytes | PathLike[str]
Paths = Iterable[Name] | Name
# Values of metadata by their names, or conditions as the program takes them: "heading=install".
Filters = Mapping[str, Any] | Iterable[str]


def reading(
    language=None,
    whole_page=False,
    ocr=None,
    password=None,
    timeout=None,
    max_file_size=None,
    max_memory=None,
    keep_options=True,
) -> Any:
    """Returns how files are read."""
    return {
        "language": language,
        "whole_page": whole_page,
        "ocr": ocr,
        "password": password,
        "limits": limits(timeout, max_file_size, max_memory),
        "keep_options": keep_options,
    }


def form(mode, limit, collection, paths, filters, group_by, explain, rerank) -> Any:
    """Returns where and how to search."""
    limit = operator.index(limit)
    if not 0 <= limit < 2**63:
        raise ValueError(f"limit must be 0 or more and less than 2**63, not {limit}")
    return {
        "mode": mode,
        "limit": limit,
        "scope": scope(collection, paths, filters),
        "group_by": group_by,
        "explain": explain,
        "rerank": rerank,
    }


def scope(collection, paths, filters) -> Any:
    """Returns where to search or list."""
    if filters is None or isinstance(filters, Mapping):
        filters = dict(filters or {})
    else:
        filters = several(filters)
    return {
        "collection": collection,
        "paths": None if paths is None else paths_of(paths),
        "filters": as_json("filters", filters),
    }


def as_json(argument: str, value: Any) -> str:
    """Writes JSON. Numbers of numpy, as data frames have them, are numbers."""
    try:
        return json.dumps(value, default=_number, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{argument}: {error}") from None


def _number(value: Any) -> Any:
    if not hasattr(value, "item"):
        raise TypeError(f"{type(value).__name__} is not a JSON type")
    return value.item()


def several(names: Iterable[str] | str) -> list[str]:
    """Returns names as a list. A string is one of them, not its letters."""
    return [names] if isinstance(names, str) else list(names)


def paths_of(paths: Paths) -> list[str]:
    """Returns paths as a list. A string is one of them, not its letters."""
    return [fsdecode(path) for path in ([paths] if isinstance(paths, (str, bytes, PathLike)) else paths)]


def named(name: Name) -> str:
    """Returns the path or the URI that names a document: the URI of a path that is not UTF-8."""
    name = fsdecode(name)
    try:
        name.encode()
    except UnicodeEncodeError:
        return path_uri(name)
    return name


def check_model(argument: str, model: object, function: str, kind: type) -> None:
    """Refuses what is neither the name of a model nor an object with a name and a function."""
    if model is None or isinstance(model, str) or (hasattr(model, "name") and hasattr(model, function)):
        return
    given, made = type(model).__name__, kind.__name__
    raise TypeError(f"{argument} is a name or a sectile.{made}, not {given}: pass {made}(name, function)")
