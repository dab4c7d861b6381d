/** Files of a folder into the database and out of it, with all that finds them, inside of a transaction. */
import { sql } from 'kysely';
import { chunks } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import { gramsOf, type PreparedFile } from './prepare-file.ts';
import { tokenLookup, type TokenRow } from './tokens.ts';

/** What a change adds to the folder's totals. */
interface Totals {
  files: number;
  chunks: number;
  pieces: number;
  words: number;
  failures: number;
}

const NONE: Totals = { files: 0, chunks: 0, pieces: 0, words: 0, failures: 0 };

/** Puts these files in the place of what there was under their paths, and takes those of `gone` away. */
export async function changeFiles(
  tx: Tx,
  folder: string,
  { put, gone = [] }: { put: readonly PreparedFile[]; gone?: readonly number[] },
): Promise<void> {
  const terms = new Map<string, number>();
  const paths = put.map(({ row }) => row.path);
  const before: number[] = [...gone];
  for (const part of chunks(paths)) {
    const rows = tx.selectFrom('library_files').select('id').where('folder_id', '=', folder).where('path', 'in', part);
    before.push(...(await rows.execute()).map(({ id }) => id));
  }
  const less = await removeFiles(tx, before, terms);
  const more = await addFiles(tx, folder, put, terms);
  const changed = [...terms].filter(([, by]) => by !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const part of chunks(changed, 3, 400)) {
    const values = sql.join(part.map(([term, by]) => sql`(${folder}, ${term}, ${by})`));
    await sql`insert into library_terms (folder_id, term, pieces) values ${values}
      on conflict (folder_id, term) do update set pieces = library_terms.pieces + excluded.pieces`.execute(tx);
  }
  const sum = (name: keyof Totals) => sql<number>`${sql.ref(name)} + ${more[name] - less[name]}`;
  await tx
    .updateTable('library_folders')
    .set({ files: sum('files'), chunks: sum('chunks'), pieces: sum('pieces'), words: sum('words') })
    .set({ failures: sum('failures') })
    .where('id', '=', folder)
    .execute();
}

async function addFiles(
  tx: Tx,
  folder: string,
  files: readonly PreparedFile[],
  terms: Map<string, number>,
): Promise<Totals> {
  const totals = { ...NONE };
  if (files.length === 0) return totals;
  const ids = { file: await lastId(tx, 'library_files'), piece: await lastId(tx, 'library_pieces') };
  let name = await lastId(tx, 'library_names');
  const rows = [];
  const texts = [];
  const pieces = [];
  const names = [];
  const documents = [];
  const tokens: TokenRow[] = [];
  const grams: TokenRow[] = [];
  for (const file of files) {
    const file_id = ++ids.file;
    rows.push({ ...file.row, id: file_id, folder_id: folder });
    if (file.document !== null) documents.push({ ...file.document, file_id, folder_id: folder });
    if (file.segment !== null) texts.push({ file_id, segment: file.segment });
    for (const [piece, { words, counts }] of file.pieces.entries()) {
      const id = ++ids.piece;
      pieces.push({ id, folder_id: folder, file_id, piece, words, counts: countsText(counts) });
      tokens.push({ id, counts });
      for (const token of counts.keys()) terms.set(token, (terms.get(token) ?? 0) + 1);
      totals.words += words;
    }
    for (const row of file.names) {
      names.push({ ...row, id: ++name, folder_id: folder, file_id });
      grams.push({ id: name, counts: gramsOf(row.name) });
    }
    if (isShown(file.row)) totals.files += 1;
    if (file.row.failed !== null) totals.failures += 1;
    totals.chunks += file.row.chunks;
  }
  totals.pieces = pieces.length;
  for (const part of chunks(rows, 16, 200)) await tx.insertInto('library_files').values(part).execute();
  for (const part of chunks(texts, 2, 20)) await tx.insertInto('library_texts').values(part).execute();
  for (const part of chunks(pieces, 6, 200)) await tx.insertInto('library_pieces').values(part).execute();
  for (const part of chunks(documents, 4, 20)) await tx.insertInto('library_documents').values(part).execute();
  for (const part of chunks(names, 7, 200)) await tx.insertInto('library_names').values(part).execute();
  await tokenLookup(tx, 'library_tokens').add(tx, tokens);
  await tokenLookup(tx, 'library_grams').add(tx, grams);
  return totals;
}

