/* Two short synthesized sounds: "your turn", and a new chat message. Browsers allow sound only after a click or key
   press; until then the page is silent. */
"use strict";
{
const TURN = [[392, 0], [523.25, 0.16]];   // hertz, and seconds from now: two notes that rise
const CHAT = [[880, 0]];
const LOUD = 0.12, LENGTH = 0.5;

let context = null;

function unlock() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}
for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, unlock, { capture: true, passive: true });

function play(notes) {
  if (context?.state !== "running") return false;
  for (const [pitch, after] of notes) {
    const start = context.currentTime + after;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(LOUD, start + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0005, start + LENGTH);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + LENGTH);
  }
  return true;
}

const turn = () => play(TURN);
window.sounds = { turn, chat: () => play(CHAT), sound: turn };
}
