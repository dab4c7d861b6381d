/** Whether a lineup and the guide's channels belong together. */
import { atOnce, type Steps } from '#core/steps.ts';
import type { ChannelSummary } from '../faults/check-guide.ts';
import { FaultList, type Fault } from '../faults/fault.ts';
import { foldWords } from '../faults/words/fold.ts';
import type { LineupEntry, ReadLineup } from './read-lineup.ts';

/** Entries, or channels, that are looked at in one go. */
const AT_ONCE = 200;

/** `5` or `5.1`. */
const NUMBER = /^\d+(?:\.\d+)?$/;

/** Finds the channel of an entry: by its `EpgId`, else by a display name that is its number, else by its name. */
class LineupMatcher {
  readonly #ids = new Map<string, ChannelSummary>();
  readonly #byText = new Map<string, ChannelSummary>();
  readonly #byName = new Map<string, ChannelSummary>();

  static *making(channels: readonly ChannelSummary[]): Steps<LineupMatcher> {
    const matcher = new LineupMatcher();
    for (const [at, channel] of channels.entries()) {
      if (at % AT_ONCE === 0) yield;
      matcher.#add(channel);
    }
    return matcher;
  }

  #add(channel: ChannelSummary): void {
    // One that only programmes name has guide data all the same.
    this.#ids.set(channel.id, channel);
    for (const name of channel.displayNames) {
      if (!this.#byText.has(name)) this.#byText.set(name, channel);
      const folded = foldWords(name);
      if (!this.#byName.has(folded)) this.#byName.set(folded, channel);
    }
  }

  channelOf({ epgId, guideNumber, guideName }: LineupEntry): ChannelSummary | null {
    if (epgId !== null) return this.#ids.get(epgId) ?? null;
    const byNumber = guideNumber === null || guideNumber === '' ? undefined : this.#byText.get(guideNumber);
    const name = foldWords(guideName);
    return byNumber ?? (name === '' ? undefined : this.#byName.get(name)) ?? null;
  }
}

/**
 * @param isComplete false where the guide breaks off before its programmes: then channels may be missing that it has
 */
export const checkLineup = (lineup: ReadLineup, channels: readonly ChannelSummary[], isComplete: boolean): Fault[] =>
  atOnce(checkingLineup(lineup, channels, isComplete));

export function* checkingLineup(
  { entries, unreadable }: ReadLineup,
  channels: readonly ChannelSummary[],
  isComplete: boolean,
): Steps<Fault[]> {
  const faults = new FaultList();
  if (unreadable !== null) {
    faults.add('LINEUP_MISMATCH', 'document', 'unreadable lineup');
    return faults.all;
  }
  const matcher = yield* LineupMatcher.making(channels);
  const listed = new Set<string>();
  const numbers = new Set<string>();
  const ids = new Set<string>();
  for (const [at, entry] of entries.entries()) {
    if (at % AT_ONCE === 0) yield;
    const { epgId, guideNumber, guideName } = entry;
    const channel = matcher.channelOf(entry);
    const where = epgId ?? channel?.id ?? guideNumber ?? guideName;
    if (channel !== null) listed.add(channel.id);
    if (isComplete && channel === null) faults.add('LINEUP_MISMATCH', where, 'lineup channel without guide data');
    if (guideNumber !== null) {
      if (!NUMBER.test(guideNumber)) faults.add('LINEUP_MISMATCH', where, 'bad GuideNumber');
      if (guideNumber !== '' && numbers.has(guideNumber)) faults.add('LINEUP_MISMATCH', where, 'duplicate GuideNumber');
      numbers.add(guideNumber);
    }
    if (guideName === '') faults.add('LINEUP_MISMATCH', where, 'empty GuideName');
    if (epgId === null) continue;
    if (ids.has(epgId)) faults.add('LINEUP_MISMATCH', where, 'duplicate EpgId');
    ids.add(epgId);
  }
  for (const { id, declared, programmes } of channels)
    if (declared && programmes > 0 && !listed.has(id))
      faults.add('LINEUP_MISMATCH', id, 'channel has guide data, not in lineup');
  return faults.all;
}
