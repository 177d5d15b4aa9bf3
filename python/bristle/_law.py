"""What all laws have in common: parameters by name, evaluation on arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Optional

import numpy as np

from . import _bristle
from ._arrays import Floats, Numbers, Radius, broadcast, flat_state, plain, radii
from ._bristle import LawError
from .table import Table

#: Units of what impacts and loops are sampled in.
SERIES_UNITS = {
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
        self.parameters: dict[str, Any] = {k: plain(v) for k, v in parameters.items() if v is not None}
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
        self._inner = _bristle.NormalLaw(self.id, self.parameters, *radii(surface_radius))

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
        shape, given = broadcast(depth=depth, rate=rate, impact_speed=impact_speed)
        slopes = Gradient(np.empty(shape), np.empty(shape))
        by_depth, by_rate = slopes.depth.reshape(-1), slopes.rate.reshape(-1)
        self._inner.gradient(given["depth"], given["rate"], by_depth, by_rate, given["impact_speed"], flat_state(state))
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
        return Impact(**{**found, "samples": Table(found["samples"], SERIES_UNITS)})

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
        given = {name: plain(value) for name, value in given.items() if value is not None}
        found, _ = _bristle.design(cls.id, given, mass, speed, *radii(surface_radius), **wishes)
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
        shape, given = broadcast(depth=depth, rate=rate, impact_speed=impact_speed)
        if out is None:
            result = np.empty(shape)
        else:
            result = out
            is_fit = isinstance(out, np.ndarray) and out.dtype == np.float64 and out.flags.c_contiguous
            if not is_fit or out.shape != shape:
                raise LawError(f"out must be a contiguous array of float64 and shape {shape}")
        self._inner.evaluate(
            what, given["depth"], given["rate"], result.reshape(-1), given["impact_speed"], flat_state(state)
        )
        return float(result) if shape == () and out is None else result

    def _forecast(self, what: str, speed: Numbers, mass: Numbers) -> Any:
        shape, given = broadcast(mass=mass, speed=speed)
        result = np.empty(shape)
        self._inner.forecast(what, given["mass"], given["speed"], result.reshape(-1))
        return float(result) if shape == () else result


def _known(given: dict[str, Any]) -> dict[str, Any]:
    if wrong := [name for name in given if name not in ("impact_speed", "state", "out")]:
        raise TypeError(f"unexpected keyword argument {wrong[0]!r}; there are impact_speed, state, out")
    return given
