"""Worlds that step together: the numbers of single ones, for any number of threads."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from test_simulation import Spring

import bristle
from bristle import Scene, SceneError, Worlds

BALL: dict[str, Any] = {
    "simulation": {"duration": 1.0, "integrator": {"method": "semi-implicit-euler", "step": 1e-4}},
    "materials": {
        "ground": {
            "normal": {"law": "hunt-crossley", "stiffness": 8.5e6, "dissipation": 0.45},
            "friction": {"law": "coulomb", "static": 0.2, "slip_speed": 1e-3},
        }
    },
    "bodies": {
        "ball": {"mass": 0.154, "shape": {"sphere": {"radius": 0.0165}}, "position": [0, 0, 0.02], "velocity": [0.5, 0, -1]},
        "ground": {"fixed": True, "shape": {"plane": {}}},
    },
    "contacts": [{"between": ["ball", "ground"], "material": "ground"}],
}
HEIGHTS = np.linspace(0.02, 0.06, 9)
KEY = "bodies.ball.position[2]"


def test_rows_and_starts_and_threads_give_the_same_bits() -> None:
    rows = Worlds(BALL, {KEY: HEIGHTS})
    q = np.zeros((9, 7))
    q[:, 2], q[:, 6] = HEIGHTS, 1.0
    v = np.tile([0.0, 0.0, 0.0, 0.5, 0.0, -1.0], (9, 1))
    starts = Worlds(BALL, starts=(q, v))
    assert len(rows) == len(starts) == 9 and rows.on_lanes and rows.step == 1e-4
    rows.advance(700, threads=1)
    for portion in (1, 99, 600):
        starts.advance(portion, threads=2)
    assert rows.states.tobytes() == starts.states.tobytes()
    assert rows.states.shape == (9, len(rows.names)) and rows.q.shape == (9, 7) and rows.v.shape == (9, 6)
    assert rows.time == pytest.approx(0.07) and rows.outcomes == ["running"] * 9
    accounts = rows.accounts
    assert accounts is not None and accounts.units["normal"] == "J" and (accounts["normal"] > 0).all()
    bare = Worlds(BALL, {KEY: HEIGHTS}, ledger=False)
    bare.advance(700)
    assert bare.accounts is None and bare.q.tobytes() == rows.q.tobytes()
    assert 0 < bare.bytes_per_world < rows.bytes_per_world


def test_worlds_end_one_by_one() -> None:
    worlds = Worlds(BALL, {KEY: HEIGHTS})
    asked: list[float] = []

    def low(time: float, q: np.ndarray[Any, Any], v: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        asked.append(time)
        assert q.shape == (9, 7) and v.shape == (9, 6)
        return q[:, 2] < 0.017

    worlds.advance(5000, until=low, every=10)
    assert worlds.outcomes == ["ended"] * 9 and not worlds.running.any()
    assert (np.diff(worlds.times) > 0).all(), "who starts higher, lands later"
    assert asked[-1] == worlds.times[-1] and len(asked) < 500
    before = worlds.states
    worlds.advance(100)
    assert worlds.states.tobytes() == before.tobytes()


def test_linearly_implicit_worlds_run_one_by_one() -> None:
    scene = Scene(BALL).changed({"simulation.integrator.method": "linearly-implicit"})
    all_at_once, portions = Worlds(scene, {KEY: HEIGHTS}), Worlds(scene, {KEY: HEIGHTS})
    assert not all_at_once.on_lanes
    all_at_once.advance(600, threads=1)
    for portion in (1, 199, 400):
        portions.advance(portion, threads=2)
    assert all_at_once.states.tobytes() == portions.states.tobytes()
    accounts = all_at_once.accounts
    assert accounts is not None and (accounts["normal"] > 0).all()
    assert np.isfinite(all_at_once.q).all() and (all_at_once.q[:, 2] > 0.015).all()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({}, "either in parameters or in starts"),
        ({"parameters": {KEY: HEIGHTS}, "starts": (np.zeros((1, 7)), np.zeros((1, 6)))}, "either"),
        ({"parameters": {KEY: 1.0}}, "one value per row"),
        ({"parameters": {KEY: [1.0], "bodies.ball.mass": [1.0, 2.0]}}, "one value per world"),
        ({"parameters": {"bodies.ball.mass": [0.1, -1.0]}}, "world 1: .*mass = -1"),
        ({"parameters": {"bodies.ball.mass": [0.1, math.nan]}}, "must be finite"),
        ({"starts": (np.zeros(7), np.zeros(6))}, "a row per world"),
        ({"starts": (np.zeros((2, 7)), np.zeros((1, 6)))}, "2 rows of q and 1 of v"),
        ({"starts": (np.zeros((1, 6)), np.zeros((1, 6)))}, "7 numbers, not 6"),
        ({"starts": (np.full((1, 7), math.nan), np.zeros((1, 6)))}, "must be finite"),
    ],
)
def test_what_does_not_fit_is_named(words: dict[str, Any], message: str) -> None:
    with pytest.raises(SceneError, match=message):
        Worlds(BALL, **words)


def test_what_cannot_run_together_is_named() -> None:
    with pytest.raises(SceneError, match="must be \"euler\""):
        Worlds(Scene(BALL).changed({"simulation.integrator": {"method": "dopri5"}}), {KEY: HEIGHTS})
    own = Scene(BALL)
    own.put_law("ground", normal=Spring(1e4, 0.0))
    with pytest.raises(SceneError, match="laws of your own"):
        Worlds(own, {KEY: HEIGHTS})
    worlds = bristle.Worlds(BALL, {KEY: HEIGHTS})
    with pytest.raises(SceneError, match="9 booleans"):
        worlds.advance(10, until=lambda time, q, v: True)
    with pytest.raises(SceneError, match="threads = 0"):
        worlds.advance(10, threads=0)
