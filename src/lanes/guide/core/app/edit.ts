/** A person's own word on fields of programmes: it lies over the source as a mend does, and beats every tool. */
import { AccessionError, failed } from '#core/errors.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { textsOf, type GuideElement } from '../read/element.ts';
import { EVERYTHING, type GuideStore } from '../store/guide-store.ts';
import { unpackProgrammes } from '../store/packed.ts';
import { fillMends, type PlacedMend } from './fill.ts';
import { editedValue, type EditedField } from './edited-value.ts';
import { aboutOf } from './place.ts';

export interface Edit {
  channel: string;
  /** Of its programme, milliseconds since the epoch. */
  start: number;
  /** Which of several that begin together; null: the first. */
  about: number | null;
  field: EditedField;
  /** Empty: there is none. */
  after: string;
}

const DAY = 86_400_000;

/** All of them or none. Throws AccessionError `invalid` for a value that is none, `not_found` where there is no programme. */
export async function editProgrammes(
  store: GuideStore,
  guide: string,
  edits: readonly Edit[],
  { clock, ids }: { clock: Clock; ids: Ids },
): Promise<{ changed: number; mends: string[] }> {
  const found = await programmesOf(store, guide, edits);
  const valueOf = ({ field, after }: Edit): string => {
    const value = editedValue(field, after);
    if (!value.ok) throw new AccessionError(value.failure);
    return value.value;
  };
  const mends = edits.map((edit): PlacedMend => {
    const { channel, start, field } = edit;
    const element = found.get(keyOf(edit))?.find((one) => edit.about === null || aboutOf(one) === edit.about);
    if (element === undefined)
      throw failed('not_found', `Nothing begins on ${channel} at ${new Date(start).toISOString()}.`);
    const place = {
      guide,
      channel,
      start,
      about: aboutOf(element),
      where: `${channel}@${element.attributes['start']}`,
    };
    const before = textsOf(element, field)[0] ?? null;
    return { ...place, field, before, after: valueOf(edit), source: 'person', reasons: ['a person said so'] };
  });
  const made: string[] = [];
  const noted: Ids = { next: () => made[made.push(ids.next()) - 1] ?? '' };
  const { changed } = await fillMends(store, mends, { tool: null, run: null }, { clock, ids: noted });
  return { changed, mends: made };
}

const keyOf = ({ channel, start }: Pick<Edit, 'channel' | 'start'>): string => `${start} ${channel}`;

/** What begins at the places of the edits. */
async function programmesOf(
  store: GuideStore,
  guide: string,
  edits: readonly Edit[],
): Promise<Map<string, GuideElement[]>> {
  if ((await store.guide(guide)) === null) throw failed('not_found', 'There is no such guide.');
  const found = new Map<string, GuideElement[]>(edits.map((edit) => [keyOf(edit), []]));
  const starts = edits.map(({ start }) => start);
  const days = { from: Math.floor(Math.min(...starts) / DAY), to: Math.floor(Math.max(...starts) / DAY) + 1 };
  const channels = [...new Set(edits.map(({ channel }) => channel))];
  for await (const { channel, data } of store.programmes(guide, { ...EVERYTHING, channels, days }))
    for (const { start, element } of unpackProgrammes(data))
      if (start !== null) found.get(keyOf({ channel: channel ?? '', start }))?.push(element);
  return found;
}
