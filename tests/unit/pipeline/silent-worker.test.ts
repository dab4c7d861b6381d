import { describe, expect, test, vi } from 'vitest';
import type { TranscodeRequest } from '#adapters/browser/api.ts';
import { CancelSource } from '#core/cancel.ts';
import { ok } from '#core/result.ts';
import { createTranscoderPool, type TranscodeWorker } from '#lanes/music/browser/transcoder-pool.ts';
import { handTimers } from '../../fixtures/hand-timers.ts';
import { converted } from './harness.ts';

describe('MEDIA-88 a worker that lives and does nothing', () => {
  const REQUEST = { job_id: 'j', sha256: 's', original_filename: 'Seventh light.flac', quality: 9 } as TranscodeRequest;
  const OPTIONS = { signal: new CancelSource(), report: () => undefined };
  const LOOKS = [1, 2, 3, 4];

  function openPool(transcode: TranscodeWorker['api']['transcode']) {
    const timers = handTimers();
    const terminate = vi.fn();
    const pool = createTranscoderPool(
      () => ({ api: { transcode }, died: new Promise(() => undefined), terminate }),
      timers,
    );
    const silence = async (): Promise<void> => {
      await vi.waitFor(() => expect(timers.waiting).toBe(1));
      for (const _ of LOOKS) timers.ring();
    };
    return { pool, timers, terminate, silence };
  }

  test('is replaced, and the file converted without the fast way', async () => {
    const { pool, terminate, silence } = openPool((request) =>
      request.fast ? new Promise(() => undefined) : Promise.resolve(ok(converted(request))),
    );
    const made = pool.convert(REQUEST, OPTIONS);
    await silence();
    expect(await made).toMatchObject({ ok: true });
    expect(terminate).toHaveBeenCalledTimes(1);
  });

  test('twice is a failure that says so', async () => {
    const { pool, silence } = openPool(() => new Promise(() => undefined));
    const made = pool.convert(REQUEST, OPTIONS);
    await silence();
    await silence();
    expect(await made).toMatchObject({
      ok: false,
      failure: {
        code: 'worker_died',
        message: 'The converter stopped at "Seventh light.flac": nothing has moved for a minute',
      },
    });
  });

  test('is another than one that is slow', async () => {
    let say: (share: number) => void = () => undefined;
    const { pool, timers, terminate } = openPool((_, onProgress) => {
      say = onProgress;
      return new Promise(() => undefined);
    });
    void pool.convert(REQUEST, OPTIONS);
    for (const _ of LOOKS.flatMap(() => LOOKS)) {
      await vi.waitFor(() => expect(timers.waiting).toBe(1));
      say(0.1);
      timers.ring();
    }
    expect(terminate).not.toHaveBeenCalled();
  });
});
