/** What show a folder is of, by what most of its names and the folder itself say. */
import { gatedSimilarity, textKey } from '#core/text/similarity.ts';
import { searchShows } from '../search-shows.ts';
import type { Show } from '../show-catalog.ts';
import type { FolderQuestion } from '../folder-reading.ts';
import { readName } from '../names/read-name.ts';
import type { Clue } from './clue.ts';

export interface TitleVote {
  /** As most names write it; null where none has a title. */
  title: string | null;
  year: number | null;
  /** So many names say it. */
  names: number;
}

/** A name's title as it is compared; empty where it has none. */
export const titleKey = (clue: Clue): string =>
  clue.reading.title === null ? '' : textKey(clue.reading.title).compact;

/** The folder's own name counts as one voice, so that it speaks where the names say nothing. */
export function voteTitle(clues: readonly Clue[], folderName: string): TitleVote {
  const counts = new Map<string, number>();
  const spelled = new Map<string, string>();
  const years = new Map<number, number>();
  const hear = (title: string | null, year: number | null): void => {
    const key = title === null ? '' : textKey(title).compact;
    if (title === null || key === '') return;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (!spelled.has(key)) spelled.set(key, title);
    if (year !== null) years.set(year, (years.get(year) ?? 0) + 1);
  };
  for (const { reading } of clues) if (reading.type !== 'movie') hear(reading.title, reading.year);
  if (folderName !== '') {
    const own = readName(folderName, { folders: [] });
    hear(own.title, own.year);
  }
  const [first] = [...counts].sort((a, b) => b[1] - a[1]);
  const [year] = [...years].sort((a, b) => b[1] - a[1]);
  return {
    title: first === undefined ? null : (spelled.get(first[0]) ?? null),
    year: year?.[0] ?? null,
    names: first?.[1] ?? 0,
  };
}

export interface ChosenShow {
  show: Show | null;
  question: FolderQuestion | null;
}

/** Two shows that are as near as this to what the names say are a question. */
const NEAR = 0.05;
/** Nothing less like it is taken for it. */
const ALIKE = 0.72;

/** VIDEO-39: the show of the catalog that is meant. @param answer id that a person chose; empty for none of them */
export function chooseShow(
  vote: TitleVote,
  folderName: string,
  shows: readonly Show[],
  answer: string | undefined,
): ChosenShow {
  if (answer !== undefined) return { show: shows.find(({ id }) => id === answer) ?? null, question: null };
  const year = vote.year === null ? '' : ` ${vote.year}`;
  const asked = [vote.title === null ? '' : `${vote.title}${year}`, folderName].filter((words) => words.trim() !== '');
  for (const words of asked) {
    const [first, ...others] = searchShows(shows, words, 5).filter(({ score }) => score >= ALIKE);
    if (first === undefined) continue;
    const near = others.filter(({ score }) => first.score - score < NEAR);
    if (near.length === 0) return { show: first.show, question: null };
    const options = [first, ...near].map(({ show }) => ({
      id: show.id,
      label: show.year === null ? show.title : `${show.title} (${show.year})`,
    }));
    const sentence = `Which show is this folder of? Its files say "${vote.title ?? folderName}".`;
    return {
      show: first.show,
      question: { kind: 'which-show', sentence, options: [...options, { id: '', label: 'None of these' }] },
    };
  }
  return { show: null, question: null };
}

/** Whether two titles cannot be the same show: in one script, and nothing alike. */
export function isOtherShow(a: string, b: string): boolean {
  const [x, y] = [textKey(a), textKey(b)];
  if (x.compact.length < 3 || y.compact.length < 3 || isLatin(a) !== isLatin(b)) return false;
  const shared = x.tokens.some((token) => token.length > 2 && y.tokens.includes(token));
  return !shared && !x.compact.includes(y.compact) && !y.compact.includes(x.compact) && gatedSimilarity(x, y) < 0.5;
}

const isLatin = (text: string): boolean =>
  /\p{Script=Latin}/u.test(text) &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}]/u.test(text);
