// Links the two sides of the picture above. The data below are the layouts and
// the plan as sums: a place is an offset, plus a step for each digit of the
// element's number.
"use strict";
(() => {
const started = performance.now();
const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const svg = find("picture"), overlay = find("overlay"), details = find("details");
const MEMORY = 0, REGISTERS = 1;

// ---- What stands where: units by index, as in a row-major table of lines.

const pitch = [data.columns * data.parts, data.words * data.parts];
const lines = [128, data.warps * 32];
const units = pitch.map((size, side) => new Int32Array(size * lines[side]).fill(-1));
const {unitsPerElement} = data;

// What the digits of some modes add up to, in row-major order.
function addDigits(side, modes, start) {
  const toIndex = ([line, at]) => line * pitch[side] + at;
  let sums = Int32Array.of(toIndex(start));
  for (const [extent, ...place] of modes) {
    const step = toIndex(place), next = new Int32Array(sums.length * extent);
    for (let i = 0, k = 0; i < sums.length; ++i)
      for (let digit = 0; digit < extent; ++digit)
        next[k++] = sums[i] + digit * step;
    sums = next;
  }
  return sums;
}
// A layout with the index of the first place of each element, and what its
// replicas add to it, each place once.
const expand = (side, {first, modes, replicas, offset}) => ({
  first, indices: addDigits(side, modes, offset), replicas: [...new Set(addDigits(side, replicas, [0, 0]))],
});
const layouts = [data.memory, data.registers].map((pieces, side) => pieces.map((piece) => expand(side, piece)));

layouts.forEach((pieces, side) => pieces.forEach(({first, indices, replicas}) => {
  for (const replica of replicas)
    for (let i = 0; i < indices.length; ++i)
      for (let half = 0; half < unitsPerElement; ++half)
        units[side][indices[i] + replica + half] = (first + i) * unitsPerElement + half;
}));

// All places of a unit, or the first `limit`.
function getPlaces(side, unit, limit = Infinity) {
  const element = Math.floor(unit / unitsPerElement), half = unit % unitsPerElement;
  const piece = layouts[side].find(({first, indices}) => element >= first && element < first + indices.length);
  if (!piece) return [];
  const index = piece.indices[element - piece.first] + half;
  return piece.replicas.slice(0, limit).map((replica) => index + replica);
}

// ---- What moves where.

const links = units.map((table) => new Int32Array(table.length).fill(-1));
const issueOf = units.map((table) => new Int16Array(table.length).fill(-1));
const slabOfWarp = (warp) => (data.firstWarpSlab + warp) % 4;
const slabOf = (side, index) => {
  const line = Math.floor(index / pitch[side]);
  return side === MEMORY ? line >> 5 : slabOfWarp(line >> 5);
};

function link(memory, register, issue) {
  if (links[MEMORY][memory] < 0) {
    links[MEMORY][memory] = register;
    issueOf[MEMORY][memory] = issue;
  }
  if (links[REGISTERS][register] < 0) {
    links[REGISTERS][register] = memory;
    issueOf[REGISTERS][register] = issue;
  }
}

function linkIssue(issue, number) {
  const parts = data.parts / data.halves;
  for (let warp = 0; warp < data.warps; ++warp)
    for (let lane = 0; lane < 32; ++lane)
      issue.words.forEach((word, i) => {
        const line = 32 * slabOfWarp(warp) + data.lanes[lane][0] + issue.cells[i][0];
        const column = data.columnsPerWarpgroup * (warp >> 2) + data.lanes[lane][1] + issue.cells[i][1];
        const register = (32 * warp + lane) * pitch[REGISTERS] + word * data.parts;
        for (let half = 0; half < data.halves; ++half)
          for (let part = 0; part < parts; ++part)
            link(line * pitch[MEMORY] + (column + half) * data.parts + part, register + half * parts + part, number);
      });
}

// Without a plan: a place in the same slab, or else the first.
function linkByUnits(unit) {
  const both = [getPlaces(MEMORY, unit), getPlaces(REGISTERS, unit)];
  for (const side of [MEMORY, REGISTERS]) {
    const others = both[1 - side], inSlab = new Map();
    for (const other of others) {
      const slab = slabOf(1 - side, other);
      if (!inSlab.has(slab)) inSlab.set(slab, other);
    }
    for (const index of both[side]) links[side][index] = inSlab.get(slabOf(side, index)) ?? others[0] ?? -1;
  }
}
if (data.issues.length) data.issues.forEach(linkIssue);
else if (data.memory.length && data.registers.length)
  for (let unit = 0; unit < data.elements * unitsPerElement; ++unit) linkByUnits(unit);

// ---- Words.

const columnsOfTile = data.shape.at(-1);
const elementOf = (unit) => Math.floor(unit / unitsPerElement);

function nameElement(unit) {
  const index = [];
  for (let rest = elementOf(unit), i = data.shape.length; i-- > 0; rest = Math.floor(rest / data.shape[i]))
    index.unshift(rest % data.shape[i]);
  return `element (${index.join(", ")})`;
}

function nameBits(index) {
  const bits = 32 / data.parts, part = index % data.parts;
  return data.parts === 1 ? "" : `, bits ${part * bits}–${part * bits + bits - 1}`;
}

function namePlace(side, index) {
  const line = Math.floor(index / pitch[side]), word = Math.floor(index % pitch[side] / data.parts);
  return side === MEMORY
    ? `TMEM lane ${line}, column ${word}${nameBits(index)}`
    : `warp ${data.firstWarpSlab + (line >> 5)}, lane ${line % 32}, register ${word}${nameBits(index)}`;
}

function describe(side, index) {
  const unit = units[side][index], other = links[side][index], issue = issueOf[side][index];
  const found = [namePlace(side, index)];
  if (other >= 0) found[side === MEMORY ? "push" : "unshift"](namePlace(1 - side, other));
  found.unshift(unit < 0 ? "no element" : nameElement(unit));
  const copies = unit < 0 ? [] : [MEMORY, REGISTERS].flatMap((s) => getPlaces(s, unit, 6)
    .filter((at) => !(s === side ? at === index : at === other)).map((at) => namePlace(s, at)));
  if (copies.length) found.push(`also in ${copies.slice(0, 4).join("; ")}${copies.length > 4 ? "; …" : ""}`);
  if (issue >= 0) found.push(`issue ${issue}: ${data.issues[issue].name}`);
  return found.join("\n");
}

// ---- Where squares are in the picture.

const yOf = (line) => data.top + (line - 32 * data.firstSlab) * data.lineHeight + ((line >> 5) - data.firstSlab) * data.slabGap;

function indexAt(panel, line, at) {
  if (panel.side === MEMORY) return line * pitch[MEMORY] + at;
  const warp = 4 * panel.warpgroup + (line >> 5) - data.firstWarpSlab;
  return warp < 0 || warp >= data.warps ? -1 : (32 * warp + line % 32) * pitch[REGISTERS] + at;
}

// The grid, line and position of an index.
function locate(side, index) {
  const row = Math.floor(index / pitch[side]), at = index % pitch[side];
  const line = side === MEMORY ? row : 32 * slabOfWarp(row >> 5) + row % 32;
  const group = side === MEMORY ? 0 : row >> 7;
  return {panel: data.panels.find((p) => p.side === side && p.warpgroup === group), line, at};
}

function boxOf(side, index) {
  const {panel, line, at} = locate(side, index);
  return [panel.x + (at - panel.first) * panel.unitWidth, yOf(line), panel.unitWidth, data.lineHeight];
}

function squareAt(x, y) {
  for (const panel of data.panels) {
    const at = panel.first + Math.floor((x - panel.x) / panel.unitWidth);
    if (x < panel.x || at >= panel.end) continue;
    for (let line = 32 * data.firstSlab; line < 32 * data.endSlab; ++line)
      if (y >= yOf(line) && y < yOf(line) + data.lineHeight) {
        const index = indexAt(panel, line, at);
        return index < 0 ? null : {side: panel.side, index};
      }
  }
  const {tile} = data, rows = data.elements / columnsOfTile;
  const row = Math.floor((y - tile.y) / tile.height * rows), column = Math.floor((x - tile.x) / tile.width * columnsOfTile);
  if (data.color !== "element" || row < 0 || row >= rows || column < 0 || column >= columnsOfTile) return null;
  const unit = (row * columnsOfTile + column) * unitsPerElement;
  const side = data.memory.length ? MEMORY : REGISTERS;
  return {side, index: getPlaces(side, unit)[0]};
}

// ---- Drawing.

const make = (name, attributes, parent) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return parent.appendChild(node);
};

function drawSquare(group, kind, [x, y, width, height]) {
  const w = Math.max(width, 8), h = Math.max(height, 8);
  const box = {x: x - (w - width) / 2, y: y - (h - height) / 2, width: w, height: h};
  make("rect", {class: "pointed-halo", ...box}, group);
  make("rect", {class: "pointed", "data-side": kind, ...box}, group);
}

// The thread's registers, or the lane's cells.
function drawLine(group, side, index) {
  const {panel, line} = locate(side, index);
  make("rect", {class: "thread", x: panel.x - 1, y: yOf(line) - 1, width: (panel.end - panel.first) * panel.unitWidth + 2, height: data.lineHeight + 2}, group);
}

function drawTilePoint(group, unit) {
  const {tile} = data, element = elementOf(unit), rows = data.elements / columnsOfTile;
  const width = tile.width / columnsOfTile, height = tile.height / rows;
  drawSquare(group, "tile", [tile.x + element % columnsOfTile * width, tile.y + Math.floor(element / columnsOfTile) * height, width, height]);
}

const pointer = make("g", {id: "pointer"}, overlay);
const maxMarks = 128; // Of one element on one side.
let pointed = null, pinned = null;

function show(square) {
  pointed = square;
  pointer.replaceChildren();
  document.querySelectorAll("tr.pointed").forEach((row) => row.classList.remove("pointed"));
  if (!square) {
    details.textContent = data.summary;
    return;
  }
  const {side, index} = square, unit = units[side][index], other = links[side][index];
  const marks = [[side, index], ...(other >= 0 ? [[1 - side, other]] : [])];
  if (unit >= 0)
    for (const s of [MEMORY, REGISTERS])
      for (const at of getPlaces(s, unit, maxMarks))
        if (!marks.some(([t, i]) => t === s && i === at)) marks.push([s, at]);
  marks.slice(0, 2).forEach(([s, at]) => drawLine(pointer, s, at));
  marks.forEach(([s, at]) => drawSquare(pointer, s === MEMORY ? "memory" : "registers", boxOf(s, at)));
  if (unit >= 0 && data.color === "element") drawTilePoint(pointer, unit);
  details.textContent = describe(side, index);
  const issue = issueOf[side][index];
  if (issue >= 0) find(`issue-${issue}`).classList.add("pointed");
}

// ---- Instruction by instruction.

// Squares of which `test` is true, as a path; lines that look alike are one.
function pathOf(panel, test) {
  let path = "", last = null;
  const flush = () => {
    if (last) for (const [from, to] of last.runs)
      path += `M${panel.x + (from - panel.first) * panel.unitWidth} ${last.y}h${(to - from) * panel.unitWidth}v${last.height}h${-(to - from) * panel.unitWidth}z`;
  };
  for (let line = 32 * data.firstSlab; line < 32 * data.endSlab; ++line) {
    const runs = [];
    if (indexAt(panel, line, 0) >= 0)
      for (let at = panel.first; at < panel.end; ++at) {
        if (!test(indexAt(panel, line, at))) continue;
        if (runs.length && runs.at(-1)[1] === at) runs.at(-1)[1] = at + 1;
        else runs.push([at, at + 1]);
      }
    const key = String(runs);
    if (last && last.key === key && line % 32) {
      last.height = yOf(line) + data.lineHeight - last.y;
      continue;
    }
    flush();
    last = {runs, key, y: yOf(line), height: data.lineHeight};
  }
  flush();
  return path;
}

const veils = make("g", {id: "veils"}, overlay);
overlay.insertBefore(veils, pointer);
const slider = find("step"), stepText = find("step-text");
let step = -1;

function goTo(number) {
  step = Math.max(-1, Math.min(data.issues.length - 1, number));
  if (slider) slider.value = step;
  veils.replaceChildren();
  document.querySelectorAll("tr.current").forEach((row) => {
    row.classList.remove("current");
    row.removeAttribute("aria-current");
  });
  if (stepText) stepText.textContent = step < 0 ? "all" : `issue ${step}: ${data.issues[step].name}`;
  if (step < 0) return;
  for (const panel of data.panels) {
    const issues = issueOf[panel.side];
    make("path", {class: "veil", d: pathOf(panel, (index) => issues[index] < 0 || issues[index] > step)}, veils);
    make("path", {class: "past", d: pathOf(panel, (index) => issues[index] >= 0 && issues[index] < step)}, veils);
  }
  const row = find(`issue-${step}`);
  row.classList.add("current");
  row.setAttribute("aria-current", "step");
}

// ---- Colours and reasons.

function setColor(color) {
  data.color = color;
  document.querySelectorAll(".layer").forEach((layer) => layer.classList.toggle("shown", layer.dataset.color === color));
  show(pointed);
}

function markReason(number) {
  document.querySelectorAll(".misfit").forEach((group) => group.classList.toggle("shown", group.dataset.reason === String(number) && !group.classList.contains("shown")));
  document.querySelectorAll("[data-mark]").forEach((button) =>
    button.setAttribute("aria-pressed", Boolean(document.querySelector(`.misfit.shown[data-reason="${button.dataset.mark}"]`))));
}

// ---- Mouse and keyboard.

function pointOf(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return squareAt(point.x, point.y);
}

// From a square to its neighbour; over the edge it stays.
function move(square, down, across) {
  const {panel, line, at} = locate(square.side, square.index);
  const to = Math.max(panel.first, Math.min(panel.end - 1, at + across));
  const row = Math.max(32 * data.firstSlab, Math.min(32 * data.endSlab - 1, line + down));
  const index = indexAt(panel, row, to);
  return index < 0 ? square : {side: square.side, index};
}

const first = () => ({side: data.panels[0].side, index: indexAt(data.panels[0], 32 * data.firstSlab, data.panels[0].first)});
const keys = {
  ArrowUp: (s) => move(s, -1, 0), ArrowDown: (s) => move(s, 1, 0), ArrowLeft: (s) => move(s, 0, -1), ArrowRight: (s) => move(s, 0, 1),
  PageUp: (s) => move(s, -8, 0), PageDown: (s) => move(s, 8, 0), Home: (s) => move(s, 0, -1e6), End: (s) => move(s, 0, 1e6),
  Enter: (s) => links[s.side][s.index] < 0 ? s : {side: 1 - s.side, index: links[s.side][s.index]},
  Escape: () => null,
};

svg.addEventListener("pointermove", (event) => show(pointOf(event) ?? pinned));
svg.addEventListener("pointerleave", () => show(pinned));
svg.addEventListener("click", (event) => show(pinned = pointOf(event)));
svg.addEventListener("focus", () => pinned ?? pointed ?? show(pinned = first()));
svg.addEventListener("keydown", (event) => {
  if (event.key === "n" || event.key === "p") return goTo(step + (event.key === "n" ? 1 : -1));
  const go = keys[event.key];
  if (!go || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  show(pinned = pinned ? go(pinned) : event.key === "Escape" ? null : first());
});
slider?.addEventListener("input", () => goTo(Number(slider.value)));
find("previous")?.addEventListener("click", () => goTo(step - 1));
find("next")?.addEventListener("click", () => goTo(step + 1));
document.querySelectorAll("[data-step]").forEach((button) => button.addEventListener("click", () => goTo(Number(button.dataset.step))));
document.querySelectorAll("[data-mark]").forEach((button) => button.addEventListener("click", () => markReason(button.dataset.mark)));
document.querySelectorAll("input[name=color]").forEach((input) => input.addEventListener("change", () => setColor(input.value)));

if (data.marked >= 0) {
  const side = data.memory.length ? MEMORY : REGISTERS;
  pointed = pinned = {side, index: getPlaces(side, data.marked)[0]};
}
setColor(data.color);
goTo(-1);
// For tests, and for the curious at the console.
window.tmemPicture = {data, units, links, issueOf, pitch, boxOf, describe, show, goTo, setColor, markReason,
  get pointed() { return pointed; }, get step() { return step; }};
requestAnimationFrame(() => { document.documentElement.dataset.drawnMs = (performance.now() - started).toFixed(1); });
})();
