/** How PDFs of approved records are verified, mended and given up (server/storage/). */
import { writeAudit } from '#server/audit/audit.ts';
import type { LaneKeeping, NamedKeptFile } from '#server/lane-server.ts';
import { appendChanges } from '#server/store/feed.ts';
import { chunks } from '#server/store/rows.ts';
import type { Reader } from '#server/store/schema.ts';
import { DOCUMENT_KIND } from '../core/share/shared-document.ts';
import { contentFile, contentOfPath } from './content-file.ts';
import { namedContents, sharedWith } from './record-rows.ts';

/** Rows that are read at once. */
const ROWS = 500;

/** Every PDF that records name, by its SHA-256. */
export async function* keptContents(db: Reader, after?: { path: string }): AsyncGenerator<NamedKeptFile> {
  for (let behind = (after && contentOfPath(after.path)) ?? ''; ;) {
    const all = db.selectFrom('document_records').select('content_sha256').distinct();
    const page = all.where('content_sha256', '>', behind).orderBy('content_sha256').limit(ROWS);
    const rows = await page.execute();
    for (const { content_sha256: sha256 } of rows) if (sha256 !== null) yield contentFile(sha256);
    const last = rows.at(-1)?.content_sha256 ?? null;
    if (last === null) return;
    behind = last;
  }
}

export const documentsKeeping: LaneKeeping = {
  roots: ['documents/contents'],
  fed: { [DOCUMENT_KIND]: 'document_records' },

  async named(db, root, paths) {
    if (root !== 'documents/contents') return new Set();
    const contents = paths.flatMap((path) => contentOfPath(path) ?? []);
    const named = await namedContents(db, contents);
    for (const part of chunks(contents)) {
      const sent = db.selectFrom('document_contents_sent').select('sha256').where('sha256', 'in', part);
      for (const { sha256 } of await sent.execute()) named.add(sha256);
    }
    return new Set([...named].map((sha256) => contentFile(sha256).path));
  },

  names: async (db, { root, sha256 }) => root === 'documents/contents' && (await namedContents(db, [sha256])).size > 0,

  async giveUp(tx, { path, sha256 }, { at, by }) {
    const titles: string[] = [];
    for (const record of await sharedWith(tx, sha256)) {
      const row = { content_sha256: null, record: JSON.stringify({ ...record, content: null }) };
      await tx.updateTable('document_records').set(row).where('id', '=', record.id).execute();
      await appendChanges(tx, [{ kind: DOCUMENT_KIND, entity_id: record.id }]);
      const details = { title: record.title, path, sha256 };
      await writeAudit(tx, { at, user_id: by, action: 'document.content_lost', entity_id: record.id, details });
      titles.push(`"${record.title}"`);
    }
    return `${titles.join(', ')} has no PDF here now: approve it again where the PDF is.`;
  },

  contradictions: () => Promise.resolve([]),
  async *searched() {
    // Documents are found in the library.
  },
};
