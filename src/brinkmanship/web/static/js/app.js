/* Common to all pages. Pages work without scripts: every action is a button in a form. Table scripts are table.js and
   its imports. No markup is built from text; HTML comes rendered from the server. */
"use strict";

const root = document.documentElement;
root.classList.add("has-js");
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const year = 31536000;

function remember(name, value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=${year}; samesite=lax${secure}`;
}
function kept(key, fallback = null) {
  try { return localStorage.getItem(key) ?? fallback; } catch { return fallback; }
}
function keep(key, value) {
  try { localStorage.setItem(key, value); } catch { /* private window */ }
}

/* A second click while the next page is on its way would send the form twice. On `window`, after scripts that send a
   form themselves. */
{
const REPEAT = 3000;           // milliseconds: a page that was stopped, or is a download, never comes
let sent = new WeakMap();      // when each button was pressed

window.addEventListener("submit", (event) => {
  if (event.defaultPrevented || !event.submitter || event.target.method !== "post") return;
  if (event.timeStamp - (sent.get(event.submitter) ?? -REPEAT) < REPEAT) event.preventDefault();
  else sent.set(event.submitter, event.timeStamp);
});
window.addEventListener("pageshow", () => { sent = new WeakMap(); });  // on going back
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-autosubmit]")) event.target.form.requestSubmit();
});

document.addEventListener("click", async (event) => {
  const theme = event.target.closest("[data-theme-toggle]");
  if (theme) {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    remember("theme", root.dataset.theme);
  }
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const field = $(copy.dataset.copy);
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    copy.textContent = copy.dataset.done;
  }
});

/* A preset sets the options below it; the options in turn determine the selected preset. */
for (const chosen of $$("select[data-preset]")) {
  const options = $$("[name^='option.']", chosen.form).filter((field) => field !== chosen);
  const byDefault = (field) => field.closest("fieldset").dataset.default;
  const values = (option) => JSON.parse(option.dataset.values ?? "null");
  const wanted = (preset, field) => preset[field.name.slice("option.".length)] ?? byDefault(field);
  chosen.addEventListener("change", () => {
    const preset = values(chosen.selectedOptions[0]);
    for (const field of preset ? options : []) {
      if (field.type === "radio") field.checked = field.value === wanted(preset, field);
      else field.value = preset[field.name.slice("option.".length)] ?? "";
    }
  });
  chosen.form.addEventListener("change", (event) => {
    if (!options.includes(event.target)) return;
    const fits = (preset) => preset && options.every((field) => (field.type === "radio" && !field.checked) || (field.value || byDefault(field)) === wanted(preset, field));
    chosen.value = [...chosen.options].find((option) => fits(values(option)))?.value ?? "";
  });
}

/* Sections that stay open until closed, if there is room. */
function opensAtFirst(box) { return box.dataset.remember === "open" && matchMedia("(min-width: 1200px)").matches; }

/* One that is "closed" has nothing to show yet: it begins closed, whatever was remembered of others. */
for (const box of $$("details[data-remember]")) {
  if (box.dataset.remember !== "closed") box.open = kept(`open:${box.id}`, opensAtFirst(box) ? "1" : "0") === "1";
  box.addEventListener("toggle", () => keep(`open:${box.id}`, box.open ? "1" : "0"));
}

/* Show times in the viewer's time zone, in the format of the server (`presentation/moments.py`): without the date after
   another time of the same day. */
function ownTime(within = document) {
  const language = root.lang === "en" ? "en-GB" : root.lang;
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" }), hour = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  for (const time of $$("time[data-at]", within)) {
    const { at, after } = time.dataset, date = day.format(1000 * at);
    const isSameDay = after !== undefined && day.format(1000 * after) === date;
    time.textContent = isSameDay ? hour.format(1000 * at) : `${date}, ${hour.format(1000 * at)}`;
  }
}
ownTime();

/* After choosing a language, return to the current page, also on a shared screen. */
for (const back of $$("form:is(.language, .text-setting) [name=back]")) back.value = location.pathname + location.search;

/* The service worker shows push messages, and rules and lessons without a connection (`sw.js`). */
navigator.serviceWorker?.register(`/sw.js?lang=${root.lang}`).catch(() => { /* pages work without it */ });
