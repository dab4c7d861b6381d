/** What a person said about single rows of a question, and the answer that comes of it. Pure. */
import { trackOf, type RowWord } from '#core/job/row-answer.ts';
import type { MusicOption, MusicReview } from '#lanes/music/core/types.ts';
import type { Adjusted } from '#ui/lane-ui.ts';

/** `album_id`: of which a track was picked; null for the other words. */
export interface RowPick {
  word: RowWord;
  album_id: string | null;
}

/** By job. */
export type RowPicks = Readonly<Record<string, RowPick>>;

/** Ids of tracks that rows were given whichever album is chosen: they may be of any. */
export const anywhere = (picks: RowPicks): string[] =>
  Object.values(picks).flatMap(({ word, album_id }) => (album_id === null ? (trackOf(word) ?? []) : []));

/**
 * The answer of an option with these picks; null where none is about it. A track of one album says nothing where another
 * one is chosen.
 */
export function adjustedAnswer(review: MusicReview, option: MusicOption, picks: RowPicks): Adjusted | null {
  const album_id = option.album?.album_id ?? null;
  const takes = review.kind === 'album' ? album_id !== null : review.kind === 'tracks' && option.id === 'accept';
  if (!takes) return null;
  const rows: Record<string, RowWord> = {};
  for (const job of review.job_ids) {
    const pick = picks[job];
    if (pick !== undefined && (album_id === null || pick.album_id === null || pick.album_id === album_id))
      rows[job] = pick.word;
  }
  if (Object.keys(rows).length === 0) return null;
  const count = (word: RowWord): number => Object.values(rows).filter((one) => one === word).length;
  const [ask, none] = [count('ask'), count('none')];
  const taken = review.job_ids.length - ask - none;
  const words = [
    `Accept ${taken}`,
    ...(ask > 0 ? [`ask about ${ask}`] : []),
    ...(none > 0 ? [`leave out ${none}`] : []),
  ];
  return { answer: { kind: 'rows', album_id, rows }, words: words.join(', ') };
}
