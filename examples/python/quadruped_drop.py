"""A quadruped is dropped and caught by its servos; its report with playback is written beside the picture.

    python examples/python/quadruped_drop.py [picture.png]
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import bristle

SCENE = Path(__file__).parents[2] / "scenes" / "quadruped_drop.toml"


def main(picture: str) -> None:
    run = bristle.run(SCENE)
    run.report(Path(picture).with_suffix(".html"))
    print(run)
    figure, (top, middle, low) = plt.subplots(3, 1, sharex=True, figsize=(8, 8), layout="constrained")
    top.plot(run.time, run["dog/trunk.position.z"])
    top.set_ylabel("height of the trunk (m)")
    for leg in ("FR", "FL", "RR", "RL"):
        middle.plot(run.time, run[f"dog/{leg}_calf.contact_force.z"], label=leg, linewidth=1)
    middle.set_ylabel("force on each foot (N)")
    middle.legend(ncols=4)
    low.plot(run.time, np.linalg.norm(run["imu"].acceleration, axis=1) / 9.81)
    low.set(xlabel="time (s)", ylabel="felt by the IMU (g)")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "quadruped_drop.png")
