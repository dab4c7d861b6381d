import { describe, expect, it } from 'vitest';
import { readPlansAnnounced, readReplicaState, readServerFacts, readSyncState } from '#adapters/browser/meta.ts';
import { nextEpoch } from '#adapters/browser/job-store.ts';
import { readSettings, writeSetting } from '#adapters/browser/settings.ts';
import { USUAL_DEFAULTS } from '#core/agent/llm/wire.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { ok } from '#core/result.ts';
import { takeBack } from '#core/run/commands.ts';
import { makeJob } from '../../fixtures/job.ts';
import { outboxItem } from './fixtures.ts';
import { conflictedJobs, jobOf, refusal, refusedJobs, syncWorld } from './sync-world.ts';

/** A promise that the test keeps. */
function gate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), passed };
}

describe('the server’s defaults', () => {
  it('LLM-79, LLM-90 they count for what the person never set, from when the server is first reached', async () => {
    const world = syncWorld();
    await writeSetting(world.db, 'llm_temperature', 0.7);
    const said = {
      auto_approve_threshold: 0.8,
      output_bitrate: '192k',
      max_iterations: 7,
      timeout_secs: 300,
      strategy: 'tools',
    };
    world.server.config = ok({ ...USUAL_DEFAULTS, ...said, temperature: 1 });
    const first = await world.open();
    await first.runner.idle();
    const taken = {
      auto_approve_threshold: 0.8,
      output_bitrate: '192k',
      llm_max_iterations: 7,
      llm_strategy: 'tools',
      llm_temperature: 0.7,
      llm_timeout_secs: 300,
    };
    expect(await readSettings(world.db)).toEqual({ ...DEFAULT_SETTINGS, ...taken });
    await first.runner.stop();

    // Away, or nonsense: as before. Without any, our own.
    for (const [answer, expected] of [
      [refusal('offline'), taken],
      [ok('<html>'), taken],
      [refusal('not_found'), { llm_temperature: 0.7 }],
    ] as const) {
      world.server.config = answer;
      const next = await world.open();
      await next.runner.idle();
      expect(await readSettings(world.db)).toEqual({ ...DEFAULT_SETTINGS, ...expected });
      await next.runner.stop();
    }
  });
});

describe('what the server hears of a workstation', () => {
  it('SYNC-72 unfinished jobs are named every other minute, whether or not they changed; without any nothing is', async () => {
    const world = syncWorld();
    await world.db.jobs.put(makeJob({ id: 'j', status: 'AWAITING_REVIEW', phase: 'review' }));
    const { runner } = await world.open();
    await runner.idle();
    const named = (): number => world.server.calls.filter((call) => call === 'mirror 1').length;
    const first = named();
    for (let minutes = 0; minutes < 10; minutes += 0.5) {
      world.time.pass(30_000);
      await runner.idle();
    }
    expect(named() - first).toBeGreaterThanOrEqual(4);
    expect(named() - first).toBeLessThanOrEqual(6);
    await world.db.jobs.clear();
    const calls = world.server.calls.filter((call) => call.startsWith('mirror')).length;
    world.time.pass(150_000);
    await runner.idle();
    expect(world.server.calls.filter((call) => call.startsWith('mirror'))).toHaveLength(calls);
  });
});

