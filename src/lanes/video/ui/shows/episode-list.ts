/** A pasted list of episodes, one a line, in the forms that people copy from guides and wikis. */
import { emptyEpisode, type EpisodeDraft } from './show-draft.ts';
import { bareTitle, numberOfLine } from '#ui/editor/list-lines.ts';

/** `S01E02 `, `1x02 - `, `E02: `, `Episode 2 - `: the number that counts is the episode's. */
const EPISODE = /^(?:s\d{1,4}\s*[.-]?\s*e|\d{1,2}x|ep?(?:isode)?\.?\s*)(\d{1,4})(?:\s*[-–—.:)]\s*|\s+|$)/i;
const DATE = /(?<!\d)(\d{4})[-./](\d{2})[-./](\d{2})(?!\d)/;
/** What is left around a date that was taken out. */
const EMPTY_BRACKETS = /\(\s*\)|\[\s*\]/g;
const EDGES = /^[\s|,;–—-]+|[\s|,;–—-]+$/g;

/**
 * The episodes of a list; `first` is the number of the first one that says none. Numbers and dates (`2015-03-01`) are
 * taken off the lines; a line without a number follows the one before it.
 */
export function parseEpisodeList(text: string, first = 1): EpisodeDraft[] {
  const rows: EpisodeDraft[] = [];
  let next = first;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line === '') continue;
    const date = DATE.exec(line);
    let rest = date === null ? line : line.replace(date[0], ' ').replace(EMPTY_BRACKETS, ' ').replace(EDGES, '');
    const named = EPISODE.exec(rest);
    const counted = named === null ? numberOfLine(rest, next) : null;
    if (named !== null) rest = rest.slice(named[0].length);
    else rest = counted?.rest ?? rest;
    const number = named === null ? (counted?.number ?? next) : Number(named[1]);
    rows.push({
      ...emptyEpisode(String(number)),
      title: bareTitle(rest.replace(/\t+|\s{2,}/g, ' ')),
      air_date: date === null ? '' : date.slice(1).join('-'),
    });
    next = number + 1;
  }
  return rows;
}
