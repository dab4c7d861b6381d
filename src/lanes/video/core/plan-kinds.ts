/** The plans of the video lane: which season and episode the files of a folder are, and the engine's renames. */
import { planKinds, type PlanKind } from '#core/plan/plan-kind.ts';
import { lastPart } from '#core/plan/plan-path.ts';
import { refusal } from '#core/plan/plan-rules.ts';
import { counted, filePath } from '#core/plan/plan-tools.ts';
import { renameFiles } from '#core/plan/rename-files.ts';
import { readName } from './names/read-name.ts';
import { RecognizedFileSchema, type RecognizedFile } from './recognize-protocol.ts';
import type { PlanState } from '#core/plan/plan.ts';
import type { FolderReading, RecognisedFile } from './folder-reading.ts';
import { PLAN_CONFIDENCE } from './folder/read-folder.ts';

/** What a file's name says of itself, where that allows what is refused otherwise: several episodes, or a part of one. */
export interface NameHint {
  episodes: readonly number[];
  part: number | null;
  /** Which of a folder's shows it is of, where that is known. */
  show?: string;
}

/** Season and episode of each file; nothing is carried out. */
export const recognizeMediaFile: PlanKind<'recognize-media-file', RecognizedFile, NameHint> = {
  task: 'recognize-media-file',
  entry: RecognizedFileSchema,
  paths: { path: 'source' },
  check: checkEpisode,
  hintOf: hintOfName,
  execution: null,
  tools: {
    begin: {
      name: 'beginRecognizeTask',
      description: 'Begin to say which season and episode the files of a media folder are. Answers a task ID.',
    },
    add: {
      name: 'addRecognizedMediaFile',
      description:
        'Say which season and episode one file is. Each file and each episode once; extras and samples not at all.',
      fields: {
        season: counted('The season; 0 for specials'),
        episode: counted('The number of the episode in its season'),
        path: filePath('The video file, as listFiles says it'),
      },
    },
    end: {
      name: 'endRecognizeTask',
      description: 'End the task: the person sees the plan and confirms or cancels it.',
    },
  },
  pending: { path: '/api/getPendingPlans', summary: 'Recognition plans that wait for a person.' },
};

export const videoPlans = planKinds([recognizeMediaFile, renameFiles]);
export type VideoKind = (typeof videoPlans.all)[number];

/** PLAN-43: a file once and an episode once, unless the files' names say several episodes, or parts of one. */
function checkEpisode(
  others: readonly RecognizedFile[],
  file: RecognizedFile,
  hintOf: (path: string) => NameHint | null,
): void {
  const hint = hintOf(file.path);
  for (const other of others) {
    const sameEpisode = other.season === file.season && other.episode === file.episode;
    if (other.path === file.path) {
      const both = hint !== null && [file.episode, other.episode].every((one) => hint.episodes.includes(one));
      if (sameEpisode || other.season !== file.season || !both)
        throw refusal(`"${lastPart(file.path)}" is in the plan already, as ${label(other)}.`, file.path);
    } else if (sameEpisode) {
      const [show, otherShow] = [hint?.show, hintOf(other.path)?.show];
      if (show !== undefined && otherShow !== undefined && show !== otherShow) continue;
      const part = hint?.part ?? null;
      const otherPart = hintOf(other.path)?.part ?? null;
      if (part === null || otherPart === null || part === otherPart)
        throw refusal(`${label(file)} is in the plan already, as "${lastPart(other.path)}".`, file.path);
    }
  }
}

function label({ season, episode }: RecognizedFile): string {
  return `season ${season} episode ${episode}`;
}

/** Several episodes, or a part of one, as a file's path says it; null where it says neither. */
export function hintOfName(path: string): NameHint | null {
  const { episodes, absolute, part } = readName(path);
  const several = episodes.length > 1 ? episodes : absolute.length > 1 ? absolute : [];
  return several.length > 1 || part !== null ? { episodes: several, part } : null;
}

/** What of a reading is offered as a plan. What is left out stays as it is on the disk unless the person says otherwise. */

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
  for (const { path, class: kind, confidence, reasons, episodes, part, source, show } of files) {
    if (kind === 'companion' || kind === 'other') continue;
    const why = out.get(path);
    notes[`${mediaFolderPath}/${path}`] = {
      confidence,
      reasons: why === undefined ? [...reasons] : [...reasons, why],
      ...(source === undefined ? {} : { source }),
    };
    hints.set(`${mediaFolderPath}/${path}`, { episodes, part, show: show?.id ?? show?.title ?? '' });
  }
  const kept = files.filter(({ path }) => !out.has(path));
  return { files: recognizedFiles(kept, mediaFolderPath), notes, hintOf: (path) => hints.get(path) ?? null };
}
