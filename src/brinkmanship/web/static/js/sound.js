/* Short synthesized sounds: what happens on the table, "your turn", and a new chat message. Browsers allow sound only
   after a click or key press; until then the page is silent. */
"use strict";
{
/* Notes: hertz, seconds from now, and seconds they last. Noises: hertz of the band at its start and end, and the same. */
const SOUNDS = {
  turn: { notes: [[392, 0], [523.25, 0.16]] },
  chat: { notes: [[880, 0]] },
  card: { noises: [[2600, 900, 0, 0.14]] },
  cube: { noises: [[1500, 1100, 0, 0.05], [320, 260, 0, 0.08]] },
  dice: { noises: [0, 0.11, 0.2, 0.33, 0.52].map((after) => [2300, 1700, after, 0.05]) },
  check: { notes: [[220, 0, 0.9], [207.65, 0.22, 1.1]] },
  war: { noises: [[400, 50, 0, 2.4]], notes: [[65.4, 0, 2.2], [69.3, 0.05, 2.2]] },
};
const LOUD = 0.12, LENGTH = 0.5;

let context = null, hiss = null;

function unlock() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}
for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, unlock, { capture: true, passive: true });

/* A volume that rises at once and fades until the end. */
function volume(start, length) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(LOUD, start + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0005, start + length);
  gain.connect(context.destination);
  return gain;
}

function note(pitch, start, length) {
  const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  tone.connect(volume(start, length));
  tone.start(start);
  tone.stop(start + length);
}

/* Hissing through a band that moves from one pitch to another. */
function noise(from, to, start, length) {
  hiss ??= hissing();
  const source = new AudioBufferSourceNode(context, { buffer: hiss, loop: true });
  const band = new BiquadFilterNode(context, { type: "bandpass", frequency: from, Q: 1.2 });
  band.frequency.setValueAtTime(from, start);
  band.frequency.exponentialRampToValueAtTime(to, start + length);
  source.connect(band).connect(volume(start, length));
  source.start(start);
  source.stop(start + length);
}

function hissing() {
  const buffer = new AudioBuffer({ length: context.sampleRate, sampleRate: context.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = 4 * (Math.random() - 0.5);
  return buffer;
}

function play({ notes = [], noises = [] }) {
  if (context?.state !== "running") return;
  const now = context.currentTime;
  for (const [pitch, after, length = LENGTH] of notes) note(pitch, now + after, length);
  for (const [from, to, after, length] of noises) noise(from, to, now + after, length);
}

const sounds = Object.fromEntries(Object.entries(SOUNDS).map(([name, sound]) => [name, () => play(sound)]));
window.sounds = { ...sounds, sound: sounds.turn, unlock };
}
