/* The line to the server, which is never trusted to hold. The server sends a heartbeat every few seconds and with every
   news; a page that hears none calls again, and goes on calling until it is answered. Nothing here knows of the game. */
"use strict";
{
const GRACE = 1500;            // so many milliseconds a heartbeat may be late
const UNSEEN = 1000;           // a line that is back so soon is not called lost
const LOOK = 500;              // how often the line is looked at
const LEAP = 4000;             // time that jumps so far: the machine has slept
const PAUSE = [500, 2500];     // between two calls, by chance: after a restart of the server not all call at once
const MOST_CALLS = 3;          // that wait for an answer at the same time; on a dead line none comes
const REST = 60_000;           // a page that nobody sees for so long gives its stream back
const GLANCE = 30_000;         // and asks so often how things are
const LONGEST_PAUSE = 30_000;  // of what the server refuses, or answers wrongly

const between = ([least, most]) => least + (most - least) * Math.random();

/* The heartbeats of a stream. Of its other events nothing is needed here. */
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

/* A stream of heartbeats that is opened anew whenever it may have been cut off.

   new Line({ seconds, heard, changed }): `seconds` between two heartbeats; `heard(heartbeat)` is called with each of
   them; `changed(isLost)` when the line is lost and when it is back. `open(news, glance)` begins: the addresses of the
   stream and of a single heartbeat. `now` is the server's time in seconds. */
class Line {
  constructor({ seconds, heard, changed }) {
    Object.assign(this, { heard, changed, patience: 1000 * seconds + GRACE });
    this.isLost = false;
    this.calls = new Map();       // what can end each call, the oldest first
    this.current = null;          // the call that is answered
    this.refusals = 0;
    this.ahead = 0;               // milliseconds by which the server's clock is before ours
    this.lastLook = this.lastHeard = Date.now();
    this.hiddenSince = document.hidden ? this.lastHeard : Infinity;
    this.isResting = false;
    addEventListener("online", () => this.doubt());
    addEventListener("offline", () => { this.lastHeard = -Infinity; this.judge(); });
    addEventListener("focus", () => this.wake());
    addEventListener("pageshow", () => this.wake());
    addEventListener("pagehide", () => this.rest(Infinity));  // a page with open streams is not kept for "back"
    document.addEventListener("visibilitychange", () => {
      this.hiddenSince = document.hidden ? Date.now() : Infinity;
      if (!document.hidden) this.wake();
    });
    setInterval(() => this.look(), LOOK);
  }

  get now() { return (Date.now() + this.ahead) / 1000; }

  /* The server said what time it is. It has become later on the way: of several the latest is the best. */
  tellTime(at, isFirst = false) {
    const ahead = 1000 * at - Date.now();
    if (isFirst || ahead > this.ahead) this.ahead = ahead;
  }

  open(news, glance) {
    Object.assign(this, { news, glanceAt: glance });
    this.hangUp();
    if (!this.isResting) this.call();
  }

  /* Something has happened after which the line may be dead: find out at once. */
  doubt() {
    this.lastHeard = this.isLost ? -Infinity : Date.now() - this.patience;
    this.nextCall = 0;
    this.look();
  }

  /* The page is looked at. */
  wake() {
    if (!this.news) return;
    if (this.isResting) {
      this.isResting = false;
      this.doubt();
    } else if (Date.now() - this.lastHeard > this.patience - GRACE) this.doubt();
  }

  /* The page is not looked at: give the stream back. */
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
    // Streams may be refused for a while, as when there are too many, where other requests are not.
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
    } catch { /* cut off: the next call is due soon */ }
    const wasCurrent = this.current === call;
    this.drop(call);
    if (!wasCurrent) return;
    this.nextCall = Date.now() + between(PAUSE);
    this.lastHeard = Math.min(this.lastHeard, Date.now() - this.patience);
  }

  /* Whether it is still of interest. The first call that is answered is the line; the others are ended. */
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

  /* The server is there and does not want to: it is asked more and more seldom. Where it only has trouble, as ever. */
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
    } catch { /* the next one may do better */ }
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

/* Something that is tried until it is done, later after each failure. `run(signal)` says whether it is; the signal ends
   a request that is not answered: where one half of the line is dead, the next one goes another way. */
class Errand {
  constructor(run) {
    this.run = run;
    this.failures = 0;
  }

  /* Begin; or, if it waits for its next try, try at once; or, if it is being tried, try once more afterwards. */
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

Object.assign(window, { Line, Errand });
}
