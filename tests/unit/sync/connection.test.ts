import { describe, expect, it } from 'vitest';
import { failure, type FailureCode } from '#core/errors.ts';
import { answered, failedWith, gate, STARTING, tokenSeen, tryNow, type Connection } from '#core/sync/connection.ts';

const context = { now: 1000, random: () => 0, token: 'old' };
const failed = (code: FailureCode, from: Connection = STARTING, retryAfterMs?: number) =>
  failedWith(from, failure(code, 'why', retryAfterMs === undefined ? {} : { retryAfterMs }), context);

describe('the connection', () => {
  it('SYNC-11 an unreachable server is tried again with growing delays, until it answers', () => {
    const once = failed('offline');
    expect(once).toMatchObject({ state: 'offline', message: 'why', failures: 1, next_try_at: 1500 });
    expect(failed('offline', failed('offline', once))).toMatchObject({ failures: 3, next_try_at: 3000 });
    const long = Array.from({ length: 20 }).reduce<Connection>((before) => failed('offline', before), STARTING);
    expect(long.next_try_at).toBe(16_000);
    expect(gate(once, 1499)).toBe('later');
    expect(gate(once, 1500)).toBe('open');
    expect(answered(once, 1600)).toMatchObject({
      state: 'ok',
      message: null,
      failures: 0,
      next_try_at: null,
      last_contact_at: 1600,
    });
  });

  it('SYNC-4 a refused token pauses until another one is there, or a person insists', () => {
    for (const code of ['unauthorized', 'forbidden'] as const) {
      const refused = failed(code);
      expect(refused.state).toBe('unauthorized');
      expect(gate(refused, 1e12)).toBe('paused');
      expect(tokenSeen(refused, 'old')).toBe(refused);
      expect(tokenSeen(refused, null)).toBe(refused);
      expect(gate(tokenSeen(refused, 'new'), 1000)).toBe('open');
      expect(gate(tryNow(refused), 1000)).toBe('open');
    }
  });

  it('SYNC-10 a busy server is left alone for as long as it asks', () => {
    const limited = failed('rate_limited', answered(STARTING, 900), 5000);
    expect(limited).toMatchObject({ state: 'ok', next_try_at: 6000 });
    expect(gate(limited, 5999)).toBe('later');
    expect(failed('rate_limited').state).toBe('starting');
    expect(failed('server_error', STARTING, 9000)).toMatchObject({ state: 'server_error', next_try_at: 10_000 });
  });

  it('a refusal of what was sent says that the connection is fine', () => {
    for (const code of ['conflict', 'invalid', 'too_large', 'not_found', 'hash_mismatch'] as const) {
      expect(failed(code, failed('offline')).state).toBe('ok');
    }
    const offline = failed('offline');
    expect(failed('cancelled', offline)).toBe(offline);
  });

  it('SYNC-9 a time set by a clock that was wrong is not waited for', () => {
    expect(gate({ ...failed('offline'), next_try_at: 365 * 86_400_000 }, 1000)).toBe('open');
  });
});
