/* A box with what is being worked out: it asks how far that is, and has the page loaded anew when that has more to show
   than the box. */
"use strict";
{
const SECONDS = 1.5;           // between two looks

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
  } catch { /* the line is cut; it may be back when it is asked again */ }
  watch(box);
}

document.querySelectorAll("[data-under-way]").forEach(watch);
}
