/**
 * `npm run eval [-- music --cases FILE --catalog FILE] [--seed N --size TRACKS --count CASES] [--quick] [--json FILE] [--diagram FILE]`:
 * what the matcher is worth; `--quick` leaves out the fits on other albums and classes. Without files it makes its own:
 * the demo catalog with a synthetic one, and cases on both.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { contextOf, evidenceOf } from '#lanes/music/cli/match.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { SHIPPED_PROFILE, type CalibrationProfile } from '#lanes/music/core/calibration/profile.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import type { LabelledCase } from './case.types.ts';
import { fitWeights, samplesOf } from './fit.ts';
import { ownSet } from './own.ts';
import { readCases } from './read.ts';
import { reliabilityDiagram, table } from './report.ts';
import { byAlbum, byClass, type Fold } from './folds.ts';
import { count, figures, newScore, type Score } from './score.ts';
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
const { catalog, cases } =
  values.catalog === undefined || values.cases === undefined
    ? ownSet({ seed, tracks: number(values.size, 'size'), cases: number(values.count, 'count') })
    : { catalog: JSON.parse(readFileSync(values.catalog, 'utf8')) as CatalogFile, cases: readCases(values.cases) };
const index = buildCatalogIndex(catalog);

function run(
  batches: readonly LabelledCase[],
  into: Score,
  profile: CalibrationProfile,
  catalogIndex: CatalogIndex,
  vetoes: VetoCounts = new Map(),
): void {
  for (const batch of batches) {
    const request = { files: batch.files.map(evidenceOf), context: contextOf(batch.context) };
    const { files: matches } = matchBatch(request, catalogIndex, profile);
    count(into, batch, matches);
    countVetoes(vetoes, batch, matches);
  }
}

const shipped = newScore();
const before = process.cpuUsage();
const vetoes: VetoCounts = new Map();
run(cases, shipped, SHIPPED_PROFILE, index, vetoes);
const { user, system } = process.cpuUsage(before);
const files = shipped.rows.get('all')?.files ?? 1;

// What a fit is worth on albums, and on kinds of cases, that it has not seen.
const samples = values.quick ? [] : cases.map((batch) => samplesOf(batch, index));
const leftOut = (folds: readonly Fold[]): Score => {
  const score = newScore();
  folds.forEach(({ held, fitted }, fold) => {
    const weights = fitWeights([fitted.flatMap((n) => samples[n] ?? [])]);
    const batches = held.flatMap((n) => cases[n] ?? []);
    run(batches, score, { version: `fold ${fold}`, weights }, index);
  });
  return score;
};
const unseen = values.quick
  ? []
  : [
      {
        prefix: 'cv.',
        what: `left out by album: calibration fitted on other albums, ${ALBUM_PARTS} parts`,
        score: leftOut(byAlbum(cases, (id) => index.albumOfTrack(id), ALBUM_PARTS)),
      },
      {
        prefix: 'class.',
        what: `left out by class: calibration fitted on other kinds of cases, ${CLASS_PARTS} parts`,
        score: leftOut(byClass(cases, CLASS_PARTS)),
      },
    ];

const title = values.cases ?? `own cases, seed ${seed}`;
console.log(`${title}: ${cases.length} cases, ${files} files, catalog of ${catalog.tracks.length} tracks\n`);
console.log(`shipped profile ${SHIPPED_PROFILE.version}\n${table(shipped)}\n`);
console.log(`vetoes: files they alone keep from a wrong approval, and from a right one\n${vetoTable(vetoes)}\n`);
for (const { what, score } of unseen) console.log(`${what}\n${table(score)}\n`);
const all: Record<string, number> = {
  ...figures(shipped),
  ...Object.assign({}, ...unseen.map(({ prefix, score }) => figures(score, prefix))),
  cpu_ms_per_file: (user + system) / 1000 / files,
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
