/**
 * The workstation's side of sync against the real server over real HTTP, with a network that fails at random:
 * requests that never arrive, answers that are lost, requests that arrive twice, tabs that die, a server that
 * is stopped and started again. Time is turned by hand; nothing sleeps.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nextEpoch } from '#adapters/browser/job-store.ts';
import { SyncRunner } from '#adapters/browser/sync/sync-runner.ts';
import { publishPorts, createUploader } from '#adapters/http/upload.ts';
import { randomIds } from '#core/ids.ts';
import { publishAgain } from '#core/run/commands.ts';
import { enqueue as enqueueItem } from '#core/run/outbox.ts';
import { syncedReplica } from '#lanes/music/browser/open-music.ts';
import { verify } from '#server/storage/verify.ts';
import { createCatalogClient } from '#lanes/music/http/catalog-client.ts';
import { makeBatch, makeJob } from '../fixtures/job.ts';
import { musicStation } from '../fixtures/music-station.ts';
import { runs } from '../fixtures/runs.ts';
import { commitOf, LANES, SMALL_CATALOG, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { vorbisFile, type VorbisFile } from '../fixtures/vorbis-file.ts';
import { openDb, turnedTime } from '../unit/sync/world.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Numbers in [0, 1) that are the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Histories of one network each. */
const SEEDS = runs(2, 30);
const TRACKS = SMALL_CATALOG.tracks.map((track) => track.id);

async function setUp(random: () => number) {
  const data = await mkdtemp(join(tmpdir(), 'accession-sync-'));
  ends.push(() => rm(data, { recursive: true, force: true }));
  let server: TestServer = await testServer({ data });
  await server.importCatalog(SMALL_CATALOG);
  const db = openDb();
  const time = turnedTime(1_700_000_000_000);
  const network = { up: true, faults: 0, met: 0 };
  const files = new Map<string, VorbisFile>();
  const remote: string[] = [];
  let steps = 0;
  const ids = { next: () => `step-${++steps}` };
  const station = musicStation(db, { clock: time, ids });

  /** The network: now and then it loses a request, an answer, or delivers a request twice. */
  const unreliable: typeof fetch = async (input, init) => {
    const chance = network.faults > 0 ? random() : 1;
    const send = () => {
      if (!network.up) throw new TypeError('fetch failed');
      return fetch(`${server.url}${new URL(String(input)).pathname}${new URL(String(input)).search}`, init);
    };
    if (chance < network.faults) network.met += 1;
    if (chance < network.faults / 3) throw new TypeError('fetch failed');
    if (chance < (network.faults * 2) / 3) {
      await (await send()).arrayBuffer();
      throw new TypeError('fetch failed');
    }
    if (chance < network.faults) await (await send()).arrayBuffer();
    return send();
  };

  const http = { baseUrl: 'http://accession.test', token: async () => TOKEN, fetch: unreliable };
  const client = createCatalogClient(http);
  const upload = createUploader({
    ...http,
    chunkBytes: 5000,
    blobs: {
      size: async (sha256) => files.get(sha256)?.size ?? null,
      read: async function* (sha256, start = 0, end) {
        yield (files.get(sha256)?.bytes ?? new Uint8Array()).slice(start, end);
      },
    },
  });

  async function open(): Promise<SyncRunner> {
    const epoch = await nextEpoch(db);
    const runner = new SyncRunner({
      ...{ db, client, clock: time, timers: time, random, token: http.token, ids, lane: station.lane },
      publish: publishPorts(client, upload),
      replicas: [
        syncedReplica(db, client, time, (jobs) =>
          station.store().change((rows) => publishAgain(rows, { clock: time, ids }, jobs)),
        ),
      ],
      onPublished: () => undefined,
      onRemoteAnswer: async (id, selected_option, by) => {
        remote.push(`${id} ${selected_option} ${by}`);
        await db.reviews.update(id, { selected_option, resolved_by_user_id: by, resolved_at: time.now() });
      },
    });
    await runner.start(station.store(epoch), epoch);
    return runner;
  }

  /** @param key another one where the same is converted again */
  async function enqueue(trackId: string, seed: number, key = `k-${trackId}-${seed}`): Promise<VorbisFile> {
    const duration = SMALL_CATALOG.tracks.find((track) => track.id === trackId)?.duration_ms ?? 60_000;
    const file = vorbisFile({ durationMs: duration, seed });
    files.set(file.sha256, file);
    const body = commitOf(file, trackId, { job_id: `j-${trackId}-${seed}`, original_filename: `${trackId}.flac` });
    const evidence = { file_id: body.job_id, path: `${trackId}.flac`, duration_ms: duration, tags: {} };
    const at = { phase: 'waiting', sync: 'waiting', matched_track_id: trackId, updated_at: time.now() } as const;
    await station.store().change(async (rows) => {
      await rows.putBatch(makeBatch());
      await rows.putJob(makeJob({ id: body.job_id, evidence, ...at }));
      await enqueueItem(rows, { clock: time, ids }, body, key);
    });
    return file;
  }

  async function live(runner: SyncRunner, ms: number): Promise<void> {
    await runner.idle();
    for (let passed = 0; passed < ms; passed += 1000) {
      time.pass(1000);
      await runner.idle();
    }
  }

  ends.push(() => server.close());
  return {
    ...{ db, time, network, remote, open, enqueue, live, client },
    server: () => server,
    /** The server ends and another one starts on its data. */
    restart: async () => {
      await server.close();
      server = await testServer({ data });
    },
  };
}

