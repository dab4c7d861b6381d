import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure, FAILURES, type FailureCode } from '#core/errors.ts';
import { BACKOFF_CAP_MS, backoffMs, delayMs, RETRY_AFTER_CAP_MS } from '#core/sync/connection.ts';
import {
  MAX_MISMATCHES,
  mayTakeBack,
  newOutboxItem,
  nextAction,
  PARALLEL_UPLOADS,
  replacementItem,
  retryKeys,
  transition,
  type OutboxEvent,
} from '#core/sync/outbox.ts';
import { bodySha, type OutboxItem } from '#core/sync/outbox-item.ts';
import { accepted, outboxItem } from './fixtures.ts';

const at = (now: number, random = 0.5) => ({ now, random: () => random });
const of = (code: FailureCode, retryAfterMs?: number) =>
  failure(code, code, retryAfterMs === undefined ? {} : { retryAfterMs });

/** The item after the events; it must not be done in between. */
function after(item: OutboxItem, ...events: OutboxEvent[]): OutboxItem {
  let now = item;
  for (const event of events) {
    const next = transition(now, event, at(10_000)).item;
    if (next === null) throw new Error('done too early');
    now = next;
  }
  return now;
}

const UPLOADING = after(outboxItem('a'), { type: 'start' });
const COMMITTING = after(UPLOADING, { type: 'uploaded' });
const failed = (item: OutboxItem, code: FailureCode, retryAfterMs?: number) =>
  transition(item, { type: 'failed', failure: of(code, retryAfterMs) }, at(10_000));

describe('the way of an item', () => {
  it('goes waiting, uploading, committing, done', () => {
    expect(UPLOADING.state).toBe('uploading');
    expect(after(UPLOADING, { type: 'progress', bytes: 7 }).uploaded_bytes).toBe(7);
    expect(COMMITTING).toMatchObject({ state: 'committing', uploaded_bytes: 100, commit_sent: true });
    const end = transition(COMMITTING, { type: 'accepted', response: accepted('a') }, at(1));
    expect(end.item).toBeNull();
    expect(end.effects).toEqual([{ type: 'publish', item: COMMITTING, response: accepted('a') }]);
  });

  it('ignores events that do not fit the state', () => {
    const item = outboxItem('a');
    const late: OutboxEvent[] = [
      { type: 'progress', bytes: 5 },
      { type: 'uploaded' },
      { type: 'failed', failure: of('offline') },
      { type: 'interrupted' },
    ];
    for (const event of late) expect(transition(item, event, at(1))).toEqual({ item, effects: [] });
    expect(transition(COMMITTING, { type: 'start' }, at(1)).item).toEqual(COMMITTING);
    expect(transition(COMMITTING, { type: 'retry' }, at(1)).item).toEqual(COMMITTING);
  });

  it('SYNC-14 an interrupted item waits again, due at once, with no attempt counted', () => {
    expect(after(COMMITTING, { type: 'interrupted' })).toMatchObject({
      state: 'waiting',
      attempts: 0,
      next_at: 10_000,
      commit_sent: true,
    });
  });
});

