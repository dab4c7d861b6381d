/**
 * Fits the calibration profile on labelled cases.
 *
 * Each case is solved twice: as it is, and with its true albums ruled out, so that every file is one that the catalog
 * does not have. Without such hard negatives a calibration learns that everything is a match. Logistic regression by
 * projected gradient descent (Adam): what speaks for a match cannot get a weight against it, and the other way round.
 */
import { contextOf, evidenceOf } from '#lanes/music/cli/match.ts';
import { decidePair, type Features } from '#lanes/music/core/match/decide.ts';
import { groupFacts } from '#lanes/music/core/match/group-facts.ts';
import { solveBatch, type SolvedBatch } from '#lanes/music/core/match/match.ts';
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import type { LabelledCase } from './case.types.ts';

export interface Sample {
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

/** Few as the set's wrong pairs of a likely title may be, a title or a place that agrees is never worth nothing. */
const LEAST: Readonly<Record<string, number>> = { title: 0.3, position: 0.2 };

/**
 * What a case teaches: each file's best pair, once with its album in the catalog and once without. `asIs`: the case solved
 * with its album, where that was done before.
 */
export function samplesOf(
  batch: Pick<LabelledCase, 'files' | 'context' | 'truth'>,
  index: CatalogIndex,
  asIs?: SolvedBatch,
): Sample[] {
  const samples: Sample[] = [];
  const truth = new Map<string, Set<string>>(
    batch.truth.map((entry) => [
      entry.file_id,
      new Set([entry.track_id, ...entry.also_ok].filter((id) => id !== null)),
    ]),
  );
  const files = batch.files.map(evidenceOf);
  const albums = [...truth.values()].flatMap((ids) => [...ids].map((id) => index.albumOfTrack(id) ?? ''));
  const present = [...new Set(albums)];
  for (const absent of [false, true]) {
    if (absent && present.length === 0) continue;
    const context = contextOf(batch.context);
    if (absent) context.rejectedAlbums = [{ file_ids: files.map((file) => file.file_id), album_ids: present }];
    const solved = absent ? undefined : asIs;
    for (const group of (solved ?? solveBatch({ files, context }, index)).groups) {
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
        samples.push({ features: decision.features, right, vetoed: decision.vetoes.length > 0 });
      });
    }
  }
  return samples;
}

const STEPS = 1500;
/** Of large weights. */
const PENALTY = 0.0002;

/** Weights by feature, to three decimals. Each set counts as much as any other, however many samples it has. */
export function fitWeights(sets: readonly (readonly Sample[])[]): Record<string, number> {
  const train = sets.flat();
  const counts = Float64Array.from(sets.flatMap((set) => set.map(() => 1 / (sets.length * set.length))));
  const rights = Float64Array.from(train, ({ right }) => Number(right));
  const names = [...new Set(train.flatMap((sample) => Object.keys(sample.features)))].sort();
  const width = names.length;
  const values = new Float64Array(train.length * width);
  train.forEach(({ features }, i) => names.forEach((name, k) => (values[i * width + k] = features[name] ?? 0)));
  const least = names.map((name) => (POSITIVE.includes(name) ? (LEAST[name] ?? 0) : -Infinity));
  const most = names.map((name) => (name.startsWith('veto_') ? 0 : Infinity));
  const decay = names.map((name) => (name === 'bias' ? 0 : PENALTY));
  const [weights, gradient] = [new Float64Array(width), new Float64Array(width)];
  const [moment, scale] = [new Float64Array(width), new Float64Array(width)];
  // The arrays have as many numbers as is counted to.
  const at = (list: Float64Array | readonly number[], k: number): number => list[k] as number;
  for (let step = 1; step <= STEPS; step++) {
    for (let k = 0; k < width; k++) gradient[k] = at(decay, k) * at(weights, k);
    for (let i = 0, from = 0; i < train.length; i++, from += width) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += at(weights, k) * at(values, from + k);
      const error = (1 / (1 + Math.exp(-sum)) - at(rights, i)) * at(counts, i);
      for (let k = 0; k < width; k++) gradient[k] = at(gradient, k) + error * at(values, from + k);
    }
    for (let k = 0; k < width; k++) {
      const g = at(gradient, k);
      moment[k] = 0.9 * at(moment, k) + 0.1 * g;
      scale[k] = 0.999 * at(scale, k) + 0.001 * g * g;
      const spread = Math.sqrt(at(scale, k) / (1 - 0.999 ** step)) + 1e-8;
      const moved = at(weights, k) - (0.03 * at(moment, k)) / (1 - 0.9 ** step) / spread;
      weights[k] = Math.min(at(most, k), Math.max(at(least, k), moved));
    }
  }
  return Object.fromEntries(names.map((name, k) => [name, Math.round(at(weights, k) * 1000) / 1000]));
}
