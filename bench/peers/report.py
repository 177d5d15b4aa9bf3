"""The measurements as docs/benchmarks.md: tables of ratios, what each engine solved, and what cannot be compared."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterable

Row = dict[str, object]
BEGIN, END = "<!-- begin: bench/peers/run.py -->", "<!-- end: bench/peers/run.py -->"


def seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def line(*cells: object) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(head: Iterable[str], body: Iterable[str]) -> str:
    head = list(head)
    return "\n".join([line(*head), "|" + "---|" * len(head), *body])


def missing(rows: list[Row]) -> list[str]:
    return [f"* {row['engine']} {row['setting']}: {row['missing']}." for row in rows if "missing" in row]


def beside(value: float, ours: float | None, is_time: bool = True) -> str:
    """How many times faster Bristle is; in bold where the other is."""
    if ours is None:
        return "–"
    ratio = value / ours if is_time else ours / value
    if ratio < 1:
        return f"**{ratio:.2g}**"
    return f"{ratio:.2g}" if ratio < 99.5 else f"{ratio:.0f}"


def precision(rows: list[Row], wanted: float, unit: str) -> str:
    "Work against precision: Bristle's fastest setting of at most the wanted error is what the others are held against."
    good = [row for row in rows if "seconds" in row]
    ours = [row for row in good if row["engine"] == "Bristle" and row["error"] <= wanted]
    best = min((row["seconds"] for row in ours), default=None)
    head = ["engine", "setting", "time", f"error, {unit}", "over Bristle"]
    note = f"Held against the fastest setting of Bristle with an error of at most {wanted:g} {unit}."
    lines = [line(r["engine"], r["setting"], seconds(r["seconds"]), f"{r['error']:.1e}", beside(r["seconds"], best)) for r in good]
    return "\n\n".join([table(head, lines), note])


def ticks(rows: list[Row]) -> str:
    """Real time with a world and without work."""
    head = ["ticks of", "ticks", "missed", "work, median of the slowest second", "work, worst", "latest begin"]
    return table(head, [line(r["setting"], r["count"], r["misses"], *(seconds(r[k]) for k in ("median", "worst", "latest"))) for r in rows])


def places(rows: list[Row]) -> str:
    """How near the engines that solve the same equations come to each other."""
    found = {row["engine"]: row["place"] for row in rows if "place" in row}
    if "Bristle" not in found:
        return ""
    apart = {e: max(abs(a - b) for a, b in zip(p, found["Bristle"], strict=True)) for e, p in found.items() if e != "Bristle"}
    words = [f"{engine} {value:.1e}" for engine, value in apart.items()]
    return f"Tightest results of the same equations, apart from Bristle's: {', '.join(words)}." if words else ""


def per_unit(rows: list[Row], works: list[str], what: str) -> str:
    """Time per unit of work, one column per case."""
    name = lambda row: row["engine"] + (f", {row['threads']} threads" if row.get("threads", 1) > 1 else "")
    engines = list(dict.fromkeys(name(row) for row in rows if "seconds" in row))
    cell = {(name(r), r["work"]): r["seconds"] for r in rows if "seconds" in r}
    lines = []
    for engine in engines:
        cells = []
        for work in works:
            mine, ours = cell.get((engine, work)), cell.get(("Bristle", work))
            cells += [seconds(mine), beside(mine, ours)] if mine else ["–", "–"]
        lines.append(line(engine, *cells))
    head = ["engine"] + [word for work in works for word in (f"{work.split()[1]} {what}", "over Bristle")]
    return table(head, lines)


def real_time(rows: list[Row]) -> str:
    """How many times faster than the clock."""
    parts = []
    names = {"w3 standing": "Standing, fixed steps", "w3 landing": "Landing (0.1 to 0.3 s), error-controlled",
             "w3 still": "Standing (2 to 3 s), error-controlled"}  # fmt: skip
    for work, name in names.items():
        good = [dict(row) for row in rows if row["work"] == work and "missing" not in row]
        for row in good:
            row.setdefault("factor", row["step"] / row["seconds"] if "step" in row else None)
        ours = [row for row in good if row["engine"] == "Bristle"]
        # held against runs of ours with no larger error, where both are known
        fits = lambda own, row: "error" not in row or own.get("error", 0.0) <= row["error"]
        best = lambda row: max((own["factor"] for own in ours if fits(own, row)), default=None)
        body = [line(r["engine"], r["setting"], seconds(r["seconds"]) if "seconds" in r else "–", f"{r['factor']:.3g}",
                     f"{r['height']:.4f}", f"{r['error']:.1e}" if "error" in r else "–",
                     beside(r["factor"], best(r), is_time=False)) for r in good]  # fmt: skip
        if body:
            head = ["engine", "setting", "a step", "× real time", "height of the trunk, m", "error, m or rad", "Bristle's best over it"]
            parts.append(f"{name}:\n\n" + table(head, body))
    return "\n\n".join(parts)


def batches(rows: list[Row]) -> str:
    good = [row for row in rows if "seconds" in row]
    rate = lambda row: row["step"] / row["seconds"]
    ours: dict[tuple[str, int], float] = {}
    for row in good:
        if row["engine"] == "Bristle":
            key = (row["work"], row["threads"])
            ours[key] = max(rate(row), ours.get(key, 0.0))
    head = ["case", "engine", "setting", "threads", "steps/s", "simulated s/s", "error on W1, m", "Bristle over it"]
    body = [line(r["work"].split()[1], r["engine"], r["setting"], r["threads"], f"{1 / r['seconds']:.3g}", f"{rate(r):.3g}",
                 f"{r['error']:.1e}" if "error" in r else "–",
                 beside(rate(r), ours.get((r["work"], r["threads"])), is_time=False)) for r in good]  # fmt: skip
    return table(head, body)


SECTIONS: list[tuple[str, str, Callable[[list[Row]], str], str]] = [
    ("w1", "W1: a ball that bounces, slides and rolls, 1 s", lambda rows: precision(rows, 1e-7, "m") + "\n\n" + places(rows),
     "Hunt–Crossley ground of 8.5e6 N/m^1.5, friction 0.2 smoothed at 1 mm/s. The error is that of the place at the end "
     "against the engine's own tightest run: of integration, not of the law. Bristle and the floor solve the same equations; "
     "in Simbody friction acts in the middle of the overlap, in Bristle at the lowest point of the ball. The others solve "
     "other problems: Drake and MuJoCo a linear spring that stores the same energy at the deepest point, MuJoCo as a soft "
     "constraint, Exudyn a law that asks for a restitution (0.58). Bristle also finds every touchdown and lift-off, and keeps "
     "its ledger."),
    ("w2", "W2: spheres settled in a box, per sphere and step", lambda rows: per_unit(rows, ["w2 100", "w2 1000", "w2 10000"], "spheres"),
     "Spheres of 5 mm, Hertz with 5 MPa, friction 0.5 with tangential history, steps of 50 µs, after 0.2 s, one thread unless told otherwise. LAMMPS "
     "damps per overlap, LIGGGHTS by a restitution of 0.6, Bristle with Hunt–Crossley; Bristle also keeps its ledger."),
    ("w3", "W3: a quadruped of 12 joints under position control", real_time,
     "The same robot in all (`scenes/robots`), feet on a plane with a friction of 0.8, gains of 40 N m/rad and 1 N m s/rad. "
     "Feet of 5e4 N/m in Bristle and Drake, of a Hertz stiffness that sinks as far in Simbody; MuJoCo's are its default soft "
     "constraint, whose steps may be longer. The height of the trunk tells whether it stands; of Bristle's fixed steps only those are "
     "listed whose feet each carry what they carry in an error-controlled run, to one per cent. Error-controlled engines smooth "
     "friction at 1 mm/s (Drake), 10 mm/s (Simbody), or not at all (Bristle: a spring with a clutch). Their error is that of any "
     "coordinate in the middle and at the end of the window, against the engine's own tightest run; tolerances of different engines "
     "mean different things, so Bristle is held against others with its fastest run of no larger error."),
    ("w4", "W4: many worlds", batches,
     "4096 balls of W1 that fall at 1.4 m/s, each 10 µm higher than the one before, and 1024 quadrupeds. Bristle runs four "
     "worlds in one instruction (docs/batches.md), portably built, and keeps its ledger; MuJoCo's rollout stores every state and has a "
     "soft constraint. Steps are compared by their error on W1, where MuJoCo's stands for its steps. The floor is built with "
     "`-march=native` and keeps 64 balls in a block that the compiler vectorises; its balls end where Bristle's do."),
    ("w5", "W5: the contact law alone, per contact", lambda rows: per_unit(rows, ["w5 1000", "w5 1000000"], "contacts"),
     "Hunt–Crossley and smoothed Coulomb friction on arrays, one thread. The floor is built with `-O3 -march=native`, Bristle "
     "portably, through its general laws."),
    ("w6", "W6: a double pendulum on a floor of 1e9 N/m^1.5, 10 s", lambda rows: precision(rows, 3e-5, "rad") + "\n\n" + places(rows),
     "Uniform rods let go horizontally, without friction. The error is the largest of both angles at 1 s against the engine's "
     "own tightest run, because the motion is chaotic. Drake and MuJoCo have linear springs here too."),
    ("clock", "Real time", ticks,
     "The standing quadruped at 1 kHz for a minute, linearly implicit steps of 1 ms, second by second in turn with ticks that do nothing: "
     "what these miss, the machine itself takes. A tick is missed when its work is not done as the next is due. "
     "As any program, ticks wait for whole slices that others have of the processor; with a real-time priority (`bristle realtime --priority 50`) they do not."),
]  # fmt: skip


def write(file: pathlib.Path, rows: list[Row], versions: dict[str, str], load: str, rounds: int) -> None:
    parts = [BEGIN, "## Six problems", "```sh\npython3 bench/peers/run.py\n```"]
    parts.append(
        "One run, one engine after the other, each in a process of its own, "
        f"the best of {rounds} rounds of medians of some repeats; only ratios of one run mean something. Load of the machine at the "
        f"end: {load}. *Over Bristle*: how many times longer than Bristle; below 1, in bold, the other is faster. "
        "*floor* is bare C for the one problem, a measure of what its arithmetic costs, built with instructions of "
        "this machine; it is no engine. Bristle is the portable release build."
    )
    parts.append("Versions: " + "; ".join(f"{engine} {version}" for engine, version in sorted(versions.items())) + ".")
    for work, title, show, words in SECTIONS:
        mine = [row for row in rows if row["work"].split()[0] == work]
        if mine:
            parts += [f"### {title}", words, show(mine), "\n".join(missing(mine))]
    parts.append(END)
    text = "\n\n".join(part for part in parts if part) + "\n"
    old = file.read_text() if file.exists() else "# Benchmarks beside other codes\n"
    if BEGIN in old and END in old:
        text = old[: old.index(BEGIN)] + text.rstrip("\n") + old[old.index(END) + len(END) :]
    else:
        text = old.rstrip("\n") + "\n\n" + text
    unfinished = file.with_suffix(".unfinished")
    unfinished.write_text(text)
    unfinished.replace(file)
