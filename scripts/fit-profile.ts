/**
 * Fits the calibration profile on labelled cases: `node scripts/fit-profile.ts CATALOG CASES [--write]`.
 *
 * Each case is solved twice: as it is, and with its true albums ruled out, so that every file is one that the catalog
 * does not have. Without such hard negatives a calibration learns that everything is a match. Logistic regression by
 * projected gradient descent: what speaks for a match cannot get a weight against it, and the other way round. Figures
 * are printed from 5-fold cross-validation by case; `--write` puts the fit on all cases into src/core/music/profile.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { contextOf, evidenceOf } from '#cli/match.ts';
import type { CatalogFile } from '#core/music/catalog.ts';
import { decidePair, groupFacts } from '#core/music/decide.ts';
import type { Features } from '#core/music/decide.ts';
import { solveBatch } from '#core/music/match.ts';
import { SHIPPED_PROFILE, predict } from '#core/music/profile.ts';
import { buildCatalogIndex } from '#core/music/search.ts';

interface LabelledCase {
  files: Parameters<typeof evidenceOf>[0][];
  context?: Parameters<typeof contextOf>[0];
  truth: { file_id: string; track_id: string | null; also_ok: string[] }[];
}

interface Sample {
  fold: number;
  features: Features;
  right: boolean;
  vetoed: boolean;
}

const POSITIVE = [
  'title',
  'duration',
  'position',
  'artist',
  'version',
  'trackMargin',
  'albumMargin',
  'meanTotal',
  'matchedShare',
  'nearShare',
  'titlesAgree',
  'size',
  'coverage',
  'album',
];
const [catalogPath, casesPath] = process.argv.slice(2);
if (!catalogPath || !casesPath) throw new Error('usage: fit-profile.ts CATALOG CASES [--write]');
const index = buildCatalogIndex(JSON.parse(readFileSync(catalogPath, 'utf8')) as CatalogFile);
const samples: Sample[] = [];

readFileSync(casesPath, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .forEach((line, number) => {
    const batch = JSON.parse(line) as LabelledCase;
    const truth = new Map<string, Set<string>>(
      batch.truth.map((entry) => [
        entry.file_id,
        new Set([entry.track_id, ...entry.also_ok].filter((id) => id !== null)),
      ]),
    );
    const files = batch.files.map(evidenceOf);
    const present = [
      ...new Set([...truth.values()].flatMap((ids) => [...ids].map((id) => index.albumOfTrack(id) ?? ''))),
    ];
    for (const absent of [false, true]) {
      if (absent && present.length === 0) continue;
      const context = contextOf(batch.context);
      if (absent) context.rejectedAlbums = [{ file_ids: files.map((file) => file.file_id), album_ids: present }];
      for (const group of solveBatch({ files, context }, index).groups) {
        const fit = group.fits[0];
        if (!fit) continue;
        const facts = groupFacts(group.files, group.fits, group.unitFiles);
        group.files.forEach((file, row) => {
          const column = fit.given[row] ?? -1;
          const pair = fit.pairs[row]?.[column];
          const track = fit.album.tracks[column];
          if (!pair || !track) return;
          // The same recording on another release is no mistake that these numbers could know.
          if (absent && (pair.similarity ?? 0) >= 0.8 && Math.abs(pair.off ?? 0) <= 3) return;
          const decision = decidePair(file, fit, row, column, facts, SHIPPED_PROFILE);
          const right = !absent && (truth.get(file.evidence.file_id)?.has(track.track.id) ?? false);
          samples.push({ fold: number % 5, features: decision.features, right, vetoed: decision.vetoes.length > 0 });
        });
      }
    }
  });

const names = [...new Set(samples.flatMap((sample) => Object.keys(sample.features)))].sort();

function fit(train: readonly Sample[]): Record<string, number> {
  const rows = train.map((sample) => names.map((name) => sample.features[name] ?? 0));
  const weights = names.map(() => 0);
  const moment = names.map(() => 0);
  const scale = names.map(() => 0);
  const penalty = 0.0006;
  for (let step = 1; step <= 1500; step++) {
    const gradient = names.map((name, k) => (name === 'bias' ? 0 : penalty * (weights[k] ?? 0)));
    rows.forEach((row, i) => {
      let sum = 0;
      for (let k = 0; k < row.length; k++) sum += (weights[k] ?? 0) * (row[k] ?? 0);
      const error = (1 / (1 + Math.exp(-sum)) - (train[i]?.right ? 1 : 0)) / rows.length;
      for (let k = 0; k < row.length; k++) gradient[k] = (gradient[k] ?? 0) + error * (row[k] ?? 0);
    });
    for (let k = 0; k < weights.length; k++) {
      const g = gradient[k] ?? 0;
      moment[k] = 0.9 * (moment[k] ?? 0) + 0.1 * g;
      scale[k] = 0.999 * (scale[k] ?? 0) + 0.001 * g * g;
      const moved =
        (weights[k] ?? 0) -
        (0.03 * (moment[k] ?? 0)) / (1 - 0.9 ** step) / (Math.sqrt((scale[k] ?? 0) / (1 - 0.999 ** step)) + 1e-8);
      const name = names[k] ?? '';
      weights[k] = POSITIVE.includes(name) ? Math.max(0, moved) : name.startsWith('veto_') ? Math.min(0, moved) : moved;
    }
  }
  return Object.fromEntries(names.map((name, k) => [name, Math.round((weights[k] ?? 0) * 1000) / 1000]));
}

/** Coverage and precision of what would be committed, and the calibration error over ten bins. */
function report(label: string, rated: readonly { p: number; sample: Sample }[]): void {
  const bins = Array.from({ length: 10 }, () => ({ n: 0, right: 0, p: 0 }));
  let committed = 0;
  let wrong = 0;
  for (const { p, sample } of rated) {
    const bin = bins[Math.min(9, Math.floor(p * 10))];
    if (bin) {
      bin.n++;
      bin.right += sample.right ? 1 : 0;
      bin.p += p;
    }
    if (p > 0.9 && !sample.vetoed) {
      committed++;
      if (!sample.right) wrong++;
    }
  }
  const ece = bins.reduce((sum, bin) => sum + Math.abs(bin.right - bin.p), 0) / rated.length;
  const free = rated.filter(({ sample }) => sample.right && !sample.vetoed).length;
  console.log(
    `${label}: ${rated.length} pairs, committed ${committed}, wrong ${wrong}, of right unvetoed pairs ${((100 * (committed - wrong)) / free).toFixed(2)} %, ECE ${ece.toFixed(4)}`,
  );
  console.log('  ', bins.map((bin, i) => `${i / 10}: ${bin.right}/${bin.n}`).join('  '));
}

const crossed: { p: number; sample: Sample }[] = [];
for (let fold = 0; fold < 5; fold++) {
  const weights = fit(samples.filter((sample) => sample.fold !== fold));
  for (const sample of samples)
    if (sample.fold === fold) crossed.push({ p: predict({ version: '', weights }, sample.features), sample });
}
report('cross-validated', crossed);
const weights = fit(samples);
report(
  'on all',
  samples.map((sample) => ({ p: predict({ version: '', weights }, sample.features), sample })),
);
console.log(weights);
if (process.argv.includes('--write')) {
  const path = 'src/core/music/profile.ts';
  const source = readFileSync(path, 'utf8');
  const listed = Object.entries(weights)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `    ${name}: ${value},`)
    .join('\n');
  writeFileSync(
    path,
    source.replace(
      /version: '[^']*',\n {2}weights: \{[^}]*\}/,
      `version: '${new Date().toISOString().slice(0, 10)}.1',\n  weights: {\n${listed}\n  }`,
    ),
  );
}
