import { expect, test } from 'vitest';
import { leftOut, recognizedFiles } from '#lanes/video/core/plan-kinds.ts';
import { file } from '../ui/video/rows.ts';

test('VIDEO-80, VIDEO-111 the surest of one episode is offered, among equals the largest; what is too unsure is left out', () => {
  const files = [
    file('a.mkv', { confidence: 0.8 }),
    file('b.mkv', { confidence: 0.8 }),
    file('c.mkv', { confidence: 0.9, episodes: [2] }),
    file('d.mkv', { confidence: 0.7, episodes: [2] }),
    file('e.mkv', { confidence: 0.3, episodes: [3] }),
    file('f.mkv', { season: null, episodes: [] }),
  ];
  const duplicates = [
    { season: 1, episode: 1, paths: ['a.mkv', 'b.mkv'] },
    { season: 1, episode: 2, paths: ['c.mkv', 'd.mkv'] },
  ];
  const out = leftOut({ files, duplicates }, new Map([['b.mkv', 2]]));
  expect([...out.keys()].sort()).toEqual(['a.mkv', 'd.mkv', 'e.mkv', 'f.mkv']);
  expect(out.get('a.mkv')).toContain('"b.mkv"');
});

test('VIDEO-80 a file of several episodes has an entry for each', () => {
  const files = [file('a.mkv', { episodes: [1, 2] }), file('x.srt', { class: 'companion' })];
  expect(recognizedFiles(files, '/Show')).toEqual([
    { season: 1, episode: 1, path: '/Show/a.mkv' },
    { season: 1, episode: 2, path: '/Show/a.mkv' },
  ]);
});
