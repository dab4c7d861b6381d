/** Somebody puts a link in the place of a folder while files are moved into it and out of it, again and again. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { NodeFileTree } from '#adapters/node/file-tree.ts';
import { holdPlace } from '#adapters/node/held-folder.ts';

const TRIES = 2000;

/** Swaps `season` for a link to `outside` and back, as fast as it can. */
const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { workerData, parentPort } = require('node:worker_threads');
  const { season, aside, outside } = workerData;
  let over = false;
  parentPort.on('message', () => (over = true));
  const swap = () => {
    for (let at = 0; at < 50; at += 1) {
      renameSync(season, aside);
      symlinkSync(outside, season);
      unlinkSync(season);
      renameSync(aside, season);
    }
    if (over) parentPort.close();
    else setImmediate(swap);
  };
  parentPort.postMessage('begun');
  swap();
`;

async function folders(onTestFinished: (work: () => Promise<void>) => void) {
  const base = await mkdtemp(join(tmpdir(), 'accession-swap-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const at = (...names: string[]): string => join(base, ...names);
  await mkdir(at('root', 'season'), { recursive: true });
  await mkdir(at('outside'));
  return at;
}

test.skipIf(!existsSync('/proc/self/fd'))(
  'PLAN-105 of two thousand moves while a folder is swapped for a link none leads out of the root, and no file is lost',
  async ({ onTestFinished }) => {
    const at = await folders(onTestFinished);
    const tree = await NodeFileTree.open(at('root'));
    const workerData = { season: at('root', 'season'), aside: at('aside'), outside: at('outside') };
    const swapper = new Worker(SWAPPER, { eval: true, workerData });
    await once(swapper, 'message');
    const outcomes = { moved: 0, refused: 0 };
    for (let number = 0; number < TRIES; number += 1) {
      const name = `${number % 2 === 0 ? 'a' : 'b'}${number}.mkv`;
      await writeFile(at('root', name), String(number));
      try {
        await tree.move(name, `season/${name}`);
        outcomes.moved += 1;
      } catch (error) {
        expect(error).toMatchObject({
          failure: { code: expect.stringMatching(/^(conflict|not_found|file_unreadable)$/) },
        });
        outcomes.refused += 1;
      }
    }
    const ended = once(swapper, 'exit');
    swapper.postMessage('over');
    await ended;
    expect(await readdir(at('outside'))).toEqual([]);
    const there = (await readdir(at('root'))).filter((name) => name.endsWith('.mkv'));
    const moved = await readdir(at('root', 'season'));
    expect([...there, ...moved].length).toBe(TRIES);
    expect([moved.length, there.length]).toEqual([outcomes.moved, outcomes.refused]);
    // It was in the middle of it often enough, both ways.
    expect(Math.min(outcomes.moved, outcomes.refused)).toBeGreaterThan(20);
  },
  120_000,
);

test.each([true, false])(
  'PLAN-105 a place is held: through open folders %s; links and what is missing are none',
  async (byFolders) => {
    const undo: (() => Promise<void>)[] = [];
    const at = await folders((work) => void undo.push(work));
    await symlink(at('outside'), at('root', 'link'));
    await writeFile(at('root', 'file'), '');
    for (const names of [
      ['link', 'x'],
      ['ghost', 'x'],
      ['file', 'x'],
      ['season', 'ghost', 'x'],
    ])
      expect(await holdPlace(at('root'), names, byFolders)).toBeNull();
    const held = await holdPlace(at('root'), ['season', 'x'], byFolders);
    expect(await held?.isSame()).toBe(true);
    await rename(at('root', 'season'), at('aside'));
    await symlink(at('outside'), at('root', 'season'));
    await writeFile(held?.path ?? '', 'held');
    const isSame = await held?.isSame();
    await held?.close();
    // Where the system leads on, the folder is the same wherever it is now; elsewhere that it is not is noticed.
    expect([isSame, await readdir(at(byFolders ? 'aside' : 'outside'))]).toEqual([byFolders, ['x']]);
    for (const work of undo) await work();
  },
);

test('PLAN-105 where the system leads through no open folder, a folder that was swapped meanwhile is noticed and the move taken back', async ({
  onTestFinished,
}) => {
  const at = await folders(onTestFinished);
  const tree = await NodeFileTree.open(at('root'), false);
  await writeFile(at('root', 'a.mkv'), 'a');
  const { moveFile } = await import('#adapters/node/move-file.ts');
  const names = { from: at('root', 'a.mkv'), to: at('root', 'season', 'a.mkv') };
  const moved = moveFile(names.from, at('outside', 'a.mkv'), { names, isSame: () => Promise.resolve(false) });
  await expect(moved).rejects.toMatchObject({
    failure: { code: 'conflict', message: expect.stringContaining(names.to) },
  });
  expect([await readdir(at('outside')), (await readdir(at('root'))).includes('a.mkv')]).toEqual([[], true]);
  await tree.move('a.mkv', 'season/a.mkv');
  expect(await readdir(at('root', 'season'))).toEqual(['a.mkv']);
  await unlink(at('root', 'season', 'a.mkv'));
});
