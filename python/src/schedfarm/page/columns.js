"use strict";
// Before page.js, in pages of many cells: rows of tables and lines of figures from columns of texts.
const textsOf = (column) => column.of.map((place) => column.texts[place]);
for (const data of document.querySelectorAll("script.rows")) {
  const body = data.previousElementSibling.querySelector("tbody"), columns = JSON.parse(data.textContent).map(textsOf);
  columns[0].forEach((_, place) => {
    const row = document.createElement("tr");
    for (const column of columns) row.append(Object.assign(document.createElement("td"), { textContent: column[place] }));
    body.append(row);
  });
}
const numberOf = (text) => (text === "" ? NaN : Number(text.replace("inf", "Infinity")));
const drawn = (name, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const ticks = (low, high, most) => {
  const step = [1, 2, 5, 10].map((part) => part * 10 ** Math.floor(Math.log10((high - low) / most))).find((part) => (high - low) / part <= most);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(6)));
};
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];
const DASHES = ["none", "5 2", "5 2 1 2", "1 1.5"];
const MARKERS = ["m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0z", "m-2-2h4v4h-4z", "m0-2.4l2.2 4.2h-4.4z", "m0-2.6l2.6 2.6l-2.6 2.6l-2.6-2.6z", "m0 2.4l2.2-4.2h-4.4z"];
const LARGEST_LEGEND = 24;
const stroke = (colour, more = "") => `fill:none;stroke:${colour};${more}`;

