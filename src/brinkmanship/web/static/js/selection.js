/* Selection of choices by clicking, typing or dragging; the board previews the effect, and one button submits it.

   A choice is a button of a form [data-answers]; its attributes name what it concerns: data-place, data-track, data-card,
   data-agenda, data-area, data-unit, data-count. It may be anywhere on the page. */
"use strict";

/* Elements of a position: on the board, and on a small screen in lists. */
const THINGS = ":is(#board, .rows)";
const CHOOSABLE = ["place", "area", "track", "pile", "letter"].map((what) => `${THINGS} [data-${what}].can`).join() + ", .cards li";

class ChoiceSelection {
  constructor(table) {
    this.table = table;
    this.previews = new Map();
    this.chosen = null;
  }

  /* True while a choice waits for "Do it". */
  get asksFirst() { return this.table.set("confirm"); }
  get button() { return $("#do"); }
  get answers() { return $$("[data-answers] button, button[form]").filter((button) => this.isAnswer(button)); }
  get actions() { return this.answers.filter((button) => button.name === "action"); }

  isAnswer(button) { return button?.type === "submit" && button.form?.matches("[data-answers]"); }

  /* ---- One element at a time */

  /* Handle a clicked choice: select it, or submit it at once if the player prefers that. */
  take(button) {
    if (this.asksFirst) this.choose(button); else this.send(button);
  }

  choose(button) {
    if (this.chosen !== button) {
      this.unmark();
      this.chosen = button;
      if (button.form.id !== "several") this.table.multiSelect.untick();
    }
    this.mark();
    this.closeMenu();
    this.table.tooltip.hide();
    if (button.name === "action") this.preview(button); else this.clearGhosts();
    this.table.tabs.keepInSight(button.dataset);
    this.swipeTo(button.closest(".answers > li"));
    if (this.table.byKey && !this.button.disabled) this.button.focus({ preventScroll: true });
    tell([this.told(button) || button.textContent.trim(), $("span", this.button).textContent.trim()].join(". "));
  }

  /* Scroll a card in a swipeable row fully into view; nothing else moves. */
  swipeTo(card) {
    if (!card) return;
    const row = card.parentElement, own = card.getBoundingClientRect(), seen = row.getBoundingClientRect();
    row.scrollLeft += Math.min(own.left - seen.left, 0) || Math.max(own.right - seen.right, 0);
  }

  /* Select choices made in other ways: ticked, or picked one by one. */
  chooseQuietly(button) {
    if (this.chosen !== button) { this.unmark(); this.clearGhosts(); this.light([]); }
    this.table.tooltip.hide();
    this.chosen = button;
    this.consequence();
    this.showButton();
  }

  chooseSteps() {
    const steps = $("[data-steps] button[name=go]");
    if (this.asksFirst) this.chooseQuietly(steps);
  }

  /* Reset the choice. */
  forget() {
    const was = this.chosen;
    this.table.keys.reset();
    this.unmark();
    this.chosen = null;
    this.light([]);
    this.clearGhosts();
    this.consequence();
    this.showButton();
    if (was?.isConnected && document.activeElement === this.button) was.focus({ preventScroll: true });
    this.stand();
  }

  /* After a new position: select nothing, except the answers of questions shown side by side. */
  stand() {
    if (!this.chosen && $("[data-steps]")) this.chooseSteps();
    this.showButton();
  }

  /* A new position arrives. */
  clear() {
    this.chosen = this.hovered = null;
    this.table.keys.reset();
    this.previews.clear();
  }

  /* The same position was redrawn: keep the choice. */
  get kept() { return this.chosen && [this.chosen.form.id, this.chosen.name, this.chosen.value].join(); }
  again(kept) {
    const same = kept && this.answers.find((button) => [button.form.id, button.name, button.value].join() === kept);
    if (same && same.name === "action") this.choose(same); else this.stand();
  }

  carryOut() {
    if (this.chosen && this.isReady(this.chosen)) this.send(this.chosen);
  }

