/**
 * Search in the server's folders: tokens are looked up in SQL, among what the caller sees; what is found is weighed, and
 * windows around it ranked, by the same code as in a browser.
 */
import { sql, type RawBuilder } from 'kysely';
import { byFit, symbolFit } from '#lanes/library/core/search/symbols.ts';
import { CANDIDATES, passagesAmong, passagesAround } from '#lanes/library/core/search/search.ts';
import { FILES, termShare, type Candidate } from '#lanes/library/core/search/candidates.ts';
import { inverseFrequency, parseQuery, type Query } from '#lanes/library/core/search/query.ts';
import type { SegmentPart } from '#lanes/library/core/search/library-index.ts';
import { openSegment } from '#lanes/library/core/index/segment.ts';
import { DEEP, fused, whyWords, type Profile } from '#lanes/library/core/vectors/profiles.ts';
import type { LibrarySearch, ServerPassage, ServerSymbol } from '#lanes/library/core/server-library.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { Reader } from '#server/store/schema.ts';
import type { Store } from '#server/store/store.ts';
import { foldersOf, noFolder, seenBy } from './folders.ts';
import { bufferOf } from './buffer-of.ts';
import { gramsOf } from './prepare-file.ts';
import { countVectors, nearestPieces, type NearPiece } from './search-vectors.ts';
import type { LibraryFolderTable } from './tables.ts';
import { tokenLookup, tokenOf, type Wanted } from './tokens.ts';
import { countIn } from './write-files.ts';

/**
 * Words are looked up from the rarest on, as long as they have no more pieces than this together: the others are in too
 * much to lead anywhere, and still count in what the rare ones lead to.
 */
const LOOKED_UP = 5_000;
const MOST_WORDS = 64;
/** Pieces that are weighed. */
const WEIGHED = 300;

interface Found {
  query: Query;
  meanWords: number;
  pieces: { file_id: number; piece: number; words: number; counts: string }[];
  files: Map<number, { folder: string; segment: Uint8Array }>;
  names: Map<string, string>;
}

/** The question as a model sees it. */
export interface QuestionVector {
  profile: 'vector' | 'hybrid';
  model: string;
  question: Float32Array;
}

/** Best first. Throws HttpError 404 where one of the folders is none that the caller sees. */
export async function searchFolders(
  store: Store,
  principal: Principal,
  asked: Pick<LibrarySearch, 'query' | 'k' | 'folders'>,
  vector: QuestionVector | null = null,
): Promise<ServerPassage[]> {
  const { found, near, files, names } = await store.snapshot(async (db) => {
    const words = vector?.profile === 'vector' ? null : await lookUp(db, principal, asked);
    const nearby = vector === null ? null : await lookNear(db, principal, asked, vector);
    const known = new Map([...(words?.files ?? []), ...(nearby?.files ?? [])]);
    return { found: words, near: nearby?.near ?? [], files: known, names: words?.names ?? nearby?.names };
  });
  const numbers = new Map([...files.keys()].map((id, number) => [id, number]));
  const parts: SegmentPart[] = [...files].map(([id, { segment }]) => {
    return { id: String(id), segment: openSegment(bufferOf(segment)), dead: new Set() };
  });
  const index = { parts, meanWords: found?.meanWords ?? 1 };
  const placed = (pieces: readonly Weighed[]): Candidate[] =>
    pieces.flatMap(({ file_id, piece, score }) => {
      const segment = numbers.get(file_id);
      return segment === undefined ? [] : [{ segment, file: 0, piece, score }];
    });
  const byWords = (k: number) => (found === null ? [] : passagesAmong(index, found.query, placed(weighed(found)), k));
  const byVectors = (k: number) => passagesAround(index, placed(near), k);
  const passages =
    vector === null
      ? byWords(asked.k)
      : vector.profile === 'vector'
        ? byVectors(asked.k)
        : fused(byWords(DEEP), byVectors(DEEP), asked.k);
  return passages.map(({ place, ...passage }) => {
    const folder = files.get(Number(parts[place.segment]?.id))?.folder ?? '';
    return { ...passage, folder, folderName: names?.get(folder) ?? '', page: passage.metadata['page'] ?? null };
  });
}

