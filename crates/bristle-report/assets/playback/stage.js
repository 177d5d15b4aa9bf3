// What stands on the stage: shapes in groups of one mesh, planes, the room that the motion takes.

const REACH = { sphere: (s) => s.radius, cylinder: (s) => Math.hypot(s.radius, s.half_length), capsule: (s) => s.radius + s.half_length,
  box: (s) => norm(s.half), ellipsoid: (s) => Math.max(...s.radii), mesh: (s) => s.reach, point: () => 0 };
const ORIGIN = [0, 0, 0, 0, 0, 0, 1];

// The next of 1, 2, 5, 10, … below a length.
const roundStep = (length) => {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * [5, 2, 1].find((digit) => digit * power <= length * (1 + 1e-9));
};

const makeStage = (data, film) => {
  const still = (owner) => data.bodies[-owner - 1].pose;
  const owners = data.bodies.map((body, index) => (body.mover === null ? -index - 1 : body.mover));

  // The box around all that is finite, over the whole film.
  const room = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  const include = (point, radius) => {
    for (let i = 0; i < 3; i++) {
      room.min[i] = Math.min(room.min[i], point[i] - (radius[i] ?? radius));
      room.max[i] = Math.max(room.max[i], point[i] + (radius[i] ?? radius));
    }
  };
  const stride = Math.max(1, Math.floor(film.times.length / 300));
  let [largest, travel] = [0, 0];
  data.bodies.forEach((body, index) => {
    const finite = body.shapes.filter((shape) => REACH[shape.kind]);
    const radius = Math.max(0, ...finite.map((shape) => norm(shape.pose.slice(0, 3)) + REACH[shape.kind](shape)));
    body.radius = radius;
    if (body.mover === null) {
      finite.forEach((shape) => include(compose(body.pose, shape.pose).slice(0, 3), REACH[shape.kind](shape)));
      return;
    }
    largest = Math.max(largest, radius);
    for (let frame = 0; frame < film.times.length; frame += stride) include(film.pose(frame, owners[index]).slice(0, 3), radius);
    const box = data.film.boxes[body.mover];
    travel = Math.max(travel, norm(box.size));
  });
  if (!(room.min[0] <= room.max[0])) include([0, 0, 0], 1);
  let centre = mix(room.min, room.max, 0.5);
  let radius = Math.max(norm(sub(room.max, room.min)) / 2, 1e-6);

  // Tubes: endless ones end a little beyond the motion.
  const tubes = [];
  data.bodies.forEach((body, index) => body.shapes.filter((shape) => shape.kind === "tube").forEach((shape) => {
    const pose = compose(body.mover === null ? body.pose : film.pose(0, body.mover), shape.pose);
    const axis = turn(pose.slice(3, 7), [0, 0, 1]);
    const along = dot(sub(centre, pose.slice(0, 3)), axis);
    const half = Math.min(Math.max(0.6 * Math.abs(dot(sub(room.max, room.min), axis.map(Math.abs))), 0.6 * shape.radius), 6 * shape.radius);
    [shape.from, shape.to] = shape.half_length === null ? [along - half, along + half] : [-shape.half_length, shape.half_length];
    tubes.push({ owner: owners[index], shape, axis, centre: add(pose.slice(0, 3), scale(axis, (shape.from + shape.to) / 2)) });
  }));
  for (const { shape, axis, centre: middle } of tubes) {
    // The corners of a box around a circle are empty.
    const disc = axis.map((a) => 0.88 * shape.radius * Math.sqrt(Math.max(0, 1 - a * a)));
    for (const end of [-0.5, 0.5]) include(add(middle, scale(axis, end * (shape.to - shape.from))), disc);
  }
  if (tubes.length > 0) {
    centre = mix(room.min, room.max, 0.5);
    radius = norm(sub(room.max, room.min)) / 2;
  }
  const spacing = roundStep(radius / 4);

  const byMesh = new Map();
  const isMany = data.bodies.length > 60;
  data.bodies.forEach((body, index) => body.shapes.forEach((shape) => {
    if (shape.kind === "half-space") return;
    const { pose, ...sizes } = shape.kind === "point" ? { kind: "sphere", radius: 0.012 * radius, pose: shape.pose } : shape;
    const key = JSON.stringify(sizes);
    const [isWall, isGround] = [shape.kind === "tube", shape.kind === "terrain"];
    if (!byMesh.has(key)) {
      byMesh.set(key, {
        mesh: meshOf(sizes, isMany, data.meshes), members: [], isWall, isGround, castsShadow: !isWall && !isGround,
        spacing: isWall ? roundStep(shape.radius / 2) : 1,
      });
    }
    byMesh.get(key).members.push({ owner: owners[index], pose });
  }));

  const planes = (poses, target, distance) => data.bodies.flatMap((body, index) => body.shapes
    .filter((shape) => shape.kind === "half-space")
    .map((shape) => {
      const pose = compose(body.mover === null ? body.pose : poses[body.mover], shape.pose ?? ORIGIN);
      const [origin, attitude] = [pose.slice(0, 3), pose.slice(3, 7)];
      const [u, v, normal] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => turn(attitude, axis));
      const isFloor = body.mover === null && dot(normal, data.up) > 0.5;
      const onPlane = (point) => sub(point, scale(normal, dot(sub(point, origin), normal)));
      const reach = isFloor ? Math.max(7 * distance, 4 * radius) : 1.15 * radius;
      return { origin, normal, u, v, isFloor, reach, centre: onPlane(isFloor ? target : centre), spacing: isFloor ? floorStep(distance) : spacing };
    }));
  const floorStep = (distance) => roundStep(distance / 9);

  // Paths of the free bodies, each piece with its two times.
  const trails = (tintOf) => {
    const out = [];
    data.bodies.forEach((body) => {
      if (body.mover === null || !body.is_free) return;
      const tint = tintOf(body.mover);
      for (let frame = 1; frame < film.times.length; frame++) {
        out.push(...film.pose(frame - 1, body.mover).slice(0, 3), ...film.pose(frame, body.mover).slice(0, 3),
          film.times[frame - 1], film.times[frame], ...tint);
      }
    });
    return out;
  };
  // Circles at the ends of tubes that do not move.
  const rims = (tint) => tubes.filter(({ owner }) => owner < 0).flatMap(({ owner, shape }) => {
    const pose = compose(still(owner), shape.pose);
    const at = (angle, z) => compose(pose, [shape.radius * Math.cos(angle), shape.radius * Math.sin(angle), z, 0, 0, 0, 1]).slice(0, 3);
    return [shape.from, shape.to].flatMap((z) => Array.from({ length: 96 }, (_, i) =>
      [...at((2 * Math.PI * i) / 96, z), ...at((2 * Math.PI * (i + 1)) / 96, z), 0, 0, ...tint]).flat());
  });
  const half = scale(sub(room.max, room.min), 0.5);
  return { groups: [...byMesh.values()], planes, trails, rims, still, centre, half, radius, largest, travel, tubes, floorStep };
};
