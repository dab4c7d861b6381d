/** When a run is wanted without anybody pressing the button: a question, an import that warns, the cadence. */
import { ratioOf, type GuideView } from './run.types.ts';

const WORDS = /(?<![\p{L}\p{M}\p{N}_])(?:metadata|epg|xmltv|placeholders?|guides?)(?![\p{L}\p{M}\p{N}_])/iu;

/** A question about the guide. */
export function asksOfGuide(text: string): boolean {
  return WORDS.test(text);
}

const MOST_WITHOUT_NUMBER = 0.05;
const MOST_WITHOUT_YEAR = 0.05;
const MOST_PLACEHOLDERS = 10;
const MOST_FAILED_LOOKUPS = 0.3;

/** After a guide came in or was derived: whether all channels together are worse than they may be. */
export function warnsEarly({ programmes, open }: GuideView, lookups: { failed: number; all: number }): boolean {
  const share = (count: number): number => (programmes > 0 ? count / programmes : 0);
  return (
    share(open.EPISODE_NUM_MISSING) > MOST_WITHOUT_NUMBER ||
    share(open.MOVIE_YEAR_MISSING) > MOST_WITHOUT_YEAR ||
    open.PLACEHOLDER_TITLE > MOST_PLACEHOLDERS ||
    (lookups.all > 0 && lookups.failed / lookups.all > MOST_FAILED_LOOKUPS)
  );
}

export const CADENCE_MS = 300_000;
const CADENCE_RATIO = 0.2;

/** Asked every `CADENCE_MS`, of the whole. */
export function isDue(whole: GuideView): boolean {
  return ratioOf(whole) > CADENCE_RATIO;
}
