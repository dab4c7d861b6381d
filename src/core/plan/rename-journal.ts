/**
 * The journal of a rename: what is about to be done is written down before it is done, so that from any instant there
 * is a way to all files as before or all files as planned.
 *
 *   begin -> forward --every step done--> end(done) --undo--> back --> end(undone)
 *               |  a step failed, cancelled,                   |  a step failed
 *               v  or found by recovery                        v
 *             back -> end(rolled-back)                       forward -> end(done)
 *
 * Version 1: the first.
 */
import * as v from 'valibot';
import { RenameEntrySchema } from './plan.ts';

const Time = v.number();
const Index = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Paths are below the folder, as the tree spells them. */
export const RenameStepSchema = v.variant('do', [
  v.object({ do: v.literal('make'), path: v.string() }),
  v.object({
    do: v.literal('move'),
    /** Index in the plan's `files`. A row has two moves when it goes through a temporary name. */
    row: Index,
    from: v.string(),
    to: v.string(),
    /** Bytes and change time (milliseconds; 0 unknown) of the file when it was read. */
    size: v.number(),
    modified: v.number(),
  }),
  /**
   * Another content for a file, which begins with the one it had: `added` (hexadecimal) comes behind it, and goes again when
   * it is taken back. What the file is, is known by its SHA-256 (lower-case hex).
   */
  v.object({
    do: v.literal('replace'),
    row: Index,
    path: v.string(),
    before: v.object({ size: v.number(), sha256: v.string() }),
    after: v.object({ size: v.number(), sha256: v.string() }),
    modified: v.number(),
    added: v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2})+$/)),
  }),
  /** `must`: what follows needs it gone. Otherwise a directory that is not empty after all just stays. */
  v.object({ do: v.literal('remove'), path: v.string(), must: v.boolean() }),
]);
export type RenameStep = v.InferOutput<typeof RenameStepSchema>;
export type MoveStep = Extract<RenameStep, { do: 'move' }>;
export type ReplaceStep = Extract<RenameStep, { do: 'replace' }>;

export const JournalHeadSchema = v.object({
  schemaVersion: v.literal(1),
  id: v.string(),
  /** Names the folder for locks and recovery: the same for every tree over the same folder, and for no other. */
  root: v.string(),
  plan: v.object({
    id: v.string(),
    /** `previewHash` of the plan that was confirmed. */
    hash: v.string(),
    mediaFolderPath: v.string(),
    files: v.array(RenameEntrySchema),
  }),
  steps: v.array(RenameStepSchema),
  started_at: Time,
  /** Who confirmed it, for the history. */
  started_by: v.string(),
});
export type JournalHead = v.InferOutput<typeof JournalHeadSchema>;

export const JOURNAL_ENDS = ['done', 'rolled-back', 'undone', 'abandoned'] as const;

export const JournalRecordSchema = v.variant('kind', [
  /** From here on steps are done (`forward`) or taken back, last first (`back`). A journal begins `forward`. */
  v.object({ kind: v.literal('turn'), to: v.picklist(['forward', 'back']), at: Time, by: v.string(), why: v.string() }),
  /** Written before the step of this index is done or taken back. */
  v.object({ kind: v.literal('intent'), step: Index }),
  /** Written after it; of a move and of another content with what the file is now. */
  v.object({
    kind: v.literal('done'),
    step: Index,
    size: v.optional(v.number()),
    modified: v.optional(v.number()),
    /** Of a directory: false when there was nothing to make or remove. */
    changed: v.optional(v.boolean()),
  }),
  v.object({ kind: v.literal('end'), result: v.picklist(JOURNAL_ENDS), at: Time, note: v.string() }),
]);
export type JournalRecord = v.InferOutput<typeof JournalRecordSchema>;
export type JournalEnd = (typeof JOURNAL_ENDS)[number];

export interface Journal {
  head: JournalHead;
  records: JournalRecord[];
}

/**
 * Where journals are kept. Adapters: memory, IndexedDB in a browser, files in Node. Each call is durable when it
 * resolves.
 */
export interface JournalStore {
  /**
   * Makes the caller the only one that renames under `root`, until it releases it or its process or page ends, however
   * it ends (Web Locks, a lock of the operating system). Null when somebody else has it.
   */
  hold(root: string): Promise<(() => Promise<void>) | null>;
  /** Throws AccessionError `conflict` where there is a journal of this id. */
  begin(head: JournalHead): Promise<void>;
  /**
   * Adds records, in this order; after a crash all of them are there, or the first few. Throws `not_found` where there
   * is no such journal.
   */
  append(id: string, records: readonly JournalRecord[]): Promise<void>;
  /** Oldest first: all of a root, all of a plan, or all. What is asked for is what the fields say, together. */
  list(of?: { root?: string; planId?: string }): Promise<Journal[]>;
}
