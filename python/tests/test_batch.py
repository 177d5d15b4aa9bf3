"""Many runs: the same rows for any number of threads, failures kept to their rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_runs import BALL
from test_simulation import Spring

import bristle
from bristle import Scene, SceneError, simulate_many

HEIGHTS = np.linspace(0.05, 0.2, 6)
QUANTITIES = ["impacts[0].restitution", "impacts[0].peak_force", "energy.final"]


def test_rows_equal_single_runs_for_any_number_of_threads() -> None:
    batches = [simulate_many(BALL, {"bodies.ball.position[2]": HEIGHTS}, QUANTITIES, threads=n) for n in (1, 2, 5)]
    for batch in batches:
        assert batch.errors == [None] * 6 and not batch.failed.any()
        assert np.array_equal(batch["bodies.ball.position[2]"], HEIGHTS)
        for name in QUANTITIES:
            assert batch[name].tobytes() == batches[0][name].tobytes()
    assert batches[0].units["impacts[0].peak_force"] == "N"
    run = bristle.run(BALL, set={"bodies.ball.position[2]": HEIGHTS[3]})
    assert batches[0]["impacts[0].restitution"][3] == run.summary["impacts"][0]["restitution"]
    assert batches[0].to_polars().height == 6


def test_a_row_that_fails_leaves_the_others_alone() -> None:
    batch = simulate_many(BALL, {"bodies.ball.mass": [0.1, -1.0, 0.2]}, ["energy.final", "impacts[0].v_in"])
    assert batch.failed.tolist() == [False, True, False]
    assert "bodies.ball.mass = -1" in (batch.errors[1] or "")
    assert np.isnan(batch["energy.final"]).tolist() == [False, True, False]


def test_values_may_be_words_and_lists() -> None:
    parameters = {
        "simulation.integrator.method": ["dop853", "dopri5"],
        "bodies.ball.velocity": [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]],
    }
    batch = simulate_many(BALL, parameters, ["bodies.ball.position[0]"])
    assert batch.errors == [None, None]
    assert batch["bodies.ball.position[0]"][1] == pytest.approx(0.04, rel=1e-9)
    assert list(simulate_many(BALL, {"bodies.ball.mass": [0.1, 0.2]}))[0] == "bodies.ball.mass"


def test_parameters_of_formulas_may_be_varied() -> None:
    data = {**BALL, "parameters": {"height": 0.2}}
    data["bodies"] = {**BALL["bodies"], "ball": {**BALL["bodies"]["ball"], "position": [0, 0, "${height}"]}}  # type: ignore
    scene = Scene(data).changed({"bodies.ball.mass": 0.3})
    batch = simulate_many(scene, {"parameters.height": [0.1, 0.2]}, ["energy.initial"])
    assert batch["energy.initial"].tolist() == pytest.approx([0.3 * 9.81 * h for h in (0.1, 0.2)], rel=1e-12)


def test_progress_counts_rows() -> None:
    seen: list[tuple[float, float]] = []
    simulate_many(BALL, {"bodies.ball.mass": np.linspace(0.1, 0.2, 200)}, ["steps"], progress=lambda *a: seen.append(a))
    assert seen and all(0 <= done <= all == 200 for done, all in seen)

    def stop(done: float, all: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        simulate_many(BALL, {"bodies.ball.mass": np.linspace(0.1, 0.2, 500)}, ["steps"], progress=stop)


@pytest.mark.parametrize(
    ("parameters", "quantities", "message"),
    [
        ({}, [], "parameters are a dict"),
        ([1, 2], [], "parameters are a dict"),
        ({"bodies.ball.mass": 1.0}, [], "one value per row"),
        ({"bodies.ball.mass": np.float64(1.0)}, [], "one value per row"),
        ({"bodies.ball.mass": "heavy"}, [], "one value per row"),
        ({"bodies.ball.mass": [1.0, math.nan]}, [], "bodies.ball.mass[1] = nan must be finite"),
        ({"bodies.ball.mass": [1.0], "bodies.ball.velocity[0]": [1.0, 2.0]}, [], "bodies.ball.mass has 1"),
        ({"bodies.ball.mass": []}, [], "0"),
        ({"bodies.ball.mass": [1.0]}, ["impacts[0].colour"], "unknown; near are"),
        ({"bodies.ball.mass": [1.0]}, "steps", "quantities are a list"),
        ({"bodies.cat.mass": [1.0]}, [], "cat"),
        ({"bodies.ball.mass": [-1.0, -2.0]}, [], "bodies.ball.mass = -1"),
    ],
)
def test_wrong_use_is_a_scene_error(parameters: dict, quantities: list, message: str) -> None:
    with pytest.raises(SceneError) as error:
        simulate_many(BALL, parameters, quantities)
    assert message in str(error.value)


def test_laws_of_ones_own_are_refused() -> None:
    scene = Scene(BALL)
    scene.put_law("ground", normal=Spring(1e4, 0.0))
    with pytest.raises(SceneError, match="takes no laws of your own"):
        simulate_many(scene, {"bodies.ball.mass": [0.1]})
    with pytest.raises(SceneError, match="threads = 0 must be >= 1"):
        simulate_many(BALL, {"bodies.ball.mass": [0.1]}, threads=0)
