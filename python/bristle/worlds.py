"""Many worlds of one scene that step together: several in one instruction, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _bristle, _toml
from ._bristle import SceneError
from .batch import _columns
from .result import Floats
from .scene import Scene, as_scene
from .table import Table

Ends = Callable[[float, Floats, Floats], Any]
"""``ends(time, q, v)`` gets a row for every world and answers which ones end."""

_OUTCOMES = ("running", "ended", "failed")


class Worlds:
    """Worlds with fixed steps, for training and for clouds of starts and parameters.

    Either ``parameters``, keys of the scene with one value per world each, or ``starts``, a pair of arrays with a row of positions and of
    velocities per world.

    >>> heights = np.linspace(0.1, 0.2, 256)
    >>> worlds = Worlds("ball.toml", {"bodies.ball.position[2]": heights})  # doctest: +SKIP
    >>> worlds.advance(1000)  # doctest: +SKIP
    >>> worlds.q[:, 2]  # doctest: +SKIP

    The numbers do not depend on the threads, and are those of single runs whose events are taken at the ends of steps. With
    ``ledger=False`` nothing is booked, which is quicker.
    """

    def __init__(
        self,
        scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
        parameters: Mapping[str, Any] | None = None,
        *,
        starts: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
        ledger: bool = True,
    ) -> None:
        scene = as_scene(scene)
        if scene._laws():
            raise SceneError("worlds take no laws of your own: they cannot run on several cores at once")
        if (parameters is None) == (starts is None):
            raise SceneError("worlds differ either in parameters or in starts")
        if starts is not None:
            q, v = (np.ascontiguousarray(rows, dtype=np.float64) for rows in starts)
            if q.ndim != 2 or v.ndim != 2:
                raise SceneError("starts are two arrays with a row per world: positions and velocities")
            self._worlds = _bristle.Worlds.from_starts(scene._scene(), q, v, ledger)
        else:
            self._worlds = _bristle.Worlds.from_rows(scene._scene(), _rows(parameters), ledger)
        self._count, self._nq, self._nv = self._worlds.sizes()

    def __len__(self) -> int:
        return self._count

    def advance(self, steps: int, *, threads: Optional[int] = None, until: Optional[Ends] = None, every: int = 1) -> None:
        """Takes steps on all cores, or so many threads.

        ``until(time, q, v)`` is asked every so many steps, with a row per world, and answers which worlds end: an array of booleans. They stay
        as they are then. Returns early when no world runs any more.
        """
        if threads is None:
            threads = os.cpu_count() or 1
        for name, value in (("threads", threads), ("every", every)):
            if value < 1:
                raise SceneError(f"{name} = {value} must be >= 1")
        if steps < 0:
            raise SceneError(f"steps = {steps} must be >= 0")
        if until is None:
            self._worlds.advance(steps, threads)
            return
        left = steps
        while left > 0 and self.running.any():
            portion = min(every, left)
            self._worlds.advance(portion, threads)
            left -= portion
            ends = np.asarray(until(self.time, self.q, self.v))
            if ends.dtype != np.bool_ or ends.shape != (self._count,):
                raise SceneError(f"until answers {self._count} booleans, one per world")
            self._worlds.end(np.ascontiguousarray(ends))

    @property
    def time(self) -> float:
        """Time of the worlds that still run, s."""
        return self._worlds.facts()[0]

    @property
    def step(self) -> float:
        """Length of a step, s."""
        return self._worlds.facts()[1]

    @property
    def on_lanes(self) -> bool:
        """Whether several worlds share an instruction; ``linearly-implicit`` runs them one by one."""
        return self._worlds.facts()[2]

    @property
    def bytes_per_world(self) -> int:
        """What a world takes, besides its share of a model if parameters differ."""
        return self._worlds.facts()[3]

    @property
    def states(self) -> Floats:
        """A row per world: positions, velocities, states of laws, as ``names`` says. A copy."""
        return self._worlds.states()

    @property
    def names(self) -> list[str]:
        """What the numbers of a state are."""
        return self._worlds.names()

    @property
    def q(self) -> Floats:
        """Positions, a row per world. A copy."""
        return self._worlds.states()[:, : self._nq]

    @property
    def v(self) -> Floats:
        """Velocities, a row per world. A copy."""
        return self._worlds.states()[:, self._nq : self._nq + self._nv]

    @property
    def accounts(self) -> Table | None:
        """What every world has lost and what was done to it, J, by account; None without a ledger."""
        rows = self._worlds.accounts()
        if rows is None:
            return None
        names = self._worlds.account_names()
        return Table({name: rows[:, i].copy() for i, name in enumerate(names)}, dict.fromkeys(names, "J"))

    @property
    def outcomes(self) -> list[str]:
        """How every world stands: running, ended or failed (a number of it is no longer finite)."""
        return [_OUTCOMES[kind] for kind in self._worlds.outcomes()[0]]

    @property
    def running(self) -> npt.NDArray[np.bool_]:
        """Which worlds still run."""
        kinds = np.frombuffer(self._worlds.outcomes()[0], dtype=np.uint8)
        return np.asarray(kinds == 0, dtype=np.bool_)

    @property
    def times(self) -> Floats:
        """Time of every world, s: when it ended, or now; of one that failed, a time at which it had not yet."""
        return self._worlds.outcomes()[1]


def _rows(parameters: Any) -> list[list[str]]:
    columns = _columns(parameters, "world")
    texts = [[f"{key}={_toml.value(v, f'{key}[{i}]')}" for i, v in enumerate(values)] for key, values in columns.items()]
    return [list(row) for row in zip(*texts)]