describe('what a token may', () => {
  it('UI-146 with one that reads alone the copy is kept up to date, and what is ready waits until it may publish', async () => {
    const world = syncWorld();
    world.server.scopes = ['ReadCatalog'];
    await world.enqueue('a');
    const { runner } = await world.open();
    await runner.idle();
    expect(await readServerFacts(world.db)).toEqual({
      ...{ account: { name: 'Ada', scopes: ['ReadCatalog'] }, lends: null, for_all: false },
    });
    // Nothing was tried that would be refused, and nobody is told that they are signed out.
    expect(world.server.calls).toEqual(['changes']);
    expect((await readSyncState(world.db))?.state).toBe('ok');
    expect(await world.db.outbox.get('a')).toMatchObject({ state: 'waiting', attempts: 0, failure: null });
    world.time.pass(31_000);
    await runner.idle();
    expect(world.server.calls).toEqual(['changes', 'changes']);
    // An administrator gives it: found with the next look.
    world.server.scopes = ['EditCatalog'];
    world.time.pass(31_000);
    await runner.idle();
    expect(world.server.published).toEqual(['t-a']);
    expect((await readServerFacts(world.db)).account?.scopes).toEqual(['EditCatalog']);
  });

  it('UI-146 taken away in between, it stops what writes and no more; a server that contradicts itself stops all', async () => {
    const world = syncWorld();
    world.server.scopes = ['EditCatalog'];
    const { runner } = await world.open();
    await runner.idle();
    world.server.scopes = ['ReadCatalog'];
    await world.enqueue('a');
    runner.poke();
    await runner.idle();
    expect(world.server.published).toEqual([]);
    expect((await readSyncState(world.db))?.state).toBe('ok');
    await runner.stop();

    world.server.scopes = ['EditCatalog'];
    world.server.onCommit = async () => refusal('forbidden');
    const next = await world.open();
    await next.runner.idle();
    expect((await readSyncState(world.db))?.state).toBe('unauthorized');
    expect(world.server.calls.filter((call) => call.startsWith('commit'))).toHaveLength(1);
  });

  it('SYNC-64 whose a token is, is asked at once where another was kept while the former was asked about', async () => {
    const world = syncWorld();
    world.server.scopes = ['EditCatalog'];
    const [asked, answered] = [gate(), gate()];
    world.server.onMe = async () => {
      asked.open();
      await answered.passed;
    };
    const { runner } = await world.open();
    await asked.passed;
    world.session.token = 'hers';
    world.server.token = 'hers';
    runner.poke();
    answered.open();
    await runner.idle();
    expect((await readServerFacts(world.db)).account?.name).toBe('Vera');
    expect(world.server.calls).toEqual(['changes', 'changes']);
  });

  it('LLM-98, LLM-99 a server that lends its model is known as that, and is used without a question where its administrator says so', async () => {
    const world = syncWorld();
    const look = async (config: object, scopes: string[]) => {
      world.server.config = ok({ ...USUAL_DEFAULTS, ...config });
      world.server.scopes = scopes;
      const { runner } = await world.open();
      await runner.idle();
      await runner.stop();
      const { lends, for_all } = await readServerFacts(world.db);
      return [lends, for_all, (await readSettings(world.db)).llm_provider];
    };
    const lent = { broker: true, provider: 'ollama', model: 'llama3.1:8b' };
    expect(await look({}, ['EditCatalog'])).toEqual([null, false, 'none']);
    expect(await look(lent, ['EditCatalog'])).toEqual(['ollama/llama3.1:8b', false, 'none']);
    expect(await look(lent, ['ReadCatalog'])).toEqual([null, false, 'none']);
    expect(await look({ ...lent, lend: 'all' }, ['ReadCatalog'])).toEqual([null, false, 'none']);
    expect(await look({ ...lent, lend: 'all' }, ['Work'])).toEqual(['ollama/llama3.1:8b', true, 'broker']);
    // A person's no is a no.
    await writeSetting(world.db, 'llm_provider', 'none');
    expect(await look({ ...lent, lend: 'all' }, ['Work'])).toEqual(['ollama/llama3.1:8b', true, 'none']);
  });
});

