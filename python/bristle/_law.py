"""What all laws have in common: parameters by name, evaluation on arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _bristle
from ._bristle import LawError
from .table import Table

Floats = npt.NDArray[np.float64]
#: Numbers, or arrays of any shape.
Numbers = npt.ArrayLike
#: One radius (a ball on a plane), or one per side, m.
Radius = Union[float, Sequence[float], None]
#: One number for both sides, or one per side.
Sides = Union[float, Sequence[float], None]

_SERIES_UNITS = {
    "time": "s", "depth": "m", "rate": "m/s", "force": "N", "elastic": "N", "kinetic": "J", "stored": "J",
    "dissipated": "J", "displacement": "m", "velocity": "m/s",
}  # fmt: skip


class Impact(NamedTuple):
    """One simulated impact."""

    #: Rebound speed over approach speed.
    restitution: float
    #: Impulse after the deepest point over impulse before it.
    restitution_poisson: float
    #: Root of the work returned over the work absorbed.
    restitution_energetic: float
    #: N
    peak_force: float
    #: m
    peak_depth: float
    #: From touchdown to the end of the force, s.
    duration: float
    #: Kinetic energy lost, J.
    energy_loss: float
    #: Largest energy that the ledger could not place, over the energy at touchdown.
    closure: float
    #: Evenly in time from touchdown to separation: time, depth, rate, force, elastic, kinetic, stored, dissipated.
    samples: Table


class Gradient(NamedTuple):
    """Exact slopes of a force."""

    #: N/m
    depth: Floats
    #: N s/m
    rate: Floats


class Law:
    """A law and its parameters."""

    #: Name in scenes and on the command line.
    id: ClassVar[str]
    #: ``normal``, ``friction`` or ``resist``.
    kind: ClassVar[str]

    def __init__(self, parameters: Mapping[str, Any], surface_radius: Radius = None) -> None:
        #: As given, by the names that scenes use.
        self.parameters: dict[str, Any] = {k: _plain(v) for k, v in parameters.items() if v is not None}
        self.surface_radius = surface_radius

    def to_dict(self) -> dict[str, Any]:
        """The law as a scene writes it."""
        return {"law": self.id, **self.parameters}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self)["parameters"] == vars(other)["parameters"]

    def __hash__(self) -> int:
        return hash((self.id, repr(sorted(self.parameters.items()))))

    def __repr__(self) -> str:
        given = dict(self.parameters)
        if self.surface_radius is not None:
            given["surface_radius"] = self.surface_radius
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in given.items())})"


class NormalLaw(Law):
    """A force along the contact normal. Arrays may have any shape and are broadcast against each other."""

    kind = "normal"

    def __init__(self, parameters: Mapping[str, Any], surface_radius: Radius = None) -> None:
        super().__init__(parameters, surface_radius)
        self._inner = _bristle.NormalLaw(self.id, self.parameters, *_radii(surface_radius))

    @property
    def states(self) -> list[tuple[str, str, float]]:
        """Name, unit and typical size of the law's own states."""
        return self._inner.states()

    @property
    def promise(self) -> str:
        """What the law promises about energy."""
        return self._inner.promise()

    def force(
        self,
        depth: Numbers,
        rate: Numbers,
        *,
        impact_speed: Optional[Numbers] = None,
        state: Optional[Sequence[float]] = None,
        out: Optional[Floats] = None,
    ) -> Any:
        """Force pushing apart, N, at a depth (m) and its rate (m/s, positive while approaching).

        Laws that remember the speed of touchdown take ``impact_speed`` (m/s); ``state`` gives all states of the law. ``out`` is
        an array of float64 that the result is written to, which saves the time to make one.
        """
        return self._evaluate("force", depth, rate, impact_speed, state, out)

    def elastic(self, depth: Numbers, rate: Numbers, **given: Any) -> Any:
        """Elastic part of the force before any cut, N; arguments as for `force`."""
        return self._evaluate("elastic", depth, rate, **_known(given))

    def stored(self, depth: Numbers, rate: Numbers, **given: Any) -> Any:
        """Energy stored, J; arguments as for `force`."""
        return self._evaluate("stored", depth, rate, **_known(given))

    def dissipated(self, depth: Numbers, rate: Numbers, **given: Any) -> Any:
        """Power dissipated, W; arguments as for `force`."""
        return self._evaluate("dissipated", depth, rate, **_known(given))

    def gradient(
        self,
        depth: Numbers,
        rate: Numbers,
        *,
        impact_speed: Optional[Numbers] = None,
        state: Optional[Sequence[float]] = None,
    ) -> Gradient:
        """Exact slopes of the force over depth and rate, by dual numbers."""
        shape, given = _broadcast(depth=depth, rate=rate, impact_speed=impact_speed)
        slopes = Gradient(np.empty(shape), np.empty(shape))
        by_depth, by_rate = slopes.depth.reshape(-1), slopes.rate.reshape(-1)
        self._inner.gradient(given["depth"], given["rate"], by_depth, by_rate, given["impact_speed"], _state(state))
        return slopes

    def restitution(self, speed: Numbers, mass: Numbers) -> Any:
        """Rebound speed over approach speed of a free impact at a speed (m/s) of a mass (kg)."""
        return self._forecast("restitution", speed, mass)

    def peak_force(self, speed: Numbers, mass: Numbers) -> Any:
        """Largest force of a free impact, N."""
        return self._forecast("peak_force", speed, mass)

    def peak_depth(self, speed: Numbers, mass: Numbers) -> Any:
        """Largest depth of a free impact, m."""
        return self._forecast("peak_depth", speed, mass)

    def contact_time(self, speed: Numbers, mass: Numbers) -> Any:
        """From touchdown to the end of the force of a free impact, s."""
        return self._forecast("duration", speed, mass)

    def impact(
        self, mass: float, speed: float, *, gravity: float = 0.0, samples: int = 300, rtol: float = 1e-12
    ) -> Impact:
        """Simulates one impact: kg, m/s; ``gravity`` (m/s²) presses into the surface."""
        found = self._inner.impact(mass, speed, gravity, samples, rtol)
        return Impact(**{**found, "samples": Table(found["samples"], _SERIES_UNITS)})

    @classmethod
    def design(
        cls,
        *,
        speed: float,
        mass: float,
        restitution: float | None = None,
        peak_force: float | None = None,
        peak_depth: float | None = None,
        duration: float | None = None,
        surface_radius: Radius = None,
        **given: Any,
    ) -> Any:
        """The law that does what is wanted of an impact at a speed (m/s) of a mass (kg): a restitution, and one of peak force (N),
        peak depth (m) and duration (s). Other parameters are kept as given."""
        asked = {"restitution": restitution, "peak_force": peak_force, "peak_depth": peak_depth, "duration": duration}
        wishes = {name: float(wish) for name, wish in asked.items() if wish is not None}
        given = {name: _plain(value) for name, value in given.items() if value is not None}
        found, _ = _bristle.design(cls.id, given, mass, speed, *_radii(surface_radius), **wishes)
        return cls(**found, surface_radius=surface_radius)

    def _evaluate(
        self,
        what: str,
        depth: Numbers,
        rate: Numbers,
        impact_speed: Optional[Numbers] = None,
        state: Optional[Sequence[float]] = None,
        out: Optional[Floats] = None,
    ) -> Any:
        shape, given = _broadcast(depth=depth, rate=rate, impact_speed=impact_speed)
        if out is None:
            result = np.empty(shape)
        else:
            result = out
            is_fit = isinstance(out, np.ndarray) and out.dtype == np.float64 and out.flags.c_contiguous
            if not is_fit or out.shape != shape:
                raise LawError(f"out must be a contiguous array of float64 and shape {shape}")
        self._inner.evaluate(
            what, given["depth"], given["rate"], result.reshape(-1), given["impact_speed"], _state(state)
        )
        return float(result) if shape == () and out is None else result

    def _forecast(self, what: str, speed: Numbers, mass: Numbers) -> Any:
        shape, given = _broadcast(mass=mass, speed=speed)
        result = np.empty(shape)
        self._inner.forecast(what, given["mass"], given["speed"], result.reshape(-1))
        return float(result) if shape == () else result


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
        self._inner = _bristle.SlidingLaw(self.kind, self.id, self.parameters, *_radii(surface_radius))

    @property
    def states(self) -> list[tuple[str, str, float]]:
        """Name, unit and typical size of the law's own states."""
        return self._inner.states()

    @property
    def promise(self) -> str:
        """What the law promises about energy."""
        return self._inner.promise()

    def _answer(self, motion: Numbers, load: Numbers, depth: Numbers, state: Optional[Numbers]) -> Answer:
        vectors = _numbers("motion", motion)
        if vectors.ndim == 0 or vectors.shape[-1] != 3:
            raise LawError(f"motion must have three numbers in its last dimension, not shape {vectors.shape}")
        own = len(self._inner.states())
        states = np.zeros(own) if state is None else _numbers("state", state)
        if states.ndim == 0 or states.shape[-1] != own:
            raise LawError(f"state must have {own} numbers in its last dimension, not shape {states.shape}")
        loads, depths = _numbers("load", load), _numbers("depth", depth)
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
        shape, given = _broadcast(speed=speed)
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
        return Table(self._inner.hysteresis(load, depth, amplitude, frequency, cycles, samples), _SERIES_UNITS)


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


