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
const ellipsoid = (radii, detail) => {
  const mesh = ball(1, detail);
  const of = (numbers, sizes) => numbers.map((x, i) => x * sizes[i % 3]);
  return { ...mesh, positions: of(mesh.positions, radii), normals: of(mesh.normals, radii.map((r) => 1 / r)) };
};
// Facets in one tint each: every facet has its own corners.
const faceted = (packed) => {
  const corners = new Float32Array(bytes(packed.vertices));
  const triangles = new Uint32Array(bytes(packed.triangles));
  const [positions, normals] = [new Float32Array(3 * triangles.length), new Float32Array(3 * triangles.length)];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => corners.subarray(3 * triangles[i + k], 3 * triangles[i + k] + 3));
    const normal = unit(cross(sub(b, a), sub(c, a)));
    [a, b, c].forEach((corner, k) => {
      positions.set(corner, 3 * (i + k));
      normals.set(normal, 3 * (i + k));
    });
  }
  return { positions, normals, indices: triangles.map((_, i) => i) };
};
// Heights on a grid, smooth between them.
const ground = ({ min, spacing, columns, heights: packed }) => {
  const heights = new Float32Array(bytes(packed));
  const rows = heights.length / columns;
  const [positions, normals, indices] = [[], [], []];
  const at = (i, j) => heights[Math.min(Math.max(j, 0), rows - 1) * columns + Math.min(Math.max(i, 0), columns - 1)];
  const slope = (ahead, behind, n, last, step) => (ahead - behind) / (step * (n === 0 || n === last ? 1 : 2));
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      positions.push(min[0] + i * spacing[0], min[1] + j * spacing[1], at(i, j));
      normals.push(...unit([-slope(at(i + 1, j), at(i - 1, j), i, columns - 1, spacing[0]), -slope(at(i, j + 1), at(i, j - 1), j, rows - 1, spacing[1]), 1]));
      if (i + 1 === columns || j + 1 === rows) continue;
      const a = j * columns + i;
      indices.push(a, a + 1, a + columns + 1, a, a + columns + 1, a + columns);
    }
  }
  return { positions, normals, indices };
};
const disc = () => revolve([[1, 0, 0, 1], [0, 0, 0, 1]], 64);
// Along z; normals carry (share of the shaft, share of the head) in place of a third coordinate, see the shader.
const arrow = () => {
  const [shaft, head] = [0.36, 1];
  const mesh = revolve([
    [0, 0, 0, -1], [shaft, 0, 1, 0], [shaft, 1, 1, 0], [head, 1, 0.4, -0.9], [head, 1, 0.9, 0.4], [0, 2, 0.9, 0.4],
  ], 20);
  return mesh;
};

const MARKS = { none: 0, octants: 1, quarters: 2, edges: 3, bore: 4, plain: 5, ground: 6, unlit: 7 };
const meshOf = (shape, coarse, meshes) => {
  switch (shape.kind) {
    case "sphere": return { ...ball(shape.radius, coarse ? 0.5 : 1), mark: MARKS.octants };
    case "cylinder": return { ...cylinder(shape.radius, shape.half_length), mark: MARKS.quarters };
    case "capsule": return { ...capsule(shape.radius, shape.half_length), mark: MARKS.quarters };
    case "box": return { ...block(shape.half), mark: MARKS.edges, half: shape.half };
    case "ellipsoid": return { ...ellipsoid(shape.radii, coarse ? 0.5 : 1), mark: MARKS.octants };
    case "mesh": return faceted(meshes[shape.mesh]);
    case "terrain": return { ...ground(shape), mark: MARKS.ground };
    case "tube": return { ...bore(shape.radius, shape.from, shape.to), mark: MARKS.bore };
    default: return undefined;
  }
};
