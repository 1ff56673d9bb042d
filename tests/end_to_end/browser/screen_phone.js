/* What a phone's screen shows of a question: run in the page by test_screen_phone.py. Where there is room enough for them,
   `whole`, cards to choose from stand there without being scrolled, but where a step back or
   another answer takes a line of its own. */
(whole) => {
  const seen = (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility !== "hidden";
  const isUnseen = (one) => one.closest(".unseen, [hidden], .skip");
  const name = (one) => `${one.tagName}.${one.className.baseVal ?? one.className}#${one.id} ${one.textContent.trim().slice(0, 30)}`;
  const inside = (box, frame) => box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
  const page = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  /* What can be reached: in the window, or in a region inside the window that scrolls to it. */
  const scrolls = (one) => { const style = getComputedStyle(one); return /auto|scroll/.test(style.overflowX + style.overflowY); };
  const reach = (one) => {
    for (let box = one; box && box !== document.body; box = box.parentElement) {
      const rect = box.getBoundingClientRect();
      if (box !== one && !scrolls(box)) continue;
      if (inside(rect, page)) return true;
    }
    return false;
  };
  const rows = [...document.querySelectorAll(".place-row.can")];
  const unreached = [];
  for (const button of document.querySelectorAll("#choices button[name=action]")) {
    const { place, track, area } = button.dataset;
    const row = rows.find((one) => (place && one.dataset.place === place) || (track && one.dataset.track === track));
    if (!(seen(button) ? reach(button) : row && (seen(row) ? reach(row) : true))) unreached.push(name(button));
  }
  const small = [];
  for (const one of document.querySelectorAll("button, a.button, select, input:not([type=hidden], [type=radio]), .steps label")) {
    if (!seen(one) || isUnseen(one) || one.closest(".beside, .story")) continue;
    const box = one.getBoundingClientRect();
    if (box.height < 43.5 || box.width < 43.5) small.push(`${name(one)} ${box.width}x${box.height}`);
  }
  const tiny = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.textContent.trim() || !seen(one) || isUnseen(one) || one.closest("title, script, style, noscript, option, .beside")) continue;
    const scale = one.ownerSVGElement ? one.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(one).fontSize) * scale;
    if (size < 12.95) tiny.push(`${name(one)} ${size}`);
  }
  /* The words of a card to choose from, whole above its buttons; else it scrolls to its last line. */
  const hidden = [];
  for (const card of document.querySelectorAll(".answers > li")) {
    const last = [...card.children].filter((one) => seen(one) && !one.matches(".ways")).at(-1), ways = card.querySelector(".ways");
    const beyond = () => last.getBoundingClientRect().bottom - ways.getBoundingClientRect().top;
    const more = Math.round(Math.max(beyond(), card.scrollHeight - card.clientHeight));
    card.scrollTop = card.scrollHeight;
    if (beyond() > 1) hidden.push(`${name(card)}: its end is never seen`);
    else if (more > 1 && whole && !document.querySelector("#undo, .answers ~ .plain")) hidden.push(`${name(card)}: ${more} px are out of sight`);
    card.scrollTop = 0;
  }
  /* Names of cards on more lines than they have words. */
  const linesOf = (one) => { const range = document.createRange(); range.selectNodeContents(one); return new Set([...range.getClientRects()].map((rect) => Math.round(rect.top))).size; };
  const broken = [...document.querySelectorAll(".face .title")].filter((one) => seen(one) && linesOf(one) > one.textContent.trim().split(/[\s-]+/).length);
  const prompt = document.querySelector("#prompt").getBoundingClientRect(), dock = document.querySelector("#dock").getBoundingClientRect();
  const hands = document.querySelector(".hands"), under = hands && seen(hands) && hands.getBoundingClientRect().top >= dock.bottom - 1 ? hands.offsetHeight : 0;
  const faults = [
    ...(document.documentElement.scrollWidth > innerWidth ? [`the page is ${document.documentElement.scrollWidth} wide`] : []),
    ...(inside(prompt, page) ? [] : ["the prompt is outside"]),
    ...(inside(dock, page) ? [] : ["the dock is outside"]),
    ...(document.querySelector(".rows:not(.tab-off)") ? [] : ["no list is in front"]),
    ...unreached.map((one) => `out of reach: ${one}`),
    ...small.map((one) => `too small to touch: ${one}`),
    ...hidden.map((one) => `text of a card: ${one}`),
    ...broken.map((one) => `broken name: ${name(one)}`),
    ...tiny.map((one) => `too small to read: ${one}`),
  ];
  return { faults, dock: (dock.height + under) / innerHeight };
}
