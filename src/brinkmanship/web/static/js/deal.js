/* The player's own random bytes for the deal (docs/develop/formats.md): this browser makes them after it has seen the
   server's commitment, sends first its own commitment and then the bytes, and remembers what it sent and saw, so that
   the journal can be compared with it after the game. */
"use strict";

{
  const PREFIX = "deal:";
  const MOST_REMEMBERED = 200;
  const LONGEST_ANSWER = 20000; // milliseconds; a dead connection never responds
  const FIRST_PAUSE = 500, LONGEST_PAUSE = 30000; // milliseconds between two attempts

  /* Forms for taking a seat state that this browser will add bytes. */
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-contributes]") || form.elements.contributes) return;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "contributes", value: "true" });
    form.append(field);
  }, true);

  function remembered(key) {
    try { return JSON.parse(localStorage.getItem(PREFIX + key)); } catch { return null; }
  }

  function rememberAll() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => ({ key, ...JSON.parse(localStorage.getItem(key)) }));
    } catch { return []; }
  }

  function remember(key, deal) {
    try {
      localStorage.setItem(PREFIX + key, JSON.stringify(deal));
      const all = rememberAll().sort((one, other) => one.at - other.at);
      for (const old of all.slice(0, Math.max(0, all.length - MOST_REMEMBERED))) localStorage.removeItem(old.key);
      return true;
    } catch { return false; }
  }

  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  async function send(table, fields) {
    const body = new URLSearchParams({ csrf: document.querySelector("meta[name=csrf]").content, ...fields });
    const signal = AbortSignal.timeout(LONGEST_ANSWER);
    const answer = await fetch(`/t/${table}/deal`, { method: "POST", body, headers: { "X-Fragment": "1" }, signal });
    return answer.ok;
  }

  /* The contribution owed for one side. The bytes stay the same for every retry; otherwise a player could block
     requests and draw new bytes until they like the deal. Only after a side has withdrawn do the others make new ones,
     see docs. */
  async function pay(box, side, what) {
    const shares = JSON.parse(box.dataset.shares);
    const { table, commitment } = box.dataset;
    const out = shares.filter((share) => share.pledge && !share.contributes).map((share) => share.side).join(",");
    const key = [table, shares[side].side, out].join(":");
    let deal = remembered(key);
    if (deal && deal.commitment !== commitment) return false; // not the commitment shown before: send nothing
    deal ??= { table, commitment, side: shares[side].side, bytes: hex(crypto.getRandomValues(new Uint8Array(32))), at: Date.now() };
    const pledge = sha256(`brinkmanship deal 2 pledge\n${commitment}\n${deal.side}\n${deal.bytes}\n`);
    const own = shares[side].pledge;
    if (own && own !== pledge) return false; // the bytes are in another browser
    deal.pledge = pledge;
    if (what === "bytes") {
      const others = Object.fromEntries(shares.filter((share) => !share.mine && share.contributes).map((share) => [share.side, share.pledge]));
      if (deal.others && JSON.stringify(deal.others) !== JSON.stringify(others)) return false;
      deal.others = others;
    }
    if (!remember(key, deal) && what === "pledge") return send(table, { side }); // forgotten bytes could never be revealed
    return send(table, what === "bytes" ? { side, contribution: deal.bytes } : { side, pledge });
  }

  const told = () => JSON.stringify(document.querySelector("#deal")?.dataset ?? {});
  let paying = false, pause = FIRST_PAUSE, next, paid = "";

  /* Do not send a contribution again while the page does not know of it yet; ask until it does. */
  async function look() {
    clearTimeout(next);
    const box = document.querySelector("#deal"), asked = told();
    if (paying || !box) return;
    paying = true;
    const owed = Object.entries(JSON.parse(box.dataset.owed));
    try {
      let isAll = asked !== paid;
      if (isAll) for (const [side, what] of owed) isAll = await pay(box, Number(side), what) && isAll;
      if (isAll) paid = asked;
    } catch { /* connection lost: retried below */ }
    paying = false;
    if (owed.length) window.table?.catchUp(true);
    next = setTimeout(look, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }

  const state = document.querySelector("#state");
  if (state) {
    let before = told();
    new MutationObserver(() => {
      if (told() === before) return;
      before = told();
      pause = FIRST_PAUSE;
      look();
    }).observe(state.parentElement, { childList: true });
    look();
  }

  /* On the page of a proof: is it the deal that this browser took part in? */
  const proof = document.querySelector("[data-proof]");
  if (proof) {
    const { table, commitment, bytes, pledges } = JSON.parse(proof.dataset.proof);
    const all = rememberAll().filter((deal) => deal.table === table || deal.commitment === commitment);
    const mine = all.filter((deal) => !all.some((later) => later.side === deal.side && later.at > deal.at));
    const isKept = (deal) => deal.commitment === commitment && bytes[deal.side] === deal.bytes
      && Object.entries(deal.others ?? {}).every(([side, pledge]) => pledges[side] === pledge);
    const verdict = !mine.length ? "unknown" : mine.every(isKept) ? "kept" : "broken";
    for (const said of proof.querySelectorAll("[data-verdict]")) said.hidden = said.dataset.verdict !== verdict;
  }

  /* SHA-256 (FIPS 180-4) of an ASCII text, hexadecimal. Browsers provide their own only over https. */
  function sha256(text) {
    const bytes = [...text].map((letter) => letter.charCodeAt(0));
    const words = new Uint32Array(((bytes.length + 8 >> 6) + 1) * 16);
    bytes.forEach((byte, at) => { words[at >> 2] |= byte << 24 - at % 4 * 8; });
    words[bytes.length >> 2] |= 0x80 << 24 - bytes.length % 4 * 8;
    words[words.length - 1] = bytes.length * 8;
    const primes = [];
    for (let number = 2; primes.length < 64; number++) if (primes.every((prime) => number % prime)) primes.push(number);
    const fraction = (number) => (number - Math.floor(number)) * 2 ** 32 >>> 0;
    const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
    const hash = new Uint32Array(primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))));
    const turn = (word, by) => word >>> by | word << 32 - by;
    const schedule = new Uint32Array(64);
    for (let block = 0; block < words.length; block += 16) {
      schedule.set(words.subarray(block, block + 16));
      for (let at = 16; at < 64; at++) {
        const early = schedule[at - 15], late = schedule[at - 2];
        schedule[at] = schedule[at - 16] + schedule[at - 7]
          + (turn(early, 7) ^ turn(early, 18) ^ early >>> 3) + (turn(late, 17) ^ turn(late, 19) ^ late >>> 10);
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let at = 0; at < 64; at++) {
        const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + constants[at] + schedule[at];
        const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c);
        [a, b, c, d, e, f, g, h] = [first + second | 0, a, b, c, d + first | 0, e, f, g];
      }
      [a, b, c, d, e, f, g, h].forEach((word, at) => { hash[at] += word; });
    }
    return [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");
  }
}
