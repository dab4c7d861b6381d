import { expect, test } from 'vitest';
import { createWaveforms, type WaveformWorker, type WaveformSource } from '#lanes/music/browser/listening/waveform.ts';
import { ok } from '#core/result.ts';
import type { Peaks } from '#lanes/music/core/waveform/peaks.ts';

const peaks: Peaks = { low: new Int8Array(1), high: new Int8Array(1), duration_ms: 1 };
const source: WaveformSource = { kind: 'served', url: 'https://x', duration_ms: null };
const nothing = (): void => undefined;

/** `draw` null: it never answers. */
function workers(draw: WaveformWorker['api']['draw'] | null, died: Promise<void> = new Promise(nothing)) {
  const seen = { spawned: 0, ended: 0 };
  const waveforms = createWaveforms(() => {
    seen.spawned += 1;
    return { api: { draw: draw ?? (() => new Promise(nothing)) }, died, terminate: () => void (seen.ended += 1) };
  });
  return { waveforms, seen };
}

test('UI-52 a waveform is made once for a content, and its worker ends', async () => {
  const { waveforms, seen } = workers(async () => ok(peaks));
  const { signal } = new AbortController();
  expect(waveforms.known('a')).toBeNull();
  expect(await waveforms.draw('a', source, nothing, signal)).toEqual(ok(peaks));
  expect(await waveforms.draw('a', source, nothing, signal)).toEqual(ok(peaks));
  expect(waveforms.known('a')).toBe(peaks);
  expect(seen).toEqual({ spawned: 1, ended: 1 });
});

test('UI-52 the ones that were asked for longest ago are forgotten', async () => {
  const { waveforms } = workers(async () => ok(peaks));
  const { signal } = new AbortController();
  for (let i = 0; i < 128; i += 1) await waveforms.draw(String(i), source, nothing, signal);
  waveforms.known('0');
  await waveforms.draw('one more', source, nothing, signal);
  expect(waveforms.known('0')).toBe(peaks);
  expect(waveforms.known('1')).toBeNull();
});

test('UI-52 not wanted any more: the worker ends at once, also when it never answers', async () => {
  const { waveforms, seen } = workers(null);
  const stop = new AbortController();
  const drawing = waveforms.draw('a', source, nothing, stop.signal);
  stop.abort();
  expect(await drawing).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
  expect(seen).toEqual({ spawned: 1, ended: 1 });
});

test('UI-52 a worker that dies is an answer, and the next one is new', async () => {
  const { waveforms, seen } = workers(null, Promise.resolve());
  const { signal } = new AbortController();
  expect(await waveforms.draw('a', source, nothing, signal)).toMatchObject({
    ok: false,
    failure: { code: 'worker_died' },
  });
  expect(seen).toEqual({ spawned: 1, ended: 1 });
});
