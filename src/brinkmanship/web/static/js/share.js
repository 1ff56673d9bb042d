/* The share box of a replay: its link and its code to embed follow the step that is shown. */
"use strict";
{
const box = document.getElementById("share");
const [link, code] = ["share-link", "share-embed"].map((id) => document.getElementById(id));

function follow() {
  const { n } = document.getElementById("step").dataset;
  const viewer = document.getElementById("replay-view").dataset.as;
  link.value = `${box.dataset.site}${box.dataset.address}/replay/${n}?as=${viewer}`;
  code.value = code.value.replace(/at=\d+/, `at=${n}`).replace(/as=\w+/, `as=${viewer}`);
}

box.addEventListener("toggle", follow);
box.addEventListener("pointerdown", follow, true);
box.addEventListener("focusin", follow);
}
