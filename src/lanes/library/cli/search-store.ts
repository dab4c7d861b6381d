import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readJsonLines } from '#cli/json-lines.ts';
import type { KeptLibrary } from '#cli/lane-cli.ts';
import { failed } from '#core/errors.ts';
import type { ServerPassage } from '#lanes/library/core/server-library.ts';
import { addFolder } from '#lanes/library/server/folders.ts';
import { readServerFile } from '#lanes/library/server/read-file.ts';
import { searchFolders } from '#lanes/library/server/search-folders.ts';
import { ADMIN_USER } from '#server/auth/tokens.ts';
import type { Store } from '#server/store/store.ts';
import { CodePoints } from './code-points.ts';
import { openIndexer } from './open-indexer.ts';
import { QuestionSchema, type SearchFlags } from './search-questions.ts';

const ADMIN = { user_id: ADMIN_USER, scopes: ['Admin'] };

/**
 * `search --questions --store`: the same over the server's library. The folder is brought up to date in the catalog's
 * database first, where it stays until a server starts.
 */
export async function searchStore(
  { store, library }: KeptLibrary,
  flags: Omit<SearchFlags, 'cancel' | 'embedder'> & { store: string; stop: AbortSignal },
): Promise<{ questions: number; passages: number }> {
  const shared = store.shared ? 'postgres' : 'sqlite';
  if (shared !== flags.store)
    throw failed('invalid', `The catalog is in ${store.shared ? 'PostgreSQL' : 'SQLite'}.`, {
      remedy: store.shared ? 'Leave DATABASE_URL out.' : 'Set DATABASE_URL to a PostgreSQL database.',
    });
  const rows = await readJsonLines(flags.questions, QuestionSchema);
  const path = resolve(flags.library);
  const folder = { name: path, path };
  const id = await addFolder(store, { now: () => Date.now() }, folder);
  const indexer = await openIndexer({
    ...flags,
    store,
    library: { ...library, folders: [{ ...folder, readers: [] }] },
  });
  await indexer.once().finally(() => indexer.close());
  const { error } = await store.db
    .selectFrom('library_folders')
    .select('error')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (error !== null) throw failed('file_unreadable', error);
  if (flags.profile !== 'bm25')
    flags.say(`the server has no model for embeddings: "${flags.profile}" is answered as bm25`);
  const answers: string[] = [];
  let passages = 0;
  for (const { id: question, question: query } of rows) {
    const found = await searchFolders(store, ADMIN, { query, k: flags.k, folders: [id] });
    const texts = await textsOf(store, id, found);
    const places = new CodePoints<ServerPassage>((passage) => texts.get(passage.path) ?? '');
    passages += found.length;
    answers.push(`${JSON.stringify({ id: question, docs: found.map((passage) => places.said(passage)) })}\n`);
  }
  await writeFile(flags.out, answers.join(''));
  return { questions: rows.length, passages };
}

async function textsOf(store: Store, folder: string, found: readonly ServerPassage[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { path } of found)
    if (!texts.has(path)) texts.set(path, (await readServerFile(store.db, folder, path))?.text ?? '');
  return texts;
}
