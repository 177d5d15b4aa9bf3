"""Six hundred throws of a ball on all cores, as a table of polars: how far it rolls over speed and friction.

    python examples/python/batch_sweep.py [picture.png]
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

import bristle

SCENE = Path(__file__).parents[2] / "scenes" / "rolling_sphere.toml"
SPEED, FRICTION = "bodies.ball.velocity[0]", "materials.steel-on-ground.friction.friction"
DISTANCE = "bodies.ball.position[0]"


def main(picture: str) -> None:
    speeds, frictions = np.meshgrid(np.linspace(0.1, 2.0, 30), np.linspace(0.02, 0.4, 20))
    scene = bristle.Scene.load(SCENE, {"simulation.duration": 1.0, "simulation.integrator.rtol": 1e-7})
    batch = bristle.simulate_many(
        scene, {SPEED: speeds.ravel(), FRICTION: frictions.ravel()}, [DISTANCE, "energy.accounts.clutch"], progress=True
    )
    assert not batch.failed.any(), batch.errors
    frame = batch.to_polars()
    by_friction = frame.group_by(FRICTION).agg(pl.col("energy.accounts.clutch").max().alias("most lost by slipping (J)"))
    print(by_friction.sort(FRICTION).head())
    figure, axis = plt.subplots(figsize=(7, 4.5), layout="constrained")
    # what it lost against rolling on at the speed it was thrown with
    share = (batch[DISTANCE] / batch[SPEED]).reshape(speeds.shape)
    drawn = axis.contourf(speeds, frictions, share, levels=16)
    axis.set(xlabel="speed along x (m/s)", ylabel="coefficient of friction")
    figure.colorbar(drawn, label="distance after 1 s over speed × 1 s")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "batch_sweep.png")
