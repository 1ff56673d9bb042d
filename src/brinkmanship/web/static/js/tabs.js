/* The table of a small screen: its parts are tabs, and the rows of its lists are what one chooses from. */
"use strict";

const ROWS = ".place-row";

class Tabs {
  constructor(table) {
    this.table = table;
    this.before = new Map();
    this.open = kept("tab", "");
    document.addEventListener("keydown", (event) => this.key(event));
    // A phone that is turned has other tabs: the hand lies open where there is room.
    addEventListener("resize", () => { if (this.all.length) this.show(this.openTab); });
    document.addEventListener("contextmenu", (event) => {
      const row = event.target.closest(ROWS);
      if (row) { event.preventDefault(); this.table.telling.tell(row); }
    });
  }

  get list() { return $("#tabs"); }
  get all() { return this.list ? $$("[role=tab]", this.list).filter((tab) => tab.getClientRects().length) : []; }
  panel(tab) { return document.getElementById(tab.getAttribute("aria-controls")); }

  /* After a new position. The tab stays; but where the question is answered in the rows of another, that one comes to
     the front. */
  arrange() {
    this.before.clear();
    if (!this.list) return;
    for (const tab of this.all) {
      const panel = this.panel(tab);
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
    }
    const { version, reader } = this.table.state.dataset, moment = `${version}:${reader}`;
    let tab = this.openTab;
    if (this.moment !== moment && !this.holdsAnswer(tab) && !$(".answers")) tab = this.all.find((one) => this.holdsAnswer(one)) ?? tab;
    // A game that ends shows what its score is made of.
    if (this.moment !== moment) tab = $("#tab-score") ?? tab;
    this.moment = moment;
    this.show(tab);
    $(`${ROWS}.can`, this.panel(tab))?.scrollIntoView({ block: "nearest" });
  }

  /* Whether a list is in front, so that an action is shown in its rows. */
  get showsRows() { return this.list !== null && $(".rows:not(.tab-off)") !== null; }

  get openTab() { return this.all.find((one) => one.id === this.open) ?? this.all[0]; }

  holdsAnswer(tab) { return $(`${ROWS}.can`, this.panel(tab)) !== null; }

  show(tab) {
    this.open = tab.id;
    keep("tab", tab.id);
    for (const one of this.all) {
      const isOpen = one === tab;
      one.setAttribute("aria-selected", String(isOpen));
      one.tabIndex = isOpen ? 0 : -1;
      this.panel(one).classList.toggle("tab-off", !isOpen);
    }
    tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    const log = $("#log-lines");
    if (tab.id === "tab-story" && log) log.scrollTop = log.scrollHeight;
  }

  /* What was clicked, if it is of the tabs or rows. */
  click(event) {
    const tab = event.target.closest("[role=tab]");
    if (tab) {
      this.show(tab);
      this.table.choosing.showChosen(); // in what is now in front
      return true;
    }
    const row = event.target.closest(ROWS);
    if (!row) return false;
    if (row.classList.contains("can")) this.choose(row); else this.table.telling.tell(row);
    return true;
  }

  /* Numbers and what is the only answer are chosen on the row; of several deeds at a place the dock offers the list. */
  choose(row) {
    const { choosing, telling } = this.table, meant = choosing.meant(row);
    telling.hide();
    for (const group of $$("#choices .group.open")) group.classList.remove("open");
    for (const other of $$(`${ROWS}.open`)) other.classList.remove("open");
    const group = meant[0]?.closest(".group:not(.face)");
    const areSeveral = meant.length > 1 && (meant.some((button) => button.dataset.count === undefined) || !choosing.asksFirst);
    const isList = areSeveral || meant.some((button) => button.closest(".pick")); // which can be ticked, too
    if (!isList || !group) return meant.length && choosing.chooseThing(row);
    row.classList.add("open");
    for (const button of meant) button.closest(".group").classList.add("open");
    group.scrollIntoView({ block: "nearest" });
    if (meant.length === 1) choosing.chooseThing(row); // its only answer; it can be ticked there as well
  }

  /* The dock grows with what is chosen, and the list above it gives way: the row that was tapped stays in sight. */
  keepInSight({ place, track }) {
    const front = $(".rows:not(.tab-off)"), chosen = place ? `[data-place="${place}"]` : track ? `[data-track="${track}"]` : "";
    if (front && chosen) $(`${ROWS}.can${chosen}`, front)?.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const tab = event.target.closest("[role=tab]");
    if (!tab) return;
    const all = this.all, at = all.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[to % all.length];
    this.show(next);
    next.focus({ preventScroll: true });
  }

  /* ---- Ghosts: what an action would change, in its rows */

  put(text) {
    this.clear();
    const holder = document.createElement("template");
    holder.innerHTML = text;
    for (const fresh of $$("[data-row]", holder.content)) {
      const row = $(`#state [data-row="${fresh.dataset.row}"]`);
      if (!row || row.innerHTML.trim() === fresh.innerHTML.trim()) continue;
      this.before.set(row, [...row.childNodes]);
      row.replaceChildren(...fresh.childNodes);
      row.classList.add("changed");
    }
  }

  clear() {
    for (const [row, children] of this.before) {
      row.replaceChildren(...children);
      row.classList.remove("changed");
    }
    this.before.clear();
  }
}
