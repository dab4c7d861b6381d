import * as v from 'valibot';
import type { Context } from 'hono';
import { sql } from 'kysely';
import {
  LibraryAnswerSchema,
  LibrarySearchSchema,
  ServerFileSchema,
  ServerFilesSchema,
  ServerFolderSchema,
  ServerFoldersSchema,
  ServerSymbolsSchema,
  type ServerFolder,
} from '#lanes/library/core/server-library.ts';
import { readAsked } from '#lanes/library/core/documents/asked-documents.ts';
import { inParts, json, paged, route, type Route } from '#server/api/route.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import { rangedFile } from '#server/http/ranged.ts';
import { pageOf, readLimit, readPlace } from '#server/http/page.ts';
import { folderOf, foldersOf } from './folders.ts';
import { openPdfOf } from './file-content.ts';
import { fileAnswer, readServerFile } from './read-file.ts';
import { findFolderSymbols, searchFolders } from './search-folders.ts';
import { vectorOf } from './question-vector.ts';
import type { LibraryFileTable, LibraryFolderTable } from './tables.ts';

/** Bytes of a question with its folders. */
const MAX_QUESTION_BODY = 64 * 1024;

const PDF = 'application/pdf';
const READ = { scope: 'ReadCatalog', tag: 'Library' } as const;

/** /v1/library: the server's folders, their files, and passages of them. To who may not read a folder it is not there. */
export function libraryRoutes({ store, clock, broker }: Pick<CatalogDeps, 'store' | 'clock' | 'broker'>): Route[] {
  return [
    route('GET /v1/library/folders', {
      ...READ,
      summary: 'The folders of the library that the caller may read, by name.',
      replies: { 200: json(ServerFoldersSchema, 'The folders.') },
      async answer(c) {
        const rows = await foldersOf(store.db, c.var.principal);
        return c.json({ items: rows.map((row) => folderAnswer(row, clock.now())) });
      },
    }),
    route('GET /v1/library/folders/:folder', {
      ...READ,
      summary: 'A folder: how far it is read, what was left out.',
      replies: { 200: json(ServerFolderSchema, 'The folder.') },
      failures: [404],
      async answer(c) {
        return c.json(folderAnswer(await folderOf(store.db, c.var.principal, c.req.param('folder')), clock.now()));
      },
    }),
    route('POST /v1/library/folders/:folder/scan', {
      scope: 'EditCatalog',
      tag: 'Library',
      summary: 'Have the folder looked through for changes now.',
      idempotent: true,
      replies: { 202: json(ServerFolderSchema, 'The folder; whoever indexes here takes it next.') },
      failures: [404],
      async answer(c) {
        const { id } = await folderOf(store.db, c.var.principal, c.req.param('folder'));
        const row = await store.write(async (tx) => {
          await tx.updateTable('library_folders').set({ due_at: clock.now() }).where('id', '=', id).execute();
          return folderOf(tx, c.var.principal, id);
        });
        return c.json(folderAnswer(row, clock.now()), 202);
      },
    }),
    route('GET /v1/library/folders/:folder/files', {
      ...READ,
      summary: 'The files of a folder by path: who read each, its chunks and warnings, and why one could not be read.',
      query: {
        ...paged(200, 1000),
        q: { description: 'Part of the path, in any case.', schema: v.string() },
      },
      replies: { 200: json(ServerFilesSchema, 'A page of files.') },
      failures: [404],
      async answer(c) {
        const { id } = await folderOf(store.db, c.var.principal, c.req.param('folder'));
        const limit = readLimit(c, 200, 1000);
        const rows = await filesOf(c, store.db, id, limit);
        const { page, next_cursor } = pageOf(rows, limit, ({ path }) => ['', path]);
        return c.json({ items: page.map(fileAnswer), next_cursor });
      },
    }),
    route('GET /v1/library/folders/:folder/file', {
      ...READ,
      summary: 'A file as it was read: its text, and its chunks with their lines.',
      query: { path: { description: 'Below the folder.', schema: v.string() } },
      replies: { 200: json(ServerFileSchema, 'The file.') },
      failures: [404],
      async answer(c) {
        const { id } = await folderOf(store.db, c.var.principal, c.req.param('folder'));
        const file = await readServerFile(store.db, id, c.req.query('path') ?? '');
        if (file === null) throw new HttpError('not_found', 'The folder has no such file that was read.');
        return c.json(file);
      },
    }),
    route('GET /v1/library/folders/:folder/content', {
      ...READ,
      summary: 'A PDF of the folder as it lies there, whole or in part.',
      query: { path: { description: 'Below the folder.', schema: v.string() } },
      ...inParts(PDF),
      failures: [404, 416],
      async answer(c) {
        const folder = await folderOf(store.db, c.var.principal, c.req.param('folder'));
        const file = await openPdfOf(store.db, folder, c.req.query('path') ?? '');
        if (file === null) throw new HttpError('not_found', 'The folder has no such PDF.');
        return rangedFile(c, PDF, file);
      },
    }),
    route('POST /v1/library/search', {
      ...READ,
      summary: 'Passages of the folders that the caller may read, best first.',
      description:
        'Passages of at most 1,500 characters around the sentences, or lines of code, that answer best. Without a model for embeddings, and until all passages have their vectors, `vector` and `hybrid` are answered as `bm25`, and `note` says so. `author:`, `year:` and `doi:` in the question choose documents, by their manifest or what they say of themselves, and `metadata` says which one a passage is of.',
      idempotent: true,
      body: LibrarySearchSchema,
      maxBody: MAX_QUESTION_BODY,
      replies: { 200: json(LibraryAnswerSchema, 'The passages.') },
      failures: [404],
      async answer(c) {
        const { value } = await readBody(c, LibrarySearchSchema);
        const { principal } = c.var;
        const words = { ...value, query: readAsked(value.query).words };
        const { vector, note } = await vectorOf({ store, broker }, principal, words, c.req.raw.signal);
        const items = await searchFolders(store, principal, value, vector);
        return c.json({ items, profile: vector?.profile ?? 'bm25', note });
      },
    }),
    route('GET /v1/library/symbols', {
      ...READ,
      summary: 'Symbols by their names, their beginnings or parts; typing errors are forgiven.',
      query: {
        q: { description: 'The name, or some of it.', schema: v.string() },
        limit: paged(12, 100).limit,
      },
      replies: { 200: json(ServerSymbolsSchema, 'The symbols, best first.') },
      async answer(c) {
        const words = (c.req.query('q') ?? '').slice(0, 200);
        return c.json({ items: await findFolderSymbols(store, c.var.principal, words, readLimit(c, 12, 100)) });
      },
    }),
  ];
}

