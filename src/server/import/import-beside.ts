/** Large catalog files are taken over in a thread (server/import-thread.main.ts); this is the side of the server's loop. */
import { Worker } from 'node:worker_threads';
import { AccessionError, isCode, type Failure } from '#core/errors.ts';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Principal } from '../auth/principal.ts';
import { HttpError } from '../http/http-error.ts';
import type { MadeAnswer } from '../http/made-answer.ts';
import type { Store } from '../store/store.ts';

/** What a request is made of beside its body. */
export interface ImportOrder {
  /** The directory of the server's data, with the database where it is SQLite. */
  data: string;
  /** Of a PostgreSQL database; null: SQLite. */
  databaseUrl: string | null;
  by: Principal;
  key: string | null;
  method: string;
  path: string;
  now: number;
}

/** The next bytes of the body; null: that was all. `write`: nobody else of this process writes now. */
export type ToThread = Uint8Array | null | 'write';

export type FromThread =
  /** So many bytes more are read. */
  | { taken: number }
  /** The body is read and looks right. */
  | 'ready'
  | { done: MadeAnswer }
  | { refused: Refusal };

interface Refusal {
  failure: Failure;
  status?: ContentfulStatusCode;
  headers?: Record<string, string>;
  details?: Record<string, unknown>;
}

/** Takes a catalog file of at most so many bytes over; null where no thread can be started. Throws as the import in the server's own thread. */
export type ImportBeside = (
  order: Omit<ImportOrder, keyof Place> & { bytes: number },
  chunks: () => AsyncIterable<Uint8Array>,
) => Promise<MadeAnswer | null>;

type Place = Pick<ImportOrder, 'data' | 'databaseUrl'>;

/** Bytes that are on their way to the thread at a time. */
const ON_THE_WAY = 1024 * 1024;
/** Of the thread's memory what is for new values; more of it only means that they are looked through later. */
const YOUNG_MB = 4;
/**
 * The most memory that a thread may have beside, by its body. Rows stay bytes until they are written; ids and places are
 * kept, about 400 bytes a track of 180. Without a bound V8 looks for garbage so late that it is several times that.
 */
const heapFor = (bytes: number): number => 128 + Math.ceil((2.5 * bytes) / 1_000_000);
/** Threads at a time: each has a catalog file in its memory. */
const MOST_THREADS = 2;

/**
 * @param place where the database is @param store of the same database, in this process
 * @param heapMb memory that a thread may have for a body of so many bytes, megabytes
 */
export function importThreads(place: Place, store: Pick<Store, 'aside'>, heapMb = heapFor): ImportBeside {
  let running = 0;
  const queue: (() => void)[] = [];
  return async ({ bytes, ...order }, chunks) => {
    if (running >= MOST_THREADS) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      const thread = startThread({ ...order, ...place }, heapMb(bytes));
      return thread === null ? null : await attend(thread, store, chunks);
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Null where Node lets this process start none (`--permission`). */
function startThread(order: ImportOrder, heapMb: number): Worker | null {
  try {
    return new Worker(new URL('../import-thread.main.ts', import.meta.url), {
      workerData: order,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: heapMb },
    });
  } catch (error) {
    if (isCode(error, 'ERR_ACCESS_DENIED')) return null;
    throw error;
  }
}

async function attend(
  thread: Worker,
  store: Pick<Store, 'aside'>,
  chunks: () => AsyncIterable<Uint8Array>,
): Promise<MadeAnswer> {
  const said = hear(thread);
  try {
    await Promise.race([send(thread, chunks(), said), said.end]);
    await Promise.race([said.ready, said.end]);
    return await store.aside(() => {
      thread.postMessage('write' satisfies ToThread);
      return said.end;
    });
  } finally {
    // It has ended, unless its sender has left, or something broke.
    await thread.terminate();
  }
}

/** What the thread says: how much it has taken, that it is ready, and how it ended. */
function hear(thread: Worker) {
  const room = { open: 0, wake: (): void => undefined };
  let ready = (): void => undefined;
  const isReady = new Promise<void>((resolve) => (ready = resolve));
  const end = new Promise<MadeAnswer>((resolve, reject) => {
    thread.on('message', (message: FromThread) => {
      if (message === 'ready') ready();
      else if ('taken' in message) {
        room.open -= message.taken;
        room.wake();
      } else if ('done' in message) resolve(message.done);
      else reject(asError(message.refused));
    });
    thread.on('error', (error) => reject(isCode(error, 'ERR_WORKER_OUT_OF_MEMORY') ? tooMuch(error) : error));
    thread.on('exit', () => reject(new Error('the thread of an import ended without an answer')));
  });
  // Looked at when it is needed.
  end.catch(() => undefined);
  return { room, ready: isReady, end };
}

async function send(
  thread: Worker,
  chunks: AsyncIterable<Uint8Array>,
  { room, end }: Pick<ReturnType<typeof hear>, 'room' | 'end'>,
): Promise<void> {
  for await (const chunk of chunks) {
    room.open += chunk.length;
    thread.postMessage(chunk satisfies ToThread);
    while (room.open > ON_THE_WAY) await Promise.race([new Promise<void>((resolve) => (room.wake = resolve)), end]);
  }
  thread.postMessage(null satisfies ToThread);
}

/** What the thread began in the database was never committed. */
function tooMuch(cause: Error): HttpError {
  const why = 'This catalog file needs more memory than one import may have. Nothing was imported.';
  return new HttpError('too_large', why, { cause, remedy: 'Import it in parts.' });
}

function asError({ failure, ...extra }: Refusal): Error {
  if (extra.status === undefined) return new AccessionError(failure);
  return new HttpError(failure.code, failure.message, { ...extra, remedy: failure.remedy });
}
