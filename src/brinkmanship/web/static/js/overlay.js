/* An overlay for streams: shows the game again whenever something has changed. */
"use strict";
{
const overlay = document.querySelector("#overlay");

const measure = () => document.documentElement.style.setProperty("--scale", Number(overlay.dataset.size) / 100);

async function look() {
  const address = new URL(location.href);
  address.searchParams.set("seen", overlay.querySelector(".parts").dataset.stamp);
  try {
    const answer = await fetch(address, { headers: { "X-Fragment": "1", Accept: "text/html" }, cache: "no-store" });
    if (answer.status === 200) overlay.innerHTML = await answer.text();
  } catch { /* the next attempt may succeed */ }
}

measure();
setInterval(look, 1000 * Number(overlay.dataset.seconds));
}
