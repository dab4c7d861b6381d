import { expect, test } from 'vitest';
import { importersOfEntries } from '../../../scripts/lib/worker-entries.ts';

const chunk = (isEntry: boolean, imports: string[] = [], dynamicImports: string[] = []) => ({
  ...{ isEntry, imports, dynamicImports },
});

test('JOB-54 a bundle in which a chunk imports the worker itself is found out', () => {
  const shared = { 'pipeline.js': chunk(true, ['shared.js'], ['music.js']), 'music.js': chunk(false, ['shared.js']) };
  expect(importersOfEntries({ ...shared, 'shared.js': chunk(false) })).toEqual([]);
  const back = { 'pipeline.js': chunk(true, [], ['music.js', 'video.js']) };
  expect(
    importersOfEntries({
      ...back,
      'music.js': chunk(false, ['pipeline.js']),
      'video.js': chunk(false, [], ['pipeline.js']),
    }),
  ).toEqual(['music.js', 'video.js']);
});