  send(button) {
    if (!this.table.busy) button.form.requestSubmit(button);
  }

  isReady(button) { return !button.disabled && button.form.checkValidity(); }

  mark() {
    this.chosen.classList.add("chosen");
    this.chosen.setAttribute("aria-pressed", "true");
    for (const thing of this.thingsOf(this.chosen)) thing.classList.add("chosen");
    this.tick();
    this.consequence();
    this.showButton();
  }

  unmark() {
    this.chosen?.classList.remove("chosen");
    this.chosen?.removeAttribute("aria-pressed");
    for (const thing of $$(".can.chosen", this.table.state)) thing.classList.remove("chosen");
    $("#board .tick")?.remove();
  }

  /* A tick on the chosen element of the board: colour is never the only sign. */
  tick() {
    const thing = $("#board [role=button].can.chosen");
    $("#board .tick")?.remove();
    if (!thing) return;
    const frame = $(":scope > :is(.panel, .glass)", thing), { x, y, width } = (frame ?? thing).getBBox();
    const drawn = (name, attributes) => {
      const shape = document.createElementNS(thing.namespaceURI, name);
      for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
      return shape;
    };
    const tick = drawn("g", { class: "tick", transform: `translate(${frame ? x + 2 : x + width - 5} ${frame ? y + 2 : y + 5})`, "aria-hidden": "true" });
    tick.append(drawn("circle", { r: 8 }), drawn("path", { d: "M-3.5 0l2.5 3 4.5-5.5" }));
    thing.append(tick);
  }

  /* The submit button: it warns if the choice cannot be taken back or would lose; beside it the number, if any. */
  showButton() {
    const button = this.button;
    if (!button) return;
    const isFinal = this.chosen?.dataset.final !== undefined;
    button.disabled = !this.chosen || !this.isReady(this.chosen);
    button.classList.toggle("final", isFinal && !button.disabled);
    const mark = $("#do-mark"), { warning, mark: words } = this.chosen?.dataset ?? {};
    $("span", button).textContent = isFinal && !warning ? button.dataset.final : button.dataset.say; // both are too long for it
    mark.hidden = !warning;
    mark.textContent = warning ? `⚠ ${words}` : "";
    const counts = this.chosen ? this.countsBeside(this.chosen) : [];
    const stepper = $("#stepper");
    stepper.hidden = counts.length < 2;
    stepper.classList.toggle("wanted", this.actions.some((one) => this.countsBeside(one).length > 1));
    $("output", stepper).textContent = counts.length ? this.shortOf(this.chosen) : "";
    $("[data-step='-1']", stepper).disabled = counts[0] === this.chosen;
    $("[data-step='1']", stepper).disabled = counts.at(-1) === this.chosen;
  }

  /* The text of a choice without its key and its sign of warning. */
  shortOf(button) {
    const bare = button.cloneNode(true);
    for (const sign of $$("kbd, .warned", bare)) sign.remove();
    return bare.textContent.trim();
  }

  /* ---- Numbers */

  /* The possible numbers for the element of a choice, in ascending order. */
  countsBeside(button) {
    const { place, track } = button.dataset;
    if (button.dataset.count === undefined || !(place || track)) return [];
    return this.inOrder(this.actions.filter((one) => one.dataset.place === place && one.dataset.track === track));
  }

  inOrder(buttons) {
    return buttons.filter((one) => one.dataset.count !== undefined).sort((one, other) => one.dataset.count - other.dataset.count);
  }

  step(by) {
    const counts = this.chosen ? this.countsBeside(this.chosen) : [];
    const next = counts[counts.indexOf(this.chosen) + by];
    if (next) this.choose(next);
  }

  /* The smallest number with an effect: one more, otherwise one less. */
  least(buttons) {
    const counts = this.inOrder(buttons);
    return counts.find((one) => one.dataset.count > 0) ?? counts.at(-1);
  }

