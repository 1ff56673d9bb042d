/* Replay and lessons work without this file: every step is a link. It adds prefetched steps, arrow keys, a live slider,
   animation from one position to the next, and playing by itself. */
"use strict";
{
const calmly = matchMedia("(prefers-reduced-motion: reduce)");
const slim = matchMedia("(max-width: 719px)");
const find = (selector, within = document) => within.querySelector(selector);

/* Drawings that fit the screen: the server draws, so it needs the layout. */
function fits() {
  const page = find("[data-layout-page]");
  const wanted = slim.matches ? "narrow" : "wide";
  if (!page || page.dataset.layoutPage === wanted) return true;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `layout=${wanted}; path=/; max-age=31536000; samesite=lax${secure}`;
  return !document.cookie.includes(`layout=${wanted}`);
}

/* Moving elements of a board: pieces, some on places that may move themselves. */
const holders = "[id^=place-]";
const movable = `[id^=cube-], [id^=marker-], ${holders}`;

/* Their positions. */
function places(board) {
  const found = new Map();
  for (const thing of board.querySelectorAll(movable)) {
    const box = (thing.querySelector(":scope > .panel") ?? thing).getBBox();
    found.set(thing.id, [box.x + box.width / 2, box.y + box.height / 2]);
  }
  return found;
}

/* Animate moved elements from their old positions; pieces on a place move with it. */
function travel(before, board) {
  if (calmly.matches || !board) return;
  const now = places(board);
  const way = (id) => {
    const was = before.get(id), is = now.get(id);
    return was ? [was[0] - is[0], was[1] - is[1]] : [0, 0];
  };
  for (const thing of board.querySelectorAll(movable)) {
    const holder = thing.parentElement.closest(holders);
    if (!before.has(thing.id)) {
      if (!holder || before.has(holder.id)) thing.animate([{ opacity: 0 }, { opacity: 1 }], 300);
      continue;
    }
    const [x, y] = way(thing.id), [hx, hy] = holder ? way(holder.id) : [0, 0];
    if (Math.hypot(x - hx, y - hy) < 1) continue;
    const steps = [{ transform: `translate(${x - hx}px, ${y - hy}px)` }, { transform: "none" }];
    thing.animate(steps, { duration: 320, easing: "ease-in-out" });
  }
}

class Replay {
  constructor(root) {
    this.root = root;
    this.steps = new Map();
    this.wanted = this.step;
    this.slider = find("#slider");
    this.player = new Player(this);
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("keydown", (event) => this.key(event));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value), { isSliding: true }));
    find("#to-step").addEventListener("submit", (event) => { event.preventDefault(); this.go(Number(this.slider.value)); });
    addEventListener("popstate", () => this.go(Number(location.pathname.split("/").at(-1)) || 0, { isBack: true }));
    slim.addEventListener("change", () => this.refit());
    if (fits()) this.prefetch(); else this.refit();
    this.mark();
  }

  get box() { return find("#step"); }
  get step() { return Number(this.box.dataset.n); }
  get last() { return Number(this.root.dataset.last); }
  number(name) { return this.box.dataset[name] === "" ? null : Number(this.box.dataset[name]); }
  url(step) { return `${this.root.dataset.address}/replay/${step}?as=${this.root.dataset.as}`; }

  refit() {
    fits();
    this.steps.clear();
    this.go(this.step, { isSliding: true });
  }

  click(event) {
    if (!event.target.closest("#play, #speed")) this.player.stop();
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = event.target.closest(".steps a, a.step-link");
    if (!link) return;
    event.preventDefault();
    this.go(Number(new URL(link.href).pathname.split("/").at(-1)));
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input:not([type=range]), select, textarea")) return;
    const on = find("#play-on:not([hidden])");
    if (on && event.key.toLowerCase() === "p") { event.preventDefault(); on.click(); return; }
    if (event.key === " " && !event.target.closest("button, summary")) { event.preventDefault(); this.player.toggle(); return; }
    const to = { ArrowLeft: this.number("before"), ArrowRight: this.number("after"), Home: 0, End: this.last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to !== null) this.go(to);
  }

  fetch(step) {
    const url = this.url(step);
    if (!this.steps.has(url)) {
      this.steps.set(url, fetch(url, { headers: { "X-Fragment": "1", Accept: "text/html" } }).then((answer) => {
        if (!answer.ok) throw new Error(answer.statusText);
        return answer.text();
      }).catch(() => { this.steps.delete(url); return null; }));
      if (this.steps.size > 400) this.steps.delete(this.steps.keys().next().value);
    }
    return this.steps.get(url);
  }

  /* The game has gone on to another last step. */
  grow(last) {
    this.root.dataset.last = this.slider.max = last;
    this.steps.clear();
    this.mark();
    this.prefetch();
  }

  prefetch() {
    const after = this.number("after"), before = this.number("before");
    if (after !== null) this.fetch(after);
    if (before !== null) this.fetch(before);
  }

  /* Show a step. Playing by itself ends with any other way to a step. */
  async go(step, { isSliding = false, isBack = false, isPlaying = false } = {}) {
    if (!isPlaying) this.player.stop();
    this.wanted = step;
    this.slider.value = step;
    // A sliding finger passes many steps; show only the one where it rests.
    if (isSliding) await new Promise((done) => setTimeout(done, 40));
    if (this.wanted !== step) return;
    const html = await this.fetch(step);
    if (this.wanted !== step) return;
    if (html === null) { location.href = this.url(step); return; }
    const from = this.step, old = find("#board > svg"), was = old ? places(old) : new Map();
    const units = window.motion.standing(old);
    const holder = document.createElement("template");
    holder.innerHTML = html;
    this.box.replaceWith(holder.content.querySelector("#step"));
    if (from !== step) {
      travel(was, find("#board > svg"));
      window.motion.march(units, find("#board > svg"));
    }
    if (!isBack) history[from === step || isSliding || isPlaying ? "replaceState" : "pushState"](null, "", this.url(this.step));
    this.mark();
    find("#live").textContent = find("#happening").innerText;
    this.prefetch();
  }

  /* Update everything around the step that names it. */
  mark() {
    const step = this.step, before = this.number("before"), after = this.number("after");
    this.slider.value = step;
    find("#at").textContent = `${step}\u202f/\u202f${this.last}`;
    for (const [id, to] of [["first", step ? 0 : null], ["before", before], ["after", after], ["last", step < this.last ? this.last : null]]) {
      const link = find(`#to-${id}`);
      link.href = this.url(to ?? step);
      link.setAttribute("aria-disabled", String(to === null));
    }
    const on = find("#play-on");
    if (on) {
      on.href = `${this.root.dataset.address}/play-on/${step}`;
      on.hidden = this.box.dataset.goesOn === undefined;
    }
    const other = find("#branches");
    if (other) other.href = `${this.root.dataset.address}/branches/${step}`;
    document.dispatchEvent(new Event("step"));
    for (const link of document.querySelectorAll("a[data-as]")) {
      link.href = link.getAttribute("href").replace(/replay\/\d+/, `replay/${step}`);
    }
    let at = null;
    for (const line of document.querySelectorAll("#score-lines li")) {
      const here = Number(line.dataset.step) === step;
      line.classList.toggle("at", here);
      if (here || Number(line.dataset.step) <= step) at = line;
    }
    const list = find("#score-lines");
    if (at && list.clientHeight) list.scrollTop = at.offsetTop - list.clientHeight / 2;
    else if (list) list.scrollTop = 0;
  }
}

