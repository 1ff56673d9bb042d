/* The page on which one waits for an analysis: it asks how far it is, and is loaded anew when all is there. */
"use strict";
{
const SECONDS = 1.5;
const box = document.getElementById("analysis");

async function look() {
  try {
    const answer = await fetch(box.dataset.address, { headers: { "X-Fragment": "1" } });
    if (answer.ok) {
      const holder = document.createElement("template");
      holder.innerHTML = await answer.text();
      const stage = holder.content.firstElementChild.dataset.stage;
      if (stage === "done") { location.reload(); return; }
      box.replaceChildren(holder.content);
      if (stage !== "at_work") return;
    }
  } catch { /* the line is cut; it may be back when it is asked again */ }
  setTimeout(look, SECONDS * 1000);
}

if (box.dataset.stage === "at_work") setTimeout(look, SECONDS * 1000);
}
