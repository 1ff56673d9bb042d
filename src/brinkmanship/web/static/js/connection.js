/* The connection to the server, which may fail at any time. The server sends a heartbeat every few seconds and with
   every update; a page without heartbeats reconnects until it succeeds. This module is independent of the game. */
"use strict";
{
const GRACE = 1500;            // tolerated delay of a heartbeat in milliseconds
const UNSEEN = 1000;           // a shorter loss is not shown
const LOOK = 500;              // poll interval for the state of the connection
const LEAP = 4000;             // larger jumps of time mean that the machine was suspended
const PAUSE = [500, 2500];     // random delay between two attempts: after a server restart clients do not reconnect all at once
const MOST_CALLS = 3;          // maximum pending attempts; a dead connection never responds
const REST = 60_000;           // a page hidden for longer closes its stream
const GLANCE = 30_000;         // and polls at this interval instead
const LONGEST_PAUSE = 30_000;  // maximum delay after refusals or invalid responses

const between = ([least, most]) => least + (most - least) * Math.random();

/* The heartbeats of a stream; its other events are not used here. */
async function* heartbeats(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const lines = event.split("\n");
      const data = lines.find((line) => line.startsWith("data: "));
      if (data && lines.includes("event: heartbeat")) yield JSON.parse(data.slice("data: ".length));
    }
  }
}

/* A stream of heartbeats that is reopened whenever it may have been cut.

   new Connection({ seconds, heard, changed }): `seconds` between two heartbeats; `heard(heartbeat)` is called with each of
   them; `changed(isLost)` when the connection is lost and when it is back. `open(news, glance)` starts it with the
   addresses of the stream and of a single heartbeat. `now` is the server's time in seconds. */
class Connection {
  constructor({ seconds, heard, changed }) {
    Object.assign(this, { heard, changed, patience: 1000 * seconds + GRACE });
    this.isLost = false;
    this.calls = new Map();       // abort functions of pending attempts, oldest first
    this.current = null;          // the attempt that has succeeded
    this.refusals = 0;
    this.ahead = 0;               // offset of the server's clock in milliseconds
    this.lastLook = this.lastHeard = Date.now();
    this.hiddenSince = document.hidden ? this.lastHeard : Infinity;
    this.isResting = false;
    addEventListener("online", () => this.doubt());
    addEventListener("offline", () => { this.lastHeard = -Infinity; this.judge(); });
    addEventListener("focus", () => this.wake());
    addEventListener("pageshow", () => this.wake());
    addEventListener("pagehide", () => this.rest(Infinity));  // browsers do not cache pages with open streams for "back"
    document.addEventListener("visibilitychange", () => {
      this.hiddenSince = document.hidden ? Date.now() : Infinity;
      if (!document.hidden) this.wake();
    });
    setInterval(() => this.look(), LOOK);
  }

  get now() { return (Date.now() + this.ahead) / 1000; }

  /* The server has sent its time. Transmission delays it, so of several values the latest is the best. */
  tellTime(at, isFirst = false) {
    const ahead = 1000 * at - Date.now();
    if (isFirst || ahead > this.ahead) this.ahead = ahead;
  }

  open(news, glance) {
    Object.assign(this, { news, glanceAt: glance });
    this.hangUp();
    if (!this.isResting) this.call();
  }

  /* Something may have cut the connection: check at once. */
  doubt() {
    this.lastHeard = this.isLost ? -Infinity : Date.now() - this.patience;
    this.nextCall = 0;
    this.look();
  }

  /* The page has become visible. */
  wake() {
    if (!this.news) return;
    if (this.isResting) {
      this.isResting = false;
      this.doubt();
    } else if (Date.now() - this.lastHeard > this.patience - GRACE) this.doubt();
  }

  /* The page has become hidden: close the stream. */
  rest(nextGlance) {
    this.isResting = true;
    this.nextGlance = nextGlance;
    this.hangUp();
  }

