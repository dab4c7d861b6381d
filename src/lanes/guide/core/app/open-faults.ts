/** Faults that are open: those an import found, and of lineups and look-ups, without what mends and people took away. */
import { inTurns } from '#core/steps.ts';
import { checkingLineup } from '../lineup/check-lineup.ts';
import type { Dismissal, GuideRecord, LookupFailure, StoredFault } from '../store/guide-records.ts';
import type { GuideStore } from '../store/guide-store.ts';
import { unpackFaults } from '../store/packed.ts';
import { overlayingLineup } from './overlaid-lineup.ts';
import { SAID_TYPES, titleHash } from './place.ts';
import { byGuide, Standing } from './standing.ts';

export interface OpenFault extends StoredFault {
  guide: string;
}

/** What is asked for: of one channel, or of all and what belongs to none; of one guide, or of all. */
export interface FaultScope {
  guide: string | null;
  channel: string | null;
  days: { from: number; to: number } | null;
}

/** Faults of a lineup that are looked at in one go. */
const FAULTS_AT_ONCE = 1000;

export const ALL_FAULTS: FaultScope = { guide: null, channel: null, days: null };

/** Open faults of one day of a channel at a time, a few thousand at most, or of what belongs to no channel; those of lineups where no days are asked for. */
export async function* openFaults(store: GuideStore, scope: FaultScope): AsyncGenerator<OpenFault[]> {
  const guides = (await store.guides()).filter(({ id }) => scope.guide === null || id === scope.guide);
  const channels = scope.channel === null ? null : [scope.channel];
  // Mends of a lineup's entries are not of the guide's channel.
  const own = scope.days === null ? null : channels;
  const standing = byGuide(await store.mends({ guides: guides.map(({ id }) => id), channels: own }));
  const dismissals = await store.dismissals();
  const failures = await store.lookupFailures();
  for (const guide of guides) {
    const dismissed = new Dismissed(dismissals.filter((one) => one.guide === guide.id));
    const mends = standing.get(guide.id) ?? new Standing([]);
    const ofGuide = (fault: StoredFault): OpenFault => ({ ...fault, guide: guide.id });
    const isOpen = (fault: StoredFault): boolean =>
      (scope.channel === null || fault.channel === scope.channel) && !mends.mends(fault) && !dismissed.has(fault);
    const late = new Map<string, StoredFault[]>();
    for (const failure of failures)
      if (failure.guide === guide.id && (scope.channel ?? failure.channel) === failure.channel)
        push(late, dayKey(failure.channel, failure.start), faultOf(failure));
    for await (const { channel, day, data } of store.faults(guide.id, { channels, days: scope.days })) {
      const key = `${channel} ${day}`;
      const found = [...unpackFaults(data), ...(late.get(key) ?? [])].filter(isOpen);
      late.delete(key);
      if (found.length > 0) yield found.map(ofGuide);
    }
    for (const rest of late.values()) {
      const found = rest.filter(isOpen);
      if (found.length > 0) yield found.map(ofGuide);
    }
    if (scope.days !== null) continue;
    const lineup = await lineupFaults(store, guide, mends);
    for (let at = 0; at < lineup.length; at += FAULTS_AT_ONCE) {
      await store.rest();
      const found = lineup.slice(at, at + FAULTS_AT_ONCE).filter(isOpen);
      if (found.length > 0) yield found.map(ofGuide);
    }
  }
}

/** They change with the lineup and with the guide: made anew where they are wanted. */
async function lineupFaults(
  store: GuideStore,
  { id, whole, programmes }: GuideRecord,
  mends: Standing,
): Promise<StoredFault[]> {
  const lineup = await store.lineup(id);
  if (lineup === null) return [];
  const channels = (await store.channels(id)).filter((channel) => channel.id !== '' || channel.declared);
  const known = new Set(channels.map((channel) => channel.id));
  const rest = (): Promise<void> => store.rest();
  const now = await inTurns(overlayingLineup(lineup.read, mends), rest);
  const faults = await inTurns(checkingLineup(now, channels, whole || programmes > 0), rest);
  return faults.map(({ type, where, code = null }) => ({
    ...{ type, code, where, channel: known.has(where) ? where : null, start: null, about: null, title: null },
  }));
}

const DAY = 86_400_000;
const dayKey = (channel: string, start: number | null): string =>
  `${channel} ${start === null ? null : Math.floor(start / DAY)}`;

/** Guide, channel and day of a fault. */
export const dayOf = ({ guide, channel, start }: OpenFault): string => `${guide} ${dayKey(channel ?? '', start)}`;

const faultOf = ({ where, channel, start, about, title, code }: LookupFailure): StoredFault => ({
  ...{ type: 'METADATA_LOOKUP_FAILURE', code, where, channel, start, about, title },
});

/** What a person said is as it should be. */
class Dismissed {
  readonly #faults = new Set<string>();
  readonly #titles = new Set<number>();
  readonly #types = new Set<string>();

  constructor(dismissals: readonly Dismissal[]) {
    for (const { of } of dismissals)
      if (of.kind === 'fault') this.#faults.add(faultKey(of));
      else if (of.kind === 'title') this.#titles.add(titleHash(of.title));
      else this.#types.add(`${of.type} ${of.channel}`);
  }

  has(fault: StoredFault): boolean {
    const { type, channel, title } = fault;
    return (
      this.#faults.has(faultKey(fault)) ||
      (title !== null && SAID_TYPES.includes(type) && this.#titles.has(title)) ||
      (channel !== null && this.#types.has(`${type} ${channel}`))
    );
  }
}

const faultKey = ({ type, code, where, channel, start }: Omit<StoredFault, 'about' | 'title'>): string =>
  JSON.stringify([type, code, start === null ? where : [channel, start]]);

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
