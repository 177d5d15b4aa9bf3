"""Reference values for tests/pinocchio.rs: one tree with every kind of joint, by Pinocchio 4.1.0 (pip install pin==4.1.0).

Pinocchio gives the velocities of free, spherical and planar joints in link axes, Bristle in joint axes; B turns one into the other.
An armature along x and y of a planar joint would mean different things, so there is none.
"""
import itertools
import numpy as np
import pinocchio as pin

counter = itertools.count()


def number():
    """In (-0.5, 0.5); the same doubles in the test."""
    return (next(counter) * 37 % 101) / 101 - 0.5


def vector():
    return np.array([number(), number(), number()])


def rotation():
    x = np.append(vector(), 0.7)
    return pin.Quaternion(x / np.linalg.norm(x)).matrix()


def unit(v):
    return v / np.linalg.norm(v)


def composite(axis):
    joint = pin.JointModelComposite()
    joint.addJoint(pin.JointModelPrismaticUnaligned(*axis))
    joint.addJoint(pin.JointModelRevoluteUnaligned(*axis))
    return joint


X, Y = np.eye(3)[:2]
LINKS = [  # parent, joint, armature
    (-1, pin.JointModelFreeFlyer(), [0] * 6),
    (0, pin.JointModelRevoluteUnaligned(0.6, 0, 0.8), [0.02]),
    (1, pin.JointModelUniversal(X, Y), [0.01, 0.03]),
    (2, pin.JointModelPrismaticUnaligned(0.36, 0.48, 0.8), [0.4]),
    (1, pin.JointModelSpherical(), [0.05] * 3),
    (4, composite(unit(np.array([1.0, 2.0, 2.0]))), [0.2, 0.04]),
    (0, pin.JointModelPlanar(), [0, 0, 0.06]),
    (6, pin.JointModelRevoluteUnaligned(0, 1, 0), [0]),
]
model, armature = pin.Model(), []
model.gravity.linear = np.array([0.5, -1.0, -9.81])
for i, (parent, joint, rotor) in enumerate(LINKS):
    placement = pin.SE3(rotation(), vector()) if parent >= 0 else pin.SE3.Identity()
    index = model.addJoint(parent + 1, joint, placement, f"joint {i}")
    mass, center, turn = 1.5 + number(), 0.4 * vector(), rotation()
    s = (0.7 + vector()) ** 2
    about = turn @ np.diag([s[1] + s[2], s[2] + s[0], s[0] + s[1]]) @ turn.T * mass / 12
    model.appendBodyToJoint(index, pin.Inertia(mass, center, about), pin.SE3.Identity())
    armature += rotor
model.armature = np.array(armature, dtype=float)
data = model.createData()
nv = model.nv

base, ball = np.append(vector(), 0.7), np.append(vector(), 0.7)
place, angles, flat = vector(), [number() for _ in range(7)], vector()
q = np.concatenate([place, unit(base), angles[:4], unit(ball), angles[4:6], flat[:2], [np.cos(flat[2]), np.sin(flat[2])], angles[6:]])
v, vdot, efforts, x = ([4 * number() for _ in range(nv)] for _ in range(4))
v, vdot, efforts, x = map(np.array, (v, vdot, efforts, x))  # all as Bristle has them
wrenches = [(10 * vector(), 10 * vector()) for _ in LINKS]  # torque, force; world axes at link origins
point = vector()

pin.forwardKinematics(model, data, q)
turn = [p.rotation for p in data.oMi][1:]
R0, R4 = turn[0], data.liMi[5].rotation
# a joint in the tree turns in its frame, which is liMi before the joint moved: take the placement out
R4 = model.jointPlacements[5].rotation.T @ R4
R6 = model.jointPlacements[7].rotation.T @ data.liMi[7].rotation
B = np.eye(nv)
B[0:6, 0:6] = 0
B[0:3, 3:6] = B[3:6, 0:3] = R0
at = [model.joints[i + 1].idx_v for i in range(len(LINKS))]
B[at[4]:at[4] + 3, at[4]:at[4] + 3] = R4
B[at[6]:at[6] + 2, at[6]:at[6] + 2] = R6[:2, :2]
vp = B.T @ v
drift = np.zeros(nv)
drift[3:6] = R0 @ np.cross(vp[3:6], vp[0:3])
w, l = vp[at[6] + 2], vp[at[6]:at[6] + 2]
drift[at[6]:at[6] + 2] = R6[:2, :2] @ (w * np.array([-l[1], l[0]]))

fext = pin.StdVec_Force()
fext.append(pin.Force.Zero())
for R, (torque, force) in zip(turn, wrenches):
    fext.append(pin.Force(R.T @ force, R.T @ torque))
show = lambda name, a: print(f"{name}: [{', '.join(repr(float(a)) for a in np.ravel(a))}]")
show("acceleration", B @ pin.aba(model, data, q, vp, B.T @ efforts, fext) + drift)
show("effort", B @ pin.rnea(model, data, q, vp, B.T @ (vdot - drift), fext))
M = pin.crba(model, data, q)
M = np.triu(M) + np.triu(M, 1).T
show("mass times x", B @ M @ B.T @ x)
# computeKineticEnergy of this version leaves out the armature of the second joint, the mass matrix does not
show("kinetic, potential", [0.5 * vp @ M @ vp, pin.computePotentialEnergy(model, data, q)])
show("centre", pin.centerOfMass(model, data, q, vp))
show("its velocity", data.vcom[0])
pin.computeCentroidalMomentum(model, data, q, vp)
linear = data.hg.linear
show("momentum (angular about the world origin, linear)", [data.hg.angular + np.cross(data.com[0], linear), linear])
J = pin.computeJointJacobian(model, data, q, 6)  # link 5, link axes at its origin, linear rows first
R, origin = turn[5], data.oMi[6].translation
angular, linear = R @ J[3:] @ B.T, R @ J[:3] @ B.T
linear -= np.cross(point - origin, angular, axisb=0, axisc=0)
show("jacobian", np.vstack([angular, linear]).T @ [1, 2, 3, 4, 5, 6])
show("centre jacobian", (pin.jacobianCenterOfMass(model, data, q) @ B.T).T @ [1, 2, 3])
