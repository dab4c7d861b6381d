/** Folders of the server that `[documents]` names: their documents as they were scanned, and plans over them. */
import * as v from 'valibot';
import { inParts, json, paged, route, type Route } from '#server/api/route.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { keyedOnce } from '#server/http/mutate.ts';
import { proposed } from '#server/plans/plans.route.ts';
import { openBelow } from '#server/http/folder-file.ts';
import { HttpError } from '#server/http/http-error.ts';
import { pageOf, readLimit, readPlace } from '#server/http/page.ts';
import { rangedFile } from '#server/http/ranged.ts';
import type { Reader } from '#server/store/schema.ts';
import {
  DecidedFolderSchema,
  DecideFolderSchema,
  DocumentFolderSchema,
  DocumentFoldersSchema,
  FolderDocumentsSchema,
} from '../../core/folders/folder-document.ts';
import type { DocumentFolderTable } from '../tables.ts';
import { planFolder, StoredDocumentSchema } from './plan-folder.ts';
import { folderAnswer, foldersOf, wantScan, type FolderScans } from './scan-folders.ts';

const PDF = 'application/pdf';
/** Bytes: two thousand decisions with their records. */
const MAX_DECIDED = 4 * 1024 * 1024;
const EDIT = { scope: 'EditCatalog', tag: 'Documents' } as const;

/** @param scans null: the server is not open, its routes alone are wanted */
export function folderRoutes(deps: CatalogDeps, scans: FolderScans | null): Route[] {
  const { store } = deps;
  return [
    route('GET /v1/documents/folders', {
      ...EDIT,
      summary: 'The folders of documents that accession.toml names, and how far each is scanned.',
      replies: { 200: json(DocumentFoldersSchema, 'The folders.') },
      async answer(c) {
        return c.json({ items: (await foldersOf(store.db)).map(folderAnswer) });
      },
    }),
    route('POST /v1/documents/folders/:folder/scan', {
      ...EDIT,
      summary: 'Have the folder scanned again now.',
      idempotent: true,
      replies: { 202: json(DocumentFolderSchema, 'The folder; it is scanned in its turn.') },
      failures: [404],
      async answer(c) {
        const { id } = await folderOf(store.db, c.req.param('folder'));
        const row = await store.write(async (tx) => {
          await wantScan(tx, id);
          return folderOf(tx, id);
        });
        scans?.wake();
        return c.json(folderAnswer(row), 202);
      },
    }),
    route('GET /v1/documents/folders/:folder/documents', {
      ...EDIT,
      summary: 'The documents of a folder by path: what each is, how sure that is, and the evidence.',
      query: paged(200, 1000),
      replies: { 200: json(FolderDocumentsSchema, 'A page of documents.') },
      failures: [404],
      async answer(c) {
        const { id } = await folderOf(store.db, c.req.param('folder'));
        const limit = readLimit(c, 200, 1000);
        const after = String(readPlace(c)?.[1] ?? '');
        const all = store.db.selectFrom('document_folder_files').selectAll().where('folder_id', '=', id);
        const rows = await all
          .where('path', '>', after)
          .orderBy('path')
          .limit(limit + 1)
          .execute();
        const { page, next_cursor } = pageOf(rows, limit, ({ path }) => ['', path]);
        return c.json({ items: page.map(({ record }) => v.parse(StoredDocumentSchema, record)), next_cursor });
      },
    }),
    route('POST /v1/documents/folders/:folder/plan', {
      ...EDIT,
      summary: 'Plan what is written into documents of the folder, skipped or removed. Nothing is changed by it.',
      description:
        'POST /api/updatePlan with the plan and `previewHash` carries it out: all of it or nothing. POST /v1/plans/:id/undo takes it back.',
      body: DecideFolderSchema,
      replies: { 201: json(DecidedFolderSchema, 'The plan, which is pending.') },
      failures: [404, 409],
      maxBody: MAX_DECIDED,
      idempotent: 'key',
      answer: (c) =>
        keyedOnce(c, deps, DecideFolderSchema, async (wish, { user_id }) => {
          const folder = await folderOf(store.db, c.req.param('folder'));
          const made = await planFolder(deps, folder, wish, user_id);
          return { status: 201, body: made, audit: proposed(made.planId, folder.path) };
        }),
    }),
    route('GET /v1/documents/folders/:folder/content', {
      ...EDIT,
      summary: 'A PDF of the folder as it lies there, whole or in part.',
      query: { path: { description: 'Below the folder.', schema: v.string() } },
      ...inParts(PDF),
      failures: [404, 416],
      async answer(c) {
        const folder = await folderOf(store.db, c.req.param('folder'));
        const path = c.req.query('path') ?? '';
        const known = store.db.selectFrom('document_folder_files').select('path').where('folder_id', '=', folder.id);
        const isKnown = (await known.where('path', '=', path).executeTakeFirst()) !== undefined;
        const file = isKnown && /\.pdf$/i.test(path) ? await openBelow(folder.path, path) : null;
        if (file === null) throw new HttpError('not_found', 'The folder has no such PDF.');
        return rangedFile(c, PDF, file);
      },
    }),
  ];
}

async function folderOf(db: Reader, id: string): Promise<DocumentFolderTable> {
  const row = await db.selectFrom('document_folders').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new HttpError('not_found', `There is no folder "${id.slice(0, 100)}" of documents.`);
  return row;
}
