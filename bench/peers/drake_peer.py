"""Drake on W1, W3 and W6: `drake_peer.py w1`. Its point contact is linear in the depth, f = k x (1 + d v)."""

from __future__ import annotations

import sys
import time

import numpy as np
import pydrake.all as pd
from problems import ROBOTS, Pendulum, Quadruped, Sphere, row


def plant(step: float = 0.0) -> tuple[pd.DiagramBuilder, pd.MultibodyPlant]:
    builder = pd.DiagramBuilder()
    options = pd.MultibodyPlantConfig(time_step=step, contact_model="point", stiction_tolerance=1e-3)
    if step > 0:
        options.discrete_contact_approximation = "sap"
    return builder, pd.AddMultibodyPlant(options, builder)[0]


def surface(stiffness: float, dissipation: float, friction: float) -> pd.ProximityProperties:
    # two sides alike in series: each is twice as stiff
    found = pd.ProximityProperties()
    coulomb = pd.CoulombFriction(friction, friction)
    pd.AddContactMaterial(dissipation=dissipation, point_stiffness=2 * stiffness, friction=coulomb, properties=found)
    return found


def simulator(diagram: pd.Diagram, scheme: str, accuracy: float) -> pd.Simulator:
    sim = pd.Simulator(diagram)
    options = pd.SimulatorConfig(integration_scheme=scheme, accuracy=accuracy, max_step_size=0.1, use_error_control=True)
    pd.ApplySimulatorConfig(options, sim)
    return sim


def advance(sim: pd.Simulator, end: float) -> float:
    start = time.perf_counter()
    sim.AdvanceTo(end)
    return time.perf_counter() - start


def w1() -> None:
    s = Sphere
    builder, bodies = plant()
    side = surface(s.linear, s.dissipation, s.friction)
    bodies.RegisterCollisionGeometry(bodies.world_body(), pd.RigidTransform(), pd.HalfSpace(), "ground", side)
    ball = bodies.AddRigidBody("ball", pd.SpatialInertia.SolidSphereWithMass(s.mass, s.radius))
    bodies.RegisterCollisionGeometry(ball, pd.RigidTransform(), pd.Sphere(s.radius), "ball", side)
    bodies.Finalize()
    diagram = builder.Build()

    def go(scheme: str, accuracy: float) -> tuple[float, np.ndarray]:
        sim = simulator(diagram, scheme, accuracy)
        context = bodies.GetMyMutableContextFromRoot(sim.get_mutable_context())
        bodies.SetPositions(context, [1, 0, 0, 0, 0, 0, s.height])
        bodies.SetVelocities(context, [0, 0, 0, s.speed, s.speed, 0])
        sim.Initialize()
        seconds = advance(sim, s.duration)
        return seconds, bodies.GetPositions(context)[4:].copy()

    reference = go("runge_kutta5", 1e-11)[1]
    for scheme, accuracies in (("runge_kutta3", (1e-4, 1e-5, 1e-6, 1e-7)), ("implicit_euler", (1e-4,))):
        for accuracy in accuracies:
            runs = [go(scheme, accuracy) for _ in range(3)]
            error = np.linalg.norm(runs[0][1] - reference)
            row("w1", f"{scheme}, {accuracy:g}", seconds=sorted(run[0] for run in runs)[1], error=error)


def quadruped(step: float) -> tuple[pd.Diagram, pd.MultibodyPlant]:
    builder, bodies = plant(step)
    pd.Parser(bodies).AddModels(str(ROBOTS / "quadruped.urdf"))
    ground = pd.ProximityProperties()
    coulomb = pd.CoulombFriction(0.8, 0.8)
    pd.AddContactMaterial(dissipation=1.0, point_stiffness=5e4, friction=coulomb, properties=ground)
    bodies.RegisterCollisionGeometry(bodies.world_body(), pd.RigidTransform(), pd.HalfSpace(), "ground", ground)
    for index in bodies.GetJointIndices():
        joint = bodies.get_joint(index)
        if joint.num_velocities() == 1:
            # position control with constant targets is a spring and a damper
            bodies.AddForceElement(pd.RevoluteSpring(joint, Quadruped.angle(joint.name()), Quadruped.stiffness))
            joint.set_default_damping(Quadruped.damping)
    bodies.Finalize()
    return builder.Build(), bodies