// One panel: `points` are { row, x, mean, lower, upper, line, isOpen } by line, then x.
const panelOf = (data, points, title, lines, tell) => {
  const [width, height, top, bottom] = [331, 205, title ? 16 : 6, 30];
  const place = data.is_log ? Math.log2 : (x) => x;
  const xs = [...points.map((point) => point.x), ...data.maxima.map((one) => numberOf(one.x[0]))].map(place), [from, to] = [xs, xs.map((x) => -x)].map((own) => own.reduce((a, b) => Math.min(a, b)));
  const margin = 0.03 * (-to - from) || 1, [left, low, high] = [from - margin, data.low, data.high], right = -to + margin;
  const rises = ticks(low, high, 8), indent = 24 + 4.4 * Math.max(...rises.map((tick) => String(tick).length));
  const xAt = (x) => indent + ((place(x) - left) / (right - left)) * (width - indent - 6);
  const yAt = (y) => height - bottom - ((Math.min(Math.max(y, low - 9 * (high - low)), high + 9 * (high - low)) - low) / (high - low)) * (height - bottom - top);
  const text = (words, x, y, more = {}) => drawn("text", { x, y, "text-anchor": "middle", ...more }, words);
  const path = (style, d, more = {}) => drawn("path", { style, d, ...more });
  const along = (own, y) => own.map((point) => `${xAt(point.x).toFixed(1)} ${yAt(y(point)).toFixed(1)}`).join("L");
  const marks = data.is_log ? ticks(left, right, 8).filter(Number.isInteger).map((tick) => 2 ** tick) : ticks(left, right, 8);
  const clip = `panel-${document.querySelectorAll("clipPath").length}-${title.length}-${points[0].row}`;
  const foot = height - bottom;
  const inside = drawn("g", { "clip-path": `url(#${clip})` });
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": title ? `${title}: ${data.label}` : data.label, "font-size": 8 },
    drawn("clipPath", { id: clip }, drawn("rect", { x: indent, y: top, width: width - indent - 6, height: foot - top })),
    path(stroke("#e3e3e3", "stroke-width:.5"), [...marks.map((x) => `M${xAt(x)} ${top}V${foot}`), ...rises.map((y) => `M${indent} ${yAt(y)}H${width - 6}`)].join("")),
    ...marks.map((x) => text(String(x), xAt(x), foot + 11)), ...rises.map((y) => text(String(y), indent - 4, yAt(y) + 3, { "text-anchor": "end" })),
    text(data.x_text, (indent + width - 6) / 2, height - 5), text(data.y_text, 0, 0, { transform: `translate(8 ${(top + foot) / 2}) rotate(-90)` }),
    ...(title ? [text(title, indent, 9, { "text-anchor": "start", "font-weight": "bold" })] : []), inside,
    path(stroke("#000000", "stroke-width:.7"), `M${indent} ${top}V${foot}H${width - 6}`));
  const groups = new Map();
  for (const [name, number] of lines) {
    const own = points.filter((point) => point.line === name), known = own.filter((point) => !Number.isNaN(point.mean));
    if (!own.length) continue;
    const colour = COLOURS[number % 7], dashes = `stroke-dasharray:${DASHES[number % 4]};`, marker = MARKERS[number % 5];
    const at = (some, y) => some.map((point) => `M${xAt(point.x).toFixed(1)} ${y(point).toFixed(1)}${marker}`).join("");
    const group = drawn("g", { class: "line" });
    const maximum = data.maxima.find((one) => one.line === name && one.panel === title);
    if (known.length) {
      group.append(
        path(`fill:${colour};fill-opacity:.15;stroke:${colour};stroke-width:.5;${dashes}`,
          `M${along(known, (point) => (Number.isNaN(point.upper) ? point.mean : point.upper))}L${along([...known].reverse(), (point) => (Number.isNaN(point.lower) ? point.mean : point.lower))}Z`, { class: "band" }),
        path(stroke(colour, dashes), `M${along(known, (point) => point.mean)}`),
        path(`fill:${colour};stroke:${colour};stroke-width:.5`, at(known.filter((point) => !point.isOpen), (point) => yAt(point.mean)), { class: "means" }),
        path(`fill:#ffffff;stroke:${colour};stroke-width:.9`, at(known.filter((point) => point.isOpen), (point) => yAt(point.mean)), { class: "means" }));
    }
    group.append(path(stroke(colour), own.filter((point) => Number.isNaN(point.mean)).map((point) => `M${xAt(point.x).toFixed(1)} ${foot - 5}m-2-2l4 4m0-4l-4 4`).join("")));
    inside.append(group);
    groups.set(name, group);
    if (maximum) {
      const [x, first, last] = maximum.x.map(numberOf).map(xAt);
      svg.append(path(stroke(colour, "stroke-width:.8;stroke-dasharray:1 2"), `M${x} ${top}V${foot}`, { class: "rise" }), path(stroke(colour), `M${first} ${foot + 2}H${last}`),
        path(`fill:${colour}`, `M${x} ${foot}l2.5 4.5h-5z`));
    }
  }
  for (const { x, y } of data.theory.filter((one) => one.panel === title)) {
    inside.append(path(stroke("#6b6b6b", "stroke-dasharray:4 2"), `M${x.map((own, at) => `${xAt(numberOf(own))} ${yAt(numberOf(y[at]))}`).join("L")}`));
  }
  let near = null;
  svg.addEventListener("pointermove", (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const away = (point) => (xAt(point.x) - x) ** 2 + ((Number.isNaN(point.mean) ? foot - 5 : yAt(point.mean)) - y) ** 2;
    const nearest = points.reduce((least, point) => (away(point) < least[0] ? [away(point), point] : least), [Infinity, null])[1];
    near?.classList.remove("near");
    near = groups.get(nearest.line);
    near.classList.add("near");
    tell(nearest.row);
  });
  return svg;
};
for (const figure of document.querySelectorAll("figure[data-table]")) {
  const source = figure.querySelector("script");
  if (!source) continue;
  const data = JSON.parse(source.textContent), { numbers, told } = toldBy(document.querySelectorAll("#estimates table")[Number(figure.dataset.table)]);
  const [names, panels] = [data.line, data.panel].map(textsOf), lines = new Map(data.line.texts.map((name, number) => [name, number]));
  const points = data.rows.map((row, place) => {
    const [mean, lower, upper] = numbers(row).map(numberOf);
    return { row, x: numberOf(data.x[place]), mean, lower, upper, line: names[place], panel: panels[place], isOpen: data.is_open[place] === 1 };
  });
  const box = figure.firstElementChild, note = Object.assign(document.createElement("p"), { className: "quiet told", textContent: "Point at a line for its intervals, and the numbers of its cells." });
  box.classList.add("panels");
  box.classList.toggle("crowded", lines.size > LARGEST_LEGEND);
  box.append(...data.panel.texts.map((title) => panelOf(data, points.filter((point) => point.panel === title), title, lines, (row) => { note.textContent = told(row); })));
  const legend = Object.assign(document.createElement("ul"), { className: "legend" });
  const sample = (words, ...shapes) => {
    const entry = Object.assign(document.createElement("li"), { textContent: words });
    entry.prepend(drawn("svg", { viewBox: "0 0 24 8", width: 36, height: 12, "aria-hidden": "true" }, ...shapes.map(([style, d]) => drawn("path", { style, d }))));
    legend.append(entry);
  };
  if (lines.size > 1 && lines.size <= LARGEST_LEGEND) {
    for (const [name, number] of lines) {
      const colour = COLOURS[number % 7];
      sample(name, [stroke(colour, `stroke-dasharray:${DASHES[number % 4]}`), "M0 4H24"], [`fill:${colour}`, `M12 4${MARKERS[number % 5]}`]);
    }
  }
  for (const label of new Set(data.theory.map((one) => one.label))) sample(label, [stroke("#6b6b6b", "stroke-dasharray:4 2"), "M0 4H24"]);
  if (data.states) sample(data.states, [`fill:#ffffff;stroke:#6b6b6b`, `M12 4${MARKERS[0]}`]);
  if (data.lacking) sample(data.lacking, [stroke("#6b6b6b"), "M10 2l4 4m0-4l-4 4"]);
  if (data.maxima.length) sample("maximal utilization ρ max", ["fill:#6b6b6b", "M12 2l2.5 4.5h-5z"]);
  box.after(note, ...(legend.children.length ? [legend] : []));
}
