/* What of the table is in the window: looked at by one script in the page, at whatever size it has.

   Returns { height: of the page, cut: what should be wholly in sight and is not, covered: whether the dock lies over the
   board, small: texts under the least size }. `least` is in CSS pixels; a text of a drawing counts as it is drawn. */
(least) => {
  const EDGE = 1.5;
  const name = (one) => `${one.tagName.toLowerCase()}${one.id ? "#" + one.id : ""}.${[...one.classList].join(".")} ${one.textContent.trim().slice(0, 40)}`;
  const visible = (one) => one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && one.getClientRects().length > 0;
  const within = (inner, outer) => inner.left >= outer.left - EDGE && inner.top >= outer.top - EDGE && inner.right <= outer.right + EDGE && inner.bottom <= outer.bottom + EDGE;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const board = document.querySelector("#board > svg"), dock = document.querySelector("#dock");

  /* Boxes around a thing that scroll or hide what is beyond them. */
  const frames = (one) => {
    const found = [screen];
    for (let box = one.parentElement; box; box = box.parentElement) if (getComputedStyle(box).overflowY !== "visible") found.push(box.getBoundingClientRect());
    return found;
  };
  const inSight = (one) => frames(one).every((frame) => within(one.getBoundingClientRect(), frame));
  const wanted = [board, ...document.querySelectorAll("#prompt, .answers .face > *, .subject > *, .answers button, .hands .title")].filter((one) => one && visible(one));
  const cut = wanted.filter((one) => !inSight(one) || (one.scrollHeight > one.clientHeight + 2 && one.matches(".text"))).map(name);

  const one = board.getBoundingClientRect(), other = dock.getBoundingClientRect();
  const covered = one.top < other.bottom - EDGE && other.top < one.bottom - EDGE && one.left < other.right - EDGE && other.left < one.right - EDGE;

  const small = new Map();
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest("title, desc, script, noscript, option, .unseen, .outlines, [hidden]") || !visible(parent)) continue;
    const drawn = parent.closest("svg") ? parent.getScreenCTM() : null;
    const size = parseFloat(getComputedStyle(parent).fontSize) * (drawn ? Math.hypot(drawn.b, drawn.d) : 1);
    if (size < least - 0.05) small.set(name(parent), Math.round(size * 10) / 10);
  }
  return { height: document.documentElement.scrollHeight, cut, covered, small: [...small].map(([what, size]) => `${size} ${what}`) };
}
