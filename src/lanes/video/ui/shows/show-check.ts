/** What is wrong with the form of a show, said at the field: the same bounds as the server's. */
import { textProblem, wholeProblem, type DraftErrors } from '#ui/editor/field-check.ts';
import { titleLines, type EpisodeDraft, type SeasonDraft, type ShowDraft } from './show-draft.ts';

const MOST_EPISODES = 99_999;
const MOST_TITLES = 200;

/** Empty when the draft can be sent. */
export function checkShow(draft: ShowDraft): DraftErrors {
  const errors: DraftErrors = {};
  const say = (field: string, words: string | null): void => {
    if (words !== null) errors[field] ??= words;
  };
  say('title', textProblem(draft.title, 'Say what the show is called.'));
  say('year', draft.year.trim() === '' ? null : wholeProblem(draft.year, 0, 'A year like 1997.'));
  const titles = titleLines(draft.titles);
  for (const title of titles) say('titles', textProblem(title, null));
  if (titles.length > MOST_TITLES) say('titles', `At most ${MOST_TITLES} titles.`);
  const seasons = new Set<number>();
  for (const season of draft.seasons) {
    checkSeason(season, (field, words) => say(`${season.key}.${field}`, words));
    if (seasons.has(Number(season.number))) say(`${season.key}.number`, 'This season is there already.');
    seasons.add(Number(season.number));
    const episodes = new Set<number>();
    for (const episode of season.episodes) {
      checkEpisode(episode, (field, words) => say(`${episode.key}.${field}`, words));
      if (episodes.has(Number(episode.number))) say(`${episode.key}.number`, 'This number is there already.');
      episodes.add(Number(episode.number));
    }
  }
  return errors;
}

type Say = (field: string, words: string | null) => void;

function checkSeason({ number, title }: SeasonDraft, say: Say): void {
  say('number', wholeProblem(number, 0, 'A season is a whole number; 0 are the specials.'));
  say('title', textProblem(title, null));
}

function checkEpisode({ number, title, air_date, absolute }: EpisodeDraft, say: Say): void {
  say('number', wholeProblem(number, 0, 'A whole number from 0.', MOST_EPISODES));
  say('title', textProblem(title, null));
  say('air_date', isDay(air_date.trim()) ? null : 'A day like 2015-03-01.');
  say(
    'absolute',
    absolute.trim() === '' ? null : wholeProblem(absolute, 0, 'A whole number, or nothing.', MOST_EPISODES),
  );
}

/** True for nothing, too. */
function isDay(text: string): boolean {
  if (text === '') return true;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // The 30th of February is read as a day of March.
  return !isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The field that a server's message is about (`body "seasons.1.episodes.3.title": ...`, counting from 0), or null. */
export function fieldOfShowMessage(message: string, draft: ShowDraft): string | null {
  const path = /^body "([\w.]+)"/.exec(message)?.[1]?.split('.') ?? [];
  const [list, at, field, row, name] = path;
  if (list !== 'seasons') return ['title', 'titles', 'year'].find((one) => one === list) ?? null;
  const season = draft.seasons[Number(at)];
  if (season === undefined) return null;
  if (field !== 'episodes') return `${season.key}.${field === 'title' ? 'title' : 'number'}`;
  const episode = season.episodes[Number(row)];
  return episode === undefined ? `${season.key}.number` : `${episode.key}.${name ?? 'number'}`;
}
