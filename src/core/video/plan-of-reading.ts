/** A recognition plan made of what a folder was read as, with what explains it. */
import type { RecognizedFile } from '../plan/plan.ts';
import type { Said } from '../plan/plan-rules.ts';
import type { PlanState } from '../plan/plan-store.ts';
import type { FolderReading } from './folder-reading.ts';
import { leftOut, recognizedFiles } from './offer.ts';

export interface ReadingPlan {
  files: RecognizedFile[];
  /** Confidence and reasons of every video of the folder by its absolute path; of one that is not planned also why. */
  notes: PlanState['notes'];
  /** Several episodes or a part of one, as the plan's rules ask for it. */
  said: (path: string) => Said | null;
}

/** @param sizes bytes by path below the folder */
export function planOfReading(
  reading: FolderReading,
  mediaFolderPath: string,
  sizes: ReadonlyMap<string, number>,
): ReadingPlan {
  const out = leftOut(reading, sizes);
  const notes: PlanState['notes'] = {};
  const says = new Map<string, Said>();
  for (const { path, class: kind, confidence, reasons, episodes, part } of reading.files) {
    if (kind === 'companion' || kind === 'other') continue;
    const why = out.get(path);
    notes[`${mediaFolderPath}/${path}`] = { confidence, reasons: why === undefined ? [...reasons] : [...reasons, why] };
    says.set(`${mediaFolderPath}/${path}`, { episodes, part });
  }
  const kept = reading.files.filter(({ path }) => !out.has(path));
  return { files: recognizedFiles(kept, mediaFolderPath), notes, said: (path) => says.get(path) ?? null };
}
