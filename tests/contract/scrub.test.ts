/** The scrub: every file is read again in the background. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScrub, readScrub, type ScrubDeps } from '#server/storage/scrub.ts';
import { USUAL_SCRUB } from '#server/storage/scrub-settings.ts';
import { bytesOf, damageWorld, type DamageWorld } from '../fixtures/damage/world.ts';
import { LANES } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';

const DAY = 86_400_000;

let world: DamageWorld;
beforeEach(async () => {
  world = await damageWorld();
});
afterEach(() => world.end());

interface Storage {
  damaged_count: number;
  damaged: { name: string; remedy: string }[];
  scrub: { files: number; finished_at: number | null } | null;
}

/** So slowly that there is a rest after each file, however long reading it took. */
const SLOW = { bytesPerSecond: 10 };

function scrubOf(settings: Partial<typeof USUAL_SCRUB> = {}, extra: Partial<ScrubDeps> = {}, holder = 'one') {
  const { store, blobs, originals, clock, log } = world.server.deps;
  const waits: number[] = [];
  const wait = (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  };
  const deps = { store, blobs, originals, lanes: LANES, clock, log, wait, ...extra };
  return { ...createScrub(deps, { ...USUAL_SCRUB, ...SLOW, ...settings }, holder), waits };
}

const storage = async (): Promise<Storage> => (await world.server.api<Storage>('GET', '/v1/storage')).body;
const health = async (): Promise<object> => (await world.server.api<object>('GET', '/health')).body;

onBothStores('the scrub', () => {
  test('OPS-46 a pass reads every file no faster than it may, and the next one is due after its days', async () => {
    const scrub = scrubOf({ bytesPerSecond: 1000 });
    const done = await scrub.pass();
    expect(done).toMatchObject({ files: 7, damaged: 0, finished_at: world.server.time.now });
    const least = ((done?.bytes ?? 0) / 1000) * 1000;
    // Reading took a part of the time itself.
    expect(scrub.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(least / 2);
    expect(scrub.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(least);
    world.server.time.now += 29 * DAY;
    expect(await scrub.pass()).toBeNull();
    world.server.time.now += DAY;
    expect(await scrub.pass()).toMatchObject({ files: 7 });
    expect(await storage()).toMatchObject({ damaged_count: 0, scrub: { files: 7 } });
  });

  test('OPS-46, OPS-47 damage is mended from another copy here, and otherwise named until it is right', async () => {
    const { server, paths } = world;
    const was = await bytesOf(world, paths.present.tr_h1);
    const other = await bytesOf(world, paths.present.tr_h2);
    await writeFile(join(server.data, paths.present.tr_h1), 'not audio');
    await writeFile(join(server.data, paths.present.tr_h2), other.fill(0, 100, 200));
    await rm(join(server.data, paths.former));
    expect(await scrubOf().pass()).toMatchObject({ files: 7, damaged: 3 });
    expect(await bytesOf(world, paths.present.tr_h1)).toEqual(was);
    expect(await storage()).toMatchObject({
      damaged_count: 2,
      damaged: [
        { name: paths.present.tr_h2, remedy: expect.stringContaining('verify --repair') as string },
        { name: paths.former },
      ],
    });
    server.time.now += 11_000;
    expect(await health()).toMatchObject({ status: 'ok', damaged_files: 2 });
    expect(server.logged.join('\n')).toContain('a file is damaged: accession verify --repair');

    await world.verify({ repair: true, backup: true });
    expect(await storage()).toMatchObject({ damaged_count: 0 });
    server.time.now += 31 * DAY;
    expect(await scrubOf().pass()).toMatchObject({ damaged: 0 });
    expect(await health()).not.toHaveProperty('damaged_files');
  });

  test('OPS-46 without `repair` nothing is changed', async () => {
    const path = join(world.server.data, world.paths.present.tr_h1);
    await writeFile(path, 'not audio');
    await scrubOf({ repair: false }).pass();
    expect(String(await bytesOf(world, world.paths.present.tr_h1))).toBe('not audio');
    expect(await storage()).toMatchObject({ damaged_count: 1 });
  });

  test('OPS-47 what somebody was refused is known from then on', async () => {
    await writeFile(join(world.server.data, world.paths.present.tr_h1), 'not audio');
    for (const _again of [1, 2])
      expect((await world.server.raw('GET', '/v1/catalog/tracks/tr_h1/audio')).status).toBe(500);
    expect(await storage()).toMatchObject({ damaged: [{ name: world.paths.present.tr_h1 }] });
  });

  test('OPS-46 a pass that was stopped goes on where it was, and two processes are not at it together', async () => {
    const stopped = scrubOf(
      {},
      {
        wait: async () => {
          // After the second file.
          if (((await readScrub(world.server.store.db))?.files ?? 0) === 0 && ++rests === 2) void stopped.close();
        },
      },
    );
    let rests = 0;
    expect(await stopped.pass()).toBeNull();
    expect(await readScrub(world.server.store.db)).toMatchObject({ files: 2, finished_at: null, holder: null });

    let other: unknown = 'not asked';
    const second = scrubOf({}, { wait: async () => void (other = await scrubOf({}, {}, 'two').pass()) }, 'one');
    expect(await second.pass()).toMatchObject({ files: 7 });
    expect(other).toBeNull();
  });

  test('OPS-46 what a killed process held is free after ten minutes', async () => {
    let killed = false;
    const dying = scrubOf(
      {},
      {
        wait: () => {
          killed = true;
          return new Promise(() => undefined);
        },
      },
    );
    void dying.pass();
    await expect.poll(() => killed).toBe(true);
    expect(await scrubOf({}, {}, 'two').pass()).toBeNull();
    world.server.time.now += 600_001;
    expect(await scrubOf({}, {}, 'two').pass()).toMatchObject({ files: 7 });
  });
});
