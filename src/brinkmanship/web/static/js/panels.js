/* Panels beside the board: the rules of the current step, and the discards as a drawer of cards. */
"use strict";

class Panels {
  constructor(table) {
    this.table = table;
    this.panel = $("#panel");
    this.body = $("#panel-body");
    this.opener = null;
  }

  get isOpen() { return !this.panel.hidden; }

  /* Handle a click for the panel; return true if it was one. */
  click(target) {
    if (target.closest("[data-panel-close]")) this.close();
    else if (target.closest("[data-help]")) this.help(target.closest("[data-help]"));
    else if (target.closest("#board [data-pile=discard]:not(.can)")) this.discards(target.closest("[data-pile]"));
    else return false;
    return true;
  }

  /* If the button names the list of keys, scroll it into view. */
  async help(opener = document.activeElement) {
    const asksForKeys = opener?.dataset.help === "all-keys";
    if (asksForKeys && this.what === "rules") this.opener = opener; else await this.toggle("rules", this.body.dataset.step, opener);
    if (asksForKeys && this.isOpen) $("#all-keys").scrollIntoView({ block: "nearest" });
  }

  discards(opener) { this.toggle("discards", this.body.dataset.discard, opener); }

  async toggle(what, title, opener) {
    if (this.isOpen && this.what === what) return this.close();
    this.what = what;
    this.opener = opener;
    const text = await this.table.get(what, AbortSignal.timeout(LONGEST_ANSWER));
    if (!text || this.what !== what) return;
    $("#panel-title").textContent = title;
    this.fill(text);
    this.panel.hidden = false;
    this.panel.focus({ preventScroll: true });
  }

  /* An open panel shows current data: reload it after each action. */
  async renew() {
    if (!this.isOpen) return;
    const what = this.what, text = await this.table.get(what, AbortSignal.timeout(LONGEST_ANSWER));
    if (text && this.what === what) this.fill(text);
  }

  /* Above the rules of a step stand its choices with their keys. */
  fill(text) {
    if (this.text !== text) this.body.innerHTML = this.text = text;
    $(".answer-keys", this.body)?.remove();
    if (this.what === "rules") this.body.prepend(answerKeys());
  }

  close() {
    this.what = null;
    this.panel.hidden = true;
    const opener = this.opener?.isConnected && this.opener !== document.body ? this.opener : $("#prompt");
    opener.focus({ preventScroll: true });
  }
}
