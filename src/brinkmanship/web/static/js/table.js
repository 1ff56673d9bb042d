/* The table: common parts of its scripts, requests and responses. Each further part has a file of its own. */
"use strict";

const LONGEST_ANSWER = 20_000;  // timeout in milliseconds for the response to an action
const NO_ANSWER = [0, 502, 503, 504];  // a dead connection, a proxy without a server, a temporary server failure
const MOVED_ON = 409;           // the action was meant for another version of the game
const SENT_AGAIN = 4, SENT_AFTER = 500;  // maximum retries; first delay in milliseconds, doubled each time
const CARD_NAMES = "a.card-name, a.played, .hands .title";  // elements that show the card
/* Position of an event in whole pixels: pointer events have fractions, mouse events do not. */
const pixel = (event) => [event.clientX, event.clientY].map(Math.floor).join();
const NARROW = matchMedia("(max-width: 759px), (max-height: 479px)");  // as in phone.css

class Table {
  constructor() {
    this.busy = false;
    this.byKey = false;
    this.board = new Board(this);
    this.tooltip = new Tooltip(this);
    this.selection = new ChoiceSelection(this);
    this.tabs = new Tabs(this);
    this.multiSelect = new MultiSelect(this);
    this.keys = new Keys(this);
    this.drag = new Drag(this);
    this.panels = new Panels(this);
    this.hints = new Hints(this);
    this.isOld = false;
    this.connect();
    this.title = document.title;
    const { table, viewer } = this.state.dataset;
    this.chat = new Chat({ table, side: viewer, isPlayer: $("#note-box") !== null, changed: () => this.entitle() });
    this.settings();
    this.listen();
    this.missed = new MissedEvents(this);
    this.arrange();
    this.news();
    if (this.state.dataset.layout !== (NARROW.matches ? "narrow" : "wide")) this.relayout();
    NARROW.addEventListener("change", () => this.relayout());
    // Pages restored from the browser's cache may be outdated.
    addEventListener("pageshow", (event) => { if (event.persisted) this.catchUp(true); });
  }

  get state() { return $("#state"); }

  url(path, query = "") {
    const parts = [this.state.dataset.seat, query].filter(Boolean).join("&");
    return `/t/${this.state.dataset.table}/${path}${parts ? "?" + parts : ""}`;
  }

  relayout() {
    remember("layout", NARROW.matches ? "narrow" : "wide");
    this.catchUp(true);
  }

  settings() {
    for (const box of $$("[data-setting]")) {
      const name = box.dataset.setting;
      const isOn = box.checked && !(box.dataset.quietPhone !== undefined && matchMedia("(pointer: coarse)").matches);
      box.checked = kept(`set:${name}`, isOn ? "1" : "0") === "1";
      box.addEventListener("change", () => {
        keep(`set:${name}`, box.checked ? "1" : "0");
        this.showSettings();
        if (name === "confirm") this.selection.forget();  // without confirmation nothing waits for the button
        this.sound(name);
        this.warn(name);
      });
    }
    const speed = $("[data-speed]");
    speed.value = motion.speed();
    speed.addEventListener("change", () => keep("set:speed", speed.value));
    this.showSettings();
    this.selection.forget();
  }

  showSettings() {
    this.showKeys();
    root.classList.toggle("asks-first", this.set("confirm"));
    $("[data-mute]")?.setAttribute("aria-pressed", String(this.set("sound")));
  }

  /* Sounds play only if enabled; enabling one plays it at once. */
  sound(name) { if (this.set("sound")) sounds[name]?.(); }

  /* The server leaves the warnings out, so that nobody hears them either. */
  warn(name) {
    if (name !== "warnings") return;
    remember("warnings", this.set(name) ? "on" : "off");
    this.catchUp(true);
  }

  set(name) { return $(`[data-setting=${name}]`)?.checked ?? false; }

