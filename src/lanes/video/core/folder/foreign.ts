/** VIDEO-40: two shows in one folder. A file that is named as another show takes no episode from this one. */
import { isOtherShow, titleKey, type TitleVote } from './title-vote.ts';
import { placeKey } from './known-show.ts';
import type { Show } from '../show-catalog.ts';
import type { Clue } from './clue.ts';
import type { Found } from './reasons.ts';

export function dropForeign(found: Map<Clue, Found>, show: Show | null, vote: TitleVote): Map<Clue, Found> {
  const own = show === null ? [vote.title ?? ''] : [show.title, ...show.titles];
  const isForeign = ({ reading }: Clue): boolean =>
    reading.title !== null &&
    own.every((title) => isOtherShow(title, reading.title ?? '')) &&
    !sameAsVoted(reading.title, vote);
  const taken = new Map<string, Set<string>>();
  for (const [clue, one] of found)
    if (one.class === 'episode')
      for (const place of one.places ?? []) {
        const key = placeKey(place);
        taken.set(key, (taken.get(key) ?? new Set()).add(titleKey(clue)));
      }
  const result = new Map(found);
  for (const [clue, one] of found) {
    if (one.class !== 'episode' || !isForeign(clue)) continue;
    // Alone, a title misread takes nothing from anybody; the same episode twice under two titles is two shows.
    const doubled = one.places?.some((place) => (taken.get(placeKey(place))?.size ?? 0) > 1) ?? false;
    if (doubled) result.set(clue, { class: 'other', foreign: clue.reading.title ?? '' });
  }
  return result;
}

const sameAsVoted = (title: string, vote: TitleVote): boolean => vote.title !== null && !isOtherShow(title, vote.title);

/** A bare number without the show's title is no match for a name that says season and episode: it may be of anything. */
export function markDisputed(found: ReadonlyMap<Clue, Found>, show: Show | null, vote: TitleVote): Map<Clue, Found> {
  const titles = [vote.title, show?.title ?? null, ...(show?.titles ?? [])].filter((title) => title !== null);
  const isOurs = ({ own }: Clue): boolean =>
    own.title !== null && titles.some((title) => !isOtherShow(title, own.title ?? ''));
  const sure = new Map<string, string>();
  for (const [clue, one] of found)
    if (one.class === 'episode' && one.by === 'number' && clue.seasonBy !== null)
      for (const place of one.places) sure.set(placeKey(place), clue.path);
  const result = new Map(found);
  for (const [clue, one] of found) {
    if (one.class !== 'episode' || one.by !== 'number' || clue.seasonBy !== null || isOurs(clue)) continue;
    const surer = one.places.map((place) => sure.get(placeKey(place))).find((path) => path !== undefined);
    if (surer !== undefined) result.set(clue, { ...one, surer });
  }
  return result;
}
