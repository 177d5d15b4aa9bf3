"""Laws of the user's own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any


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