describe('publishing', () => {
  it('SYNC-13 an accepted commit completes the job, writes the step and removes the row, all at once', async () => {
    const world = syncWorld();
    await world.enqueue('a');
    const { runner, published } = await world.open();
    await runner.idle();
    expect(await world.db.outbox.count()).toBe(0);
    expect(await jobOf(world.db, 'a')).toMatchObject({
      status: 'COMPLETED',
      phase: 'published',
      sync: 'published',
      output_file_path: 'Artist/Album/a.ogg',
      completed_at: world.time.now(),
      progress: 1,
      failure: null,
    });
    expect((await jobOf(world.db, 'a')).updated_at).toBeGreaterThanOrEqual(world.time.now());
    const steps = await world.db.steps.toArray();
    expect(steps).toMatchObject([
      {
        job_id: 'j-a',
        step_number: 1,
        step_type: 'Action',
        metadata: { action: 'Publish', outcome: 'created', idempotency_key: 'a' },
      },
    ]);
    expect(published).toEqual(['j-a']);
    await runner.stop();
  });

  it('SYNC-22 the meta row says what waits, since when, why and until when', async () => {
    const world = syncWorld();
    world.server.up = false;
    const since = world.time.now();
    await world.enqueue('a');
    await world.enqueue('b');
    const { runner } = await world.open();
    await runner.idle();
    expect(await readSyncState(world.db)).toEqual({
      online: false,
      state: 'offline',
      message: 'said offline',
      waiting: 2,
      oldest_waiting_at: since,
      last_contact_at: null,
      next_try_at: since + 1000,
    });
    world.server.up = true;
    await world.live(runner, 2000);
    expect(await readSyncState(world.db)).toMatchObject({
      online: true,
      state: 'ok',
      message: null,
      waiting: 0,
      oldest_waiting_at: null,
      next_try_at: null,
    });
    await runner.stop();
  });

  it('SYNC-49 what the last session knew of the server is not shown as known now', async () => {
    const world = syncWorld();
    const first = await world.open();
    await first.runner.idle();
    const known = await readSyncState(world.db);
    expect(known).toMatchObject({ state: 'ok', last_contact_at: expect.any(Number) });
    await first.runner.stop();
    world.server.up = false;
    const next = await world.open();
    const now = await readSyncState(world.db);
    expect(['starting', 'offline']).toContain(now?.state);
    expect(now?.last_contact_at).toBe(known?.last_contact_at);
    await next.runner.stop();
  });

  it('SYNC-11, SYNC-41 while the server is away only a probe is sent, with growing pauses; then everything goes at once', async () => {
    const world = syncWorld();
    world.server.up = false;
    for (const key of ['a', 'b', 'c', 'd', 'e']) await world.enqueue(key);
    const { runner, published } = await world.open();
    await world.live(runner, 300_000, 1000);
    expect(new Set(world.server.calls)).toEqual(new Set(['changes']));
    expect(world.server.calls.length).toBeLessThan(30);
    expect((await world.db.outbox.toArray()).every((item) => item.attempts === 0)).toBe(true);
    world.server.up = true;
    await world.live(runner, 60_000, 1000);
    expect(published).toHaveLength(5);
    await runner.stop();
  });

  it('SYNC-11, SYNC-42 the `online` event is a reason to look at once', async () => {
    const world = syncWorld();
    world.server.up = false;
    await world.enqueue('a');
    const { runner, published } = await world.open();
    await world.live(runner, 120_000, 1000);
    world.server.up = true;
    world.network.dispatchEvent(new Event('online'));
    await runner.idle();
    expect(published).toEqual(['j-a']);
    await runner.stop();
  });

  it('SYNC-3 at most three at once, one track in order', async () => {
    const world = syncWorld();
    const order: string[] = [];
    const held = gate();
    world.server.onCommit = async (_, key) => {
      order.push(key);
      await held.passed;
      return null;
    };
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await world.enqueue(key, key < 'c' ? 'same' : key);
    const { runner } = await world.open();
    await expect.poll(() => order.toSorted()).toEqual(['a', 'c', 'd']);
    expect((await world.db.outbox.toArray()).filter((item) => item.state !== 'waiting')).toHaveLength(3);
    held.open();
    await runner.idle();
    expect(order.indexOf('a')).toBeLessThan(order.indexOf('b'));
    expect(world.server.published).toHaveLength(6);
    await runner.stop();
  });
});

