// Draws every plot from the data beside it, and again when the theme or the choice of curves changes.
"use strict";
(() => {
  // Five dashes and seven colours: 35 slots pass before a pair repeats.
  const DASHES = ["solid", "9px,4px", "2px,3px", "10px,3px,2px,3px", "18px,4px"];
  // Plotly's name and the same shape for the legend, around the origin.
  const SYMBOLS = [
    ["circle", "M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0z"],
    ["square", "M-4,-4h8v8h-8z"],
    ["diamond", "M0,-5l5,5l-5,5l-5,-5z"],
    ["triangle-up", "M0,-5l5,8h-10z"],
    ["cross", "M-5,-1.6h3.4v-3.4h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4z"],
  ];
  const COLOURS = 7;
  const AT_ONCE = 24; // plots that are drawn before the page can be used
  const isCoarse = matchMedia("(pointer: coarse)").matches;
  const canHover = matchMedia("(hover: hover)").matches; // else the buttons are always there and need a row
  const PRINT_WIDTH = 660; // px, the text width of a sheet of paper
  const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

  // Plotly reads a few tags in text; names and units are meant literally.
  const literal = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const titled = ({ label, unit }) => literal(unit ? `${label} (${unit})` : label);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const curveColour = (slot) => colour(`--curve-${slot % COLOURS}`);

  const isArea = (curve) => curve.style === "stacked" || curve.style === "band";
  const dash = (curve, plot) => {
    if (curve.style === "dashed") return DASHES[1];
    if (isArea(curve)) return "solid";
    // markers tell them apart; a colour that comes again comes with another dash
    if (curve.style === "line-points") return DASHES[Math.floor(curve.slot / COLOURS) % DASHES.length];
    const isVaried = curve.style === "varied" && plot.curves.length > 1;
    return isVaried ? DASHES[curve.slot % DASHES.length] : "solid";
  };
  const symbol = (curve) => SYMBOLS[curve.slot % SYMBOLS.length];
  const isRings = (curve) => curve.style === "rings";
  const hasLine = (curve) => curve.style !== "points" && !isRings(curve);
  const hasPoints = (curve) => curve.style === "points" || curve.style === "line-points" || isRings(curve);

  // Where x never turns back, one hover compares all curves; on a loop only the nearest point makes sense.
  const isFunction = (curve) =>
    curve.x.filter((value) => value !== null).every((value, i, all) => i === 0 || value >= all[i - 1]);
  const isComparable = (plot) => {
    const lines = plot.curves.filter(hasLine);
    return lines.length > 0 && lines.every(isFunction);
  };

  // Left in, a zero would be drawn as a line that falls out of a logarithmic plot.
  const onAxis = (values, { log }) => (log ? values.map((value) => (value > 0 ? value : null)) : values);

  const traces = (plot) => {
    const unit = { x: plot.x.unit && ` ${literal(plot.x.unit)}`, y: plot.y.unit && ` ${literal(plot.y.unit)}` };
    const [x, y] = ["%{x:.6~g}%{meta[0]}", "%{y:.6~g}%{meta[1]}"];
    // Compared curves are headed by their common x; single points lie beside it and tell their own.
    const compared = (curve) => (hasLine(curve) ? y : `${y} at ${x}`);
    const alone = `<b>%{fullData.name}</b><br>${y}<br>at ${x}<extra></extra>`;
    const traceOf = (curve) => ({
      type: "scatter",
      name: literal(curve.name),
      x: onAxis(curve.x, plot.x),
      y: onAxis(curve.y, plot.y),
      visible: !curve.isHidden,
      mode: [hasLine(curve) && "lines", hasPoints(curve) && "markers"].filter(Boolean).join("+"),
      line: { color: curveColour(curve.slot), width: 2, dash: dash(curve, plot) },
      marker: isRings(curve)
        ? { color: curveColour(curve.slot), size: 7, symbol: "circle-open", line: { width: 1.25 } }
        : { color: curveColour(curve.slot), size: 8, symbol: symbol(curve)[0] },
      meta: [unit.x, unit.y],
      hovertemplate: isComparable(plot) ? compared(curve) : alone,
    });
    const area = (curve) => ({
      stackgroup: "whole", line: { width: 0.75, color: curveColour(curve.slot) }, fillcolor: `${curveColour(curve.slot)}99`,
    });
    const band = (curve) => ({
      line: { width: 14, color: curveColour(curve.slot), simplify: false }, hovertemplate: `${literal(curve.name)} at ${x}<extra></extra>`,
    });
    return plot.curves.map((curve) => ({
      ...traceOf(curve), ...(curve.style === "stacked" ? area(curve) : curve.style === "band" ? band(curve) : {}),
    }));
  };

  // As many ticks as decades, when there are enough: otherwise plotly skips some or adds a small 2 and 5.
  const logTicks = (plot, name) => {
    let [least, most] = [Infinity, 0];
    for (const value of plot.curves.flatMap((curve) => curve[name])) {
      if (value > 0) [least, most] = [Math.min(least, value), Math.max(most, value)];
    }
    return Math.min(Math.max(Math.ceil(1.1 * Math.log10(most / least)), 4), 12) || 4;
  };

  // One row per name, the first on top.
  const rows = (names) => ({
    tickmode: "array", tickvals: names.map((_, i) => i), ticktext: names.map(literal), range: [names.length - 0.4, -0.6],
    fixedrange: true, showgrid: false, zeroline: false, title: { text: "" },
  });

  const axis = (plot, name, plain) => {
    const description = plot[name];
    return {
      title: { text: titled(description), standoff: 10, font: { size: plot.isBeside ? 12 : 13 } },
      type: description.log ? "log" : "linear",
      automargin: !plot.isBeside || description.names !== undefined,
      tickfont: { size: description.log ? 11 : 12 }, // decades are drawn a quarter larger
      nticks: description.log ? logTicks(plot, name) : 0,
      exponentformat: "power",
      minexponent: 4,
      showline: true,
      linecolor: plain.axis,
      gridcolor: plain.grid,
      zerolinecolor: plain.axis,
      ticks: "outside",
      ticklen: 4,
      tickcolor: plain.axis,
      minor: description.log ? { showgrid: true, gridcolor: plain.minor } : {},
      // "$" puts the locale's currency sign behind the number: the unit of x (see `config`).
      hoverformat: "$.6~g",
      ...(description.names ? rows(description.names) : {}),
      ...(plot.isBeside && name === "x" ? { title: { text: "" }, ticksuffix: ` ${literal(description.unit)}`, showticksuffix: "last" } : {}),
      ...(plot.timed && name === "x" && Number.isFinite(bristleTime.end) ? { range: [0, bristleTime.end * (1 + 1e-6)] } : {}),
    };
  };

  const layout = (plot) => {
    const plain = {
      ink: colour("--ink"), axis: colour("--axis"), grid: colour("--grid"), minor: colour("--grid-minor"),
      paper: colour("--paper"), raised: colour("--raised"), muted: colour("--muted"),
    };
    return {
      paper_bgcolor: plain.paper,
      plot_bgcolor: plain.paper,
      font: { family: FONT, size: 12, color: plain.ink },
      margin: plot.isBeside ? { l: isCoarse ? 66 : 78, r: 28, t: canHover ? 8 : 30, b: 26 } : { l: 56, r: 12, t: 34, b: 48 },
      xaxis: axis(plot, "x", plain),
      yaxis: axis(plot, "y", plain),
      showlegend: false, // the page has its own, reachable by keyboard and free to wrap
      hovermode: isComparable(plot) && !plot.y.names ? "x unified" : "closest",
      hoverlabel: {
        bgcolor: plain.raised, bordercolor: plain.axis, font: { family: FONT, color: plain.ink }, namelength: -1,
      },
      // On a touch screen a drag scrolls the page; the buttons still zoom.
      dragmode: isCoarse ? false : "zoom",
      modebar: { bgcolor: "rgba(0,0,0,0)", color: plain.muted, activecolor: plain.ink },
      uirevision: "keep", // a redraw keeps the reader's zoom
      autosize: plot.width === undefined,
      width: plot.width,
    };
  };

  const fileName = (title) => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "plot";
  const downloadButton = (plot) => ({
    name: "download",
    title: "Download as SVG",
    icon: Plotly.Icons.camera,
    // Away from the page the picture needs its title and legend.
    click: (box) => Plotly.downloadImage(
      {
        data: traces(plot),
        layout: {
          ...layout(plot), autosize: false, showlegend: true, margin: { l: 64, r: 16, t: 48, b: 56 },
          title: { text: literal(plot.title), x: 0.02 },
        },
      },
      { format: "svg", width: box.clientWidth, height: box.clientHeight, filename: fileName(plot.title) },
    ),
  });
  const config = (plot) => ({
    responsive: true,
    displaylogo: false,
    displayModeBar: plot.isBeside && canHover ? "hover" : true,
    modeBarButtons: [["zoomIn2d", "zoomOut2d", "pan2d", "zoom2d", "resetScale2d"], [downloadButton(plot)]],
    locale: "units",
    locales: { units: { format: { currency: ["", plot.x.unit && ` ${literal(plot.x.unit)}`] } } },
  });

  const swatch = (curve, plot) => {
    const ink = curveColour(curve.slot);
    if (isArea(curve)) return `<svg viewBox="0 0 14 12" width="14" height="12" aria-hidden="true"><rect width="14" height="12" rx="2" fill="${ink}"/></svg>`;
    const dashes = dash(curve, plot).replace("solid", "none");
    const line = `<path d="M-16,0h32" stroke="${ink}" stroke-width="2" stroke-dasharray="${dashes}"/>`;
    const ring = `<path d="${SYMBOLS[0][1]}" fill="none" stroke="${ink}" stroke-width="1.25"/>`;
    const point = isRings(curve) ? ring : `<path d="${symbol(curve)[1]}" fill="${ink}"/>`;
    const shapes = (hasLine(curve) ? line : "") + (hasPoints(curve) ? point : "");
    return `<svg viewBox="-16 -6 32 12" width="32" height="12" aria-hidden="true">${shapes}</svg>`;
  };

  // Plots beside a playback are many and low: room for curves comes before room for buttons and titles.
  const figures = [...document.querySelectorAll("figure")].map((figure) => ({
    plot: { ...JSON.parse(figure.querySelector("script").textContent), isBeside: figure.closest(".plots") !== null },
    box: figure.querySelector(".plot"),
    legend: figure.querySelector(".legend"),
  }));

  // The moment of the page, as a line over the plot: moving it redraws nothing.
  const showMoment = ({ box, cursor }) => {
    const { xaxis, yaxis } = box._fullLayout ?? {};
    if (!cursor || !xaxis) return;
    const x = xaxis.l2p(bristleTime.now);
    cursor.hidden = !(x >= -0.5 && x <= xaxis._length + 0.5);
    cursor.style.left = `${xaxis._offset + x}px`;
    cursor.style.top = `${yaxis._offset}px`;
    cursor.style.height = `${yaxis._length}px`;
  };
  // A stretch of time chosen in one plot is shown in all.
  let isZoomingAlike = false;
  const zoomAlike = async (chosen, change) => {
    const names = ["xaxis.range[0]", "xaxis.range[1]", "xaxis.range", "xaxis.autorange"].filter((name) => name in change);
    if (isZoomingAlike || names.length === 0) return;
    isZoomingAlike = true;
    const same = Object.fromEntries(names.map((name) => [name, change[name]]));
    const others = figures.filter((other) => other !== chosen && other.plot.timed);
    await Promise.all(others.map((other) => Plotly.relayout(other.box, same)));
    isZoomingAlike = false;
  };
  const addMoment = (figure) => {
    const { box } = figure;
    figure.cursor = document.createElement("div");
    figure.cursor.className = "cursor";
    box.append(figure.cursor);
    let down;
    box.addEventListener("pointerdown", (event) => { down = event.target.closest(".nsewdrag") && event; });
    addEventListener("pointerup", (event) => {
      if (down && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 4) {
        const { xaxis } = box._fullLayout;
        bristleTime.set(xaxis.p2l(event.clientX - box.getBoundingClientRect().left - xaxis._offset));
      }
      down = undefined;
    });
    addEventListener("timechange", () => showMoment(figure));
    box.on("plotly_relayout", (change) => zoomAlike(figure, change));
    box.on("plotly_afterplot", () => showMoment(figure));
  };

  const draw = (figure) => {
    const { plot, box, legend } = figure;
    Plotly.react(box, traces(plot), layout(plot), config(plot));
    if (plot.timed && !figure.cursor) addMoment(figure);
    showMoment(figure);
    [...legend.children].forEach((button, i) => {
      const curve = plot.curves[i];
      button.setAttribute("aria-pressed", String(!curve.isHidden));
      button.firstChild.innerHTML = swatch(curve, plot);
    });
  };

  const showOnly = (plot, curve) => {
    const isAlone = plot.curves.every((other) => (other === curve) !== Boolean(other.isHidden));
    for (const other of plot.curves) other.isHidden = !isAlone && other !== curve;
  };

  for (const figure of figures) {
    for (const curve of figure.plot.curves) {
      const button = document.createElement("button");
      button.type = "button";
      button.title = "Show or hide; double click: only this one, or all";
      button.append(document.createElement("span"), curve.name);
      button.addEventListener("click", () => { curve.isHidden = !curve.isHidden; draw(figure); });
      button.addEventListener("dblclick", () => { showOnly(figure.plot, curve); draw(figure); });
      figure.legend.append(button);
    }
    if (figure.plot.y.names) figure.box.style.height = `${26 * figure.plot.y.names.length + 60}px`;
  }

  // Few plots are drawn at once. Many are drawn one by one, those in view first, so that the page can be read meanwhile.
  const waiting = new Set(figures.length > AT_ONCE ? figures : []);
  const drawWaiting = (figure) => { if (waiting.delete(figure)) draw(figure); };
  const drawNext = () => {
    const [first] = waiting;
    if (!first) return;
    drawWaiting(first);
    setTimeout(drawNext);
  };
  if (waiting.size === 0) {
    figures.forEach(draw);
  } else {
    const figureOf = new Map(figures.map((figure) => [figure.box, figure]));
    const watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) drawWaiting(figureOf.get(entry.target));
    }, { rootMargin: "50% 0px" });
    figures.forEach(({ box }) => watcher.observe(box));
    setTimeout(drawNext, 100); // after those in view
  }

  addEventListener("themechange", () => figures.filter((figure) => !waiting.has(figure)).forEach(draw));
  const redrawForPaper = (isPaper) => {
    document.documentElement.classList.toggle("paper", isPaper);
    waiting.clear();
    for (const figure of figures) {
      figure.plot.width = isPaper ? PRINT_WIDTH : undefined;
      draw(figure);
    }
  };
  addEventListener("beforeprint", () => redrawForPaper(true));
  addEventListener("afterprint", () => redrawForPaper(false));
})();
