/* Clocks: the server sends the remaining time and its timestamp; this script counts down from there, by server time */
"use strict";

function clockText(seconds, days) {
  const left = Math.max(0, Math.ceil(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(left / 3600) % 24;
  if (left >= 86400) return `${Math.floor(left / 86400)} ${days} ${two(hours)}:${two(Math.floor(left / 60) % 60)}`;
  const rest = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/* Tell the player of the own clock's last minute and its last seconds, each once. */
let toldLimit = Infinity;
function warnOfTime(clock, left) {
  if (clock.dataset.left60 === undefined) return;
  const limit = clock.dataset.runs === "1" ? [10, 60].find((most) => left <= most) ?? Infinity : Infinity;
  if (limit < toldLimit) tell(clock.dataset[`left${limit}`], true);
  toldLimit = limit;
}

function tickClocks() {
  const passed = Math.max(0, table.connection.now - Number(table.state.dataset.now));
  for (const clock of $$("[data-clock]")) {
    const left = Number(clock.dataset.clock) - (clock.dataset.runs === "1" ? passed : 0);
    const text = clockText(left, clock.dataset.days);
    if (clock.textContent !== text) clock.textContent = text;
    warnOfTime(clock, left);
    clock.classList.toggle("short", left < 30 && clock.dataset.runs === "1");
  }
}

if ($("#state")) { tickClocks(); setInterval(tickClocks, 250); }
