"""A contact law fitted to a bouncing ball that a camera saw: stiffness and dissipation, with exact gradients.

The data are made here, from a known law and noise of 0.1 mm, so that the answer can be checked. Every step of the fit is one run that carries the
derivatives of all positions with it.

    python examples/python/fit_bounces.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import least_squares

import bristle

TIMES, NOISE = np.arange(0.3, 1.2, 0.02), 1e-4  # s, m
TRUE = {"stiffness": 2e6, "dissipation": 0.25}  # N/m^1.5, s/m
START = {"stiffness": 1e6, "dissipation": 0.2}
UNITS = {"stiffness": "N/m^1.5", "dissipation": "s/m"}


def scene(stiffness: float, dissipation: float) -> bristle.Scene:
    scene = bristle.Scene(duration=1.2, integrator={"method": "dop853", "rtol": 1e-11})
    scene.add_material("floor", bristle.laws.HuntCrossley(stiffness=stiffness, dissipation=dissipation))
    scene.add_body("ball", mass=0.05, shape={"sphere": {"radius": 0.02}}, position=[0.0, 0.0, 0.32])
    scene.add_body("ground", fixed=True, shape={"plane": {}})
    scene.add_contact("ball", "ground", "floor")
    return scene


def heights(parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Heights at all times (m), and their derivatives by both parameters."""
    keys = [f"materials.floor.normal.{name}" for name in TRUE]
    found = bristle.gradient(scene(*parameters), by=keys, of=[f"at(ball.position.z, {t:.2f})" for t in TIMES])
    return np.array(list(found.values.values())), found.jacobian


def main(picture: str) -> None:
    true, start = np.array(list(TRUE.values())), np.array(list(START.values()))
    seen = heights(true)[0] + NOISE * np.random.default_rng(1).standard_normal(len(TIMES))
    runs = 0

    # logarithms keep both parameters positive and of like size
    def model(logarithms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nonlocal runs
        runs += 1
        parameters = np.exp(logarithms)
        values, jacobian = heights(parameters)
        return (values - seen) / NOISE, jacobian * parameters / NOISE

    fit = least_squares(lambda p: model(p)[0], np.log(start), jac=lambda p: model(p)[1])
    found = np.exp(fit.x)
    errors = found * np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)))
    for name, value, error in zip(TRUE, found, errors):
        print(f"{name}: {value:.5g} ± {error:.2g} {UNITS[name]}, true {TRUE[name]:.5g}")
    print(f"{runs} runs")
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    left.plot(TIMES, seen, "ko", markersize=3, label="seen")
    left.plot(TIMES, heights(found)[0], "C0", label="fitted")
    left.plot(TIMES, heights(start)[0], "C1--", label="first guess")
    left.set(xlabel="time (s)", ylabel="height (m)")
    left.legend()
    right.plot(TIMES, fit.fun, "C0.-")
    right.set(xlabel="time (s)", ylabel="residual (standard deviations)")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "fit_bounces.png")
