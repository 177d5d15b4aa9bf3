"""Bristle on all problems, and the floors in C beside it: rows for run.py."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import environment as env
import grains
from problems import Grains, Quadruped, Sphere, largest_difference

SCENES = env.HERE / "scenes"
Row = dict[str, object]


def ask(program: object, *words: object, limit: float = 600.0) -> dict:
    return json.loads(env.run(program, *words, limit=limit))


def integrator(method: str, rtol: float) -> str:
    return f'simulation.integrator={{ method = "{method}", rtol = {rtol:g} }}'


def fixed(method: str, step: float) -> str:
    return f'simulation.integrator={{ method = "{method}", step = {step:g} }}'


def apart(a: list[float], b: list[float]) -> float:
    return math.dist(a, b)


def w1(program: object) -> Iterator[Row]:
    go = lambda method, rtol, repeats: ask(program, "run", SCENES / "sphere.toml", 0, 1, repeats, integrator(method, rtol))
    reference = go("dop853", 1e-12, 1)["q"][:3]
    for method, rtol in [(m, t) for m in ("dopri5", "dop853") for t in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10)]:
        found = go(method, rtol, 21)
        yield {"work": "w1", "setting": f"{method}, {rtol:g}", "seconds": found["seconds"]["median"],
               "error": apart(found["q"][:3], reference), "place": reference}  # fmt: skip


def w1_floor() -> Iterator[Row]:
    program = env.floor("sphere")
    reference = ask(program, 1e-12, 1)["q"]
    for tolerance in (1e-6, 1e-7, 1e-8, 1e-9):
        found = ask(program, tolerance, 21)
        yield {"work": "w1", "setting": f"dopri5, {tolerance:g}", "seconds": found["seconds"]["median"],
               "error": apart(found["q"], reference), "place": reference}  # fmt: skip


def w2(program: object) -> Iterator[Row]:
    folder = env.PEERS / "grains"
    folder.mkdir(parents=True, exist_ok=True)
    for count in (100, 1000, 10000):
        file = grains.scene(count, folder)
        before = round(Grains.settle / Grains.step)
        for threads in (1, 2):
            row = {"work": f"w2 {count}", "setting": "semi-implicit Euler, 50 us", "threads": threads}
            try:
                found = ask(program, "crowd", file, before, grains.steps(count), threads, grains.REPEATS, limit=900)
                yield {**row, "seconds": found["seconds"]["median"] / count, "contacts": found["touching"]}
            except env.Missing as error:
                yield {**row, "missing": str(error)}


def off(found: dict, exact: dict) -> str:
    """Why a robot does not stand as the exact one: its height, or a force on a foot that is wrong by more than one per cent."""
    height, loads = found["q"][2], found["loads"]
    if abs(height - exact["q"][2]) > 1e-3:
        return f"its feet do not hold: the trunk is at {height:.4f} m, not {exact['q'][2]:.4f}"
    if len(loads) != len(exact["loads"]):
        return f"{len(loads)} feet touch, not {len(exact['loads'])}"
    worst = max(abs(a - b) / b for a, b in zip([*loads, sum(loads)], [*exact["loads"], sum(exact["loads"])], strict=True))
    return "" if worst < 1e-2 else f"a foot carries {100 * worst:.1f} % more or less than it should"


def w3(program: object) -> Iterator[Row]:
    scene = SCENES / "quadruped.toml"
    end = Quadruped.settled
    stands = ask(program, "run", scene, 0, end, 1, integrator("dop853", 1e-6), f"simulation.duration={end}")
    explicit = [("semi-implicit Euler", "semi-implicit-euler", step) for step in (1e-4, 2e-4, 5e-4, 1e-3)]
    steps = (1e-3, 2e-3, 4e-3, 8e-3, 1e-2, 1.6e-2, 3.2e-2)
    implicit = [("linearly implicit Euler", "linearly-implicit", step) for step in steps]
    for name, method, step in explicit + implicit:
        setting = f"{name}, {1e3 * step:g} ms"
        try:
            found = ask(program, "steps", scene, round(end / step), 1000, 15, fixed(method, step))
        except env.Missing as error:
            yield {"work": "w3 standing", "setting": setting, "missing": str(error)}
            continue
        if wrong := off(found, stands):
            yield {"work": "w3 standing", "setting": setting, "missing": wrong}
        else:
            yield {"work": "w3 standing", "setting": setting, "seconds": found["seconds"]["median"], "step": step,
                   "height": found["q"][2]}  # fmt: skip
    go = lambda method, rtol, start, end, repeats: ask(
        program, "run", scene, start, end, repeats, integrator(method, rtol), f"simulation.duration={end}", limit=200)  # fmt: skip
    for work, (start, end) in (("w3 landing", Quadruped.landing), ("w3 still", Quadruped.standing)):
        middle = 0.5 * (start + end)
        exact = {to: go("dop853", 1e-9, start, to, 1)["q"] for to in (middle, end)}
        stiff = [("rodas4", rtol) for rtol in (0.3, 0.1, 1e-2)] + [("bdf", rtol) for rtol in (0.3, 0.1, 1e-2, 1e-3, 1e-4)]
        for method, rtol in [("dopri5", 1e-2), ("dop853", 1e-3), *stiff]:
            try:
                found = go(method, rtol, start, end, 7)
                error = max(largest_difference(found["q"], exact[end]),
                            largest_difference(go(method, rtol, start, middle, 1)["q"], exact[middle]))  # fmt: skip
            except env.Missing as error:
                yield {"work": work, "setting": f"{method}, {rtol:g}", "missing": str(error)}
                continue
            factor = (end - start) / found["seconds"]["median"]
            yield {"work": work, "setting": f"{method}, {rtol:g}", "factor": factor, "height": found["q"][2], "error": error}


def w4(program: object) -> Iterator[Row]:
    """Batches with their ledger: on lanes, and worlds one by one where lanes do not take the method."""
    start = [f"bodies.ball.position=[0, 0, {Sphere.radius}]", f"bodies.ball.velocity=[{Sphere.speed}, {Sphere.speed}, {Sphere.fall}]"]
    reference = ask(program, "run", SCENES / "sphere.toml", 0, 1, 1, integrator("dop853", 1e-12))["q"][:3]
    for step, steps in ((1e-4, 1000), (1e-5, 2000)):
        method = fixed("semi-implicit-euler", step)
        alone = ask(program, "lanes", SCENES / "sphere.toml", 1, round(1 / step), 1, 1, 1, method)
        for threads in (1, 2):
            found = ask(program, "lanes", SCENES / "sphere.toml", 4096, steps, threads, 5, 1, *start, method)
            yield {"work": "w4 spheres", "setting": f"lanes, semi-implicit Euler, {1e3 * step:g} ms", "threads": threads, "step": step,
                   "seconds": found["seconds"]["median"], "error": apart(alone["place"], reference)}  # fmt: skip
    cases = [
        ("lanes, semi-implicit Euler", 2e-4, fixed("semi-implicit-euler", 2e-4)),
        ("lanes, semi-implicit Euler", 5e-4, fixed("semi-implicit-euler", 5e-4)),
        ("one by one, linearly implicit Euler", 1e-3, fixed("linearly-implicit", 1e-3)),
        ("one by one, linearly implicit Euler", 4e-3, fixed("linearly-implicit", 4e-3)),
        ("one by one, linearly implicit Euler", 1.6e-2, fixed("linearly-implicit", 1.6e-2)),
    ]
    for name, step, method in cases:
        for threads in (1, 2):
            found = ask(program, "lanes", SCENES / "quadruped.toml", 1024, 100, threads, 3, 1, method)
            yield {"work": "w4 quadrupeds", "setting": f"{name}, {1e3 * step:g} ms", "threads": threads, "step": step,
                   "seconds": found["seconds"]["median"]}  # fmt: skip


def w4_floor() -> Iterator[Row]:
    program = env.floor("batch")
    for threads in (1, 2):
        found = ask(program, 4096, 2000, 1e-5, threads, 5)
        yield {"work": "w4 spheres", "setting": "semi-implicit Euler, 0.01 ms", "threads": threads, "step": 1e-5,
               "seconds": found["seconds"]["median"]}  # fmt: skip


def w5(program: object) -> Iterator[Row]:
    for count in (1000, 1_000_000):
        found = ask(program, "law", count, 31)
        yield {"work": f"w5 {count}", "setting": "f64", "seconds": found["seconds"]["median"], "check": found["check"]}


def w5_floor() -> Iterator[Row]:
    for count in (1000, 1_000_000):
        found = ask(env.floor("law"), count, 31)
        yield {"work": f"w5 {count}", "setting": "f64", "seconds": found["seconds"]["median"], "check": found["check"]}


def w6(program: object) -> Iterator[Row]:
    scene = SCENES / "pendulum.toml"
    early = lambda method, rtol: ask(program, "run", scene, 0, 1, 1, integrator(method, rtol), "simulation.duration=1")["q"]
    reference = early("dop853", 1e-12)
    for method, rtol in [(m, t) for m in ("dopri5", "dop853") for t in (1e-6, 5e-7, 3e-7, 1e-7, 1e-8, 1e-9)]:
        found = ask(program, "run", scene, 0, 10, 11, integrator(method, rtol))
        error = max(abs(a - b) for a, b in zip(early(method, rtol), reference, strict=True))
        yield {"work": "w6", "setting": f"{method}, {rtol:g}", "seconds": found["seconds"]["median"], "error": error, "place": reference}


def w6_floor() -> Iterator[Row]:
    program = env.floor("pendulum")
    reference = ask(program, 1e-13, 1, 1)["q"]
    for tolerance in (1e-7, 1e-8, 1e-9, 1e-10):
        found, early = ask(program, tolerance, 10, 11), ask(program, tolerance, 1, 1)["q"]
        error = max(abs(a - b) for a, b in zip(early, reference, strict=True))
        yield {"work": "w6", "setting": f"dopri5, {tolerance:g}", "seconds": found["seconds"]["median"], "error": error,
               "place": reference}  # fmt: skip


def clock(program: object) -> Iterator[Row]:
    for priority, name in ((50, "real-time priority 50"), (0, "as any program")):
        words = ["ticks", SCENES / "quadruped.toml", 1000, 60, priority, 'simulation.integrator={method="linearly-implicit",step=1e-3}']
        try:
            found = ask(program, *words)
        except env.Missing as error:
            yield {"work": "clock", "setting": name, "missing": str(error)}
            continue
        for engine, setting in (("world", "the quadruped"), ("empty", "no work")):
            yield {"work": "clock", "setting": f"{setting}, {name}", **found[engine]}


OURS = {"w1": w1, "w2": w2, "w3": w3, "w4": w4, "w5": w5, "w6": w6, "clock": clock}
FLOORS = {"w1": w1_floor, "w4": w4_floor, "w5": w5_floor, "w6": w6_floor}