  look() {
    const now = Date.now(), hasLeapt = Math.abs(now - this.lastLook) > LEAP;
    this.lastLook = now;
    if (!this.news) return;
    if (!this.isResting && now - this.hiddenSince >= REST) this.rest(now);
    if (this.isResting) {
      if (now >= this.nextGlance) this.glance(GLANCE);
      return;
    }
    if (hasLeapt) return this.doubt();
    const isSilent = now - this.lastHeard >= this.patience;
    if ((isSilent || !this.current) && now >= this.nextCall) this.call();
    // Streams may be refused temporarily (e.g. too many are open) while other requests work.
    if (this.refusals && now >= this.nextGlance) this.glance(this.patience - GRACE);
    this.judge();
  }

  judge() {
    const isLost = Date.now() - this.lastHeard >= this.patience + UNSEEN;
    if (isLost === this.isLost) return;
    this.isLost = isLost;
    this.changed(isLost);
  }

  async call() {
    this.nextCall = Date.now() + between(PAUSE);
    const call = {}, end = new AbortController();
    this.calls.set(call, end);
    if (this.calls.size > MOST_CALLS) this.drop(this.calls.keys().next().value);
    try {
      const answer = await fetch(this.news, { headers: { Accept: "text/event-stream" }, cache: "no-store", signal: end.signal });
      if (!answer.ok) this.refused(answer);
      else for await (const heartbeat of heartbeats(answer.body)) if (!this.answered(call, heartbeat)) break;
    } catch { /* cut off: the next attempt follows soon */ }
    const wasCurrent = this.current === call;
    this.drop(call);
    if (!wasCurrent) return;
    this.nextCall = Date.now() + between(PAUSE);
    this.lastHeard = Math.min(this.lastHeard, Date.now() - this.patience);
  }

  /* Return true if the attempt is still relevant. The first successful attempt becomes the connection; the others are
     aborted. */
  answered(call, heartbeat) {
    if (!this.calls.has(call)) return false;
    const isFirst = this.current !== call;
    this.current = call;
    for (const other of [...this.calls.keys()]) if (other !== call) this.drop(other);
    this.refusals = 0;
    this.take(heartbeat, isFirst);
    return true;
  }

  take(heartbeat, isFirst) {
    this.lastHeard = Date.now();
    this.tellTime(heartbeat.at, isFirst);
    this.judge();
    this.heard(heartbeat);
  }

  /* The server refuses: back off exponentially. Other server errors are retried at the usual interval. */
  refused(answer) {
    if (answer.status >= 500) return;
    const wait = Math.min(between(PAUSE) * 2 ** this.refusals, LONGEST_PAUSE);
    this.nextCall = Date.now() + Math.max(wait, 1000 * (Number(answer.headers.get("Retry-After")) || 0));
    if (!this.refusals++) this.nextGlance = 0;
  }

  async glance(pause) {
    this.nextGlance = Date.now() + pause;
    try {
      const answer = await fetch(this.glanceAt, { cache: "no-store", signal: AbortSignal.timeout(pause) });
      if (answer.ok) this.take(await answer.json(), true);
    } catch { /* the next attempt may succeed */ }
  }

  hangUp() {
    for (const call of [...this.calls.keys()]) this.drop(call);
    this.nextCall = 0;
  }

  drop(call) {
    const end = this.calls.get(call);
    this.calls.delete(call);
    if (this.current === call) this.current = null;
    end?.abort();
  }
}

/* A task retried with back-off until it succeeds. `run(signal)` returns true on success; the signal aborts a request
   without a response: if one half of the connection is dead, the next request takes another route. */
class Errand {
  constructor(run) {
    this.run = run;
    this.failures = 0;
  }

  /* Start; if waiting for the next attempt, try at once; if an attempt is running, try once more afterwards. */
  async start() {
    this.isWanted = true;
    this.hurry?.();
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    try { while (this.isWanted) await this.attempt(); } finally { this.isUnderWay = false; }
  }

  async attempt() {
    this.isWanted = false;
    const wait = (least) => Math.min(least * 2 ** this.failures, LONGEST_PAUSE);
    if (await this.run(AbortSignal.timeout(wait(3000)))) {
      this.failures = 0;
      return;
    }
    this.isWanted = true;
    await new Promise((done) => { this.hurry = done; setTimeout(done, wait(between(PAUSE))); });
    this.failures++;
  }
}

Object.assign(window, { Connection, Errand });
}
