"""MuJoCo on W1, W3, W4 and W6: `mujoco_peer.py w1`. Its contact is a soft constraint, stiff where asked to be, linear in the depth."""

from __future__ import annotations

import sys

import mujoco
import numpy as np
from mujoco import rollout
from problems import GRAVITY, ROBOTS, Pendulum, Quadruped, Sphere, row, timed


def stiff(stiffness: float, mass: float) -> str:
    return f'solref="{-stiffness / mass} -150" solimp="0.99 0.99 0.001 0.5 2"'


def ball(step: float, method: str, height: float) -> mujoco.MjModel:
    s = Sphere
    return mujoco.MjModel.from_xml_string(f"""<mujoco>
        <option timestep="{step}" integrator="{method}" cone="elliptic" gravity="0 0 {-GRAVITY}"/>
        <default><geom friction="{s.friction} 0 0" condim="3" {stiff(s.linear, s.mass)}/></default>
        <worldbody><geom type="plane" size="5 5 .1"/>
        <body pos="0 0 {height}"><freejoint/><geom type="sphere" size="{s.radius}" mass="{s.mass}"/></body></worldbody></mujoco>""")


def w1() -> None:
    def go(model: mujoco.MjModel, step: float) -> list[float]:
        data = mujoco.MjData(model)
        data.qvel[:2] = Sphere.speed
        mujoco.mj_step(model, data, round(Sphere.duration / step))
        return list(data.qpos[:3])

    reference = go(ball(2e-6, "RK4", Sphere.height), 2e-6)
    for method, steps in (("Euler", (1e-4, 1e-5)), ("RK4", (1e-4, 1e-5))):
        for step in steps:
            model = ball(step, method, Sphere.height)
            seconds, end = timed(lambda model=model, step=step: go(model, step), 3)
            row("w1", f"{method}, {step:g} s", seconds=seconds, error=np.linalg.norm(np.subtract(end, reference)))


def quadruped(method: str, step: float) -> mujoco.MjModel:
    model = mujoco.MjModel.from_xml_path(str(ROBOTS / "quadruped.xml"))
    model.opt.integrator, model.opt.timestep = getattr(mujoco.mjtIntegrator, "mjINT_" + method), step
    return model


def w3() -> None:
    discrete = [("DISCRETE", step) for step in (4e-3, 8e-3, 1.6e-2)]
    for method, step in [("EULER", 1e-3), ("IMPLICITFAST", 1e-3), ("IMPLICITFAST", 2e-3), *discrete]:
        if not hasattr(mujoco.mjtIntegrator, "mjINT_" + method):
            continue
        model = quadruped(method, step)
        data = mujoco.MjData(model)
        mujoco.mj_resetDataKeyframe(model, data, 0)
        mujoco.mj_step(model, data, round(Quadruped.standing[0] / step))
        seconds, _ = timed(lambda model=model, data=data: mujoco.mj_step(model, data, 1000), 15)
        row("w3 standing", f"{method.lower()}, {1e3 * step:g} ms", seconds=seconds / 1000, step=step, height=data.qpos[2])


def states(model: mujoco.MjModel, count: int, place: object) -> np.ndarray:
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    all_states, home = np.empty((count, mujoco.mj_stateSize(model, kind))), data.qpos.copy()
    for i in range(count):
        place(data, home, i)
        mujoco.mj_getState(model, data, all_states[i], kind)
    return all_states


def w4() -> None:
    def thrown(data: mujoco.MjData, home: np.ndarray, i: int) -> None:
        data.qpos[2], data.qvel[:3] = home[2] + 1e-5 * i, [Sphere.speed, Sphere.speed, Sphere.fall]

    def lifted(data: mujoco.MjData, home: np.ndarray, i: int) -> None:
        data.qpos[2] = home[2] + 1e-5 * i

    robots = [quadruped("EULER", 1e-3)]
    if hasattr(mujoco.mjtIntegrator, "mjINT_DISCRETE"):
        robots += [quadruped("DISCRETE", step) for step in (4e-3, 1.6e-2)]
    cases = [("w4 spheres", ball(1e-4, "Euler", Sphere.radius), 4096, 1000, thrown)]
    cases += [("w4 quadrupeds", robot, 1024, 100, lifted) for robot in robots]
    for work, model, count, steps, place in cases:
        start = states(model, count, place)
        control = np.tile(model.key_ctrl[0], (count, steps, 1)) if model.nu else None
        for threads in (1, 2):
            data = [mujoco.MjData(model) for _ in range(threads)]
            with rollout.Rollout(nthread=threads) as roll:
                go = lambda: roll.rollout(model, data, start, control=control, nstep=steps)
                go()
                seconds, _ = timed(go, 3)
            method = mujoco.mjtIntegrator(model.opt.integrator).name.removeprefix("mjINT_").lower()
            row(work, f"rollout, {method}, {1e3 * model.opt.timestep:g} ms", threads=threads, seconds=seconds / (count * steps), step=model.opt.timestep)


def w6() -> None:
    p = Pendulum

    def build(step: float, method: str) -> mujoco.MjModel:
        rods = [(m, length, m * length**2 / 12) for m, length in zip(p.masses, p.lengths, strict=True)]
        inertia = [f'<inertial pos="0 0 {-n / 2}" mass="{m}" diaginertia="{i} {i} 1e-6"/><joint axis="0 -1 0"/>' for m, n, i in rods]
        return mujoco.MjModel.from_xml_string(f"""<mujoco><compiler inertiafromgeom="false"/>
            <option timestep="{step}" integrator="{method}" gravity="0 0 {-GRAVITY}"/>
            <default><geom condim="1" {stiff(p.linear, 0.5)}/></default>
            <worldbody><geom type="plane" size="5 5 .1" pos="0 0 {p.floor}"/><body>{inertia[0]}
            <body pos="0 0 {-p.lengths[0]}">{inertia[1]}<geom type="sphere" size="{p.tip}" pos="0 0 {p.tip - p.lengths[1]}"/></body></body>
            </worldbody></mujoco>""")

    def go(model: mujoco.MjModel, duration: float) -> list[float]:
        data = mujoco.MjData(model)
        data.qpos[0] = np.pi / 2
        mujoco.mj_step(model, data, round(duration / model.opt.timestep))
        return list(data.qpos)

    reference = go(build(2e-6, "RK4"), 1.0)
    for method, step in (("Euler", 1e-4), ("Euler", 1e-5), ("RK4", 1e-4)):
        model = build(step, method)
        seconds, _ = timed(lambda model=model: go(model, p.duration), 1)
        row("w6", f"{method}, {step:g} s", seconds=seconds, error=np.abs(np.subtract(go(model, 1.0), reference)).max())


if __name__ == "__main__":
    {"w1": w1, "w3": w3, "w4": w4, "w6": w6}[sys.argv[1]]()
