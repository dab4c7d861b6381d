import { describe, expect, test } from 'vitest';
import { MOST_PEAKS, PeakFolder } from '#lanes/music/core/waveform/peaks.ts';

/** A block that rises from -level to +level. */
const block = (frames: number, level: number): Float32Array =>
  Float32Array.from({ length: frames }, (_, i) => level * ((2 * i) / Math.max(1, frames - 1) - 1));

describe('UI-52 a waveform is folded as the sound streams by', () => {
  test('UI-52 the same peaks, however the sound is cut into blocks', () => {
    const sound = Float32Array.from({ length: 8000 }, (_, i) => Math.sin(i / 7) * (i / 8000));
    const whole = new PeakFolder(8000, 1000);
    whole.take([sound]);
    const cut = new PeakFolder(8000, 1000);
    for (let at = 0; at < sound.length; at += 333) cut.take([sound.subarray(at, at + 333)]);
    expect(cut.peaks(true)).toEqual(whole.peaks(true));
    expect(whole.peaks(true).high).toHaveLength(MOST_PEAKS);
    expect(whole.peaks(true).duration_ms).toBe(1000);
    expect(whole.share).toBe(1);
  });

  test('UI-52 every channel counts, and silence is a line', () => {
    const folder = new PeakFolder(1000, 1600);
    folder.take([new Float32Array(800), block(800, 0.5)]);
    folder.take([new Float32Array(800), new Float32Array(800)]);
    const { low, high } = folder.peaks(true);
    expect(low[0]).toBe(-64);
    expect(high[399]).toBe(64);
    expect([...low.slice(400), ...high.slice(400)].every((value) => value === 0)).toBe(true);
  });

  test('UI-52 sound that is longer than was said is folded coarser, never cut', () => {
    const folder = new PeakFolder(1000, 800);
    for (let i = 0; i < 10; i += 1) folder.take([block(1000, 1)]);
    const { low, high, duration_ms } = folder.peaks(true);
    expect(high.length).toBeLessThanOrEqual(MOST_PEAKS);
    expect(duration_ms).toBeGreaterThanOrEqual(10_000);
    expect(duration_ms).toBeLessThan(10_100);
    expect(Math.max(...high)).toBe(127);
    expect(Math.min(...low)).toBe(-127);
  });

  test('UI-52 while it is made, the whole length is drawn and the rest is empty', () => {
    const folder = new PeakFolder(1000, 8000);
    folder.take([block(2000, 1)]);
    expect(folder.share).toBe(0.25);
    const { high, duration_ms } = folder.peaks(false);
    expect(duration_ms).toBe(8000);
    expect(high.slice(200).every((value) => value === 0)).toBe(true);
    // It ended early: what is not there is not drawn.
    expect(folder.peaks(true).duration_ms).toBe(2000);
  });

  test('UI-52 out of range, not a number and nothing at all are no trouble', () => {
    const folder = new PeakFolder(1000, 0);
    folder.take([]);
    folder.take([Float32Array.of(7, -9, NaN)]);
    const { low, high } = folder.peaks(true);
    expect(Math.max(...high)).toBe(127);
    expect(Math.min(...low)).toBe(-127);
  });
});
