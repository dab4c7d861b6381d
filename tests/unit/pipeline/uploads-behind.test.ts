import { expect, test } from 'vitest';
import { openUploads } from '#adapters/browser/uploads.ts';
import type { UploadsDeps } from '#adapters/browser/uploads/state.ts';

test('JOB-64 what works on uploads is loaded eight seconds after a tab leads, once, and not where it leads no more', () => {
  const waits = new Map<number, number>();
  let timers = 0;
  const deps = {
    timers: {
      set: (_run: () => void, ms: number) => {
        waits.set(++timers, ms);
        return timers;
      },
      clear: (timer: unknown) => void waits.delete(timer as number),
    },
  } as unknown as UploadsDeps;
  const uploads = openUploads(deps);
  uploads.poke();
  expect(waits.size).toBe(0);
  uploads.start();
  uploads.poke();
  uploads.start();
  expect([...waits.values()]).toEqual([8000]);
  uploads.stop();
  expect(waits.size).toBe(0);
  uploads.start();
  expect([...waits.values()]).toEqual([8000]);
});
