/* A progress box: it polls the progress, and reloads the page when the page has more to show than the box. */
"use strict";
{
const SECONDS = 1.5;           // between two polls

function watch(box) {
  if (box.firstElementChild.dataset.stage === "at_work") setTimeout(look, SECONDS * 1000, box);
}

async function look(box) {
  try {
    const answer = await fetch(box.dataset.underWay, { headers: { "X-Fragment": "1" } });
    if (answer.ok) {
      const holder = document.createElement("template");
      holder.innerHTML = await answer.text();
      if (holder.content.firstElementChild.dataset.stage === "done") { location.reload(); return; }
      box.replaceChildren(holder.content);
    }
  } catch { /* connection lost; the next poll may succeed */ }
  watch(box);
}

document.querySelectorAll("[data-under-way]").forEach(watch);
}
