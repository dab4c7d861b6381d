/**
 * Lines about parts of drops that went to a lane of their own, one row of `meta` each, so that a reload does not forget
 * where files went. The files themselves are with the lane.
 */
import * as v from 'valibot';
import type { AccessionDb } from './db.ts';

const SENT = 'sent:';

const SentRowSchema = v.object({
  id: v.string(),
  /** Milliseconds. */
  at: v.number(),
  /** Id of the lane. */
  lane: v.string(),
  /** What went, in words: `12 files of "src"`. */
  about: v.string(),
  /** Below the origin. */
  path: v.string(),
  /** By what the lane takes it out again; null: there is no way back. */
  ids: v.nullable(v.array(v.string())),
  /** The drop's; null: it has none. */
  batch_id: v.nullable(v.string()),
  /** What its companions are called in the batch. */
  kind: v.string(),
});
export type SentRow = v.InferOutput<typeof SentRowSchema>;

/** In the order in which they were sent; a row that cannot be read is left out. */
export async function readSent(db: AccessionDb): Promise<SentRow[]> {
  const rows = await db.meta.where('key').startsWith(SENT).toArray();
  return rows
    .flatMap(({ value }) => {
      const row = v.safeParse(SentRowSchema, value);
      return row.success ? [row.output] : [];
    })
    .sort((a, b) => a.at - b.at);
}

export async function writeSent(db: AccessionDb, row: SentRow): Promise<void> {
  await db.meta.put({ key: SENT + row.id, value: row });
}

export async function forgetSent(db: AccessionDb, id: string): Promise<void> {
  await db.meta.delete(SENT + id);
}
