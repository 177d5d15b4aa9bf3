// Shows the columns of a sweep: one quantity against a value, over two values, or everything in parallel.
"use strict";
(() => {
  const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
  const literal = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const titled = ({ name, unit }) => literal(unit && unit !== "1" ? `${name} (${unit})` : name);
  // "bodies.ball.position[2]" is too long for the head of a narrow axis.
  const short = (column) => {
    const parts = column.name.split(".");
    const last = parts.slice(-2).join(".");
    return titled({ ...column, name: parts[0] === "end" && parts.length > 3 ? `end ${last}` : last });
  };
  const isText = (column) => column.values.some((value) => typeof value === "string");
  const distinct = (values) => {
    const all = [...new Set(values)];
    return all.every((value) => typeof value === "number") ? all.sort((a, b) => a - b) : all;
  };

  const axis = (column, plain) => ({
    title: { text: titled(column), standoff: 10, font: { size: 13 } },
    type: isText(column) ? "category" : column.log ? "log" : "linear",
    automargin: true, exponentformat: "power", minexponent: 4, hoverformat: ".6~g",
    showline: true, linecolor: plain.axis, gridcolor: plain.grid, zerolinecolor: plain.axis,
    ticks: "outside", ticklen: 4, tickcolor: plain.axis,
  });
  const colourBar = (column, plain) => ({
    title: { text: short(column), side: "right", font: { size: 12 } },
    thickness: 14, outlinewidth: 0, tickcolor: plain.axis, exponentformat: "power",
  });

  // One value: a line; more: every row is a point, coloured by the next value so that families show.
  const curve = ({ data, x, quantity, plain }) => {
    const order = data.rows.map((_, i) => i).filter((i) => quantity.values[i] !== null);
    const isLine = data.inputs.length === 1 && !isText(x);
    if (isLine) order.sort((a, b) => x.values[a] - x.values[b]);
    const other = data.inputs.find((input) => input !== x && !isText(input));
    const pick = (column) => order.map((i) => column.values[i]);
    const marker = other
      ? { size: 7, color: pick(other), colorscale: "Viridis", showscale: true, colorbar: colourBar(other, plain) }
      : { size: 7, color: colour("--curve-0") };
    return {
      traces: [{
        type: "scatter", mode: isLine ? "lines+markers" : "markers", x: pick(x), y: pick(quantity), marker,
        line: { color: colour("--curve-0"), width: 2 }, text: order.map((i) => `row ${data.rows[i]}`),
        hovertemplate: "%{y:.6~g} at %{x:.6~g}<br>%{text}<extra></extra>",
      }],
      layout: { xaxis: axis(x, plain), yaxis: axis(quantity, plain) },
    };
  };

  // A full grid becomes a picture; scattered rows become coloured points.
  const map = ({ data, x, y, quantity, plain }) => {
    const [xs, ys] = [distinct(x.values), distinct(y.values)];
    const layout = { xaxis: axis(x, plain), yaxis: axis(y, plain) };
    const where = `at %{x:.6~g}, %{y:.6~g}<extra></extra>`;
    if (data.inputs.length === 2 && xs.length * ys.length === data.rows.length) {
      const z = ys.map(() => xs.map(() => null));
      const [atX, atY] = [new Map(xs.map((v, i) => [v, i])), new Map(ys.map((v, i) => [v, i]))];
      data.rows.forEach((_, i) => { z[atY.get(y.values[i])][atX.get(x.values[i])] = quantity.values[i]; });
      const trace = { type: "heatmap", x: xs, y: ys, z, colorscale: "Viridis", colorbar: colourBar(quantity, plain) };
      return { traces: [{ ...trace, hoverongaps: false, hovertemplate: `%{z:.6~g} ${where}` }], layout };
    }
    const order = data.rows.map((_, i) => i).filter((i) => quantity.values[i] !== null);
    const pick = (column) => order.map((i) => column.values[i]);
    return {
      traces: [{
        type: "scatter", mode: "markers", x: pick(x), y: pick(y), text: order.map((i) => quantity.values[i].toPrecision(6)),
        marker: {
          size: 9, color: pick(quantity), colorscale: "Viridis", showscale: true, colorbar: colourBar(quantity, plain),
        },
        hovertemplate: `%{text} ${where}`,
      }],
      layout,
    };
  };

  const parallel = ({ data, quantity, plain }) => {
    // Columns with gaps would take their rows with them, and constant ones say nothing.
    const isTelling = (column) => column.values.every((v) => v !== null) && new Set(column.values).size > 1;
    const others = data.outputs.filter((output) => output !== quantity && isTelling(output));
    const columns = [...data.inputs, quantity, ...others.slice(0, Math.max(0, 7 - data.inputs.length))];
    const order = data.rows.map((_, i) => i).filter((i) => columns.every((column) => column.values[i] !== null));
    const dimension = (column) => {
      const values = order.map((i) => column.values[i]);
      const label = short(column);
      if (isText(column)) {
        const words = distinct(values);
        return { label, values: values.map((v) => words.indexOf(v)), tickvals: words.map((_, i) => i), ticktext: words.map(literal) };
      }
      if (!column.log) return { label, values, tickformat: ".4~g" };
      const ticks = distinct(values.map((v) => Math.round(Math.log10(v))));
      return { label, values: values.map(Math.log10), tickvals: ticks, ticktext: ticks.map((t) => `1e${t}`) };
    };
    return {
      traces: [{
        type: "parcoords", dimensions: columns.map(dimension), labelangle: -20,
        labelfont: { size: 11 }, tickfont: { size: 10 }, rangefont: { color: "rgba(0,0,0,0)" },
        line: {
          color: order.map((i) => quantity.values[i]), colorscale: "Viridis", showscale: true,
          colorbar: colourBar(quantity, plain),
        },
      }],
      layout: { margin: { l: 70, r: 12, t: 100, b: 24 } },
    };
  };

  // A browser has few drawing contexts; those of a picture that is gone must not take the place of others.
  const clear = (box) => {
    for (const canvas of box.querySelectorAll("canvas")) {
      canvas.getContext("webgl")?.getExtension("WEBGL_lose_context")?.loseContext();
    }
    Plotly.purge(box);
  };

  const VIEWS = { curve, map, parallel };

  for (const root of document.querySelectorAll(".explorer")) {
    const data = JSON.parse(root.querySelector("script").textContent);
    const box = root.querySelector(".plot");
    let last = null;
    const choice = (name) => root.querySelector(`[data-choice="${name}"]`);
    const draw = () => {
      const view = choice("view").value;
      const plain = { axis: colour("--axis"), grid: colour("--grid") };
      const chosen = {
        data, plain,
        quantity: data.outputs[choice("quantity").value],
        x: data.inputs[choice("x").value],
        y: data.inputs[choice("y").value],
      };
      // A parallel plot has no axes to choose; a curve has one.
      choice("x").parentElement.hidden = view === "parallel" || data.inputs.length === 1;
      choice("y").parentElement.hidden = view !== "map";
      const { traces, layout } = VIEWS[view](chosen);
      if (view !== last) clear(box);
      last = view;
      Plotly.react(box, traces, {
        paper_bgcolor: colour("--paper"), plot_bgcolor: colour("--paper"),
        font: { family: FONT, size: 12, color: colour("--ink") },
        margin: { l: 56, r: 12, t: 34, b: 48 }, showlegend: false, autosize: true,
        hoverlabel: { bgcolor: colour("--raised"), bordercolor: colour("--axis"), font: { color: colour("--ink") } },
        dragmode: matchMedia("(pointer: coarse)").matches ? false : "zoom",
        modebar: { bgcolor: "rgba(0,0,0,0)", color: colour("--muted"), activecolor: colour("--ink") },
        ...layout,
      }, { responsive: true, displaylogo: false });
    };
    root.addEventListener("change", draw);
    addEventListener("themechange", draw);
    draw();
  }
})();
