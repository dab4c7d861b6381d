/**
 * `npm run eval [-- music --cases FILE --catalog FILE] [--seed N --size TRACKS --count CASES] [--quick] [--json FILE] [--diagram FILE]`:
 * what the matcher is worth; `--quick` leaves out the fits on other albums and classes. Without files it makes its own:
 * the demo catalog with a synthetic one, and cases on both.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SHIPPED_PROFILE, type CalibrationProfile } from '#lanes/music/core/calibration/profile.ts';
import { albumOf, byAlbum, byClass, type Fold } from './folds.ts';
import { reliabilityDiagram, table } from './report.ts';
import { shyness } from './shy.ts';
import { count, figures, newScore, type Score } from './score.ts';
import type { CaseAnswer, MusicAnswer, MusicTask } from './threads/music.types.ts';
import { startPool } from './threads/pool.ts';
import { openSet, type SetSource } from './threads/set.ts';
import { countVetoes, vetoTable, type VetoCounts } from './vetoes.ts';

/** Parts of the leave-outs by album and by class. */
const ALBUM_PARTS = 5;
const CLASS_PARTS = 8;

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string' },
    catalog: { type: 'string' },
    seed: { type: 'string', default: '1' },
    size: { type: 'string', default: '25000' },
    count: { type: 'string', default: '800' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    diagram: { type: 'string', default: '.cache/eval/reliability.svg' },
  },
});
if ((values.cases === undefined) !== (values.catalog === undefined))
  throw new Error('Give both --cases and --catalog, or neither.');

const number = (text: string, name: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number, not "${text}".`);
  return value;
};
const seed = number(values.seed, 'seed');
const source: SetSource =
  values.catalog === undefined || values.cases === undefined
    ? { seed, tracks: number(values.size, 'size'), cases: number(values.count, 'count') }
    : { catalog: values.catalog, cases: values.cases };
const { catalog, cases } = openSet(source);
const pool = startPool<MusicTask, MusicAnswer>(new URL('threads/music.thread.ts', import.meta.url), source);

// As it is shipped, and what there is to learn from each case.
const first = await decide(() => [SHIPPED_PROFILE], !values.quick);
const shipped = newScore();
const vetoes: VetoCounts = new Map();
cases.forEach((batch, at) => {
  const matches = first[at]?.decided[0] ?? [];
  count(shipped, batch, matches);
  countVetoes(vetoes, batch, matches);
});
const files = shipped.rows.get('all')?.files ?? 1;
const shy = shyness(
  cases,
  first.map(({ decided }) => decided[0] ?? []),
);
const cpu = first.reduce((sum, one) => sum + one.cpu, 0);

// What a fit is worth on albums, and on kinds of cases, that it has not seen.
const LEFT_OUT = [
  {
    prefix: 'cv.',
    what: `left out by album: calibration fitted on other albums, ${ALBUM_PARTS} parts`,
    folds: (): Fold[] => byAlbum(cases, albumOf(catalog), ALBUM_PARTS),
  },
  {
    prefix: 'class.',
    what: `left out by class: calibration fitted on other kinds of cases, ${CLASS_PARTS} parts`,
    folds: (): Fold[] => byClass(cases, CLASS_PARTS),
  },
];
const unseen: { prefix: string; what: string; score: Score; profiles: CalibrationProfile[] }[] = [];
for (const { prefix, what, folds } of values.quick ? [] : LEFT_OUT)
  unseen.push({ prefix, what, score: newScore(), profiles: await profilesOf(folds()) });
const second = values.quick ? [] : await decide((at) => unseen.flatMap(({ profiles }) => profiles[at] ?? []), false);
await pool.close();
cases.forEach((batch, at) => {
  unseen.forEach(({ score }, n) => count(score, batch, second[at]?.decided[n] ?? []));
});

async function decide(profiles: (at: number) => CalibrationProfile[], samples: boolean): Promise<CaseAnswer[]> {
  const tasks = cases.map((_, at) => ({ number: at, profiles: profiles(at), samples }));
  return (await pool.run(tasks)).flatMap((answer) => ('decided' in answer ? [answer] : []));
}

/** For each case a profile that was fitted without it and what is like it. */
async function profilesOf(folds: readonly Fold[]): Promise<CalibrationProfile[]> {
  const fits = await pool.run(folds.map(({ fitted }) => ({ fit: fitted.flatMap((n) => first[n]?.samples ?? []) })));
  const profiles: CalibrationProfile[] = [];
  folds.forEach(({ held }, fold) => {
    const fit = fits[fold];
    for (const n of held)
      profiles[n] = { version: `fold ${fold}`, weights: fit && 'weights' in fit ? fit.weights : {} };
  });
  return profiles;
}

const title = values.cases ?? `own cases, seed ${seed}`;
console.log(`${title}: ${cases.length} cases, ${files} files, catalog of ${catalog.tracks.length} tracks\n`);
console.log(`shipped profile ${SHIPPED_PROFILE.version}\n${table(shipped)}\n`);
console.log(`vetoes: files they alone keep from a wrong approval, and from a right one\n${vetoTable(vetoes)}\n`);
for (const { what, score } of unseen) console.log(`${what}\n${table(score)}\n`);
const all: Record<string, number> = {
  ...figures(shipped),
  ...Object.assign({}, ...unseen.map(({ prefix, score }) => figures(score, prefix))),
  ...{ 'shy.files': shy.files, 'shy.right': shy.right },
  cpu_ms_per_file: cpu / files,
};
for (const [kind, counts] of vetoes)
  for (const [what, value] of Object.entries(counts)) all[`veto.${kind}.${what}`] = value;
for (const [name, value] of Object.entries(all)) console.log(`${name.padEnd(28)}${Number(value.toFixed(4))}`);
console.log('confidence  right/files');
shipped.bins.forEach((bin, n) =>
  console.log(`${(n / 10).toFixed(1)} to ${((n + 1) / 10).toFixed(1)}  ${bin.right}/${bin.files}`),
);

const diagram = resolve(values.diagram);
mkdirSync(dirname(diagram), { recursive: true });
writeFileSync(diagram, reliabilityDiagram(shipped.bins, title));
console.log(`reliability diagram: ${diagram}`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);
