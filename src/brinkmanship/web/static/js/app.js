/* The pages work without this file: every action is a button in a form. Here are the comforts: the board is clickable,
   previews, keys, live updates, motion. No markup is built from text; what is shown comes rendered from the server. */
"use strict";

const root = document.documentElement;
root.classList.add("has-js");
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const year = 31536000;

function remember(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=${year}; samesite=lax`;
}
function kept(key, fallback = null) {
  try { return localStorage.getItem(key) ?? fallback; } catch { return fallback; }
}
function keep(key, value) {
  try { localStorage.setItem(key, value); } catch { /* private window */ }
}

/* ---- All pages */

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

/* A preset sets the options below it; what they are tells which preset it is. */
for (const chosen of $$("select[data-preset]")) {
  const options = $$("[name^='option.']", chosen.form).filter((field) => field !== chosen);
  const byDefault = (field) => field.closest("fieldset").dataset.default;
  const values = (option) => JSON.parse(option.dataset.values ?? "null");
  const wanted = (preset, field) => preset[field.name.slice("option.".length)] ?? byDefault(field);
  chosen.addEventListener("change", () => {
    const preset = values(chosen.selectedOptions[0]);
    for (const field of preset ? options : []) {
      if (field.type === "radio") field.checked = field.value === wanted(preset, field);
      else field.value = wanted(preset, field);
    }
  });
  chosen.form.addEventListener("change", (event) => {
    if (!options.includes(event.target)) return;
    const fits = (preset) => preset && options.every((field) => (field.type === "radio" && !field.checked) || field.value === wanted(preset, field));
    chosen.value = [...chosen.options].find((option) => fits(values(option)))?.value ?? "";
  });
}

for (const box of $$("details[data-remember]")) {
  box.open = kept(`open:${box.id}`) === "1";
  box.addEventListener("toggle", () => keep(`open:${box.id}`, box.open ? "1" : "0"));
}

/* Times as the reader's own clock shows them. */
function ownTime(within = document) {
  const format = new Intl.DateTimeFormat(root.lang === "en" ? "en-GB" : root.lang, { dateStyle: "short", timeStyle: "short" });
  for (const time of $$("time[data-at]", within)) time.textContent = format.format(Number(time.dataset.at) * 1000);
}
ownTime();

/* The language form goes back to where one is, also on a shared screen. */
for (const back of $$("form.language [name=back]")) back.value = location.pathname + location.search;

/* ---- The table */

/* What moves on a board: pieces, some of which lie on places that may move themselves; and where new ones come from. */
const PLACES = "[id^=place-]";
const PIECES = `[id^=cube-], [id^=marker-], ${PLACES}`;
const SOURCES = "[id^=held-], [id^=hand-]";

const NARROW = matchMedia("(max-width: 719px)");

class Table {
  constructor() {
    this.previews = new Map();
    this.pictures = new Map();
    this.busy = false;
    this.settled = Promise.resolve();
    this.lost = 0;
    this.title = document.title;
    this.byKey = false;
    this.settings();
    this.listen();
    this.hello();
    this.away();
    this.arrange();
    this.news();
    if (this.state.dataset.layout !== (NARROW.matches ? "narrow" : "wide")) this.relayout();
    NARROW.addEventListener("change", () => this.relayout());
    // Pages that the browser takes from its memory may be old.
    addEventListener("pageshow", (event) => { if (event.persisted) this.refresh(true); });
  }

  get state() { return $("#state"); }
  get board() { return $("#board > svg"); }
  get buttons() { return $$("#choices button[name=action]"); }
  url(path, query = "") {
    const parts = [this.state.dataset.seat, query].filter(Boolean).join("&");
    return `/t/${this.state.dataset.table}/${path}${parts ? "?" + parts : ""}`;
  }

  relayout() {
    remember("layout", NARROW.matches ? "narrow" : "wide");
    this.refresh(true);
  }

  settings() {
    for (const box of $$("[data-setting]")) {
      const name = box.dataset.setting;
      box.checked = kept(`set:${name}`, box.checked ? "1" : "0") === "1";
      box.addEventListener("change", () => { keep(`set:${name}`, box.checked ? "1" : "0"); this.showKeys(); });
    }
    this.showKeys();
  }

  set(name) { return $(`[data-setting=${name}]`)?.checked ?? false; }

  showKeys(flip = false) {
    const shown = flip ? !root.classList.contains("show-keys") : this.set("keys");
    const box = $("[data-setting=keys]");
    if (flip && box) { box.checked = shown; keep("set:keys", shown ? "1" : "0"); }
    root.classList.toggle("show-keys", shown);
    $("[data-keys]")?.setAttribute("aria-pressed", String(shown));
  }

  /* ---- What the reader does */

  listen() {
    document.addEventListener("submit", (event) => this.submit(event));
    document.addEventListener("change", (event) => {
      if (event.target.closest("[data-steps]")) this.narrow();
      if (event.target.form?.id === "several") this.ticked();
    });
    // Else the browser would mark text where one adds units with the shift key.
    document.addEventListener("mousedown", (event) => { if (event.shiftKey && event.target.closest("#board")) event.preventDefault(); });
    document.addEventListener("click", (event) => this.click(event), true);
    document.addEventListener("keydown", (event) => this.key(event));
    for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, (event) => this.point(event));
    document.addEventListener("mouseout", (event) => this.leave(event));
    document.addEventListener("focusout", (event) => this.leave(event));
    document.addEventListener("pointerdown", () => { this.byKey = false; }, true);
  }

  async submit(event) {
    const form = event.target;
    if (form.matches("[data-act]")) {
      event.preventDefault();
      await this.send(form, event.submitter);
    } else if (form.matches("[data-chat]")) {
      event.preventDefault();
      const body = new FormData(form);
      form.reset();
      const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Fragment": "1" } });
      if (answer.ok) this.putChat(await answer.text());
    } else if (form.matches("[data-note]")) {
      event.preventDefault();
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { "X-Fragment": "1" } });
      const saved = $(".saved", form);
      if (answer.ok) { saved.textContent = saved.dataset.done; setTimeout(() => { saved.textContent = ""; }, 2500); }
    }
  }

  async send(form, submitter) {
    if (this.busy) return;
    this.busy = true;
    root.classList.add("busy");
    this.closeMenu();
    try {
      const body = new FormData(form, submitter);
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { "X-Fragment": "1", Accept: "text/html" } });
      const text = await answer.text();
      if (form.id === "choices" && answer.ok) this.awayDone();
      if (text.includes('id="state"')) this.swap(text, true);
      else this.trouble();
    } catch {
      this.trouble();
    } finally {
      this.busy = false;
      root.classList.remove("busy");
      if (this.isBehind()) this.refresh();
    }
  }

  /* Whether there was news of a version that is not on the page. */
  isBehind() { return this.latest !== undefined && Number(this.latest) > Number(this.state.dataset.version); }

  trouble() {
    const note = $("#consequence") ?? $("#live");
    note.textContent = this.state.dataset.sayLost;
  }

  click(event) {
    const button = event.target.closest("button[name=action]");
    if (button && button.form?.id === "choices") {
      if (button.dataset.final !== undefined && this.set("confirm") && !button.classList.contains("armed")) {
        event.preventDefault();
        this.arm(button);
      }
      return;
    }
    if (event.target.closest("[data-keys]")) return this.showKeys(true);
    const fold = event.target.closest("[data-fold]");
    if (fold) return fold.setAttribute("aria-pressed", String($("#dock").classList.toggle("folded")));
    const earlier = event.target.closest("[data-earlier]");
    if (earlier) { event.preventDefault(); return this.allLines(earlier); }
    const name = event.target.closest("a.card-name");
    if (name) { event.preventDefault(); return this.showCard(name); }
    if (event.target.closest("#menu")) return;
    const many = event.shiftKey || event.ctrlKey || event.metaKey;
    if (many && this.add(event.target, event.shiftKey)) { event.preventDefault(); return; }
    const goal = event.target.closest("#board .goal");
    if (goal) { event.preventDefault(); this.sendTo(goal.dataset.place); return; }
    const thing = this.thing(event.target);
    if (thing) { event.preventDefault(); this.choose(thing); } else this.closeMenu();
    const told = thing ? null : event.target.closest("#board [data-tell]");
    if (told) this.tell(told); else if (!thing) this.hideCard();
  }

  /* What stands in a place, line by line. */
  tell(thing) {
    const view = $("#card-view");
    if (!view.hidden && view.thing === thing) return this.hideCard();
    const list = this.told(thing);
    view.replaceChildren(list);
    view.thing = thing;
    view.hidden = false;
    $("#live").textContent = thing.dataset.tell;
    const box = thing.getBoundingClientRect(), own = view.getBoundingClientRect();
    view.style.left = `${Math.min(Math.max(4, box.left), innerWidth - own.width - 4)}px`;
    view.style.top = `${Math.max(4, box.bottom + own.height + 8 < innerHeight ? box.bottom + 6 : box.top - own.height - 6)}px`;
  }

  told(thing) {
    const list = document.createElement("ul");
    list.className = "tell";
    for (const line of thing.dataset.tell.split("\n")) {
      const item = document.createElement("li");
      item.textContent = line;
      list.append(item);
    }
    return list;
  }

  /* Questions one after the other: what is no longer possible after the answers before cannot be chosen. */
  narrow() {
    for (const box of $$("[data-steps]")) {
      const legal = box.dataset.steps.split("|").map((one) => one.split(" "));
      const picked = [];
      for (const row of $$("fieldset", box)) {
        const left = legal.filter((one) => picked.every((value, at) => one[at] === value)).map((one) => one[picked.length]);
        const answers = $$("input", row);
        for (const answer of answers) answer.disabled = !left.includes(answer.value);
        let chosen = answers.find((answer) => answer.checked && !answer.disabled);
        if (!chosen) { chosen = answers.find((answer) => !answer.disabled); chosen.checked = true; }
        picked.push(chosen.value);
      }
    }
  }

  /* ---- Several pieces at once: ticked in the list or on the board, sent by one click */

  get picks() { return $$("#state input[name=pick]"); }
  many(pick) { return $(`#state select[name="many-${pick.value}"]`); }

  /* The piece one points at, or all of its place: one more of it, or with `one` false all or none. */
  add(target, one) {
    const place = target.closest("#board [data-place]")?.dataset.place;
    const piece = target.closest("#board [data-unit]")?.dataset.unit;
    const there = this.picks.filter((pick) => pick.dataset.place === place);
    const same = there.filter((pick) => pick.dataset.piece === piece).slice(0, 1);
    const meant = same.length ? same : piece ? [] : there;
    for (const pick of meant) {
      const many = this.many(pick), last = many ? many.options.length : 1, now = pick.checked ? Number(many?.value ?? 1) : 0;
      const next = one && meant.length === 1 ? (now + 1) % (last + 1) : now === last ? 0 : last;
      pick.checked = next > 0;
      if (many && next) many.value = next;
    }
    if (meant.length) this.ticked();
    return meant.length > 0;
  }

  /* What is ticked decides where all of it may go; the places light up. */
  ticked() {
    const picks = this.picks.filter((pick) => pick.checked), form = $("#several");
    if (!form) return;
    const ways = picks.filter((pick) => pick.dataset.goals).map((pick) => pick.dataset.goals.split(" "));
    const select = $("#several-goal");
    for (const mark of $$(".goal, .picked", this.board)) mark.classList.remove("goal", "picked");
    for (const pick of picks) {
      for (const counter of $$(`[data-place="${pick.dataset.place}"] [data-unit="${pick.dataset.piece}"]`, this.board)) counter.classList.add("picked");
    }
    if (select) {
      const common = [...select.options].some((option) => option.value && ways.every((way) => way.includes(option.value)));
      select.parentElement.hidden = !ways.length || !common;
      $("#several-none").hidden = common;
      $("button", form).disabled = !common;
      select.required = ways.length > 0;
      for (const option of select.options) {
        option.hidden = option.disabled = option.value !== "" && !ways.every((way) => way.includes(option.value));
        if (!ways.length || option.hidden || !option.value) continue;
        for (const place of $$(`[data-place="${option.dataset.place}"]`, this.board)) place.classList.add("goal");
      }
      if (select.selectedOptions[0]?.disabled) select.value = "";
    }
    const count = picks.reduce((sum, pick) => sum + Number(this.many(pick)?.value ?? 1), 0);
    $("#several-count").textContent = count;
    form.classList.toggle("some", count > 0);
    $("#dock").classList.toggle("picking", count > 0);
    if (count) $("#live").textContent = `${$("#several-title").textContent} ${count}`;
  }

  sendTo(place) {
    const form = $("#several"), select = $("#several-goal");
    select.value = [...select.options].find((option) => option.dataset.place === place).value;
    form.requestSubmit($("button", form));
  }

  untick() {
    for (const pick of this.picks) pick.checked = false;
    this.ticked();
  }

  arm(button) {
    this.disarm();
    button.classList.add("armed");
    const line = $("#consequence");
    line.classList.add("ask");
    line.textContent = `${this.state.dataset.sayFinal} ${button.dataset.say}`;
    $("#live").textContent = line.textContent;
  }

  disarm() {
    for (const button of $$("button.armed")) button.classList.remove("armed");
    $("#consequence")?.classList.remove("ask");
  }

  /* A place, area, track, pile, letter or card one can click; and the buttons that are meant by it. */
  thing(target) {
    const found = target.closest?.("#board [data-place].can, #board [data-area].can, #board [data-track].can, #board [data-pile].can, #board [data-letter].can, .cards li");
    return found && this.meant(found).length ? found : null;
  }

  meant(thing) {
    const { place, area, track, pile, letter, card, agenda } = thing.dataset;
    return this.buttons.filter((button) => {
      const data = button.dataset;
      return (place && data.place === place) || (area && data.area === area) || (track && data.track === track) || (card && data.card === card)
        || (agenda && data.agenda === agenda) || (letter !== undefined && data.kind === "letter")
        || (pile && (data.kind === pile || (pile === "deck" && data.kind === "draw_top")));
    });
  }

  choose(thing) {
    const meant = this.meant(thing);
    if (meant.length === 1 && !(meant[0].dataset.final !== undefined && this.set("confirm"))) { meant[0].click(); return; }
    const menu = $("#menu");
    if (!menu.hidden && menu.thing === thing) return this.closeMenu();
    menu.replaceChildren();
    menu.thing = thing;
    const say = document.createElement("p");
    if (thing.dataset.tell) menu.append(this.told(thing));
    for (const button of meant) {
      const clone = button.cloneNode(true);
      clone.type = "button";
      clone.removeAttribute("name");
      clone.dataset.stands = button.value;
      if (thing.dataset.area) clone.textContent = button.dataset.say; // what goes there, not where it goes
      clone.addEventListener("click", () => {
        const armed = button.classList.contains("armed");
        button.click();
        if (!armed && button.classList.contains("armed")) {
          for (const other of $$("button", menu)) other.classList.toggle("armed", other === clone);
          say.textContent = $("#consequence").textContent;
        }
      });
      menu.append(clone);
    }
    menu.append(say);
    menu.hidden = false;
    const box = thing.getBoundingClientRect(), own = menu.getBoundingClientRect();
    const left = Math.min(Math.max(4, box.left + box.width / 2 - own.width / 2), innerWidth - own.width - 4);
    const below = box.bottom + own.height + 8 < innerHeight - ($("#dock")?.offsetHeight ?? 0) || box.top < own.height + 8;
    menu.style.left = `${left + scrollX}px`;
    menu.style.top = `${(below ? box.bottom + 6 : box.top - own.height - 6) + scrollY}px`;
    $("button", menu).focus({ preventScroll: true });
  }

  closeMenu() {
    const menu = $("#menu");
    if (menu.hidden) return;
    const thing = menu.thing;
    menu.hidden = true;
    if (menu.contains(document.activeElement) && thing?.isConnected) thing.focus?.({ preventScroll: true });
    menu.replaceChildren();
    this.disarm();
    this.clearGhosts();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select")) return;
    this.byKey = true;
    const { key } = event;
    if (key === "?") { this.showKeys(true); event.preventDefault(); return; }
    if ($("#away") && (key === "," || key === ".")) { event.preventDefault(); this.awayStep(key === "," ? -1 : 1); return; }
    if (key === "Escape" && $("#menu").hidden && $("#card-view").hidden && $("#away")) { this.awayDone(); return; }
    if (key === "Escape") { this.closeMenu(); this.disarm(); this.hideCard(); this.untick(); return; }
    if (key.startsWith("Arrow")) return this.arrow(event);
    if (event.target.closest("#board") && (key === "Enter" || key === " ")) {
      const goal = event.target.closest(".goal");
      if (event.shiftKey ? this.add(event.target, true) : goal) {
        event.preventDefault();
        if (!event.shiftKey) this.sendTo(goal.dataset.place);
        return;
      }
    }
    if ((key === "Enter" || key === " ") && event.target.closest("#board .can")) {
      event.preventDefault();
      const thing = this.thing(event.target);
      if (thing) this.choose(thing);
      return;
    }
    const told = (key === "Enter" || key === " ") && event.target.closest("#board [data-tell]");
    if (told) { event.preventDefault(); this.tell(told); return; }
    // The letter on the key for those whose keyboard writes Cyrillic.
    let letter = key;
    if (!/^[\x21-\x7e]$/.test(key) && /^Key[A-Z]$/.test(event.code)) {
      letter = event.shiftKey ? event.code.slice(3) : event.code.slice(3).toLowerCase();
    }
    if (letter.length !== 1) return;
    const wanted = $$("#state [data-key]").find((one) => one.dataset.key === letter);
    if (wanted) { event.preventDefault(); wanted.focus({ preventScroll: true }); wanted.click(); }
  }

  arrow(event) {
    const menu = $("#menu");
    const among = menu.hidden ? this.buttons : $$("button", menu);
    const there = among.indexOf(document.activeElement);
    const inBoard = event.target.closest("#board .can, .log, .cards, .recap, summary, .top");
    if (!among.length || (there < 0 && inBoard)) return;
    event.preventDefault();
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
    const next = among[there < 0 ? (step > 0 ? 0 : among.length - 1) : (there + step + among.length) % among.length];
    next.focus();
  }

  /* ---- What would happen */

  point(event) {
    const name = event.target.closest?.("[data-card].card-name, .group.card .name, .group.agenda .name");
    if (name) this.showCard(name);
    const button = event.target.closest?.("button[name=action], button[data-stands]");
    if (button) {
      const original = button.dataset.stands ? this.buttons.find((one) => one.value === button.dataset.stands) : button;
      if (original) this.preview(original, button);
      return;
    }
    const thing = this.thing(event.target);
    if (thing && thing !== this.hovered) {
      this.hovered = thing;
      const meant = this.meant(thing);
      if (meant.length === 1) this.preview(meant[0], thing);
      this.light(meant);
    }
  }

  leave(event) {
    const from = event.target.closest?.("button[name=action], button[data-stands], .can, .cards li");
    if (from && !from.contains(event.relatedTarget)) {
      this.hovered = null;
      this.clearGhosts();
      this.light([]);
      const line = $("#consequence");
      if (line && !line.classList.contains("ask")) line.textContent = "";
      if (event.type === "focusout" && from.classList.contains("armed") && !from.dataset.stands && $("#menu").hidden) this.disarm();
    }
    if (event.target.closest?.("a.card-name, .group .name")) this.hideCard();
  }

  light(buttons) {
    for (const lit of $$(".lit", this.state)) lit.classList.remove("lit");
    for (const button of buttons) {
      button.closest(".group")?.classList.add("lit");
      const { place, track, card, agenda, area } = button.dataset;
      const mark = place ? `#board [data-place="${place}"]` : track ? `#board [data-track="${track}"]`
        : card ? `.cards [data-card="${card}"]` : agenda ? `.cards [data-agenda="${agenda}"]` : "";
      if (mark) for (const one of $$(mark, this.state)) one.classList.add("lit");
      if (area) for (const one of $$(`#board [data-area="${area}"]`, this.state)) one.classList.add("lit");
    }
  }

  preview(button) {
    const line = $("#consequence");
    if (line && !line.classList.contains("ask")) line.textContent = button.dataset.say;
    const menuLine = $("#menu p");
    if (menuLine && !button.classList.contains("armed")) menuLine.textContent = button.dataset.say;
    this.light([button]);
    clearTimeout(this.timer);
    this.wanted = `${this.state.dataset.version}:${button.value}`;
    const key = this.wanted;
    if (this.previews.has(key)) return this.putGhosts(this.previews.get(key));
    this.timer = setTimeout(async () => {
      try {
        const answer = await fetch(this.url("preview", `version=${this.state.dataset.version}&action=${button.value}`));
        if (!answer.ok) return;
        this.previews.set(key, await answer.text());
        if (this.wanted === key) this.putGhosts(this.previews.get(key));
      } catch { /* only a preview */ }
    }, 60);
  }

  putGhosts(text) {
    this.removeGhosts();
    if (!text || !this.board) return;
    const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`, "image/svg+xml");
    for (const child of [...parsed.documentElement.childNodes]) {
      if (child.nodeType === 1) { child.classList.add("ghosts"); this.board.append(document.importNode(child, true)); }
    }
  }

  removeGhosts() { for (const old of $$(".ghosts", this.board ?? document)) old.remove(); }
  clearGhosts() { clearTimeout(this.timer); this.wanted = ""; this.removeGhosts(); }

  async showCard(name) {
    const group = name.closest("[data-agenda]");
    const kind = group ? "agenda" : "card";
    const id = group?.dataset.agenda ?? name.closest("[data-card]").dataset.card;
    this.cardWanted = id;
    const url = this.url(`${kind}/${id}`).split("?")[0];
    if (!this.pictures.has(url)) {
      const answer = await fetch(url, { headers: { "X-Fragment": "1" } });
      if (!answer.ok) return;
      this.pictures.set(url, await answer.text());
    }
    if (this.cardWanted !== id) return;
    const view = $("#card-view");
    view.innerHTML = this.pictures.get(url);
    view.hidden = false;
    const box = name.getBoundingClientRect(), own = view.getBoundingClientRect();
    view.style.left = `${Math.min(Math.max(4, box.left), innerWidth - own.width - 4)}px`;
    view.style.top = `${box.top > own.height + 10 ? box.top - own.height - 8 : Math.min(box.bottom + 8, innerHeight - own.height - 4)}px`;
  }

  hideCard() { this.cardWanted = null; $("#card-view").hidden = true; }

  async allLines(link) {
    const answer = await fetch(link.href, { headers: { "X-Fragment": "1" } });
    if (!answer.ok) return;
    $("#log-lines").outerHTML = await answer.text();
    link.parentElement.remove();
  }

  /* ---- News */

  news() {
    this.stream?.close();
    this.seat = this.state.dataset.seat;
    const stream = this.stream = new EventSource(this.url("news"));
    let first = true;
    stream.addEventListener("version", (event) => {
      this.latest = event.data;
      if (this.isBehind()) this.refresh();
      else if (!first) {
        this.chat();
        // Somebody may have sat down, or asked for a rematch.
        if ($(".invite, .ending", this.state)) this.refresh(true);
      }
      first = false;
    });
    stream.addEventListener("open", () => { this.lost = 0; });
    stream.addEventListener("error", () => {
      if (++this.lost > 3) this.trouble();
      // The server was restarted or refused us for a while: begin anew.
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => { this.news(); this.refresh(true); }, 3000);
    });
  }

  async refresh(always = false) {
    if (this.busy || this.refreshing) return;
    this.refreshing = true;
    let behind = false;
    try {
      await this.settled;
      const answer = await fetch(this.url("state"), { headers: { Accept: "text/html" } });
      const text = await answer.text();
      if (answer.ok && !this.busy) {
        this.swap(text, false, always);
        behind = this.isBehind();
      }
    } catch { /* the stream will tell us again */ } finally {
      this.refreshing = false;
    }
    if (behind) this.refresh();
  }

  async chat() {
    const answer = await fetch(this.url("chat").split("?")[0]);
    if (answer.ok) this.putChat(await answer.text(), true);
  }

  putChat(text, news = false) {
    const before = $$("#said li:not(.quiet)").length;
    $("#chat").innerHTML = text;
    ownTime($("#chat"));
    const said = $("#said");
    said.scrollTop = said.scrollHeight;
    const lines = $$("li:not(.quiet)", said);
    if (news && lines.length > before) {
      $("#live").textContent = lines.at(-1).textContent;
      const box = $("#chat-box");
      if (!box.open) box.open = true;
    }
  }

  swap(text, own, always = true) {
    const holder = document.createElement("template");
    holder.innerHTML = text;
    const fresh = holder.content.querySelector("#state");
    const old = this.state;
    if (!fresh || (!always && fresh.dataset.version === old.dataset.version)) return;
    const focused = document.activeElement;
    const within = old.contains(focused) || $("#menu").contains(focused);
    const focusedId = within ? focused.id : "";
    const scrolled = scrollY;
    const wasAsked = old.dataset.asked === "1";
    const lines = Number(old.dataset.lines);
    const where = this.places(), units = window.motion?.standing(this.board);
    this.closeMenu();
    this.hideCard();
    this.hovered = null;
    this.previews.clear();
    old.replaceWith(fresh);
    if (fresh.dataset.seat !== this.seat) this.news();
    scrollTo({ top: scrolled, behavior: "instant" });
    this.arrange();
    if (fresh.dataset.layout === old.dataset.layout) this.move(where, units); // otherwise everything is elsewhere
    const thrown = this.thrown(Number($("#throws", old)?.dataset.last ?? 0));
    this.roll(thrown);
    this.showKeys();
    this.announce(lines, own, thrown);
    if (within) {
      const same = focusedId && document.getElementById(focusedId);
      const target = same || (this.byKey && ($("#uncover") || this.buttons[0])) || $("#prompt");
      target.focus({ preventScroll: true });
    }
    if (this.state.dataset.asked === "1" && !wasAsked) window.bell?.look();
  }

  /* Newest lines in sight, cards that can be played marked, the title tells whose turn it is. */
  arrange() {
    this.narrow();
    this.ticked();
    const log = $("#log-lines");
    log.scrollTop = log.scrollHeight;
    const recap = $("#recap");
    recap.scrollTop = 0;
    for (const card of $$(".cards li")) card.classList.toggle("can", this.meant(card).length > 0);
    // What is longer than its box can be scrolled by keys; where all is in sight no stop is made.
    for (const box of $$(".recap, .cards, .log, .choices", this.state)) {
      if (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
    for (const box of $$("details[data-remember]", this.state)) {
      box.open = kept(`open:${box.id}`) === "1";
      box.addEventListener("toggle", () => keep(`open:${box.id}`, box.open ? "1" : "0"));
    }
    document.title = this.state.dataset.asked === "1" ? `● ${this.title}` : this.title;
    this.saw();
  }

  lineList() { return $$("#log-lines > li"); }

  announce(before, own, thrown) {
    const fresh = this.lineList().filter((line) => Number(line.dataset.n) >= before);
    for (const line of fresh) line.classList.add("fresh");
    const said = fresh.map((line) => line.textContent.trim());
    // On a shared screen the other reader's lines have other numbers; dice are told in any case.
    for (const told of thrown.map((one) => $("p.came-to", one).textContent)) if (!said.some((line) => line.startsWith(told))) said.push(told);
    if (!own || this.state.dataset.asked === "1") said.push($("#prompt").textContent.trim());
    const problem = $(".problem", this.state);
    if (problem) said.unshift(problem.textContent.trim());
    $("#live").textContent = said.slice(-12).join(". ");
  }

  get seenKey() { return `seen:${this.state.dataset.table}:${this.state.dataset.reader}`; }

  /* On return: what is new since the last visit stands above the prompt, and is marked in the log. */
  hello() {
    const seen = Number(kept(this.seenKey, "-1"));
    const total = Number(this.state.dataset.lines);
    if (seen < 0 || seen >= total) return;
    for (const line of this.lineList()) if (Number(line.dataset.n) >= seen) line.classList.add("new");
  }

  saw() {
    if (document.hidden) return;
    keep(this.seenKey, this.state.dataset.lines);
    if (!$("#away") && this.noted !== this.state.dataset.version) {
      clearTimeout(this.noting);
      this.noting = setTimeout(() => this.note(), 1500);
    }
  }

  /* The server remembers how far this player has seen, also for his other devices. */
  async note() {
    const csrf = $("meta[name=csrf]").content;
    if (!csrf || !$("#note-box")) return;
    this.noted = this.state.dataset.version;
    try {
      await fetch(this.url("seen").split("?")[0], { method: "POST", headers: { "X-Fragment": "1", "X-CSRF-Token": csrf } });
    } catch { this.noted = undefined; }
  }

  /* On return: what the others did, one step after the other. */
  away() {
    document.addEventListener("visibilitychange", () => { this.noted = undefined; this.saw(); });
    const box = $("#away");
    if (!box) return;
    this.awayAt = 0;
    $("#away-before").addEventListener("click", () => this.awayStep(-1));
    $("#away-after").addEventListener("click", () => this.awayStep(1));
    $("[data-away]", box).addEventListener("submit", (event) => { event.preventDefault(); this.awayDone(); });
    this.awayStep(0);
  }

  awayStep(by) {
    const steps = $$(".away-steps > li");
    this.awayAt = Math.min(Math.max(this.awayAt + by, 0), steps.length - 1);
    steps.forEach((step, at) => { step.hidden = at !== this.awayAt; });
    $("#away-at").textContent = `${this.awayAt + 1}\u202f/\u202f${steps.length}`;
    $("#away-before").disabled = this.awayAt === 0;
    $("#away-after").disabled = this.awayAt === steps.length - 1;
  }

  awayDone() {
    const box = $("#away");
    if (!box) return;
    const held = box.contains(document.activeElement);
    box.remove();
    if (held) $("#prompt").focus({ preventScroll: true });
    this.note();
  }

  /* ---- Motion: what changed its place travels there, one after the other */

  places() {
    const found = new Map();
    if (!this.board || calm.matches) return found;
    for (const piece of [...$$(PIECES, this.board), ...$$(SOURCES, this.state)]) {
      const box = ($(":scope > .panel", piece) ?? piece).getBoundingClientRect();
      found.set(piece.id, [box.left + box.width / 2 + scrollX, box.top + box.height / 2 + scrollY]);
    }
    return found;
  }

  move(before, units) {
    const march = units ? window.motion.march(units, this.board) : 0;
    if (march) this.settle(march);
    if (!before.size || !this.board || calm.matches || document.hidden) return;
    const after = this.places();
    const scale = this.board.viewBox.baseVal.width / this.board.getBoundingClientRect().width;
    const ways = this.ways(before, after, scale);
    let delay = 0, last = 0;
    const animate = (piece, [dx, dy], start) => {
      const way = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
      piece.animate(way, { duration: 320, delay: start, easing: "cubic-bezier(.3,.1,.2,1)", fill: "backwards" });
      last = Math.max(last, start + 320);
    };
    // First what lies on a place comes or goes, then the place itself slides, with what lies on it.
    for (const holds of [false, true]) {
      for (const [piece, way] of ways) {
        if (piece.matches(PLACES) !== holds || Math.hypot(...way) < 2) continue;
        animate(piece, way, holds && last ? last : Math.min(delay, 480));
        if (!holds) delay += 60;
      }
    }
    if (last) this.settle(last);
  }

  /* News wait until what moves has come to rest. */
  settle(time) { this.settled = Promise.all([this.settled, new Promise((done) => { setTimeout(done, time); })]); }

  /* The dice that fell since the position shown before. */
  thrown(seen) { return $$("#throws > li").filter((one) => Number(one.dataset.n) > seen); }

  roll(thrown) {
    if (thrown.length && this.set("dice")) this.settled = Promise.all([this.settled, window.motion.tray.roll(thrown)]);
  }

  /* From where each piece of the board comes, seen from where it is now and from the place it lies on. */
  ways(before, after, scale) {
    const pieces = $$(PIECES, this.board), own = new Map();
    const gone = [...before.keys()].filter((id) => !after.has(id));
    const kind = (id) => id.split("-").slice(0, 2).join("-");
    for (const piece of pieces) {
      const [x, y] = after.get(piece.id);
      let from = before.get(piece.id) ?? before.get((piece.dataset.from ?? "").split(" ").find((id) => before.has(id)));
      if (!from && !piece.matches(PLACES)) {
        const at = gone.findIndex((other) => kind(other) === kind(piece.id));
        if (at >= 0) from = before.get(gone.splice(at, 1)[0]);
      }
      own.set(piece, from ? [(from[0] - x) * scale, (from[1] - y) * scale] : [0, 0]);
    }
    return pieces.map((piece) => {
      const [dx, dy] = own.get(piece), [px, py] = own.get(piece.parentElement.closest(PLACES)) ?? [0, 0];
      return [piece, [dx - px, dy - py]];
    });
  }
}

if ($("#state")) window.table = new Table();

/* ---- Clocks: the server says what is left; between two answers they are counted down here */

const clockSeen = new WeakMap();

function clockText(seconds, days) {
  const left = Math.max(0, Math.ceil(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(left / 3600) % 24;
  if (left >= 86400) return `${Math.floor(left / 86400)} ${days} ${two(hours)}:${two(Math.floor(left / 60) % 60)}`;
  const rest = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

function tickClocks() {
  for (const clock of $$("[data-clock]")) {
    if (!clockSeen.has(clock)) clockSeen.set(clock, performance.now());
    const passed = clock.dataset.runs === "1" ? (performance.now() - clockSeen.get(clock)) / 1000 : 0;
    const left = Number(clock.dataset.clock) - passed;
    const text = clockText(left, clock.dataset.days);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("short", left < 30 && clock.dataset.runs === "1");
  }
}

if ($("#state")) { tickClocks(); setInterval(tickClocks, 250); }
