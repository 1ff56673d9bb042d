/* The keyboard: letters and digits select, Enter submits, Esc resets. */
"use strict";

/* Letters of the Russian keyboard layout. */
const RUSSIAN_LETTERS = "йцукенгшщзхъфывапролджэячсмитьбю";
const RUSSIAN = [..."QWERTYUIOP"].map((letter) => `Key${letter}`).concat("BracketLeft", "BracketRight",
  [..."ASDFGHJKL"].map((letter) => `Key${letter}`), "Semicolon", "Quote", [..."ZXCVBNM"].map((letter) => `Key${letter}`), "Comma", "Period");

class Keys {
  constructor(table) {
    this.table = table;
    this.reset();
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    const { table } = this, { selection, multiSelect, tooltip, missed } = table;
    table.byKey = true;
    const { key } = event;
    if (key === "?") { table.panels.help(); event.preventDefault(); return; }
    if (key === "Escape" && event.target.closest("#board-text.text-off")) return $("#prompt").focus();
    if (key === "Escape" && table.panels.isOpen) return table.panels.close();
    if ($("#away") && (key === "," || key === ".")) { event.preventDefault(); missed.step(key === "," ? -1 : 1); return; }
    if (key === "Escape" && $("#menu").hidden && $("#card-view").hidden && !selection.chosen && $("#away")) { missed.done(); return; }
    if (key === "Escape") { selection.closeMenu(); multiSelect.untick(); selection.forget(); tooltip.hide(); return; }
    if (key.startsWith("Arrow")) return this.arrow(event);
    if (key === "Enter" && this.doesIt(event.target)) {
      event.preventDefault();
      if (!event.repeat) selection.carryOut();
      return;
    }
    if (key === "Enter" || key === " ") return this.onBoard(event);
    this.type(event);
  }

  /* Enter submits the choice, unless the focus is on another element that it would open or select. */
  doesIt(target) {
    const { selection, multiSelect } = this.table, { chosen } = selection;
    const on = target.closest("button, a, summary, input[type=checkbox], .can, .goal, [data-tell]");
    return chosen && (!on || on === selection.button || on === chosen || selection.meant(on).includes(chosen) || (chosen === multiSelect.button && multiSelect.goesTo(on)));
  }

  /* Enter or the space bar on an element of the board is a click on it. */
  onBoard(event) {
    const { selection, multiSelect, tooltip } = this.table;
    if (!event.target.closest("#board")) return;
    const goal = event.target.closest(".goal"), thing = selection.thing(event.target), told = tooltip.thing(event.target);
    if (event.shiftKey && multiSelect.add(event.target, true)) event.preventDefault();
    else if (goal) { event.preventDefault(); multiSelect.sendTo(goal.dataset.place); }
    else if (thing) { event.preventDefault(); selection.chooseThing(thing); }
    else if (told) { event.preventDefault(); tooltip.tell(told); }
  }

  /* A key of the page, or of a choice. */
  type(event) {
    const { latin, letter } = this.read(event);
    if (hear(latin) || this.answerStep(Number(latin))) { event.preventDefault(); return; }
    const tool = $$("#state [data-key]:not([data-kind])").find((one) => one.dataset.key === latin);
    if (tool) { event.preventDefault(); tool.focus({ preventScroll: true }); tool.click(); return; }
    if (letter && (this.mean(this.begun + letter) || (this.begun && this.mean(letter)))) event.preventDefault();
    else this.begun = "";
  }

  /* The typed key, as Latin letters and in the letters of the page's choices: by physical key, for users of the other
     layout. */
  read({ key, code, shiftKey }) {
    const isPlain = /^[\x21-\x7e]$/.test(key), place = RUSSIAN.indexOf(code);
    const latin = isPlain ? key : /^Key[A-Z]$/.test(code) ? (shiftKey ? code.slice(3) : code.slice(3).toLowerCase()) : "";
    const isRussian = this.table.selection.answers.some((answer) => /[а-я]/.test(answer.dataset.at + answer.dataset.key));
    if (!isRussian) return { latin, letter: latin };
    const russian = key.length === 1 && !isPlain ? key.toLowerCase() : place < 0 ? latin : RUSSIAN_LETTERS[place];
    return { latin, letter: russian.replace("ё", "е") };
  }

