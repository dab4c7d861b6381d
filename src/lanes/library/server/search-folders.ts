/**
 * Search in the server's folders: tokens are looked up in SQL, among what the caller sees; what is found is weighed, and
 * windows around it ranked, by the same code as in a browser.
 */
import { sql, type RawBuilder } from 'kysely';
import { readAsked, type AskedDocuments } from '#lanes/library/core/documents/asked-documents.ts';
import type { Manifests } from '#lanes/library/core/documents/manifests.ts';
import { byFit, symbolFit } from '#lanes/library/core/search/symbols.ts';
import { CANDIDATES, passagesAmong, passagesAround } from '#lanes/library/core/search/search.ts';
import { FILES, termShare, type Candidate } from '#lanes/library/core/search/candidates.ts';
import { inverseFrequency, parseQuery, type Query } from '#lanes/library/core/search/query.ts';
import type { SegmentPart } from '#lanes/library/core/search/library-index.ts';
import { openSegment } from '#lanes/library/core/index/segment.ts';
import { DEEP, fused, whyWords, type Profile } from '#lanes/library/core/vectors/profiles.ts';
import type { LibrarySearch, ServerPassage, ServerSymbol } from '#lanes/library/core/server-library.ts';
import { chunks } from '#server/store/rows.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { Reader } from '#server/store/schema.ts';
import type { Store } from '#server/store/store.ts';
import { foldersOf, noFolder, seenBy } from './folders.ts';
import { bufferOf } from './buffer-of.ts';
import { documentsThat, KeptManifests } from './folder-documents.ts';
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
  files: Map<number, FileText>;
}

interface FileText {
  folder: string;
  sha256: string;
  segment: Uint8Array;
}

/** Where is looked: which files of which folders. */
interface Scope {
  folders: LibraryFolderTable[];
  names: Map<string, string>;
  manifests: Manifests;
  /** Rows of `p` that may be found. */
  where: RawBuilder<unknown>;
  /** Files of the documents that are asked for, in their order; null: all are. */
  documents: number[] | null;
}

/** The question as a model sees it. */
export interface QuestionVector {
  profile: 'vector' | 'hybrid';
  model: string;
  question: Float32Array;
}

/** By store: what manifests say is kept parsed. */
const kept = new WeakMap<Store, KeptManifests>();

function keptOf(store: Store): KeptManifests {
  const own = kept.get(store) ?? new KeptManifests();
  kept.set(store, own);
  return own;
}

