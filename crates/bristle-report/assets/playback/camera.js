// A camera that looks at a target and circles it: by mouse, touch and keyboard.

const VIEW_ANGLE = (32 * Math.PI) / 180;

const makeCamera = (canvas, up, onChange) => {
  const first = unit(Math.abs(up[0]) < 0.9 ? sub([1, 0, 0], scale(up, up[0])) : sub([0, 1, 0], scale(up, up[1])));
  const second = cross(up, first);
  const camera = { target: [0, 0, 0], distance: 1, azimuth: 0, elevation: 0.4, near: 0.01, far: 100, least: 1e-6, most: 1e6 };

  const direction = () => {
    const level = add(scale(first, Math.cos(camera.azimuth)), scale(second, Math.sin(camera.azimuth)));
    return add(scale(level, Math.cos(camera.elevation)), scale(up, Math.sin(camera.elevation)));
  };
  const eye = () => add(camera.target, scale(direction(), camera.distance));
  const matrix = () => {
    const view = lookAt(eye(), camera.target, up);
    return multiply(perspective(VIEW_ANGLE, canvas.width / Math.max(canvas.height, 1), 0.01 * camera.distance, 60 * camera.distance), view);
  };
  const orbit = (dx, dy) => {
    camera.azimuth -= dx;
    camera.elevation = Math.min(Math.max(camera.elevation + dy, -1.5), 1.5);
    onChange();
  };
  const zoom = (factor) => {
    camera.distance = Math.min(Math.max(camera.distance * factor, camera.least), camera.most);
    onChange();
  };
  // In shares of the picture's height.
  const pan = (dx, dy) => {
    const away = direction();
    const right = unit(cross(up, away));
    const size = 2 * Math.tan(VIEW_ANGLE / 2) * camera.distance;
    camera.target = add(camera.target, add(scale(right, -dx * size), scale(cross(away, right), dy * size)));
    camera.isPanned = true;
    onChange();
  };
  // So far away that the corners of a box around the target are in the picture, with a margin.
  const distanceFor = (half) => {
    const steep = Math.tan(VIEW_ANGLE / 2);
    const slopes = [(steep * canvas.clientWidth) / Math.max(canvas.clientHeight, 1), steep];
    const away = direction();
    const right = unit(cross(up, away));
    const axes = [right, cross(away, right)];
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const at = half.map((size, i) => (corner & (1 << i) ? size : -size));
      axes.forEach((axis, i) => { distance = Math.max(distance, Math.abs(dot(at, axis)) / slopes[i] + dot(at, away)); });
    }
    return 1.08 * distance;
  };
  const lookAlong = (axis) => {
    camera.azimuth = Math.atan2(dot(axis, second), dot(axis, first));
  };

  const pointers = new Map();
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { gap: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus({ preventScroll: true });
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const before = pointers.size === 2 ? spread() : undefined;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y].map((d) => d / canvas.clientHeight);
    if (before) {
      const after = spread();
      zoom(before.gap / Math.max(after.gap, 1));
      pan((after.x - before.x) / canvas.clientHeight, (after.y - before.y) / canvas.clientHeight);
    } else if (event.shiftKey || event.buttons & 6) pan(dx, dy);
    else orbit(4 * dx, 4 * dy);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  // The wheel scrolls the page until the picture has been chosen by a click or a key.
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey) return;
    event.preventDefault();
    zoom(Math.exp(0.0015 * event.deltaY));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (x || y) (event.shiftKey ? pan(-0.05 * x, -0.05 * y) : orbit(0.1 * x, -0.1 * y));
    else if (event.key === "+" || event.key === "=") zoom(0.85);
    else if (event.key === "-") zoom(1 / 0.85);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  // The world's axes as the picture shows them: to the right, up, towards the eye.
  const axes = () => {
    const away = direction();
    const right = unit(cross(up, away));
    const above = cross(away, right);
    return [0, 1, 2].map((i) => [right[i], above[i], away[i]]);
  };
  return { camera, eye, matrix, distanceFor, lookAlong, zoom, axes };
};
