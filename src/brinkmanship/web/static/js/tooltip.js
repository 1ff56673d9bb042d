/* Details of an element on the table: its lines, or its card, beside it. */
"use strict";

const LINGERS = 220;  // milliseconds before details of an element under the pointer appear: not for elements passed over
const CAN_POINT = matchMedia("(hover: hover)");

class Tooltip {
  constructor(table) {
    this.table = table;
    this.pictures = new Map();
    this.pointed = null;
    this.stays = false;
  }

  /* Elements of the board with details: the element itself, also if the pointer is over the ground below it. */
  thing(target) {
    const found = target.closest?.("#board [data-tell], #board [data-place]");
    return found?.dataset.tell === undefined ? document.getElementById(`zone-${found?.dataset.place}`) : found;
  }

  /* A click: the details stay until the next click. */
  tell(thing) {
    const view = $("#card-view");
    if (!view.hidden && view.thing === thing && this.stays) return this.hide();
    this.show(thing);
    this.stays = true;
    tell(thing.dataset.tell);
  }

  /* Hover or keyboard focus; screen readers use the element's own text. */
  point(event) {
    const isFocus = event.type === "focusin";
    if (isFocus ? !this.table.byKey : !CAN_POINT.matches) return;
    const thing = this.thing(event.target);
    if (!thing || thing === this.pointed) return;
    this.forget();
    this.pointed = thing;
    $(":scope > title", thing)?.remove(); // otherwise the browser would show its own tooltip as well
    this.waiting = setTimeout(() => this.show(thing), isFocus ? 0 : LINGERS);
  }

  leave(event) {
    if (this.pointed && this.thing(event.target) === this.pointed && this.thing(event.relatedTarget ?? document.body) !== this.pointed) this.forget();
  }

  /* Nothing is pointed at; clicked details stay. */
  forget() {
    clearTimeout(this.waiting);
    if (this.pointed && !this.stays && $("#card-view").thing === this.pointed) this.hide();
    this.pointed = null;
  }

  /* Show an element's lines beside it; they replace clicked details. */
  show(thing) {
    if (!thing.isConnected || !$("#menu").hidden || root.classList.contains("dragging")) return;
    const view = $("#card-view");
    this.cardWanted = null;
    this.stays &&= view.thing === thing;
    view.replaceChildren(this.told(thing));
    view.thing = thing;
    view.hidden = false;
    this.put(view, thing);
  }

  /* Place details beside an element, if there is room, without covering it or the ground below it. */
  put(view, thing) {
    const parts = thing.id.startsWith("zone-") ? $$(`#board [data-place="${thing.dataset.place}"]`) : [thing];
    const boxes = parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width);
    const frame = thing.closest("#board, .rows").getBoundingClientRect(), own = view.getBoundingClientRect();
    const dock = $("#dock").getBoundingClientRect(), isBelow = dock.left < frame.right;
    const ceiling = Math.max(0, frame.top), floor = Math.min(innerHeight, frame.bottom, isBelow ? dock.top : innerHeight);
    const left = Math.min(...boxes.map((box) => box.left)), right = Math.max(...boxes.map((box) => box.right));
    const top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom));
    const within = (at, least, most) => Math.max(least, Math.min(at, most));
    const x = within((left + right - own.width) / 2, 4, innerWidth - own.width - 4);
    const y = within((top + bottom - own.height) / 2, ceiling + 4, floor - own.height - 4);
    const places = [[right + 8, y], [left - own.width - 8, y], [x, bottom + 8], [x, top - own.height - 8]];
    const fits = ([at, down]) => at >= 4 && down >= 4 && at + own.width <= innerWidth - 4 && down + own.height <= floor;
    const [at, down] = places.find(fits) ?? [x, Math.min(bottom + 8, innerHeight - own.height - 4)];
    view.style.left = `${at}px`;
    view.style.top = `${down}px`;
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

  /* The large view of a card, fetched once; "" if there is none. */
  async picture(url) {
    if (!this.pictures.has(url)) {
      const answer = await fetch(url, { headers: { "X-Fragment": "1" } });
      if (!answer.ok) return "";
      this.pictures.set(url, await answer.text());
    }
    return this.pictures.get(url);
  }

  async showCard(name) {
    const group = name.closest("[data-agenda]");
    const kind = group ? "agenda" : "card";
    const id = group?.dataset.agenda ?? name.closest("[data-card]").dataset.card;
    this.cardWanted = id;
    const url = this.table.url(`${kind}/${id}`).split("?")[0];
    const picture = await this.picture(url);
    if (!picture || this.cardWanted !== id) return;
    const view = $("#card-view");
    view.thing = null;
    view.innerHTML = picture;
    view.hidden = false;
    const box = name.getBoundingClientRect(), own = view.getBoundingClientRect();
    view.style.left = `${Math.min(Math.max(4, box.left), innerWidth - own.width - 4)}px`;
    view.style.top = `${box.top > own.height + 10 ? box.top - own.height - 8 : Math.min(box.bottom + 8, innerHeight - own.height - 4)}px`;
  }

  hide() {
    clearTimeout(this.waiting);
    this.cardWanted = null;
    this.stays = false;
    $("#card-view").hidden = true;
  }
}
