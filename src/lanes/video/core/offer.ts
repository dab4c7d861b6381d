/** What of a reading is offered as a plan. What is left out stays as it is on the disk unless the person says otherwise. */
import { lastPart } from '#core/plan/plan-path.ts';
import type { PlanState } from '#core/plan/plan.ts';
import type { FolderReading, RecognisedFile } from './folder-reading.ts';
import { PLAN_CONFIDENCE } from './folder/read-folder.ts';
import type { NameHint } from './plan-kinds.ts';
import type { RecognizedFile } from './recognize-protocol.ts';

/**
 * VIDEO-80: files that are too unsure, and all but one of those that are the same episode (the surest stays, among equals
 * the largest), each with the reason as a sentence.
 *
 * @param sizes bytes by path
 */
export function leftOut(
  reading: Pick<FolderReading, 'files' | 'duplicates'>,
  sizes: ReadonlyMap<string, number>,
): Map<string, string> {
  const out = new Map<string, string>();
  const byPath = new Map(reading.files.map((file) => [file.path, file]));
  for (const file of reading.files) {
    if (file.class !== 'episode') continue;
    if (file.season === null || file.episodes.length === 0) out.set(file.path, 'Its season or episode is not known.');
    else if (file.confidence < PLAN_CONFIDENCE) out.set(file.path, 'Too unsure: look at it yourself.');
  }
  for (const { paths } of reading.duplicates) {
    const [best, ...others] = paths
      .filter((path) => !out.has(path))
      .flatMap((path) => byPath.get(path) ?? [])
      .toSorted(
        (a, b) =>
          b.confidence - a.confidence ||
          (sizes.get(b.path) ?? 0) - (sizes.get(a.path) ?? 0) ||
          (a.path < b.path ? -1 : 1),
      );
    if (best !== undefined)
      for (const other of others) out.set(other.path, `The same episode as "${lastPart(best.path)}", which is kept.`);
  }
  return out;
}

/** The entries of a recognition plan: one for each episode of a file. */
export function recognizedFiles(files: readonly RecognisedFile[], mediaFolderPath: string): RecognizedFile[] {
  return files.flatMap(({ class: kind, season, episodes, path }) =>
    kind !== 'episode' || season === null
      ? []
      : episodes.map((episode) => ({ season, episode, path: `${mediaFolderPath}/${path}` })),
  );
}

/** What a recognition plan is made of. */
export interface Offer {
  files: RecognizedFile[];
  /** Confidence and reasons of every video of the folder by its absolute path; of one that is left out also why. */
  notes: PlanState['notes'];
  /** Several episodes or a part of one, as the plan's rules ask for it. */
  hintOf: (path: string) => NameHint | null;
}

/** @param out why files are left out, by path below the folder */
export function offerOf(
  files: readonly RecognisedFile[],
  mediaFolderPath: string,
  out: ReadonlyMap<string, string> = new Map(),
): Offer {
  const notes: PlanState['notes'] = {};
  const hints = new Map<string, NameHint>();
  for (const { path, class: kind, confidence, reasons, episodes, part } of files) {
    if (kind === 'companion' || kind === 'other') continue;
    const why = out.get(path);
    notes[`${mediaFolderPath}/${path}`] = { confidence, reasons: why === undefined ? [...reasons] : [...reasons, why] };
    hints.set(`${mediaFolderPath}/${path}`, { episodes, part });
  }
  const kept = files.filter(({ path }) => !out.has(path));
  return { files: recognizedFiles(kept, mediaFolderPath), notes, hintOf: (path) => hints.get(path) ?? null };
}
