/** `rebuild_xmltv`: schedules derived anew, and the form of guides mended where only one thing can be meant. */
import { foldWords } from '../faults/words/fold.ts';
import type { ToolReport } from '../run/run.types.ts';
import type { ChannelRecord, StoredProgramme } from '../store/guide-records.ts';
import { timeText } from '../write/write-guide.ts';
import type { PlacedMend } from './fill.ts';
import type { OpenFault } from './open-faults.ts';
import { aboutOf } from './place.ts';
import type { AppContext, ToolSources } from './tool-sources.ts';

/** Faults, programmes or entries that are looked at in one go. */
const AT_ONCE = 100;

/** The next start is a stop where it is no further. */
const FURTHEST = 6 * 3_600_000;

export async function rebuild(context: AppContext): Promise<ToolReport> {
  const sources = await context.sources();
  const derived = await sources.world.derive();
  const faults = await context.faults();
  const mends: PlacedMend[] = [];
  const of = new Map<string, OpenFault[]>();
  for (const [at, fault] of faults.entries()) {
    if (at % AT_ONCE === 0) await sources.rest();
    mends.push(...formMends(fault));
    const own = of.get(fault.guide);
    if (own === undefined) of.set(fault.guide, [fault]);
    else own.push(fault);
  }
  for (const { id } of sources.guides) {
    const own = of.get(id) ?? [];
    for (const mend of await stopMends(sources, id, own)) mends.push(mend);
    for (const mend of await epgIds(sources, id, own)) mends.push(mend);
  }
  const filled = await context.fill(mends);
  return {
    changed: derived.changed + filled.changed,
    diff: [...derived.diff, ...filled.diff],
    skipped: [...derived.skipped, ...filled.skipped],
  };
}

/** What is written in its right form by every export. */
function formMends({ guide, where, channel, start, about, code }: OpenFault): PlacedMend[] {
  const place = { guide, where, channel: channel ?? '', start, about, source: 'form' };
  if (code === 'notvalid:order')
    return [
      {
        ...place,
        field: 'order',
        before: null,
        after: 'in order',
        reasons: ['it is written in the order that XMLTV has'],
      },
    ];
  if (code === 'duplicateid')
    return [
      {
        ...place,
        field: 'channel',
        before: null,
        after: 'once',
        reasons: ['what is said of the channel is put together'],
      },
    ];
  if (start === null) return [];
  if (code === 'missingtimezone' || code === 'invalidtimezone')
    return [
      {
        ...place,
        field: 'times',
        before: startOf(where, channel),
        after: timeText(start),
        reasons: ['read in the zone of its source, written in UTC'],
      },
    ];
  if (code === 'badstart')
    return [
      {
        ...place,
        field: 'start',
        before: startOf(where, channel),
        after: timeText(start),
        reasons: ['it is written as ISO 8601 has it'],
      },
    ];
  return [];
}

const startOf = (where: string, channel: string | null): string => where.slice((channel ?? '').length + 1);

/** A stop that is missing or impossible is the next start, where that is within six hours. */
async function stopMends(sources: ToolSources, guide: string, faults: readonly OpenFault[]): Promise<PlacedMend[]> {
  const bad = new Set(
    faults.flatMap(({ code, where }) => (code === 'badstop' || code === 'stop-before-start' ? [where] : [])),
  );
  const mends: PlacedMend[] = [];
  let of: { channel: string; before: StoredProgramme | null } = { channel: '', before: null };
  for await (const { channel, programmes } of sources.programmes(guide, true)) {
    if (of.channel !== channel) of = { channel, before: null };
    for (const [at, next] of byStart(programmes).entries()) {
      if (at % AT_ONCE === 0) await sources.rest();
      const { before } = of;
      if (before !== null && before.start !== next.start)
        mends.push(...stopOf(guide, channel, before, next.start, bad));
      of.before = next;
    }
  }
  return mends;
}

const byStart = (programmes: readonly StoredProgramme[]): (StoredProgramme & { start: number })[] =>
  programmes
    .flatMap((programme) => (programme.start === null ? [] : [{ ...programme, start: programme.start }]))
    .sort((a, b) => a.start - b.start || a.n - b.n);

function stopOf(
  guide: string,
  channel: string,
  { start, element }: StoredProgramme,
  next: number,
  bad: ReadonlySet<string>,
): PlacedMend[] {
  const { start: from = '', stop, channel: id = '' } = element.attributes;
  const where = `${id}@${from}`;
  if (start === null || next - start > FURTHEST || (stop !== undefined && !bad.has(where))) return [];
  const reasons = [
    stop === undefined
      ? 'it has no stop, and the next one begins then'
      : 'its stop is impossible, and the next one begins then',
  ];
  const about = aboutOf(element);
  return [
    {
      guide,
      channel,
      start,
      about,
      where,
      field: 'stop',
      before: stop ?? null,
      after: timeText(next),
      source: 'guide',
      reasons,
    },
  ];
}

/** The channel of an entry whose `EpgId` is none of the guide's, where exactly one fits by name or number. */
async function epgIds(sources: ToolSources, guide: string, faults: readonly OpenFault[]): Promise<PlacedMend[]> {
  const wrong = new Set(
    faults.flatMap(({ code, where }) => (code === 'lineup channel without guide data' ? [where] : [])),
  );
  const lineup = wrong.size === 0 ? null : await sources.lineup(guide);
  if (lineup === null) return [];
  const taken = new Set(lineup.read.entries.flatMap(({ epgId }) => (epgId === null ? [] : [epgId])));
  const free = new Map<string, Set<ChannelRecord>>();
  for (const [at, channel] of (await sources.channels(guide)).entries()) {
    if (at % AT_ONCE === 0) await sources.rest();
    if (channel.programmes > 0 && !taken.has(channel.id)) addNames(free, channel);
  }
  const mends: PlacedMend[] = [];
  for (const [at, { epgId, guideName, guideNumber }] of lineup.read.entries.entries()) {
    if (at % AT_ONCE === 0) await sources.rest();
    if (epgId === null || !wrong.has(epgId)) continue;
    const fits = fitting(free, [guideName, guideNumber, epgId]);
    const [only] = fits;
    if (only === undefined || fits.size > 1) continue;
    const place = { guide, channel: epgId, start: null, about: null, where: epgId };
    mends.push({
      ...place,
      field: 'EpgId',
      before: epgId,
      after: only.id,
      source: 'guide',
      reasons: ['the only channel of this name or number'],
    });
  }
  return mends;
}

/** By each of its names, folded. */
function addNames(free: Map<string, Set<ChannelRecord>>, channel: ChannelRecord): void {
  for (const name of [channel.id, ...channel.displayNames].map(foldWords))
    free.set(name, (free.get(name) ?? new Set()).add(channel));
}

/** The channels of one of these names; two are as good as many. */
function fitting(
  free: ReadonlyMap<string, ReadonlySet<ChannelRecord>>,
  names: readonly (string | null)[],
): Set<ChannelRecord> {
  const found = new Set<ChannelRecord>();
  for (const name of names) {
    const folded = name === null ? '' : foldWords(name);
    if (folded === '') continue;
    for (const channel of free.get(folded) ?? []) if (found.add(channel).size > 1) return found;
  }
  return found;
}
