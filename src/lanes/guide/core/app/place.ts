/** Which programme a mend belongs to, and which faults it takes away. */
import { fnv1a } from '#core/fnv1a.ts';
import type { FaultType } from '../faults/fault.ts';
import { isPlaceholder } from '../faults/title-words.ts';
import { textsOf, type GuideElement } from '../read/element.ts';
import type { MendRow, StoredFault } from '../store/guide-records.ts';

/**
 * By what a programme is known again when its source comes again: title and sub-title, without a title that is one its
 * description. Another programme at the same instant of the channel has another one, and the mend is not its own.
 */
export function aboutOf(element: GuideElement): number {
  const title = textsOf(element, 'title').find((text) => !isPlaceholder(text));
  const rest = title === undefined ? textsOf(element, 'desc') : [];
  return fnv1a(JSON.stringify([title ?? '', textsOf(element, 'sub-title')[0] ?? '', rest[0] ?? '']));
}

/** Of the title as it is written; null: it has none. */
export function titleKey(element: GuideElement): number | null {
  const [title] = textsOf(element, 'title');
  return title === undefined ? null : titleHash(title);
}

export const titleHash = (title: string): number => fnv1a(title.trim());

/** Of a channel that programmes alone name: a person says that the guide has it. */
export const DECLARED = 'declared';

/** What a mend of this field takes away, by code or, without one, by type. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  'episode-num': ['EPISODE_NUM_MISSING', 'METADATA_LOOKUP_FAILURE', 'badepisode'],
  date: ['MOVIE_YEAR_MISSING', 'METADATA_LOOKUP_FAILURE'],
  title: ['PLACEHOLDER_TITLE', 'METADATA_LOOKUP_FAILURE', 'emptytitle'],
  desc: ['emptydescription'],
  start: ['badstart', 'missingtimezone', 'invalidtimezone'],
  stop: ['badstop', 'stop-before-start', 'overlap'],
  times: ['missingtimezone', 'invalidtimezone'],
  order: ['notvalid:order'],
  channel: ['duplicateid'],
};

export const takesAway = (field: string, { type, code }: Pick<StoredFault, 'type' | 'code'>): boolean =>
  TAKES[field]?.includes(code ?? type) ?? false;

/** Types that are about what a programme says. */
export const SAID_TYPES: readonly FaultType[] = [
  'METADATA_LOOKUP_FAILURE',
  'EPISODE_NUM_MISSING',
  'MOVIE_YEAR_MISSING',
  'PLACEHOLDER_TITLE',
];

/** Channel and start of what a row or a fault is about; without a start the place as it is written. */
export const slotOf = ({ channel, start, where }: { channel: string | null; start: number | null; where: string }) =>
  start === null ? `w ${where}` : `p ${start} ${channel ?? ''}`;

/** Whether the row is about this programme: another one at its place is none of its business. */
export const isAbout = (row: Pick<MendRow, 'about'>, about: number | null): boolean =>
  row.about === null || about === null || row.about === about;