/** Why vectors of this model cannot answer in these folders now, a sentence; null: they can. Throws as `searchFolders`. */
export async function whyNoVectors(
  store: Store,
  principal: Principal,
  { profile, folders }: { profile: Profile; folders?: readonly string[] | undefined },
  model: string,
): Promise<string | null> {
  return store.snapshot(async (db) => {
    const chosen = await chosenFolders(db, principal, folders);
    const pieces = chosen.reduce((sum, row) => sum + row.pieces, 0);
    const known = await countVectors(
      db,
      model,
      chosen.map(({ id }) => id),
    );
    return whyWords(profile, { model, known, pieces }, model);
  });
}

async function chosenFolders(
  db: Reader,
  principal: Principal,
  folders: readonly string[] | undefined,
): Promise<LibraryFolderTable[]> {
  const seen = await foldersOf(db, principal);
  for (const id of folders ?? []) if (!seen.some((row) => row.id === id)) throw noFolder(id);
  return seen.filter(({ id }) => folders?.includes(id) ?? true);
}

async function lookNear(
  db: Reader,
  principal: Principal,
  { folders }: Pick<LibrarySearch, 'folders'>,
  vector: QuestionVector,
): Promise<{ near: NearPiece[]; files: Found['files']; names: Found['names'] }> {
  const chosen = await chosenFolders(db, principal, folders);
  const where = allowed(
    principal,
    chosen.map(({ id }) => id),
  );
  const near = await nearestPieces(db, vector, where);
  const files = await textsOf(db, [...new Set(near.map(({ file_id }) => file_id)), -1]);
  return { near, files, names: new Map(chosen.map(({ id, name }) => [id, name])) };
}

