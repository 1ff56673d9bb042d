/* The arrows and rings of comments, drawn over the board of a replay. In words they are in the comments themselves. */
"use strict";
{
const SVG = "http://www.w3.org/2000/svg";
const RADIUS = 0.035;  // of a ring, as a share of the board's width
const GAP = 0.02;      // between the tip of an arrow and the middle of its place

const make = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

/* The middle of a place or track in the coordinates of the board. */
function middle(board, id) {
  const name = CSS.escape(id);
  const thing = board.querySelector(`[data-place="${name}"], [data-track="${name}"]`);
  if (!thing) return null;
  const box = (thing.querySelector(":scope > .panel") ?? thing).getBoundingClientRect();
  const to = board.getScreenCTM().inverse();
  return new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(to);
}

function arrow(from, to, width) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = [to.x - dx * GAP * width, to.y - dy * GAP * width], head = 0.025 * width;
  const corner = (side) => [tip[0] - head * dx + side * head * 0.5 * dy, tip[1] - head * dy - side * head * 0.5 * dx];
  const stem = [tip[0] - head * 0.8 * dx, tip[1] - head * 0.8 * dy];
  const group = make("g", { class: "arrow-drawn" });
  group.append(make("line", { x1: from.x, y1: from.y, x2: stem[0], y2: stem[1], "stroke-width": 0.007 * width }));
  group.append(make("polygon", { points: [tip, corner(1), corner(-1)].map((point) => point.join()).join(" ") }));
  return group;
}

function draw() {
  const board = document.querySelector("#board > svg");
  if (!board) return;
  board.querySelector(":scope > .marks")?.remove();
  const marks = JSON.parse(document.querySelector("#comments")?.dataset.marks ?? "[]");
  if (!marks.length) return;
  const layer = make("g", { class: "marks", "aria-hidden": "true" }), width = board.viewBox.baseVal.width;
  for (const [from, to] of marks) {
    const start = middle(board, from), end = to && middle(board, to);
    if (start && end) layer.append(arrow(start, end, width));
    else if (start) layer.append(make("circle", { cx: start.x, cy: start.y, r: RADIUS * width, "stroke-width": 0.006 * width }));
  }
  board.append(layer);
}

document.addEventListener("step", draw);
draw();
}
