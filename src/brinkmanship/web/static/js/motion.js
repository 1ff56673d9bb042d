/* Animation of boards with counters and of dice: units slide from zone to zone, dice tumble to the result recorded by
   the server. The page already has the final state; only updates wait for animations. */
"use strict";
{
/* Factors of the usual duration. Viewers who prefer reduced motion see none unless they choose a speed. */
const PACES = { off: 0, quick: 0.5, normal: 1, slow: 2 };
const speed = () => kept("set:speed", calm.matches ? "off" : "normal");
const pace = () => PACES[speed()] ?? 1;

const all = (selector, within) => [...within.querySelectorAll(selector)];
/* In board units: after the next action the board may have another size on the page. */
const middle = (thing) => {
  const box = thing.getBoundingClientRect(), toBoard = thing.ownerSVGElement.getScreenCTM().inverse();
  const { x, y } = new DOMPoint(box.left + box.width / 2, box.top + box.height / 2).matrixTransform(toBoard);
  return [x, y];
};

/* ---- Units. A place lists its units in data-units ("ru_ground:3,ru_ground neutralised:1"), and a counter its unit in
   data-unit. */

const FLIGHT = 500, BETWEEN = 70, MOST_FLIGHTS = 16;
const sort = (unit) => unit.split(" ")[0];

/* Positions of units: the contents of each place, and the point of each counter on the board. */
function standing(board) {
  const found = new Map();
  if (!board || !pace()) return found;
  for (const place of all("[data-units]", board)) {
    const counts = new Map(), points = new Map();
    for (const entry of place.dataset.units.split(",")) {
      const [unit, count] = entry.split(":");
      counts.set(sort(unit), (counts.get(sort(unit)) ?? 0) + Number(count));
    }
    for (const counter of all("[data-unit]", place)) points.set(sort(counter.dataset.unit), middle(counter));
    found.set(place.id, { counts, points, middle: middle(place) });
  }
  return found;
}

/* Moves: units missing in one place and added in another. */
function journeys(before, after) {
  const gone = [], come = [];
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(place)?.counts ?? new Map(), is = after.get(place)?.counts ?? new Map();
    for (const unit of new Set([...was.keys(), ...is.keys()])) {
      const more = (is.get(unit) ?? 0) - (was.get(unit) ?? 0);
      if (more) (more > 0 ? come : gone).push({ unit, place, count: Math.abs(more) });
    }
  }
  const found = [];
  for (const to of come) {
    for (const from of gone) {
      const count = from.unit === to.unit ? Math.min(from.count, to.count) : 0;
      if (!count) continue;
      found.push({ unit: to.unit, from: from.place, to: to.place, count });
      from.count -= count;
      to.count -= count;
    }
  }
  return found;
}

/* Animate copies of the counters to the new positions; return the duration. */
function march(before, board) {
  if (!before.size || !board || !pace() || document.hidden) return 0;
  const after = standing(board);
  const flights = journeys(before, after).slice(0, MOST_FLIGHTS);
  flights.forEach((flight, at) => {
    const place = document.getElementById(flight.to);
    const counters = all(".counter", place);
    const counter = counters.find((one) => sort(one.dataset.unit ?? "") === flight.unit) ?? counters[0];
    if (!counter) return;
    const from = before.get(flight.from), start = from.points.get(flight.unit) ?? from.middle, end = middle(counter);
    const traveller = document.createElementNS("http://www.w3.org/2000/svg", "g");
    const copy = counter.cloneNode(true);
    copy.removeAttribute("data-unit");
    const number = copy.querySelector("text");
    if (number) number.textContent = number.textContent.startsWith("(") ? `(${flight.count})` : flight.count;
    traveller.setAttribute("class", "traveller");
    traveller.setAttribute("aria-hidden", "true");
    traveller.append(copy);
    board.append(traveller);
    const way = [{ transform: `translate(${start[0] - end[0]}px, ${start[1] - end[1]}px)` }, { transform: "none" }];
    const times = { duration: FLIGHT * pace(), delay: at * BETWEEN * pace(), fill: "backwards" };
    traveller.animate(way, { ...times, easing: "cubic-bezier(.3,.1,.2,1)" }).finished.finally(() => traveller.remove());
    // Hide new units until they arrive.
    if (!before.get(flight.to)?.counts.has(flight.unit)) counter.animate([{ opacity: 0 }, { opacity: 0, offset: .95 }, { opacity: 1 }], times);
  });
  return flights.length ? (FLIGHT + (flights.length - 1) * BETWEEN) * pace() : 0;
}

