/* Browser notifications: one for each turn while a page of this server is open anywhere, including background tabs.
   Permission is requested only on a click. Pending turns come from the server; all tabs share the record of those
   shown. */
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
    } catch { /* the next poll may succeed */ }
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
