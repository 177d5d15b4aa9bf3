// Draws one moment of the scene with WebGL 2.

const compile = (gl, vertex, fragment) => {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const places = {};
  return (values) => {
    gl.useProgram(program);
    for (const [name, value] of Object.entries(values)) {
      const place = (places[name] ??= gl.getUniformLocation(program, name));
      if (typeof value === "boolean") gl.uniform1i(place, Number(value));
      else if (typeof value === "number") (name === "mark" ? gl.uniform1i(place, value) : gl.uniform1f(place, value));
      else if (value.length === 16) gl.uniformMatrix4fv(place, false, value);
      else gl[`uniform${value.length}fv`](place, value);
    }
  };
};

// Buffers of one mesh and of its instances: three numbers of place, four of attitude, four of tint and size.
const INSTANCE = 11;
const upload = (gl, mesh) => {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  const fill = (place, data) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
  };
  fill(0, mesh.positions);
  fill(1, mesh.normals);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(mesh.indices), gl.STATIC_DRAW);
  const instances = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, instances);
  [[2, 3, 0], [3, 4, 3], [4, 4, 7]].forEach(([place, size, offset]) => {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, gl.FLOAT, false, 4 * INSTANCE, 4 * offset);
    gl.vertexAttribDivisor(place, 1);
  });
  gl.bindVertexArray(null);
  let count = 0;
  return {
    mark: mesh.mark ?? 0,
    half: mesh.half ?? [1, 1, 1],
    place(data) {
      count = data.length / INSTANCE;
      gl.bindBuffer(gl.ARRAY_BUFFER, instances);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.DYNAMIC_DRAW);
    },
    draw() {
      if (count === 0) return;
      gl.bindVertexArray(array);
      gl.drawElementsInstanced(gl.TRIANGLES, mesh.indices.length, gl.UNSIGNED_INT, 0, count);
    },
  };
};

// Segments: from, to, their two times, tint.
const LINE = 11;
const uploadLines = (gl, data) => {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
  [[0, 3, 0], [1, 3, 3], [2, 2, 6], [3, 3, 8]].forEach(([place, size, offset]) => {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, gl.FLOAT, false, 4 * LINE, 4 * offset);
    gl.vertexAttribDivisor(place, 1);
  });
  gl.bindVertexArray(null);
  return () => {
    gl.bindVertexArray(array);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, data.length / LINE);
  };
};

