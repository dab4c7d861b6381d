/** What the five tools do, over their context's four methods. */
import type { FaultType } from '../faults/fault.ts';
import { textsOf } from '../read/element.ts';
import { Evidence, fillsOf, type Fill, type FillSource } from '../repair/mend-guide.ts';
import type { ShowIndex } from '../repair/show-catalog.ts';
import type { LookupFailure } from '../store/guide-records.ts';
import type { PlacedMend } from './fill.ts';
import { recentErrors } from './guide-view.ts';
import type { OpenFault } from './open-faults.ts';
import { overlaid } from './overlaid.ts';
import { aboutOf, SAID_TYPES, slotOf } from './place.ts';
import { rebuild } from './rebuild.ts';
import { Standing } from './standing.ts';
import type { AppContext, AppWork, ToolSources } from './tool-sources.ts';

/** Faults or programmes that are looked at in one go. */
const AT_ONCE = 100;

export const toolWork: AppWork = {
  rebuild_xmltv: rebuild,
  refresh_plex_metadata: async (context) => (await context.sources()).world.refresh(),
  /** What is proved, and said by the programme itself. */
  reparse_filename_metadata: async (context) =>
    context.fill(await proved(context, null, (by) => by.includes('programme'))),
  async re_enrich_metadata(context) {
    const sources = await context.sources();
    const faults = await context.faults();
    const shows = await lookedUp(sources, faults);
    return context.fill(await proved(context, shows, () => true));
  },
  async fetch_metadata_logs(context) {
    const failures = await (await context.sources()).failures();
    const lines = failures.slice(-10).map(({ code, sentence }) => `${code}: ${sentence}`);
    await context.log(recentErrors(lines));
    return { changed: 0, diff: [], skipped: [] };
  },
};

/** The catalog, with what its look-up came to noted at every place that needs it. */
async function lookedUp(
  { world, note, now, lookedUp: ended }: ToolSources,
  faults: readonly OpenFault[],
): Promise<ShowIndex | null> {
  const places = new Map<string, OpenFault>();
  for (const fault of faults)
    if (SAID_TYPES.includes(fault.type) && fault.channel !== null) places.set(`${fault.guide} ${slotOf(fault)}`, fault);
  if (places.size === 0) return null;
  const at = now();
  const all = [...places.values()];
  try {
    const shows = await world.shows();
    if (shows !== null) await ended(true);
    if (shows !== null)
      await note({
        failed: [],
        answered: all.map(({ guide, channel, start }) => ({ guide, channel: channel ?? '', start })),
      });
    return shows;
  } catch (thrown) {
    const sentence = 'The catalog of shows could not be read.';
    const failed = all.map(({ guide, channel, start, where, about, title }): LookupFailure => ({
      ...{ guide, channel: channel ?? '', start, where, about, title, code: 'unreachable', sentence, at },
    }));
    await note({ failed, answered: [] });
    await ended(false);
    throw thrown;
  }
}

/** Mends that all evidence agrees on, and that were found by sources of which one is wanted. */
async function proved(
  context: AppContext,
  shows: ShowIndex | null,
  isWanted: (sources: readonly FillSource[]) => boolean,
): Promise<PlacedMend[]> {
  const sources = await context.sources();
  const open = new Map<string, Map<string, Set<FaultType>>>();
  for (const [at, fault] of (await context.faults()).entries()) {
    if (at % AT_ONCE === 0) await sources.rest();
    if (!SAID_TYPES.includes(fault.type) || fault.start === null) continue;
    const of = open.get(fault.guide) ?? new Map<string, Set<FaultType>>();
    open.set(fault.guide, of);
    const key = placeKey(fault);
    of.set(key, (of.get(key) ?? new Set()).add(fault.type));
  }
  const catalog = shows ?? (await sources.world.shows().catch(() => null));
  const standing = await sources.standing();
  const mends: PlacedMend[] = [];
  for (const [guide, places] of open) {
    const evidence = new Evidence();
    for await (const { programmes } of sources.programmes(guide, false))
      for (const [at, { element }] of programmes.entries()) {
        if (at % AT_ONCE === 0) await sources.rest();
        evidence.add(element);
      }
    const over = standing.get(guide) ?? new Standing([]);
    for await (const { channel, programmes } of sources.programmes(guide, true))
      for (const [at, { start, element }] of programmes.entries()) {
        if (at % AT_ONCE === 0) await sources.rest();
        const { channel: id = '', start: from = '' } = element.attributes;
        const where = `${id}@${from}`;
        const about = aboutOf(element);
        const types = start === null ? undefined : places.get(placeKey({ channel, start, where, about }));
        if (types === undefined) continue;
        const mended = overlaid(element, over.at({ channel, start, where }, about));
        for (const fill of fillsOf(mended, where, types, evidence, catalog))
          if (isWanted(fill.sources))
            mends.push(placed(fill, { guide, channel, start, about }, textsOf(element, fill.field)));
      }
  }
  return mends;
}

/** Two programmes that begin together are two places. */
const placeKey = (place: {
  channel: string | null;
  start: number | null;
  where: string;
  about: number | null;
}): string => `${slotOf(place)} ${place.about}`;

const placed = (
  { where, field, value, reasons, sources }: Fill,
  place: Pick<PlacedMend, 'guide' | 'channel' | 'start' | 'about'>,
  [before = null]: readonly (string | null)[],
): PlacedMend => ({ ...place, where, field, before, after: value, source: sources.join(', '), reasons });
