"""Scenes and runs: from files, dictionaries and calls, with the same numbers as the command line."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import bristle
from bristle import Scene, SceneError, SimulationError

BALL = {
    "simulation": {"duration": 0.4, "integrator": {"method": "dop853", "rtol": 1e-10}},
    "materials": {"ground": {"normal": {"law": "azad-featherstone", "stiffness": 8.5e6, "damping": 3.1e3}}},
    "bodies": {
        "ball": {"mass": 0.154, "shape": {"sphere": {"radius": 0.0165}}, "position": [0, 0, 0.1165]},
        "ground": {"fixed": True, "shape": {"plane": {}}},
    },
    "contacts": [{"between": ["ball", "ground"], "material": "ground"}],
}


def commands() -> list[list[str]]:
    """The command line of the package and, where the tests are told of one, the program built without Python."""
    native = os.environ.get("BRISTLE_PROGRAM")
    return [[sys.executable, "-m", "bristle"], *([[native]] if native else [])]


@pytest.mark.parametrize("name", ["rolling_sphere", "double_pendulum", "quadruped_drop", "xiong_two_blocks"])
def test_the_command_line_and_python_give_the_same_bits(name: str, scenes: Path, tmp_path: Path) -> None:
    path = scenes / f"{name}.toml"
    run = bristle.run(path)
    for i, command in enumerate(commands()):
        out = tmp_path / str(i)
        words = [*command, "run", str(path), "--out", str(out), "--no-report", "--json"]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        summary, own = json.loads(done.stdout), dict(run.summary)
        for of in (summary, own):
            del of["wall_seconds"]
        assert summary == own
        table = pyarrow.parquet.read_table(out / "series.parquet")
        assert table.column_names == run.names
        for column in run.names:
            assert table[column].to_numpy().tobytes() == np.asarray(run[column]).tobytes(), column


def test_a_dictionary_a_text_a_file_and_calls_make_the_same_scene(tmp_path: Path) -> None:
    from_dict = Scene(BALL)
    (tmp_path / "ball.toml").write_text(from_dict.text, encoding="utf-8")
    built = Scene(duration=0.4, integrator={"method": "dop853", "rtol": 1e-10})
    built.add_material("ground", bristle.laws.AzadFeatherstone(stiffness=8.5e6, damping=3.1e3))
    built.add_body("ball", mass=0.154, shape={"sphere": {"radius": 0.0165}}, position=np.array([0, 0, 0.1165]))
    built.add_body("ground", fixed=True, shape={"plane": {}})
    built.add_contact("ball", "ground", "ground")
    scenes = [from_dict, Scene.parse(from_dict.text), Scene.load(tmp_path / "ball.toml"), built]
    heights = [scene.run(film=False)["ball.position.z"] for scene in scenes]
    for other in heights[1:]:
        assert np.array_equal(heights[0], other)


def test_series_are_views_that_outlive_the_run() -> None:
    run = bristle.run(BALL)
    z = run["ball.position.z"]
    assert z.base is not None and not z.flags.writeable
    assert run["ball.position.z"] is z
    assert z.__array_interface__["data"] == run.table["ball.position.z"].__array_interface__["data"]
    kept = z.copy()
    del run
    assert np.array_equal(z, kept)
    with pytest.raises(ValueError, match="read-only"):
        z[0] = 1.0


def test_parts_have_vectors() -> None:
    run = bristle.run(BALL)
    ball = run["ball"]
    assert isinstance(ball, bristle.Part)
    assert ball.position.shape == (len(run), 3) and ball.orientation.shape == (len(run), 4)
    assert "position" in dir(ball) and "ball" in run and "ball.position.x" in run and "cat" not in run
    with pytest.raises(AttributeError, match="nothing called colour was recorded of ball"):
        _ = ball.colour
    with pytest.raises(KeyError, match="nothing called cat was recorded"):
        _ = run["cat"]


def test_impacts_and_energy_are_tables_for_every_library() -> None:
    run = bristle.run(BALL)
    impacts = run.impacts
    assert impacts.rows == len(run.summary["impacts"]) >= 2
    assert impacts["pair"][0] == "ball-ground" and impacts.units["peak_force"] == "N"
    assert 0.5 < impacts["restitution"][0] < 0.7
    # the ledger: kinetic and stored energy plus losses stay what they were
    energy = run.energy
    assert np.abs(energy["closure"]).max() <= 1e-8 * energy["gravity"][0]
    frame = run.to_pandas()
    assert frame.attrs["units"]["ball.position.z"] == "m"
    assert np.array_equal(frame["ball.position.z"], run["ball.position.z"])
    assert run.to_polars()["ball.position.z"].to_list() == list(run["ball.position.z"])
    arrow = run.to_arrow()
    assert arrow.schema.field("ball.position.z").metadata == {b"unit": b"m"}
    address = arrow["ball.position.z"].chunk(0).buffers()[1].address
    assert address == run["ball.position.z"].__array_interface__["data"][0], "a copy was made"
    assert impacts.to_polars().height == impacts.to_pandas().shape[0] == impacts.to_arrow().num_rows == impacts.rows
    assert "restitution" in repr(impacts) and "<table>" in impacts._repr_html_()
    assert "what the ledger cannot place" in run._repr_html_() and "run of scene" in repr(run)


def test_plots_reports_and_folders(tmp_path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    run = bristle.run(BALL)
    figure = run.plot()
    assert [axis.get_ylabel() for axis in figure.axes] == ["position (m)", "normal force (N)", "energy (J)"]
    assert len(run.plot("ball.velocity", backend="plotly").data) == 3
    with pytest.raises(ValueError, match="backend 'gnuplot' must be"):
        run.plot(backend="gnuplot")
    with pytest.raises(KeyError, match="nothing called cat"):
        run.plot("cat")
    run.report(tmp_path / "ball.html")
    page = (tmp_path / "ball.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "Playback" in page
    run.save(tmp_path / "run", csv=True)
    assert sorted(p.name for p in (tmp_path / "run").iterdir()) == [
        "impacts.csv", "report.html", "scene.toml", "series.csv", "series.parquet", "summary.json",
    ]  # fmt: skip
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(OSError, match="is left alone"):
        run.save(tmp_path / "mine")


def test_values_are_changed_by_key() -> None:
    scene = Scene(BALL).changed({"bodies.ball.position[2]": 0.2, "simulation.duration": 0.1})
    assert scene.duration == 0.1
    assert bristle.run(scene)["ball.position.z"][0] == 0.2
    assert bristle.run(BALL, set={"bodies.ball.position": [0, 0, 0.3]})["ball.position.z"][0] == 0.3


def test_a_robot_is_added_by_its_file(scenes: Path) -> None:
    scene = Scene(duration=0.02, integrator={"method": "dopri5", "rtol": 1e-6})
    scene.add_robot(scenes / "robots" / "quadruped.urdf", name="dog", position=[0, 0, 0.3])
    scene.add_material("rubber", {"law": "hunt-crossley", "stiffness": 5e4, "exponent": 1, "dissipation": 1.0}, "none")
    scene.add_body("ground", fixed=True, shape={"plane": {}})
    scene.add_contact("dog/*_calf", "ground", "rubber")
    scene.add_sensor("imu", "dog/trunk")
    run = scene.run()
    assert "dog/trunk" in scene.bodies and "imu" in run
    assert run["imu"].acceleration.shape == (len(run), 3)


def test_warnings_are_those_of_bristle_check() -> None:
    odd = Scene(BALL).changed({"simulation.record.every": 1.0})
    assert any("is longer than the duration" in warning for warning in odd.check())
    assert odd.run().warnings == odd.check()


def test_a_scene_error_has_the_text_of_the_command_line(scenes: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text((scenes / "bouncing_sphere.toml").read_text().replace("mass = 0.154", "mas = -1"))
    with pytest.raises(SceneError) as error:
        Scene.load(path)
    for command in commands():
        done = subprocess.run([*command, "run", str(path)], capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr == f"error: {error.value}\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "simulation"),
        ({**BALL, "bodys": {}}, "bodys"),
        ({**BALL, "simulation": {"duration": math.nan}}, "simulation.duration = nan must be finite"),
        ({**BALL, "simulation": {"duration": -1.0}}, "duration = -1"),
        ({**BALL, "simulation": {"duration": object()}}, "must be a number, text, true or false, a list or a dict"),
        ({**BALL, "simulation": 1}, "simulation"),
        ({**BALL, "contacts": [{"between": ["ball", "cat"], "material": "ground"}]}, "cat"),
        ({**BALL, 3: 4}, "keys of a scene are text"),
    ],
)
def test_bad_dictionaries_are_scene_errors(data: dict, message: str) -> None:
    with pytest.raises(SceneError) as error:
        bristle.run(data)
    assert message in str(error.value)


def test_wrong_use_of_scenes_and_runs() -> None:
    with pytest.raises(SceneError, match="No such file"):
        Scene.load("no/such/file.toml")
    with pytest.raises(TypeError, match="a scene is a Scene, a dict or the path"):
        bristle.run(3)  # type: ignore[arg-type]
    scene = Scene(BALL)
    with pytest.raises(SceneError, match=r"bodies\.ball is there already"):
        scene.add_body("ball", mass=1.0)
    with pytest.raises(SceneError, match="changed with .changed"):
        Scene.parse(scene.text).add_body("cat")
    with pytest.raises(SceneError, match="cat"):
        scene.changed({"bodies.cat.mass": 1.0})
    with pytest.raises(SceneError, match="must be finite"):
        scene.changed({"bodies.ball.mass": math.nan})
    with pytest.raises(SimulationError, match="duration = -1 s must be > 0"):
        scene.run(duration=-1.0)
    with pytest.raises(SimulationError, match="every = NaN s must be > 0"):
        scene.run(every=math.nan)
    with pytest.raises(TypeError):
        scene.run(colour="red")
    with pytest.raises(TypeError, match="progress"):
        scene.run(progress=3)
    assert repr(scene) == "<scene scene: ball, ground; 0.4 s>"


def test_progress_is_told_and_may_raise(scenes: Path) -> None:
    seen: list[tuple[float, float]] = []
    bristle.run(scenes / "quadruped_stand.toml", duration=3.0, film=False, progress=lambda t, end: seen.append((t, end)))
    assert seen and all(0.0 < t <= end == 3.0 for t, end in seen)

    def stop(t: float, end: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        bristle.run(scenes / "quadruped_stand.toml", film=False, progress=stop)


def test_a_line_of_progress_on_a_terminal(capsys: pytest.CaptureFixture[str], scenes: Path) -> None:
    bristle.run(BALL, progress=True)
    assert capsys.readouterr().err.endswith("100 %\n")


def test_help_of_the_command_line() -> None:
    done = subprocess.run([sys.executable, "-m", "bristle", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.strip() == f"bristle {bristle.__version__}"
    done = subprocess.run([sys.executable, "-m", "bristle", "fly"], capture_output=True, text=True)
    assert done.returncode == 2 and "fly" in done.stderr
