"""Times Bristle beside other engines and beside bare C on six problems and in real time, in one run, and writes docs/benchmarks.md.

usage: python3 bench/peers/run.py [--works w1,w6] [--engines Bristle,floor,MuJoCo] [--rounds 3] [--out FILE]

Everything is made under target/peers: a Python environment with the engines that PyPI has, Debian packages of the others, unpacked
without root, and programs built with cc, c++ and cargo. What is missing is said, and the rest goes on. Each engine runs in a process of its own
with a time limit, one after the other, and all of them in several rounds: a shared machine is slow for seconds, and the best of each setting counts.
Needs Python 3.11 with venv, cc, c++, cargo, and apt-get for Simbody, LAMMPS and LIGGGHTS.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import sys
from collections.abc import Iterator

import bristle_peer
import environment as env
import grains
import report
import simbody_peer

WORKS = ["w1", "w2", "w3", "w4", "w5", "w6", "clock"]
ENGINES = ["Bristle", "floor", "Simbody", "Exudyn", "Drake", "MuJoCo", "LAMMPS", "LIGGGHTS"]
SCRIPTS = {"Exudyn": ("exudyn_peer.py", ["w1"]), "Drake": ("drake_peer.py", ["w1", "w3", "w6"]),
           "MuJoCo": ("mujoco_peer.py", ["w1", "w3", "w4", "w6"])}  # fmt: skip
LIMIT = 900.0  # s, for one engine on one problem
Row = dict[str, object]


def script(file: str, work: str) -> Iterator[Row]:
    """An engine of the Python environment."""
    out = env.run(env.PYTHON, "-W", "ignore", env.HERE / file, work, limit=LIMIT)
    yield from (json.loads(line) for line in out.splitlines() if line.startswith("{"))


def grain_code(kind: str, program: str) -> Iterator[Row]:
    """LAMMPS or LIGGGHTS, which print the time of every run."""
    root, folder = env.debian(kind), env.PEERS / "grains"
    folder.mkdir(parents=True, exist_ok=True)
    for count in (100, 1000, 10000):
        words = [root / "usr" / "bin" / program, "-in", grains.dem(kind, count, folder), "-log", "none"]
        out = env.run(*words, env=env.libraries(root), cwd=folder, limit=LIMIT)
        times = sorted(float(time) for time in re.findall(r"Loop time of (\S+)", out)[1:])
        seconds = times[len(times) // 2] / (grains.steps(count) * count)
        yield {"work": f"w2 {count}", "setting": "velocity Verlet, 50 us", "seconds": seconds}


def rows(engine: str, work: str) -> Iterator[Row] | None:
    """What an engine has for a problem; None if nothing."""
    if engine == "Bristle":
        return bristle_peer.OURS[work](env.bristle())
    if engine == "floor":
        return bristle_peer.FLOORS[work]() if work in bristle_peer.FLOORS else None
    if engine == "Simbody":
        return simbody_peer.WORKS[work]() if work in simbody_peer.WORKS else None
    if engine in SCRIPTS:
        file, works = SCRIPTS[engine]
        return script(file, work) if work in works else None
    return grain_code(engine.lower(), {"LAMMPS": "lmp", "LIGGGHTS": "liggghts"}[engine]) if work == "w2" else None


def best(found: list[Row]) -> list[Row]:
    """Of every setting the fastest round; what is missing in all rounds stays so."""
    chosen: dict[tuple[object, ...], Row] = {}
    speed = lambda row: row.get("factor", 1.0 / row["seconds"] if "seconds" in row else 0.0)
    for row in found:
        setting = tuple(row.get(key) for key in ("engine", "work", "setting", "threads"))
        if setting not in chosen or speed(row) > speed(chosen[setting]):
            chosen[setting] = row
    return list(chosen.values())


def versions(packages: dict[str, str]) -> dict[str, str]:
    found = {"Exudyn": packages["exudyn"], "Drake": packages["drake"], "MuJoCo": packages["mujoco"]}
    for engine, package in (("Simbody", "libsimbody-dev"), ("LAMMPS", "lammps"), ("LIGGGHTS", "liggghts")):
        try:
            found[engine] = env.run("apt-cache", "policy", package).split("Candidate: ")[1].split()[0]
        except (env.Missing, IndexError):
            found[engine] = "missing: no apt-cache"
    for engine, compiler in (("floor", "cc"), ("Bristle", "rustc")):
        try:
            found[engine] = env.run(compiler, "--version").splitlines()[0]
        except env.Missing as error:
            found[engine] = f"missing: {error}"
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--works", default=",".join(WORKS))
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--rounds", type=int, default=3, help="how often every engine takes its turn; the minute of real time is taken once")
    parser.add_argument("--out", type=pathlib.Path, default=env.ROOT / "docs" / "benchmarks.md")
    words = parser.parse_args()
    works, engines = words.works.split(","), words.engines.split(",")
    for name, known in [(w, WORKS) for w in works] + [(e, ENGINES) for e in engines]:
        if name not in known:
            parser.error(f"{name} is none of {', '.join(known)}")
    env.PEERS.mkdir(parents=True, exist_ok=True)
    found: list[Row] = []
    known = versions(env.python_packages())
    turns = [(work, engine) for work in works for _ in range(1 if work == "clock" else words.rounds) for engine in engines]
    for work, engine in turns:
        try:
            for result in rows(engine, work) or ():
                found.append({"engine": engine, **result})
                print(json.dumps(found[-1]), file=sys.stderr, flush=True)
        except env.Missing as error:
            found.append({"engine": engine, "work": work, "setting": "", "missing": str(error)})
            print(json.dumps(found[-1]), file=sys.stderr, flush=True)
    load = f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    (env.PEERS / "results.json").write_text(json.dumps({"versions": known, "load": load, "rows": found}, indent=1))
    report.write(words.out, best(found), known, load, words.rounds)


if __name__ == "__main__":
    main()
