/** Sound effects, synthesised with Web Audio: tiles click, a bell rings for your turn. */

import { afterFrame } from "./frames";
import { prefs } from "./prefs";

let context: AudioContext | undefined;

function audio(): AudioContext | undefined {
  if (!prefs.value.sound || typeof AudioContext === "undefined") return undefined;
  // Autoplay policy: before the first click, browsers block sounds and log a warning.
  if (navigator.userActivation?.hasBeenActive === false) return undefined;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context.state === "running" ? context : undefined;
}

function tone(frequency: number, start: number, length: number, volume: number): void {
  const sound = audio();
  if (sound === undefined) return;
  const at = sound.currentTime + start;
  const source = sound.createOscillator();
  const gain = sound.createGain();
  source.type = "triangle";
  source.frequency.value = frequency;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(gain).connect(sound.destination);
  source.start(at);
  source.stop(at + length);
}

/** A tile is put down: a short knock of filtered noise, after the frame that shows it. */
export function click(volume = 0.25): void {
  afterFrame(() => knock(volume));
}

function knock(volume: number): void {
  const sound = audio();
  if (sound === undefined) return;
  const length = Math.floor(sound.sampleRate * 0.035);
  const buffer = sound.createBuffer(1, length, sound.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 4;
  const source = sound.createBufferSource();
  const filter = sound.createBiquadFilter();
  const gain = sound.createGain();
  filter.type = "bandpass";
  filter.frequency.value = 1900;
  filter.Q.value = 1.4;
  gain.gain.value = volume;
  source.buffer = buffer;
  source.connect(filter).connect(gain).connect(sound.destination);
  source.start();
}

export function yourTurn(): void {
  tone(587, 0, 0.25, 0.1);
  tone(880, 0.11, 0.35, 0.1);
}

export function refused(): void {
  tone(165, 0, 0.2, 0.12);
}

export function hurry(): void {
  tone(988, 0, 0.06, 0.05);
}

/** A player goes out. */
export function out(): void {
  tone(784, 0, 0.18, 0.1);
  tone(1175, 0.14, 0.4, 0.1);
}

/** Starts after the sound of going out. */
export function won(): void {
  [523, 659, 784, 1047].forEach((frequency, index) => {
    tone(frequency, 0.6 + index * 0.12, 0.4, 0.09);
  });
}