  showKeys(flip = false) {
    const shown = flip ? !root.classList.contains("show-keys") : this.set("keys");
    const box = $("[data-setting=keys]");
    if (flip && box) { box.checked = shown; keep("set:keys", shown ? "1" : "0"); }
    root.classList.toggle("show-keys", shown);
    $("[data-keys]")?.setAttribute("aria-pressed", String(shown));
  }

  /* ---- User input */

  listen() {
    document.addEventListener("submit", (event) => this.submit(event));
    document.addEventListener("change", (event) => {
      if (event.target.closest("[data-steps]")) { this.selection.narrow(); this.selection.chooseSteps(); }
      if (event.target.form?.id === "several") this.multiSelect.ticked();
    });
    // Otherwise the browser would select text when units are added with the shift key.
    document.addEventListener("mousedown", (event) => { if (event.shiftKey && event.target.closest("#board")) event.preventDefault(); });
    document.addEventListener("click", (event) => this.click(event), true);
    document.addEventListener("keydown", (event) => this.keys.press(event));
    for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, (event) => this.point(event));
    document.addEventListener("mouseout", (event) => this.leave(event));
    document.addEventListener("focusout", (event) => this.leave(event));
    document.addEventListener("pointerdown", () => { this.byKey = false; }, true);
    for (const kind of ["pointerdown", "pointermove"]) document.addEventListener(kind, (event) => this.follow(event), true);
  }

  async submit(event) {
    const form = event.target;
    if (form.matches("[data-act]")) {
      event.preventDefault();
      await this.send(form, event.submitter);
    } else if (form.matches("[data-hint]")) {
      event.preventDefault();
      await this.hints.ask(form, event.submitter);
    } else if (form.matches("[data-chat]")) {
      event.preventDefault();
      const field = form.elements.text, said = field.value;
      const sending = this.post(form);
      form.reset();
      const { ok, text } = await sending;
      if (ok) this.chat.show(text); else field.value ||= said;
    } else if (form.matches("[data-note]")) {
      event.preventDefault();
      const { ok } = await this.post(form);
      const saved = $(".saved", form);
      if (ok) { saved.textContent = saved.dataset.done; setTimeout(() => { saved.textContent = ""; }, 2500); }
    }
  }

  async send(form, submitter) {
    if (this.busy) return;
    this.busy = true;
    root.classList.add("busy");
    this.selection.closeMenu();
    try {
      const { ok, text } = await this.post(form, submitter);
      if (form.matches("[data-answers]") && ok) this.missed.done();
      if (text) this.swap(text, true);
    } finally {
      this.busy = false;
      root.classList.remove("busy");
      this.catchUp();
    }
  }

  /* Send a form. The response is a part of the page, with the current state even after a refusal. Without a response it
     is unknown whether the request has arrived, and the page says so. A request that names its version cannot be
     executed twice, so it is retried, perhaps by another machine. */
  async post(form, submitter, longest = LONGEST_ANSWER) {
    const body = new FormData(form, submitter);
    const sent = { method: "POST", body, headers: { "X-Fragment": "1", Accept: "text/html" } };
    for (let failures = 0; ; failures++) {
      const { status, text } = await this.answerTo(form.getAttribute("action"), sent, longest);
      if (failures && status === MOVED_ON) break;
      const ok = status >= 200 && status < 300;
      if (ok || text.includes('id="state"')) return { ok, text };
      const said = new DOMParser().parseFromString(text, "text/html").querySelector(".sheet h1")?.textContent;
      this.say(said || this.sign.dataset.unsent);  // a proxy's message is not in the viewer's language
      if (!NO_ANSWER.includes(status)) return { ok, text: "" };
      this.connection.doubt();
      if (!body.has("version") || failures === SENT_AGAIN) break;
      await new Promise((done) => { setTimeout(done, (0.5 + Math.random()) * SENT_AFTER * 2 ** failures); });
    }
    this.catchUp(true);
    return { ok: false, text: "" };
  }

  async answerTo(address, sent, longest) {
    try {
      const answer = await fetch(address, { ...sent, signal: AbortSignal.timeout(longest) });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return { status: 0, text: "" };
    }
  }

  /* Show and tell a failure; the line of consequences is silent. */
  say(text) {
    const line = $("#consequence");
    if (line) line.textContent = text;
    tell(text, true);
  }

  click(event) {
    const button = event.target.closest("button");
    if (this.selection.isAnswer(button)) {
      if (this.selection.asksFirst) { event.preventDefault(); this.selection.choose(button); }
      return;
    }
    if (event.target.closest("#do")) return this.selection.carryOut();
    const step = event.target.closest("[data-step]");
    if (step) return this.selection.step(Number(step.dataset.step));
    if (event.target.closest("[data-keys]")) return this.showKeys(true);
    if (event.target.closest("[data-mute]")) return $("[data-setting=sound]").click();
    if (this.panels.click(event.target)) return event.preventDefault();
    if (this.hints.click(event.target)) return;
    if (event.target.closest("[data-unread]")) return this.chat.open();
    const fold = event.target.closest("[data-fold]");
    if (fold) return fold.setAttribute("aria-pressed", String($("#dock").classList.toggle("folded")));
    const earlier = event.target.closest("[data-earlier]");
    if (earlier) { event.preventDefault(); return this.allLines(earlier); }
    const name = event.target.closest(CARD_NAMES);
    if (name) { event.preventDefault(); return this.tooltip.showCard(name); }
    if (event.target.closest("#menu")) return;
    if (this.tabs.click(event)) return;
    const many = event.shiftKey || event.ctrlKey || event.metaKey;
    if (many && this.multiSelect.add(event.target, event.shiftKey)) { event.preventDefault(); return; }
    const goal = event.target.closest("#board .goal");
    if (goal) { event.preventDefault(); this.multiSelect.sendTo(goal.dataset.place); return; }
    const thing = this.selection.thing(event.target);
    if (thing) { event.preventDefault(); this.selection.chooseThing(thing); } else this.selection.closeMenu();
    const told = thing ? null : this.tooltip.thing(event.target);
    if (told) this.tooltip.tell(told); else this.tooltip.hide();
  }

  point(event) {
    // An element that moves under a resting pointer is not pointed at until the pointer moves.
    this.rests = event.type === "mouseover" && this.pointer === pixel(event);
    if (!this.rests) this.tellPointed(event);
    // Touch screens have no hover: an element moved under the finger by the dock was not chosen.
    if (event.type !== "mouseover" || CAN_POINT.matches) this.selection.point(event);
  }

  tellPointed(event) {
    const name = event.target.closest?.(CARD_NAMES);
    if (name) this.tooltip.showCard(name);
    this.tooltip.point(event);
  }

  /* Track the pointer; if it was resting, show details of the element now below it. */
  follow(event) {
    const at = pixel(event), hasMoved = at !== this.pointer;
    this.pointer = at;
    if (!this.rests || !hasMoved || event.type !== "pointermove") return;
    this.rests = false;
    if (event.pointerType === "mouse") this.tellPointed(event);
  }

  leave(event) {
    this.selection.leave(event);
    this.tooltip.leave(event);
    if (event.target.closest?.(CARD_NAMES)) this.tooltip.hide();
  }

  async allLines(link) {
    const answer = await fetch(link.href, { headers: { "X-Fragment": "1" } });
    if (!answer.ok) return;
    $("#log-lines").outerHTML = await answer.text();
    link.parentElement.remove();
  }

  /* ---- Updates */

  connect() {
    this.sign = $("#line");
    this.errand = new Errand((signal) => this.fetchMissing(signal));
    this.connection = new Connection({
      seconds: Number(this.sign.dataset.heartbeat),
      heard: (heartbeat) => {
        const isNews = ["version", "said", "seating"].some((what) => heartbeat[what] !== this.latest?.[what]);
        this.latest = heartbeat;
        this.showWhoIsHere();
        if (isNews) this.catchUp();
      },
      changed: (isLost) => {
        this.sign.textContent = isLost ? this.sign.dataset.lost : "";
        this.showWhoIsHere();
        if (!isLost) {
          tell(this.sign.dataset.back);
          this.catchUp();
        }
      },
    });
    this.connection.tellTime(this.state.dataset.now, true);
  }

  news() {
    this.seat = this.state.dataset.seat;
    this.latest = undefined;
    this.connection.open(this.url("news"), this.url("heartbeat"));
  }

  /* Return true if the page is behind the last heartbeat; a player may have joined, or begun the next game. */
  isBehind() {
    const { version, seating } = this.state.dataset;
    return this.latest !== undefined && (this.latest.version > Number(version) || this.latest.seating !== seating);
  }

  get isChatBehind() { return this.latest?.said > this.chat.last; }

  /* Fetch missing updates; with `isOld` fetch the state in any case. */
  catchUp(isOld = false) {
    this.isOld ||= isOld;
    this.errand.start();
  }

  /* Return true if nothing is missing. A request being sent will return the latest state itself. */
  async fetchMissing(signal) {
    if (this.busy) return true;
    if (this.isChatBehind) {
      const text = await this.get("chat", signal);
      if (text) this.hearTalk(this.chat.show(text));
    }
    if (this.isOld || this.isBehind()) {
      const isOld = this.isOld;
      this.isOld = false;
      await this.board.settled;
      // The response may come from another machine than the notification.
      const text = await this.get("state", signal, this.latest ? `at_least=${this.latest.version}` : "");
      if (this.busy) return true;
      if (text) this.swap(text, false, isOld);
      else this.isOld ||= isOld;
    }
    return !this.isOld && !this.isBehind() && !this.isChatBehind;
  }

  /* Return a part of the page, "" if it is unavailable. */
  async get(part, signal, query = "") {
    try {
      const answer = await fetch(this.url(part, query), { headers: { Accept: "text/html" }, signal });
      return answer.ok ? await answer.text() : "";
    } catch {
      return "";
    }
  }

  hearTalk(lines) {
    if (!lines.length) return;
    tell(lines.map(plain).join(". "));
    if (!opensAtFirst(this.chat.box)) this.chat.box.open = true;
    this.chat.box.dataset.remember = "open";  // no longer empty
    if (lines.some((line) => !this.chat.isOwn(line))) this.sound("chat");
  }

  /* Show whether the other side has its page open; unknown while the connection is lost. */
  showWhoIsHere() {
    for (const mark of $$(".here", this.state)) {
      const isKnown = this.latest !== undefined && !this.connection.isLost;
      const isHere = isKnown && this.latest.here.includes(Number(mark.dataset.side));
      mark.textContent = isHere ? mark.dataset.here : isKnown ? mark.dataset.away : "";
      mark.classList.toggle("absent", !isHere);
    }
  }

  /* Update title and dock: unread messages, and whose turn it is. */
  entitle() {
    const unread = this.chat.unread.length, asked = this.state.dataset.asked === "1" ? "● " : "";
    document.title = `${unread ? `(${unread}) ` : ""}${asked}${this.title}`;
    const button = $("[data-unread]", this.state);
    button.hidden = !unread;
    button.textContent = `${button.dataset.unread} ${unread}`;
  }

  swap(text, own, always = true) {
    const holder = document.createElement("template");
    holder.innerHTML = text;
    const fresh = holder.content.querySelector("#state");
    const old = this.state;
    if (!fresh) return;
    this.connection.tellTime(fresh.dataset.now);
    // Versions are counted per viewer: on one screen the other side's view may have the same number.
    const isSame = ["version", "viewer"].every((what) => fresh.dataset[what] === old.dataset[what]);
    if (!always && isSame && fresh.dataset.seating === old.dataset.seating) return;
    const focused = document.activeElement;
    const within = old.contains(focused) || $("#menu").contains(focused);
    const focusedId = within ? focused.id : "";
    const scrolled = scrollY;
    const wasAsked = old.dataset.asked === "1";
    const lines = Number(old.dataset.lines);
    const where = this.board.places(), units = motion.standing(this.board.svg);
    const chosen = isSame ? this.selection.kept : null;
    if (isSame) {
      this.multiSelect.carryOver(old, fresh);
      this.keepOpen(old, fresh);
    }
    this.selection.closeMenu();
    this.selection.clear();
    this.tooltip.hide();
    old.replaceWith(fresh);
    if (fresh.dataset.seat !== this.seat) this.news();
    scrollTo({ top: scrolled, behavior: "instant" });
    this.arrange();
    this.selection.again(chosen);
    if (fresh.dataset.layout === old.dataset.layout) this.board.move(where, units); // otherwise all positions have changed
    const thrown = this.board.thrown(Number($("#throws", old)?.dataset.last ?? 0));
    this.board.roll(thrown);
    this.showSettings();
    const news = this.announce(lines, thrown, isSame);
    this.hear(news, thrown);
    if (!own) this.board.layOut(news);
    if (within) {
      const same = focusedId && focusedId !== "do" && document.getElementById(focusedId); // its action is done
      const target = same || (this.byKey && ($("#uncover") || this.selection.actions[0])) || $("#prompt");
      target.focus({ preventScroll: true });
    }
    else if (document.activeElement === document.body && focused !== document.body) $("#prompt").focus({ preventScroll: true });
    if (this.state.dataset.asked === "1" && !wasAsked) {
      window.bell?.look();
      if (!own) this.sound("turn");
    }
  }

  /* The same position was redrawn: what was unfolded stays so. */
  keepOpen(old, fresh) {
    for (const box of $$("details[id][open]:not([data-remember])", old)) {
      const same = fresh.querySelector(`#${box.id}`);
      if (same) same.open = true;
    }
  }

  /* Scroll to the newest lines, mark playable cards, show in the title whose turn it is. */
  arrange() {
    this.tabs.arrange();
    this.keys.number();
    this.selection.narrow();
    this.multiSelect.ticked();
    this.selection.stand();
    this.hints.arrange();
    const log = $("#log-lines");
    log.scrollTop = log.scrollHeight;
    for (const card of $$(".cards li")) card.classList.toggle("can", this.selection.meant(card).length > 0);
    // Make boxes with overflow focusable for scrolling with keys; others are no tab stop.
    for (const box of $$(".recap, .cards, .log, .choices, .subject, .rows, .dock, .story, #board, .board-text:not(.text-off), .board-text:not(.text-off) .text-table", this.state)) {
      if (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
    for (const box of $$("details[data-remember]", this.state)) {
      box.open = kept(`open:${box.id}`) === "1";
      box.addEventListener("toggle", () => keep(`open:${box.id}`, box.open ? "1" : "0"));
    }
    this.showWhoIsHere();
    this.entitle();
    this.missed.saw();
  }

  lineList() { return $$("#log-lines > li"); }

  /* Tell what has happened and what is asked now, once: a position that was only drawn again is silent. */
  announce(before, thrown, isSame) {
    const fresh = this.lineList().filter((line) => Number(line.dataset.n) >= before);
    for (const line of fresh) line.classList.add("fresh");
    const said = fresh.map(plain);
    // On a shared screen the other viewer's lines have other numbers; dice are shown in any case.
    for (const told of thrown.map((one) => $("p.came-to", one).textContent)) if (!said.some((line) => line.startsWith(told))) said.push(told);
    const now = $$("#prompt, .result :is(.why, li)", this.state).map(plain);
    if (!isSame) said.push(...now.filter((one) => !said.includes(one)));
    if (said.length) tell(sentences(said.slice(-12)));
    return fresh;
  }

  /* Of all that happened the gravest is heard; pieces are heard when they arrive. */
  hear(lines, thrown) {
    const told = lines.map((line) => line.dataset.sound);
    const grave = ["war", "check"].find((sound) => told.includes(sound));
    const isCard = lines.some((line) => $(":scope > a.card-name", line));
    if (grave || thrown.length || isCard) this.sound(grave ?? (thrown.length ? "dice" : "card"));
  }
}

if ($("#state")) window.table = new Table();
