// The playback: puts film, stage, camera and controls together.

const colourOf = (name) => {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((i) => Number.parseInt(text.slice(i, i + 2), 16) / 255);
};
const SPEEDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
const FRAMES_PER_SECOND = 60; // when impacts are slowed: recorded frames per second on the clock

// As many digits as the length of the run calls for.
const timeDigits = (end) => Math.min(Math.max(4 - Math.floor(Math.log10(end)), 2), 9);
const metres = (length) => {
  const [value, name] = length >= 1 ? [length, "m"] : length >= 1e-3 ? [length * 1e3, "mm"] : [length * 1e6, "µm"];
  return `${Number(value.toPrecision(3))} ${name}`;
};
const newtons = (force) => {
  const [value, unitName] = force >= 1e6 ? [force / 1e6, "MN"] : force >= 1e3 ? [force / 1e3, "kN"] : force >= 1 ? [force, "N"] : [force * 1e3, "mN"];
  return `${Number(value.toPrecision(3))} ${unitName}`;
};

const pascals = (pressure) => {
  const [value, unitName] = pressure >= 1e9 ? [pressure / 1e9, "GPa"] : pressure >= 1e6 ? [pressure / 1e6, "MPa"] : pressure >= 1e3 ? [pressure / 1e3, "kPa"] : [pressure, "Pa"];
  return `${Number(value.toPrecision(3))} ${unitName}`;
};
// Colours of pressure from nothing to the greatest; the same as in the style sheet.
const RAMP = [[0x44, 0x01, 0x54], [0x3b, 0x52, 0x8b], [0x21, 0x91, 0x8c], [0x5e, 0xc9, 0x62], [0xfd, 0xe7, 0x25]].map((c) => c.map((x) => x / 255));
const onRamp = (share) => {
  const place = Math.min(Math.max(share, 0), 1) * (RAMP.length - 1);
  const first = Math.min(Math.floor(place), RAMP.length - 2);
  return mix(RAMP[first], RAMP[first + 1], place - first);
};

