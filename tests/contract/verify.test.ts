/** `accession verify`: damage of every kind is named, and mended where that can be. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChangesPage } from '#lanes/music/core/catalog.ts';
import { formerPath } from '#lanes/music/server/publish/place.ts';
import { bytesOf, damageWorld, type DamageWorld } from '../fixtures/damage/world.ts';
import { KINDS } from '../fixtures/damage/kinds.ts';
import { runProgram } from '../fixtures/program.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { testDatabase } from '../fixtures/test-store.ts';

let world: DamageWorld;
beforeEach(async () => {
  world = await damageWorld();
});
afterEach(() => world.end());

/** The same places every time; `npm run soak -- storage` draws others. */
const dice = (): number => 0.37;

onBothStores('verify', () => {
  test('OPS-42 nothing is found where nothing is wrong', async () => {
    expect(await world.verify()).toMatchObject({ files: 7, findings: [] });
    expect(await world.servedWrong()).toEqual([]);
  });

  test.each(KINDS.map((kind) => [kind.name, kind] as const))(
    'OPS-42, OPS-43 %s: it is named, never served as if it were right, and mended from the backup or let go',
    async (_name, kind) => {
      const name = await kind.inject(world, dice);
      expect(await world.servedWrong()).toEqual([]);
      const { findings } = await world.verify();
      expect(findings.map((one) => one.name)).toContain(name);
      for (const { wrong, remedy } of findings) expect([wrong, remedy].join()).not.toMatch(/undefined|Error/);
      const mended = await world.verify({ repair: true, backup: true });
      const left = (await world.verify()).findings.map((one) => one.name);
      // A backup is made anew by the operator, who also decides what becomes of a stray file.
      const others = mended.findings.filter(({ outcome }) => outcome === 'left').map((one) => one.name);
      expect(left.filter((one) => one !== 'backup' && !others.includes(one))).toEqual([]);
      expect(await world.servedWrong()).toEqual([]);
    },
  );

  test('OPS-43 damaged audio is mended from a track that has the very same, and the damaged file is kept', async () => {
    const { present } = world.paths;
    const was = await bytesOf(world, present.tr_h1);
    await writeFile(join(world.server.data, present.tr_h1), 'not audio');
    const { findings } = await world.verify({ repair: true });
    expect(findings).toEqual([
      {
        ...{ name: present.tr_h1, wrong: 'has another length than the catalog says', outcome: 'mended' },
        remedy: `Mended from ${present.tr_a1}.`,
      },
    ]);
    expect(await bytesOf(world, present.tr_h1)).toEqual(was);
    const apart = await readdir(join(world.server.data, 'media-damaged'), { recursive: true, withFileTypes: true });
    expect(apart.filter((entry) => entry.isFile())).toHaveLength(1);
    expect(await readdir(join(world.server.data, 'uploads'))).toEqual([]);
  });

  test('OPS-73 where a database went back alone, audio that was taken out since is whole, also where another file has its name', async () => {
    const { server, paths, right } = world;
    const present = join(server.data, paths.present.tr_h2);
    const was = await bytesOf(world, paths.present.tr_h2);
    const former = formerPath(
      present.replace(/([\\/])media([\\/])/, '$1media-former$2'),
      right.get('tr_h2')?.sha256 ?? '',
    );
    await mkdir(dirname(former), { recursive: true });
    await rename(present, former);
    expect((await world.verify()).findings).toEqual([]);
    await writeFile(present, 'other audio');
    expect((await world.verify({ repair: true })).findings).toMatchObject([
      { name: paths.present.tr_h2, outcome: 'mended', remedy: expect.stringContaining('media-former') as string },
    ]);
    expect(await bytesOf(world, paths.present.tr_h2)).toEqual(was);
    const apart = await readdir(join(server.data, 'media-damaged'), { recursive: true, withFileTypes: true });
    expect(apart.filter((entry) => entry.isFile())).toHaveLength(1);
    expect(await world.servedWrong()).toEqual([]);
  });

  test('OPS-44 what nobody here has is asked for again: the feed says which audio was lost, and a request waits', async () => {
    const { server, paths, right } = world;
    const file = right.get('tr_h2');
    await rm(join(server.data, paths.present.tr_h2));
    const before = (await server.api<ChangesPage>('GET', '/v1/catalog/changes?limit=500')).body.next_cursor;
    const { findings } = await world.verify({ repair: true });
    expect(findings).toMatchObject([{ name: paths.present.tr_h2, outcome: 'asked' }]);
    const { items } = (await server.api<ChangesPage>('GET', `/v1/catalog/changes?cursor=${before}`)).body;
    expect(items.find(({ id }) => id === 'tr_h2')?.record).toMatchObject({
      availability: 'missing',
      lost_sha256: file?.sha256,
    });
    const wanted = await server.api<{ items: object[] }>('GET', '/v1/download-requests?status=pending');
    expect(wanted.body.items).toMatchObject([{ track_id: 'tr_h2' }]);
    expect((await server.raw('GET', '/v1/catalog/tracks/tr_h2/audio')).status).toBe(404);
    expect((await world.verify()).findings).toEqual([]);
  });

  test('OPS-44 where all audio is gone at once nothing is given up: its disk is not there', async () => {
    const { server, paths } = world;
    await rm(join(server.data, 'media'), { recursive: true });
    await rm(join(server.data, paths.former));
    const { findings } = await world.verify({ repair: true });
    expect(findings.map(({ outcome }) => outcome)).toEqual(['left', 'left', 'left', 'left', 'left']);
    expect(findings[0]?.remedy).toContain('mount the disk');
    expect((await server.api<{ availability: string }>('GET', '/v1/catalog/tracks/tr_h1')).body.availability).toBe(
      'available',
    );
  });

  test('OPS-45 the command names each fault in a line or as JSON, and its exit code tells', async () => {
    const { server, paths, backupFile } = world;
    const url = await testDatabase(server.data);
    const env = { ACCESSION_DATA: server.data, ...(url === null ? {} : { DATABASE_URL: url }) };
    await writeFile(join(server.data, paths.present.tr_h2), 'not audio');
    const run = async (...args: string[]): Promise<{ code: number | null; out: string; err: string }> => {
      const program = await runProgram('cli/main.ts', ['verify', ...args], env);
      return { code: await program.exited, out: program.stdout(), err: program.stderr() };
    };
    const seen = await run();
    expect([seen.code, seen.err]).toEqual([1, '']);
    expect(seen.out).toMatch(
      `${paths.present.tr_h2} has another length than the catalog says. accession verify --repair`,
    );
    const mended = await run('--repair', '--backup', backupFile);
    expect([mended.code, mended.out]).toEqual([0, expect.stringContaining(`Mended from ${backupFile}.`)]);
    const json = await run('--json');
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, files: 7, findings: [] });
    expect(json.code).toBe(0);
  });

  test('OPS-45 a broken backup is found by the command, named with what to do, and none is put back from', async () => {
    const { server, backupFile } = world;
    const url = await testDatabase(server.data);
    const env = { ACCESSION_DATA: server.data, ...(url === null ? {} : { DATABASE_URL: url }) };
    await truncate(backupFile, (await stat(backupFile)).size - 3000);
    const seen = await runProgram('cli/main.ts', ['verify', '--backup', backupFile], env);
    expect([await seen.exited, seen.stderr()]).toEqual([1, '']);
    const lines = seen.stdout().split('\n');
    expect(lines.filter((line) => line.includes(backupFile))).toEqual([
      expect.stringMatching(/write (?:it|a new one|another)|again|new backup|anew/i),
    ]);
    expect(seen.stdout()).not.toMatch(/\n\s+at /);

    const empty = join(server.data, 'empty');
    const put = await runProgram('cli/main.ts', ['restore', '--from', backupFile], { ACCESSION_DATA: empty });
    expect(await put.exited).toBe(1);
    expect(put.stderr().trim().split('\n')).toHaveLength(1);
    expect(put.stderr()).toContain(backupFile);
    expect(existsSync(join(empty, 'media'))).toBe(false);
  });
});

describe('the kinds of damage', () => {
  test('OPS-43 there are twenty and more', () => {
    expect(new Set(KINDS.map(({ name }) => name)).size).toBeGreaterThan(20);
  });
});
