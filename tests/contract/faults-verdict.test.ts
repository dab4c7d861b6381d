/**
 * What judges the histories is judged itself: one that is in order is spoilt in one place, and the verdict has to say so,
 * under the name that the soak's table gives it.
 */
import { createHash } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formerPath } from '#lanes/music/server/publish/place.ts';
import type { Tx } from '#server/store/schema.ts';
import type { Store } from '#server/store/store.ts';
import { playHistory, type Played } from '../fixtures/faults/history.ts';
import { lookAt, WRONG, type Outcome } from '../fixtures/faults/outcome.ts';
import { serverInside } from '../fixtures/faults/servers.ts';
import { settle } from '../fixtures/faults/settle.ts';
import { Tally } from '../fixtures/faults/tally.ts';

let data = '';
let played: Played;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'accession-verdict-'));
  ends.push(() => rm(data, { recursive: true, force: true }));
  const server = await serverInside(data);
  ends.push(() => server.close());
  played = await playHistory({
    ...{ server, seed: 1, name: 'v', rounds: 0, workstations: 2, workers: 1, commands: 0 },
    ...{ faults: 0, kills: 0, setback: null },
  });
  ends.push(() => played.close());
  const { world } = played;
  const [first, second] = world.stations;
  const [one, two, three, four] = world.tracks;
  if (!first || !second || !one || !two || !three || !four) throw new Error('somebody is missing');
  await first.approve(one);
  await second.ask([two, three]);
  await world.curl.upload(four);
  await settle(world);
});
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const inOrder = (outcome: Outcome) => Object.fromEntries(WRONG.map((kind) => [kind, outcome[kind]]));
const NOTHING = Object.fromEntries(WRONG.map((kind) => [kind, []]));

type Kind = (typeof WRONG)[number];

/** What the verdict is while this is spoilt; afterwards all is in order again. */
async function verdictOf(spoil: () => Promise<() => Promise<unknown>>, look = played.look): Promise<Tally> {
  const mend = await spoil();
  const tally = new Tally();
  tally.add(await look());
  await mend();
  expect(inOrder(await played.look())).toEqual(NOTHING);
  return tally;
}

/** What the verdict is with another database, which nobody but it sees. */
function verdictOn(change: (tx: Tx) => Promise<unknown>): Promise<Tally> {
  const { world } = played;
  const undone = new Error('all of it is undone');
  async function inspect<T>(look: (store: Store) => Promise<T>): Promise<T> {
    const seen: T[] = [];
    const ended = world.server.inspect((store) =>
      store.write(async (tx) => {
        await change(tx);
        seen.push(await look({ ...store, db: tx }));
        throw undone;
      }),
    );
    await expect(ended).rejects.toBe(undone);
    const [side] = seen;
    if (side === undefined) throw new Error('nothing was looked at');
    return side;
  }
  const tracks = new Map(world.tracks.map((track) => [track.id, track]));
  const tampered = { ...world, server: { ...world.server, inspect } };
  return verdictOf(
    async () => async () => undefined,
    () => lookAt(tampered, tracks),
  );
}

const expectSaid = (tally: Tally, kind: Kind): void => {
  expect(tally.failed).toBe(true);
  expect(tally.figures[kind]).toBeGreaterThan(0);
  expect(tally.table('a store').join('\n')).toMatch(new RegExp(`^${kind.replace('_', ' ')} +[1-9]`, 'm'));
};

const published = () => {
  const track = played.world.tracks[0]?.id ?? '';
  return { track, job: `${played.world.stations[0]?.name}-1` };
};

async function someFile(): Promise<string> {
  const found = await readdir(join(data, 'media'), { recursive: true, withFileTypes: true });
  const file = found.find((entry) => entry.isFile());
  if (!file) throw new Error('nothing was published');
  return join(file.parentPath, file.name);
}

test('FAULT-12 a history in order is said to be so, with all that was done in it', async () => {
  const outcome = await played.look();
  expect(inOrder(outcome)).toEqual(NOTHING);
  expect([outcome.published, outcome.tracks, outcome.uploads]).toEqual([3, 3, 1]);
  const tally = new Tally();
  expect(tally.add(outcome)).toEqual([]);
  expect(tally.failed).toBe(false);
  expect(Object.values(tally.figures).every(Number.isFinite)).toBe(true);
});

