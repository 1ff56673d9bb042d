/* Analysis boards, in addition to puzzle.js: stepping with keys, and values of lines, which arrive later. */
"use strict";
{
const state = document.getElementById("state");
const arrows = document.getElementById("choices") ? {} : { ArrowLeft: "before", ArrowRight: "after", Home: "first", End: "last" };
const steps = { ",": "before", ".": "after", ...arrows };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const link = document.getElementById(`to-${steps[event.key]}`);
  if (!link) return;
  event.preventDefault();
  if (link.getAttribute("aria-disabled") !== "true") link.click();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("a[aria-disabled=true]")) event.preventDefault();
});

for (const field of document.querySelectorAll("[data-select]")) field.addEventListener("focus", () => field.select());

/* Fetch the values. The server refuses while it compares positions that someone who steps fast has left behind. */
async function values() {
  const answer = await fetch(`${state.dataset.puzzle}/values`, { headers: { "X-Fragment": "1", Accept: "text/html" } });
  if (answer.status !== 429) return answer;
  await new Promise((done) => setTimeout(done, 1000 * (answer.headers.get("Retry-After") || 1)));
  return values();
}

async function compare() {
  const answer = await values();
  if (!answer.ok) return;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  const found = holder.content;
  for (const [selector, part] of [["#here", "[data-here]"], ["#told-for", "[data-for]"]]) {
    const place = document.querySelector(selector);
    if (!place) continue;
    place.replaceChildren(...found.querySelector(part).childNodes);
    place.hidden = false;
  }
  for (const value of found.querySelectorAll("[data-of]")) {
    document.querySelector(`[data-value="${value.dataset.of}"]`)?.replaceChildren(...value.childNodes);
  }
}

if (state.dataset.compares !== undefined) compare().catch(() => {});  // the board works without values
}
