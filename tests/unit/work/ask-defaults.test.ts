import { describe, expect, test } from 'vitest';
import { askDefaults } from '#adapters/work/ask-defaults.ts';
import { USUAL_DEFAULTS } from '#core/agent/llm/wire.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';

const DEFAULTS = { ...USUAL_DEFAULTS, broker: false };

/** A server that answers with these, one after the other, and who waits for it. */
function start(answers: Result<unknown>[], stopAfter = 9) {
  const stop = new AbortController();
  const waited: number[] = [];
  const said: string[] = [];
  const asked = askDefaults(
    { config: async () => (answers.shift() ?? fail(failure('internal', 'asked too often'))) as Result<never> },
    {
      wait: async (milliseconds) => {
        waited.push(milliseconds);
        if (waited.length >= stopAfter) stop.abort();
      },
      say: (line) => void said.push(line),
    },
    stop.signal,
  );
  return { asked, waited, said };
}

const away = fail(failure('offline', 'The server cannot be reached.'));

describe('a worker that is started', () => {
  test('FAULT-14 waits for a server that is away, and says so once', async () => {
    const { asked, waited, said } = start([away, away, ok(DEFAULTS)]);
    expect(await asked).toMatchObject({ broker: false });
    expect([waited.length, said]).toEqual([2, ['waiting for the server: The server cannot be reached.']]);
  });

  test('FAULT-14 ends at what waiting does not mend, and when it is stopped', async () => {
    await expect(start([fail(failure('unauthorized', 'no such token'))]).asked).rejects.toThrow('no such token');
    expect(await start([away, away], 1).asked).toBe(null);
  });
});
