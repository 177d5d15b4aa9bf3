"""Contact dynamics you can audit: contact laws, impacts, and where every joule went.

>>> import bristle
>>> law = bristle.laws.Gonthier(stiffness=1e9, restitution=0.5)
>>> round(law.impact(mass=0.454, speed=2.0).restitution, 9)
0.5

SI units and radians everywhere. Depth is positive for overlap, rate is positive while approaching.
"""

from __future__ import annotations

from . import laws, nonsmooth
from ._bristle import Error, LawError, SceneError, SimulationError, __version__
from .batch import Batch, simulate_many
from .gradient import Derivatives, gradient
from .result import Part, Run
from .scene import Scene
from .simulation import Contact, Simulation, State, run
from .table import Table
from .worlds import Worlds

__all__ = [
    "Batch",
    "Contact",
    "Derivatives",
    "Error",
    "LawError",
    "Part",
    "Run",
    "Scene",
    "SceneError",
    "Simulation",
    "SimulationError",
    "State",
    "Table",
    "Worlds",
    "__version__",
    "gradient",
    "laws",
    "nonsmooth",
    "run",
    "simulate_many",
]