const makeRenderer = (canvas, stage) => {
  const gl = canvas.getContext("webgl2", { antialias: true, stencil: true, alpha: true });
  if (!gl) return undefined;
  const body = compile(gl, BODY_VERTEX, BODY_FRAGMENT);
  const arrowProgram = compile(gl, ARROW_VERTEX, BODY_FRAGMENT);
  const planeProgram = compile(gl, PLANE_VERTEX, PLANE_FRAGMENT);
  const lineProgram = compile(gl, LINE_VERTEX, LINE_FRAGMENT);
  const corners = gl.createVertexArray();
  const groups = stage.groups.map((group) => ({ ...group, buffers: upload(gl, group.mesh) }));
  const [arrows, dots, patches] = [upload(gl, arrow()), upload(gl, { ...ball(1, 0.5), mark: 0 }), upload(gl, disc())];
  let [trails, rims] = [() => {}, () => {}];

  const tinted = (colours, owner) => (owner < 0 ? colours.fixed : colours.bodies[owner % colours.bodies.length]);
  const recolour = (colours) => {
    trails = uploadLines(gl, stage.trails((mover) => tinted(colours, mover)));
    rims = uploadLines(gl, stage.rims(colours.line));
  };

  const drawPlanes = (view, common) => {
    const { colours } = view;
    for (const plane of view.planes) {
      const isFront = dot(sub(common.eye, plane.origin), plane.normal) > 0;
      planeProgram({
        camera: common.camera, eye: common.eye, centre: plane.centre, origin: plane.origin, alongU: plane.u, alongV: plane.v,
        reach: plane.reach, spacing: plane.spacing, isFading: plane.isFloor, lineTint: colours.line, fillTint: colours.floor,
        opacity: (plane.isFloor ? 0.9 : 0.45) * (isFront ? 1 : 0.25),
      });
      gl.bindVertexArray(corners);
      gl.depthMask(false);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      gl.depthMask(true);
      if (plane.isFloor && isFront) drawShadows(plane, view, common);
    }
  };

  // The stencil keeps overlapping shadows from adding up.
  const drawShadows = (plane, view, common) => {
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.depthMask(false);
    body({
      ...common, isShadow: true, plane: [...plane.normal, dot(plane.normal, plane.origin)],
      shadowLight: unit(add(plane.normal, scale(view.light, 0.35))), shadow: view.colours.shadow, lift: 1e-3 * view.distance,
    });
    groups.filter((group) => group.castsShadow).forEach((group) => group.buffers.draw());
    body({ isShadow: false });
    gl.depthMask(true);
    gl.disable(gl.STENCIL_TEST);
  };

  // The near wall of a bore, only just to be seen.
  const drawGlass = () => {
    gl.enable(gl.CULL_FACE);
    gl.cullFace(gl.FRONT);
    gl.depthMask(false);
    for (const { buffers, spacing } of groups.filter((group) => group.isWall)) {
      body({ mark: buffers.mark, spacing, opacity: 0.13 });
      buffers.draw();
    }
    body({ opacity: 1 });
    gl.depthMask(true);
    gl.cullFace(gl.BACK);
    gl.disable(gl.CULL_FACE);
  };

  const place = (view) => {
    for (const group of groups) {
      const data = [];
      for (const { owner, pose } of group.members) {
        const at = compose(owner < 0 ? stage.still(owner) : view.poses[owner], pose);
        data.push(...at, ...tinted(view.colours, group.isWall ? -1 : owner), 1);
      }
      group.buffers.place(data);
    }
    const [arrowData, dotData] = [[], []];
    const dotSize = 0.0065 * view.distance;
    for (const { point, reach, tint, radius } of view.arrows) {
      arrowData.push(...point, ...reach, 0.012 * view.distance * view.arrowWidth, ...tint, 1);
      // A patch that is large enough to be seen shows the place itself.
      if (view.patches.length === 0 || radius < dotSize) dotData.push(...point, 0, 0, 0, 1, ...tint, dotSize);
    }
    const patchData = view.patches.flatMap(({ point, normal, radius, tint }) => [...point, ...turnOfZTo(normal), ...tint, radius]);
    patches.place(patchData);
    arrows.place(view.showsArrows ? arrowData : []);
    dots.place(view.showsPoints ? dotData : []);
  };

  const draw = (view) => {
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    place(view);
    const { colours } = view;
    const common = { camera: view.camera, eye: view.eye, light: view.light, up: view.up, skyLight: colours.sky, earthLight: colours.earth };
    body({ ...common, isShadow: false, opacity: 1, lineTint: colours.line });
    for (const { buffers, isWall, isGround, spacing } of groups) {
      // From outside, the near wall of a bore would hide what is in it.
      if (isWall) gl.enable(gl.CULL_FACE); else gl.disable(gl.CULL_FACE);
      body({ mark: buffers.mark, half_: buffers.half, spacing: isGround ? view.gridStep : spacing });
      buffers.draw();
    }
    gl.disable(gl.CULL_FACE);
    drawPlanes(view, common);
    drawGlass();
    const lines = { camera: view.camera, pixels: [canvas.width, canvas.height], memory: view.memory };
    gl.depthMask(false);
    lineProgram({ ...lines, now: 1e30, width: 1.5 * view.pixelRatio, opacity: 0.8, memory: 1e32 });
    rims();
    if (view.showsTrails) {
      lineProgram({ ...lines, now: view.now, width: 2.2 * view.pixelRatio, opacity: 0.85 });
      trails();
    }
    gl.depthMask(true);
    // Patches lie inside the bodies: seen through what covers them.
    gl.disable(gl.DEPTH_TEST);
    body({ mark: MARKS.unlit, opacity: 0.85 });
    patches.draw();
    // Contact points lie inside the bodies: what they hide shines through.
    for (const [isHidden, opacity] of [[true, 0.45], [false, 1]]) {
      if (isHidden) gl.disable(gl.DEPTH_TEST); else gl.enable(gl.DEPTH_TEST);
      arrowProgram({ ...common, isShadow: false, mark: MARKS.plain, opacity });
      arrows.draw();
      body({ mark: MARKS.plain, opacity });
      dots.draw();
    }
    body({ opacity: 1 });
  };
  return { draw, recolour };
};