const DEPENDENT = ['library_pieces', 'library_names', 'library_texts', 'library_vectors', 'library_documents'] as const;

/** Counted among the folder's files: it has text. */
const isShown = ({ no_text, failed }: { no_text: number; failed: string | null }): boolean =>
  no_text === 0 && failed === null;

async function removeFiles(tx: Tx, ids: readonly number[], terms: Map<string, number>): Promise<Totals> {
  const totals = { ...NONE };
  for (const part of chunks(ids, 1, 100)) {
    const files = await tx
      .selectFrom('library_files')
      .select(['id', 'no_text', 'failed', 'chunks'])
      .where('id', 'in', part)
      .execute();
    totals.files += files.filter(isShown).length;
    totals.failures += files.filter(({ failed }) => failed !== null).length;
    totals.chunks += files.reduce((sum, file) => sum + file.chunks, 0);
    const pieces = await tx
      .selectFrom('library_pieces')
      .select(['id', 'words', 'counts'])
      .where('file_id', 'in', part)
      .execute();
    totals.pieces += pieces.length;
    for (const { words, counts } of pieces) {
      totals.words += words;
      for (const token of tokensIn(counts)) terms.set(token, (terms.get(token) ?? 0) - 1);
    }
    const names = await tx.selectFrom('library_names').select('id').where('file_id', 'in', part).execute();
    await tokenLookup(tx, 'library_tokens').remove(
      tx,
      pieces.map(({ id }) => id),
    );
    await tokenLookup(tx, 'library_grams').remove(
      tx,
      names.map(({ id }) => id),
    );
    for (const table of DEPENDENT) await tx.deleteFrom(table).where('file_id', 'in', part).execute();
    await tx.deleteFrom('library_files').where('id', 'in', part).execute();
  }
  return totals;
}

/** Writers come one after the other, so that the next number is nobody else's. */
async function lastId(db: Reader, table: 'library_files' | 'library_pieces' | 'library_names'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirst();
  return Number(row?.last ?? 0);
}

const countsText = (counts: ReadonlyMap<string, number>): string =>
  ` ${[...counts].map(([token, count]) => `${token} ${count} `).join('')}`;

/** How often a token is in a piece; 0: not at all. */
export function countIn(counts: string, token: string): number {
  if (isNumber(token)) return countOfNumber(counts, token);
  const at = counts.indexOf(` ${token} `);
  return at < 0 ? 0 : Number.parseInt(counts.slice(at + token.length + 2, at + token.length + 6), 10);
}

const isNumber = (token: string): boolean => /^\d+$/.test(token);

/** A number as a word looks like the count of another word: it must stand where words stand. */
function countOfNumber(counts: string, token: string): number {
  const said = counts.trim().split(' ');
  for (let at = 0; at < said.length; at += 2) if (said[at] === token) return Number(said[at + 1]);
  return 0;
}

function* tokensIn(counts: string): Generator<string> {
  for (const [at, word] of counts.trim().split(' ').entries()) if (at % 2 === 0 && word !== '') yield word;
}

/** Takes away what is left of a folder, some of it at a time. True: nothing is left. */
export async function clearFolder(tx: Tx, folder: string, most: number): Promise<boolean> {
  const rows = await tx.selectFrom('library_files').select('id').where('folder_id', '=', folder).limit(most).execute();
  if (rows.length > 0) {
    await changeFiles(tx, folder, { put: [], gone: rows.map(({ id }) => id) });
    return false;
  }
  await tx.deleteFrom('library_terms').where('folder_id', '=', folder).execute();
  await tx.deleteFrom('library_folders').where('id', '=', folder).execute();
  return true;
}
