"""Derivatives of results with respect to numbers of a scene, through contact."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _bristle
from ._bristle import SceneError
from .result import Floats
from .scene import Scene, as_scene
from .table import Table


class Derivatives:
    """Results of a run and their derivatives.

    ``d["ball.position.x", "bodies.ball.velocity[0]"]`` is one derivative, ``d.jacobian`` all of them: one row per quantity, one
    column per key, in the order asked for. Units are those of the quantity over those of the key as the scene writes it.
    """

    def __init__(
        self,
        keys: dict[str, float],
        values: dict[str, float],
        jacobian: Floats,
        uncertainty: Floats,
        units: dict[str, str],
    ) -> None:
        self.keys = keys
        """Where derivatives were taken: the numbers of the scene by key."""
        self.values = values
        """Results by quantity."""
        self.jacobian = jacobian
        self.uncertainty = uncertainty
        """How far a run with ten times the tolerance gives other derivatives: an upper estimate of their error."""
        self.units = units
        """Units of keys and quantities."""

    def __getitem__(self, pair: tuple[str, str]) -> float:
        quantity, key = pair
        rows, columns = list(self.values), list(self.keys)
        if quantity not in rows or key not in columns:
            raise KeyError(f"{quantity!r} by {key!r}; there are {rows} by {columns}")
        return float(self.jacobian[rows.index(quantity), columns.index(key)])

    def table(self) -> Table:
        """All derivatives, one row each."""
        pairs = [(quantity, key) for quantity in self.values for key in self.keys]
        return Table(
            {
                "quantity": np.array([q for q, _ in pairs], dtype=object),
                "value": np.array([self.values[q] for q, _ in pairs]),
                "by": np.array([k for _, k in pairs], dtype=object),
                "at": np.array([self.keys[k] for _, k in pairs]),
                "derivative": self.jacobian.ravel(),
                "uncertainty": self.uncertainty.ravel(),
            },
            {},
        )

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def __repr__(self) -> str:
        return f"<Derivatives of {len(self.values)} results by {len(self.keys)} numbers>"


def gradient(
    scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
    by: Sequence[str],
    of: Sequence[str],
    *,
    check: bool = False,
) -> Derivatives:
    """Derivatives of results of a run by numbers of the scene, exact up to the error of integration.

    ``by`` are keys of the scene that hold numbers (``materials.floor.normal.stiffness``, ``bodies.ball.velocity[0]``). ``of`` are names of
    a recording, read at the end of the run (``ball.position.x``, ``energy.lost``), at a time (``at(ball.position.z, 0.5)``) or where they
    are extreme (``max(ball.position.z, from=0.15, to=0.4)``).

    >>> d = gradient("scenes/rolling_sphere.toml", ["bodies.ball.velocity[0]"], ["ball.position.x"])  # doctest: +SKIP
    >>> d["ball.position.x", "bodies.ball.velocity[0]"]  # doctest: +SKIP

    With ``check`` they are found by central differences of whole runs instead, ten for every key: slow, for comparison. Derivatives that
    do not exist or would not be right are refused.
    """
    scene = as_scene(scene)
    if scene._laws():
        raise SceneError("gradient takes no laws of your own: they carry no derivatives")
    for name, given in (("by", by), ("of", of)):
        if isinstance(given, str) or not all(isinstance(text, str) for text in given):
            raise SceneError(f"{name} is a list of names")
    found, results, jacobian, uncertainty = _bristle.gradient(scene._scene(), list(by), list(of), check)
    units = {name: unit for name, unit, _ in [*found, *results]}
    keys = {name: value for name, _, value in found}
    return Derivatives(keys, {name: value for name, _, value in results}, jacobian, uncertainty, units)