def placed(sim: pd.Simulator, bodies: pd.MultibodyPlant) -> None:
    context = bodies.GetMyMutableContextFromRoot(sim.get_mutable_context())
    base = bodies.GetBodyByName(Quadruped.base)
    bodies.SetFloatingBaseBodyPoseInWorldFrame(context, base, pd.RigidTransform([0, 0, Quadruped.height]))
    for index in bodies.GetJointIndices():
        joint = bodies.get_joint(index)
        if joint.num_velocities() == 1:
            joint.set_angle(context, Quadruped.angle(joint.name()))
    if bodies.num_actuators():
        bodies.get_actuation_input_port().FixValue(context, np.zeros(bodies.num_actuators()))
    sim.Initialize()


def height(sim: pd.Simulator, bodies: pd.MultibodyPlant) -> float:
    context = bodies.GetMyContextFromRoot(sim.get_context())
    return bodies.EvalBodyPoseInWorld(context, bodies.GetBodyByName(Quadruped.base)).translation()[2]


def positions(sim: pd.Simulator, bodies: pd.MultibodyPlant) -> np.ndarray:
    return bodies.GetPositions(bodies.GetMyContextFromRoot(sim.get_context())).copy()


def w3() -> None:
    step = 1e-3
    diagram, bodies = quadruped(step)
    sim = pd.Simulator(diagram)
    placed(sim, bodies)
    sim.AdvanceTo(Quadruped.standing[0])
    seconds = advance(sim, Quadruped.standing[1])
    span = Quadruped.standing[1] - Quadruped.standing[0]
    row("w3 standing", "discrete SAP, 1 ms", seconds=seconds / (span / step), step=step, height=height(sim, bodies))
    diagram, bodies = quadruped(0.0)
    for scheme, accuracy in (("cenic", 1e-3), ("implicit_euler", 1e-2)):
        for work, (start, end) in (("w3 landing", Quadruped.landing), ("w3 still", Quadruped.standing)):

            def go(accuracy: float, *stops: float) -> tuple[pd.Simulator, float]:
                """Goes through the stops; the time of the last stretch, s."""
                sim = simulator(diagram, scheme, accuracy)
                placed(sim, bodies)
                return sim, [advance(sim, stop) for stop in stops][-1]

            sim, seconds = go(accuracy, start, end)
            middle = 0.5 * (start + end)
            tight = 1e-2 * accuracy  # held against itself, a hundred times tighter
            ends = positions(sim, bodies) - positions(go(tight, start, end)[0], bodies)
            middles = positions(go(accuracy, start, middle)[0], bodies) - positions(go(tight, start, middle)[0], bodies)
            error = max(np.abs(ends).max(), np.abs(middles).max())
            row(work, f"{scheme}, {accuracy:g}", factor=(end - start) / seconds, height=height(sim, bodies), error=error)


def w6() -> None:
    p = Pendulum
    builder, bodies = plant()
    side = surface(p.linear, p.dissipation, 0.0)
    bodies.RegisterCollisionGeometry(bodies.world_body(), pd.RigidTransform([0, 0, p.floor]), pd.HalfSpace(), "floor", side)
    parent, place = bodies.world_body(), [0, 0, 0]
    for i, (mass, length) in enumerate(zip(p.masses, p.lengths, strict=True)):
        about_end = pd.UnitInertia(length**2 / 3, length**2 / 3, 1e-9)
        rod = bodies.AddRigidBody(f"rod{i}", pd.SpatialInertia(mass, [0, 0, -length / 2], about_end))
        frame = bodies.AddFrame(pd.FixedOffsetFrame(f"frame{i}", parent, pd.RigidTransform(place)))
        bodies.AddJoint(pd.RevoluteJoint(f"joint{i}", frame, rod.body_frame(), [0, -1, 0]))
        parent, place = rod, [0, 0, -length]
    at = pd.RigidTransform([0, 0, p.tip - p.lengths[1]])
    bodies.RegisterCollisionGeometry(parent, at, pd.Sphere(p.tip), "tip", side)
    bodies.Finalize()
    diagram = builder.Build()

    def go(accuracy: float, duration: float) -> tuple[float, np.ndarray]:
        sim = simulator(diagram, "runge_kutta3", accuracy)
        context = bodies.GetMyMutableContextFromRoot(sim.get_mutable_context())
        bodies.SetPositions(context, [np.pi / 2, 0])
        bodies.SetVelocities(context, [0, 0])
        sim.Initialize()
        return advance(sim, duration), bodies.GetPositions(context).copy()

    reference = go(1e-10, 1.0)[1]
    for accuracy in (1e-5, 1e-6, 1e-7):
        error = np.abs(go(accuracy, 1.0)[1] - reference).max()
        row("w6", f"runge_kutta3, {accuracy:g}", seconds=go(accuracy, p.duration)[0], error=error)


if __name__ == "__main__":
    {"w1": w1, "w3": w3, "w6": w6}[sys.argv[1]]()
