/**
 * PDFs of approved records, by their SHA-256, among the server's files: `documents/contents/ab/abc....pdf`.
 *
 *   noted as sent -> an upload, hashed as it arrives -> placed -> a record names it: the note goes
 *                                                              -> none does for a day: the file goes
 */
import { failed } from '#core/errors.ts';
import type { FileState } from '#core/ports.ts';
import { keyedLock } from '#server/keyed-lock.ts';
import { forgetDamage } from '#server/storage/damage.ts';
import { checksOf } from '#server/storage/file-check.ts';
import { lookToServe, watched, type ServedDeps } from '#server/storage/served-file.ts';
import { upsert } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { contentFile } from './content-file.ts';
import { namedContents } from './record-rows.ts';

/** What was sent and named by no record within this time is let go, milliseconds. */
const UNNAMED_MS = 86_400_000;

export interface DocumentContents {
  /** Bytes of the file, which is what its name says; null: it is not there, or damaged. */
  size(sha256: string): Promise<number | null>;
  /** There is the whole file afterwards. Throws AccessionError `hash_mismatch` where the bytes are others: nothing is kept. */
  put(sha256: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** What is served of it; `wrong`: it is gone or damaged, which is noted. */
  served(sha256: string): Promise<Served>;
  /** A record named these: they go unless another one does, now or at the next start. */
  noteUnnamed(tx: Tx, contents: readonly string[]): Promise<void>;
  /** Of these the ones go that no record names. What fails is logged: the next start does it. */
  letGo(contents: readonly string[]): Promise<void>;
  /** What was sent long ago and no record names. */
  sweep(): Promise<void>;
}

export type Served =
  | { wrong: 'gone' }
  | { wrong: 'damaged' }
  | { wrong: null; size: number; read(start: number, end: number): AsyncIterable<Uint8Array> };

export function documentContents(deps: ServedDeps): DocumentContents {
  const { blobs, store, clock, log } = deps;
  const one = keyedLock();

  async function right(sha256: string): Promise<FileState | null> {
    const { wrong, state } = await checksOf(blobs).check(contentFile(sha256));
    return wrong === null ? state : null;
  }

  async function place(sha256: string): Promise<number> {
    const file = contentFile(sha256);
    // In a transaction: nobody lets it go or mends it meanwhile, in whichever process.
    return store.write(async (tx) => {
      await upsert(tx, 'document_contents_sent', [{ sha256, sent_at: clock.now() }], { key: ['sha256'] });
      const there = await right(sha256);
      if (there !== null) return there.size;
      await blobs.setAside(file.path, file.root);
      await blobs.place(sha256, file.path, file.root);
      await forgetDamage(tx, file);
      const placed = await right(sha256);
      if (placed === null) throw failed('storage_failed', 'The PDF could not be kept.');
      return placed.size;
    });
  }

  async function remove(tx: Tx, contents: readonly string[]): Promise<void> {
    const named = await namedContents(tx, contents);
    for (const sha256 of contents) {
      await tx.deleteFrom('document_contents_sent').where('sha256', '=', sha256).execute();
      const { path, root } = contentFile(sha256);
      if (!named.has(sha256)) await blobs.remove(path, root);
    }
  }

  return {
    size: async (sha256) => (await right(sha256))?.size ?? null,
    put: (sha256, chunks) =>
      one.run(sha256, async () => {
        try {
          if (!(await blobs.putUpload(sha256, chunks)))
            throw failed('hash_mismatch', 'What arrived has another SHA-256 than its address says.');
          return await place(sha256);
        } finally {
          await blobs.removeUpload(sha256);
        }
      }),
    async served(sha256) {
      const file = contentFile(sha256);
      const { wrong, state } = await lookToServe(deps, file);
      if (wrong !== null) return { wrong: wrong === 'gone' ? 'gone' : 'damaged' };
      return { wrong, size: state.size, read: (start, end) => watched(deps, file, state, { start, end }) };
    },
    async noteUnnamed(tx, contents) {
      const named = await namedContents(tx, contents);
      const rows = [...new Set(contents)]
        .filter((sha256) => !named.has(sha256))
        .map((sha256) => ({ sha256, sent_at: 0 }));
      await upsert(tx, 'document_contents_sent', rows, { key: ['sha256'] });
    },
    async letGo(contents) {
      try {
        if (contents.length > 0) await store.write((tx) => remove(tx, contents));
      } catch (error) {
        log.warn('PDFs that no record names stay until the next start', { error: String(error) });
      }
    },
    sweep: () =>
      store.write(async (tx) => {
        const sent = tx.selectFrom('document_contents_sent').select('sha256');
        const old = await sent.where('sent_at', '<', clock.now() - UNNAMED_MS).execute();
        await remove(
          tx,
          old.map(({ sha256 }) => sha256),
        );
      }),
  };
}