describe('failures', () => {
  it('SYNC-4 401 and 403 pause everything and blame no item', () => {
    for (const code of ['unauthorized', 'forbidden'] as const) {
      const step = failed(UPLOADING, code);
      expect(step.item).toMatchObject({ state: 'waiting', attempts: 0, next_at: 10_000 });
      expect(step.effects).toEqual([{ type: 'pause', failure: of(code) }]);
    }
  });

  it('SYNC-5 409 and 412 become a question', () => {
    const step = failed(COMMITTING, 'conflict');
    expect(step.item).toMatchObject({ state: 'parked', failure: { code: 'conflict' } });
    expect(step.effects).toEqual([{ type: 'conflict', item: step.item }]);
  });

  it('SYNC-6 413, 415, 422 and every other refusal of the content parks the item and says so', () => {
    for (const code of [
      'too_large',
      'file_unsupported',
      'invalid',
      'not_vorbis',
      'verification_failed',
      'not_found',
      'blob_missing',
    ] as const) {
      const step = failed(COMMITTING, code);
      expect(step.item).toMatchObject({ state: 'parked', failure: { code } });
      expect(step.effects).toEqual([{ type: 'parked', item: step.item }]);
    }
  });

  it('SYNC-7 a wrong hash is uploaded again from the start, three times in all, then parked', () => {
    let item = UPLOADING;
    for (let n = 1; n < MAX_MISMATCHES; n += 1) {
      const step = failed(item, 'hash_mismatch');
      expect(step.item).toMatchObject({ state: 'waiting', mismatches: n, uploaded_bytes: 0, commit_sent: false });
      item = after(step.item ?? item, { type: 'start' });
    }
    const last = failed(item, 'hash_mismatch');
    expect(last.item).toMatchObject({ state: 'parked', mismatches: MAX_MISMATCHES });
    expect(last.effects).toEqual([{ type: 'parked', item: last.item }]);
  });

  it('SYNC-10 Retry-After is honoured, up to an hour', () => {
    expect(failed(COMMITTING, 'rate_limited', 7_000).item).toMatchObject({ state: 'waiting', next_at: 17_000 });
    expect(failed(COMMITTING, 'server_error', 90_000).item?.next_at).toBe(100_000);
    expect(failed(COMMITTING, 'server_error', 1e12).item?.next_at).toBe(10_000 + RETRY_AFTER_CAP_MS);
    expect(delayMs(Number.NaN, 1, () => 0)).toBe(500);
  });

  it('SYNC-11 network failures and 5xx back off, doubling with jitter, to a minute at most', () => {
    let item = UPLOADING;
    const delays: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      item = transition(item, { type: 'failed', failure: of('offline') }, at(10_000, 0.999999)).item ?? item;
      delays.push(item.next_at - 10_000);
      item = after(item, { type: 'start' });
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    fc.assert(
      fc.property(
        fc.integer({ min: -5, max: 10_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const ms = backoffMs(attempt, () => random);
          expect(ms).toBeGreaterThanOrEqual(500);
          expect(ms).toBeLessThanOrEqual(BACKOFF_CAP_MS);
        },
      ),
    );
  });

  it('SYNC-11, SYNC-41 what failed for want of a server is due as soon as it answers; other delays stay', () => {
    const offline = failed(UPLOADING, 'offline').item ?? UPLOADING;
    const limited = failed(UPLOADING, 'rate_limited', 50_000).item ?? UPLOADING;
    expect(transition(offline, { type: 'reconnected' }, at(10_100)).item?.next_at).toBe(10_100);
    expect(transition(limited, { type: 'reconnected' }, at(10_100)).item?.next_at).toBe(60_000);
  });
});

describe('SYNC-8 taking a decision back', () => {
  it('is possible until a commit was sent', () => {
    expect(mayTakeBack(outboxItem('a'))).toBe(true);
    expect(mayTakeBack(UPLOADING)).toBe(true);
    expect(mayTakeBack(COMMITTING)).toBe(false);
  });

  it('is impossible while the answer to a commit is missing, and possible after a definite refusal', () => {
    for (const code of ['offline', 'server_error', 'cancelled'] as const) {
      const item = failed(COMMITTING, code).item;
      expect(item?.state).toBe('waiting');
      expect(item && mayTakeBack(item)).toBe(false);
    }
    for (const code of ['invalid', 'conflict', 'hash_mismatch'] as const) {
      const item = failed(COMMITTING, code).item;
      expect(item && mayTakeBack(item)).toBe(true);
    }
  });
});

describe('what runs next', () => {
  const waiting = (key: string, patch: Partial<OutboxItem> = {}) => outboxItem(key, { next_at: 0, ...patch });

  it('says why it does nothing', () => {
    const items = [waiting('a')];
    expect(nextAction([], 0, true, true)).toEqual({ type: 'idle' });
    expect(nextAction(items, 0, true, false)).toEqual({ type: 'paused', reason: 'unauthorized' });
    expect(nextAction(items, 0, false, true)).toEqual({ type: 'paused', reason: 'offline' });
    expect(nextAction([waiting('a', { next_at: 50 })], 10, true, true)).toEqual({ type: 'wait', until: 50 });
    expect(nextAction([waiting('a', { state: 'parked' })], 0, true, true)).toEqual({ type: 'idle' });
  });

  it('SYNC-3 sends items of one track in order, others beside them, three at most', () => {
    const first = waiting('a', { entity: 'track:1', created_at: 1, next_at: 99 });
    const second = waiting('b', { entity: 'track:1', created_at: 2 });
    const other = waiting('c', { entity: 'track:2', created_at: 3 });
    expect(nextAction([second, first], 10, true, true)).toEqual({ type: 'wait', until: 99 });
    expect(nextAction([second, first, other], 10, true, true)).toEqual({ type: 'run', item: other });
    const running = Array.from({ length: PARALLEL_UPLOADS }, (_, n) =>
      waiting(`r${n}`, { entity: `track:r${n}`, state: 'uploading' }),
    );
    expect(nextAction([...running, other], 10, true, true)).toEqual({ type: 'busy' });
    expect(nextAction([...running.slice(1), other], 10, true, true)).toEqual({ type: 'run', item: other });
  });

  it('SYNC-3 a parked item steps aside for another file of the same track', () => {
    const parked = waiting('a', { entity: 'track:1', created_at: 1, state: 'parked' });
    const next = waiting('b', { entity: 'track:1', created_at: 2 });
    expect(nextAction([parked, next], 0, true, true)).toEqual({ type: 'run', item: next });
  });

  it('SYNC-6 dependants of a parked item are parked with it, and freed with it', () => {
    const parked = waiting('a', { created_at: 1, state: 'parked', failure: of('invalid') });
    const child = waiting('b', { created_at: 2, entity: 'track:2', depends_on: ['a'] });
    const grandchild = waiting('c', { created_at: 3, entity: 'track:3', depends_on: ['b'] });
    expect(nextAction([parked, child, grandchild], 0, true, true)).toEqual({ type: 'block', item: child, by: parked });
    const blocked = transition(child, { type: 'blocked', by: parked }, at(0));
    expect(blocked.item).toMatchObject({ state: 'parked' });
    expect(blocked.item?.failure?.message).toContain('a.flac');
    expect(blocked.effects.map((effect) => effect.type)).toEqual(['parked']);
    expect(retryKeys([parked, child, grandchild], 'b').sort()).toEqual(['a', 'b', 'c']);
  });

  it('waits for what an item depends on, and not for what is gone', () => {
    const parent = waiting('a', { created_at: 1, next_at: 70 });
    const child = waiting('b', { created_at: 2, entity: 'track:2', depends_on: ['a', 'gone'] });
    expect(nextAction([parent, child], 0, true, true)).toEqual({ type: 'wait', until: 70 });
    expect(nextAction([child], 0, true, true)).toEqual({ type: 'run', item: child });
  });

  it('SYNC-9 a time set by a clock that was wrong is due now', () => {
    const item = waiting('a', { next_at: 365 * 86_400_000 });
    expect(nextAction([item], 0, true, true)).toEqual({ type: 'run', item });
    const broken = waiting('a', { next_at: Number.NaN });
    expect(nextAction([broken], 0, true, true)).toEqual({ type: 'run', item: broken });
  });
});

describe('a new item', () => {
  const body = { ...outboxItem('a').body };

  it('SYNC-2, SYNC-38 carries the hash of its body; replacing is a new item with a new key', () => {
    const item = newOutboxItem({ key: 'k1', body, now: 5, epoch: 2 });
    expect(item).toMatchObject({ key: 'k1', entity: 'track:t-a', state: 'waiting', next_at: 5, epoch: 2 });
    expect(item.body_sha).toBe(bodySha(item.body));
    const other = replacementItem(item, { key: 'k2', now: 6, epoch: 2 });
    expect(other.body).toEqual({ ...item.body, replace: true });
    expect(other.body_sha).not.toBe(item.body_sha);
  });

  it('SYNC-9 comes after the youngest even when the clock was turned back', () => {
    expect(newOutboxItem({ key: 'k', body, now: 5, epoch: 0, latest: 900 }).created_at).toBe(901);
    expect(newOutboxItem({ key: 'k', body, now: 5, epoch: 0, latest: 2 }).created_at).toBe(5);
  });

  it('makes any file name acceptable and refuses a body that the server would refuse', () => {
    expect(
      newOutboxItem({ key: 'k', body: { ...body, original_filename: '  ' }, now: 5, epoch: 0 }).body.original_filename,
    ).toBe('unnamed');
    expect(
      newOutboxItem({ key: 'k', body: { ...body, original_filename: 'x'.repeat(9000) }, now: 5, epoch: 0 }).body
        .original_filename,
    ).toHaveLength(2000);
    expect(() => newOutboxItem({ key: 'k', body: { ...body, sha256: 'nonsense' }, now: 5, epoch: 0 })).toThrow(
      '64 lower-case',
    );
  });
});

describe('SYNC-1 and SYNC-2 under random histories', () => {
  const codes = Object.keys(FAILURES) as FailureCode[];
  const event: fc.Arbitrary<OutboxEvent> = fc.oneof(
    fc.constant<OutboxEvent>({ type: 'start' }),
    fc.nat(200).map((bytes): OutboxEvent => ({ type: 'progress', bytes })),
    fc.constant<OutboxEvent>({ type: 'uploaded' }),
    fc.constant<OutboxEvent>({ type: 'accepted', response: accepted('a') }),
    fc
      .tuple(fc.constantFrom(...codes), fc.option(fc.oneof(fc.double(), fc.nat(10_000_000)), { nil: undefined }))
      .map(([code, ms]): OutboxEvent => ({ type: 'failed', failure: of(code, ms) })),
    fc.constant<OutboxEvent>({ type: 'interrupted' }),
    fc.constant<OutboxEvent>({ type: 'reconnected' }),
    fc.constant<OutboxEvent>({ type: 'retry' }),
  );
  const command = fc.record({
    item: fc.nat(5),
    event,
    pass: fc.integer({ min: -400_000, max: 400_000 }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  const shape = fc.array(
    fc.record({ track: fc.nat(2), created_at: fc.nat(3), depends: fc.array(fc.nat(5), { maxLength: 2 }) }),
    { minLength: 1, maxLength: 6 },
  );

  it('an item is never waiting, online and without a timer', () => {
    fc.assert(
      fc.property(
        shape,
        fc.array(command, { maxLength: 60 }),
        fc.boolean(),
        fc.boolean(),
        (shapes, commands, online, authorized) => {
          const first = shapes.map(({ track, created_at, depends }, n) =>
            outboxItem(`k${n}`, { entity: `track:${track}`, created_at, depends_on: depends.map((d) => `k${d}`) }),
          );
          let items = [...first];
          let now = 1_000_000;
          for (const { item: index, event: happened, pass, random } of commands) {
            now += pass;
            const target = items[index % Math.max(items.length, 1)];
            if (target === undefined) break;
            const { item } = transition(target, happened, at(now, random));
            items = items.flatMap((other) => (other.key !== target.key ? [other] : item === null ? [] : [item]));
            // What the runner does before anything else.
            for (
              let action = nextAction(items, now, online, authorized);
              action.type === 'block';
              action = nextAction(items, now, online, authorized)
            ) {
              const { key } = action.item;
              const blocked = transition(action.item, { type: 'blocked', by: action.by }, at(now)).item;
              items = items.flatMap((other) => (other.key !== key ? [other] : blocked === null ? [] : [blocked]));
            }
            check(items, first, now, online, authorized);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  function check(items: OutboxItem[], first: OutboxItem[], now: number, online: boolean, authorized: boolean): void {
    for (const item of items) {
      const born = first.find((other) => other.key === item.key);
      expect(item.body).toBe(born?.body);
      expect(item.body_sha).toBe(born?.body_sha);
      expect(Number.isFinite(item.next_at)).toBe(true);
      if (item.state === 'parked') expect(item.failure).not.toBeNull();
    }
    const open = items.filter((item) => item.state !== 'parked');
    const waits = open.filter((item) => item.state === 'waiting');
    const action = nextAction(items, now, online, authorized);
    if (open.length === 0) expect(action.type).toBe('idle');
    else if (!authorized || !online)
      expect(action).toEqual({ type: 'paused', reason: authorized ? 'offline' : 'unauthorized' });
    else if (action.type === 'busy') expect(open.length).toBeGreaterThan(waits.length);
    else if (action.type === 'wait') {
      expect(action.until).toBeGreaterThan(now);
      expect(action.until - now).toBeLessThanOrEqual(RETRY_AFTER_CAP_MS);
    } else expect(action.type).toBe('run');
  }

  it('every history ends: with a server that accepts, all that is not parked is published', () => {
    fc.assert(
      fc.property(shape, fc.array(command, { maxLength: 30 }), (shapes, commands) => {
        let items = shapes.map(({ track, created_at, depends }, n) =>
          outboxItem(`k${n}`, { entity: `track:${track}`, created_at, depends_on: depends.map((d) => `k${d}`) }),
        );
        let now = 1_000_000;
        const put = (key: string, item: OutboxItem | null) => {
          items = items.flatMap((other) => (other.key !== key ? [other] : item === null ? [] : [item]));
        };
        for (const { item: index, event: happened, pass, random } of commands) {
          now += pass;
          const target = items[index % Math.max(items.length, 1)];
          if (target !== undefined) put(target.key, transition(target, happened, at(now, random)).item);
        }
        for (const item of items) put(item.key, transition(item, { type: 'interrupted' }, at(now)).item);
        for (let turn = 0; turn < 100; turn += 1) {
          const action = nextAction(items, now, true, true);
          if (action.type === 'idle') break;
          if (action.type === 'wait') now = action.until;
          else if (action.type === 'block')
            put(action.item.key, transition(action.item, { type: 'blocked', by: action.by }, at(now)).item);
          else if (action.type === 'run') put(action.item.key, null);
          else throw new Error(`stuck: ${action.type}`);
        }
        expect(items.every((item) => item.state === 'parked')).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
