import { expect, test } from 'vitest';
import { workerGroups } from '../../../scripts/lib/chunks.ts';

/** The file that a module stands in: the group of the highest priority that names it. */
const fileOf = (module: string): string | undefined =>
  workerGroups.filter(({ test: names }) => names.test(module)).toSorted((a, b) => b.priority - a.priority)[0]?.name;

test('JOB-65 what makes an example, and what reads an archive, is in no file with what works on jobs', () => {
  const of = (name: string): string => `/app/src/lanes/music/browser/${name}.ts`;
  expect(fileOf(of('example-album'))).toBe('example');
  expect(fileOf(of('open-music'))).toBe('open');
  expect(fileOf('C:\\app\\src\\lanes\\music\\browser\\example-album.ts')).toBe('example');
  for (const shared of ['/app/node_modules/@zip.js/zip.js/lib/zip-core.js', '/app/src/adapters/media/paged-blob.ts'])
    expect(fileOf(shared)).toBe('lanes');
  const priority = (name: string): number => workerGroups.find((group) => group.name === name)?.priority ?? 0;
  expect(priority('example')).toBeGreaterThan(priority('open'));
});
