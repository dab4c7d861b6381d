/** What a reading leaves open, as doubts that can be put to an agent. */
import { lastPart, parentOf } from '#core/plan/plan-path.ts';
import { gatedSimilarity, textKey } from '#core/text/similarity.ts';
import { kindOf, type FolderQuestion, type FolderReading, type RecognisedFile } from '../folder-reading.ts';
import { PLAN_CONFIDENCE, readFolder, type FolderAnswers } from '../folder/read-folder.ts';
import type { Episode, Show } from '../show-catalog.ts';
import {
  answersWith,
  evidenceOf,
  fitOf,
  type DoubtOption,
  type FolderDoubt,
  type FolderInput,
  type Fit,
  type FolderAction,
} from './doubt.ts';

/** Rows of files that a model is shown: enough to see how a folder counts. */
const MOST_FILES = 24;
/** Letters that a small model can keep apart. */
const MOST_OPTIONS = 7;
/** Files without a number that are asked about, in one folder. */
const MOST_ASKED = 4;
const THRESHOLD = 0.9;

export function makeDoubts(input: FolderInput, reading: FolderReading): FolderDoubt[] {
  const questions = reading.questions.map((question) => questionDoubt(input, reading, question));
  // Which show comes first: what is missing is counted in it.
  const settled = questions.length === 0 ? episodeDoubts(input, reading) : [];
  return [...questions, ...settled].filter(({ options }) => options.length > 0);
}

function questionDoubt(
  input: FolderInput,
  reading: FolderReading,
  { kind, sentence, options }: FolderQuestion,
): FolderDoubt {
  const folderName = lastPart(input.mediaFolderPath);
  const offered = options
    .filter(({ id }) => id !== '')
    .slice(0, MOST_OPTIONS)
    .map(({ id, label }): DoubtOption => {
      const answers = answersWith(input.answers, kind, id);
      const fit = fitOf(readFolder(input.files, { folderName, shows: input.shows, answers }), PLAN_CONFIDENCE);
      const show = kind === 'which-show' ? input.shows.find((one) => one.id === id) : undefined;
      const facts = {
        files_that_fit: `${fit.planned} of ${fit.videos}`,
        two_files_for_one_episode: fit.collisions,
        episodes_missing_between: fit.missing,
        ...(show === undefined ? {} : showFacts(show)),
      };
      return { id, label, confidence: Math.min(THRESHOLD, evidenceOf(fit)), facts };
    });
  const files = reading.files.filter(({ class: is, path }) => is !== 'companion' && kindOf(path) === 'video');
  const shows = kind === 'which-show' ? offered.map(({ id }) => id) : [reading.show.id ?? reading.show.title ?? ''];
  return doubt(input, kind, sentence, files, offered, shows);
}

function showFacts(show: Show): DoubtOption['facts'] {
  const counted = show.seasons.filter(({ number }) => number > 0);
  return {
    year: show.year,
    seasons: counted.length,
    episodes: counted.reduce((sum, { episodes }) => sum + episodes.length, 0),
  };
}

/** VIDEO-72 a file without a number can only be an episode that the catalog has and no other file is. */
function episodeDoubts(input: FolderInput, reading: FolderReading): FolderDoubt[] {
  const show = input.shows.find(({ id }) => id === reading.show.id);
  if (show === undefined) return [];
  const missing = missingOf(show, reading);
  if (missing.length === 0) return [];
  return reading.files
    .filter(isUnnumbered)
    .slice(0, MOST_ASKED)
    .map((file) => {
      const stem = textKey(lastPart(file.path).replace(/\.[^.]+$/, ''));
      const options = missing
        .map(({ season, episode }): DoubtOption => {
          const title = episode.title === null ? 0 : gatedSimilarity(stem, textKey(episode.title));
          return {
            id: `${season}x${String(episode.number).padStart(2, '0')}`,
            label: `Season ${season}, episode ${episode.number}: ${episode.title ?? 'no title'}`,
            confidence: Math.round(Math.min(THRESHOLD, title) * 1000) / 1000,
            facts: { air_date: episode.air_date, title_alike: `${Math.round(title * 100)} %` },
          };
        })
        .sort((a, b) => b.confidence - a.confidence)
        .slice(0, MOST_OPTIONS);
      const question = 'Which of the episodes that no other file is, is this file?';
      return doubt(input, 'which-episode', question, [file], options, [show.id]);
    });
}

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

/** A video that nothing numbers; one that names its year is a film among episodes. */
export function isUnnumbered({ class: kind, path, episodes, reading }: RecognisedFile): boolean {
  const unclear = kind === 'other' || (kind === 'movie' && reading.year === null);
  return unclear && kindOf(path) === 'video' && episodes.length === 0;
}

/** Episodes of seasons that the folder has files of, and that no file is. */
function missingOf(show: Show, reading: FolderReading): { season: number; episode: Episode }[] {
  const taken = new Set<string>();
  for (const { class: kind, season, episodes } of reading.files)
    if (kind === 'episode') for (const episode of episodes) taken.add(`${season}x${episode}`);
  const seasons = new Set(reading.files.flatMap(({ class: kind, season }) => (kind === 'episode' ? [season] : [])));
  return show.seasons
    .filter(({ number }) => seasons.has(number))
    .flatMap(({ number, episodes }) => episodes.map((episode) => ({ season: number, episode })))
    .filter(({ season, episode }) => !taken.has(`${season}x${episode.number}`));
}

function doubt(
  { mediaFolderPath }: FolderInput,
  kind: FolderDoubt['kind'],
  question: string,
  files: readonly RecognisedFile[],
  options: DoubtOption[],
  shows: readonly string[],
): FolderDoubt {
  const rows = files.slice(0, MOST_FILES).map((file) => ({
    path: `${mediaFolderPath}/${file.path}`,
    name: lastPart(file.path),
    folder: file.path.includes('/') ? lastPart(parentOf(file.path)) : null,
    says: saysOf(file),
  }));
  const key = [kind, mediaFolderPath, rows[0]?.path ?? '', ...options.map(({ id }) => id)].join('\n');
  const asked = shows.filter((show) => show !== '').slice(0, 3);
  return { key, kind, mediaFolderPath, question, shows: asked, files: rows, options, threshold: THRESHOLD };
}

function saysOf({ reading }: RecognisedFile): string {
  const parts = [
    ...(reading.season === null ? [] : [`season ${String(reading.season)}`]),
    ...(reading.episodes.length === 0 ? [] : [`episode ${reading.episodes.join(', ')}`]),
    ...(reading.absolute.length === 0 ? [] : [`number ${reading.absolute.join(', ')}`]),
    ...(reading.date === null ? [] : [reading.date]),
  ];
  return parts.length === 0 ? 'no number' : parts.join(', ');
}

/**
 * What an agent answered, held against the folder.
 *
 *   VIDEO-74 an answer counts where reading the folder with it finds no less than with any other option: as many files
 *            that are episodes and no other file's. An episode for a file without a number must be in the catalog and
 *            free. What does not hold is left to the person, and why is noted
 */
type Checked =
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
