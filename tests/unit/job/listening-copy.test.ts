import { describe, expect, test } from 'vitest';
import type { Converted as TranscodeDone } from '#core/run/lane-run.ts';
import type { TranscodeRequest } from '#adapters/browser/api.ts';
import { createListeningCopies } from '#lanes/music/browser/listening/listening-copy.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { failure } from '#core/errors.ts';
import { makeJob } from '../../fixtures/job.ts';

const DONE: TranscodeDone = { sha256: 'copy', size: 1, duration_ms: 1, conversion_reason: '', verified: [] };

/** A room whose workers answer so; what they were asked, and how many were let go. */
function room(...answers: (Result<TranscodeDone> | Promise<Result<TranscodeDone>>)[]) {
  const asked: TranscodeRequest[] = [];
  const ended: number[] = [];
  const copies = createListeningCopies(() => ({
    api: {
      async transcode(request) {
        asked.push(request);
        return answers[asked.length - 1] ?? ok(DONE);
      },
    },
    died: new Promise(() => undefined),
    terminate: () => ended.push(1),
  }));
  return { asked, ended, copies };
}

const job = { ...makeJob({ id: 'a', codec: 'wmav2' }), sha256: 'original' };
const signal = (): AbortSignal => new AbortController().signal;

describe('UI-53 a copy to listen to, of what this browser cannot play', () => {
  test('UI-122 is made once a visit, small and without tags, and its worker goes', async () => {
    const { asked, ended, copies } = room();
    expect(await copies.make(job, signal())).toEqual(ok('copy'));
    expect(await copies.make(job, signal())).toEqual(ok('copy'));
    expect(asked).toMatchObject([{ sha256: 'original', quality: 4, tags: {}, cover: null }]);
    expect(ended).toHaveLength(1);
    copies.forget(job);
    await copies.make(job, signal());
    expect(asked).toHaveLength(2);
  });

  test('of a track of an image is that stretch of it', async () => {
    const { asked, copies } = room();
    const segment = { start_ms: 10, end_ms: 20, track: 1, of: 2, file: 'x.wv', tags: {}, content: 'c1' };
    await copies.make({ ...job, segment }, signal());
    await copies.make({ ...job, segment: { ...segment, start_ms: 20, end_ms: null, content: 'c2' } }, signal());
    expect(asked.map((request) => request.segment)).toEqual([
      { start_ms: 10, end_ms: 20 },
      { start_ms: 20, end_ms: null },
    ]);
  });

  test('UI-122 ends at once when nobody listens any more, and a failure is said and not remembered', async () => {
    const { asked, ended, copies } = room(
      new Promise(() => undefined),
      fail(failure('file_damaged', 'It is damaged.')),
    );
    const listening = new AbortController();
    const making = copies.make(job, listening.signal);
    listening.abort();
    expect(await making).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    expect(ended).toHaveLength(1);
    expect(await copies.make(job, signal())).toMatchObject({ failure: { message: 'It is damaged.' } });
    expect(await copies.make(job, signal())).toEqual(ok('copy'));
    expect(asked).toHaveLength(3);
  });
});
