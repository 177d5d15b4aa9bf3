"""Simbody on W1, W3 and W6: rows for run.py."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import environment as env
from bristle_peer import Row
from problems import Quadruped, largest_difference, robot_tree


def ask(*words: object, limit: float = 300.0) -> dict:
    program, variables = env.simbody()
    return json.loads(env.run(program, *words, limit=limit, env=variables))


def w1() -> Iterator[Row]:
    reference = ask("sphere", "merson", 1e-11, 1)["q"][4:]
    for method, accuracy in (("cpodes", 1e-6), ("cpodes", 1e-7), ("cpodes", 1e-8), ("merson", 1e-6), ("merson", 1e-7), ("merson", 1e-8)):
        found = ask("sphere", method, accuracy, 5)
        error = math.dist(found["q"][4:], reference)
        yield {"work": "w1", "setting": f"{method}, {accuracy:g}", "seconds": found["seconds"]["median"], "error": error}


def w3() -> Iterator[Row]:
    tree = env.PEERS / "quadruped.tree"
    tree.write_text(robot_tree())
    for work, (start, end) in (("w3 landing", Quadruped.landing), ("w3 still", Quadruped.standing)):
        middle = 0.5 * (start + end)
        exact = {to: ask("robot", tree, "cpodes", 1e-9, start, to)["q"] for to in (middle, end)}
        for accuracy in (1e-2, 1e-3, 1e-4):
            try:
                found = ask("robot", tree, "cpodes", accuracy, start, end)
                error = max(largest_difference(found["q"], exact[end]),
                            largest_difference(ask("robot", tree, "cpodes", accuracy, start, middle)["q"], exact[middle]))  # fmt: skip
            except env.Missing as error:
                yield {"work": work, "setting": f"cpodes, {accuracy:g}", "missing": str(error)}
                continue
            factor = (end - start) / found["seconds"]["median"]
            yield {"work": work, "setting": f"cpodes, {accuracy:g}", "factor": factor, "height": found["q"][6], "error": error}


def w6() -> Iterator[Row]:
    reference = ask("pendulum", "merson", 1e-11, 1, 1)["q"]
    for method, accuracy in (("merson", 1e-6), ("merson", 1e-7), ("merson", 1e-8), ("cpodes", 1e-6), ("cpodes", 1e-7)):
        found, early = ask("pendulum", method, accuracy, 10, 3), ask("pendulum", method, accuracy, 1, 1)["q"]
        error = max(abs(a - b) for a, b in zip(early, reference, strict=True))
        yield {"work": "w6", "setting": f"{method}, {accuracy:g}", "seconds": found["seconds"]["median"], "error": error,
               "place": reference}  # fmt: skip


WORKS = {"w1": w1, "w3": w3, "w6": w6}
