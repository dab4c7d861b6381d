/**
 * Small files of the app in one: fetched by one request and kept as one, they are answered by cutting them out. A file's
 * name carries the hash of its content, so that what an earlier version kept under the same name is right.
 *
 *   install    kept already?  ->  nothing
 *              most of it is new  ->  the pack, unpacked and held against its hash
 *              else  ->  the new files one by one, put together with those of the version before
 *   activate   what other versions kept is dropped
 *   fetch      a slice; from the network where the browser has thrown the pack away
 */
const CACHE = 'pack';

export interface PackedFile {
  /** With a slash before it. */
  path: string;
  /** In the pack, unpacked. */
  bytes: number;
  /** As it is served. */
  type: string;
}

/** A pack as the build made it (scripts/lib/app-pack.ts): its files one behind the other, packed by gzip. */
export interface PackTable {
  /** Carries the hash of the content. */
  path: string;
  /** Bytes on the wire. */
  packed: number;
  /** Of what is unpacked, hexadecimal. */
  sha256: string;
  files: readonly PackedFile[];
}

export interface Pack {
  has(path: string): boolean;
  answer(request: Request): Promise<Response>;
  /** Throws where it cannot be fetched or is not what the build made: the installation is tried again later. */
  install(): Promise<void>;
  activate(): Promise<void>;
}

/** A pack that is kept: its bytes, and what the server said with it. */
interface Kept {
  bytes: Blob;
  headers: Headers;
}

interface Place {
  start: number;
  file: PackedFile;
}

export function packOf(table: PackTable): Pack {
  const places = placesOf(table.files);
  let opened: Promise<Kept | null> | null = null;

  async function open(): Promise<Kept | null> {
    const kept = await (await caches.open(CACHE)).match(table.path);
    return kept === undefined ? null : { bytes: await kept.blob(), headers: kept.headers };
  }

  return {
    has: (path) => places.has(path),
    async answer(request) {
      const place = places.get(new URL(request.url).pathname);
      opened ??= open();
      const kept = await opened.catch(() => null);
      if (kept === null || place === undefined) {
        opened = null;
        return fetch(request);
      }
      const headers = new Headers(kept.headers);
      headers.set('content-type', place.file.type);
      headers.set('content-length', String(place.file.bytes));
      return new Response(cut(kept.bytes, place), { headers });
    },
    async install() {
      const cache = await caches.open(CACHE);
      if ((await cache.match(table.path)) !== undefined) return;
      const before = await keptBefore(cache);
      const missing = table.files.filter(({ path }) => !before.pieces.has(path));
      const isMostlyNew = missing.reduce((sum, { bytes }) => sum + bytes, 0) >= table.packed;
      const kept = isMostlyNew || before.headers === null ? await fetchPack(table) : await mended(table, before);
      // The list first: a pack without one is never looked into.
      await cache.put(listOf(table.path), new Response(JSON.stringify(table.files)));
      await cache.put(table.path, new Response(kept.bytes, { headers: kept.headers }));
    },
    async activate() {
      const cache = await caches.open(CACHE);
      const own = [table.path, listOf(table.path)];
      for (const request of await cache.keys())
        if (!own.includes(new URL(request.url).pathname)) await cache.delete(request);
    },
  };
}

const listOf = (path: string): string => `${path}.json`;
const cut = (bytes: Blob, { start, file }: Place): Blob => bytes.slice(start, start + file.bytes, file.type);

function placesOf(files: readonly PackedFile[]): Map<string, Place> {
  const places = new Map<string, Place>();
  let start = 0;
  for (const file of files) {
    places.set(file.path, { start, file });
    start += file.bytes;
  }
  return places;
}

interface Before {
  /** By path. */
  pieces: Map<string, Blob>;
  headers: Headers | null;
}

/** What packs of other versions have. */
async function keptBefore(cache: Cache): Promise<Before> {
  const before: Before = { pieces: new Map(), headers: null };
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    const [pack, list] = [await cache.match(pathname), await cache.match(listOf(pathname))];
    if (pack === undefined || list === undefined) continue;
    const bytes = await pack.blob();
    before.headers = pack.headers;
    // Written by this file, in this version or another.
    for (const [path, place] of placesOf((await list.json()) as PackedFile[]))
      before.pieces.set(path, cut(bytes, place));
  }
  return before;
}

async function fetchPack({ path, sha256 }: PackTable): Promise<Kept> {
  const { body, headers } = await fetchFile(path);
  if (body === null) throw new Error(`${path} is empty`);
  const bytes = await new Response(body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  if ([...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('') !== sha256)
    throw new Error(`${path} is not what was built`);
  return { bytes: new Blob([bytes]), headers: keptHeaders(headers) };
}

async function mended({ files }: PackTable, before: Before): Promise<Kept> {
  const pieces: Blob[] = [];
  let { headers } = before;
  for (const { path, bytes } of files) {
    let piece = before.pieces.get(path);
    if (piece === undefined) {
      const answer = await fetchFile(path);
      piece = await answer.blob();
      // What the server says now counts, not what it said with the version before.
      headers = keptHeaders(answer.headers);
    }
    if (piece.size !== bytes) throw new Error(`${path} is not what was built`);
    pieces.push(piece);
  }
  return { bytes: new Blob(pieces), headers: headers ?? new Headers() };
}

async function fetchFile(path: string): Promise<Response> {
  const response = await fetch(path, { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

/** What the server says with every file of the app (its policy among it), without what is about the pack's own bytes. */
function keptHeaders(from: Headers): Headers {
  const headers = new Headers(from);
  for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified', 'vary']) headers.delete(name);
  return headers;
}
