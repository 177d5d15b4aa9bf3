"""Times Bristle beside MuJoCo and Pinocchio on the same robots, in one run, and prints the ratios.

usage: python3 bench/peers/robots.py            (from the root of the project)

Installs mujoco, pin and cmeel-eigen from PyPI into an environment of its own (target/peers/env), builds a small C++ program
against Pinocchio's headers, and runs the benches of this project. Needs Python 3 with venv, a C++ compiler and cargo.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEERS = ROOT / "target" / "peers"
ENV = PEERS / "env"
PYTHON = ENV / "bin" / "python"
ROBOTS = ROOT / "scenes" / "robots"
MODELS = ["quadruped", "humanoid"]


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True, **options)


def prepare():
    """An environment with the peers, and the C++ program."""
    if not PYTHON.exists():
        run(sys.executable, "-m", "venv", ENV)
    run(PYTHON, "-m", "pip", "install", "-q", "mujoco", "pin", "cmeel-eigen", "numpy")
    program = PEERS / "pinocchio_aba"
    source = pathlib.Path(__file__).with_name("pinocchio_aba.cpp")
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        prefix = next(ENV.glob("lib/python3*/site-packages/cmeel.prefix"))
        print("building pinocchio_aba (some minutes) ...", file=sys.stderr)
        run(
            os.environ.get("CXX", "g++"), "-O3", "-march=native", "-DNDEBUG", "-std=c++17", "-w",
            "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
            "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
            f"-I{prefix}/include", f"-I{prefix}/include/eigen3", source, "-o", program,
            f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib",
            "-lpinocchio_default", "-lboost_serialization",
        )
    return program


def mujoco_times():
    """Runs inside the environment: microseconds of one mj_step, Euler, 1 ms, robots standing on their feet under PD."""
    import mujoco

    times = {}
    for model in MODELS:
        M = mujoco.MjModel.from_xml_path(str(ROBOTS / f"{model}.xml"))
        M.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
        M.opt.timestep = 1e-3
        D = mujoco.MjData(M)
        mujoco.mj_resetDataKeyframe(M, D, 0)
        mujoco.mj_step(M, D, 500)  # landed
        batches = []
        for _ in range(21):
            start = time.perf_counter()
            mujoco.mj_step(M, D, 1000)  # the loop is inside: no cost of Python
            batches.append((time.perf_counter() - start) / 1000 * 1e6)
        times[model] = {"us": statistics.median(batches), "contacts": int(D.ncon), "version": mujoco.__version__}
    print(json.dumps(times))


def save_models():
    """Runs inside the environment: the URDF files as Pinocchio's C++ program reads them."""
    import pinocchio

    for model in MODELS:
        built = pinocchio.buildModelFromUrdf(str(ROBOTS / f"{model}.urdf"), pinocchio.JointModelFreeFlyer())
        built.saveToText(str(PEERS / f"{model}.txt"))


def pinocchio_times(program):
    """Microseconds of one aba, the faster of its two conventions."""
    best = {}
    run(PYTHON, __file__, "--save-models")
    out = run(program, *[PEERS / f"{m}.txt" for m in MODELS], capture_output=True).stdout
    for line in out.splitlines():
        file, _, us = line.split()
        name = pathlib.Path(file).stem
        best[name] = min(best.get(name, float("inf")), float(us))
    return best


def bristle_times():
    """Medians of criterion, microseconds, by bench."""
    times = {}
    for package, bench in [("bristle-bodies", "aba"), ("bristle", "robot")]:
        run("cargo", "bench", "-q", "-p", package, "--bench", bench, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for estimates in (ROOT / "target" / "criterion").glob("*/*/new/estimates.json"):
        name = json.loads(estimates.with_name("benchmark.json").read_text())["full_id"]
        times[name] = json.loads(estimates.read_text())["median"]["point_estimate"] / 1e3
    for estimates in (ROOT / "target" / "criterion").glob("*/new/estimates.json"):
        name = json.loads(estimates.with_name("benchmark.json").read_text())["full_id"]
        times[name] = json.loads(estimates.read_text())["median"]["point_estimate"] / 1e3
    return times


def main():
    program = prepare()
    peers = {"mujoco": [], "pinocchio": [], "bristle": []}
    # in turn, so that a slow spell of the machine hits all of them
    for _ in range(3):
        mujoco = run(PYTHON, __file__, "--mujoco", capture_output=True).stdout
        peers["mujoco"].append(json.loads(mujoco))
        peers["pinocchio"].append(pinocchio_times(program))
        peers["bristle"].append(bristle_times())
    least = lambda rows, pick: min(pick(row) for row in rows)
    print(f"MuJoCo {peers['mujoco'][0]['quadruped']['version']}, least of 3 medians, microseconds\n")
    print("| work | Bristle | peer | ratio |\n|---|---|---|---|")

    def row(work, ours, theirs, peer):
        print(f"| {work} | {ours:.2f} | {theirs:.2f} ({peer}) | {ours / theirs:.2f} |")

    for model, bench in [("quadruped", "quadruped, 12 joints"), ("humanoid", "humanoid, 21 joints")]:
        ours = least(peers["bristle"], lambda r: next(t for n, t in r.items() if n.endswith(bench)))
        row(f"forward dynamics, {bench}", ours, least(peers["pinocchio"], lambda r: r[model]), "Pinocchio aba, C++")
    step = least(peers["bristle"], lambda r: next(t for n, t in r.items() if n.endswith("step of semi-implicit Euler")))
    row("one step, quadruped on 4 feet, servos on", step, least(peers["mujoco"], lambda r: r["quadruped"]["us"]), "mj_step, Euler")


if __name__ == "__main__":
    if "--mujoco" in sys.argv:
        mujoco_times()
    elif "--save-models" in sys.argv:
        save_models()
    else:
        main()