async function filesOf(
  c: Context,
  db: CatalogDeps['store']['db'],
  folder: string,
  limit: number,
): Promise<LibraryFileTable[]> {
  const part = (c.req.query('q') ?? '').slice(0, 200);
  let files = db
    .selectFrom('library_files')
    .selectAll()
    .where('folder_id', '=', folder)
    .where('no_text', '=', 0)
    .orderBy('path');
  if (part !== '') files = files.where(sql<boolean>`lower(path) like lower(${`%${escaped(part)}%`})`);
  const after = readPlace(c);
  if (after !== null) files = files.where('path', '>', after[1]);
  return files.limit(limit + 1).execute();
}

/** Signs that mean something in a pattern. */
const escaped = (part: string): string => part.replace(/[%_\\]/g, '_');

function folderAnswer(row: LibraryFolderTable, now: number): ServerFolder {
  const { id, name, error, files, chunks, failures, found, done, reading, completed_at } = row;
  const held = row.lease_until !== null && row.lease_until > now;
  const state = held ? 'reading' : error !== null ? 'failed' : completed_at === null ? 'waiting' : 'ready';
  // Written by `finishFolder` alone.
  const left_out = JSON.parse(row.left_out) as Record<string, number>;
  return { id, name, state, error, files, chunks, failures, found, done, reading, left_out, completed_at };
}
