/* The page that waits for an opponent: its open stream is the user's presence, also behind other tabs. Once an opponent
   is found, title, sound and notification say so, and the page goes to the table. */
"use strict";
{
const RETRY = 10_000;          // milliseconds until the page is loaded again after the stream was refused
const HEARD = 1000;            // milliseconds for the sound before the page leaves

const box = $("[data-seek]");
const stream = new EventSource(box.dataset.seek);

stream.addEventListener("found", (event) => {
  stream.close();
  document.title = box.textContent = box.dataset.found;
  sounds.unlock();             // allowed without a click here, since the page before was left by one
  if (kept("set:sound", "1") === "1") sounds.sound();
  if (document.hidden && "Notification" in window && Notification.permission === "granted") {
    new Notification(box.dataset.found, { tag: event.data }).addEventListener("click", () => window.focus());
  }
  setTimeout(() => location.assign(event.data), HEARD);
});
stream.addEventListener("closed", () => { stream.close(); location.reload(); });
stream.addEventListener("error", () => {
  if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), RETRY);
});
}
