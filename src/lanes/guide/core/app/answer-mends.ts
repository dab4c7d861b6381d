/** What a person's answer does about faults that are somebody's claim, as mends of each (questions.ts says it in words). */
import type { LineupEntry } from '../lineup/read-lineup.ts';
import type { GuideStore } from '../store/guide-store.ts';
import { unpackProgrammes } from '../store/packed.ts';
import { timeText } from '../write/write-guide.ts';
import type { PlacedMend } from './fill.ts';
import { channelName } from './grid.ts';
import type { OpenFault } from './open-faults.ts';
import { ENTRY, entryPlaces, LEFT_OUT, overlaidEntries } from './overlaid-lineup.ts';
import { DECLARED } from './place.ts';
import { byGuide, Standing } from './standing.ts';

/** Of faults of any guides and codes; those that no answer mends give none. */
export async function mendsOf(store: GuideStore, faults: readonly OpenFault[]): Promise<PlacedMend[]> {
  const mends: PlacedMend[] = [];
  for (const guide of new Set(faults.map((fault) => fault.guide))) {
    const own = faults.filter((fault) => fault.guide === guide);
    const of = (code: string): OpenFault[] => own.filter((fault) => fault.code === code);
    mends.push(...(await ends(store, guide, of('overlap'))), ...declarations(of('unknownid')));
    mends.push(...leftOut(of('lineup channel without guide data')));
    const [doubles, missing] = [of('duplicate GuideNumber'), of('channel has guide data, not in lineup')];
    if (doubles.length + missing.length > 0) mends.push(...(await numbers(store, guide, doubles.length > 0, missing)));
  }
  return mends;
}

const BY = { source: 'person', before: null } as const;

/** Each overlapping programme ends where the next of its channel begins. */
async function ends(store: GuideStore, guide: string, faults: readonly OpenFault[]): Promise<PlacedMend[]> {
  const channels = [...new Set(faults.flatMap(({ channel }) => channel ?? []))];
  if (channels.length === 0) return [];
  const starts = new Map<string, number[]>();
  for await (const { channel, data } of store.programmes(guide, { channels, days: null })) {
    const of = starts.get(channel ?? '') ?? [];
    starts.set(channel ?? '', of);
    for (const { start } of unpackProgrammes(data)) if (start !== null) of.push(start);
  }
  for (const of of starts.values()) of.sort((a, b) => a - b);
  return faults.flatMap(({ channel, start, about, where }): PlacedMend[] => {
    const next = start === null ? undefined : starts.get(channel ?? '')?.find((one) => one > start);
    if (channel === null || next === undefined) return [];
    const reasons = ['a person lets it end where the next one begins'];
    return [{ ...BY, guide, channel, start, about, where, field: 'stop', after: timeText(next), reasons }];
  });
}

/** Once a channel: what comes in later is of it, too. */
function declarations(faults: readonly OpenFault[]): PlacedMend[] {
  const channels = new Map<string, OpenFault>();
  for (const fault of faults) if (fault.channel !== null && fault.channel !== '') channels.set(fault.channel, fault);
  return [...channels].map(([channel, { guide }]): PlacedMend => ({
    ...{ ...BY, guide, channel, start: null, about: null, where: channel, field: DECLARED, after: 'declared' },
    reasons: ['a person says that the channel belongs to the guide'],
  }));
}

const leftOut = (faults: readonly OpenFault[]): PlacedMend[] =>
  faults.map(({ guide, where }) => ({
    ...{ ...BY, guide, channel: where, start: null, about: null, where, field: LEFT_OUT, after: LEFT_OUT },
    reasons: ['a person leaves it out of the lineup'],
  }));

/** Later ones of a number get the next free one, then channels that are missing the numbers behind all others. */
async function numbers(
  store: GuideStore,
  guide: string,
  areDouble: boolean,
  missing: readonly OpenFault[],
): Promise<PlacedMend[]> {
  const lineup = await store.lineup(guide);
  if (lineup === null || lineup.read.unreadable !== null) return [];
  const standing = byGuide(await store.mends({ guides: [guide], channels: null })).get(guide) ?? new Standing([]);
  const { entries } = lineup.read;
  const places = entryPlaces(entries);
  const now = overlaidEntries(entries, standing);
  const added = standing.of(ENTRY).map(({ after }) => after.split(' ')[0] ?? '');
  const taken = new Set([...now.flatMap((entry) => entry?.guideNumber ?? []), ...added]);
  const mends: PlacedMend[] = [];
  const place = (where: string) => ({ ...BY, guide, channel: where, start: null, about: null, where });
  if (areDouble)
    for (const [where, before] of doubles(places, now)) {
      const after = nextFree(before, taken);
      const reasons = ['a person gives it the next free number'];
      mends.push({ ...place(where), field: 'GuideNumber', before, after, reasons });
    }
  if (missing.length === 0) return mends;
  const names = new Map((await store.channels(guide)).map((channel) => [channel.id, channelName(channel)]));
  let last = String(Math.max(0, ...[...taken].map((number) => Math.floor(Number(number)) || 0)));
  for (const { where } of missing) {
    last = nextFree(last, taken);
    const reasons = ['a person adds it to the lineup'];
    mends.push({ ...place(where), field: ENTRY, after: `${last} ${names.get(where) ?? where}`, reasons });
  }
  return mends;
}

/** Places of entries whose number an earlier one has. */
function doubles(places: readonly string[], entries: readonly (LineupEntry | null)[]): [string, string][] {
  const met = new Set<string>();
  return entries.flatMap((entry, at): [string, string][] => {
    const number = entry?.guideNumber ?? '';
    if (number === '') return [];
    if (met.has(number)) return [[places[at] ?? '', number]];
    met.add(number);
    return [];
  });
}

/** Behind `5` comes 6, behind `5.1` 5.2; takes it. */
function nextFree(number: string, taken: Set<string>): string {
  const [, head = '', tail = '0'] = /^(\d+\.)?(\d+)$/.exec(number) ?? [];
  let next = Number(tail) + 1;
  while (taken.has(`${head}${next}`)) next++;
  taken.add(`${head}${next}`);
  return `${head}${next}`;
}
