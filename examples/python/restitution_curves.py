"""Restitution over impact speed for five laws that are designed to agree at 1 m/s.

    python examples/python/restitution_curves.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

from bristle import laws

MASS, WANTED = 0.5, 0.7  # kg, –

DESIGNED = {
    "kelvin-voigt": laws.KelvinVoigt.design(restitution=WANTED, speed=1.0, mass=MASS, stiffness=1e5),
    "hunt-crossley": laws.HuntCrossley.design(restitution=WANTED, speed=1.0, mass=MASS, stiffness=1e7),
    "gonthier": laws.Gonthier.design(restitution=WANTED, speed=1.0, mass=MASS, stiffness=1e7),
    "azad-featherstone": laws.AzadFeatherstone.design(restitution=WANTED, speed=1.0, mass=MASS, stiffness=1e7),
    "proxy": laws.Proxy.design(restitution=WANTED, speed=1.0, mass=MASS, stiffness=1e5, beta=1e-3),
}


def main(picture: str) -> None:
    speeds = np.geomspace(0.02, 5.0, 60)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for i, (name, law) in enumerate(DESIGNED.items()):
        # three of them have a constant restitution: dashes show all
        left.semilogx(speeds, law.restitution(speeds, MASS), label=name, dashes=[4, 2 * i] if i else [1, 0])
        impact = law.impact(MASS, 1.0)
        right.plot(1e3 * impact.samples["depth"], impact.samples["force"], label=name)
        print(f"{name:18} e(1 m/s) = {law.restitution(1.0, MASS):.6f}, peak force {impact.peak_force:8.1f} N")
    left.set(xlabel="impact speed (m/s)", ylabel="restitution", ylim=(0.0, 1.05))
    left.plot(1.0, WANTED, "ko", markersize=4)
    left.legend()
    right.set(xlabel="depth (mm)", ylabel="force (N)", title="impact at 1 m/s")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "restitution_curves.png")
