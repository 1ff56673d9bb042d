/* Hints: requested with a button or a key, shown beside the question; a hinted choice can be selected, but is not sent.
   */
"use strict";

const LONGEST_HINT = 120_000;  // milliseconds: other requests may use the same processors

class Hints {
  constructor(table) { this.table = table; }

  /* The player may go on choosing while waiting: a hint for an outdated position is dropped. */
  async ask(form, submitter) {
    if (this.askedAt !== undefined) return;
    const { table } = this, { version, seat } = table.state.dataset;
    this.askedAt = version;
    this.arrange();
    tell(submitter.dataset.waiting);
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
    tell($$("tbody tr", fresh).map(plain).join(". "));
  }

  /* Show the waiting state, also after the position has been redrawn. */
  arrange() {
    const button = $("#hint"), isAsked = this.askedAt !== undefined && this.askedAt === this.table.state.dataset.version;
    button?.classList.toggle("waits", isAsked);
    button?.setAttribute("aria-busy", String(isAsked));
    const box = $("#hints");
    if (box && isAsked) box.replaceChildren(Object.assign(document.createElement("p"), { className: "waits", textContent: button.dataset.waiting }));
    else $("#hints > .waits")?.remove();
  }

  /* Handle a click on a hint or on the close button; return true if it was one. */
  click(target) {
    const advised = target.closest("[data-advised]");
    if (target.closest("[data-close-hints]")) { $("#hints").replaceChildren(); $("#hint").focus({ preventScroll: true }); }
    else if (advised) this.choose(advised);
    else return false;
    return true;
  }

  choose(advised) {
    const { selection } = this.table;
    if (advised.dataset.asSteps) {
      advised.dataset.asSteps.split(" ").forEach((id, at) => {
        $(`[data-steps] input[name="step-${at + 1}"][value="${id}"]`).checked = true;
        selection.narrow();
      });
      selection.chooseSteps();
      return;
    }
    const button = selection.actions.find((one) => one.value === advised.dataset.advised);
    const folded = button.closest("details");
    if (folded) folded.open = true;
    selection.choose(button);
    if (!selection.asksFirst) button.focus();
  }
}
