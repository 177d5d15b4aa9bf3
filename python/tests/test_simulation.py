"""The stepping interface: states, commands, contacts, save and restore, controllers, laws of the user's own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_runs import BALL

import bristle
from bristle import Scene, SceneError, Simulation, SimulationError, laws

WHEEL = {
    "simulation": {"duration": 0.5, "gravity": [0, 0, 0]},
    "bodies": {"wheel": {"mass": 1.0, "inertia": [1, 1, 1]}},
    "joints": {"axle": {"parent": "world", "child": "wheel", "type": "revolute"}},
    "actuators": {"motor": {"joint": "axle", "effort": 0}},
}


def test_steps_end_where_the_run_ends_and_give_the_same_bits() -> None:
    with Simulation(BALL) as sim:
        steps = 0
        while sim.step():
            steps += 1
        assert sim.time == sim.duration == 0.4 and not sim.step()
        run = sim.finish()
    whole = bristle.run(BALL)
    assert steps == run.summary["steps"] == whole.summary["steps"]
    for name in whole.names:
        assert np.array_equal(run[name], whole[name]), name


def test_the_state_is_what_would_be_recorded() -> None:
    sim = Simulation(BALL)
    sim.advance(0.2)
    state = sim.state
    assert state.time == sim.time == 0.2
    assert state["ball.position.z"] == state.q[2] and len(state) == len(sim.units)
    assert state.part("ball").velocity.shape == (3,) and sim.units["ball.velocity.x"] == "m/s"
    # free fall for 0.1424 s, then one impact: it is on its way up or down, above the ground
    assert 0.0165 < state["ball.position.z"] < 0.1165
    with pytest.raises(KeyError):
        _ = state["cat"]
    with pytest.raises(KeyError, match="nothing is known of cat"):
        state.part("cat")


def test_contacts_tell_point_normal_and_force() -> None:
    sim = Simulation(BALL)
    assert sim.contacts() == []
    while not sim.contacts():
        sim.step()
    sim.step()
    (contact,) = sim.contacts()
    assert contact.bodies == ("ball", "ground") and contact.touching and contact.depth > 0.0
    # the normal points from the first body into the second, and the force on the second is the push
    assert np.allclose(contact.normal, [0, 0, -1]) and np.allclose(contact.force, [0, 0, -contact.normal_force])
    assert contact.normal_force > 0.0 and contact.point[2] < 0.0


def test_a_saved_run_goes_on_to_the_bit(scenes: Path) -> None:
    scene = Scene.load(scenes / "rolling_sphere.toml")
    sim = scene.simulate()
    sim.advance(0.1315)  # inside the first impact
    saved = sim.save()
    sim.advance(math.inf)
    other = scene.simulate()
    other.restore(saved)
    assert other.time == 0.1315
    other.advance(math.inf)
    a, b = sim.finish(), other.finish()
    for name in a.names:
        assert np.array_equal(a[name], b[name]), name
    with pytest.raises(SimulationError, match="cannot be read as a saved run"):
        scene.simulate().restore(b"nonsense")
    with pytest.raises(SimulationError, match="does not belong to this scene"):
        Simulation(WHEEL).restore(saved)


def test_commands_are_held_and_added() -> None:
    sim = Simulation(WHEEL)
    assert sim.motors == ["motor"]
    sim.set_command("motor", effort=2.0)
    assert sim.command("motor") == {"target": 0.0, "rate": 0.0, "effort": 2.0}
    sim.advance(0.25)
    sim.set_command("motor", effort=0.0)
    sim.advance(0.5)
    # 2 N m on 1 kg m² for a quarter of a second
    assert sim.state["axle.velocity"] == pytest.approx(0.5, rel=1e-12)
    with pytest.raises(SimulationError, match="there is no motor engine; there are motor"):
        sim.set_command("engine", effort=1.0)
    with pytest.raises(SimulationError, match="effort = NaN"):
        sim.set_command("motor", effort=math.nan)
    with pytest.raises(TypeError):
        sim.set_command("motor", effort="full")  # type: ignore[arg-type]


def test_a_controller_is_called_at_its_rate() -> None:
    ticks: list[float] = []

    def speed(sim: Simulation) -> dict[str, float]:
        ticks.append(sim.time)
        return {"motor": 50.0 * (1.0 - sim.state["axle.velocity"])}

    run = bristle.run(WHEEL, controller=speed, rate=100.0)
    assert ticks == [k / 100.0 for k in range(50)]
    # as the controller in the documentation of Rust: reached within three ticks
    assert run["axle.velocity"][-1] == pytest.approx(1.0, abs=1e-12)

    def detailed(sim: Simulation) -> dict[str, Any]:
        return {"motor": {"effort": 1.0, "target": 0.0}}

    assert bristle.run(WHEEL, controller=detailed, rate=10.0)["axle.velocity"][-1] == pytest.approx(0.5)


def test_wrong_controllers_raise() -> None:
    def broken(sim: Simulation) -> None:
        raise ZeroDivisionError("in the controller")

    with pytest.raises(ZeroDivisionError, match="in the controller"):
        bristle.run(WHEEL, controller=broken, rate=100.0)
    with pytest.raises(SimulationError, match="there is no motor engine"):
        bristle.run(WHEEL, controller=lambda sim: {"engine": 1.0}, rate=100.0)
    with pytest.raises(SimulationError, match="returns None or a dict"):
        bristle.run(WHEEL, controller=lambda sim: 3, rate=100.0)
    for rate in (None, 0.0, math.nan, math.inf):
        with pytest.raises(SimulationError, match="must be > 0 and finite"):
            bristle.run(WHEEL, controller=lambda sim: None, rate=rate)
    with pytest.raises(SimulationError, match="none is given"):
        bristle.run(WHEEL, rate=3.0)


def test_a_closed_simulation_says_so() -> None:
    sim = Simulation(BALL)
    assert repr(sim) == "<simulation at 0 of 0.4 s>"
    sim.close()
    assert sim.is_closed and repr(sim) == "<closed simulation>"
    for use in (sim.step, sim.contacts, sim.save, sim.finish, lambda: sim.time, lambda: sim.state, lambda: sim.advance(1.0)):
        with pytest.raises(SimulationError, match="the simulation is closed"):
            use()
    sim.close()
    sim.reset()  # begins anew
    assert sim.time == 0.0 and sim.step()


def test_a_reset_begins_at_the_start_or_where_it_is_told() -> None:
    sim = Simulation(BALL)
    first = sim.state
    sim.advance(0.3)
    sim.reset()
    assert np.array_equal(sim.state.q, first.q)
    sim.reset(q=first.q + [0, 0, 1, 0, 0, 0, 0], v=first.v)
    assert sim.state["ball.position.z"] == pytest.approx(1.1165)
    with pytest.raises(SimulationError, match="q has 3 numbers, needs 7"):
        sim.reset(q=[0, 0, 0])
    with pytest.raises(SimulationError, match="v must be finite"):
        sim.reset(v=[math.nan] * 6)
    with pytest.raises(SimulationError, match="time is not a number"):
        sim.advance(math.nan)


class Spring(laws.OwnNormal):
    """f = k x + b v, cut at zero, as `kelvin-voigt`."""

    def __init__(self, k: float, b: float) -> None:
        self.k, self.b = k, b

    def evaluate(self, depth: float, rate: float, *state: Any) -> tuple[float, float, float]:
        elastic, viscous = self.k * depth, self.b * rate
        stored = 0.5 * self.k * depth * depth
        if elastic + viscous > 0.0:
            return elastic + viscous, stored, viscous * rate
        return 0.0, stored, -elastic * rate


class Slider(laws.OwnFriction):
    """Viscous friction."""

    def evaluate(
        self, velocity: Sequence[float], load: float, depth: float, *state: Any
    ) -> tuple[list[float], float, float]:
        force = [-2.0 * v for v in velocity]
        return force, 0.0, 2.0 * sum(v * v for v in velocity)


class Relaxing(laws.OwnNormal):
    """A spring that creeps: f = k (x − z), ż = (x − z)/τ; the ledger must close with its state."""

    states = (("creep", "m", 1e-4),)

    def evaluate(self, depth: float, rate: float, *state: Any) -> tuple[float, float, float, list[float]]:
        k, tau = 1e4, 0.01
        stretch = depth - state[0][0]
        if stretch <= 0.0:  # the surface comes back by itself, without a load
            return 0.0, 0.0, 0.0, [stretch / tau]
        return k * stretch, 0.5 * k * stretch * stretch, k * stretch * stretch / tau, [stretch / tau]


def test_a_law_of_ones_own_equals_the_built_in_one() -> None:
    own, built_in = (
        Scene({**BALL, "materials": {}}),
        Scene(BALL).changed({"materials.ground.normal": {"law": "kelvin-voigt", "stiffness": 1e4, "damping": 5.0}}),
    )
    own.add_material("ground", Spring(1e4, 5.0), "none")
    a, b = own.run(film=False), built_in.run(film=False)
    # the same equations, and events located to 1e-12 of the end
    assert np.abs(a["ball.position.z"] - b["ball.position.z"]).max() < 1e-8
    assert a.closure < 1e-7 and len(a.summary["impacts"]) == len(b.summary["impacts"])


def test_laws_with_states_and_friction_close_the_ledger() -> None:
    scene = Scene({**BALL, "materials": {}})
    scene.add_material("ground", Relaxing(), Slider())
    run = scene.changed({"bodies.ball.velocity": [0.5, 0.0, 0.0]}).run(film=False, duration=0.2)
    assert run.closure < 1e-6
    assert run["ball.velocity.x"][-1] < 0.5, "friction has slowed it down"


def test_laws_are_put_in_the_place_of_a_materials() -> None:
    scene = Scene.parse(Scene(BALL).text)
    scene.put_law("ground", normal=Spring(1e4, 0.0))
    run = scene.run(film=False)
    assert run.impacts["restitution"][0] == pytest.approx(1.0, abs=1e-6)
    assert "Laws of ground are functions of Python" in run._inner.html()
    with pytest.raises(SceneError, match="there is no material cat; there are ground"):
        scene.put_law("cat", normal=Spring(1e4, 0.0))
    with pytest.raises(SceneError, match="needs a normal law"):
        scene.put_law("ground")


class Broken(Spring):
    """Fails in its own way."""

    def __init__(self, how: str) -> None:
        super().__init__(1e4, 0.0)
        self.how = how
        if how == "states":
            self.states = [("z", "m", -1.0)]

    def evaluate(self, depth: float, rate: float, *state: Any) -> Any:
        if self.how == "raise":
            raise ZeroDivisionError("in the law")
        return {"nan": (math.nan, 0.0, 0.0), "text": "hard", "short": (1.0,)}.get(self.how)


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ("raise", ZeroDivisionError, "in the law"),
        ("nan", SimulationError, "not finite"),
        ("text", TypeError, "tuple|str"),
        ("short", ValueError, "length"),
        ("none", TypeError, "None"),
        ("states", bristle.LawError, "scale = -1 must be > 0"),
    ],
)
@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_a_broken_law_raises_its_own_exception(how: str, error: type, message: str, method: str) -> None:
    scene = Scene({**BALL, "materials": {}})
    scene.add_material("ground", Broken(how), "none")
    integrator = {"method": method, "rtol": 1e-8} if method == "dop853" else {"method": method, "step": 1e-4}
    with pytest.raises(error, match=message):
        scene.changed({"simulation.integrator": integrator}).run(film=False)


def test_a_law_that_uses_its_own_simulation_is_told_that_it_is_busy() -> None:
    class Curious(Spring):
        def evaluate(self, depth: float, rate: float, *state: Any) -> Any:
            return sim.time, 0.0, 0.0

    scene = Scene({**BALL, "materials": {}})
    scene.add_material("ground", Curious(1e4, 0.0), "none")
    sim = scene.simulate()
    with pytest.raises(SimulationError, match="busy"):
        sim.advance(math.inf)
