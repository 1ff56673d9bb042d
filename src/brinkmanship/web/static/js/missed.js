/* On return: show the other side's actions one by one, and record how far this player has seen. */
"use strict";

class MissedEvents {
  constructor(table) {
    this.table = table;
    this.hello();
    this.begin();
  }

  get seenKey() { return `seen:${this.table.state.dataset.table}:${this.table.state.dataset.viewer}`; }

  /* On return: events since the last visit are shown above the prompt, and marked in the log. */
  hello() {
    const seen = Number(kept(this.seenKey, "-1"));
    const total = Number(this.table.state.dataset.lines);
    if (seen < 0 || seen >= total) return;
    for (const line of this.table.lineList()) if (Number(line.dataset.n) >= seen) line.classList.add("new");
  }

  saw() {
    if (document.hidden) return;
    keep(this.seenKey, this.table.state.dataset.lines);
    if (!$("#away") && this.noted !== this.table.state.dataset.version) {
      clearTimeout(this.noting);
      this.noting = setTimeout(() => this.note(), 1500);
    }
  }

  /* The server stores how far this player has seen, also for their other devices. */
  async note() {
    const csrf = $("meta[name=csrf]").content;
    if (!csrf || !$("#note-box")) return;
    this.noted = this.table.state.dataset.version;
    try {
      await fetch(this.table.url("seen").split("?")[0], { method: "POST", headers: { "X-Fragment": "1", "X-CSRF-Token": csrf } });
    } catch { this.noted = undefined; }
  }

  /* On return: the other side's actions, one by one. */
  begin() {
    document.addEventListener("visibilitychange", () => { this.noted = undefined; this.saw(); });
    const box = $("#away");
    if (!box) return;
    this.at = 0;
    $("#away-before").addEventListener("click", () => this.step(-1));
    $("#away-after").addEventListener("click", () => this.step(1));
    $("[data-away]", box).addEventListener("submit", (event) => { event.preventDefault(); this.done(); });
    this.step(0);
  }

  step(by) {
    const steps = $$(".away-steps > li");
    this.at = Math.min(Math.max(this.at + by, 0), steps.length - 1);
    steps.forEach((step, at) => { step.hidden = at !== this.at; });
    $("#away-at").textContent = `${this.at + 1}\u202f/\u202f${steps.length}`;
    $("#away-before").disabled = this.at === 0;
    $("#away-after").disabled = this.at === steps.length - 1;
  }

  done() {
    const box = $("#away");
    if (!box) return;
    const held = box.contains(document.activeElement);
    box.remove();
    if (held) $("#prompt").focus({ preventScroll: true });
    this.note();
  }
}