describe('faults', () => {
  it('SYNC-12 a commit whose answer was lost is asked for again with the same key, without another upload, and published once', async () => {
    const world = syncWorld();
    let lose = true;
    world.server.onCommit = async (body, key) => {
      if (!lose) return null;
      lose = false;
      world.server.accept(body, key);
      return refusal('offline');
    };
    await world.enqueue('a');
    const { runner, published } = await world.open();
    await world.live(runner, 10_000);
    expect(world.server.published).toEqual(['t-a']);
    expect(published).toEqual(['j-a']);
    expect(world.server.calls.filter((call) => call !== 'changes' && !call.startsWith('mirror'))).toEqual([
      'upload a.flac',
      'commit a',
      'commit a',
    ]);
    await runner.stop();
  });

  it('SYNC-7 a server that lost the upload gets it again', async () => {
    const world = syncWorld();
    let wiped = true;
    world.server.onCommit = async () => {
      if (!wiped) return null;
      wiped = false;
      return refusal('blob_missing');
    };
    await world.enqueue('a');
    const { runner, published } = await world.open();
    await world.live(runner, 5000);
    expect(published).toEqual(['j-a']);
    expect(world.server.calls.filter((call) => call.startsWith('upload'))).toHaveLength(2);
    await runner.stop();
  });

  it('SYNC-7 three uploads with a wrong hash, then a person is asked', async () => {
    const world = syncWorld();
    const fresh: boolean[] = [];
    world.server.onUpload = async (_, again) => {
      fresh.push(again);
      return refusal('hash_mismatch');
    };
    await world.enqueue('a');
    const { runner } = await world.open();
    await world.live(runner, 120_000, 1000);
    expect(fresh).toEqual([false, true, true]);
    expect(await refusedJobs(world.db)).toEqual(['j-a hash_mismatch']);
    await runner.stop();
  });

  it('SYNC-4 a refused token pauses everything, and a new one starts it again', async () => {
    const world = syncWorld();
    world.session.token = 'bad';
    await world.enqueue('a');
    await world.enqueue('b');
    const { runner, published } = await world.open();
    await world.live(runner, 120_000, 5000);
    expect(world.server.calls).toEqual(['changes']);
    expect(await readSyncState(world.db)).toMatchObject({
      state: 'unauthorized',
      waiting: 2,
      message: 'said unauthorized',
    });
    world.session.token = 'good';
    runner.poke();
    await runner.idle();
    expect(published.sort()).toEqual(['j-a', 'j-b']);
    await runner.stop();
  });

  it('SYNC-4, SYNC-39 a token that is revoked in the middle blames no item', async () => {
    const world = syncWorld();
    world.server.onUpload = async () => {
      world.server.token = 'another';
      return null;
    };
    await world.enqueue('a');
    const { runner, published } = await world.open();
    await world.live(runner, 5000);
    expect(await world.db.outbox.toArray()).toMatchObject([
      { state: 'waiting', attempts: 0, failure: { code: 'unauthorized' } },
    ]);
    world.session.token = 'another';
    runner.poke();
    await runner.idle();
    expect(published).toEqual(['j-a']);
    await runner.stop();
  });

  it('SYNC-4 without a poke a new token is found by itself', async () => {
    const world = syncWorld();
    world.session.token = null;
    await world.enqueue('a');
    const { runner, published } = await world.open();
    await runner.idle();
    world.session.token = 'good';
    await world.live(runner, 31_000, 1000);
    expect(published).toEqual(['j-a']);
    await runner.stop();
  });

  it('SYNC-5 a conflict asks, in the same transaction; SYNC-6 poison is parked and the others go on', async () => {
    const world = syncWorld();
    world.server.onCommit = async (_, key) =>
      key === 'a' ? refusal('conflict') : key === 'b' ? refusal('not_vorbis') : null;
    for (const key of ['a', 'b', 'c']) await world.enqueue(key);
    const { runner, published } = await world.open();
    await world.live(runner, 5000);
    expect([published, await refusedJobs(world.db), await conflictedJobs(world.db)]).toEqual([
      ['j-c'],
      ['j-b not_vorbis'],
      ['j-a'],
    ]);
    expect(await readSyncState(world.db)).toMatchObject({ waiting: 0, state: 'ok' });
    // A person who knows better may try it again.
    world.server.onCommit = null;
    await world.db.outbox.put(outboxItem('b', { state: 'parked' }));
    expect(await runner.retry('b')).toBe(1);
    await runner.idle();
    expect(published).toEqual(['j-c', 'j-b']);
    await runner.stop();
  });

  it('SYNC-10 a busy server is left alone until it said', async () => {
    const world = syncWorld();
    let busy = true;
    world.server.onCommit = async () => (busy ? refusal('rate_limited', 20_000) : null);
    await world.enqueue('a');
    const { runner, published } = await world.open();
    await runner.idle();
    busy = false;
    await world.live(runner, 19_000, 1000);
    expect(published).toEqual([]);
    await world.live(runner, 2000, 1000);
    expect(published).toEqual(['j-a']);
    await runner.stop();
  });

  it('SYNC-2 a body that was changed after its approval is not sent', async () => {
    const world = syncWorld();
    await world.enqueue('a');
    await world.db.outbox
      .where('key')
      .equals('a')
      .modify((item) => {
        item.body.track_id = 't-other';
      });
    const { runner } = await world.open();
    await runner.idle();
    expect(await refusedJobs(world.db)).toEqual(['j-a invalid']);
    expect(world.server.published).toEqual([]);
    await runner.stop();
  });

  it('"try now" waits for no timer', async () => {
    const world = syncWorld();
    world.server.up = false;
    await world.enqueue('a');
    const { runner, published } = await world.open();
    await world.live(runner, 60_000, 5000);
    world.server.up = true;
    expect(await runner.syncNow()).toBe(1);
    await runner.idle();
    expect(published).toEqual(['j-a']);
    await runner.stop();
  });

  it('API-54 "try now" of one result asks the server at once, and leaves the others their time', async () => {
    const world = syncWorld();
    world.server.up = false;
    await world.enqueue('a');
    await world.enqueue('b');
    const { runner, published } = await world.open();
    await world.live(runner, 60_000, 5000);
    world.server.up = true;
    const later = world.time.now() + 600_000;
    await world.db.outbox.toCollection().modify({ next_at: later });
    await runner.tryOne('b');
    await runner.idle();
    expect(published).toContain('j-b');
    await runner.stop();
  });

  it('SYNC-9 a clock that is wrong by a year, either way, delays nothing', async () => {
    for (const year of [365 * 86_400_000, -365 * 86_400_000]) {
      const world = syncWorld();
      world.server.up = false;
      await world.enqueue('a');
      const { runner, published } = await world.open();
      await world.live(runner, 10_000);
      world.time.jump(year);
      world.server.up = true;
      await world.live(runner, 61_000, 1000);
      expect(published).toEqual(['j-a']);
      await runner.stop();
    }
  });
});

