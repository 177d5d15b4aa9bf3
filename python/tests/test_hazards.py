"""Threads, forks, Ctrl-C: a clean exception each, and never a dead interpreter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from test_runs import BALL

import bristle
from bristle import Simulation, SimulationError


def test_threads_run_side_by_side_with_the_same_numbers() -> None:
    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda _: bristle.run(BALL, film=False), range(8)))
    for run in runs[1:]:
        assert np.array_equal(run["ball.position.z"], runs[0]["ball.position.z"])


def test_one_simulation_in_two_threads_is_refused(scenes: Path) -> None:
    sim = Simulation(scenes / "quadruped_stand.toml", every=1.0)

    def advance() -> None:
        while True:
            try:
                return sim.advance(3.0)
            except SimulationError:  # the other thread is in the middle of a step
                time.sleep(0.001)

    worker = threading.Thread(target=advance)
    worker.start()
    busy = 0
    while worker.is_alive():
        try:
            sim.step()
        except SimulationError as error:
            assert "busy" in str(error)
            busy += 1
        time.sleep(0.01)
    worker.join()
    assert busy > 0 and sim.time >= 3.0


def test_other_threads_go_on_while_a_run_computes(scenes: Path) -> None:
    counted = 0
    worker = threading.Thread(target=lambda: bristle.run(scenes / "quadruped_stand.toml", duration=2.0, film=False))
    worker.start()
    while worker.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 20, "the interpreter was held"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_runs_on_its_own() -> None:
    expected = bristle.run(BALL, film=False)["ball.position.z"]
    code = """
        import os, numpy as np, bristle
        from test_runs import BALL
        first = bristle.run(BALL, film=False)["ball.position.z"]
        many = bristle.simulate_many(BALL, {"bodies.ball.mass": [0.1, 0.2]}, ["energy.final"])
        child = os.fork()
        if child == 0:
            same = np.array_equal(bristle.run(BALL, film=False)["ball.position.z"], first)
            again = bristle.simulate_many(BALL, {"bodies.ball.mass": [0.1, 0.2]}, ["energy.final"])
            os._exit(0 if same and np.array_equal(again["energy.final"], many["energy.final"]) else 1)
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=Path(__file__).parent, timeout=120)
    assert done.returncode == 0 and len(expected) > 1


WAITS = {
    "run": "bristle.run(scene, film=False)",
    "advance": "bristle.Simulation(scene, every=1.0).advance(60.0)",
    "step": "sim = bristle.Simulation(scene, every=1.0)\nwhile sim.step(): pass",
    "simulate_many": "bristle.simulate_many(scene, {'simulation.duration': [60.0] * 8}, ['steps'])",
    "system": "system.run(duration=1e6, every=1.0)",
    "law": "law.impact(mass=1.0, speed=1.0)\ntime.sleep(60)",
}


@pytest.mark.parametrize("what", WAITS)
def test_ctrl_c_becomes_a_keyboard_interrupt(what: str, scenes: Path) -> None:
    code = f"""
import time
import bristle
scene = bristle.Scene.load({str(scenes / "quadruped_stand.toml")!r}, {{"simulation.duration": 600.0}})
law = bristle.laws.Hertz(stiffness=1e6)
system = bristle.nonsmooth.System()
x = system.state("x", 0.0)
system.rates(lambda at, to: to.__setitem__(x, 1.0 if at.t % 1.0 < 0.5 else -1.0))
print("ready", flush=True)
try:
{textwrap.indent(WAITS[what], "    ")}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n" and process.returncode == 0


def test_ctrl_c_ends_the_command_line_with_130_and_what_was_recorded(scenes: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "bristle", "run", str(scenes / "quadruped_stand.toml"), "--out", str(tmp_path / "run")]
    words += ["--set", "simulation.duration=600", "--no-report", "--checkpoint", "0.1s"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "run.checkpoint").exists() and process.poll() is None:
            time.sleep(0.05)  # it is on its way when it has saved itself once
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130
    assert '"cut": true' in (tmp_path / "run" / "summary.json").read_text()


def test_garbage_is_collected_without_harm() -> None:
    import gc

    for _ in range(50):
        sim = Simulation(BALL)
        sim.step()
        del sim
    gc.collect()
