"""Values of Python as the text of a scene."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._bristle import SceneError


def write(data: Mapping[str, Any]) -> str:
    """A scene as TOML: tables as sections, so that messages have lines of their own."""
    lines: list[str] = []
    _section([], data, lines)
    return "\n".join(lines) + "\n"


def value(of: Any, key: str) -> str:
    """One value; ``key`` is for messages."""
    if isinstance(of, (bool, np.bool_)):
        return "true" if of else "false"
    if isinstance(of, (int, np.integer)):
        return str(int(of))
    if isinstance(of, (float, np.floating)):
        number = float(of)
        if not math.isfinite(number):
            raise SceneError(f"{key} = {number} must be finite")
        return repr(number)
    if isinstance(of, (str, os.PathLike)):
        # escapes of JSON are escapes of TOML, but for one character
        return json.dumps(os.fspath(of), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(of, np.ndarray):
        of = of.tolist()
    if isinstance(of, Mapping):
        inside = (f"{_name(name)} = {value(item, f'{key}.{name}')}" for name, item in of.items() if item is not None)
        return "{ " + ", ".join(inside) + " }"
    if isinstance(of, (list, tuple)):
        return "[" + ", ".join(value(item, f"{key}[{i}]") for i, item in enumerate(of)) + "]"
    raise SceneError(f"{key} = {of!r} must be a number, text, true or false, a list or a dict, not {type(of).__name__}")


def override(key: str, of: Any) -> str:
    """A change as ``--set`` takes it."""
    return f"{key}={value(of, key)}"


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise SceneError(f"keys of a scene are text, not {name!r}")
    is_bare = name != "" and all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return name if is_bare else json.dumps(name, ensure_ascii=False)


def _section(path: list[str], data: Mapping[str, Any], lines: list[str]) -> None:
    items = [(name, item) for name, item in data.items() if item is not None]
    # sections end only where the next one begins: plain values come first, tables of tables last
    is_section = {name: isinstance(item, Mapping) and len(path) < 2 for name, item in items}
    is_list = {name: _is_list_of_tables(item) and not path for name, item in items}
    for name, item in items:
        if not is_section[name] and not is_list[name]:
            lines.append(f"{_name(name)} = {value(item, '.'.join([*path, name]))}")
    for name, item in items:
        here = [*path, _name(name)]
        if is_list[name]:
            for entry in item:
                lines.append(f"[[{'.'.join(here)}]]")
                _section([*here, ""], entry, lines)
        elif is_section[name]:
            lines.append(f"[{'.'.join(here)}]")
            _section(here, item, lines)


def _is_list_of_tables(item: Any) -> bool:
    return isinstance(item, (list, tuple)) and len(item) > 0 and all(isinstance(entry, Mapping) for entry in item)
