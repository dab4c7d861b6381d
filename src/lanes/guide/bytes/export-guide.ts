/** Writes a guide anew, with what evidence fills: two passes over its source, one programme in memory. */
import { GuideChecker, type CheckedGuide } from '#lanes/guide/core/faults/check-guide.ts';
import type { Fault } from '#lanes/guide/core/faults/fault.ts';
import { newElement, type GuideElement } from '#lanes/guide/core/read/element.ts';
import { Evidence, fillsOf, type Fill } from '#lanes/guide/core/repair/mend-guide.ts';
import type { ShowIndex } from '#lanes/guide/core/repair/show-catalog.ts';
import type { Zone } from '#lanes/guide/core/times/local-time.ts';
import { readAnyTime } from '#lanes/guide/core/times/read-iso-time.ts';
import { channelsTogether, channelToWrite, headOf, programmeText, TAIL } from '#lanes/guide/core/write/write-guide.ts';
import { readGuide, type GuideBytes } from './read-guide.ts';

export interface ExportOptions {
  zone: Zone | null;
  /** Fill what evidence proves; null: write it as it is. `shows`: null without a catalog. */
  mend: { shows: ShowIndex | null } | null;
}

export interface Exported {
  checked: CheckedGuide;
  fills: Fill[];
  /** Programmes that were left out: no start that can be read, or no channel. */
  left: number;
}

/** `open` is called twice; `write` gets the document a piece at a time. */
export async function exportGuide(
  open: () => Promise<GuideBytes>,
  { zone, mend }: ExportOptions,
  write: (text: string) => Promise<void>,
): Promise<Exported> {
  const checker = new GuideChecker(zone);
  const evidence = new Evidence();
  const channels = new Map<string, GuideElement>();
  const undeclared = new Set<string>();
  let attributes: Readonly<Record<string, string>> = {};
  const read = await readGuide(await open(), {
    tv: (of) => void (attributes = of),
    channel(element, codes) {
      checker.channel(element, codes);
      const { id } = element.attributes;
      const known = id === undefined ? undefined : channels.get(id);
      if (id !== undefined) channels.set(id, known === undefined ? element : channelsTogether(known, element));
    },
    programme(element, codes) {
      checker.programme(element, codes);
      if (mend !== null) evidence.add(element);
      const { channel, start = '' } = element.attributes;
      if (channel !== undefined && !channels.has(channel) && readAnyTime(start, zone) !== null) undeclared.add(channel);
    },
  });
  const checked = checker.end(read);
  for (const id of undeclared) if (!channels.has(id)) channels.set(id, newElement('channel', { id }));
  const faults = faultTypes(checked.faults);
  await write(
    headOf(
      attributes,
      [...channels.values()].map(channelToWrite).filter((channel) => channel !== null),
    ),
  );
  const fills: Fill[] = [];
  let left = 0;
  let pieces: string[] = [];
  const again = {
    channel: () => undefined,
    programme(element: GuideElement): void {
      const { channel = '', start = '' } = element.attributes;
      const where = `${channel}@${start}`;
      const types = faults.get(where);
      const filled = mend === null || types === undefined ? [] : fillsOf(element, where, types, evidence, mend.shows);
      const text = programmeText(element, filled, zone);
      if (text === null) left++;
      else {
        pieces.push(text);
        fills.push(...filled);
      }
    },
  };
  await readGuide(await open(), again, {
    async afterPiece() {
      const text = pieces.join('');
      pieces = [];
      if (text !== '') await write(text);
    },
  });
  await write(pieces.join('') + TAIL);
  return { checked, fills, left };
}

function faultTypes(faults: readonly Fault[]): Map<string, Set<Fault['type']>> {
  const types = new Map<string, Set<Fault['type']>>();
  for (const { type, where } of faults) {
    const known = types.get(where);
    if (known === undefined) types.set(where, new Set([type]));
    else known.add(type);
  }
  return types;
}