  /* ---- Elements on the board and in the hand, and their choices */

  thing(target) {
    const found = target.closest?.(CHOOSABLE);
    return found && this.meant(found).length ? found : null;
  }

  meant(thing) {
    const { place, area, track, pile, letter, card, agenda } = thing.dataset;
    return this.actions.filter((button) => {
      const data = button.dataset;
      return (place && data.place === place) || (area && data.area === area) || (track && data.track === track) || (card && data.card === card)
        || (agenda && data.agenda === agenda) || (letter !== undefined && data.kind === "letter")
        || (pile && (data.kind === pile || (pile === "deck" && data.kind === "draw_top")));
    });
  }

  /* Choose by an element: its only choice, the next number, or one of several from a menu beside it. */
  chooseThing(thing) { this.among(this.meant(thing), thing); }

  among(meant, thing) {
    if (meant.length === 1) return this.take(meant[0]);
    if (meant.every((button) => thing.contains(button))) { this.light(meant); return meant[0].focus({ preventScroll: true }); }
    const areNumbers = meant.every((button) => button.dataset.count !== undefined);
    if (!areNumbers || !this.asksFirst) return this.openMenu(meant, thing);
    if (meant.includes(this.chosen)) this.step(1); else this.choose(this.least(meant));
  }

  openMenu(meant, thing) {
    const menu = $("#menu");
    if (!menu.hidden && menu.thing === thing) return this.closeMenu();
    menu.replaceChildren();
    menu.thing = thing;
    if (thing.dataset.tell) menu.append(this.table.tooltip.told(thing));
    for (const button of meant) {
      const clone = button.cloneNode(true);
      clone.type = "button";
      clone.removeAttribute("name");
      clone.dataset.stands = button.value;
      clone.classList.toggle("chosen", button === this.chosen);
      if (thing.dataset.area) clone.textContent = button.dataset.say; // the piece to place, not its target
      clone.addEventListener("click", () => this.take(button));
      menu.append(clone);
    }
    menu.append(document.createElement("p"));
    menu.hidden = false;
    const box = thing.getBoundingClientRect(), own = menu.getBoundingClientRect();
    const left = Math.min(Math.max(4, box.left + box.width / 2 - own.width / 2), innerWidth - own.width - 4);
    const below = box.bottom + own.height + 8 < innerHeight - ($("#dock")?.offsetHeight ?? 0) || box.top < own.height + 8;
    menu.style.left = `${left + scrollX}px`;
    menu.style.top = `${(below ? box.bottom + 6 : box.top - own.height - 6) + scrollY}px`;
    $("button", menu).focus({ preventScroll: true });
  }

  closeMenu() {
    const menu = $("#menu");
    if (menu.hidden) return;
    const thing = menu.thing;
    menu.hidden = true;
    if (menu.contains(document.activeElement) && thing?.isConnected) thing.focus?.({ preventScroll: true });
    menu.replaceChildren();
    this.showChosen();
  }

  /* Successive questions: disable answers that earlier answers exclude. */
  narrow() {
    for (const box of $$("[data-steps]")) {
      const legal = box.dataset.steps.split("|").map((one) => one.split(" "));
      const picked = [];
      for (const row of $$("fieldset", box)) {
        const left = legal.filter((one) => picked.every((value, at) => value === undefined || one[at] === value)).map((one) => one[picked.length]);
        const answers = $$("input", row);
        for (const answer of answers) {
          answer.disabled = !left.includes(answer.value);
          if (answer.disabled) answer.checked = false;
        }
        picked.push(answers.find((answer) => answer.checked)?.value);
      }
    }
  }

  /* ---- Previews */

  point(event) {
    const button = event.target.closest?.("button");
    const original = button?.dataset.stands ? this.actions.find((one) => one.value === button.dataset.stands) : button;
    if (original?.name === "action" && this.isAnswer(original)) return this.preview(original);
    const thing = this.thing(event.target);
    if (thing && thing !== this.hovered) {
      this.hovered = thing;
      const meant = this.meant(thing);
      const shown = meant.includes(this.chosen) ? this.chosen : meant.length === 1 ? meant[0] : null;
      if (shown) this.preview(shown);
      this.light(meant);
    }
  }

