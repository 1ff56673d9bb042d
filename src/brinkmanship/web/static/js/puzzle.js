/* A puzzle: selection as at a table, with its board, keys and previews; the game does not continue. */
"use strict";

const NOTHING = () => false;

class Puzzle {
  constructor() {
    this.busy = this.byKey = false;
    this.board = { get svg() { return $("#board > svg"); } };
    this.multiSelect = { untick: NOTHING, add: NOTHING, sendTo: NOTHING };
    this.tabs = { showsRows: false, clear: NOTHING, put: NOTHING, keepInSight: NOTHING };
    this.panels = { isOpen: false, help: () => tell(spoken.question()), close: NOTHING };
    this.missed = { step: NOTHING, done: NOTHING };
    this.tooltip = new Tooltip(this);
    if ($("#choices")) {
      this.selection = new ChoiceSelection(this);
      this.keys = new Keys(this);
      root.classList.toggle("asks-first", this.set("confirm"));
      this.keys.number();
      this.makeRoom();
      this.selection.narrow();
      this.selection.stand();
      for (const card of $$(".cards li")) card.classList.toggle("can", this.selection.meant(card).length > 0);
    }
    this.listen();
    const narrow = matchMedia("(max-width: 759px), (max-height: 479px)");  // as in phone.css
    if (this.state.dataset.layoutPage !== (narrow.matches ? "narrow" : "wide") && kept("layout-of") !== location.href) {
      keep("layout-of", location.href);
      remember("layout", narrow.matches ? "narrow" : "wide");
      location.reload();
    }
  }

  /* Reserve the height of the longest consequence in advance: the choices below never move. */
  makeRoom() {
    for (const text of new Set(this.selection.actions.map((button) => this.selection.told(button)))) {
      const room = document.createElement("p");
      room.className = "consequence room";
      room.textContent = text;
      $("#foretold").append(room);
    }
  }

  get state() { return $("#state"); }

  /* As at a table, if enabled by a switch. */
  set(name) { return name === "confirm" && kept("set:confirm", "1") === "1"; }

  url(path, query = "") { return `${this.state.dataset.puzzle}/${path}${query ? "?" + query : ""}`; }

  listen() {
    if (!this.selection) return;
    document.addEventListener("change", (event) => {
      if (event.target.closest("[data-steps]")) { this.selection.narrow(); this.selection.chooseSteps(); }
    });
    document.addEventListener("click", (event) => this.click(event), true);
    document.addEventListener("keydown", (event) => this.keys.press(event));
    document.addEventListener("pointerdown", () => { this.byKey = false; }, true);
    for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, (event) => { this.tooltip.point(event); this.selection.point(event); });
    for (const kind of ["mouseout", "focusout"]) document.addEventListener(kind, (event) => { this.selection.leave(event); this.tooltip.leave(event); });
  }

  click(event) {
    const button = event.target.closest("button");
    if (this.selection.isAnswer(button)) {
      if (this.selection.asksFirst) { event.preventDefault(); this.selection.choose(button); }
      return;
    }
    if (event.target.closest("#do")) return this.selection.carryOut();
    const step = event.target.closest("[data-step]");
    if (step) return this.selection.step(Number(step.dataset.step));
    if (event.target.closest("#menu, a, summary")) return;
    const thing = this.selection.thing(event.target);
    if (thing) { event.preventDefault(); this.selection.chooseThing(thing); } else this.selection.closeMenu();
    const told = thing ? null : this.tooltip.thing(event.target);
    if (told) this.tooltip.tell(told); else this.tooltip.hide();
  }
}

if ($("#state")) window.puzzle = new Puzzle();