describe('sync against the server', () => {
  it(
    'SYNC-12 SYNC-14 SYNC-15 whatever happens on the way, every result is in the catalog once, byte for byte',
    async () => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const random = seeded(seed);
        const world = await setUp(random);
        const sent = new Map<string, VorbisFile>();
        world.network.faults = 0.45;
        let runner = await world.open();
        for (let round = 0; round < 16; round += 1) {
          const dice = random();
          const next = TRACKS[sent.size];
          if (next !== undefined && dice < 0.5) sent.set(next, await world.enqueue(next, seed));
          else if (dice < 0.7) world.network.up = dice > 0.6;
          // The tab dies without a word; another one takes over while the old one's requests are still under way.
          else if (dice < 0.85) runner = await world.open();
          if (round === 8) await world.restart();
          runner.poke();
          await world.live(runner, 1000 * Math.ceil(random() * 5));
        }
        expect(world.network.met).toBeGreaterThan(3);
        expect(sent.size).toBeGreaterThan(2);
        Object.assign(world.network, { faults: 0, up: true });
        await world.live(runner, 120_000);

        expect(await world.db.outbox.toArray()).toEqual([]);
        for (const job of await world.db.jobs.toArray()) {
          expect(job).toMatchObject({ status: 'COMPLETED', sync: 'published' });
          const steps = await world.db.steps.where('job_id').equals(job.id).toArray();
          expect(steps.map((step) => step.metadata['action'])).toEqual(['Publish']);
          const mirrored = await world.client.job(job.id);
          expect(mirrored.ok && [mirrored.value.status, mirrored.value.reasoning_steps.length]).toEqual([
            'COMPLETED',
            1,
          ]);
        }
        const server = world.server();
        for (const [trackId, file] of sent) {
          expect((await world.db.tracks.get(trackId))?.availability).toBe('available');
          const audio = await server.raw('GET', `/v1/catalog/tracks/${trackId}/audio`);
          expect(Buffer.from(await audio.arrayBuffer()).equals(Buffer.from(file.bytes))).toBe(true);
        }
        const available = await server.store.db
          .selectFrom('tracks')
          .selectAll()
          .where('availability', '=', 'available')
          .execute();
        expect(available.map((track) => track.id).sort()).toEqual([...sent.keys()].sort());
        expect(await server.store.db.selectFrom('former_media').selectAll().execute()).toEqual([]);
        await runner.stop();
      }
    },
    runs(120_000, 3_600_000),
  );

  it('SYNC-5 another file for a track that has audio is a question, and nothing is overwritten', async () => {
    const world = await setUp(seeded(1));
    const first = await world.enqueue('tr_h1', 1);
    const runner = await world.open();
    await world.live(runner, 3000);
    await world.enqueue('tr_h1', 2);
    runner.poke();
    await world.live(runner, 3000);
    expect((await world.db.jobs.get('j-tr_h1-2'))?.status).toBe('AWAITING_REVIEW');
    const asked = await world.db.reviews.toArray();
    expect(asked.map(({ kind, job_ids, resolved_at }) => [kind, job_ids, resolved_at])).toEqual([
      ['replace', ['j-tr_h1-2'], null],
    ]);
    expect(await world.db.outbox.count()).toBe(0);
    const audio = await world.server().raw('GET', '/v1/catalog/tracks/tr_h1/audio');
    expect(Buffer.from(await audio.arrayBuffer()).equals(Buffer.from(first.bytes))).toBe(true);
    await runner.stop();
  });

  it('SYNC-20 a review that is answered elsewhere is told here, with who it was', async () => {
    const world = await setUp(seeded(1));
    await world.db.jobs.put(makeJob({ id: 'j1', phase: 'review', updated_at: world.time.now() - 10 }));
    await world.db.reviews.put({
      schema_version: 1,
      id: 'r1',
      kind: 'track',
      job_id: 'j1',
      job_ids: ['j1', 'j-not-mirrored-yet'],
      batch_id: 'b1',
      group_id: null,
      question: 'Which track?',
      reasoning: 'two fit',
      options: [{ id: 'track:tr_h1', label: 'First', confidence: 0.7, reasons: [] }],
      detected: { album: null, artist: null, year: null, title: null },
      files: [],
      created_at: 1,
      resolved_at: null,
      resolved_by_user_id: null,
      selected_option: null,
    });
    const runner = await world.open();
    await world.live(runner, 3000);
    const listed = await world.client.reviews();
    expect(listed.ok && listed.value.items.map((item) => item.job_id)).toEqual(['j1']);
    const answer = await world.server().api('POST', '/v1/ingestion/review/j1', { selected_option: 'track:tr_h1' });
    expect(answer.status).toBe(200);
    await runner.syncNow();
    await world.live(runner, 3000);
    expect(world.remote).toEqual(['r1 track:tr_h1 admin']);
    await world.live(runner, 65_000);
    expect(world.remote).toHaveLength(1);
    await runner.stop();
  });

  it('SYNC-17 a server whose data was put back to an older state is followed, and told everything again', async () => {
    const world = await setUp(seeded(1));
    await world.enqueue('tr_h1', 1);
    const runner = await world.open();
    await world.live(runner, 5000);
    expect((await world.db.tracks.get('tr_h1'))?.availability).toBe('available');
    // As a restored copy of the database is: the feed is behind our cursor, the job is not there.
    const { store } = world.server();
    await store.write(async (tx) => {
      await tx
        .updateTable('tracks')
        .set({ availability: 'missing', output_file_path: null, audio_sha256: null })
        .where('id', '=', 'tr_h1')
        .execute();
      await tx.deleteFrom('changes').where('entity_id', '=', 'tr_h1').where('kind', '=', 'track').execute();
      await tx.insertInto('changes').values({ kind: 'track', entity_id: 'tr_h1', seq: 0 }).execute();
      await tx
        .updateTable('feed_counter')
        .set((eb) => ({ value: eb('value', '-', 1) }))
        .where('id', '=', 1)
        .execute();
      await tx.deleteFrom('ingestion_jobs').execute();
    });
    await world.live(runner, 65_000);
    const job = await world.client.job('j-tr_h1-1');
    expect(job.ok && job.value.status).toBe('COMPLETED');
    await runner.stop();
  });

  it('the methods of the client fit the routes', async () => {
    const { client } = await setUp(seeded(1));
    const [track] = SMALL_CATALOG.tracks;
    const [album] = SMALL_CATALOG.albums;
    const ok = async (call: Promise<{ ok: boolean; failure?: unknown }>) => {
      const result = await call;
      expect(result.ok, JSON.stringify(result.failure)).toBe(true);
    };
    await ok(client.health());
    await ok(client.search(track?.title ?? '', 5));
    await ok(client.albums({ limit: 2, missing: true }));
    await ok(client.album(album?.id ?? ''));
    await ok(client.artist(SMALL_CATALOG.artists[0]?.id ?? ''));
    await ok(client.track(track?.id ?? ''));
    await ok(client.importCatalog(SMALL_CATALOG));
    await ok(client.createArtist({ id: 'ar_new', name: 'New' }));
    await ok(client.patchArtist('ar_new', { name: 'Newer' }));
    await ok(
      client.createAlbum({
        id: 'al_new',
        title: 'Album',
        artist: 'Somebody',
        tracks: [{ title: 'One', duration_ms: 1000 }],
      }),
    );
    const made = await client.album('al_new');
    expect(made.ok && made.value).toMatchObject({
      artist: 'Somebody',
      tracks: [{ title: 'One', position: 1 }],
    });
    await ok(client.patchAlbum('al_new', { year: 2000 }, made.ok ? made.value.version : undefined));
    expect(await client.patchAlbum('al_new', { year: 2001 }, 1)).toMatchObject({
      ok: false,
      failure: { code: 'conflict' },
    });
    await ok(client.createTrack({ id: 'tr_new', album_id: 'al_new', title: 'Two' }));
    await ok(client.patchTrack('tr_new', { duration_ms: 5000 }));
    await ok(client.createDownloadRequest({ album_id: 'al_new' }));
    await ok(client.downloadRequests({ status: 'pending' }));
    await ok(client.jobs());
    await ok(client.reviews());
    const signed = await client.signedUrl('/v1/ws');
    expect(signed.ok && signed.value.url).toMatch(/^http:\/\/accession\.test\/v1\/ws\?/);
  });
});

