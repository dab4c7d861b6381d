/** Takes mends back: of a run, or single ones. What changed since is refused, the rest goes in one transaction. */
import { failed } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { MendRow } from '../store/guide-records.ts';
import { EVERYTHING, type GuideStore } from '../store/guide-store.ts';
import { unpackProgrammes } from '../store/packed.ts';
import { aboutOf, slotOf } from './place.ts';
import { byGuide } from './standing.ts';

export interface Undone {
  undone: number;
  refused: { id: string; where: string; field: string; why: string }[];
}

export type UndoWish = { run: string } | { mends: readonly string[] };

/** Rows that are looked at in one go. */
const AT_ONCE = 200;

/** Throws AccessionError `not_found` where there is nothing of the run, or no such mend. */
export async function undoMends(store: GuideStore, wish: UndoWish, clock: Clock): Promise<Undone> {
  const wanted = await wantedRows(store, wish);
  if (wanted.length === 0)
    throw failed('not_found', 'There is nothing to take back: no such mend is there any more.', {
      remedy: 'The list of runs says which there are.',
    });
  const other = await otherProgrammes(store, wanted);
  const ids = new Set(wanted.map(({ id }) => id));
  const guides = [...new Set(wanted.map(({ guide }) => guide))];
  const now = clock.now();
  return store.changeMends({ guides, channels: null }, function* (rows) {
    const standing = byGuide(rows);
    const put: MendRow[] = [];
    const refused: Undone['refused'] = [];
    for (const [at, row] of rows.entries()) {
      if (at % AT_ONCE === 0) yield;
      if (!ids.has(row.id)) continue;
      const why = whyNot(row, standing.get(row.guide)?.at(row, row.about) ?? [], other);
      if (why === null) put.push({ ...row, undone_at: now });
      else refused.push({ id: row.id, where: row.where, field: row.field, why });
    }
    return { put, value: { undone: put.length, refused } };
  });
}

async function wantedRows(store: GuideStore, wish: UndoWish): Promise<MendRow[]> {
  if ('run' in wish) return store.mendsOfRun(wish.run);
  const ids = new Set(wish.mends);
  return (await store.mends({ guides: null, channels: null })).filter(({ id }) => ids.has(id));
}

function whyNot(row: MendRow, holds: readonly MendRow[], other: ReadonlySet<string>): string | null {
  if (row.undone_at !== null) return 'It was taken back already.';
  const now = holds.find(({ field }) => field === row.field);
  if (now !== undefined && now.id !== row.id)
    return now.tool === null ? 'A person has set the field since.' : 'The field was mended again since.';
  if (row.start !== null && other.has(`${row.guide} ${slotOf(row)}`)) return 'Another programme is there since.';
  return null;
}

/** Places at which the guide has another programme by now. */
async function otherProgrammes(store: GuideStore, rows: readonly MendRow[]): Promise<Set<string>> {
  const wanted = new Map<string, Map<string, MendRow>>();
  for (const row of rows) {
    if (row.start === null || row.about === null) continue;
    const of = wanted.get(row.guide) ?? new Map<string, MendRow>();
    wanted.set(row.guide, of.set(slotOf(row), row));
  }
  const other = new Set<string>();
  for (const [guide, slots] of wanted) {
    const channels = [...new Set([...slots.values()].map(({ channel }) => channel))];
    const same = new Set<string>();
    const met = new Set<string>();
    for await (const { channel, data } of store.programmes(guide, { ...EVERYTHING, channels }))
      for (const { start, element } of unpackProgrammes(data)) {
        const key = slotOf({ channel, start, where: '' });
        const row = start === null ? undefined : slots.get(key);
        if (row === undefined) continue;
        met.add(key);
        if (aboutOf(element) === row.about) same.add(key);
      }
    for (const key of met) if (!same.has(key)) other.add(`${guide} ${key}`);
  }
  return other;
}
