/* A lesson: what its text names is outlined on the board and in the hand, and lights up while its name is pointed at. */
"use strict";

/* A card that was played may have become a battleground. */
const ATTRIBUTES = { card: ["card", "place"] };

class Names {
  constructor() {
    for (const link of $$("a[data-names]")) {
      for (const thing of this.things(link)) thing.classList.add("named");
      if (this.things(link).length) link.classList.add("is-here");
    }
    for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, (event) => this.point(this.link(event)));
    for (const kind of ["mouseout", "focusout"]) document.addEventListener(kind, (event) => this.leave(this.link(event)));
    document.addEventListener("click", (event) => this.click(event));
  }

  link(event) { return event.target.closest?.("a[data-names]"); }

  /* The elements that a name means; none if a card is on no place of this page. */
  things(link) {
    return link.dataset.names.split(" ").flatMap((target) => {
      const [kind, id] = target.split(":"), value = id === "*" ? "" : `="${id}"`;
      return (ATTRIBUTES[kind] ?? [kind]).flatMap((name) => $$(`#board [data-${name}${value}], .cards > [data-${name}${value}]`));
    });
  }

  point(link) {
    if (!link) return;
    this.light(link);
    if (link.dataset.card) window.puzzle.tooltip.showCard(link);
  }

  leave(link) {
    if (!link) return;
    this.light(this.tapped);
    if (link.dataset.card) window.puzzle.tooltip.hide();
  }

  /* A name that is tapped keeps its light until the next tap, and what it names comes into sight. */
  click(event) {
    const link = this.link(event), things = link ? this.things(link) : [];
    this.tapped = things.length ? link : null;
    this.light(this.tapped);
    if (!this.tapped) return;
    event.preventDefault();
    things[0].scrollIntoView({ block: things.length > 1 ? "nearest" : "center", behavior: calm.matches ? "auto" : "smooth" });
  }

  light(link) {
    for (const thing of $$(".pointed")) thing.classList.remove("pointed");
    for (const thing of link ? this.things(link) : []) thing.classList.add("pointed");
  }
}

new Names();
/* After the right answer the keyboard goes on: Enter is the next step. */
if ($("#verdict")) $("#onwards")?.focus({ preventScroll: true });
