"""Exudyn on W1: `exudyn_peer.py w1`. Its law has the Hertz exponent and asks for a restitution, here that of the first bounce."""

from __future__ import annotations

import sys

import exudyn
import numpy as np
from exudyn.utilities import InertiaSphere, MarkerBodyRigid, NodeGenericData, ObjectContactSphereTriangle
from problems import GRAVITY, Sphere, row, timed


def build() -> tuple[object, int]:
    s = Sphere
    system = exudyn.SystemContainer().AddSystem()
    ground = system.CreateGround()
    ball = system.CreateRigidBody(
        inertia=InertiaSphere(s.mass, s.radius), referencePosition=[0, 0, s.height], initialVelocity=[s.speed, s.speed, 0],
        gravity=[0, 0, -GRAVITY], nodeType=exudyn.NodeType.RotationRotationVector,
    )  # fmt: skip
    markers = [system.AddMarker(MarkerBodyRigid(bodyNumber=number)) for number in (ball, ground)]
    memory = system.AddNode(NodeGenericData(initialCoordinates=[0] * 4, numberOfDataCoordinates=4))
    triangle = exudyn.Vector3DList([[-5, -5, 0], [5, -5, 0], [0, 8, 0]])
    system.AddObject(ObjectContactSphereTriangle(
        markerNumbers=markers, nodeNumber=memory, sphereRadius=s.radius, trianglePoints=triangle, includeEdges=0,
        dynamicFriction=s.friction, frictionProportionalZone=s.slip_speed, contactStiffness=s.stiffness, contactDamping=1.0,
        contactStiffnessExponent=1.5, restitutionCoefficient=0.58, minimumImpactVelocity=0.01, impactModel=1,
    ))  # fmt: skip
    system.Assemble()
    return system, ball


def go(solver: object, step: float, tolerance: float) -> list[float]:
    system, ball = build()
    options = exudyn.SimulationSettings()
    options.solution.file.write = False
    integration = options.timeIntegration
    integration.numberOfSteps, integration.endTime, integration.verboseMode = round(Sphere.duration / step), Sphere.duration, 0
    integration.automaticStepSize, integration.minimumStepSize = tolerance > 0, 1e-9
    if tolerance > 0:
        integration.relativeTolerance, integration.absoluteTolerance = tolerance, 1e-3 * tolerance
    integration.explicit.computeEndOfStepAccelerations = False
    system.SolveDynamic(options, solverType=solver)
    return list(system.GetObjectOutputBody(ball, exudyn.OutputVariableType.Position))


def w1() -> None:
    methods = exudyn.DynamicSolverType
    reference = go(methods.RK44, 1e-6, 0.0)
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        # steps of 1 ms at most: with longer ones the ball passes through the triangle
        seconds, end = timed(lambda tolerance=tolerance: go(methods.DOPRI5, 1e-3, tolerance), 3)
        row("w1", f"DOPRI5, {tolerance:g}", seconds=seconds, error=np.linalg.norm(np.subtract(end, reference)))


if __name__ == "__main__":
    {"w1": w1}[sys.argv[1]]()
