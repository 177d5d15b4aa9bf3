"""The problems, in numbers, and what the scripts of the peers share."""

from __future__ import annotations

import json
import math
import pathlib
import statistics
import time
import xml.etree.ElementTree as xml
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROBOTS = ROOT / "scenes" / "robots"
GRAVITY = 9.81


class Sphere:
    """W1 and W4."""

    radius, mass, stiffness, dissipation, friction, slip_speed = 0.0165, 0.154, 8.5e6, 0.45, 0.2, 1e-3
    height, speed, duration = 0.1165, 0.5, 1.0
    fall = -1.4
    """Of W4, where the first ball starts on the ground, m/s."""
    deepest = (0.5 * mass * 2 * GRAVITY * (height - radius) / (0.4 * stiffness)) ** 0.4
    """Peak depth of the first impact without loss, m."""
    linear = 0.8 * stiffness * math.sqrt(deepest)
    """Stiffness of a linear spring that stores the same energy there, N/m: for engines whose contact is linear."""


class Pendulum:
    """W6."""

    lengths, masses = (0.5, 0.25), (5.0, 2.0)
    tip, floor, stiffness, dissipation, duration = 0.01, -0.61, 1e9, 0.075, 10.0
    linear = 0.8 * stiffness * math.sqrt(4.8e-4)


class Grains:
    """W2: spheres of 5 mm in an open box, Hertz with tangential history."""

    radius, density, young, poisson, friction, step, settle = 0.005, 2500.0, 5e6, 0.45, 0.5, 5e-5, 0.2

    @staticmethod
    def places(count: int) -> tuple[float, list[tuple[float, float, float]]]:
        """Width of the box, and the centres: a cubic lattice, a little disturbed."""
        across = {100: 5, 1000: 10, 10000: 32}[count]
        pitch = 2.02 * Grains.radius
        shake = lambda i, k: 1e-2 * Grains.radius * math.sin(12.9898 * i + 78.233 * k)
        at = lambda i: (i % across, i // across % across, i // across**2)
        return across * pitch, [tuple((n + 0.5) * pitch + shake(i, k) for k, n in enumerate(at(i))) for i in range(count)]


class Quadruped:
    """W3 and W4."""

    base, height = "trunk", 0.3
    angles = {"hip": 0.0, "thigh": 0.8, "calf": -1.6}
    stiffness, damping = 40.0, 1.0
    landing, standing = (0.1, 0.3), (2.0, 3.0)
    settled = 10.0
    """When nothing moves any more that would change the force on a foot by a part in a thousand, s."""

    @classmethod
    def angle(cls, joint: str) -> float:
        """At home, rad: joints are called FR_hip_j."""
        return cls.angles[joint.split("_")[1]]


def robot_tree() -> str:
    """The quadruped as numbers, one line per link: parent, place and axis of its joint, mass, centre, inertia, angle, gains, feet."""
    root = xml.parse(ROBOTS / "quadruped.urdf").getroot()
    joint_of = {joint.find("child").get("link"): joint for joint in root.findall("joint")}
    links = root.findall("link")
    number = {link.get("name"): i for i, link in enumerate(links)}
    lines = [str(len(links))]
    for link in links:
        inertial, joint = link.find("inertial"), joint_of.get(link.get("name"))
        inertia = inertial.find("inertia")
        words = ["-1", f"0 0 {Quadruped.height}", "0 0 0"]
        angle = 0.0
        if joint is not None:
            angle = Quadruped.angle(joint.get("name"))
            words = [str(number[joint.find("parent").get("link")]), joint.find("origin").get("xyz"), joint.find("axis").get("xyz")]
        words += [inertial.find("mass").get("value"), inertial.find("origin").get("xyz")]
        words += [inertia.get(i) for i in ("ixx", "iyy", "izz")]
        words += [str(angle), str(Quadruped.stiffness), str(Quadruped.damping)]
        feet = link.findall("collision")
        words.append(str(len(feet)))
        for foot in feet:
            words += [foot.find("origin").get("xyz"), foot.find("geometry").find("sphere").get("radius")]
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def largest_difference(a: list[float], b: list[float]) -> float:
    """Of any coordinate, m or rad."""
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def timed(work: Callable[[], object], repeats: int) -> tuple[float, object]:
    """Median time of some calls, s, and what the last one answered."""
    times, answer = [], None
    for _ in range(repeats):
        start = time.perf_counter()
        answer = work()
        times.append(time.perf_counter() - start)
    return statistics.median(times), answer


def row(work: str, setting: str, **numbers: object) -> None:
    """One result, to whoever runs the script."""
    print(json.dumps({"work": work, "setting": setting, **numbers}, default=float), flush=True)
