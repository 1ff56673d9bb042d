/* A running game that spectators watch with a delay: asks from time to time whether more of it may be seen, and then
   lets the replay go on from where it is. */
"use strict";
{
const about = document.querySelector("#watch");

/* The page as it would be now, for the parts that have grown. */
async function grown(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

async function take(now) {
  const { replay } = window, isNew = now.last !== replay.last;
  if (!isNew && now.notes === Number(about.dataset.notes)) return;
  // Nobody loses a comment that they are writing.
  if ([...document.querySelectorAll(".comment-form textarea")].some((field) => field.value)) return;
  const page = await grown(replay.url(Math.min(replay.step, now.last)));
  if (!page) return;
  for (const id of ["step", "score-lines"]) document.getElementById(id).replaceWith(page.getElementById(id));
  about.dataset.notes = page.getElementById("watch").dataset.notes;
  replay.grow(Number(page.getElementById("replay-view").dataset.last));
  if (isNew) document.querySelector("#live").textContent = about.dataset.new;
}

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`/t/${about.dataset.table}/watch/now`, { cache: "no-store" });
    if (!answer.ok) return;
    const now = await answer.json();
    if (now.over) location.href = `/t/${about.dataset.table}/replay`;
    else await take(now);
  } catch { /* the next attempt may succeed */ }
}

setInterval(look, 1000 * Number(about.dataset.seconds));
}
