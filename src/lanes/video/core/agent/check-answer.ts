/**
 * What an agent answered, held against the folder.
 *
 *   VIDEO-74 an answer counts where reading the folder with it finds no less than with any other option: as many files
 *            that are episodes and no other file's. An episode for a file without a number must be in the catalog and
 *            free. What does not hold is left to the person, and why is noted
 */
import { lastPart } from '#core/plan/plan-path.ts';
import type { FolderReading } from '../folder-reading.ts';
import { PLAN_CONFIDENCE, readFolder, type FolderAnswers } from '../folder/read-folder.ts';
import { answersWith, fitOf, type Fit, type FolderAction, type FolderDoubt, type FolderInput } from './doubt.ts';
import { missingOf } from './make-doubts.ts';

export type Checked =
  | { holds: true; answers: FolderAnswers }
  /** A file is this episode. */
  | { holds: true; path: string; season: number; episode: number; confidence: number }
  | { holds: false; why: string };

export function checkAnswer(
  input: FolderInput,
  reading: FolderReading,
  doubt: FolderDoubt,
  action: FolderAction,
): Checked {
  const option = doubt.options.find(({ id }) => id === action.option_id);
  if (option === undefined) return { holds: false, why: 'It was none of the options.' };
  if (doubt.kind === 'which-episode') return checkEpisode(input, reading, doubt, action);
  const folderName = lastPart(input.mediaFolderPath);
  const { kind } = doubt;
  const fitWith = (id: string): Fit => {
    const answers = answersWith(input.answers, kind, id);
    return fitOf(readFolder(input.files, { folderName, shows: input.shows, answers }), PLAN_CONFIDENCE);
  };
  const mine = fitWith(option.id);
  const alone = ({ planned, collisions }: Fit): number => planned - collisions;
  for (const other of doubt.options) {
    const fit = other === option ? mine : fitWith(other.id);
    if (alone(fit) > alone(mine))
      return {
        holds: false,
        why: `Read like that, ${files(alone(mine))} episodes that no other is; otherwise ${alone(fit)}.`,
      };
  }
  return { holds: true, answers: answersWith(input.answers, kind, option.id) };
}

function checkEpisode(
  input: FolderInput,
  reading: FolderReading,
  doubt: FolderDoubt,
  { option_id, confidence }: FolderAction,
): Checked {
  const show = input.shows.find(({ id }) => id === reading.show.id);
  const [season, episode] = option_id.split('x').map(Number);
  const path = doubt.files[0]?.path.slice(input.mediaFolderPath.length + 1);
  const free = (show === undefined ? [] : missingOf(show, reading)).some(
    (one) => one.season === season && one.episode.number === episode,
  );
  if (path === undefined || season === undefined || episode === undefined || !free)
    return { holds: false, why: 'The catalog has no such episode, or another file is it.' };
  return { holds: true, path, season, episode, confidence };
}

const files = (count: number): string => (count === 1 ? '1 file is' : `${count} files are`);
