/** Fields that many messages have, and the two forms of a list. */
import * as v from 'valibot';

export const IdSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(128),
  v.regex(/^[\w.:-]+$/, 'an id has letters, digits and _ . : - only'),
);
export const Text = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max));
export const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a SHA-256 is 64 lower-case hex digits'));
export const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Milliseconds since the epoch. A clock may be wrong, but it counts whole ones. */
export const Time = v.pipe(v.number(), v.safeInteger());
export const Finite = v.pipe(v.number(), v.finite());
export const Ordinal = v.pipe(v.number(), v.integer(), v.minValue(1, 'counting begins with 1'), v.maxValue(9999));
export const Year = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9999)));

/** Lists are `{ items, next_cursor }`; `next_cursor` is null at the end. */
export function listOf<T extends v.GenericSchema>(item: T) {
  return v.object({ items: v.array(item), next_cursor: v.nullable(v.string()) });
}

/**
 * A page of a change feed. `op: put` carries the whole record as it is now, `delete` only the id. Cursors are opaque
 * strings; a client stores `next_cursor` and asks again until `items` is empty.
 * @param kind the kinds of records that the lane puts into this feed
 */
export function changesPageOf<K extends v.GenericSchema<unknown, string>>(kind: K) {
  return v.object({
    items: v.array(
      v.object({ kind, id: IdSchema, op: v.picklist(['put', 'delete']), record: v.nullable(v.unknown()) }),
    ),
    /** Pass back as `cursor`. Never null here: the feed has no end. */
    next_cursor: v.string(),
    /** True while more is there now. */
    more: v.boolean(),
    /** Changes when the server's catalog was replaced: the replica then starts over. */
    catalog_id: v.string(),
  });
}

/** What an import did with the rows of one list. */
export const ImportCountsSchema = v.object({ created: Count, updated: Count, unchanged: Count });
export type ImportCounts = v.InferOutput<typeof ImportCountsSchema>;
/** The answer of an import: what was done with each list, by its name. */
export type ImportResult = Record<string, ImportCounts>;
