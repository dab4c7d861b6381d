/** agent-eval's work: the doubtful files, what each answerer makes of them, and what hostile text changes about it. */
import { setImmediate as eventLoop } from 'node:timers/promises';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { alwaysFirst, random, rulesOnly } from './baselines.ts';
import { cachedMatcher, type Matcher, runCase, type Asker } from './run-case.ts';
import type { EvalCase, Truth } from './cases.ts';
import { catalogTexts, type CatalogTexts } from './catalog-texts.ts';
import { readMade, takeMade, type Made } from './made.ts';
import { isBenign, payloadsOf, placePayload, type HostileRow } from './hostile.ts';
import { addFlips, countFlips, figuresOf, type Figures, type FlipCount, type RunOutcome } from './metrics.ts';

export interface EvaluateOptions {
  index: CatalogIndex;
  cases: readonly EvalCase[];
  asker: Asker;
  /** The same, with a catalog that says these texts. */
  askerOver: (texts: CatalogTexts) => Asker;
  /** null: flips are not measured. */
  hostile: readonly HostileRow[] | null;
  /** Doubtful files at most; cases are taken whole until they are reached. */
  limit: number | null;
  seed: number;
  threshold: number;
  /** Ends the work after the case at hand; the figures are of what was done until then. */
  stopped: () => boolean;
  progress: (line: string) => void;
}

export const CONTENDERS = ['model', 'rules_only', 'always_first', 'random'] as const;
export type Contender = (typeof CONTENDERS)[number];

function perContender<T>(of: (who: Contender) => T): Record<Contender, T> {
  return {
    ...{ model: of('model'), rules_only: of('rules_only') },
    ...{ always_first: of('always_first'), random: of('random') },
  };
}

export interface Standing {
  figures: Figures;
  /** null: not measured. */
  flips: FlipCount | null;
}

export interface Evaluation {
  /** Files in the cases that were evaluated, and the doubtful ones among them. */
  files: number;
  doubtful: number;
  /** Wrong among those that the matcher approved with nobody asked. */
  wrong_by_rules: number;
  standings: Record<Contender, Standing>;
  hostile: HostileCount | null;
  /** It was stopped before everything was done. */
  cut: boolean;
}

export interface HostileCount {
  rows: number;
  /** Ids of rows whose surface nothing reads yet. */
  waiting: string[];
  /** Pairs of row and file where the way in refuses the name. */
  refused: number;
  /** Rows that mean no harm. */
  benign: number;
  /** Rows that changed a decision of the model's run. */
  flipped: string[];
  /** EVAL-3 in the model's runs with a hostile text. */
  wrong: number;
}

interface Doubtful {
  one: EvalCase;
  files: ReadonlySet<string>;
}

interface Work extends EvaluateOptions {
  match: Matcher;
}

export async function evaluate(given: EvaluateOptions): Promise<Evaluation> {
  const options: Work = { ...given, match: cachedMatcher(given.index) };
  const { cases, seed, stopped } = options;
  const found = await findDoubtful(options);
  const ids = new Set(found.doubtful.flatMap(({ files }) => [...files]));
  const askers = { model: options.asker, rules_only: rulesOnly(), always_first: alwaysFirst(), random: random(seed) };
  const clean = await runAll(found.doubtful, askers, options, (at, of) => `asking: case ${at} of ${of}`);
  // Cut in the middle: the figures are of the files that everybody was asked about.
  const done = new Set(clean.model.files.filter((file) => ids.has(file.file_id)).map((file) => file.file_id));
  const hostile =
    options.hostile === null ? null : await runHostile(options.hostile, found.doubtful, askers, clean, options);
  const truth = new Map(cases.flatMap((one) => [...one.truth]));
  const truthOf = (id: string): Truth => truth.get(id) ?? [];
  const albumOf = (id: string): string | null => options.index.albumOfTrack(id);
  return {
    files: found.files,
    doubtful: done.size,
    wrong_by_rules: found.wrong,
    standings: perContender((who) => ({
      figures: figuresOf(clean[who], done, truthOf, albumOf),
      flips: hostile?.flips[who] ?? null,
    })),
    hostile: hostile?.count ?? null,
    cut: stopped(),
  };
}

/** The matcher by itself; what it does not approve is doubtful. */
async function findDoubtful(options: Work): Promise<{ doubtful: Doubtful[]; files: number; wrong: number }> {
  const doubtful: Doubtful[] = [];
  let [files, wrong, taken] = [0, 0, 0];
  for (const [at, one] of options.cases.entries()) {
    // Nothing here waits for anything outside: without this, Ctrl-C would count only at the end.
    await eventLoop();
    if (options.stopped() || (options.limit !== null && taken >= options.limit)) break;
    options.progress(`matching: case ${at + 1} of ${options.cases.length}`);
    const outcome = await runCase(one, { ...options, asker: null });
    files += outcome.files.length;
    const open = outcome.files.filter((file) => file.decision === 'review').map((file) => file.file_id);
    const allowed = (id: string): Truth => one.truth.get(id) ?? [];
    wrong += figuresOf(outcome, new Set(), allowed, () => null).wrong_auto_approvals;
    if (open.length === 0) continue;
    const room = options.limit === null ? open.length : options.limit - taken;
    doubtful.push({ one, files: new Set(open.slice(0, room)) });
    taken += Math.min(open.length, room);
  }
  return { doubtful, files, wrong };
}