const startPlayer = (root) => {
  const data = JSON.parse(root.querySelector("script").textContent);
  const film = unpack(data.film);
  const stage = makeStage(data, film);
  const find = (name) => root.querySelector(`[data-part="${name}"]`);
  const [canvas, slider, play, clock, speed, hud, strip] =
    ["canvas", "slider", "play", "clock", "speed", "hud", "strip"].map(find);
  const [forces, trails, pressure, follow, size, law, scaleNote] =
    ["forces", "trails", "pressure", "follow", "size", "law", "scale-note"].map(find);
  bristleTime.limit(film.end);

  let colours = {};
  let isDirty = true;
  const redraw = () => { isDirty = true; };
  const view = makeCamera(canvas, data.up, redraw);
  let renderer;
  try { renderer = makeRenderer(canvas, stage); } catch (error) { console.warn(error.message); }
  if (!renderer) {
    root.classList.add("no-webgl");
    find("no-webgl").hidden = false;
  }

  const readColours = () => {
    const isDark = document.documentElement.dataset.theme === "dark";
    colours = {
      bodies: Array.from({ length: 6 }, (_, i) => colourOf(`--body-${i}`)),
      fixed: colourOf("--body-fixed"), line: colourOf("--stage-line"), floor: colourOf("--stage-floor"),
      sky: isDark ? [0.4, 0.42, 0.46] : [0.5, 0.52, 0.55], earth: isDark ? [0.2, 0.2, 0.22] : [0.42, 0.41, 0.41],
      shadow: isDark ? [0, 0, 0, 0.5] : [0.02, 0.025, 0.04, 0.24],
      stick: colourOf("--stick"), slip: colourOf("--slip"), none: colourOf("--grip-none"),
    };
    renderer?.recolour(colours);
    drawStrip();
    redraw();
  };

  // ---- camera ----
  const { camera } = view;
  const isTiny = stage.largest > 0 && stage.largest < 0.07 * stage.radius;
  const firstFree = data.bodies.findIndex((body) => body.is_free);
  const followed = () => (follow.value === "" ? undefined : data.bodies[Number(follow.value)]);
  const fit = () => {
    const body = followed();
    camera.isPanned = false;
    const fitted = view.distanceFor(stage.half);
    [camera.least, camera.most] = [0.01 * Math.min(fitted, stage.largest * 10 || fitted), 20 * fitted];
    camera.distance = body ? Math.min(view.distanceFor(Array(3).fill(Math.max(2.7 * body.radius, 0.015 * stage.radius))), fitted) : fitted;
    camera.target = stage.centre;
    redraw();
  };
  const aim = () => {
    camera.elevation = 0.36;
    if (stage.tubes.length > 0) {
      const { axis } = stage.tubes[0];
      const isUpright = Math.abs(dot(axis, data.up)) > 0.8;
      if (!isUpright) view.lookAlong(axis);
      camera.azimuth += 0.5;
      camera.elevation = isUpright ? 0.8 : 0.22;
      return;
    }
    // Across the main direction of the motion, a little from the side.
    let [xx, yy, xy] = [0, 0, 0];
    const flat = (v) => sub(v, scale(data.up, dot(v, data.up)));
    const [e, f] = Math.abs(data.up[2]) > 0.5 ? [[1, 0, 0], [0, 1, 0]] : Math.abs(data.up[1]) > 0.5 ? [[0, 0, 1], [1, 0, 0]] : [[0, 1, 0], [0, 0, 1]];
    const step = Math.max(1, Math.floor(film.times.length / 100));
    for (let body = 0; body < Math.min(film.bodies, 100); body++) {
      for (let frame = 0; frame < film.times.length; frame += step) {
        const p = flat(sub(film.pose(frame, body).slice(0, 3), stage.centre));
        const [x, y] = [dot(p, e), dot(p, f)];
        [xx, yy, xy] = [xx + x * x, yy + y * y, xy + x * y];
      }
    }
    const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
    view.lookAlong(add(scale(e, Math.sin(angle)), scale(f, -Math.cos(angle))));
    camera.azimuth += 0.42;
  };

  // ---- one picture ----
  const arrowLength = (force) => {
    const share = force / (film.greatest || 1);
    return 0.85 * Number(size.value) * camera.distance * Math.tan(VIEW_ANGLE / 2) * (law.value === "root" ? Math.sqrt(share) : share);
  };
  const shownForces = (t) => film.touches(t).map((touch) => {
    const [first, second] = data.pairs[touch.pair] ?? [0, 0];
    // On the body that can give way: the second, unless only the first can.
    const isTurned = data.bodies[second].mover === null || (!data.bodies[second].is_free && data.bodies[first].is_free);
    const force = isTurned ? scale(touch.force, -1) : touch.force;
    const strength = norm(force);
    const area = Math.PI * touch.radius ** 2;
    const mean = area > 0 ? Math.abs(dot(touch.force, touch.normal)) / area : undefined;
    return { ...touch, pressure: mean, on: isTurned ? first : second, by: isTurned ? second : first, strength, reach: scale(force, arrowLength(strength) / (strength || 1)) };
  });
  const showHud = (touches) => {
    const shown = [...touches].sort((a, b) => b.strength - a.strength).slice(0, 4);
    const lines = shown.map(({ on, by, strength, grip, pressure: mean }) => {
      const line = document.createElement("div");
      const key = document.createElement("i");
      key.className = grip;
      line.append(key, `${newtons(strength)} on ${data.bodies[on].name} from ${data.bodies[by].name}${mean === undefined ? "" : `, ${pascals(mean)}`}`);
      return line;
    });
    if (touches.length > shown.length) lines.push(`and ${touches.length - shown.length} more`);
    hud.replaceChildren(...lines);
  };
  const showAxes = () => {
    const drawn = view.axes().map(([x, y, depth], i) => ({ x: 26 * x, y: -26 * y, depth, name: "xyz"[i] })).sort((a, b) => a.depth - b.depth);
    find("axes").innerHTML = drawn.map(({ x, y, name }) =>
      `<path class="${name}" d="M0,0L${x.toFixed(1)},${y.toFixed(1)}"/><text x="${(1.33 * x).toFixed(1)}" y="${(1.33 * y).toFixed(1)}">${name}</text>`).join("");
    const hasFloor = data.bodies.some((body) => body.shapes.some((shape) => shape.kind === "half-space" || shape.kind === "terrain"));
    find("grid-note").textContent = hasFloor ? `grid ${metres(stage.floorStep(camera.distance))}` : "";
  };
  const draw = () => {
    const t = bristleTime.now;
    const poses = film.poses(t);
    const touches = shownForces(t);
    showHud(touches);
    const body = followed();
    if (body && !camera.isPanned) camera.target = poses[body.mover].slice(0, 3);
    root.dataset.first = JSON.stringify(poses[0] ?? []); // what is drawn, for whoever looks from outside
    if (!renderer) return;
    showAxes();
    const pixelRatio = Math.min(devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((n) => Math.max(1, Math.round(n * pixelRatio)));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const eye = view.eye();
    renderer.draw({
      camera: view.matrix(), eye, up: data.up, distance: camera.distance, now: t, pixelRatio, poses, colours,
      light: unit(add(scale(data.up, 1.1), add(scale(unit(sub(eye, camera.target)), 0.45), scale(unit(cross(data.up, sub(eye, camera.target))), -0.55)))),
      planes: stage.planes(poses, camera.target, camera.distance), memory: Math.max(0.35 * film.end, 1e-9),
      arrowWidth: Math.min(1, Math.sqrt(Number(size.value))),
      gridStep: stage.floorStep(camera.distance),
      patches: pressure.checked
        ? touches.filter((touch) => touch.radius > 0).map((touch) => ({ ...touch, tint: onRamp(touch.pressure / film.mostPressure) })) : [],
      arrows: touches.map((touch) => ({ ...touch, tint: colours[touch.grip] })),
      showsArrows: forces.checked, showsPoints: forces.checked, showsTrails: trails.checked,
    });
  };

  // ---- time ----
  const digits = timeDigits(film.end);
  const showTime = () => {
    const t = bristleTime.now;
    slider.value = String(t / film.end);
    slider.setAttribute("aria-valuetext", `${t.toFixed(digits)} seconds`);
    clock.textContent = `${t.toFixed(digits)} s`;
    redraw();
  };
  let [isPlaying, last] = [false, 0];
  const setPlaying = (plays) => {
    if (plays && bristleTime.now >= film.end) bristleTime.set(0);
    isPlaying = plays;
    last = performance.now();
    play.setAttribute("aria-pressed", String(plays));
    play.setAttribute("aria-label", plays ? "Pause" : "Play");
    play.title = plays ? "Pause (space)" : "Play (space)";
    find("transport").classList.toggle("playing", plays);
  };
  const advance = (seconds) => {
    if (speed.value !== "frames") return bristleTime.now + Number(speed.value) * seconds;
    const [frame, u] = film.find(bristleTime.now);
    const place = frame + u + seconds * FRAMES_PER_SECOND;
    const whole = Math.min(Math.floor(place), film.times.length - 1);
    const next = Math.min(whole + 1, film.times.length - 1);
    return film.times[whole] + (place - whole) * (film.times[next] - film.times[whole]);
  };
  const tick = (clockTime) => {
    if (isPlaying) {
      const t = advance(Math.min(clockTime - last, 100) / 1000);
      last = clockTime;
      bristleTime.set(t);
      if (t >= film.end) setPlaying(false);
    }
    if (isDirty) {
      isDirty = false;
      draw();
    }
    requestAnimationFrame(tick);
  };
  const starts = [...new Set(data.episodes.map((episode) => episode.start))].sort((a, b) => a - b);
  const jump = (direction) => {
    const [now, slack] = [bristleTime.now, 1e-9 * film.end];
    const found = direction > 0 ? starts.find((t) => t > now + slack) : starts.filter((t) => t < now - slack).pop();
    bristleTime.set(found ?? (direction > 0 ? film.end : 0));
  };
  const stepFrames = (count) => {
    const [frame, u] = film.find(bristleTime.now);
    const target = Math.min(Math.max(frame + count + (count < 0 && u > 0 ? 1 : 0), 0), film.times.length - 1);
    bristleTime.set(film.times[target]);
  };

  // Contact over time, as the track of the slider.
  const drawStrip = () => {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const [width, height] = [strip.clientWidth, strip.clientHeight].map((n) => Math.max(1, Math.round(n * ratio)));
    [strip.width, strip.height] = [width, height];
    const paint = strip.getContext("2d");
    for (const { spans } of data.episodes) {
      for (const [start, end, grip] of spans) {
        paint.fillStyle = getComputedStyle(root).getPropertyValue({ stick: "--stick", slip: "--slip", none: "--grip-none" }[grip]);
        paint.fillRect((start / film.end) * width, 0, Math.max(((end - start) / film.end) * width, 1.5 * ratio), height);
      }
    }
  };

  // ---- controls ----
  const speedName = (value) => (value >= 1 ? `${value}×` : `1/${Math.round(1 / value)}×`);
  for (const value of SPEEDS) speed.append(new Option(speedName(value), String(value)));
  speed.append(new Option("slow at impacts", "frames"));
  const wanted = film.end / 8; // a run takes about eight seconds
  speed.value = String(SPEEDS.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best)));
  follow.append(new Option("whole scene", ""));
  data.bodies.slice(0, 200).forEach((body, index) => { if (body.is_free) follow.append(new Option(body.name, String(index))); });
  if (isTiny && film.bodies <= 3 && firstFree >= 0 && stage.tubes.length === 0) follow.value = String(firstFree);
  root.classList.toggle("untouched", data.episodes.length === 0);
  const grips = new Set(data.episodes.flatMap(({ spans }) => spans.map((span) => span[2])));
  for (const key of root.querySelectorAll(".grips span")) key.hidden = !grips.has(key.dataset.grip);
  if (film.most > 30) size.value = String(Math.max(0.25, Math.sqrt(30 / film.most))); // a forest of arrows hides the bodies
  const hasPatches = film.mostPressure > 0;
  scaleNote.textContent = film.greatest > 0
    ? `largest ${newtons(film.greatest)}${hasPatches ? `, ${pascals(film.mostPressure)}` : ""}` : "";
  find("press").hidden = !hasPatches;
  find("most-pressure").textContent = pascals(film.mostPressure);
  find("notes").textContent = data.notes.join("; ");

  slider.addEventListener("input", () => bristleTime.set(Number(slider.value) * film.end));
  play.addEventListener("click", () => setPlaying(!isPlaying));
  find("previous").addEventListener("click", () => jump(-1));
  find("next").addEventListener("click", () => jump(1));
  find("fit").addEventListener("click", () => { aim(); fit(); });
  find("closer").addEventListener("click", () => view.zoom(0.75));
  find("further").addEventListener("click", () => view.zoom(1 / 0.75));
  follow.addEventListener("change", fit);
  for (const control of [forces, trails, pressure, size, law]) control.addEventListener("input", redraw);
  addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target !== slider;
    const isPressing = event.target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter");
    if (isTyping || isPressing || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = {
      " ": () => setPlaying(!isPlaying), k: () => setPlaying(!isPlaying), n: () => jump(1), p: () => jump(-1), f: () => { aim(); fit(); },
      ",": () => stepFrames(-1), ".": () => stepFrames(1), Home: () => bristleTime.set(0), End: () => bristleTime.set(film.end),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  addEventListener("timechange", showTime);
  addEventListener("themechange", readColours);
  new ResizeObserver(() => { drawStrip(); redraw(); }).observe(root);

  readColours();
  aim();
  fit();
  bristleTime.set(0);
  requestAnimationFrame(tick);
};

document.querySelectorAll(".playback").forEach(startPlayer);
