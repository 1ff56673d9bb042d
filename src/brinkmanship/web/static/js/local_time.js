"use strict";
/* Times typed into a form are in the viewer's time zone; the server is told the zone's difference from UTC. */
for (const offset of document.querySelectorAll("[data-offset]")) {
  const form = offset.form, typed = form.querySelector("[type=datetime-local]");
  for (const zone of form.querySelectorAll("[data-utc]")) zone.hidden = true;
  form.addEventListener("submit", () => {
    offset.value = (typed.value ? new Date(typed.value) : new Date()).getTimezoneOffset();
  });
}
