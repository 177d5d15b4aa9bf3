"""Systems of formulas in text and of functions in Python give the same motion."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bristle
from bristle import SceneError, SimulationError
from bristle.nonsmooth import At, Rates, System

TEXT = """
schema = 1
[simulation]
duration = 1.0
integrator = { method = "dopri5", rtol = 1e-9 }
record = { every = 0.01 }
[nonsmooth]
energy = "0.5*(vx^2 + vz^2) + 9.8*z"
contacts.n = { gap = "z", stiffness = 1e5, alpha = 0.0025, beta = 0.005 }
frictions.f = { limit = "0.3*n", velocity = "vx", stiffness = 1e5, beta = 0.005 }
[nonsmooth.states]
x = { rate = "vx", unit = "m" }
z = { start = 0.05, rate = "vz", unit = "m" }
vx = { start = 1.0, rate = "-f", unit = "m/s" }
vz = { rate = "n - 9.8", unit = "m/s" }
"""


def thrown(limit: Any = None) -> System:
    """A point mass that is thrown along a plane."""
    system = System()
    x, z = system.state("x", 0.0, "m"), system.state("z", 0.05, "m")
    vx, vz = system.velocity("vx", 1.0, "m/s"), system.velocity("vz", 0.0, "m/s")
    n = system.dio("n", lambda at: at[z], stiffness=1e5, alpha=0.0025, beta=0.005)
    limit = (0.3, n) if limit is None else limit
    limit = (lambda at: 0.3 * at[n]) if limit == "function" else limit
    f = system.sgn("f", limit, lambda at: at[vx], stiffness=1e5, beta=0.005)

    @system.rates
    def rates(at: At, to: Rates) -> None:
        to[x], to[z], to[vx], to[vz] = at[vx], at[vz], -at[f], at[n] - 9.8

    system.energy(lambda at: 0.5 * (at[vx] ** 2 + at[vz] ** 2) + 9.8 * at[z])
    return system


def test_text_and_functions_agree() -> None:
    text = bristle.run(bristle.Scene.parse(TEXT))
    for limit in (None, "function"):
        run = thrown(limit).run(1.0, every=0.01, rtol=1e-9)
        assert np.array_equal(run.time, text.time)
        for name in ("x", "z", "vx", "vz"):
            # both are integrated with an error of 1e-9 of a typical size of 1 per step, in some hundred steps
            assert np.abs(run[name] - text[name]).max() < 1e-6, name
        assert run.closure < 1e-6 and run.units["vx"] == "m/s"
    assert abs(run["vx"][-1]) < 1e-6, "it has come to rest"


def test_friction_in_a_plane_is_a_pair(tmp_path: Path) -> None:
    system = System()
    vx, vy = system.velocity("vx", 0.3), system.velocity("vy", 0.4)
    f = system.sgn2("f", 1.0, lambda at: (at[vx], at[vy]), stiffness=1e4, beta=0.005)

    @system.rates
    def rates(at: At, to: Rates) -> None:
        to[vx], to[vy] = (-component for component in at[f])

    run = system.run(0.2, method="rk4", step=1e-4)
    # deceleration of 1 m/s² along the velocity, but for the first moment in which the spring is stretched
    speed = np.hypot(run["vx"], run["vy"])
    assert speed[-1] == pytest.approx(0.3, abs=5e-3)
    assert run["vy"][-1] / run["vx"][-1] == pytest.approx(4 / 3, rel=1e-6)
    run.report(tmp_path / "system.html")
    assert (tmp_path / "system.html").stat().st_size > 1e5
    assert system.warnings == [] and math.isnan(run.closure) and "run of system" in repr(run)


def test_exceptions_inside_functions_are_raised() -> None:
    system = System()
    x = system.state("x", 0.0)

    @system.rates
    def rates(at: At, to: Rates) -> None:
        to[x] = 1.0 / (0.5 - at.t) if at.t < 0.4 else {}["missing"]

    with pytest.raises(KeyError, match="missing"):
        system.run(1.0)
    early = System()
    y = early.state("y", 0.0)
    early.rates(lambda at, to: to.__setitem__(y, 1 / 0))
    with pytest.raises(ZeroDivisionError):
        early.build()


def test_wrong_systems_are_refused() -> None:
    with pytest.raises(SceneError, match="the rates are not given"):
        System().build()
    unset = System()
    unset.state("x", 0.0)
    unset.rates(lambda at, to: None)
    with pytest.raises(SceneError, match="the rate of x is not set"):
        unset.build()
    with pytest.raises(SceneError, match="built already"):
        unset.state("y", 0.0)
    with pytest.raises(SceneError, match="beta = -1 must be > 0"):
        bad = System()
        x = bad.state("x", 0.0)
        bad.dio("n", lambda at: at[x], stiffness=1.0, alpha=1.0, beta=-1.0)
        bad.rates(lambda at, to: to.__setitem__(x, 0.0))
        bad.build()
    with pytest.raises(KeyError, match="friction f is not seen here"):
        curious = System()
        v = curious.velocity("v", 1.0)
        f = curious.sgn("f", 1.0, lambda at: at[v] + at[f], stiffness=1.0, beta=1.0)
        curious.rates(lambda at, to: to.__setitem__(v, 0.0))
        curious.build()
    with pytest.raises(SimulationError, match="method leap is none of"):
        thrown().run(1.0, method="leap")
    with pytest.raises(SimulationError, match="duration = -1 s"):
        thrown().run(-1.0)
    with pytest.raises(SimulationError, match="takes no duration"):
        bristle.run(bristle.Scene.parse(TEXT), duration=1.0)
    with pytest.raises(SceneError, match="system of formulas"):
        bristle.Simulation(bristle.Scene.parse(TEXT))
