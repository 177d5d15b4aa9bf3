"""A ball thrown on a compliant ground bounces, slips, sticks and rolls; the ledger says where its energy went.

    python examples/python/rolling_sphere.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt

import bristle


def main(picture: str) -> None:
    scene = bristle.Scene(duration=2.0, integrator={"method": "dop853", "rtol": 1e-10}, record={"every": 1e-3})
    scene.add_material(
        "steel-on-ground",
        normal=bristle.laws.AzadFeatherstone(stiffness=8.5e6, damping=3.1e3),
        friction=bristle.laws.SpringClutch(friction=0.2, stiffness=12.75e6, damping=3.1e3, viscous=0.1),
    )
    scene.add_body(
        "ball", mass=0.154, shape={"sphere": {"radius": 0.0165}}, position=[0, 0, 0.1], velocity=[0.5, 0.5, 0]
    )
    scene.add_body("ground", fixed=True, shape={"plane": {}})
    scene.add_contact("ball", "ground", "steel-on-ground")
    run = scene.run()

    print(run)
    print(run.impacts)
    rolling = run["ball"].angular_velocity[-1, 1] * 0.0165 / run["ball.velocity.x"][-1]
    print(f"at the end ω r / v = {rolling:.6f}; the ledger cannot place {run.closure:.1e} of the energy in play")
    figure, (top, middle, low) = plt.subplots(3, 1, sharex=True, figsize=(8, 8), layout="constrained")
    top.plot(run.time, run["ball.position.z"])
    top.set_ylabel("height (m)")
    middle.plot(run.time, run["ball.velocity.x"], label="velocity")
    middle.plot(run.time, 0.0165 * run["ball.angular_velocity.y"], label="spin × radius")
    middle.set_ylabel("along x (m/s)")
    middle.legend()
    energy = run.energy
    names = ["kinetic", "gravity", "elastic_normal", "normal", "damper", "clutch"]
    shares = [energy[name] - (energy[name].min() if name == "gravity" else 0.0) for name in names]
    low.stackplot(run.time, *shares, labels=[name.replace("_", " ") for name in names])
    low.set(xlabel="time (s)", ylabel="energy (J)")
    low.legend(ncols=3, loc="lower right")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "rolling_sphere.png")
