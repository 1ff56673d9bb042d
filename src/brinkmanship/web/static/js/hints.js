/* Hints: asked for by a button or a key, shown beside the question; what is advised can be chosen, and is not sent. */
"use strict";

const LONGEST_HINT = 120_000;  // milliseconds: others may wait for the same processors

class Hints {
  constructor(table) { this.table = table; }

  /* Whoever waits may go on choosing: a hint for a position that is no longer there is dropped. */
  async ask(form, submitter) {
    if (this.askedAt !== undefined) return;
    const { table } = this, { version, seat } = table.state.dataset;
    this.askedAt = version;
    this.arrange();
    $("#live").textContent = submitter.dataset.waiting;
    const { ok, text } = await table.post(form, submitter, LONGEST_HINT);
    this.askedAt = undefined;
    this.arrange();
    const now = table.state.dataset;
    if (!text || now.version !== version || now.seat !== seat) return;
    const holder = document.createElement("template");
    holder.innerHTML = text;
    if (!ok) return table.swap(text, true);
    const fresh = $("#hints", holder.content);
    if (!fresh) return;
    $("#hints").replaceWith(fresh);
    $("#live").textContent = $$("li", fresh).map((line) => line.textContent.trim().replace(/\s+/g, " ")).join(". ");
  }

  /* That one is waited for, also where the position has been drawn anew. */
  arrange() {
    const button = $("#hint"), isAsked = this.askedAt !== undefined && this.askedAt === this.table.state.dataset.version;
    button?.classList.toggle("waits", isAsked);
    button?.setAttribute("aria-busy", String(isAsked));
    const box = $("#hints");
    if (box && isAsked) box.replaceChildren(Object.assign(document.createElement("p"), { className: "waits", textContent: button.dataset.waiting }));
    else $("#hints > .waits")?.remove();
  }

  /* A click on what was advised, or on the cross; whether it was one. */
  click(target) {
    const advised = target.closest("[data-advised]");
    if (target.closest("[data-close-hints]")) { $("#hints").replaceChildren(); $("#hint").focus({ preventScroll: true }); }
    else if (advised) this.choose(advised);
    else return false;
    return true;
  }

  choose(advised) {
    const { choosing } = this.table;
    if (advised.dataset.asSteps) {
      advised.dataset.asSteps.split(" ").forEach((id, at) => {
        $(`[data-steps] input[name="step-${at + 1}"][value="${id}"]`).checked = true;
        choosing.narrow();
      });
      choosing.chooseSteps();
      return;
    }
    const button = choosing.actions.find((one) => one.value === advised.dataset.advised);
    const folded = button.closest("details");
    if (folded) folded.open = true;
    choosing.choose(button);
    if (!choosing.asksFirst) button.focus();
  }
}