onBothStores('a server that finds it has lost audio', () => {
  it('OPS-44, SYNC-55 audio that the server finds it has lost is published again by the workstation that has its original', async () => {
    const world = await setUp(seeded(1));
    const file = await world.enqueue('tr_h1', 1);
    const other = await world.enqueue('tr_h2', 1);
    const runner = await world.open();
    await world.live(runner, 3000);
    await world.db.jobs.update('j-tr_h1-1', { temp_file_path: 'sha256/original' });
    const server = world.server();
    const audio = () => server.raw('GET', '/v1/catalog/tracks/tr_h1/audio');
    const row = server.store.db.selectFrom('tracks').select('output_file_path as path').where('id', '=', 'tr_h1');
    const { path } = await row.executeTakeFirstOrThrow();
    await rm(join(server.data, 'media', path ?? ''));
    // Nobody at the workstation does anything: the feed tells it.
    const { blobs, originals, clock } = server.deps;
    const using = { store: server.store, blobs, originals, lanes: LANES, clock, ids: randomIds };
    const { findings } = await verify(using, { repair: true });
    expect(findings).toMatchObject([{ outcome: 'asked' }]);
    expect((await audio()).status).toBe(404);
    await runner.syncNow();
    await world.live(runner, 3000);
    expect(await world.db.jobs.get('j-tr_h1-1')).toMatchObject({ phase: 'approved', status: 'CONVERTING' });
    expect(await world.db.jobs.get('j-tr_h2-1')).toMatchObject({ phase: 'published' });

    await world.enqueue('tr_h1', 1, 'converted-again');
    runner.poke();
    await world.live(runner, 5000);
    expect(Buffer.from(await (await audio()).arrayBuffer()).equals(Buffer.from(file.bytes))).toBe(true);
    expect(await world.db.jobs.get('j-tr_h1-1')).toMatchObject({ status: 'COMPLETED', sync: 'published' });
    expect((await world.db.tracks.get('tr_h1'))?.availability).toBe('available');
    const left = await server.raw('GET', '/v1/catalog/tracks/tr_h2/audio');
    expect(Buffer.from(await left.arrayBuffer()).equals(Buffer.from(other.bytes))).toBe(true);
    expect((await verify(using, { repair: false })).findings).toEqual([]);
    await runner.stop();
  });
});
