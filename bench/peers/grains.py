"""W2: the input of LAMMPS, LIGGGHTS and Bristle for spheres that settle in a box."""

from __future__ import annotations

import pathlib

from problems import Grains

REPEATS = 5


def steps(count: int) -> int:
    """Steps per timed part: about as long for any number of spheres."""
    return max(100, 600_000 // count)


def dem(kind: str, count: int, folder: pathlib.Path) -> pathlib.Path:
    """Writes an input file for `kind` = lammps or liggghts: settles, then runs the timed parts."""
    g = Grains
    width, places = g.places(count)
    edge, top = 0.02, max(z for _, _, z in places) + 0.05
    atoms = "\n".join(f"{i + 1} 1 {2 * g.radius} {g.density} {x:.9g} {y:.9g} {z:.9g}" for i, (x, y, z) in enumerate(places))
    data = folder / f"{kind}-{count}.data"
    box = "\n".join(f"{-edge} {end + edge} {axis}lo {axis}hi" for axis, end in (("x", width), ("y", width), ("z", top)))
    data.write_text(f"grains\n\n{count} atoms\n1 atom types\n\n{box}\n\nAtoms\n\n{atoms}\n")
    start = {
        "lammps": "atom_style sphere\natom_modify map array\ncomm_modify vel yes",
        "liggghts": "atom_style granular\natom_modify map array\ncommunicate single vel yes",
    }[kind]
    walls = {"x": (0.0, width), "y": (0.0, width), "z": (0.0, None)}
    if kind == "lammps":
        reduced, shear = g.young / (2 * (1 - g.poisson**2)), g.young / (2 * (1 + g.poisson))
        law = f"{4 / 3 * reduced} {4 * shear / (2 - g.poisson)} 2e6 1e6 {g.friction} 1"
        contact = f"pair_style gran/hertz/history {law}\npair_coeff * *\n"
        for axis, (low, high) in walls.items():
            contact += f"fix {axis}w all wall/gran hertz/history {law} {axis}plane {low} {'NULL' if high is None else high}\n"
    else:
        values = {"youngsModulus peratomtype": g.young, "poissonsRatio peratomtype": g.poisson,
                  "coefficientRestitution peratomtypepair 1": 0.6, "coefficientFriction peratomtypepair 1": g.friction}  # fmt: skip
        contact = "".join(f"fix m{i} all property/global {name} {value}\n" for i, (name, value) in enumerate(values.items()))
        contact += "pair_style gran model hertz tangential history\npair_coeff * *\n"
        planes = [(axis, at) for axis, pair in walls.items() for at in pair if at is not None]
        wall = "wall/gran model hertz tangential history primitive type 1"
        contact += "".join(f"fix w{i} all {wall} {axis}plane {at}\n" for i, (axis, at) in enumerate(planes))
    runs = f"run {round(g.settle / g.step)}\n" + f"run {steps(count)}\n" * REPEATS
    text = f"""{start}
units si
boundary f f f
newton off
read_data {data}
neighbor 0.001 bin
neigh_modify delay 0
{contact}timestep {g.step}
fix weight all gravity 9.81 vector 0.0 0.0 -1.0
fix motion all nve/sphere
thermo 1000000
{runs}"""
    file = folder / f"in.{kind}-{count}"
    file.write_text(text)
    return file


def scene(count: int, folder: pathlib.Path) -> pathlib.Path:
    """Writes the same for Bristle."""
    g = Grains
    width, places = g.places(count)
    elastic = f"young = {g.young}, poisson = {g.poisson}"
    text = f"""schema = 1
[simulation]
duration = {g.settle}
integrator = {{ method = "semi-implicit-euler", step = {g.step} }}
record = {{ every = {g.settle} }}
[materials.grain]
normal = {{ law = "hunt-crossley", {elastic}, dissipation = 1.0 }}
friction = {{ law = "spring-clutch", {elastic}, friction = {g.friction}, damping = 10.0 }}
[[contacts]]
between = ["*", "*"]
material = "grain"
"""
    walls = {"floor": ([0, 0, 1], 0), "left": ([1, 0, 0], 0), "right": ([-1, 0, 0], -width),
             "front": ([0, 1, 0], 0), "back": ([0, -1, 0], -width)}  # fmt: skip
    for name, (normal, offset) in walls.items():
        text += f"[bodies.{name}]\nfixed = true\nshape = {{ plane = {{ normal = {normal}, offset = {offset} }} }}\n"
    mass = g.density * 4 / 3 * 3.141592653589793 * g.radius**3
    for i, place in enumerate(places):
        text += f"[bodies.g{i}]\nmass = {mass}\nshape = {{ sphere = {{ radius = {g.radius} }} }}\nposition = {list(place)}\n"
    file = folder / f"grains-{count}.toml"
    file.write_text(text)
    return file