/** Best first. Throws HttpError 404 where one of the folders is none that the caller sees. */
export async function searchFolders(
  store: Store,
  principal: Principal,
  asked: Pick<LibrarySearch, 'query' | 'k' | 'folders'>,
  vector: QuestionVector | null = null,
): Promise<ServerPassage[]> {
  const { words: query, fits } = readAsked(asked.query);
  const { found, near, files, scope } = await store.snapshot(async (db) => {
    const scope = await scopeOf(db, principal, asked.folders, { kept: keptOf(store), fits });
    if (query === '' && scope.documents !== null)
      return { found: null, ...(await beginnings(db, scope, asked.k)), scope };
    const words = vector?.profile === 'vector' ? null : await lookUp(db, scope, query);
    const nearby = vector === null ? null : await lookNear(db, scope, vector);
    const known = new Map([...(words?.files ?? []), ...(nearby?.files ?? [])]);
    return { found: words, near: nearby?.near ?? [], files: known, scope };
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
    query === '' && fits !== null
      ? byVectors(asked.k)
      : vector === null
        ? byWords(asked.k)
        : vector.profile === 'vector'
          ? byVectors(asked.k)
          : fused(byWords(DEEP), byVectors(DEEP), asked.k);
  return passages.map(({ place, ...passage }) => {
    const { folder, sha256 } = files.get(Number(parts[place.segment]?.id)) ?? { folder: '', sha256: '' };
    // What a document says of itself is said with its first chunk.
    const itself = parts[place.segment]?.segment.chunk(0).metadata ?? {};
    const facts = scope.manifests.told({ folder, path: passage.path, sha256 }, itself);
    const metadata = { ...passage.metadata, ...facts };
    const folderName = scope.names.get(folder) ?? '';
    return { ...passage, metadata, folder, folderName, page: passage.metadata['page'] ?? null };
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

/** Manifests of documents are about other files: they are not found themselves. */
async function scopeOf(
  db: Reader,
  principal: Principal,
  named: readonly string[] | undefined,
  { kept, fits }: { kept: KeptManifests; fits: AskedDocuments['fits'] },
): Promise<Scope> {
  const folders = await chosenFolders(db, principal, named);
  const ids = folders.map(({ id }) => id);
  const { manifests, files } = await kept.of(db, ids);
  const documents =
    fits === null ? null : (await documentsThat(db, ids, manifests, fits)).map(({ file_id }) => file_id);
  const seen = sql`p.folder_id in (${seenBy(principal)}) and p.folder_id in (${sql.join([...ids, ''])})`;
  const where =
    documents !== null
      ? sql`${seen} and p.file_id in (${listed(documents)})`
      : files.length === 0
        ? seen
        : sql`${seen} and p.file_id not in (${listed(files)})`;
  return { folders, names: new Map(folders.map(({ id, name }) => [id, name])), manifests, where, documents };
}

/** Numbers of our own, as many as there are: more than a statement takes as parameters. */
const listed = (ids: readonly number[]): RawBuilder<unknown> => sql.raw([...ids, -1].map(Number).join(','));

/** The first piece of each document, in the order of the documents. */
async function beginnings(
  db: Reader,
  { documents }: Scope,
  k: number,
): Promise<{ near: NearPiece[]; files: Found['files'] }> {
  const files = await textsOf(db, [...(documents ?? []).slice(0, k), -1]);
  const near = (documents ?? []).flatMap((file_id) => (files.has(file_id) ? [{ file_id, piece: 0, score: 0 }] : []));
  return { near, files };
}

async function lookNear(
  db: Reader,
  { where }: Scope,
  vector: QuestionVector,
): Promise<{ near: NearPiece[]; files: Found['files'] }> {
  const near = await nearestPieces(db, vector, where);
  return { near, files: await textsOf(db, [...new Set(near.map(({ file_id }) => file_id)), -1]) };
}

async function lookUp(db: Reader, { folders: chosen, where, documents }: Scope, words: string): Promise<Found | null> {
  const pieces = chosen.reduce((sum, row) => sum + row.pieces, 0);
  if (pieces === 0) return null;
  const all = chosen.reduce((sum, row) => sum + row.words, 0);
  // How much a word tells is asked of all that the caller sees.
  const everywhere = sql`p.folder_id in (${sql.join([...chosen.map(({ id }) => id), ''])})`;
  const terms = parseQuery(words, () => 1).terms.map(({ term }) => term);
  const counts = await frequencies(db, [...new Set(terms.map(tokenOf))], everywhere);
  const query = parseQuery(words, (term) => inverseFrequency(pieces, counts.get(tokenOf(term)) ?? 0));
  const wanted = rarest(query, counts);
  if (wanted.length === 0) return null;
  const few = documents === null ? null : await piecesOf(db, documents);
  const ids = few ?? (await tokenLookup(db, 'library_tokens').find(db, wanted, 'library_pieces', where, WEIGHED));
  if (ids.length === 0) return null;
  const rows: Found['pieces'] = [];
  for (const part of chunks(ids))
    rows.push(
      ...(await db
        .selectFrom('library_pieces')
        .select(['id', 'file_id', 'piece', 'words', 'counts'])
        .where('id', 'in', part)
        .orderBy('id')
        .execute()),
    );
  const found = { query, meanWords: Math.max(1, all / pieces), pieces: rows };
  const files = new Set(weighed(found).map(({ file_id }) => file_id));
  return { ...found, files: await textsOf(db, [...files]) };
}

/** All pieces of some documents; null where they have too many, and words have to lead to them. */
async function piecesOf(db: Reader, documents: readonly number[]): Promise<number[] | null> {
  const rows = await db
    .selectFrom('library_pieces')
    .select('id')
    .where(sql<boolean>`file_id in (${listed(documents)})`)
    .orderBy('id')
    .limit(LOOKED_UP + 1)
    .execute();
  return rows.length > LOOKED_UP ? null : rows.map(({ id }) => id);
}

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
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.file_id - b.file_id || a.piece - b.piece);
  const first = new Map<number, Weighed>();
  for (const one of all) if (!first.has(one.file_id)) first.set(one.file_id, one);
  return [...new Set([...all.slice(0, CANDIDATES), ...[...first.values()].slice(0, FILES)])];
}

async function textsOf(db: Reader, ids: readonly number[]): Promise<Found['files']> {
  const rows = await db
    .selectFrom('library_texts')
    .innerJoin('library_files', 'library_files.id', 'library_texts.file_id')
    .select(['library_texts.file_id', 'library_texts.segment', 'library_files.folder_id', 'library_files.sha256'])
    .where('library_texts.file_id', 'in', [...ids])
    .orderBy('library_texts.file_id')
    .execute();
  return new Map(
    rows.map(({ file_id, folder_id, sha256, segment }) => [file_id, { folder: folder_id, sha256, segment }]),
  );
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