  /* Return true if the keys identify, or are a prefix of: a choice of the open element, an element, or a choice without
     one. */
  mean(keys) {
    const { selection } = this.table, { actions } = selection;
    const at = selection.chosen?.dataset.at ?? this.open;
    const inside = actions.filter((one) => at && one.dataset.at === at), alone = actions.filter((one) => !one.dataset.at);
    if (inside.length > 1 && this.meanInside(keys, inside)) return true;
    const thing = actions.filter((one) => one.dataset.at === keys);
    const lone = alone.find((one) => one.dataset.key === keys);
    const isMore = [...alone.map((one) => one.dataset.key), ...actions.map((one) => one.dataset.at)].some((one) => one?.startsWith(keys) && one !== keys);
    this.begun = isMore ? keys : "";
    if (thing.length) this.openThing(keys, thing);
    else if (lone && isMore) selection.choose(lone); // 1 might become 13
    else if (lone) selection.take(lone);
    return thing.length > 0 || lone !== undefined || isMore;
  }

  meanInside(keys, inside) {
    const { selection } = this.table, { chosen } = selection;
    const own = inside.find((one) => one.dataset.key === keys);
    const counts = selection.inOrder(inside);
    const isLess = Number(chosen?.dataset.count ?? 1) < 0;
    const number = counts.find((one) => Math.abs(one.dataset.count) === Number(keys) && one.dataset.count < 0 === isLess)
      ?? counts.find((one) => Math.abs(one.dataset.count) === Number(keys));
    this.begun = inside.some((one) => one.dataset.key?.startsWith(keys) && one !== own) ? keys : "";
    if (own && this.begun) selection.choose(own);
    else if (own ?? number) selection.take(own ?? number);
    else if (counts.includes(chosen) && (keys === "+" || keys === "-")) selection.step(keys === "+" ? 1 : -1);
    else return this.begun !== "";
    return true;
  }

  /* An element with several choices opens for their keys; of numbers the least is selected. */
  openThing(at, answers) {
    const { selection } = this.table;
    this.open = at;
    if (answers.length === 1) selection.take(answers[0]);
    else if (selection.asksFirst && answers.every((one) => one.dataset.count !== undefined)) selection.choose(selection.least(answers));
    else {
      selection.forget();
      this.open = at;
      selection.light(answers);
      answers[0].focus({ preventScroll: true });
    }
  }

  /* A digit answers the next of the questions that are asked side by side. */
  answerStep(digit) {
    const rows = $$("#choices [data-steps] fieldset"), isOpen = (row) => !$("input:checked", row);
    const answer = rows.length && digit ? $$("input", rows.find(isOpen) ?? rows[0])[digit - 1] : null;
    if (!answer || answer.disabled) return false;
    answer.click();
    const next = rows.find(isOpen);
    (next ? $("input:enabled", next) : this.table.selection.button).focus({ preventScroll: true });
    return true;
  }

  /* Give each choice without a key the next number that is free beside it. */
  number() {
    const { actions } = this.table.selection, at = (one) => one.dataset.at ?? "";
    for (const one of actions.filter(({ dataset }) => !dataset.key && dataset.count === undefined)) {
      const beside = actions.filter((other) => at(other) === at(one));
      if (at(one) && beside.length === 1) continue;
      const taken = beside.flatMap(({ dataset }) => [dataset.key, String(Math.abs(dataset.count))]).concat(at(one) ? [] : actions.map(at));
      let number = 1;
      while (taken.includes(String(number))) number++;
      one.dataset.key = String(number);
    }
  }

  /* Forget partly typed keys. */
  reset() { this.begun = this.open = ""; }

  arrow(event) {
    if (event.target.closest("input")) return;
    const menu = $("#menu"), { selection } = this.table;
    const among = menu.hidden ? selection.actions : $$("button", menu);
    const from = document.activeElement === selection.button ? selection.chosen : document.activeElement;
    const there = among.indexOf(from);
    const inBoard = event.target.closest("#board .can, .log, .cards, .recap, summary, .top");
    if (!among.length || (there < 0 && inBoard)) return;
    event.preventDefault();
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
    const next = among[there < 0 ? (step > 0 ? 0 : among.length - 1) : (there + step + among.length) % among.length];
    next.focus();
  }
}
