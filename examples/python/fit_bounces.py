"""A contact law fitted to the bounces of a ball: stiffness and dissipation from times that a microphone would hear.

The data are made here, from a known law and noise of 20 µs, so that the answer can be checked.

    python examples/python/fit_bounces.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import least_squares

import bristle

BOUNCES, NOISE = 6, 20e-6  # –, s
TRUE = {"stiffness": 2e6, "dissipation": 0.25}  # N/m^1.5, s/m
UNITS = {"stiffness": "N/m^1.5", "dissipation": "s/m"}


def bounce_times(stiffness: float, dissipation: float) -> np.ndarray:
    """Begin and end of every contact, s."""
    scene = bristle.Scene(duration=2.0, integrator={"method": "dop853", "rtol": 1e-9})
    scene.add_material("floor", bristle.laws.HuntCrossley(stiffness=stiffness, dissipation=dissipation))
    scene.add_body("ball", mass=0.05, shape={"sphere": {"radius": 0.02}}, position=[0.0, 0.0, 0.32])
    scene.add_body("ground", fixed=True, shape={"plane": {}})
    scene.add_contact("ball", "ground", "floor")
    impacts = scene.run(film=False, every=2.0).impacts
    return np.concatenate([impacts["start"][:BOUNCES], impacts["end"][:BOUNCES]])


def main(picture: str) -> None:
    heard = bounce_times(**TRUE) + NOISE * np.random.default_rng(1).standard_normal(2 * BOUNCES)
    start = {"stiffness": 8e5, "dissipation": 0.1}

    def residuals(logarithms: np.ndarray) -> np.ndarray:
        return (bounce_times(*np.exp(logarithms)) - heard) / NOISE

    # logarithms keep both parameters positive and of like size
    fit = least_squares(residuals, np.log(list(start.values())), jac="3-point", diff_step=1e-4)
    found = dict(zip(TRUE, np.exp(fit.x)))
    errors = dict(zip(TRUE, np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)))))
    for name, value in found.items():
        print(f"{name}: {value:.5g} ± {value * errors[name]:.2g} {UNITS[name]}, true {TRUE[name]:.5g}")
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    bounces = np.arange(1, BOUNCES + 1)
    for name, times, style in (
        ("heard", heard, "ko"),
        ("fitted", bounce_times(**found), "C0x-"),
        ("first guess", bounce_times(**start), "C1--"),
    ):
        left.plot(bounces, 1e3 * (times[BOUNCES:] - times[:BOUNCES]), style, label=name)
    left.set(xlabel="bounce", ylabel="contact time (ms)")
    left.legend()
    right.bar(np.arange(2 * BOUNCES), residuals(np.log(list(found.values()))))
    right.set(xlabel="time that was heard", ylabel="residual (standard deviations)")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "fit_bounces.png")