/* ---- Dice */

const ROLL = 800, APART = 70, TURNS = 90, READ = 2200;

class Tray {
  constructor(list) {
    this.list = list;
    this.ends = [];
    this.hiding = 0;
    document.addEventListener("pointerdown", () => this.leave(), true);
    document.addEventListener("keydown", (event) => this.key(event), true);
  }

  get isOpen() { return !this.list.hidden; }
  get isRolling() { return this.ends.length > 0; }

  /* Throws as listed in the page; resolves when all dice have come to rest. */
  roll(throws) {
    if (!throws.length || !pace() || document.hidden) return Promise.resolve();
    clearTimeout(this.hiding);
    if (!this.isRolling) this.list.replaceChildren();
    for (const one of throws) this.list.append(one.cloneNode(true));
    this.list.hidden = false;
    this.list.style.setProperty("--dock", `${this.dockHeight}px`);
    let start = 0;
    const fallen = throws.map((_, at) => {
      const dice = all(".a-die", this.list.children[this.list.children.length - throws.length + at]);
      const landed = dice.map((die, number) => this.tumble(die, (ROLL + start + Math.min(number, 9) * APART) * pace()));
      start += dice.length ? 300 : 0;
      return Promise.all(landed);
    });
    return Promise.all(fallen).then(() => this.rest());
  }

  /* Height of the question at the foot of the window, so that dice fall above it; 0 if it is at the side. */
  get dockHeight() {
    const { left, top } = document.getElementById("dock").getBoundingClientRect();
    return left > innerWidth / 3 ? 0 : Math.max(0, innerHeight - top);
  }

  /* Show random faces of a die until it rests on the recorded one. */
  tumble(die, time) {
    const face = die.getAttribute("href"), cast = die.closest("li");
    cast.classList.add("open");
    const spin = setInterval(() => die.setAttribute("href", `#die-${1 + Math.floor(Math.random() * 6)}`), TURNS);
    die.animate([{ transform: "rotate(-14deg)" }, { transform: "rotate(16deg)" }, { transform: "rotate(-10deg)" }], { duration: 240, iterations: time / 240 });
    die.classList.add("turning");
    return new Promise((done) => {
      const land = () => {
        clearInterval(spin);
        clearTimeout(timer);
        for (const motion of die.getAnimations()) motion.cancel();
        die.setAttribute("href", face);
        die.classList.remove("turning");
        if (!cast.querySelector(".turning")) cast.classList.remove("open");
        this.ends = this.ends.filter((other) => other !== land);
        done();
      };
      const timer = setTimeout(land, time);
      this.ends.push(land);
    });
  }

  rest() {
    if (this.isRolling) return;
    this.list.style.setProperty("--dock", `${this.dockHeight}px`); // it may have grown
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => this.close(), READ);
  }

  close() { clearTimeout(this.hiding); this.list.hidden = true; this.list.replaceChildren(); }

  /* The first time all dice are at rest, then the tray disappears. */
  leave() {
    if (!this.isOpen) return;
    if (this.isRolling) for (const end of [...this.ends]) end();
    else this.close();
  }

  key(event) {
    if (!this.isOpen || !["Escape", "Enter", " "].includes(event.key)) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select")) return;
    if (this.isRolling) { event.preventDefault(); event.stopPropagation(); }
    this.leave();
  }
}

const list = document.getElementById("tray");
window.motion = { speed, pace, standing, march, tray: list ? new Tray(list) : null };
}
