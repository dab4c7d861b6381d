/** What the browser took away (storage-loss.ts), until the person has read it. Apart, since the first page reads it. */
import * as v from 'valibot';
import type { AccessionDb } from '../db.ts';

export const LOSS_ROW = 'storage_loss';

const LossSchema = v.object({
  at: v.number(),
  /** Files that were worked on and whose stored copy is gone: how many, and the first by name. */
  files: v.number(),
  names: v.array(v.string()),
  /** Stored files of which nothing is known any more; they are kept until the person decides. */
  strays: v.array(v.object({ sha256: v.string(), size: v.number() })),
});
export type StorageLoss = v.InferOutput<typeof LossSchema>;

/** What is gone, or null. */
export async function readStorageLoss(db: AccessionDb): Promise<StorageLoss | null> {
  const parsed = v.safeParse(LossSchema, (await db.meta.get(LOSS_ROW))?.value);
  return parsed.success ? parsed.output : null;
}

/** The person knows. What is stored and named by nothing is freed as anything else. */
export async function leaveStorageLoss(db: AccessionDb): Promise<void> {
  await db.meta.delete(LOSS_ROW);
}

/** Stored files that wait for the person's word. */
export async function keptStrays(db: AccessionDb): Promise<string[]> {
  return (await readStorageLoss(db))?.strays.map(({ sha256 }) => sha256) ?? [];
}
