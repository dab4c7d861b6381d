/** Writes mends over what sources say: what is filled already, or was taken back by a person, is left. */
import type { Clock, Ids } from '#core/ports.ts';
import type { GuideToolName, Mend, SkippedMend, ToolReport } from '../run/run.types.ts';
import type { MendRow } from '../store/guide-records.ts';
import type { GuideStore } from '../store/guide-store.ts';
import { byGuide, Standing } from './standing.ts';

/** A mend with the programme that it is of. */
export interface PlacedMend extends Mend {
  guide: string;
  channel: string;
  start: number | null;
  about: number | null;
}

/** Who fills. */
export interface Filler {
  tool: GuideToolName | null;
  run: string | null;
}

/** Mends that are looked at in one go. */
const AT_ONCE = 200;

/** In one transaction. The second time it changes nothing. */
export async function fillMends(
  store: GuideStore,
  mends: readonly PlacedMend[],
  { tool, run }: Filler,
  { clock, ids }: { clock: Clock; ids: Ids },
): Promise<ToolReport> {
  if (mends.length === 0) return { changed: 0, diff: [], skipped: [] };
  const now = clock.now();
  const named = mends.map((mend) => ({ mend, id: ids.next() }));
  const guides = [...new Set(mends.map(({ guide }) => guide))];
  return store.changeMends({ guides, channels: null }, function* (rows) {
    const standing = byGuide(rows);
    const none = new Standing([]);
    const put: MendRow[] = [];
    const skipped: SkippedMend[] = [];
    const done = new Set<string>();
    for (const [at, { mend, id }] of named.entries()) {
      if (at % AT_ONCE === 0) yield;
      const { guide, where, field, about, after } = mend;
      const of = standing.get(guide) ?? none;
      const slot = JSON.stringify([guide, mend.channel, mend.start, mend.start === null ? where : '', field]);
      const holds = of.at(mend, about).find((row) => row.field === field);
      const skip = (why: string): void => void skipped.push({ where, field, why });
      if (done.has(slot)) continue;
      if (holds !== undefined && tool !== null) {
        if (holds.after !== after)
          skip(holds.tool === null ? 'A person has set it.' : `It is filled with "${holds.after}" already.`);
        continue;
      }
      if (holds?.tool === null && holds.after === after) continue;
      if (tool !== null && of.takenBack(mend, about).some((row) => row.field === field && row.after === after)) {
        skip('A person took the same back.');
        continue;
      }
      done.add(slot);
      put.push({ ...mend, schema_version: 1, id, tool, run, at: now, undone_at: null });
    }
    const diff = put.map(({ where, field, before, after, source, reasons }): Mend => {
      return { where, field, before, after, source, reasons };
    });
    return { put, value: { changed: put.length, diff, skipped } };
  });
}
