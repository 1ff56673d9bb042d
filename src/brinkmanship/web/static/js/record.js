/* Open records, in addition to puzzle.js: find a card by typing, and choose no more cards than were dealt. */
"use strict";
{
const drawn = document.querySelector(".drawn");
const find = document.querySelector("[data-find]");
const labels = drawn ? [...drawn.querySelectorAll("label")] : [];
const most = Number(drawn?.dataset.most);
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function narrow() {
  const wanted = plain(find.value.trim());
  for (const label of labels) label.hidden = !plain(label.textContent).includes(wanted) && !label.firstElementChild.checked;
}

/* Enter in the search field chooses the only card that is left. */
function choose(event) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const left = labels.filter((label) => !label.hidden && !label.firstElementChild.checked && !label.firstElementChild.disabled);
  if (!find.value.trim() || left.length !== 1) {
    if (!find.value.trim() && drawn.querySelector(":checked")) drawn.form.requestSubmit(drawn.form.querySelector(".primary"));
    return;
  }
  left[0].firstElementChild.checked = true;
  find.value = "";
  narrow();
  limit();
}

function limit() {
  if (most < 2) return;
  const full = drawn.querySelectorAll(":checked").length >= most;
  for (const label of labels) label.firstElementChild.disabled = full && !label.firstElementChild.checked;
}

if (find) {
  find.addEventListener("input", narrow);
  find.addEventListener("keydown", choose);
  drawn.addEventListener("change", limit);
  limit();
  if (matchMedia("(pointer: fine)").matches) find.focus();
}
}