const IN_THE_DATABASE: [what: string, kind: Kind, change: (tx: Tx) => Promise<unknown>][] = [
  [
    'published audio that its track has not any more',
    'lost',
    (tx) =>
      tx
        .updateTable('tracks')
        .set({ availability: 'missing', output_file_path: null, audio_sha256: null })
        .where('id', '=', published().track)
        .execute(),
  ],
  [
    'a job that the server has forgotten',
    'diverged',
    async (tx) => {
      await tx.deleteFrom('ingestion_steps').where('job_id', '=', published().job).execute();
      await tx.deleteFrom('ingestion_jobs').where('id', '=', published().job).execute();
    },
  ],
  [
    'an upload that the server has forgotten',
    'lost',
    (tx) =>
      tx
        .updateTable('ingestion_jobs')
        .set({ status: 'FAILED', error_message: 'x' })
        .where('batch_id', 'is not', null)
        .execute(),
  ],
  [
    'a commit that was applied twice, to another track',
    'duplicated',
    async (tx) => {
      const from = tx.selectFrom('tracks').selectAll().where('id', '=', published().track);
      const { audio_sha256 } = await from.executeTakeFirstOrThrow();
      const other = played.world.tracks[7]?.id ?? '';
      await tx.updateTable('tracks').set({ audio_sha256 }).where('id', '=', other).execute();
    },
  ],
  [
    'a commit that was applied twice, to its own track',
    'duplicated',
    async (tx) => {
      const steps = tx.selectFrom('ingestion_steps').selectAll().where('job_id', '=', published().job);
      const said = (await steps.execute()).find((step) => step.metadata.includes('"action":"Publish"'));
      if (said === undefined) throw new Error('it was not published');
      await tx
        .insertInto('ingestion_steps')
        .values({ ...said, id: 'again', step_number: 999 })
        .execute();
    },
  ],
  [
    'an upload that became two jobs',
    'duplicated',
    async (tx) => {
      const uploads = tx.selectFrom('ingestion_jobs').selectAll().where('batch_id', 'is not', null);
      const job = await uploads.executeTakeFirstOrThrow();
      await tx
        .insertInto('ingestion_jobs')
        .values({ ...job, id: 'v-again' })
        .execute();
    },
  ],
  [
    'a question that was answered once more, otherwise',
    'two_answers',
    (tx) => tx.updateTable('ingestion_reviews').set({ selected_option: 'another' }).execute(),
  ],
];

test.each(IN_THE_DATABASE)('FAULT-12 %s is said to be %s', async (_what, kind, change) => {
  expectSaid(await verdictOn(change), kind);
});

test('FAULT-12 one bit of a published file that is another one is said to be wrong_bytes', async () => {
  const verdict = verdictOf(async () => {
    const path = await someFile();
    const bytes = await readFile(path);
    const other = Buffer.from(bytes);
    other.writeUInt8(other.readUInt8(100) ^ 1, 100);
    await writeFile(path, other);
    return () => writeFile(path, bytes);
  });
  expectSaid(await verdict, 'wrong_bytes');
});

test("FAULT-12 a file that is nobody's is said to be wrong_bytes", async () => {
  const verdict = verdictOf(async () => {
    const path = join(data, 'media', 'left behind.ogg');
    await appendFile(path, 'half of it');
    return () => rm(path);
  });
  expectSaid(await verdict, 'wrong_bytes');
});

test('FAULT-12, API-174 audio that lies with the former is said to be wrong_bytes, unless the database alone went back', async () => {
  const { ledger } = played.world;
  const path = await someFile();
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  const former = join(data, 'media-former', formerPath(relative(join(data, 'media'), path), sha256));
  const take = async () => {
    await mkdir(dirname(former), { recursive: true });
    await rename(path, former);
    return () => rename(former, path);
  };
  expectSaid(await verdictOf(take), 'wrong_bytes');
  ledger.filesAreNewer = true;
  const back = await take();
  expect((await played.look()).wrong_bytes).toEqual([]);
  await appendFile(former, 'and more');
  const wrong = (await played.look()).wrong_bytes;
  ledger.filesAreNewer = false;
  await truncate(former, (await stat(former)).size - 'and more'.length);
  await back();
  expect(wrong).toEqual([expect.stringContaining('has no file'), expect.stringContaining("is nobody's")]);
});

test('FAULT-12 a change that one workstation was not told of is said to be diverged', async () => {
  const verdict = verdictOf(async () => {
    const tracks = played.world.stations[1]?.db.tracks;
    await tracks?.update(published().track, { availability: 'missing' });
    return async () => tracks?.update(published().track, { availability: 'available' });
  });
  expectSaid(await verdict, 'diverged');
});

test('FAULT-12 a file that its workstation has forgotten is said to be lost', async () => {
  const verdict = verdictOf(async () => {
    const jobs = played.world.stations[0]?.db.jobs;
    const job = await jobs?.get(published().job);
    if (job === undefined) throw new Error('there is no such job');
    await jobs?.delete(job.id);
    return async () => jobs?.add(job);
  });
  expectSaid(await verdict, 'lost');
});

test('FAULT-12 a question of which the server took two answers is said to have two_answers', async () => {
  const { ledger, server } = played.world;
  const reviews = await server.inspect((store) => store.db.selectFrom('ingestion_reviews').select('id').execute());
  // The last test: what was said stays said.
  for (const option of ['one', 'other']) ledger.answered(reviews[0]?.id ?? '', { option, accepted: true });
  const tally = new Tally();
  tally.add(await played.look());
  expectSaid(tally, 'two_answers');
});
