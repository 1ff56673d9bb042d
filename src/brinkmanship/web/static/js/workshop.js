/* The workshop: live preview of the typed text. */
"use strict";
{
const PAUSE = 400;             // after the last key, in milliseconds

const form = $("#work"), shown = $("#shown"), text = form.elements.text;
let last = text.value, timer, asked = 0;

async function look() {
  if (text.value === last) return;
  last = text.value;
  const number = ++asked;
  const content = new FormData(form);
  try {
    const answer = await fetch(form.dataset.shown, { method: "POST", body: content, headers: { "X-Fragment": "1" } });
    if (!answer.ok || number !== asked) return;  // outdated response
    const holder = document.createElement("template");
    holder.innerHTML = await answer.text();
    shown.replaceChildren(holder.content);
  } catch { last = null; /* connection lost; the next key press retries */ }
}

text.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, PAUSE); });

/* Warn before unsaved text is lost by following a link. */
let keeps = false;
form.addEventListener("submit", () => { keeps = true; });
const begun = text.value;
addEventListener("beforeunload", (event) => { if (!keeps && text.value !== begun) event.preventDefault(); });
}
