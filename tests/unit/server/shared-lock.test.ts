import { describe, expect, test } from 'vitest';
import { HttpError } from '#server/http/http-error.ts';
import { sharedLock } from '#server/keyed-lock.ts';

describe('a lock of another process', () => {
  test('OPS-25 that is never given back is waited for so long, and then it is 503; another key goes on', async () => {
    const locks = sharedLock({ take: (key) => Promise.resolve(key !== 'held'), giveBack: () => Promise.resolve() }, 1);
    const refused = await Promise.all([1, 2].map(() => locks.run('held', () => Promise.resolve('done')).catch(String)));
    expect(refused).toEqual([expect.stringContaining('does not come to its end'), refused[0]]);
    const error: unknown = await locks.run('held', () => Promise.resolve()).catch((thrown: unknown) => thrown);
    expect(error instanceof HttpError && [error.status, error.headers['Retry-After']]).toEqual([503, '30']);
    expect(await locks.run('free', () => Promise.resolve('done'))).toBe('done');
  });
});