/* Time between the steps of a replay that plays by itself, by speed (ms). */
const PACES = { slow: 3000, normal: 1600, fast: 800 };

/* Shows step after step: until the end, until something is pressed, and only while the page is visible. */
class Player {
  constructor(replay) {
    this.replay = replay;
    this.button = find("#play");
    this.speed = find("#speed");
    this.speed.value = kept("replay-speed", "normal");
    this.speed.addEventListener("change", () => keep("replay-speed", this.speed.value));
    this.button.addEventListener("click", () => this.toggle());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.stop(); });
    this.isOn = false;
  }

  toggle() {
    if (this.isOn) return this.stop();
    this.show(true);
    // From the end it plays again.
    this.next(this.replay.number("after") ?? 0);
  }

  async next(step) {
    await this.replay.go(step, { isPlaying: true });
    if (!this.isOn) return;
    const after = this.replay.number("after");
    clearTimeout(this.timer);
    if (after === null) this.stop();
    else this.timer = setTimeout(() => this.next(after), PACES[this.speed.value]);
  }

  stop() {
    clearTimeout(this.timer);
    this.show(false);
  }

  show(isOn) {
    this.isOn = isOn;
    this.button.classList.toggle("on", isOn);
  }
}

/* The card whose name is pointed at. */
class CardView {
  constructor(view) {
    this.view = view;
    this.cards = new Map();
    for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, (event) => this.show(event.target.closest?.("a.card-name")));
    for (const kind of ["mouseout", "focusout"]) document.addEventListener(kind, () => { this.name = null; this.view.hidden = true; });
  }

  async show(name) {
    if (!name) return;
    this.name = name;
    if (!this.cards.has(name.href)) {
      const answer = await fetch(name.href, { headers: { "X-Fragment": "1" } });
      if (!answer.ok) return;
      this.cards.set(name.href, await answer.text());
    }
    if (this.name !== name) return;
    this.view.innerHTML = this.cards.get(name.href);
    this.view.hidden = false;
    const box = name.getBoundingClientRect(), own = this.view.getBoundingClientRect();
    this.view.style.left = `${Math.min(Math.max(4, box.left), innerWidth - own.width - 4)}px`;
    this.view.style.top = `${box.top > own.height + 10 ? box.top - own.height - 8 : Math.min(box.bottom + 8, innerHeight - own.height - 4)}px`;
  }
}

if (find("#card-view") && find("#replay-view")) new CardView(find("#card-view"));

const replayView = find("#replay-view");
if (replayView) window.replay = new Replay(replayView);
else if (find("[data-layout-page]") && !fits()) location.reload();

/* On a small screen the table of contents would push the text away. */
const contents = find(".contents details");
if (contents && matchMedia("(max-width: 999px)").matches) contents.open = false;
}
