"""Read by mypy alone: how the package is used, and what its types say."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import bristle
from bristle import Batch, Part, Run, Scene, Simulation, Table, laws


def use() -> None:
    law: laws.NormalLaw = laws.Gonthier(stiffness=1e9, restitution=0.5)
    force: npt.NDArray[np.float64] = law.force(np.zeros(3), 0.0)
    slopes: laws.Gradient = law.gradient(force, 0.0)
    peak: float = law.impact(mass=1.0, speed=1.0).peak_force
    scene: Scene = Scene(duration=1.0)
    scene.add_material("m", law, laws.Coulomb(static=0.3))
    scene.add_body("ball", mass=peak, position=slopes.depth.tolist())
    run: Run = bristle.run(scene, set={"simulation.duration": 2.0}, progress=lambda t, end: None)
    part: Part | npt.NDArray[np.float64] = run["ball"]
    impacts: Table = run.impacts
    batch: Batch = bristle.simulate_many("x.toml", {"a.b": np.linspace(0, 1, 3)}, ["steps"])
    errors: list[str | None] = batch.errors
    heights: npt.NDArray[np.float64] = bristle.Worlds("x.toml", {"a.b": np.linspace(0, 1, 3)}).q[:, 2]
    slope: float = bristle.gradient(scene, ["a.b"], ["ball.position.x"])["ball.position.x", "a.b"]
    with Simulation(scene) as sim:
        more: bool = sim.step()
        depth: list[float] = [contact.depth for contact in sim.contacts()]
        saved: bytes = sim.save()
    print(part, impacts, errors, heights, slope, more, depth, saved)
    laws.Hertz(stifness=1.0)  # type: ignore[call-arg]
    laws.KelvinVoigt(stiffness=1.0, tension="pull")  # type: ignore[arg-type]
    bristle.run(3)  # type: ignore[arg-type]
