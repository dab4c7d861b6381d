/**
 * A database that goes back alone waits for uploads whose files were let go meanwhile. The verdict on a history takes that
 * for what it is, and for nothing else.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playHistory, putBack, type Played } from '../fixtures/faults/history.ts';
import { serverInside } from '../fixtures/faults/servers.ts';
import { settle } from '../fixtures/faults/settle.ts';

let played: Played;
const ends: (() => Promise<unknown>)[] = [];
/** Of the uploads: one is published before the database goes back, one cancelled, one left to wait. */
const ids: string[] = [];

beforeAll(async () => {
  const data = await mkdtemp(join(tmpdir(), 'accession-let-go-'));
  ends.push(() => rm(data, { recursive: true, force: true }));
  const server = await serverInside(data);
  ends.push(() => server.close());
  played = await playHistory({
    ...{ server, seed: 1, name: 'g', rounds: 0, workstations: 1, workers: 1, commands: 0 },
    ...{ faults: 0, kills: 0, setback: null },
  });
  ends.push(() => played.close());
  const { world } = played;
  const [station] = world.stations;
  const [one, two, three] = world.tracks;
  if (!station || !one || !two || !three) throw new Error('somebody is missing');
  await world.curl.upload(one);
  await world.curl.upload(two);
  ids.push(...world.ledger.uploads.values());
  // All that was said so far is in the database itself then, not in its log alone.
  await server.restart();
  await server.keep('database');
  world.ledger.keep();
  const cancelled = await station.client.cancelJob(ids[1] ?? '');
  expect(cancelled.ok).toBe(true);
  world.ledger.wasCancelled(ids.slice(1));
  await settle(world);
  await putBack(world, 'database');
  await world.curl.upload(three);
  ids.push(...[...world.ledger.uploads.values()].slice(2));
  await settle(world);
});
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test('SYNC-65 uploads that were done or cancelled before the database went back are to be sent again, which is said and is no loss', async () => {
  const { world } = played;
  expect([...world.ledger.letGo].sort()).toEqual(ids.slice(0, 2).sort());
  const said = await Promise.all(ids.map(async (id) => world.stations[0]?.client.job(id)));
  const again = { status: 'FAILED', error_message: expect.stringMatching(/does not have ".*" any more/) as string };
  expect(said).toMatchObject([{ value: again }, { value: again }, { value: { status: 'COMPLETED' } }]);
  expect((await played.look()).lost).toEqual([]);
});

test('SYNC-65 an upload that ends so though nobody had let its file go is lost', async () => {
  const { letGo } = played.world.ledger;
  for (const id of ids.slice(0, 2)) {
    letGo.delete(id);
    expect((await played.look()).lost).toEqual([expect.stringMatching(/ended as FAILED: .* any more/)]);
    letGo.add(id);
  }
});