type Runs = Record<Contender, RunOutcome>;

const nothing = (): RunOutcome => ({ files: [], spent: { calls: 0, tokens: 0 } });

async function runAll(
  doubtful: readonly Doubtful[],
  askers: Record<Contender, Asker>,
  options: Work,
  said: (at: number, of: number) => string,
): Promise<Runs> {
  const runs = perContender(nothing);
  for (const [at, { one }] of doubtful.entries()) {
    await eventLoop();
    if (options.stopped()) break;
    options.progress(said(at + 1, doubtful.length));
    const outcomes: Partial<Runs> = {};
    for (const who of CONTENDERS) outcomes[who] = await runCase(one, { ...options, asker: askers[who] });
    // A stop in the middle of a case makes its answers failures; they are no answers of the model.
    if (options.stopped()) break;
    for (const who of CONTENDERS) append(runs[who], outcomes[who] ?? nothing());
  }
  return runs;
}

function append(run: RunOutcome, more: RunOutcome): void {
  run.files.push(...more.files);
  run.spent.calls += more.spent.calls;
  run.spent.tokens += more.spent.tokens;
}

/** EVAL-4: every row in every doubtful file, against the same files without it. */
async function runHostile(
  rows: readonly HostileRow[],
  doubtful: readonly Doubtful[],
  askers: Record<Contender, Asker>,
  clean: Runs,
  options: Work,
): Promise<{ flips: Record<Contender, FlipCount>; count: HostileCount }> {
  const none: FlipCount = { pairs: 0, decisions: 0, answers: 0 };
  const flips = perContender(() => none);
  const count: HostileCount = { rows: 0, waiting: [], refused: 0, benign: 0, flipped: [], wrong: 0 };
  for (const [at, row] of rows.entries()) {
    if (options.stopped()) break;
    const archive = archiveOf(row);
    if (archive !== null) {
      // What comes of it is the same for every case: nothing of it is among the files, or it says why not.
      options.progress(`hostile: row ${at + 1} of ${rows.length} (${row.id}), an archive`);
      count.rows += 1;
      if ((await takeMade(archive)) !== null) count.refused += 1;
      continue;
    }
    const texts = catalogTexts(row.surface, payloadsOf(row)[0] ?? '');
    const placed = doubtful.map(({ one, files }): Poisoned =>
      texts === null ? poison(row, one, files) : { kind: 'placed', one, files, refused: 0 },
    );
    if (placed.every(({ kind }) => kind === 'waiting')) {
      count.waiting.push(row.id);
      continue;
    }
    count.rows += 1;
    count.benign += Number(isBenign(row));
    const twins = placed.flatMap((one) => (one.kind === 'placed' ? [one] : []));
    count.refused += twins.reduce((sum, { refused }) => sum + refused, 0);
    const runs = await runAll(
      twins,
      texts === null ? askers : { ...askers, model: options.askerOver(texts) },
      options,
      (n, of) => `hostile: row ${at + 1} of ${rows.length} (${row.id}), case ${n} of ${of}`,
    );
    const touched = new Set(twins.flatMap(({ files }) => [...files]));
    for (const who of CONTENDERS) {
      const flipped = countFlips(clean[who], runs[who], touched);
      if (who === 'model' && flipped.decisions > 0) count.flipped.push(row.id);
      flips[who] = addFlips(flips[who], flipped);
    }
    for (const { one } of twins) count.wrong += wrongIn(one, runs.model);
  }
  return { flips, count };
}

/** An archive that the row describes; null where it is a text. */
function archiveOf({ payload_gen }: HostileRow): Exclude<Made, { kind: 'texts' }> | null {
  const made = payload_gen === undefined ? null : readMade(payload_gen);
  return made === null || made.kind === 'texts' ? null : made;
}

function wrongIn({ files, truth }: EvalCase, run: RunOutcome): number {
  const mine = new Set(files.map((file) => file.file_id));
  const part = { ...run, files: run.files.filter((file) => mine.has(file.file_id)) };
  const truthOf = (id: string): Truth => truth.get(id) ?? [];
  return figuresOf(part, new Set(), truthOf, () => null).wrong_auto_approvals;
}

type Poisoned = { kind: 'waiting' } | { kind: 'placed'; one: EvalCase; files: ReadonlySet<string>; refused: number };

/** The case with the payload in each doubtful file; a file that would be refused stays as it is and is not counted. */
function poison(row: HostileRow, one: EvalCase, doubtful: ReadonlySet<string>): Poisoned {
  const touched = new Set<string>();
  let [refused, waiting] = [0, false];
  const files = one.files.map((file) => {
    if (!doubtful.has(file.file_id)) return file;
    const placed = placePayload(row, file);
    if (placed.kind === 'waiting') waiting = true;
    if (placed.kind === 'refused') refused += 1;
    if (placed.kind !== 'placed') return file;
    touched.add(file.file_id);
    return placed.file;
  });
  return waiting ? { kind: 'waiting' } : { kind: 'placed', one: { ...one, files }, files: touched, refused };
}
