/** Fetches what is missing of one model; its row says after each part what is there. */
import { AccessionError, failure, toFailure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { damaged, fetchPart, hashOf, nameOf } from './fetch-part.ts';
import type { DownloadProgress } from './model-api.ts';
import { type Fetch, type ManagerPorts, type ModelRow, type Part, sumOf } from './parts.ts';

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
  const pace = new Pace(ports.clock, have, total, onProgress);
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
  return new AccessionError(failure('model_damaged', `"${name}" was not copied in whole.`, { remedy }));
}

/** Milliseconds that the speed looks back. */
const WINDOW_MS = 5000;
/** Milliseconds between two reports. */
const EVERY_MS = 200;

/** Counts bytes and says how far it is, how fast, and how long it will take. */
class Pace {
  readonly #clock: Clock;
  readonly #total: number;
  readonly #report: (progress: DownloadProgress) => void;
  readonly #seen: { at: number; bytes: number }[] = [];
  #bytes: number;
  #last = Number.NEGATIVE_INFINITY;
  part = '';

  constructor(clock: Clock, have: number, total: number, report: (progress: DownloadProgress) => void) {
    this.#clock = clock;
    this.#bytes = have;
    this.#total = total;
    this.#report = report;
    this.#seen.push({ at: clock.now(), bytes: have });
  }

  /** Negative: what had come of a part is not kept. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#clock.now() - this.#last >= EVERY_MS) this.say();
  }

  say(): void {
    const now = this.#clock.now();
    this.#last = now;
    this.#seen.push({ at: now, bytes: this.#bytes });
    while (this.#seen.length > 2 && now - (this.#seen[0]?.at ?? now) > WINDOW_MS) this.#seen.shift();
    const first = this.#seen[0] ?? { at: now, bytes: this.#bytes };
    const speed = now > first.at ? Math.max(0, ((this.#bytes - first.bytes) * 1000) / (now - first.at)) : 0;
    const left = Math.max(0, this.#total - this.#bytes);
    this.#report({
      bytes: this.#bytes,
      total: Math.max(this.#total, this.#bytes),
      seconds_left: speed > 0 ? left / speed : null,
      bytes_per_second: speed,
      part: this.part,
    });
  }
}

/** Throws AccessionError `storage_full` where `bytes` more do not fit; `free` null: the browser does not say. */
export function checkSpace(free: number | null, name: string, bytes: number): void {
  // What a browser says of its space is an estimate, and storing needs room to move.
  if (free === null || free >= 2 * bytes) return;
  const [need, left] = [gigabytes(2 * bytes), gigabytes(free)];
  throw new AccessionError(
    failure('storage_full', `"${name}" needs ${need} of free space in this browser; ${left} are left.`),
  );
}

function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Asks with the query that an address was entered with; null and '' for none. No one else ever sees it. */
export function withQuery(fetch: Fetch, query: string | null): Fetch {
  return query === null || query === '' ? fetch : (url, init) => fetch(`${url}${query}`, init);
}
