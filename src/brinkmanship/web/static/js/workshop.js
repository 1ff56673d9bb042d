/* The workshop: what is typed is looked at as it stands, and a simulation is looked after until it is done. */
"use strict";
{
const PAUSE = 400;             // after the last key, in milliseconds
const SECONDS = 1.5;           // between two looks at how far a simulation is

const form = $("#work"), shown = $("#shown"), text = form.elements.text;
let last = text.value, timer, asked = 0;

async function look() {
  if (text.value === last) return;
  last = text.value;
  const number = ++asked;
  const content = new FormData(form);
  try {
    const answer = await fetch(form.dataset.shown, { method: "POST", body: content, headers: { "X-Fragment": "1" } });
    if (!answer.ok || number !== asked) return;  // an older answer is of no use
    const holder = document.createElement("template");
    holder.innerHTML = await answer.text();
    shown.replaceChildren(holder.content);
  } catch { last = null; /* the line is cut; the next key asks again */ }
}

text.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, PAUSE); });

/* What has not been kept is not lost by a careless tap on a link. */
let keeps = false;
form.addEventListener("submit", () => { keeps = true; });
const begun = text.value;
addEventListener("beforeunload", (event) => { if (!keeps && text.value !== begun) event.preventDefault(); });

const played = $("#played");
async function watch() {
  try {
    const answer = await fetch(played.dataset.address, { headers: { "X-Fragment": "1" } });
    if (answer.ok) {
      const holder = document.createElement("template");
      holder.innerHTML = await answer.text();
      const isAtWork = holder.content.firstElementChild.dataset.stage === "at_work";
      played.replaceChildren(holder.content);
      if (!isAtWork) return;
    }
  } catch { /* it may be back when it is asked again */ }
  setTimeout(watch, SECONDS * 1000);
}
if (played?.firstElementChild?.dataset.stage === "at_work") setTimeout(watch, SECONDS * 1000);
}
