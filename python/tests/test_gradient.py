"""Derivatives through contact agree with differences of runs; what has none is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_runs import BALL
from test_simulation import Spring

import bristle
from bristle import Scene, SceneError, gradient

BOUNCE = {
    **BALL,
    "simulation": {"duration": 0.4, "integrator": {"method": "dop853", "rtol": 1e-11}},
    "bodies": {
        "ball": {
            "mass": 0.154,
            "shape": {"sphere": {"radius": 0.0165}},
            "position": [0.0, 0.0, 0.1165],
            "velocity": [0.5, 0.0, 0.0],
        },
        "ground": {"fixed": True, "shape": {"plane": {}}},
    },
}
BY = ["bodies.ball.position[2]", "bodies.ball.velocity[0]", "bodies.ball.mass"]
OF = ["ball.position.x", "ball.position.z", "energy.lost"]


def test_derivatives_agree_with_differences_of_runs() -> None:
    exact, rough = gradient(BOUNCE, BY, OF), gradient(BOUNCE, BY, OF, check=True)
    assert exact.jacobian.shape == (3, 3) and exact.values == pytest.approx(rough.values, rel=1e-12)
    # differences of runs at rtol 1e-11 over steps of 1e-3 are good to about 1e-7 of a quantity over its key
    size = np.abs(np.array(list(exact.values.values())))[:, None] / np.array([0.1, 1.0, 0.1])[None, :]
    assert np.all(np.abs(exact.jacobian - rough.jacobian) < 1e-6 * np.maximum(np.abs(exact.jacobian), size))
    # nothing slows it along x: the distance is the time, 0.4 s
    assert exact["ball.position.x", "bodies.ball.velocity[0]"] == pytest.approx(0.4, rel=1e-9)
    assert exact.table().to_pandas().shape == (9, 6) and "<table" in exact._repr_html_()


@pytest.mark.parametrize("variant", ["conservative", "as-printed"])
def test_distance_apex_and_loss_agree_with_differences_across_bounces(variant: str, scenes: Path) -> None:
    clutch = {"law": "spring-clutch", "variant": variant, "friction": 0.2, "stiffness": 12.75e6, "damping": 3.1e3, "viscous": 0.1}
    scene = Scene.load(scenes / "rolling_sphere.toml").changed(
        {
            "simulation.integrator.rtol": 1e-11,
            "materials.steel-on-ground.normal": {"law": "gonthier", "stiffness": 8.5e6, "restitution": 0.6},
            "materials.steel-on-ground.friction": clutch,
        }
    )
    material = "materials.steel-on-ground"
    by = [f"{material}.normal.stiffness", f"{material}.normal.restitution", f"{material}.friction.friction", "bodies.ball.velocity[0]"]
    of = ["ball.position.x", "max(ball.position.z, from=0.3, to=0.37)", "at(energy.lost, 0.33)", "energy.lost"]
    exact, rough = gradient(scene, by, of), gradient(scene, by, of, check=True)
    # a run at rtol is off by about ten of it, over the shortest step of the differences, 5e-4 of the key: what they resolve
    size = np.array(list(exact.values.values()))[:, None] / np.array(list(exact.keys.values()))[None, :]
    allowed = np.maximum(1e-6 * np.abs(rough.jacobian), 10 * 1e-11 / 5e-4 * size)
    assert np.all(np.abs(exact.jacobian - rough.jacobian) <= allowed)


def test_the_scene_may_be_changed_first() -> None:
    scene = Scene(BOUNCE).changed({"simulation.duration": 0.2})
    found = gradient(scene, ["bodies.ball.velocity[0]"], ["ball.position.x"])
    assert found["ball.position.x", "bodies.ball.velocity[0]"] == pytest.approx(0.2, rel=1e-9)


@pytest.mark.parametrize(
    ("by", "of", "message"),
    [
        ([], OF, "key"),
        (BY, [], "quantity"),
        ("bodies.ball.mass", OF, "by is a list of names"),
        (BY, [3], "of is a list of names"),
        (["bodies.cat.mass"], OF, "cat"),
        (BY, ["ball.colour"], "ball.colour"),
        (["simulation.integrator.method"], OF, "method"),
    ],
)
def test_wrong_use_is_a_scene_error(by: list, of: list, message: str) -> None:
    with pytest.raises(SceneError) as error:
        gradient(BOUNCE, by, of)
    assert message in str(error.value)


def test_what_has_no_derivative_is_refused() -> None:
    fixed = {**BALL, "simulation": {"duration": 0.4, "integrator": {"method": "rk4", "step": 1e-5}}}
    with pytest.raises(SceneError):
        gradient(fixed, ["bodies.ball.mass"], ["ball.position.z"])
    scene = Scene(BALL)
    scene.put_law("ground", normal=Spring(1e4, 0.0))
    with pytest.raises(SceneError, match="takes no laws of your own"):
        gradient(scene, ["bodies.ball.mass"], ["ball.position.z"])
    with pytest.raises(KeyError, match="there are"):
        bristle.gradient(BOUNCE, ["bodies.ball.mass"], ["ball.position.x"])["ball.position.y", "bodies.ball.mass"]
