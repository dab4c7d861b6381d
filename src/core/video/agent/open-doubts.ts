import type { FolderReading } from '../folder-reading.ts';
import type { Show } from '../show-catalog.ts';
import { isUnnumbered, missingOf } from './make-doubts.ts';

/** What of a reading the agent could be asked about (VIDEO-71), counted without weighing the options. */
export interface OpenDoubts {
  questions: number;
  /** Paths of files without a number, where the show has episodes that no file is. */
  files: string[];
}

export function openDoubts(reading: FolderReading, shows: readonly Show[]): OpenDoubts {
  const questions = reading.questions.filter(({ options }) => options.some(({ id }) => id !== '')).length;
  const show = shows.find(({ id }) => id === reading.show.id);
  const places = show === undefined ? 0 : missingOf(show, reading).length;
  return { questions, files: places === 0 ? [] : reading.files.filter(isUnnumbered).map(({ path }) => path) };
}
