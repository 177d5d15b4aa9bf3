// The recorded frames: unpacked once, then answered for any time by interpolation.

const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
const RECORD = 7; // numbers of 16 bits per pose; contacts have as many, or three more with a patch
const GRIPS = ["none", "stick", "slip"];

// A direction from its place in a square: the octahedron that it pierces, with its lower half turned outwards.
const unfold = (x, y) => {
  const z = 1 - Math.abs(x) - Math.abs(y);
  const outward = (a, b) => (1 - Math.abs(b)) * (a < 0 ? -1 : 1);
  return unit(z < 0 ? [outward(x, y), outward(y, x), z] : [x, y, z]);
};

const unpack = (film) => {
  const times = new Float64Array(bytes(film.times));
  const poseBytes = bytes(film.poses);
  const [places, turns] = [new Uint16Array(poseBytes), new Int16Array(poseBytes)];
  const starts = new Uint32Array(bytes(film.contact_starts));
  const contactBytes = bytes(film.contacts);
  const [spots, forces] = [new Uint16Array(contactBytes), new Int16Array(contactBytes)];
  const strongest = new Float32Array(bytes(film.strongest));
  const bodies = film.boxes.length;

  const pose = (frame, body) => {
    const at = RECORD * (frame * bodies + body);
    const { min, size } = film.boxes[body];
    const out = [0, 1, 2].map((i) => min[i] + (size[i] * places[at + i]) / 65535);
    for (let i = 3; i < 7; i++) out.push(turns[at + i] / 32767);
    return out;
  };
  const contact = (frame, index) => {
    const at = film.contact_record * (starts[frame] + index);
    const { min, size } = film.contact_box;
    const code = spots[at + 6];
    const hasPatch = film.contact_record > RECORD;
    return {
      radius: hasPatch ? (film.widest * spots[at + 7]) / 65535 : 0,
      normal: hasPatch ? unfold(forces[at + 8] / 32767, forces[at + 9] / 32767) : [0, 0, 1],
      pair: code >> 2,
      grip: GRIPS[code & 3],
      point: [0, 1, 2].map((i) => min[i] + (size[i] * spots[at + i]) / 65535),
      force: [3, 4, 5].map((i) => (strongest[frame] * forces[at + i]) / 32767),
    };
  };
  const contacts = (frame) => Array.from({ length: starts[frame + 1] - starts[frame] }, (_, i) => contact(frame, i));

  // The frame at or before a time, and the share of the way to the next one.
  const find = (t) => {
    let [low, high] = [0, times.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle; else high = middle;
    }
    if (times[high] <= t) return [high, 0];
    return [low, Math.max(0, (t - times[low]) / (times[low + 1] - times[low]))];
  };

  const blendPose = (a, b, u) => {
    const sign = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6] < 0 ? -1 : 1;
    const out = a.map((x, i) => x + ((i < 3 ? b[i] : sign * b[i]) - x) * u);
    const length = Math.hypot(out[3], out[4], out[5], out[6]) || 1;
    for (let i = 3; i < 7; i++) out[i] /= length;
    return out;
  };
  const poses = (t) => {
    const [frame, u] = find(t);
    return film.boxes.map((_, body) =>
      u === 0 ? pose(frame, body) : blendPose(pose(frame, body), pose(frame + 1, body), u));
  };
  // Contacts that are the same in both frames move smoothly; where they differ, the nearer frame counts.
  const touches = (t) => {
    const [frame, u] = find(t);
    const now = contacts(frame);
    if (u === 0) return now;
    const next = contacts(frame + 1);
    const isSame = now.length === next.length && now.every((c, i) => c.pair === next[i].pair);
    if (!isSame) return u < 0.5 ? now : next;
    return now.map((c, i) => ({
      ...(u < 0.5 ? c : next[i]), point: mix(c.point, next[i].point, u), force: mix(c.force, next[i].force, u),
      normal: unit(mix(c.normal, next[i].normal, u)), radius: c.radius + (next[i].radius - c.radius) * u,
    }));
  };
  const greatest = strongest.reduce((most, force) => Math.max(most, force), 0);
  const most = Math.max(0, ...Array.from(times, (_, frame) => starts[frame + 1] - starts[frame])); // contacts at once
  return { times, bodies, pose, poses, touches, find, greatest, most, mostPressure: film.most_pressure, end: times[times.length - 1] };
};