describe('stops and crashes', () => {
  it('SYNC-14 what was under way when the page died waits again and is published once', async () => {
    const world = syncWorld();
    const dead = gate();
    world.server.onCommit = async (body, key) => {
      world.server.accept(body, key);
      await dead.passed;
      return null;
    };
    await world.enqueue('a');
    const first = await world.open();
    await expect.poll(() => world.server.published).toEqual(['t-a']);
    expect((await jobOf(world.db, 'a')).phase).toBe('publishing');
    // The page is gone without a word; another tab takes the lock.
    world.server.onCommit = null;
    const second = await world.open();
    await second.runner.idle();
    expect(second.published).toEqual(['j-a']);
    expect(world.server.published).toEqual(['t-a']);
    // The first wakes up, and is told that it is over.
    dead.open();
    await first.runner.idle();
    expect(first.published).toEqual([]);
    expect(await world.db.steps.count()).toBe(1);
    await second.runner.stop();
  });

  it('SYNC-24 a tab that lost the lock writes nothing more', async () => {
    const world = syncWorld();
    const { runner } = await world.open();
    await runner.idle();
    await nextEpoch(world.db);
    await world.enqueue('a');
    runner.poke();
    await world.live(runner, 5000);
    expect(await world.db.outbox.toArray()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(world.server.published).toEqual([]);
    expect(world.time.armed).toEqual([]);
  });

  it('a stop breaks off what runs, and a start takes it up', async () => {
    const world = syncWorld();
    const slow = gate();
    world.server.onUpload = async () => {
      await slow.passed;
      return null;
    };
    await world.enqueue('a');
    const { runner, start, published } = await world.open();
    await expect.poll(async () => (await world.db.outbox.toArray())[0]?.state).toBe('uploading');
    const stopped = runner.stop();
    slow.open();
    await stopped;
    expect(await world.db.outbox.toArray()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(world.time.armed).toEqual([]);
    world.server.onUpload = null;
    await start();
    await runner.idle();
    expect(published).toEqual(['j-a']);
    await runner.stop();
  });

  it('a stop in the moment in which something begins holds it back', async () => {
    const world = syncWorld();
    const { runner, start, published } = await world.open();
    await runner.idle();
    let stopped = Promise.resolve();
    const stop = (): void => void (stopped = runner.stop());
    world.db.outbox.hook('updating', stop);
    await world.enqueue('a');
    runner.poke();
    await runner.idle();
    await stopped;
    world.db.outbox.hook('updating').unsubscribe(stop);
    expect(await world.db.outbox.toArray()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect([world.server.calls.filter((call) => call.startsWith('upload')), world.time.armed]).toEqual([[], []]);
    await start();
    await runner.idle();
    expect(published).toEqual(['j-a']);
    await runner.stop();
  });

  it('SYNC-8 a decision taken back during the upload is not published; one that is being committed stays', async () => {
    const world = syncWorld();
    const [uploading, committing] = [gate(), gate()];
    world.server.onUpload = async (name) => {
      if (name === 'a.flac') await uploading.passed;
      return null;
    };
    world.server.onCommit = async () => {
      await committing.passed;
      return null;
    };
    await world.enqueue('a');
    await world.enqueue('b');
    const { runner, published } = await world.open();
    await expect
      .poll(async () => (await world.db.outbox.toArray()).map((item) => item.state))
      .toEqual(['uploading', 'committing']);
    expect(await world.store.change((rows) => takeBack(rows, 'j-a'))).toBe(true);
    expect(await world.store.change((rows) => takeBack(rows, 'j-b'))).toBe(false);
    uploading.open();
    committing.open();
    await runner.idle();
    expect(world.server.published).toEqual(['t-b']);
    expect(published).toEqual(['j-b']);
    await runner.stop();
  });

  it('an error of the database ends nothing for good', async () => {
    const world = syncWorld();
    await world.enqueue('a');
    const { runner, published } = await world.open();
    await runner.idle();
    const broken = () => {
      throw new Error('disk');
    };
    world.db.outbox.hook('updating', broken);
    await world.enqueue('b');
    runner.poke();
    await world.live(runner, 5000);
    expect(published).toEqual(['j-a']);
    world.db.outbox.hook('updating').unsubscribe(broken);
    await world.live(runner, 61_000, 1000);
    expect(published).toEqual(['j-a', 'j-b']);
    await runner.stop();
  });
});

describe('the lanes', () => {
  it('SYNC-23 neither a slow mirror nor a slow replica holds up the outbox', async () => {
    const world = syncWorld();
    const { runner, published } = await world.open();
    await runner.idle();
    const slow = gate();
    world.server.onMirror = async () => {
      await slow.passed;
      return null;
    };
    world.server.onChanges = async () => {
      await slow.passed;
      return null;
    };
    runner.wantReplica();
    runner.poke();
    world.time.pass(1000);
    await world.enqueue('a');
    runner.poke();
    await expect.poll(() => published).toEqual(['j-a']);
    slow.open();
    await runner.stop();
  });

  it('SYNC-67 what changed offline while the clock was behind is mirrored, though the clock is right again before the server is there', async () => {
    const world = syncWorld();
    await world.enqueue('a');
    const { runner } = await world.open();
    await world.live(runner, 5000);
    const hour = 3_600_000;
    world.time.jump(2 * hour);
    await world.live(runner, 65_000, 1000);
    await world.db.jobs.update('j-a', { updated_at: world.time.now() - 1 });
    runner.poke();
    await world.live(runner, 65_000, 1000);
    world.server.up = false;
    world.time.jump(-hour);
    await world.db.jobs.put(makeJob({ id: 'j-b', phase: 'published', updated_at: world.time.now() }));
    runner.poke();
    await runner.idle();
    world.time.jump(hour);
    world.server.up = true;
    world.server.calls.length = 0;
    await world.live(runner, 65_000, 1000);
    // All of it from the beginning: the one from before, and this one.
    expect(world.server.calls).toContain('mirror 2');
    await runner.stop();
  });

  it('SYNC-17 a server with another catalog is sent the jobs again', async () => {
    const world = syncWorld();
    await world.enqueue('a');
    const { runner } = await world.open();
    await world.live(runner, 5000);
    world.server.calls.length = 0;
    world.server.catalog = 'cat-2';
    await world.live(runner, 65_000, 1000);
    expect(await readReplicaState(world.db)).toMatchObject({ catalog_id: 'cat-2' });
    expect(world.server.calls).toContain('mirror 1');
    await runner.stop();
  });

  it('SYNC-21 every hint pulls, bursts once; an answer given elsewhere is asked for', async () => {
    const world = syncWorld();
    const { runner, hint } = await world.open();
    await world.live(runner, 3000);
    world.server.calls.length = 0;
    for (let n = 0; n < 20; n += 1) hint({ type: 'CatalogChanged' });
    await runner.idle();
    expect(world.server.calls).toEqual([]);
    await world.live(runner, 500, 250);
    expect(world.server.calls).toEqual(['changes']);
    hint({ type: 'connected' });
    await world.live(runner, 500, 250);
    expect(world.server.calls).toEqual(['changes', 'changes']);
    await runner.stop();
  });

  it('VIDEO-95 a plan that the server speaks of, or may have spoken of, is told to the pages of all tabs', async () => {
    const world = syncWorld();
    const { runner, hint } = await world.open();
    const heard = async (): Promise<number> => {
      await runner.idle();
      return readPlansAnnounced(world.db);
    };
    hint({ type: 'CatalogChanged' });
    expect(await heard()).toBe(0);
    hint({ type: 'RecognizeMediaFilePlanReady', taskId: 't1', planFilePath: 'plans/t1.plan.json' });
    hint({ type: 'RenameFilesPlanReady', taskId: 't2', planFilePath: 'plans/t2.plan.json' });
    expect(await heard()).toBe(2);
    hint({ type: 'connected' });
    expect(await heard()).toBe(3);
    await runner.stop();
  });

  it('SYNC-1, SYNC-37 while it runs there is always exactly one timer, never further away than the next poll', async () => {
    const world = syncWorld();
    world.server.onCommit = async () => refusal('server_error');
    for (const key of ['a', 'b']) await world.enqueue(key);
    const { runner } = await world.open();
    for (let n = 0; n < 200; n += 1) {
      await world.live(runner, 1000, 1000);
      expect(world.time.armed).toHaveLength(1);
      expect(world.time.armed[0]).toBeLessThanOrEqual(30_000);
      if (n === 50) world.server.up = false;
      if (n === 100) world.session.token = 'bad';
      if (n === 150) Object.assign(world.server, { up: true, token: 'bad', onCommit: null });
    }
    await world.live(runner, 61_000, 1000);
    expect(world.server.published.sort()).toEqual(['t-a', 't-b']);
    await runner.stop();
  });
});
