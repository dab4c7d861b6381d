/** What changes do to decisions: an album is matched as it is and changed, and the approved files are compared. */
import { evidenceOf } from '#lanes/music/cli/match.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { FileMatch } from '#lanes/music/core/match/match.types.ts';
import type { CaseFile } from '../case.types.ts';
import { decidedOf, soleVeto, type Decided } from '../decided.ts';
import { COMMITTED } from '../score.ts';
import { countOf, type VetoCounts } from '../vetoes.ts';
import type { Change, Drop, Source } from './change.types.ts';
import { drawDrop } from './drops.ts';

export interface KindCount {
  carries: boolean;
  albums: number;
  /** Files that were approved before and are there after. */
  files: number;
  /** Of them, those that a person is asked about after a change that says nothing. */
  asked: number;
  /** Those that became another track. */
  moved: number;
  /** Those that stayed approved though the change says they are something else. */
  stayed: number;
}

/** One decision that should have been another, for looking at. */
export interface Example {
  kind: string;
  what: 'asked' | 'moved' | 'stayed';
  style: string;
  album: string;
  path: string;
  why: string;
}

export interface Measured {
  kinds: Map<string, KindCount>;
  examples: Example[];
  /** What each veto alone keeps from approval after changes that say something (`prevents`) and that do not (`costs`). */
  vetoes: VetoCounts;
  /** Files of the unchanged albums, and those that were approved; the others prove nothing. */
  base: { files: number; approved: number };
}

export interface MeasureOptions {
  index: CatalogIndex;
  source: Source;
  changes: readonly Change[];
  /** Changed albums at least. */
  albums: number;
  /** Changes that one album goes through. */
  each: number;
  /** Called after each album with how many changed ones there are. */
  progress?: (done: number) => void;
}

/** Several pieces as one. */
export function addUp(pieces: readonly Measured[]): Measured {
  const sum: Measured = { kinds: new Map(), examples: [], vetoes: new Map(), base: { files: 0, approved: 0 } };
  for (const { kinds, examples, vetoes, base } of pieces) {
    for (const [kind, { struck, prevents, costs }] of vetoes) {
      const known = countOf(sum.vetoes, kind);
      known.struck += struck;
      known.prevents += prevents;
      known.costs += costs;
    }
    sum.examples.push(...examples);
    sum.base.files += base.files;
    sum.base.approved += base.approved;
    for (const [kind, one] of kinds) {
      const known = sum.kinds.get(kind) ?? { ...one, albums: 0, files: 0, asked: 0, moved: 0, stayed: 0 };
      sum.kinds.set(kind, known);
      for (const name of ['albums', 'files', 'asked', 'moved', 'stayed'] as const) known[name] += one[name];
    }
  }
  return sum;
}

type Decisions = ReadonlyMap<string, FileMatch>;

function decide(files: readonly CaseFile[], index: CatalogIndex): Decisions {
  const result = matchBatch({ files: files.map(evidenceOf), context: { type: 'spontaneous' } }, index);
  return new Map(result.files.map((match) => [match.file_id, match]));
}

const approved = (match: FileMatch | undefined): string | null =>
  match && match.track_id !== null && match.confidence > COMMITTED ? match.track_id : null;

/** Draws albums and changes them until there are enough. Deterministic for the source's seed. */
export function measure({ index, source, changes, albums, each, progress }: MeasureOptions): Measured {
  const measured: Measured = { kinds: new Map(), examples: [], vetoes: new Map(), base: { files: 0, approved: 0 } };
  for (const { kind, carries } of changes)
    measured.kinds.set(kind, { carries, albums: 0, files: 0, asked: 0, moved: 0, stayed: 0 });
  let done = 0;
  for (let number = 0; done < albums && number < albums * 4; number++) {
    const drop = drawDrop(source.world, source.random, number);
    if (!drop) continue;
    const before = decide(drop.files, index);
    const right = new Map(
      drop.files.flatMap((file, at) => {
        const track = approved(before.get(file.file_id));
        return track !== null && track === drop.subject.tracks[at]?.id ? [[file.file_id, track] as const] : [];
      }),
    );
    measured.base.files += drop.files.length;
    measured.base.approved += right.size;
    if (right.size === 0) continue;
    for (const one of source.random.shuffle(changes).slice(0, each))
      done += Number(compare(one, { drop, right }, { index, source }, measured));
    progress?.(done);
  }
  return measured;
}

function compare(
  one: Change,
  { drop, right }: { drop: Drop; right: ReadonlyMap<string, string> },
  { index, source }: Pick<MeasureOptions, 'index' | 'source'>,
  measured: Measured,
): boolean {
  const changed = one.apply(drop, source);
  const count = measured.kinds.get(one.kind);
  if (!changed || !count) return false;
  count.albums += 1;
  const twins = (id: string): string[] => {
    const own = drop.subject.tracks.find((track) => track.id === id);
    return own ? source.world.equals(own) : [];
  };
  for (const files of changed.drops) {
    const after = decide(files, index);
    for (const file of files) {
      const track = right.get(file.file_id);
      if (track === undefined || (changed.told && !changed.told.has(file.file_id))) continue;
      const match = after.get(file.file_id);
      const now = approved(match);
      count.files += 1;
      if (match) countVeto(measured.vetoes, one.carries, decidedOf(match));
      const what = verdict(one.carries, now, [track, ...twins(track)]);
      if (what === null) continue;
      count[what] += 1;
      measured.examples.push({
        ...{ kind: one.kind, what, style: drop.style, album: drop.subject.album.title },
        ...said(file, match),
      });
    }
  }
  return true;
}

function countVeto(counts: VetoCounts, carries: boolean, decided: Decided): void {
  for (const kind of decided.vetoes) countOf(counts, kind).struck += 1;
  const sole = soleVeto(decided);
  if (sole !== null) countOf(counts, sole)[carries ? 'prevents' : 'costs'] += 1;
}

/** @param same the track before, and the same recording on other albums */
function verdict(carries: boolean, after: string | null, same: readonly string[]): Example['what'] | null {
  if (carries) return after === null ? null : 'stayed';
  if (after === null) return 'asked';
  return same.includes(after) ? null : 'moved';
}

function said(file: CaseFile, match: FileMatch | undefined): Pick<Example, 'path' | 'why'> {
  const vetoes = match?.why?.vetoes.map(({ label }) => label) ?? [];
  const limit = match?.why?.limit ?? '';
  const why = [...vetoes, limit, match?.confidence.toFixed(2) ?? 'none', match?.track_id ?? 'no track'];
  return { path: `${file.path} ${JSON.stringify(file.tags)}`, why: why.filter((text) => text !== '').join('; ') };
}

/** The figures by their published names: shares of the files that were approved before. */
export function figuresOf({ kinds, base }: Measured): Record<string, number> {
  const all = [...kinds.values()];
  const sum = (of: (count: KindCount) => number): number => all.reduce((total, count) => total + of(count), 0);
  const neutral = sum((count) => (count.carries ? 0 : count.files));
  return {
    changed_albums: sum((count) => count.albums),
    files_neutral: neutral,
    files_telling: sum((count) => (count.carries ? count.files : 0)),
    base_approved: base.approved / Math.max(1, base.files),
    flipped_to_question: sum((count) => count.asked) / Math.max(1, neutral),
    flipped_to_other: sum((count) => count.moved),
    stayed_approved_wrongly: sum((count) => count.stayed),
  };
}