async function lookUp(
  db: Reader,
  principal: Principal,
  { query: words, folders }: Pick<LibrarySearch, 'query' | 'folders'>,
): Promise<Found | null> {
  const chosen = await chosenFolders(db, principal, folders);
  const pieces = chosen.reduce((sum, row) => sum + row.pieces, 0);
  if (pieces === 0) return null;
  const all = chosen.reduce((sum, row) => sum + row.words, 0);
  const where = allowed(
    principal,
    chosen.map(({ id }) => id),
  );
  const terms = parseQuery(words, () => 1).terms.map(({ term }) => term);
  const counts = await frequencies(db, [...new Set(terms.map(tokenOf))], where);
  const query = parseQuery(words, (term) => inverseFrequency(pieces, counts.get(tokenOf(term)) ?? 0));
  const wanted = rarest(query, counts);
  if (wanted.length === 0) return null;
  const ids = await tokenLookup(db, 'library_tokens').find(db, wanted, 'library_pieces', where, WEIGHED);
  if (ids.length === 0) return null;
  const rows = await db
    .selectFrom('library_pieces')
    .select(['id', 'file_id', 'piece', 'words', 'counts'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  const found = { query, meanWords: Math.max(1, all / pieces), pieces: rows };
  const files = new Set(weighed(found).map(({ file_id }) => file_id));
  const names = new Map(chosen.map(({ id, name }) => [id, name]));
  return { ...found, files: await textsOf(db, [...files]), names };
}

/** Which rows of `p` the caller sees, of these folders. */
const allowed = (principal: Principal, folders: readonly string[]): RawBuilder<unknown> =>
  sql`p.folder_id in (${seenBy(principal)}) and p.folder_id in (${sql.join([...folders, ''])})`;

/** How many pieces have each token, of what the caller sees. */
async function frequencies(
  db: Reader,
  tokens: readonly string[],
  where: RawBuilder<unknown>,
): Promise<Map<string, number>> {
  if (tokens.length === 0) return new Map();
  const { rows } = await sql<{ term: string; pieces: number }>`
    select p.term, sum(p.pieces) as pieces from library_terms p
    where p.term in (${sql.join(tokens)}) and ${where} group by p.term`.execute(db);
  return new Map(rows.map(({ term, pieces }) => [term, Number(pieces)]));
}

function rarest(query: Query, counts: ReadonlyMap<string, number>): Wanted[] {
  const there = query.terms
    .map(({ term, weight }) => ({ token: tokenOf(term), weight, pieces: counts.get(tokenOf(term)) ?? 0 }))
    .filter(({ pieces }) => pieces > 0)
    .sort((a, b) => a.pieces - b.pieces);
  let sum = 0;
  const taken = there.filter(({ pieces }, at) => (sum += pieces) <= LOOKED_UP || at === 0);
  return taken.slice(0, MOST_WORDS);
}

interface Weighed {
  file_id: number;
  piece: number;
  score: number;
}

/** The best pieces first, and the best ones of some more files, as among a browser's own (core/search/candidates.ts). */
function weighed({ query, meanWords, pieces }: Pick<Found, 'query' | 'meanWords' | 'pieces'>): Weighed[] {
  const tokens = query.terms.map(({ term, weight }) => ({ token: tokenOf(term), weight }));
  const all = pieces
    .map(({ file_id, piece, words, counts }) => {
      let score = 0;
      for (const { token, weight } of tokens) {
        const count = countIn(counts, token);
        // As the browser's arrays keep it, so that what is equal there is equal here.
        if (count > 0) score = Math.fround(score + weight * termShare(count, words / meanWords));
      }
      return { file_id, piece, score };
    })
    .sort((a, b) => b.score - a.score || a.file_id - b.file_id || a.piece - b.piece);
  const first = new Map<number, Weighed>();
  for (const one of all) if (!first.has(one.file_id)) first.set(one.file_id, one);
  return [...new Set([...all.slice(0, CANDIDATES), ...[...first.values()].slice(0, FILES)])];
}

async function textsOf(db: Reader, ids: readonly number[]): Promise<Found['files']> {
  const rows = await db
    .selectFrom('library_texts')
    .innerJoin('library_files', 'library_files.id', 'library_texts.file_id')
    .select(['library_texts.file_id', 'library_texts.segment', 'library_files.folder_id'])
    .where('library_texts.file_id', 'in', [...ids])
    .orderBy('library_texts.file_id')
    .execute();
  return new Map(rows.map(({ file_id, folder_id, segment }) => [file_id, { folder: folder_id, segment }]));
}

/** Names that are compared letter by letter. */
const COMPARED = 400;

/** Symbols by their names: whole, by their beginning or parts, by what they contain, with a typo. */
export async function findFolderSymbols(
  store: Store,
  principal: Principal,
  words: string,
  limit: number,
): Promise<ServerSymbol[]> {
  const fits = symbolFit(words);
  if (fits === null) return [];
  const wanted = [...gramsOf(words.replace(/\s+/g, '')).keys()].map((token) => ({ token, weight: 1 }));
  const where = sql`p.folder_id in (${seenBy(principal)})`;
  const rows = await store.snapshot(async (db) => {
    const ids = await tokenLookup(db, 'library_grams').find(
      db,
      wanted.slice(0, MOST_WORDS),
      'library_names',
      where,
      COMPARED,
    );
    if (ids.length === 0) return [];
    return db
      .selectFrom('library_names')
      .innerJoin('library_files', 'library_files.id', 'library_names.file_id')
      .select(['library_names.folder_id', 'library_files.path', 'name', 'qualified', 'chunk_type', 'line'])
      .where('library_names.id', 'in', ids)
      .execute();
  });
  return rows
    .map((row) => ({ ...row, fit: fits(row.name) }))
    .filter(({ fit }) => fit > 0)
    .sort(byFit)
    .slice(0, limit)
    .map(({ folder_id: folder, path, name, qualified, chunk_type: chunkType, line }) => ({
      ...{ folder, path, name, qualified, chunkType, line },
    }));
}
