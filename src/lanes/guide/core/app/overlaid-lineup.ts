/** A lineup with what lies over it: other channels and numbers of its entries, entries left out, and entries of a person. */
import { atOnce, type Steps } from '#core/steps.ts';
import { foldWords } from '../faults/words/fold.ts';
import type { LineupEntry, ReadLineup } from '../lineup/read-lineup.ts';
import type { Standing } from './standing.ts';

/** Entries that are looked at in one go. */
const AT_ONCE = 500;

/** Fields of mends over a lineup, besides `EpgId` and `GuideNumber`. */
export const LEFT_OUT = 'left out';
/** Of a channel that the lineup does not have: its value is `12 Channel One`. */
export const ENTRY = 'entry';

/** What names an entry where its channel is not known: as a fault of it is placed. */
const entryName = ({ epgId, guideNumber, guideName }: LineupEntry): string => epgId ?? guideNumber ?? guideName;

/** What mends of each entry are placed by: its name, and of the second of one name `NAME (2)`. */
export function entryPlaces(entries: readonly LineupEntry[]): string[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const name = entryName(entry);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** Each entry as it is now; null: it is left out. In the order of the lineup. */
export const overlaidEntries = (entries: readonly LineupEntry[], standing: Standing): (LineupEntry | null)[] =>
  atOnce(overlayingEntries(entries, standing));

function* overlayingEntries(entries: readonly LineupEntry[], standing: Standing): Steps<(LineupEntry | null)[]> {
  const places = entryPlaces(entries);
  const all: (LineupEntry | null)[] = [];
  for (const [at, entry] of entries.entries()) {
    if (at % AT_ONCE === 0) yield;
    all.push(overlaid(entry, places[at] ?? '', standing));
  }
  return all;
}

function overlaid(entry: LineupEntry, where: string, standing: Standing): LineupEntry | null {
  const rows = standing.at({ channel: where, start: null, where }, null);
  const said = (field: string): string | null => rows.find((row) => row.field === field)?.after ?? null;
  if (said(LEFT_OUT) !== null) return null;
  return { ...entry, epgId: said('EpgId') ?? entry.epgId, guideNumber: said('GuideNumber') ?? entry.guideNumber };
}

/** A lineup with the mends that lie over it. */
export const overlaidLineup = (lineup: ReadLineup, standing: Standing): ReadLineup =>
  atOnce(overlayingLineup(lineup, standing));

export function* overlayingLineup(lineup: ReadLineup, standing: Standing): Steps<ReadLineup> {
  if (lineup.unreadable !== null || standing.isNothing) return lineup;
  const entries = (yield* overlayingEntries(lineup.entries, standing)).filter((entry) => entry !== null);
  return { entries: [...entries, ...(yield* addingEntries(entries, standing))], unreadable: null };
}

/** Those that the lineup has itself by now are not added. */
function* addingEntries(entries: readonly LineupEntry[], standing: Standing): Steps<LineupEntry[]> {
  const added = standing.of(ENTRY);
  if (added.length === 0) return [];
  const [ids, names] = [new Set<string | null>(), new Set<string>()];
  for (const [at, { epgId, guideName }] of entries.entries()) {
    if (at % AT_ONCE === 0) yield;
    ids.add(epgId);
    if (epgId === null) names.add(foldWords(guideName));
  }
  return added.flatMap(({ where: epgId, after }): LineupEntry[] => {
    const [, guideNumber = '', guideName = ''] = /^(\S+) (.*)$/su.exec(after) ?? [];
    if (ids.has(epgId) || names.has(foldWords(guideName))) return [];
    return [{ guideNumber, guideName, epgId, url: null }];
  });
}