  leave(event) {
    const from = event.target.closest?.(`button, ${CHOOSABLE}`);
    if (!from || from.contains(event.relatedTarget)) return;
    this.hovered = null;
    this.showChosen();
  }

  /* The preview of the current choice stays visible, whatever the pointer is over. */
  showChosen() {
    if (this.chosen?.isConnected && this.chosen.name === "action") return this.preview(this.chosen);
    if (this.chosen?.isConnected && this.chosen.form?.id === "several") return this.table.multiSelect.preview();
    this.clearGhosts();
    this.light([]);
    this.consequence();
  }

  consequence(button = this.chosen) {
    const line = $("#consequence");
    if (!line) return;
    line.textContent = this.told(button);
    line.classList.toggle("warns", button?.dataset.warning !== undefined);
  }

  /* The choice in words; first, if it would lose the game, how. */
  told(button) {
    const { say = "", warning } = button?.dataset ?? {};
    return warning ? `⚠ ${warning}. ${say}` : say;
  }

  light(buttons) {
    for (const lit of $$(".lit", this.table.state)) lit.classList.remove("lit");
    for (const button of buttons) {
      button.closest(".group")?.classList.add("lit");
      for (const thing of this.thingsOf(button)) thing.classList.add("lit");
    }
  }

  /* The elements on the board, in lists and among the cards that a choice concerns. */
  thingsOf(button) {
    const { place, track, card, agenda, area } = button.dataset;
    const mark = place ? `${THINGS} [data-place="${place}"]` : track ? `${THINGS} [data-track="${track}"]`
      : card ? `.cards li[data-card="${card}"]` : agenda ? `.cards li[data-agenda="${agenda}"]` : "";
    const marks = [mark, area && `${THINGS} [data-area="${area}"]`].filter(Boolean);
    // Each side has its Reserve: the one of the other side is not meant.
    return marks.length ? $$(marks.join(), this.table.state).filter((one) => one.matches(".can, :not(.place-row, [data-whose])")) : [];
  }

  preview(button) {
    this.consequence(button);
    const menuLine = $("#menu p");
    if (menuLine) menuLine.textContent = this.told(button);
    this.light([button]);
    this.fetchGhosts("preview", `action=${button.value}`);
  }

  fetchGhosts(path, query) {
    clearTimeout(this.timer);
    const { version, viewer } = this.table.state.dataset, inRows = this.table.tabs.showsRows;
    const key = this.wanted = `${version}:${viewer}:${query}${inRows ? ":rows" : ""}`;
    this.removeGhosts();
    if (this.previews.has(key)) return this.putGhosts(this.previews.get(key), inRows);
    this.timer = setTimeout(async () => {
      try {
        const answer = await fetch(this.table.url(path, `version=${version}&${query}${inRows ? "&rows=true" : ""}`));
        if (!answer.ok) return;
        this.previews.set(key, await answer.text());
        if (this.wanted === key) this.putGhosts(this.previews.get(key), inRows);
      } catch { /* only a preview */ }
    }, 60);
  }

  putGhosts(text, inRows) {
    this.removeGhosts();
    if (inRows) return this.table.tabs.put(text);
    const board = this.table.board.svg;
    if (!text || !board) return;
    const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`, "image/svg+xml");
    for (const child of [...parsed.documentElement.childNodes]) {
      if (child.nodeType === 1) { child.classList.add("ghosts"); board.append(document.importNode(child, true)); }
    }
  }

  removeGhosts() {
    this.table.tabs.clear();
    for (const old of $$(".ghosts", this.table.board.svg ?? document)) old.remove();
  }
  clearGhosts() { clearTimeout(this.timer); this.wanted = ""; this.removeGhosts(); }
}
