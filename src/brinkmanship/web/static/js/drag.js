/* Dragging: a cube from the supply to a battleground, a unit to a zone, a card to an area. It selects, as a click does.
   */
"use strict";

const FARTHEST_CLICK = 6;  // pixels of movement still counted as a click
const HELD = "#board [data-supply], #board [data-unit], #board .can[data-place], .cards li[data-card]";

class Drag {
  constructor(table) {
    this.table = table;
    document.addEventListener("pointerdown", (event) => this.begin(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.drop(event));
    document.addEventListener("pointercancel", () => this.end());
  }

  begin(event) {
    const source = event.isPrimary && event.button === 0 && !event.target.closest("button, input, select, a") && event.target.closest(HELD);
    const goals = source ? this.goalsOf(source) : new Map();
    this.held = goals.size ? { goals, from: [event.clientX, event.clientY], isMoving: false } : null;
  }

  /* The choices for a drop, by place or area. */
  goalsOf(source) {
    const { supply, unit, card } = source.dataset, place = source.closest("[data-place]")?.dataset.place;
    if (supply !== undefined) return supply === this.table.state.dataset.viewer ? this.cubeGoals() : new Map();
    if (unit !== undefined) return this.unitGoals(place, unit);
    const { selection } = this.table;
    const ways = selection.actions.filter((one) => one.dataset.area && (card ? one.dataset.card === card : one.dataset.place === place));
    return new Map(ways.map((one) => [`area ${one.dataset.area}`, () => selection.take(one)]));
  }

  /* Drag one more cube to any place that takes one. */
  cubeGoals() {
    const { selection } = this.table, goals = new Map();
    for (const { dataset: { place, count } } of selection.actions) {
      if (!place || !(count > 0)) continue;
      const there = selection.inOrder(selection.actions.filter((one) => one.dataset.place === place));
      goals.set(`place ${place}`, () => {
        if (there.includes(selection.chosen)) selection.step(1); else selection.take(selection.least(there));
      });
    }
    return goals;
  }

  /* Drag one unit of a type to any of its targets. */
  unitGoals(place, unit) {
    const { multiSelect } = this.table, goals = new Map();
    const pick = multiSelect.picks.find((one) => one.dataset.place === place && one.dataset.piece === unit);
    for (const goal of pick?.dataset.goals?.split(" ") ?? []) {
      const to = $(`#several-goal option[value="${goal}"]`).dataset.place;
      goals.set(`place ${to}`, () => {
        multiSelect.untick();
        multiSelect.tickOne(pick);
        multiSelect.sendTo(to);
      });
    }
    return goals;
  }

  move(event) {
    const { held } = this;
    if (!held) return;
    if (!held.isMoving && Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) > FARTHEST_CLICK) this.lift();
    if (!held.isMoving) return;
    for (const mark of $$(".drop.over", this.table.state)) mark.classList.remove("over");
    const goal = this.goalAt(event);
    if (goal) for (const mark of this.marks(goal)) mark.classList.add("over");
  }

  /* Highlight the drop targets. */
  lift() {
    this.held.isMoving = true;
    root.classList.add("dragging");
    this.table.tooltip.hide();
    for (const goal of this.held.goals.keys()) for (const mark of this.marks(goal)) mark.classList.add("drop");
  }

  marks(goal) {
    const [kind, id] = goal.split(" ");
    return $$(`#board [data-${kind}="${id}"]`, this.table.state);
  }

  goalAt(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const { place } = under?.closest("[data-place]")?.dataset ?? {}, { area } = under?.closest("[data-area]")?.dataset ?? {};
    return [`place ${place}`, `area ${area}`].find((goal) => this.held.goals.has(goal));
  }

  drop(event) {
    const { held } = this;
    if (!held?.isMoving) { this.held = null; return; }
    const goal = this.goalAt(event);
    this.end();
    // A drop is not a click.
    const swallow = (click) => { click.stopPropagation(); click.preventDefault(); };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    // The dragged element has the focus, but Enter should submit the choice.
    if (document.activeElement.closest("#board")) document.activeElement.blur();
    if (goal) held.goals.get(goal)();
  }

  end() {
    this.held = null;
    root.classList.remove("dragging");
    for (const mark of $$(".drop", this.table.state)) mark.classList.remove("drop", "over");
  }
}
