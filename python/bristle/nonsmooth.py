"""Any system with unilateral contact and Coulomb friction, as an ordinary differential equation.

A system is written with ``dio(ψ)``, a force that does not let the gap ψ become negative, and ``χ sgn(θ)``, friction of at most χ
against the velocity θ (Xiong, Kikuuwe & Yamamoto 2013, §3.3). Functions take what they see, ``at``, and ask it by handle.

>>> system = System()                                        # a point mass that is thrown along a plane
>>> x, z = system.state("x", 0.0, "m"), system.state("z", 0.05, "m")
>>> vx, vz = system.velocity("vx", 1.0, "m/s"), system.velocity("vz", 0.0, "m/s")
>>> n = system.dio("n", lambda at: at[z], stiffness=1e5, alpha=0.0025, beta=0.005)
>>> f = system.sgn("f", (0.3, n), lambda at: at[vx], stiffness=1e5, beta=0.005)
>>> @system.rates
... def rates(at, to):
...     to[x], to[z] = at[vx], at[vz]
...     to[vx], to[vz] = -at[f] / 1.0, at[n] / 1.0 - 9.8
>>> run = system.run(duration=1.0, every=0.01)
>>> bool(abs(run["vx"][-1]) < 1e-6)
True

Formulas in text are scenes with ``[nonsmooth]``: ``bristle.run`` takes them, faster than functions of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Union

from . import _bristle
from ._bristle import At, Handle, Rates
from .result import Run
from .simulation import Progress, _shown

__all__ = ["At", "Handle", "Rates", "System"]

#: A number, ``(factor, contact)``, or a function.
Limit = Union[float, "tuple[float, Handle]", Callable[[At], float]]


class System:
    """A system in the making; `run` builds it, and nothing can be declared after that."""

    def __init__(self) -> None:
        self._builder = _bristle.Builder()
        self._built: _bristle.System | None = None

    def state(self, name: str, start: float, unit: str = "1", scale: float = 1.0) -> Handle:
        """A state and its value at the start. Error control asks for ``rtol`` of ``scale``, its typical size."""
        return self._builder.state(name, start, False, unit, scale)

    def velocity(self, name: str, start: float, unit: str = "1", scale: float = 1.0) -> Handle:
        """A state that the semi-implicit method moves first; declared after all others."""
        return self._builder.state(name, start, True, unit, scale)

    def dio(self, name: str, gap: Callable[[At], float], *, stiffness: float, alpha: float, beta: float) -> Handle:
        """A force that is zero while the gap is positive and does not let it become negative. N/m, s, s; alpha = beta is
        elastic, a smaller alpha dissipates."""
        return self._builder.dio(name, gap, stiffness, alpha, beta)

    def sgn(
        self, name: str, limit: Limit, velocity: Callable[[At], float], *, stiffness: float, beta: float
    ) -> Handle:
        """Friction of at most ``limit`` (N) against a velocity (m/s). N/m, s."""
        return self._builder.sgn(name, limit, velocity, stiffness, beta, False)

    def sgn2(
        self, name: str, limit: Limit, velocity: Callable[[At], Sequence[float]], *, stiffness: float, beta: float
    ) -> Handle:
        """Friction in a plane: ``velocity`` answers two numbers, and ``at[handle]`` is a pair."""
        return self._builder.sgn(name, limit, velocity, stiffness, beta, True)

    def rates(self, function: Callable[[At, Rates], None]) -> Callable[[At, Rates], None]:
        """The right-hand side: ``function(at, to)`` writes the rate of every state. Can be used as a decorator."""
        self._builder.rates(function)
        return function

    def energy(self, function: Callable[[At], float]) -> Callable[[At], float]:
        """Energy of the states, J, against which the ledger is closed."""
        self._builder.energy(function)
        return function

    def power(self, function: Callable[[At], float]) -> Callable[[At], float]:
        """Power that comes from outside, W."""
        self._builder.power(function)
        return function

    def breaks(self, times: Sequence[float]) -> None:
        """Times at which functions of time jump, s: no step crosses them."""
        self._builder.breaks([float(t) for t in times])

    def build(self) -> _bristle.System:
        """Checks the declarations. An exception inside a function is raised here."""
        if self._built is None:
            self._built = self._builder.build()
        return self._built

    @property
    def warnings(self) -> list[str]:
        """What is allowed but rarely meant."""
        return self.build().warnings()

    def run(
        self,
        duration: float,
        *,
        every: float | None = None,
        method: str = "dopri5",
        rtol: float = 1e-8,
        step: float = 1e-4,
        progress: Progress = None,
    ) -> Run:
        """Integrates it. ``method`` is ``dopri5`` or ``dop853`` with ``rtol``, or ``euler``, ``semi-implicit-euler``, ``rk3``,
        ``rk4`` with ``step`` (s)."""
        spacing = duration / 1000 if every is None else every
        return Run(self.build().run(duration, spacing, method, rtol, step, _shown(progress)))
