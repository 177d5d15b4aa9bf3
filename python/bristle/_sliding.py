"""Friction laws and resistances on arrays of vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _bristle
from ._arrays import Floats, Numbers, Radius, broadcast, numbers, radii
from ._bristle import LawError
from ._law import SERIES_UNITS, Law
from .table import Table


class Answer(NamedTuple):
    """What a friction law or a resistance answers."""

    #: Force (N) or torque (N m) on the second body, three numbers each.
    force: Floats
    #: J
    stored: Floats
    #: W
    dissipated: Floats
    #: Rates of the law's states.
    rates: Floats


class _Sliding(Law):
    """A law of friction or resistance on arrays of vectors."""

    def __init__(self, parameters: Mapping[str, Any], surface_radius: Radius = None) -> None:
        super().__init__(parameters, surface_radius)
        self._inner = _bristle.SlidingLaw(self.kind, self.id, self.parameters, *radii(surface_radius))

    @property
    def states(self) -> list[tuple[str, str, float]]:
        """Name, unit and typical size of the law's own states."""
        return self._inner.states()

    @property
    def promise(self) -> str:
        """What the law promises about energy."""
        return self._inner.promise()

    def _answer(self, motion: Numbers, load: Numbers, depth: Numbers, state: Optional[Numbers]) -> Answer:
        vectors = numbers("motion", motion)
        if vectors.ndim == 0 or vectors.shape[-1] != 3:
            raise LawError(f"motion must have three numbers in its last dimension, not shape {vectors.shape}")
        own = len(self._inner.states())
        states = np.zeros(own) if state is None else numbers("state", state)
        if states.ndim == 0 or states.shape[-1] != own:
            raise LawError(f"state must have {own} numbers in its last dimension, not shape {states.shape}")
        loads, depths = numbers("load", load), numbers("depth", depth)
        try:
            shape = np.broadcast_shapes(vectors.shape[:-1], loads.shape, depths.shape, states.shape[:-1])
        except ValueError as error:
            raise LawError(f"shapes of motion, load, depth and state do not fit: {error}") from None

        def rows(array: Floats, width: Optional[int]) -> Floats:
            full = np.broadcast_to(array, shape if width is None else (*shape, width))
            return np.ascontiguousarray(full).reshape(-1 if width is None else (-1, width))

        count = int(np.prod(shape, dtype=np.int64))
        force, scalars, rates = np.empty((count, 3)), np.empty((count, 2)), np.empty((count, own))
        flat = np.ascontiguousarray(np.broadcast_to(states, (*shape, own))).reshape(count, own)
        motions, pressed, deep = rows(vectors, 3), rows(loads, None), rows(depths, None)
        self._inner.evaluate(motions, pressed, deep, flat, force, scalars, rates)
        parts = force.reshape(*shape, 3), scalars[:, 0].reshape(shape), scalars[:, 1].reshape(shape)
        return Answer(*parts, rates.reshape(*shape, own))


class FrictionLaw(_Sliding):
    """A force in the contact plane; the normal is the third axis."""

    kind = "friction"

    def evaluate(
        self, velocity: Numbers, load: Numbers, *, depth: Numbers = 1e-4, state: Optional[Numbers] = None
    ) -> Answer:
        """All that the law answers for sliding velocities (m/s, three numbers each) under loads (N), at depths (m)."""
        return self._answer(velocity, load, depth, state)

    def force(self, velocity: Numbers, load: Numbers, **given: Any) -> Floats:
        """Force on the second body, N; arguments as for `evaluate`."""
        return self.evaluate(velocity, load, **given).force

    def stored(self, velocity: Numbers, load: Numbers, **given: Any) -> Floats:
        """Energy stored, J; arguments as for `evaluate`."""
        return self.evaluate(velocity, load, **given).stored

    def dissipated(self, velocity: Numbers, load: Numbers, **given: Any) -> Floats:
        """Power dissipated, W; arguments as for `evaluate`."""
        return self.evaluate(velocity, load, **given).dissipated

    def steady_force(self, speed: Numbers, load: float, *, depth: float = 1e-4) -> Any:
        """Force that resists steady sliding at a speed (m/s), N."""
        shape, given = broadcast(speed=speed)
        result = np.empty(shape)
        self._inner.steady(given["speed"], load, depth, result.reshape(-1))
        return float(result) if shape == () else result

    def hysteresis(
        self,
        load: float,
        amplitude: float,
        frequency: float,
        *,
        depth: float = 1e-4,
        cycles: float = 2.0,
        samples: int = 1000,
    ) -> Table:
        """The loop of a contact moved to and fro by an amplitude (m) at a frequency (Hz), from rest."""
        return Table(self._inner.hysteresis(load, depth, amplitude, frequency, cycles, samples), SERIES_UNITS)


class Resistance(_Sliding):
    """A torque that resists rolling or spinning."""

    kind = "resist"

    def evaluate(
        self, spin: Numbers, load: Numbers, *, depth: Numbers = 1e-4, state: Optional[Numbers] = None
    ) -> Answer:
        """All that the law answers for angular velocities (rad/s, three numbers each) under loads (N); `force` is a torque, N m."""
        return self._answer(spin, load, depth, state)

    def torque(self, spin: Numbers, load: Numbers, **given: Any) -> Floats:
        """Torque on the second body, N m; arguments as for `evaluate`."""
        return self.evaluate(spin, load, **given).force
