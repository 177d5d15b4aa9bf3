// Triangles of the shapes in their own frames: [positions, normals, indices], and what the shader draws on them.

// A surface of revolution about z: the profile is a list of [radius, z, normal radius, normal z].
const revolve = (profile, around) => {
  const [positions, normals, indices] = [[], [], []];
  for (let j = 0; j <= around; j++) {
    const [c, s] = [Math.cos((2 * Math.PI * j) / around), Math.sin((2 * Math.PI * j) / around)];
    for (const [r, z, nr, nz] of profile) {
      positions.push(r * c, r * s, z);
      normals.push(nr * c, nr * s, nz);
    }
  }
  const rows = profile.length;
  for (let j = 0; j < around; j++) {
    for (let i = 0; i + 1 < rows; i++) {
      const a = j * rows + i;
      indices.push(a, a + rows, a + 1, a + 1, a + rows, a + rows + 1);
    }
  }
  return { positions, normals, indices };
};

const arc = (radius, z, from, to, count) => Array.from({ length: count + 1 }, (_, i) => {
  const angle = from + ((to - from) * i) / count;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [radius * c, z + radius * s, c, s];
});

const ball = (radius, detail = 1) => revolve(arc(radius, 0, -Math.PI / 2, Math.PI / 2, Math.round(28 * detail)), Math.round(48 * detail));
const capsule = (radius, half) => revolve(
  [...arc(radius, -half, -Math.PI / 2, 0, 14), ...arc(radius, half, 0, Math.PI / 2, 14)], 48);
const cylinder = (radius, half) => revolve([
  [0, -half, 0, -1], [radius, -half, 0, -1], [radius, -half, 1, 0], [radius, half, 1, 0], [radius, half, 0, 1], [0, half, 0, 1],
], 64);
// The wall as seen from inside: normals and faces look at the axis, so a wall between eye and bore is not drawn.
const bore = (radius, from, to) => {
  const mesh = revolve([[radius, from, -1, 0], [radius, to, -1, 0]], 96);
  mesh.indices.reverse();
  return mesh;
};
const block = ([x, y, z]) => {
  const [positions, normals, indices] = [[], [], []];
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const first = positions.length / 3;
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const corner = [0, 0, 0];
        corner[axis] = sign;
        corner[(axis + 1) % 3] = u * sign;
        corner[(axis + 2) % 3] = v;
        positions.push(corner[0] * x, corner[1] * y, corner[2] * z);
        normals.push(...[0, 1, 2].map((i) => (i === axis ? sign : 0)));
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return { positions, normals, indices };
};
// Along z; normals carry (share of the shaft, share of the head) in place of a third coordinate, see the shader.
const arrow = () => {
  const [shaft, head] = [0.36, 1];
  const mesh = revolve([
    [0, 0, 0, -1], [shaft, 0, 1, 0], [shaft, 1, 1, 0], [head, 1, 0.4, -0.9], [head, 1, 0.9, 0.4], [0, 2, 0.9, 0.4],
  ], 20);
  return mesh;
};

const MARKS = { none: 0, octants: 1, quarters: 2, edges: 3, bore: 4, plain: 5 };
const meshOf = (shape, coarse) => {
  switch (shape.kind) {
    case "sphere": return { ...ball(shape.radius, coarse ? 0.5 : 1), mark: MARKS.octants };
    case "cylinder": return { ...cylinder(shape.radius, shape.half_length), mark: MARKS.quarters };
    case "capsule": return { ...capsule(shape.radius, shape.half_length), mark: MARKS.quarters };
    case "box": return { ...block(shape.half), mark: MARKS.edges, half: shape.half };
    case "tube": return { ...bore(shape.radius, shape.from, shape.to), mark: MARKS.bore };
    default: return undefined;
  }
};
