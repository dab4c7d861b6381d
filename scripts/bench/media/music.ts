/**
 * Sound like music, the same for the same seed: plucked strings, a bass, drums, a pad and a voice over a chord
 * progression, each with its own place and movement between the two sides, a little room, hiss, and pieces of
 * differing loudness. Encoders spend as much on it as on real records; on a sine they spend nothing.
 */
import { seeded, type Random } from '../../eval/random.ts';

const RATE = 44_100;
const CHORDS = [
  [220, 261.63, 329.63],
  [174.61, 220, 261.63],
  [196, 246.94, 293.66],
  [164.81, 196, 246.94],
];

/** A stereo WAV of 16 bits at 44.1 kHz. */
export function makeMusic(seconds: number, seed: number): Uint8Array<ArrayBuffer> {
  const random = seeded(seed);
  const count = Math.round(seconds * RATE);
  const sides: [Float32Array, Float32Array] = [new Float32Array(count), new Float32Array(count)];
  const beat = Math.round((RATE * 60) / (84 + random.below(60)));
  const shift = 2 ** (random.below(12) / 12);
  for (let at = 0, n = 0; at < count; at += beat, n++) {
    const chord = (CHORDS[Math.floor(n / 8) % CHORDS.length] ?? []).map((hz) => hz * shift);
    // Eight quiet beats in forty: verses and choruses differ.
    const force = n % 40 < 8 ? 0.35 : 1;
    for (let k = 0; k < 4; k++) {
      const hz = random.pick(chord) * (random.chance(0.3) ? 2 : 1);
      pluck(sides, random, { at: at + Math.round((k * beat) / 4), hz, length: 2 * beat, gain: 0.16 * force });
    }
    tone(sides, random, { at, hz: (chord[0] ?? 110) / 4, length: beat, gain: 0.22 * force }, [1, 0.6, 0.35, 0.2]);
    if (n % 8 === 0) {
      for (const hz of chord) tone(sides, random, { at, hz, length: 8 * beat, gain: 0.05 }, [1, 0.5, 0.4, 0.3, 0.2]);
    }
    if (random.chance(0.6)) {
      const hz = random.pick(chord) * 2;
      tone(sides, random, { at, hz, length: beat * 1.6, gain: 0.12 * force }, [0.5, 1, 0.7, 0.2, 0.4, 0.15, 0.1]);
    }
    strike(sides, random, {
      at,
      hz: n % 2 === 0 ? 60 : 190,
      length: beat / 3,
      gain: (n % 2 === 0 ? 0.5 : 0.25) * force,
    });
    strike(sides, random, { at: at + (beat >> 1), hz: 0, length: beat / 6, gain: 0.12 * force });
  }
  return toWav(sides, random);
}

type Sides = [Float32Array, Float32Array];
interface Note {
  /** Samples. */
  at: number;
  length: number;
  /** 0: noise alone. */
  hz: number;
  gain: number;
}

/** A string by Karplus and Strong. */
function pluck([left, right]: Sides, random: Random, { at, hz, length, gain }: Note): void {
  const string = Float32Array.from({ length: Math.max(2, Math.round(RATE / hz)) }, () => random.next() * 2 - 1);
  const place = random.next();
  const end = Math.min(left.length, at + length);
  for (let i = at, k = 0; i < end; i++) {
    const next = k + 1 === string.length ? 0 : k + 1;
    const value = string[k] ?? 0;
    string[k] = 0.4985 * (value + (string[next] ?? 0));
    k = next;
    left[i] = (left[i] ?? 0) + value * gain * (1 - place);
    right[i] = (right[i] ?? 0) + value * gain * place;
  }
}

/** Harmonics with vibrato that fade in and out while they move from side to side. */
function tone([left, right]: Sides, random: Random, { at, hz, length, gain }: Note, parts: readonly number[]): void {
  const end = Math.min(left.length, Math.round(at + length));
  const sway = (0.1 + random.next() * 0.4) / RATE;
  const from = random.next();
  let phase = random.next();
  for (let i = at; i < end; i++) {
    const t = i - at;
    phase += (hz * (1 + 0.004 * Math.sin((t * 34) / RATE))) / RATE;
    let value = 0;
    for (let n = 0; n < parts.length; n++) value += (parts[n] ?? 0) * Math.sin(2 * Math.PI * phase * (n + 1));
    value *= gain * Math.min(1, t / 900, (end - i) / 2500);
    const place = 0.5 + 0.45 * Math.sin(2 * Math.PI * (from + t * sway));
    left[i] = (left[i] ?? 0) + value * (1 - place);
    right[i] = (right[i] ?? 0) + value * place;
  }
}

/** A drum: noise and a falling tone, dying away. */
function strike([left, right]: Sides, random: Random, { at, hz, length, gain }: Note): void {
  const end = Math.min(left.length, Math.round(at + length));
  const place = 0.35 + random.next() * 0.3;
  for (let i = at; i < end; i++) {
    const t = (i - at) / RATE;
    const body = hz > 0 ? Math.sin(2 * Math.PI * hz * t * (1 - t)) : 0;
    const value = (body + (random.next() * 2 - 1) * (hz > 100 || hz === 0 ? 0.8 : 0.15)) * gain * Math.exp(-t * 18);
    left[i] = (left[i] ?? 0) + value * (1 - place);
    right[i] = (right[i] ?? 0) + value * place;
  }
}

/** With a room of two echoes that cross over, hiss, and a soft ceiling. */
function toWav([left, right]: Sides, random: Random): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + left.length * 4);
  const view = new DataView(bytes.buffer);
  const text = (at: number, word: string): void => bytes.set(new TextEncoder().encode(word), at);
  text(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 2, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE * 4, true);
  view.setUint16(32, 4, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, left.length * 4, true);
  for (let i = 0; i < left.length; i++) {
    const hiss = (random.next() - 0.5) * 0.002;
    const a = (left[i] ?? 0) + 0.25 * (right[i - 3307] ?? 0) + 0.12 * (left[i - 7919] ?? 0) + hiss;
    const b = (right[i] ?? 0) + 0.25 * (left[i - 4409] ?? 0) + 0.12 * (right[i - 9013] ?? 0) - hiss;
    view.setInt16(44 + i * 4, Math.round(Math.tanh(a) * 32_000), true);
    view.setInt16(46 + i * 4, Math.round(Math.tanh(b) * 32_000), true);
  }
  return bytes;
}
