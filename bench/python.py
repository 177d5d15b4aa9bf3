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
    words = ["cargo", "run", "--quiet", "--release", "-p", "bristle-laws", "--example", "law_loop"]
    fresh, given = map(float, subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split())
    model = bristle.laws.HuntCrossley(stiffness=1e6, dissipation=0.3)
    depth, rate = 1e-3 * np.arange(COUNT) / COUNT, 0.5 - np.arange(COUNT) / COUNT
    out = np.empty(COUNT)
    row("force of 10⁶ contacts, new array", 1e3 * least(lambda: model.force(depth, rate), 200), 1e3 * fresh, "ms", "≤ 1.2")
    written = least(lambda: model.force(depth, rate, out=out), 200)
    row("force of 10⁶ contacts, given array", 1e3 * written, 1e3 * given, "ms", "≤ 1.2")


def step() -> None:
    # the same steps in one call of Rust, and one by one from Python; few, so that a pass is rarely disturbed
    scene, steps = bristle.Scene.load(ROOT / "scenes" / "rolling_sphere.toml"), 200
    sim = scene.simulate(every=1.0)
    for _ in range(steps):
        sim.step()
    end, times = sim.time, {"python": math.inf, "rust": math.inf}
    for _ in range(300):
        for who in times:
            sim.reset()
            start = time.perf_counter()
            if who == "rust":
                sim.advance(end)
            else:
                for _ in range(steps):
                    sim.step()
            times[who] = min(times[who], (time.perf_counter() - start) / steps)
    more = 1e9 * (times["python"] - times["rust"])
    row("one step of a ball", 1e6 * times["python"], 1e6 * times["rust"], "µs", f"{more:.0f} ns more, < 1000")


def many() -> None:
    scene = bristle.Scene.load(ROOT / "scenes" / "rolling_sphere.toml")
    speeds = {"bodies.ball.velocity[0]": np.linspace(0.1, 2.0, 100)}
    cores = os.cpu_count() or 1
    clock, work = {1: math.inf, cores: math.inf}, {1: math.inf, cores: math.inf}
    for _ in range(5):
        for threads in clock:
            start, used = time.perf_counter(), time.process_time()
            bristle.simulate_many(scene, speeds, ["steps"], threads=threads)
            clock[threads] = min(clock[threads], time.perf_counter() - start)
            work[threads] = min(work[threads], time.process_time() - used)
    print(f"| 100 runs on 1 and on {cores} threads: time | {clock[1]:.3f} s | {clock[cores]:.3f} s "
          f"| {clock[1] / clock[cores]:.3f} | ≥ 1.8 on two idle cores |")  # fmt: skip
    # what the processors did: the same work means that nothing but other programs keeps the threads from scaling
    print(f"| the same: processor time | {work[1]:.3f} s | {work[cores]:.3f} s | {work[1] / work[cores]:.3f} | 1 |")


if __name__ == "__main__":
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    print("| what | Python | Rust | ratio | wanted |\n|---|---|---|---|---|")
    law()
    step()
    many()
