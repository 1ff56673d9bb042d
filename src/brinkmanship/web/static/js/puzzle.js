/* A puzzle: selection as at a table, with its board, keys and previews; the game does not continue. */
"use strict";

const NOTHING = () => false;

class Puzzle {
  constructor() {
    this.busy = this.byKey = false;
    this.board = { get svg() { return $("#board > svg"); } };
    this.several = { untick: NOTHING, add: NOTHING, sendTo: NOTHING };
    this.tabs = { showsRows: false, clear: NOTHING, put: NOTHING, keepInSight: NOTHING };
    this.beside = { isOpen: false, help: NOTHING, close: NOTHING };
    this.away = { step: NOTHING, done: NOTHING };
    this.telling = new Telling(this);
    if ($("#choices")) {
      this.choosing = new Choosing(this);
      this.keys = new Keys(this);
      root.classList.toggle("asks-first", this.set("confirm"));
      this.makeRoom();
      this.choosing.narrow();
      this.choosing.stand();
      for (const card of $$(".cards li")) card.classList.toggle("can", this.choosing.meant(card).length > 0);
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
    for (const text of new Set(this.choosing.actions.map((button) => button.dataset.say))) {
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
    if (!this.choosing) return;
    document.addEventListener("change", (event) => {
      if (event.target.closest("[data-steps]")) { this.choosing.narrow(); this.choosing.chooseSteps(); }
    });
    document.addEventListener("click", (event) => this.click(event), true);
    document.addEventListener("keydown", (event) => this.keys.press(event));
    document.addEventListener("pointerdown", () => { this.byKey = false; }, true);
    for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, (event) => { this.telling.point(event); this.choosing.point(event); });
    for (const kind of ["mouseout", "focusout"]) document.addEventListener(kind, (event) => { this.choosing.leave(event); this.telling.leave(event); });
  }

  click(event) {
    const button = event.target.closest("button");
    if (this.choosing.isAnswer(button)) {
      if (this.choosing.asksFirst) { event.preventDefault(); this.choosing.choose(button); }
      return;
    }
    if (event.target.closest("#do")) return this.choosing.carryOut();
    const step = event.target.closest("[data-step]");
    if (step) return this.choosing.step(Number(step.dataset.step));
    if (event.target.closest("#menu, a, summary")) return;
    const thing = this.choosing.thing(event.target);
    if (thing) { event.preventDefault(); this.choosing.chooseThing(thing); } else this.choosing.closeMenu();
    const told = thing ? null : this.telling.thing(event.target);
    if (told) this.telling.tell(told); else this.telling.hide();
  }
}

if ($("#state")) window.puzzle = new Puzzle();
