"""The foot of a walking machine is put down, pushed and lifted by a controller written in Python.

The scene is that of Marhefka and Orin (1996, Fig. 8) without its schedule of motors: the controller does the same at 1 kHz.

    python examples/python/walking_foot.py [picture.png]
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt

import bristle

SCENE = Path(__file__).parents[2] / "scenes" / "walking_foot.toml"
STIFFNESS, PUSH = 20e3, 1500.0  # N/m, N


def controller(sim: bristle.Simulation) -> dict[str, float]:
    """Position control down to the ground, a constant push, position control up again."""
    t, position = sim.time, sim.state["leg.position"]
    if t < 0.1:
        return {"leg": STIFFNESS * (2.0 * t - 10.0 * t * t - position)}
    if t < 0.5:
        return {"leg": PUSH}
    return {"leg": STIFFNESS * (0.1 - 2.0 * (t - 0.5) - position)}


def main(picture: str) -> None:
    scheduled = bristle.run(SCENE)
    controlled = bristle.run(SCENE, set={"actuators.leg.phases": [{"effort": 0.0}]}, controller=controller, rate=1000.0)
    figure, (top, low) = plt.subplots(2, 1, sharex=True, figsize=(8, 6), layout="constrained")
    for run, name, style in ((scheduled, "schedule in the scene", "-"), (controlled, "Python at 1 kHz", "--")):
        top.plot(run.time, 1e3 * run["foot-ground.depth"], style, label=name)
        low.plot(run.time, run["foot-ground.normal_force"], style, label=name)
    top.set(ylabel="depth (mm)", ylim=(-5, 45))
    low.set(xlabel="time (s)", ylabel="ground reaction (N)")
    low.legend()
    difference = abs(scheduled["foot-ground.depth"] - controlled["foot-ground.depth"]).max()
    print(f"largest difference in depth: {1e3 * difference:.3f} mm")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "walking_foot.png")
