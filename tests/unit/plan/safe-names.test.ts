import { expect, test } from 'vitest';
import { validateRename } from '#core/plan/validate-rename.ts';
import { LINUX } from '../../fixtures/rename-cases.ts';

const said = (to: string) =>
  validateRename(
    { id: 'p', mediaFolderPath: '/tv', files: [{ from: '/tv/a.mkv', to: `/tv/${to}` }] },
    [{ path: 'a.mkv', kind: 'file', size: 1, modified: 1 }],
    LINUX,
  ).problems.map(({ message }) => message);

test.each([
  [
    'Show: Part 2.mkv',
    'The name "Show: Part 2.mkv" has : in it, which Windows refuses; "Show - Part 2.mkv" is a name that every system takes.',
  ],
  [
    'What?.mkv',
    'The name "What?.mkv" has ? in it, which Windows refuses; "What.mkv" is a name that every system takes.',
  ],
  ['con.mkv', 'The name "con.mkv" is reserved by Windows; "con_.mkv" is a name that every system takes.'],
  ['???.mkv', 'The name "???.mkv" has ? in it, which Windows refuses.'],
  ['a.mp4', '"a.mkv" would lose its ending ".mkv": "a.mkv" keeps it.'],
])('PLAN-89 %s is refused with a safe name beside it', (to, sentence) => {
  expect(said(to)).toEqual([sentence]);
});

test.each(['Show - Part 2.mkv', 'a.MKV', 'Season 01/b.mkv'])('PLAN-89 %s is no problem', (to) => {
  expect(said(to)).toEqual([]);
});
