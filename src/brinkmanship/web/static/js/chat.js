/* The chat, and its unread messages. A message is read when it is in an open box on a visible page; the browser stores
   the last one read. */
"use strict";
{
/* new Chat({ table, side, isPlayer, changed }): `side` is the viewer's; `changed()` is called after messages arrived or
   were read. */
class Chat {
  constructor({ table, side, isPlayer, changed }) {
    Object.assign(this, { side, changed, key: `read:${table}` });
    this.box = document.querySelector("#chat-box");
    this.isInSight = false;
    // Spectators need not catch up on messages from before they came.
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

  /* Replace the chat with its current contents; return the new messages. */
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

  /* Open the chat to read and reply. */
  open() {
    this.box.open = true;
    this.box.scrollIntoView({ block: "nearest" });
    this.box.querySelector("input[name=text]")?.focus({ preventScroll: true });
  }

  /* Mark visible messages as read. */
  look() {
    if (!this.isInSight || !this.box.open || document.hidden || this.last <= this.read) return;
    this.read = this.last;
    try { localStorage.setItem(this.key, this.read); } catch { /* private window */ }
    this.changed();
  }

  recall() { try { return localStorage.getItem(this.key); } catch { return null; } }
}

window.Chat = Chat;
}
