/* Animate pieces that changed their place on the board, one by one, and dice rolls. */
"use strict";

/* Moving elements of a board: pieces, some on places that may move themselves; and the origin of new ones. */
const PLACES = "[id^=place-]";
const PIECES = `[id^=cube-], [id^=marker-], ${PLACES}`;
const SOURCES = "[id^=held-], [id^=hand-]";
/* Milliseconds at normal speed: the slide of a piece, the time to the next one, the longest wait, and a card on view. */
const SLIDE = 450, NEXT = 60, LAST = 300, ON_VIEW = 1600;

class Board {
  constructor(table) {
    this.table = table;
    this.settled = Promise.resolve();
  }

  get svg() { return $("#board > svg"); }

  /* Positions of all elements in board units: after the next action the board may have another size on the page. */
  places() {
    const found = new Map();
    if (!this.svg || !motion.pace()) return found;
    const toBoard = this.svg.getScreenCTM().inverse();
    for (const piece of [...$$(PIECES, this.svg), ...$$(SOURCES, this.table.state)]) {
      const box = ($(":scope > .panel", piece) ?? piece).getBoundingClientRect();
      const { x, y } = new DOMPoint(box.left + box.width / 2, box.top + box.height / 2).matrixTransform(toBoard);
      found.set(piece.id, [x, y]);
    }
    return found;
  }

  move(before, units) {
    const pace = motion.pace(), march = motion.march(units, this.svg);
    if (march) this.settle(march);
    if (!before.size || !this.svg || !pace || document.hidden) return;
    const after = this.places();
    const ways = this.ways(before, after);
    let delay = 0, last = 0;
    const animate = (piece, [dx, dy], start) => {
      const way = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
      piece.animate(way, { duration: SLIDE * pace, delay: start, easing: "cubic-bezier(.3,.1,.2,1)", fill: "backwards" });
      last = Math.max(last, start + SLIDE * pace);
    };
    // First show elements that appear or disappear on a place, then slide the place with its contents.
    for (const holds of [false, true]) {
      for (const [piece, way] of ways) {
        if (piece.matches(PLACES) !== holds || Math.hypot(...way) < 2) continue;
        animate(piece, way, holds && last ? last : Math.min(delay, LAST) * pace);
        if (!holds) delay += NEXT;
      }
    }
    if (last) {
      this.settle(last);
      setTimeout(() => this.table.sound("cube"), SLIDE * pace);
    }
  }

  /* Lay the card that the other side has played on the table for a moment, face up. */
  async layOut(lines) {
    const pace = motion.pace(), name = lines.map((line) => $(":scope > a.card-name", line)).findLast(Boolean);
    if (!name || !pace || document.hidden) return;
    this.settle(SLIDE * pace);
    const view = $("#laid"), picture = await this.table.tooltip.picture(name.href);
    if (!picture) return;
    clearTimeout(this.laid);
    view.innerHTML = picture;
    view.hidden = false;
    view.animate([{ opacity: 0, transform: "translateY(-24px) rotate(-3deg)" }, { transform: "none" }], { duration: SLIDE * pace, easing: "ease-out" });
    this.laid = setTimeout(() => { view.hidden = true; }, ON_VIEW * pace);
  }

  /* Updates wait until all movement has ended. */
  settle(time) { this.settled = Promise.all([this.settled, new Promise((done) => { setTimeout(done, time); })]); }

  /* Dice thrown since the position shown before. */
  thrown(seen) { return $$("#throws > li").filter((one) => Number(one.dataset.n) > seen); }

  roll(thrown) {
    if (thrown.length && this.table.set("dice")) this.settled = Promise.all([this.settled, motion.tray.roll(thrown)]);
  }

  /* Origin of each piece, relative to its current position and to the place it lies on. */
  ways(before, after) {
    const pieces = $$(PIECES, this.svg), own = new Map();
    const gone = [...before.keys()].filter((id) => !after.has(id));
    const kind = (id) => id.split("-").slice(0, 2).join("-");
    for (const piece of pieces) {
      const [x, y] = after.get(piece.id);
      let from = before.get(piece.id) ?? before.get((piece.dataset.from ?? "").split(" ").find((id) => before.has(id)));
      if (!from && !piece.matches(PLACES)) {
        const at = gone.findIndex((other) => kind(other) === kind(piece.id));
        if (at >= 0) from = before.get(gone.splice(at, 1)[0]);
      }
      own.set(piece, from ? [from[0] - x, from[1] - y] : [0, 0]);
    }
    return pieces.map((piece) => {
      const [dx, dy] = own.get(piece), [px, py] = own.get(piece.parentElement.closest(PLACES)) ?? [0, 0];
      return [piece, [dx - px, dy - py]];
    });
  }
}
