/* The table on a small screen: its parts are tabs, and the rows of its lists are selectable. */
"use strict";

const ROWS = ".place-row";

class Tabs {
  constructor(table) {
    this.table = table;
    this.before = new Map();
    this.open = kept("tab", "");
    document.addEventListener("keydown", (event) => this.key(event));
    // A rotated phone has other tabs: the hand is always open if there is room.
    addEventListener("resize", () => { if (this.all.length) this.show(this.openTab); });
    document.addEventListener("contextmenu", (event) => {
      const row = event.target.closest(ROWS);
      if (row) { event.preventDefault(); this.table.tooltip.tell(row); }
    });
  }

  get list() { return $("#tabs"); }
  get all() { return this.list ? $$("[role=tab]", this.list).filter((tab) => tab.getClientRects().length) : []; }
  panel(tab) { return document.getElementById(tab.getAttribute("aria-controls")); }

  /* After a new position. Keep the tab, unless the question is answered in the rows of another, which is then opened.
     */
  arrange() {
    this.before.clear();
    if (!this.list) return;
    for (const tab of this.all) {
      const panel = this.panel(tab);
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
    }
    const { version, viewer } = this.table.state.dataset, moment = `${version}:${viewer}`;
    let tab = this.openTab;
    if (this.moment !== moment && !this.holdsAnswer(tab) && !$(".answers")) tab = this.all.find((one) => this.holdsAnswer(one)) ?? tab;
    // After the end of the game, show the breakdown of the score.
    if (this.moment !== moment) tab = $("#tab-score") ?? tab;
    this.moment = moment;
    this.show(tab);
    this.markLog();
    $(`${ROWS}.can`, this.panel(tab))?.scrollIntoView({ block: "nearest" });
  }

  /* Return true if a list is in front, so that an action is previewed in its rows. */
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
    if (tab.id === "tab-story") this.readLog();
  }

  get readKey() { return `log:${this.table.state.dataset.table}:${this.table.state.dataset.viewer}`; }

  /* The newest lines are in sight; the browser stores how far the log has been read. */
  readLog() {
    const log = $("#log-lines");
    log.scrollTop = log.scrollHeight;
    keep(this.readKey, this.table.state.dataset.lines);
    this.markLog();
  }

  /* The mark on the tab of the log goes when its lines have been read. */
  markLog() {
    if (Number(kept(this.readKey, "0")) >= Number(this.table.state.dataset.lines)) $(".unread-lines", this.list)?.remove();
  }

  /* Handle a click on a tab or row; return true if it was one. */
  click(event) {
    const tab = event.target.closest("[role=tab]");
    if (tab) {
      this.show(tab);
      this.table.selection.showChosen(); // in the tab now in front
      return true;
    }
    const row = event.target.closest(ROWS);
    if (!row) return false;
    if (row.classList.contains("can")) this.choose(row); else this.table.tooltip.tell(row);
    return true;
  }

  /* Select numbers and only choices on the row; for several actions at a place the dock offers the list. */
  choose(row) {
    const { selection, tooltip } = this.table, meant = selection.meant(row);
    tooltip.hide();
    for (const group of $$("#choices .group.open")) group.classList.remove("open");
    for (const other of $$(`${ROWS}.open`)) other.classList.remove("open");
    const group = meant[0]?.closest(".group:not(.face)");
    const areSeveral = meant.length > 1 && (meant.some((button) => button.dataset.count === undefined) || !selection.asksFirst);
    const isList = areSeveral || meant.some((button) => button.closest(".pick")); // which can be ticked as well
    if (!isList || !group) return meant.length && selection.chooseThing(row);
    row.classList.add("open");
    for (const button of meant) button.closest(".group").classList.add("open");
    group.scrollIntoView({ block: "nearest" });
    if (meant.length === 1) selection.chooseThing(row); // its only choice, which can be ticked there as well
  }

  /* The dock grows with the choice, and the list above it shrinks: keep the tapped row in view. */
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

  /* ---- Ghosts: the effect of an action, in its rows */

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
