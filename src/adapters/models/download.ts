/** Fetches what is missing of one model; its row says after each part what is there. */
import { AccessionError, failed, toFailure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { DownloadProgress } from './model-api.ts';
import { type Fetch, type ManagerPorts, type ModelRow, type Part, sumOf, type PartStore } from './parts.ts';
import { createMD5, createSHA256 } from 'hash-wasm';
import { blobPieces, chunksOf } from '../media/blob-pieces.ts';

interface PartFetch {
  fetch: Fetch;
  store: PartStore;
  signal: AbortSignal;
  /** ETag of the whole, when it is known: another one means another file. */
  version: string | null;
  onBytes: (bytes: number) => void;
}

/**
 * Fetches one part and keeps it, when it is as long as it should be and has the hash that was published or recorded
 * before. Answers the part with its size and hash. Throws AccessionError; nothing is kept then.
 */
async function fetchPart(part: Part, ports: PartFetch): Promise<Part> {
  const { fetch, store, signal } = ports;
  const last = part.start === null || part.bytes === null ? null : part.start + part.bytes - 1;
  const headers = part.start === null ? {} : { headers: { range: `bytes=${part.start}-${last ?? ''}` } };
  const response = await fetched(fetch, part.url, { ...headers, signal });
  if (response.body === null) throw refusedBy(part.url, response.status);
  // A whole file where a piece was asked for would be kept as that piece.
  if (part.start !== null && response.status !== 206) throw damaged(nameOf(part));
  const version = response.headers.get('etag');
  if (version !== null && ports.version !== null && version !== ports.version) throw damaged(nameOf(part));

  const [sha256, md5] = [await createSHA256(), part.md5 === null ? null : await createMD5()];
  sha256.init();
  md5?.init();
  let bytes = 0;
  let digest = '';
  async function* checked(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of download(body, part, signal)) {
      bytes += chunk.length;
      sha256.update(chunk);
      md5?.update(chunk);
      ports.onBytes(chunk.length);
      yield chunk;
    }
    // Thrown inside the store's own writing: it keeps nothing then.
    if (part.bytes !== null && bytes !== part.bytes)
      throw bytes < part.bytes ? brokeOff(nameOf(part)) : damaged(nameOf(part));
    digest = sha256.digest('hex');
    if (md5 !== null && md5.digest('hex') !== part.md5) throw damaged(nameOf(part));
    if (part.sha256 !== null && digest !== part.sha256) throw damaged(nameOf(part));
  }
  await store.put(part.key, checked(response.body), part.bytes);
  return { ...part, bytes, sha256: digest };
}

async function* download(
  body: ReadableStream<Uint8Array>,
  part: Part,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunksOf(body)) {
      if (signal.aborted) throw paused();
      yield chunk;
    }
  } catch {
    throw signal.aborted ? paused() : brokeOff(nameOf(part));
  }
  if (signal.aborted) throw paused();
}

/** SHA-256 of what is kept, lower-case hex. */
export async function hashOf(blob: Blob, signal?: AbortSignal): Promise<string> {
  const hasher = await createSHA256();
  hasher.init();
  for await (const piece of blobPieces(blob)) {
    if (signal?.aborted === true) throw paused();
    hasher.update(piece);
  }
  return hasher.digest('hex');
}

/** For the person: the file, and the piece of it. */
function nameOf({ key, url, start }: Part): string {
  const file = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  return start === null ? file : `${file}, piece ${Number(key.split('.').at(-1)) + 1}`;
}

/** The answer of a model's place. Throws AccessionError where it is none, or a refusal. */
export async function fetched(fetch: Fetch, url: string, init: Parameters<Fetch>[1]): Promise<Response> {
  const response = await fetch(url, init).catch((error: unknown) => {
    throw unreachable(url, error, init.signal);
  });
  if (!response.ok) throw refusedBy(url, response.status);
  return response;
}

/** What the place of a model answered, in words. */
function refusedBy(url: string, status: number): AccessionError {
  const place = new URL(url).host;
  if (status === 404 || status === 410)
    return failed('model_missing', `${place} has no such file (${shown(url)}).`, {
      remedy: 'Check the address of the model.',
    });
  if (status === 401 || status === 403)
    return failed('model_unauthorized', `${place} does not give this file to everybody (${status}).`, {
      remedy: 'Fetch the model with your own account and add its GGUF file from this device.',
    });
  if (status === 429) return failed('rate_limited', `${place} asks to wait (429).`);
  return failed('model_unreachable', `${place} answered ${status}.`, { remedy: AGAIN });
}

/** A browser does not say why nothing came. */
function unreachable(url: string, error: unknown, signal: AbortSignal): AccessionError {
  if (signal.aborted) return paused();
  const place = new URL(url).host;
  const words = `${place} cannot be reached, or does not let this page read it.`;
  return failed('model_unreachable', words, { remedy: AGAIN, cause: error });
}

function brokeOff(part: string): AccessionError {
  return failed('model_unreachable', `The download broke off (${part}).`, { remedy: AGAIN });
}

function damaged(part: string): AccessionError {
  return failed('model_damaged', `What came is not what was published or came before (${part}).`);
}

export function paused(): AccessionError {
  return failed('cancelled', 'The download was paused.', { remedy: AGAIN });
}

/** An address without what may be a key: query and account. */
export function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

const AGAIN = 'Press Download again: what has come stays.';

type Ports = Pick<ManagerPorts, 'rows' | 'store' | 'fetch' | 'wait' | 'free' | 'clock' | 'query'>;

/** Waits between tries of a part that broke off, milliseconds. */
const RETRY_MS = [1000, 5000];

