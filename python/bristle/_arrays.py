"""Numbers, arrays and radii as they are given, in the form that the compiled half takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from ._bristle import LawError

Floats = npt.NDArray[np.float64]
#: Numbers, or arrays of any shape.
Numbers = npt.ArrayLike
#: One radius (a ball on a plane), or one per side, m.
Radius = Union[float, Sequence[float], None]
#: One number for both sides, or one per side.
Sides = Union[float, Sequence[float], None]


def plain(value: Any) -> Any:
    """Numbers of NumPy as those of Python, so that parameters compare and print as such."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def radii(radius: Radius) -> tuple[Optional[float], Optional[float]]:
    if radius is None or isinstance(radius, (int, float, np.number)):
        return (None if radius is None else float(radius), None)
    if len(radius) != 2:
        raise LawError(f"surface_radius = {radius!r} must be one radius, or two: one per side")
    return (float(radius[0]), float(radius[1]))


def flat_state(given: Optional[Sequence[float]]) -> Optional[list[float]]:
    return None if given is None else numbers("state", given).reshape(-1).tolist()


def numbers(name: str, given: Any) -> Floats:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise LawError(f"{name} must be a number or an array of numbers") from None


def broadcast(**given: Any) -> tuple[tuple[int, ...], dict[str, Optional[Floats]]]:
    """Arrays of one shape, flat and contiguous; those that are so already are not copied."""
    arrays = {name: numbers(name, value) for name, value in given.items() if value is not None}
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise LawError(f"shapes do not fit: {shapes}") from None
    flat = {name: np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1) for name, array in arrays.items()}
    return shape, {name: flat.get(name) for name in given}
