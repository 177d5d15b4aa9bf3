"""What the Python package costs over Rust: a law on a million contacts, one step, many runs on both cores.

    pip install . && python bench/python.py

Times are the least of many, because everything that disturbs them makes them longer.
"""

from __future__ import annotations

import math
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import bristle

ROOT = Path(__file__).parents[1]
COUNT = 1_000_000


def least(work: Callable[[], object], times: int) -> float:
    best = math.inf
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def row(what: str, here: float, there: float, unit: str, wanted: str) -> None:
    print(f"| {what} | {here:.4g} {unit} | {there:.4g} {unit} | {here / there:.3f} | {wanted} |")


def law() -> None:
    words = ["cargo", "run", "--quiet", "--release", "-p", "bristle", "--example", "law_loop"]
    fresh, given = map(float, subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split())
    model = bristle.laws.HuntCrossley(stiffness=1e6, dissipation=0.3)
    depth, rate = 1e-3 * np.arange(COUNT) / COUNT, 0.5 - np.arange(COUNT) / COUNT
    out = np.empty(COUNT)
    row("force of 10⁶ contacts, new array", 1e3 * least(lambda: model.force(depth, rate), 60), 1e3 * fresh, "ms", "≤ 1.2")
    written = least(lambda: model.force(depth, rate, out=out), 60)
    row("force of 10⁶ contacts, given array", 1e3 * written, 1e3 * given, "ms", "≤ 1.2")


def step() -> None:
    # the same steps in one call of Rust, and one by one from Python
    scene = bristle.Scene.load(ROOT / "scenes" / "rolling_sphere.toml")

    def stepped() -> int:
        sim, steps = scene.simulate(every=1.0), 0
        while sim.step():
            steps += 1
        return steps

    steps = stepped()
    by_python = least(stepped, 30) / steps
    by_rust = least(lambda: scene.simulate(every=1.0).advance(math.inf), 30) / steps
    row("one step of a ball", 1e6 * by_python, 1e6 * by_rust, "µs", f"{1e9 * (by_python - by_rust):.0f} ns more, < 1000")


def many() -> None:
    scene = bristle.Scene.load(ROOT / "scenes" / "rolling_sphere.toml")
    speeds = {"bodies.ball.velocity[0]": np.linspace(0.1, 2.0, 200)}
    cores = os.cpu_count() or 1
    one = least(lambda: bristle.simulate_many(scene, speeds, ["steps"], threads=1), 4)
    all_cores = least(lambda: bristle.simulate_many(scene, speeds, ["steps"], threads=cores), 4)
    row(f"200 runs, {cores} threads against 1", one, all_cores, "s", "≥ 1.8 on two cores")


if __name__ == "__main__":
    print("| what | Python | Rust | ratio | wanted |\n|---|---|---|---|---|")
    law()
    step()
    many()
