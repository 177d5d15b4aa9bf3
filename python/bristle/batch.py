"""Many runs of one scene, on all cores."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _bristle, _toml
from ._bristle import SceneError
from .result import Floats
from .scene import Scene, as_scene
from .simulation import Progress, _shown
from .table import Table


class Batch(Table):
    """Results of many runs: a table of what was varied and what came out, NaN where a run has none or failed.

    ``batch.errors[i]`` says why row i failed, or is None.
    """

    def __init__(self, columns: Mapping[str, Any], units: Mapping[str, str], errors: list[str | None]) -> None:
        super().__init__(columns, units)
        self.errors = errors

    @property
    def failed(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which rows failed."""
        return np.array([error is not None for error in self.errors], dtype=np.bool_)


def simulate_many(
    scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
    parameters: Mapping[str, Any],
    quantities: Sequence[str] = (),
    *,
    threads: int | None = None,
    progress: Progress = None,
) -> Batch:
    """Runs a scene once for every row of ``parameters``: keys of the scene with one value per row each.

    >>> simulate_many("ball.toml", {"bodies.ball.velocity[0]": np.linspace(0, 2, 21)}, ["impacts[0].restitution"])  # doctest: +SKIP

    ``quantities`` are paths into the summary of a run (``energy.final``, ``bodies.ball.position[2]``); some are chosen if none are
    given. Rows run on all cores, or so many threads; the numbers do not depend on that. A row that fails says why in
    ``errors`` and leaves the others alone.
    """
    scene = as_scene(scene)
    if scene._laws():
        raise SceneError("simulate_many takes no laws of your own: they cannot run on several cores at once")
    if isinstance(quantities, str):
        raise SceneError("quantities are a list of paths")
    columns = _columns(parameters, "row")
    if threads is None:
        threads = os.cpu_count() or 1
    if threads < 1:
        raise SceneError(f"threads = {threads} must be >= 1")
    texts = [(key, [_toml.value(v, f"{key}[{i}]") for i, v in enumerate(values)]) for key, values in columns.items()]
    show = _shown(progress)
    found, errors = _bristle.simulate_many(scene._scene(), texts, list(quantities), threads, show)
    results: dict[str, Floats] = {name: values for name, _, values in found}
    units = {name: unit for name, unit, _ in found}
    varied: dict[str, Any] = {}
    for key, values in columns.items():
        is_number = all(isinstance(v, (int, float, np.number)) and not isinstance(v, bool) for v in values)
        varied[key] = np.array(values, dtype=np.float64) if is_number else np.array(values, dtype=object)
    return Batch({**varied, **results}, units, errors)


def _columns(parameters: Any, each: str) -> dict[str, list[Any]]:
    """Values of every key, one per ``each``."""
    if not isinstance(parameters, Mapping) or not parameters:
        raise SceneError("parameters are a dict of keys of the scene, each with its values")
    columns = {key: _column(key, values) for key, values in parameters.items()}
    lengths = {key: len(values) for key, values in columns.items()}
    if len(set(lengths.values())) != 1:
        shown = ", ".join(f"{key} has {n}" for key, n in lengths.items())
        raise SceneError(f"every parameter has one value per {each}: {shown}")
    return columns


def _column(key: str, values: Any) -> list[Any]:
    if isinstance(values, str) or not hasattr(values, "__len__"):
        raise SceneError(f"{key} must be an array or list with one value per row, not {values!r}")
    if isinstance(values, np.ndarray) and values.ndim == 0:
        raise SceneError(f"{key} must have one value per row, not be a single number")
    return list(values)
