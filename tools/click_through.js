/* Faults of layout and language on the page as it is: one line for each, sorted by nothing. Run by click_through.py.

   `language` is that of the page, `least` the smallest letters (CSS pixels), `english` words that no other language has. */
({ language, least, english }) => {
  const EDGE = 1.5;
  const name = (one) => `${one.tagName.toLowerCase()}${one.id ? "#" + one.id : ""}.${[...one.classList].join(".")} "${one.textContent.trim().replace(/\s+/g, " ").slice(0, 60)}"`;
  const UNSEEN = "title, desc, script, style, noscript, option, template, .unseen, .skip, .outlines, [hidden], [inert], .tip, .text-off";
  const visible = (one) => !one.closest(UNSEEN) && one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && one.getClientRects().length > 0;
  const faults = new Set();
  const tell = (kind, one, more = "") => faults.add(`${kind}: ${name(one)} ${more}`.trim());
  const style = (one) => getComputedStyle(one);
  const scrolls = (one) => /auto|scroll/.test(style(one).overflowX + style(one).overflowY);
  const all = (selector) => [...document.querySelectorAll(selector)].filter(visible);

  if (document.documentElement.scrollWidth > innerWidth + 1) faults.add(`page scrolls sideways: ${document.documentElement.scrollWidth} of ${innerWidth}`);

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.textContent.trim() && visible(node.parentElement)) texts.push(node);
  }
  const rectsOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((rect) => rect.width > 0.5);
  };

  /* Words broken for want of room: more lines than words. */
  for (const node of texts) {
    if (!node.parentElement.closest(".title, button, label, th, .called") || node.parentElement.closest("svg")) continue;
    if (new Set(rectsOf(node).map((rect) => Math.round(rect.top))).size > node.textContent.trim().split(/[\s-]+/).length) tell("broken words", node.parentElement);
  }

  /* Texts that leave the box that clips them, or are shortened with dots. */
  for (const node of texts) {
    const parent = node.parentElement, rects = rectsOf(node);
    if (!rects.length) continue;
    const drawn = parent.closest("svg") ? parent.getScreenCTM() : null;
    const size = parseFloat(style(parent).fontSize) * (drawn ? Math.hypot(drawn.b, drawn.d) : 1);
    if (size < least - 0.05) tell("small letters", parent, `${size.toFixed(1)} px`);
    if (drawn) continue;
    for (let box = parent; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY } = style(box);
      if (overflowX === "visible" && overflowY === "visible") continue;
      if (scrolls(box)) break;
      const whole = box.getBoundingClientRect(), dots = style(box).textOverflow === "ellipsis";
      const frame = { left: whole.left, top: whole.top, bottom: whole.bottom, right: whole.right - (dots ? parseFloat(style(box).paddingRight) : 0) };
      if (box.matches(".gist, .played .text")) break; // shortened on purpose; a press shows all
      if (rects.some((rect) => rect.right > frame.right + EDGE || rect.left < frame.left - EDGE)) tell("cut at the side", parent, `in ${name(box).slice(0, 60)}`);
      else if (rects.some((rect) => rect.bottom > frame.bottom + 4 || rect.top < frame.top - 4)) tell("cut above or below", parent, `in ${name(box).slice(0, 60)}`);
      break;
    }
    if (rects.some((rect) => (rect.right > innerWidth + EDGE || rect.left < -EDGE)) && !ancestors(parent).some(scrolls)) tell("outside the window", parent);
  }
  function ancestors(one) { const found = []; for (let box = one; box && box !== document.body; box = box.parentElement) found.push(box); return found; }

  /* Texts that leave the box they belong to, though nothing clips them. */
  for (const node of texts) {
    const box = node.parentElement.closest("button, a.button, .face, label, th, td, legend, summary, .place-row, .player, select");
    if (!box || box.closest("svg") || style(box).display === "inline" || style(box).display === "contents") continue;
    const frame = box.getBoundingClientRect(), beyond = Math.max(...rectsOf(node).flatMap((rect) => [rect.right - frame.right, frame.left - rect.left]));
    if (beyond > EDGE && !scrolls(box)) tell("wider than its box", box, `${beyond.toFixed(0)} px: ${node.textContent.trim().slice(0, 40)}`);
  }

  /* Buttons of two lines. */
  for (const one of all("button, a.button")) {
    if (one.matches(".place-row, .plain, .with-odds > *, #menu > *, [role=tab]") || one.closest("svg")) continue;
    const tops = texts.filter((node) => one.contains(node)).flatMap(rectsOf).map((rect) => [rect.top, rect.bottom]).sort((a, b) => a[0] - b[0]);
    let lines = 0, bottom = -Infinity;
    for (const [top, low] of tops) { if (top > bottom - 3) { lines += 1; bottom = low; } else bottom = Math.max(bottom, low); }
    if (lines > (one.id === "do" ? 2 : 1)) tell("button of two lines", one);
  }

  /* Answers that lie over one another. */
  const pressed = all(".answers button, .numbers button, .group button, #do, .tools button, .tools a");
  for (const [at, one] of pressed.entries()) {
    const a = one.getBoundingClientRect();
    for (const other of pressed.slice(at + 1)) {
      const b = other.getBoundingClientRect();
      if (a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2) tell("lies over another", one, `and ${name(other)}`);
    }
  }

  /* Tools that lie over the question or the effect of a choice. */
  for (const one of all(".prompt-bar > .tools svg")) {
    const a = one.getBoundingClientRect();
    const below = texts.filter((node) => node.parentElement.closest(".prompt-bar > :is(h1, .consequence, .aim)"));
    const under = below.find((node) => rectsOf(node).some((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4));
    if (under) tell("lies over text", one.parentElement, name(under.parentElement));
  }

  /* Keys of catalogues instead of texts, text that Python or JavaScript made of nothing, English in other languages. */
  const said = texts.map((node) => [node.parentElement, node.textContent.trim()]);
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder], [data-say], [data-tell], [alt]")) {
    for (const attribute of ["aria-label", "title", "placeholder", "data-say", "data-tell", "alt"]) if (one.getAttribute(attribute)) said.push([one, one.getAttribute(attribute)]);
  }
  const foreign = language === "en" ? null : new RegExp(`\\b(${english.join("|")})\\b`, "i");
  for (const [one, text] of said) {
    if (one.closest("[translate=no], code, .commitment, [data-copy]")) continue;
    const bare = text.replaceAll(/[„“«"][^“”»"]*[“”»"]|Rally for the Motherland/g, ""); // Event Cards keep their printed names
    if (/(^|[^\w./@])[a-z]+(\.[a-z_]+)+($|[^\w./])/.test(text) && !/e\.g|i\.e|z\.B|m\.in|\.toml|\.com|v\.\w/.test(text)) tell("perhaps a key", one, text.slice(0, 80));
    if (/\b(undefined|None|null|NaN|\[object|Undefined)\b|\{\w+\}/.test(text) && !(language === "en" && text === "None")) tell("no text", one, text.slice(0, 80));
    if (foreign && foreign.test(bare) && !one.closest("[lang]:not(html)")) tell("perhaps English", one, `${bare.match(foreign)[0]} in ${text.slice(0, 80)}`);
    if (/[ÃÂÐÑ][\u0080-\u00bf]/.test(text)) tell("broken letters", one, text.slice(0, 80));
  }

  /* Pictures and forms without a name. */
  for (const one of all("button, a[href], input:not([type=hidden]), select, textarea")) {
    const label = one.getAttribute("aria-label") || one.textContent.trim() || one.title || one.placeholder || [...(one.labels ?? [])].some((each) => each.textContent.trim()) || one.getAttribute("aria-labelledby");
    if (!label) tell("without a name", one);
  }
  return [...faults];
}
