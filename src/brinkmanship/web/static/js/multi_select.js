/* Multi-selection: pieces ticked in the list or on the board are sent together. */
"use strict";

class MultiSelect {
  constructor(table) {
    this.table = table;
  }

  /* The same position was redrawn: keep ticks, numbers and target. */
  carryOver(old, fresh) {
    for (const field of $$("[name=pick], [name^='many-'], #several-goal, [data-steps] input", fresh)) {
      const same = [...old.querySelectorAll(`[name="${field.name}"]`)].find((one) => field.matches("select") || one.value === field.value);
      if (same && field.matches("select")) field.value = same.value;
      else if (same) field.checked = same.checked;
    }
  }

  get picks() { return $$("#state input[name=pick]"); }
  many(pick) { return $(`#state select[name="many-${pick.value}"]`); }

  /* Tick one more of the piece pointed at, or with `one` false all of its place or none. */
  add(target, one) {
    const place = target.closest("#board [data-place]")?.dataset.place;
    const piece = target.closest("#board [data-unit]")?.dataset.unit;
    const there = this.picks.filter((pick) => pick.dataset.place === place);
    const same = there.filter((pick) => pick.dataset.piece === piece).slice(0, 1);
    const meant = same.length ? same : piece ? [] : there;
    for (const pick of meant) {
      const many = this.many(pick), last = many ? many.options.length : 1, now = pick.checked ? Number(many?.value ?? 1) : 0;
      const next = one && meant.length === 1 ? (now + 1) % (last + 1) : now === last ? 0 : last;
      pick.checked = next > 0;
      if (many && next) many.value = next;
    }
    if (meant.length) this.ticked();
    return meant.length > 0;
  }

  /* One piece of a type. */
  tickOne(pick) {
    const many = this.many(pick);
    pick.checked = true;
    if (many) many.value = "1";
    this.ticked();
  }

  /* The ticked pieces determine the possible targets, which are highlighted. */
  ticked() {
    const picks = this.picks.filter((pick) => pick.checked), form = $("#several");
    if (!form) return;
    const ways = picks.filter((pick) => pick.dataset.goals).map((pick) => pick.dataset.goals.split(" "));
    const select = $("#several-goal");
    for (const mark of $$(".goal, .picked", this.table.board.svg)) mark.classList.remove("goal", "picked", "aimed");
    for (const pick of picks) {
      for (const counter of $$(`[data-place="${pick.dataset.place}"] [data-unit="${pick.dataset.piece}"]`, this.table.board.svg)) counter.classList.add("picked");
    }
    if (select) {
      const common = [...select.options].some((option) => option.value && ways.every((way) => way.includes(option.value)));
      select.parentElement.hidden = !ways.length || !common;
      $("#several-none").hidden = common;
      select.required = ways.length > 0;
      for (const option of select.options) {
        option.hidden = option.disabled = option.value !== "" && !ways.every((way) => way.includes(option.value));
        if (!ways.length || option.hidden || !option.value) continue;
        for (const place of $$(`[data-place="${option.dataset.place}"]`, this.table.board.svg)) place.classList.add("goal");
      }
      if (select.selectedOptions[0]?.disabled) select.value = "";
      const aimed = select.selectedOptions[0]?.dataset.place;
      for (const place of $$(`.goal[data-place="${aimed}"]`, this.table.board.svg)) place.classList.add("aimed");
    }
    const count = picks.reduce((sum, pick) => sum + Number(this.many(pick)?.value ?? 1), 0);
    // The last piece that may be sent ends the turn, whichever pieces they are.
    const last = Math.min(...this.picks.map((pick) => Number(pick.dataset.ends ?? Infinity)));
    const isTooMany = count > last;
    $("#several-count").textContent = isTooMany ? `${count} / ${last}` : count;
    this.button.disabled = isTooMany || $("#several-none")?.hidden === false;
    this.button.toggleAttribute("data-final", count >= last);
    form.classList.toggle("some", count > 0);
    $("#dock").classList.toggle("picking", count > 0);
    if (count) tell(`${$("#several-title").textContent} ${count}`);
    this.offer(count > 0);
    if (count && !this.button.disabled) this.preview();
    else this.table.selection.clearGhosts();
  }

  /* Show on the board where the ticked pieces will be; without a common target there is nothing to show. */
  preview() {
    const fields = new URLSearchParams(new FormData($("#several")));
    for (const name of ["csrf", "side", "version"]) fields.delete(name);
    if (!fields.get("goal")) fields.delete("goal");
    this.table.selection.fetchGhosts("preview/several", fields);
  }

  get button() { return $("#several button"); }

  /* Ticked pieces are the current choice, submitted with the common button. */
  offer(isSome) {
    const { selection } = this.table;
    if (isSome && selection.asksFirst) selection.chooseQuietly(this.button);
    else if (!isSome && selection.chosen === this.button) selection.forget();
  }

  /* Send all ticked pieces to a place of the board. */
  sendTo(place) {
    const select = $("#several-goal");
    select.value = [...select.options].find((option) => option.dataset.place === place).value;
    this.ticked();
    this.table.selection.take(this.button);
  }

  /* Return true if all ticked pieces can go to an element of the board. */
  goesTo(thing) {
    const chosen = $("#several-goal")?.selectedOptions[0]?.dataset.place;
    return chosen !== undefined && thing.dataset.place === chosen;
  }

  untick() {
    const ticked = this.picks.filter((pick) => pick.checked);
    for (const pick of ticked) pick.checked = false;
    if (ticked.length) this.ticked();
  }
}