class OwnNormal(ABC):
    """A normal law of your own: a subclass with ``evaluate``.

    ``evaluate(depth, rate)`` (m, m/s; depth > 0) returns force (N), stored energy (J) and dissipated power (W). The ledger of a
    run closes if they belong together: force · rate = d stored/dt + dissipated. A law with states names them in ``states``
    (name, unit, typical size), gets their values as a third argument and returns their rates as a fourth value.
    """

    states: Sequence[tuple[str, str, float]] = ()

    @abstractmethod
    def evaluate(self, depth: float, rate: float, *state: Any) -> tuple[Any, ...]:
        """Force, stored energy, dissipated power."""


class OwnFriction(ABC):
    """A friction law of your own: a subclass with ``evaluate``.

    ``evaluate(velocity, load, depth)`` (three numbers in m/s, N, m) returns the force on the second body (three numbers, N),
    stored energy (J) and dissipated power (W). States as for `OwnNormal`; three or more of them begin with a vector, which is
    carried along with the contact.
    """

    states: Sequence[tuple[str, str, float]] = ()

    @abstractmethod
    def evaluate(self, velocity: Sequence[float], load: float, depth: float, *state: Any) -> tuple[Any, ...]:
        """Force, stored energy, dissipated power."""


def _plain(value: Any) -> Any:
    """Numbers of NumPy as those of Python, so that parameters compare and print as such."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def _radii(radius: Radius) -> tuple[Optional[float], Optional[float]]:
    if radius is None or isinstance(radius, (int, float, np.number)):
        return (None if radius is None else float(radius), None)
    if len(radius) != 2:
        raise LawError(f"surface_radius = {radius!r} must be one radius, or two: one per side")
    return (float(radius[0]), float(radius[1]))


def _known(given: dict[str, Any]) -> dict[str, Any]:
    if wrong := [name for name in given if name not in ("impact_speed", "state", "out")]:
        raise TypeError(f"unexpected keyword argument {wrong[0]!r}; there are impact_speed, state, out")
    return given


def _state(state: Optional[Sequence[float]]) -> Optional[list[float]]:
    return None if state is None else _numbers("state", state).reshape(-1).tolist()


def _numbers(name: str, given: Any) -> Floats:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise LawError(f"{name} must be a number or an array of numbers") from None


def _broadcast(**given: Any) -> tuple[tuple[int, ...], dict[str, Optional[Floats]]]:
    """Arrays of one shape, flat and contiguous; those that are so already are not copied."""
    arrays = {name: _numbers(name, value) for name, value in given.items() if value is not None}
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise LawError(f"shapes do not fit: {shapes}") from None
    flat = {name: np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1) for name, array in arrays.items()}
    return shape, {name: flat.get(name) for name in given}
