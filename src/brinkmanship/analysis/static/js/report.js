/* The report of an analysis: the position at each stop of the curve, and decisions to be made again. The server has a
   copy: `python tools/stylesheet.py`. */
(() => {
  const mover = document.querySelector(".mover"), told = JSON.parse(mover.dataset.stops);
  const slider = mover.querySelector("input"), said = document.querySelector(".said");
  const board = document.querySelector(".board.at"), curve = document.querySelector(".curve svg");
  const now = curve.querySelector(".now"), on = document.querySelector(".on");
  let shown = null;
  const show = () => {
    const stop = told.stops[slider.value], wins = told.wins.replace("%x", stop.win);
    said.textContent = [wins, ...stop.said].join(" · ");
    slider.setAttribute("aria-valuetext", said.textContent);
    const x = Number(curve.dataset.left) + stop.n * Number(curve.dataset.scale);
    now.setAttribute("x1", x);
    now.setAttribute("x2", x);
    if (on) {
      on.href = `${on.dataset.to}${stop.n}?as=${told.side}`;
      on.hidden = stop.n === told.over;
    }
    if (shown !== stop.board) {
      shown = stop.board;
      const picture = document.querySelector(`template[data-n="${shown}"]`);
      board.replaceChildren(picture.content.cloneNode(true));
    }
  };
  const nearest = (n) => {
    let best = 0;
    told.stops.forEach((stop, at) => {
      if (Math.abs(stop.n - n) < Math.abs(told.stops[best].n - n)) best = at;
    });
    return best;
  };
  slider.addEventListener("input", show);
  mover.addEventListener("click", (event) => {
    const by = event.target.closest("button")?.dataset.by;
    if (by) {
      slider.value = Number(slider.value) + Number(by);
      show();
    }
  });
  curve.addEventListener("click", (event) => {
    const box = curve.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * curve.viewBox.baseVal.width;
    slider.value = nearest((x - Number(curve.dataset.left)) / Number(curve.dataset.scale));
    show();
  });
  addEventListener("beforeprint", () => document.querySelectorAll(".report details").forEach((one) => { one.open = true; }));
  show();

  /* A decision is answered by pressing a choice: then its solution opens. */
  for (const question of document.querySelectorAll(".question")) {
    const verdict = question.querySelector(".told"), picks = question.querySelectorAll("[data-pick]");
    for (const pick of picks) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = pick.textContent;
      button.setAttribute("aria-pressed", "false");
      pick.replaceChildren(button);
      button.addEventListener("click", () => {
        for (const other of picks) other.firstChild.setAttribute("aria-pressed", String(other === pick));
        verdict.textContent = pick.dataset.right === undefined ? verdict.dataset.wrong : verdict.dataset.right;
        question.querySelector(".solution").open = true;
      });
    }
  }
})();
