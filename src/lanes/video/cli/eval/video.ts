/**
 * `npm run eval -- video [--data DIR] [--json FILE]`: what the reading of video names and folders is worth, on the project's
 * own cases (tests/fixtures/video; `unseen` ones nobody may look at while rules are written) and beside them on those of
 * `DIR`, `names.dev.jsonl` and `folders.dev.jsonl`; by default `../shared/data/video` beside the project
 * (docs/CONTRIBUTING.md, Data), which is left out where it is not there.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mulberry32 } from '#core/mulberry32.ts';
import { noiseFigures } from './name-noise.ts';
import { ownFolderFigures, readOwnFolders } from './own-folders.ts';
import { ownNameFigures, readOwnNames } from './own-names.ts';
import { folderFigures, readLabelledFolders } from './video-folders.ts';
import { nameFigures, readLabelledNames } from './video-names.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== 'video'),
  options: { data: { type: 'string' }, json: { type: 'string' } },
});
const root = join(import.meta.dirname, '../../../../..');
const own = join(root, 'tests/fixtures/video');
const data = resolve(values.data ?? join(root, '../shared/data/video'));

const all: Record<string, number> = {};
for (const [name, file] of [
  ['own', 'names-seen.jsonl'],
  ['unseen', 'names-unseen.jsonl'],
] as const)
  Object.assign(all, ownNameFigures(await readOwnNames(join(own, file)), name));
for (const [name, file] of [
  ['own.folders', 'folders-seen.jsonl'],
  ['unseen.folders', 'folders-unseen.jsonl'],
] as const)
  Object.assign(all, ownFolderFigures(await readOwnFolders(join(own, file)), name));

/** Changes that carry no information, so many of each of the own names of episodes. */
const ROUNDS = 20;
const SEED = 7;
const episodes = (await readOwnNames(join(own, 'names-seen.jsonl'))).filter(({ kind }) => kind === 'episode');
Object.assign(
  all,
  noiseFigures(
    episodes.map(({ path }) => path),
    ROUNDS,
    mulberry32(SEED),
  ),
);

/** Each part of the shared data: the file that it reads, and its figures. */
const PARTS: readonly (readonly [file: string, figures: (file: string) => Promise<Record<string, number>>])[] = [
  ['names.dev.jsonl', async (file) => nameFigures(await readLabelledNames(file))],
  ['folders.dev.jsonl', async (file) => folderFigures(await readLabelledFolders(file))],
];
for (const [name, figures] of PARTS) {
  const file = join(data, name);
  if (existsSync(file)) {
    Object.assign(all, await figures(file));
    continue;
  }
  process.stderr.write(`eval: "${file}" is not there; name the folder of the data: --data DIR.\n`);
  if (values.data !== undefined) process.exitCode = 1;
}
Object.assign(all, together(all));
for (const [name, value] of Object.entries(all))
  process.stdout.write(`${name.padEnd(48)}${Number(value.toFixed(4))}\n`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);

/** `folders.exact` and `folders.wrong` over all files of shared and own folders; the shared ones alone as `shared.folders`. */
function together(figures: Readonly<Record<string, number>>): Record<string, number> {
  const of = (key: string): number => figures[key] ?? 0;
  const sets = ['own.folders', 'unseen.folders'];
  const shared = 'folders.episodes' in figures;
  const episodesOf = [...sets.map((set) => of(`${set}.episodes`)), shared ? of('folders.episodes') : 0];
  const exactOf = [...sets.map((set) => of(`${set}.exact`)), shared ? of('folders.exact') : 0];
  const total = episodesOf.reduce((sum, one) => sum + one, 0);
  const exact = episodesOf.reduce((sum, one, at) => sum + one * (exactOf[at] ?? 0), 0);
  const wrong = sets.reduce((sum, set) => sum + of(`${set}.wrong`) * of(`${set}.offered`), 0);
  const offered = sets.reduce((sum, set) => sum + of(`${set}.offered`), 0);
  const sharedWrong = shared ? of('folders.wrong') * of('folders.episodes') : 0;
  return {
    ...(shared ? { 'shared.folders.exact': of('folders.exact'), 'shared.folders.wrong': of('folders.wrong') } : {}),
    'folders.exact': total === 0 ? 0 : exact / total,
    'folders.wrong': offered === 0 ? 0 : (wrong + sharedWrong) / (offered + (shared ? of('folders.episodes') : 0)),
    'folders.episodes': total,
  };
}
