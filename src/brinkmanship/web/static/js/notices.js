/* Browser notifications: one for each turn while a page of this server is open anywhere, including background tabs; the
   service worker shows those of web push. Permission is requested only on a click. Pending turns come from the server;
   all tabs share the record of those shown. */
"use strict";

/* Safari on phones and tablets sends notifications only to a site on the home screen. */
function needsHomeScreen() {
  const isApple = /iPhone|iPad/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
  return isApple && !("PushManager" in window);
}

/* Web push: the server notifies this browser even while no page is open. */
async function subscribe(address) {
  const worker = await navigator.serviceWorker.ready;
  const { key } = await (await fetch(address, { headers: { Accept: "application/json" } })).json();
  const applicationServerKey = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const earlier = await worker.pushManager.getSubscription();
  if (earlier) await earlier.unsubscribe();
  const { endpoint, keys } = (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON();
  const csrf = document.querySelector("meta[name=csrf]").content;
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams({ csrf, endpoint, ...keys }) });
  if (!answer.ok) throw new Error(`refused with ${answer.status}`);
}

/* The browser knows its time zone; a user without a choice is offered it. */
for (const field of document.querySelectorAll("[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value;
}

class Bell {
  constructor() {
    this.seconds = 30;
    for (const button of document.querySelectorAll("[data-notify]")) this.offer(button);
    if (this.may) this.begin();
  }

  get may() { return "Notification" in window && Notification.permission === "granted"; }

  offer(button) {
    const said = document.querySelector("[data-notify-said]");
    const say = (text) => { said.textContent = text; said.hidden = false; };
    const granted = () => { button.textContent = button.dataset.on; button.disabled = true; };
    const { push, blocked, failed } = button.dataset;
    const isOn = push ? "isOn" in button.dataset : this.may;
    if (needsHomeScreen()) { button.hidden = true; if (said) said.hidden = false; }
    else if (!("Notification" in window)) button.hidden = true;
    else if (isOn) granted();
    else button.addEventListener("click", async () => {
      if (await Notification.requestPermission() !== "granted") { if (said) say(blocked); return; }
      try { if (push) await subscribe(push); } catch { say(failed); return; }
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
    const shown = new Notification(title, { body: text, tag: table });
    shown.addEventListener("click", () => {
      window.focus();
      if (location.pathname !== address) location.href = address;
      shown.close();
    });
  }
}

window.bell = new Bell();
