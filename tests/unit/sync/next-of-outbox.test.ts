import { expect, it } from 'vitest';
import { openDb, turnedTime } from './world.ts';
import { outboxItem } from './fixtures.ts';
import { nextOfOutbox } from '#core/run/outbox.ts';
import { countingIds } from '../../fixtures/job.ts';
import { musicStation } from '../../fixtures/music-station.ts';
import { nextAction } from '#core/sync/outbox.ts';
import type { OutboxItem } from '#core/sync/outbox-item.ts';

const LONG = 200;
const key = (n: number): string => `k${String(n).padStart(3, '0')}`;
const pile = (patch: (n: number) => Partial<OutboxItem>): OutboxItem[] =>
  Array.from({ length: LONG }, (_, n) =>
    outboxItem(key(n), { entity: `track:${n}`, created_at: n, next_at: 0, ...patch(n) }),
  );

/** What is done next, which must be what the rule says of all items, and how many rows were read for it. */
async function asked(items: OutboxItem[], now = 10, online = true) {
  const db = openDb();
  await db.outbox.bulkAdd(items);
  let read = 0;
  db.outbox.hook('reading', (row: OutboxItem) => {
    read += 1;
    return row;
  });
  const found = await nextOfOutbox(
    musicStation(db, { clock: turnedTime(), ids: countingIds() }).store(),
    now,
    online,
    true,
  );
  return { ...found, read, rule: nextAction(items, now, online, true) };
}

it('SYNC-35 the first of a long outbox are enough to know what runs, and that nothing does', async () => {
  const first = await asked(pile(() => ({})));
  expect(first.action).toEqual(first.rule);
  expect(first.action).toMatchObject({ type: 'run', item: { key: key(0) } });
  expect(first.read).toBeLessThan(LONG / 2);

  const offline = await asked(
    pile(() => ({})),
    10,
    false,
  );
  expect(offline.action).toEqual({ type: 'paused', reason: 'offline' });
  expect(offline.read).toBeLessThan(LONG / 2);
});

it('SYNC-35 those under way are seen wherever they stand', async () => {
  const far = await asked(pile((n) => (n >= LONG - 3 ? { state: 'uploading' } : {})));
  expect(far.action).toEqual({ type: 'busy' });
  expect(far.active.map((item) => item.key)).toEqual([key(LONG - 3), key(LONG - 2), key(LONG - 1)]);
});

it('SYNC-35 what is due behind a hundred that are not is found, and a parked one holds back what depends on it', async () => {
  const late = await asked(pile((n) => ({ next_at: n === 150 ? 5 : 5000 })));
  expect(late.action).toEqual(late.rule);
  expect(late.action).toMatchObject({ type: 'run', item: { key: key(150) } });

  const parked = await asked(
    pile((n) => (n === 120 ? { state: 'parked' } : n === 180 ? { depends_on: [key(120)] } : {})),
  );
  expect(parked.action).toMatchObject({ type: 'block', item: { key: key(180) }, by: { key: key(120) } });
});
