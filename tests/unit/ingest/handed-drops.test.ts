import { expect, test } from 'vitest';
import type { DroppedFile } from '#adapters/browser/api.ts';
import { handedDrops } from '#adapters/browser/stage/handed-drops.ts';
import { ok } from '#core/result.ts';

const file = (path: string): DroppedFile => ({ path, file: new File([], path) });
const CONTEXT = { type: 'SPONTANEOUS', id: null } as const;

test('STAGE-96 a drop of many files comes in parts and is staged once, whole and in its order; another beside it is its own', async () => {
  const staged: string[][] = [];
  const { hand, stageHanded } = handedDrops(async (files, _context, label) => {
    staged.push([label ?? '', ...files.map(({ path }) => path)]);
    return ok({ batch_id: 'b' });
  });
  await hand('one', [file('1'), file('2')]);
  await hand('two', [file('a')]);
  await hand('one', [file('3')]);
  expect(staged).toEqual([]);
  expect(await stageHanded('one', CONTEXT, 'Drop')).toEqual(ok({ batch_id: 'b' }));
  await stageHanded('two', CONTEXT);
  expect(staged).toEqual([
    ['Drop', '1', '2', '3'],
    ['', 'a'],
  ]);
  // Staged, it is known no more.
  await stageHanded('one', CONTEXT);
  expect(staged.at(-1)).toEqual(['']);
});