/** The parts that are not here, or not whole. */
export async function missingParts({ store }: Pick<Ports, 'store'>, row: ModelRow): Promise<Part[]> {
  const kept = store(row.engine);
  const sizes = await Promise.all(row.parts.map(({ key }) => kept.size(key)));
  // A size that is not known yet belongs to a part that never came.
  return row.parts.filter((part, at) => sizes[at] === null || part.sha256 === null || sizes[at] !== part.bytes);
}

/**
 * `listed`: bytes to count with while a size is missing. Throws AccessionError: what the server answered, `cancelled` on a
 * pause, `storage_full`, `model_damaged`.
 */
export async function fetchMissing(
  ports: Ports,
  begun: ModelRow,
  listed: number | null,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  let row = begun;
  await ports.rows.put(row);
  const missing = await missingParts(ports, row);
  if (missing.some(({ url }) => url.startsWith('file:'))) throw notWhole(row.name);
  const total = row.total ?? listed ?? 0;
  const have = sumOf(row.parts.filter((part) => !missing.includes(part))) ?? 0;
  checkSpace(await ports.free(), row.name, Math.max(0, total - have));
  const pace = createPace(ports.clock, have, total, onProgress);
  const fetch = row.own ? withQuery(ports.fetch, await ports.query(row.id).get()) : ports.fetch;
  for (const part of missing) {
    pace.part = nameOf(part);
    pace.say();
    const kept = await fetchOne({ ...ports, fetch }, part, row, pace, signal);
    row = { ...row, parts: row.parts.map((one) => (one.key === kept.key ? kept : one)) };
    row.total = sumOf(row.parts) ?? row.total;
    await ports.rows.put(row);
  }
  if (!row.complete) await finish(ports, row, pace, signal);
  pace.say();
}

async function fetchOne(
  ports: Pick<Ports, 'store' | 'wait'> & { fetch: Fetch },
  part: Part,
  row: ModelRow,
  pace: Pace,
  signal: AbortSignal,
): Promise<Part> {
  for (let attempt = 0; ; attempt += 1) {
    let came = 0;
    const onBytes = (bytes: number): void => {
      came += bytes;
      pace.add(bytes);
    };
    try {
      const store = ports.store(row.engine);
      return await fetchPart(part, { fetch: ports.fetch, store, signal, version: row.version, onBytes });
    } catch (error) {
      pace.add(-came);
      const pause = RETRY_MS[attempt];
      if (signal.aborted || pause === undefined || toFailure(error).code !== 'model_unreachable') throw error;
      await ports.wait(pause, signal);
    }
  }
}

/** The published hash is of the whole file: compared once. A difference cannot be narrowed down, so all goes. */
async function finish({ rows, store }: Ports, row: ModelRow, pace: Pace, signal: AbortSignal): Promise<void> {
  if (row.sha256 !== null) {
    pace.part = 'checking the whole';
    pace.say();
    const kept = store(row.engine);
    const whole = new Blob(await Promise.all(row.parts.map(({ key }) => kept.read(key))));
    if ((await hashOf(whole, signal)) !== row.sha256) {
      for (const { key } of row.parts) await kept.remove(key);
      await rows.put({ ...row, parts: row.parts.map((part) => ({ ...part, sha256: null })) });
      throw damaged(row.name);
    }
  }
  await rows.put({ ...row, complete: true });
}

function notWhole(name: string): AccessionError {
  const remedy = 'Delete it and add its file from this device again.';
  return failed('model_damaged', `"${name}" was not copied in whole.`, { remedy });
}

/** Milliseconds that the speed looks back. */
const WINDOW_MS = 5000;
/** Milliseconds between two reports. */
const EVERY_MS = 200;

type Pace = ReturnType<typeof createPace>;

/** Counts bytes and says how far it is, how fast, and how long it will take. */
function createPace(clock: Clock, have: number, total: number, report: (progress: DownloadProgress) => void) {
  const seen = [{ at: clock.now(), bytes: have }];
  let bytes = have;
  let last = Number.NEGATIVE_INFINITY;
  const pace = {
    part: '',
    /** Negative: what had come of a part is not kept. */
    add(more: number): void {
      bytes += more;
      if (clock.now() - last >= EVERY_MS) pace.say();
    },
    say(): void {
      const now = clock.now();
      last = now;
      seen.push({ at: now, bytes });
      while (seen.length > 2 && now - (seen[0]?.at ?? now) > WINDOW_MS) seen.shift();
      const first = seen[0] ?? { at: now, bytes };
      const speed = now > first.at ? Math.max(0, ((bytes - first.bytes) * 1000) / (now - first.at)) : 0;
      const left = Math.max(0, total - bytes);
      report({
        bytes,
        total: Math.max(total, bytes),
        seconds_left: speed > 0 ? left / speed : null,
        bytes_per_second: speed,
        part: pace.part,
      });
    },
  };
  return pace;
}

/** Throws AccessionError `storage_full` where `bytes` more do not fit; `free` null: the browser does not say. */
export function checkSpace(free: number | null, name: string, bytes: number): void {
  // What a browser says of its space is an estimate, and storing needs room to move.
  if (free === null || free >= 2 * bytes) return;
  const [need, left] = [gigabytes(2 * bytes), gigabytes(free)];
  throw failed('storage_full', `"${name}" needs ${need} of free space in this browser; ${left} are left.`);
}

function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Asks with the query that an address was entered with; null and '' for none. No one else ever sees it. */
export function withQuery(fetch: Fetch, query: string | null): Fetch {
  return query === null || query === '' ? fetch : (url, init) => fetch(`${url}${query}`, init);
}
