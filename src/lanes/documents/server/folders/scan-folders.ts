/**
 * Scans the folders of `[documents]`, one at a time, in a process beside the server, so that reading holds up nobody:
 *
 *   waiting --its turn--> scanning --all lines came--> scanned --a day later at a start, or a press--> waiting
 *                                  --it ended otherwise--> failed: what was known before stays
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import * as v from 'valibot';
import { messageOf } from '#core/errors.ts';
import type { LaneUsing } from '#server/lane-server.ts';
import { chunks, upsert } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import { FolderDocumentSchema, type DocumentFolder } from '../../core/folders/folder-document.ts';
import type { DocumentFolderFileTable, DocumentFolderTable } from '../tables.ts';

/** Scans one folder: `line` gets each document as JSON. Answers why it failed, a sentence, or null. */
export type ScanProgram = (path: string, line: (text: string) => void, stop: AbortSignal) => Promise<string | null>;

/** Of a scan; what is older is scanned again when the server starts. Milliseconds. */
const FRESH_MS = 86_400_000;

const LineSchema = v.pipe(v.string(), v.parseJson(), FolderDocumentSchema);

export const folderId = (path: string): string => `df_${createHash('sha256').update(path).digest('hex').slice(0, 20)}`;

export const folderAnswer = ({ path, ...row }: DocumentFolderTable): DocumentFolder => ({
  ...row,
  name: basename(path),
  scanned_at: row.scanned_at === null ? null : Number(row.scanned_at),
});

export const foldersOf = (db: Reader): Promise<DocumentFolderTable[]> =>
  db.selectFrom('document_folders').selectAll().orderBy('path').execute();

/** It waits for its turn, unless it is under way. */
export async function wantScan(tx: Tx, id: string): Promise<void> {
  const rows = tx.updateTable('document_folders').set({ state: 'waiting' }).where('id', '=', id);
  await rows.where('state', '<>', 'scanning').execute();
}

export interface FolderScans {
  /** The folders that accession.toml names are there, no others; what is old waits for its turn. */
  name(paths: readonly string[]): Promise<void>;
  /** A folder waits for its turn. */
  wake(): void;
  begin(): void;
  close(): Promise<void>;
}

export function folderScans(
  { store, clock, log }: Pick<LaneUsing, 'store' | 'clock' | 'log'>,
  program: ScanProgram,
): FolderScans {
  const stop = new AbortController();
  let work = Promise.resolve();
  let isServing = false;

  async function name(paths: readonly string[]): Promise<void> {
    const rows = paths.map((path) => ({ id: folderId(path), path }));
    const ids = rows.map(({ id }) => id);
    await store.write(async (tx) => {
      const known = new Map((await foldersOf(tx)).map((row) => [row.id, row]));
      const gone = [...known.keys()].filter((id) => !ids.includes(id));
      for (const part of chunks(gone)) {
        await tx.deleteFrom('document_folder_files').where('folder_id', 'in', part).execute();
        await tx.deleteFrom('document_folders').where('id', 'in', part).execute();
      }
      const now = rows.map(({ id, path }): DocumentFolderTable => {
        const before = known.get(id);
        const isFresh = before?.state === 'scanned' && clock.now() - Number(before.scanned_at ?? 0) < FRESH_MS;
        const { why = null, documents = 0, scanned_at = null } = before ?? {};
        return { id, path, why, documents, scanned_at, state: isFresh ? 'scanned' : 'waiting' };
      });
      await upsert(tx, 'document_folders', now);
    });
  }

  async function scan({ id, path }: DocumentFolderTable): Promise<void> {
    await set(id, { state: 'scanning' });
    const found = new Map<string, DocumentFolderFileTable>();
    const line = (text: string): void => {
      const { success, output } = v.safeParse(LineSchema, text);
      if (success) found.set(output.path, { folder_id: id, path: output.path, record: JSON.stringify(output) });
    };
    const why = await program(path, line, stop.signal).catch((error: unknown) => messageOf(error));
    if (stop.signal.aborted) return set(id, { state: 'waiting' });
    if (why !== null) {
      log.warn('a folder of documents could not be scanned', { path, why });
      return set(id, { state: 'failed', why });
    }
    const rows = [...found.values()];
    await store.write(async (tx) => {
      await tx.deleteFrom('document_folder_files').where('folder_id', '=', id).execute();
      await upsert(tx, 'document_folder_files', rows, { key: ['folder_id', 'path'] });
      const now = { state: 'scanned', why: null, documents: rows.length, scanned_at: clock.now() } as const;
      await tx.updateTable('document_folders').set(now).where('id', '=', id).execute();
    });
  }

  const set = (id: string, row: Partial<DocumentFolderTable>): Promise<void> =>
    store.write(async (tx) => {
      await tx.updateTable('document_folders').set(row).where('id', '=', id).execute();
    });

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      const next = (await foldersOf(store.db)).find(({ state }) => state === 'waiting');
      if (next === undefined) return;
      await scan(next);
    }
  }

  const begin = (): void => {
    isServing = true;
    work = work.then(run).catch((error: unknown) => log.warn('folders could not be scanned', { error: String(error) }));
  };

  return {
    name,
    begin,
    wake: () => (isServing ? begin() : undefined),
    async close() {
      stop.abort();
      await work;
    },
  };
}
