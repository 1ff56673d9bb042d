/* What is said at the table, and what of it the reader has not seen. A line is read when it stands in an open box, on a
   page that is looked at; up to which one has read this browser remembers. */
"use strict";
{
/* new Talk({ table, side, isPlayer, changed }): `side` is the reader's; `changed()` is called when lines have come or have been read. */
class Talk {
  constructor({ table, side, isPlayer, changed }) {
    Object.assign(this, { side, changed, key: `read:${table}` });
    this.box = document.querySelector("#chat-box");
    this.isInSight = false;
    // Who only watches need not catch up on what players said before he came.
    this.read = Number(this.recall() ?? (isPlayer ? 0 : this.last));
    this.watch = new IntersectionObserver(([entry]) => {
      this.isInSight = entry.isIntersecting;
      this.look();
    }, { threshold: 0.5 });
    this.box.addEventListener("toggle", () => this.look());
    document.addEventListener("visibilitychange", () => this.look());
    this.atEnd();
  }

  get said() { return document.querySelector("#said"); }
  get lines() { return [...this.said.querySelectorAll("li[data-said]")]; }
  get last() { return Number(this.said.dataset.said); }
  get unread() { return this.lines.filter((line) => Number(line.dataset.said) > this.read && !this.isOwn(line)); }

  isOwn(line) { return line.classList.contains(`side-${this.side}`); }

  /* Put the chat as it is now; the lines that are new. */
  show(html) {
    const before = this.last;
    document.querySelector("#chat").innerHTML = html;
    ownTime(this.said);
    this.atEnd();
    this.changed();
    return this.lines.filter((line) => Number(line.dataset.said) > before);
  }

  atEnd() {
    this.said.scrollTop = this.said.scrollHeight;
    this.watch.disconnect();
    this.watch.observe(this.said);
  }

  /* Go there, to read and to answer. */
  open() {
    this.box.open = true;
    this.box.scrollIntoView({ block: "nearest" });
    this.box.querySelector("input[name=text]")?.focus({ preventScroll: true });
  }

  /* What is in sight is read. */
  look() {
    if (!this.isInSight || !this.box.open || document.hidden || this.last <= this.read) return;
    this.read = this.last;
    try { localStorage.setItem(this.key, this.read); } catch { /* private window */ }
    this.changed();
  }

  recall() { try { return localStorage.getItem(this.key); } catch { return null; } }
}

window.Talk = Talk;
}
