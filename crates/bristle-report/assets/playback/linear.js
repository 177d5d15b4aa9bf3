// Vectors are arrays of three, quaternions [x, y, z, w], matrices sixteen numbers column by column.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => scale(a, 1 / (norm(a) || 1));
const mix = (a, b, u) => a.map((x, i) => x + (b[i] - x) * u);

const turn = (q, v) => {
  const u = [q[0], q[1], q[2]];
  const t = scale(cross(u, v), 2);
  return add(add(v, scale(t, q[3])), cross(u, t));
};
const multiplyTurns = (a, b) => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
];
// The shortest turn that takes z to a direction.
const turnOfZTo = (n) => {
  const length = Math.hypot(n[0], n[1], 1 + n[2]);
  return length < 1e-6 ? [1, 0, 0, 0] : [-n[1] / length, n[0] / length, 0, (1 + n[2]) / length];
};
// A pose inside a pose: [x, y, z, qx, qy, qz, qw].
const compose = (outer, inner) => {
  const q = outer.slice(3, 7);
  return [...add(outer.slice(0, 3), turn(q, inner.slice(0, 3))), ...multiplyTurns(q, inner.slice(3, 7))];
};

const perspective = (angle, aspect, near, far) => {
  const f = 1 / Math.tan(angle / 2);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
};
const lookAt = (eye, target, up) => {
  const z = unit(sub(eye, target));
  const x = unit(cross(up, z));
  const y = cross(z, x);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1];
};
const multiply = (a, b) => {
  const out = new Array(16).fill(0);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return out;
};
