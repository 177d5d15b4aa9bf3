// Draws every plot from the data beside it, and again when the theme or the choice of curves changes.
"use strict";
(() => {
  // Five dashes and seven colours: 35 slots pass before a pair repeats.
  const DASHES = ["solid", "9px,4px", "2px,3px", "10px,3px,2px,3px", "18px,4px"];
  const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "x", "cross", "triangle-down"];
  const COLOURS = 7;
  const PRINT_WIDTH = 660; // px, the text width of a sheet of paper
  const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

  // Plotly reads a few tags in text; names and units are meant literally.
  const literal = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const titled = ({ label, unit }) => literal(unit ? `${label} (${unit})` : label);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const curveColour = (slot) => colour(`--curve-${slot % COLOURS}`);

  const dash = (curve, plot) => {
    if (curve.style === "dashed") return DASHES[1];
    const isVaried = curve.style === "varied" && plot.curves.length > 1;
    return isVaried ? DASHES[curve.slot % DASHES.length] : "solid";
  };
  const hasLine = (curve) => curve.style !== "points";
  const hasPoints = (curve) => curve.style === "points" || curve.style === "line-points";

  // Where x never turns back, one hover compares all curves; on a loop only the nearest point makes sense.
  const isFunction = ({ x }) => x.every((value, i) => i === 0 || value === null || value >= x[i - 1]);
  const isComparable = (plot) => plot.curves.length > 1 && plot.curves.every(isFunction);

  const traces = (plot) => {
    const unit = { x: plot.x.unit && ` ${literal(plot.x.unit)}`, y: plot.y.unit && ` ${literal(plot.y.unit)}` };
    const y = "%{y:.6~g}%{meta[1]}";
    return plot.curves.map((curve) => ({
      type: "scatter",
      name: literal(curve.name),
      x: curve.x,
      y: curve.y,
      visible: !curve.isHidden,
      mode: [hasLine(curve) && "lines", hasPoints(curve) && "markers"].filter(Boolean).join("+"),
      line: { color: curveColour(curve.slot), width: 2, dash: dash(curve, plot) },
      marker: { color: curveColour(curve.slot), size: 8, symbol: SYMBOLS[curve.slot % SYMBOLS.length] },
      meta: [unit.x, unit.y],
      hovertemplate: isComparable(plot) ? y : `${y}<br>at %{x:.6~g}%{meta[0]}`,
    }));
  };

  const axis = (description, plain) => ({
    title: { text: titled(description), standoff: 10, font: { size: 13 } },
    type: description.log ? "log" : "linear",
    automargin: true,
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
  });

  const layout = (plot) => {
    const plain = {
      ink: colour("--ink"), axis: colour("--axis"), grid: colour("--grid"), minor: colour("--grid-minor"),
      paper: colour("--paper"), raised: colour("--raised"), muted: colour("--muted"),
    };
    return {
      paper_bgcolor: plain.paper,
      plot_bgcolor: plain.paper,
      font: { family: FONT, size: 12, color: plain.ink },
      margin: { l: 56, r: 12, t: 34, b: 48 },
      xaxis: axis(plot.x, plain),
      yaxis: axis(plot.y, plain),
      showlegend: false, // the page has its own, reachable by keyboard and free to wrap
      hovermode: isComparable(plot) ? "x unified" : "closest",
      hoverlabel: {
        bgcolor: plain.raised, bordercolor: plain.axis, font: { family: FONT, color: plain.ink }, namelength: -1,
      },
      // On a touch screen a drag scrolls the page; the buttons still zoom.
      dragmode: matchMedia("(pointer: coarse)").matches ? false : "zoom",
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
    displayModeBar: true,
    modeBarButtons: [["zoomIn2d", "zoomOut2d", "pan2d", "zoom2d", "resetScale2d"], [downloadButton(plot)]],
    locale: "units",
    locales: { units: { format: { currency: ["", plot.x.unit && ` ${literal(plot.x.unit)}`] } } },
  });

  const swatch = (curve, plot) => {
    const stroke = `stroke="${curveColour(curve.slot)}"`;
    const line = hasLine(curve)
      ? `<line x1="0" y1="6" x2="32" y2="6" ${stroke} stroke-width="2" stroke-dasharray="${dash(curve, plot).replace("solid", "none")}"/>`
      : "";
    const point = hasPoints(curve) ? `<circle cx="16" cy="6" r="4" fill="${curveColour(curve.slot)}"/>` : "";
    return `<svg viewBox="0 0 32 12" width="32" height="12" aria-hidden="true">${line}${point}</svg>`;
  };

  const figures = [...document.querySelectorAll("figure")].map((figure) => ({
    plot: JSON.parse(figure.querySelector("script").textContent),
    box: figure.querySelector(".plot"),
    legend: figure.querySelector(".legend"),
  }));

  const draw = ({ plot, box, legend }) => {
    Plotly.react(box, traces(plot), layout(plot), config(plot));
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
    draw(figure);
  }

  addEventListener("themechange", () => figures.forEach(draw));
  const redrawForPaper = (isPaper) => {
    document.documentElement.classList.toggle("paper", isPaper);
    for (const figure of figures) {
      figure.plot.width = isPaper ? PRINT_WIDTH : undefined;
      draw(figure);
    }
  };
  addEventListener("beforeprint", () => redrawForPaper(true));
  addEventListener("afterprint", () => redrawForPaper(false));
})();
