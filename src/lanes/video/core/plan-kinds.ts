/** The plans of the video lane: which season and episode the files of a folder are, and the engine's renames. */
import { planKinds, type PlanKind } from '#core/plan/plan-kind.ts';
import { lastPart } from '#core/plan/plan-path.ts';
import { refusal } from '#core/plan/plan-rules.ts';
import { counted, filePath } from '#core/plan/plan-tools.ts';
import { renameFiles } from '#core/plan/rename-files.ts';
import { readName } from './names/read-name.ts';
import { RecognizedFileSchema, type RecognizedFile } from './recognize-protocol.ts';

/** What a file's name says of itself, where that allows what is refused otherwise: several episodes, or a part of one. */
export interface NameHint {
  episodes: readonly number[];
  part: number | null;
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
