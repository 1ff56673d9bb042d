/* Notifications of the browser: while a page of ours is open anywhere, one for each turn, also in a tab behind others.
   Permission is asked only on a click. What is due comes from the server; which were shown all tabs remember together. */
"use strict";

class Bell {
  constructor() {
    this.seconds = 30;
    for (const button of document.querySelectorAll("[data-notify]")) this.offer(button);
    if (this.may) this.begin();
  }

  get may() { return "Notification" in window && Notification.permission === "granted"; }

  offer(button) {
    const granted = () => { button.textContent = button.dataset.on; button.disabled = true; };
    if (!("Notification" in window)) button.hidden = true;
    else if (this.may) granted();
    else button.addEventListener("click", async () => {
      if (await Notification.requestPermission() !== "granted") return;
      granted();
      this.begin();
    });
  }

  begin() {
    this.look();
    setInterval(() => this.look(), this.seconds * 1000);
  }

  async look() {
    if (!this.may) return;
    try {
      const answer = await fetch("/notices/turns", { headers: { Accept: "application/json" } });
      if (answer.ok) for (const turn of await answer.json()) this.ring(turn);
    } catch { /* the next look may do better */ }
  }

  ring({ table, turn, title, text }) {
    const key = `told:${table}`;
    let told = null;
    try { told = localStorage.getItem(key); } catch { /* private window: the tag still joins them */ }
    if (told === String(turn)) return;
    try { localStorage.setItem(key, turn); } catch { /* as above */ }
    const address = `/t/${table}`;
    if (!document.hidden && location.pathname === address) return;
    const shown = new Notification(title, { body: text, tag: `${table}:${turn}` });
    shown.addEventListener("click", () => {
      window.focus();
      if (location.pathname !== address) location.href = address;
      shown.close();
    });
  }
}

window.bell = new Bell();
