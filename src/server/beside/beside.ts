/** Large requests are read and written in a thread (server/beside-thread.main.ts); this is the side of the server's loop. */
import { Worker } from 'node:worker_threads';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AccessionError, isCode, type Failure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { Principal } from '../auth/principal.ts';
import { HttpError } from '../http/http-error.ts';
import type { MadeAnswer } from '../http/made-answer.ts';
import type { WorkBatchTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** What threads do, and what comes of each: `import` of a catalog file, `mirror` of a workstation's work, `save` of a worker's. */
export interface Made {
  import: MadeAnswer;
  mirror: MadeAnswer;
  save: WorkBatchTable;
}
export type Task = keyof Made;

/** What a request is made of beside its body. */
export interface Order {
  task: Task;
  /** The directory of the server's data, with the database where it is SQLite. */
  data: string;
  /** Of a PostgreSQL database; null: SQLite. */
  databaseUrl: string | null;
  by: Principal;
  key: string | null;
  method: string;
  path: string;
  /** Of a save: the lease that it is made under. */
  lease: string | null;
}

/** The next bytes of the body; null: that was all. `write`: nobody else of this process writes now, at this time. */
export type ToThread = Uint8Array | null | { write: number };

export type FromThread =
  /** So many bytes more are read. */
  | { taken: number }
  /** The body is read and looks right. */
  | 'ready'
  | { done: Made[Task] }
  | { refused: Refusal };

interface Refusal {
  failure: Failure;
  status?: ContentfulStatusCode;
  headers?: Record<string, string>;
  details?: Record<string, unknown>;
}

/** Does what a request of at most so many bytes asks; null where no thread can be started. Throws as in the server's own thread. */
export type Beside = <K extends Task>(
  order: Omit<Order, keyof Place | 'task'> & { task: K; bytes: number },
  chunks: () => AsyncIterable<Uint8Array>,
) => Promise<Made[K] | null>;

type Place = Pick<Order, 'data' | 'databaseUrl'>;

/** Bytes that are on their way to the thread at a time. */
const ON_THE_WAY = 1024 * 1024;
/** Of the thread's memory what is for new values; more of it only means that they are looked through later. */
const YOUNG_MB = 4;
/**
 * The most memory that a thread may have beside, by its body. Rows stay bytes until they are written; ids and places are
 * kept, about 400 bytes a track of 180. Without a bound V8 looks for garbage so late that it is several times that.
 */
const heapFor = (bytes: number): number => 128 + Math.ceil((2.5 * bytes) / 1_000_000);
/** Threads at a time: each has a large body in its memory. */
const MOST_THREADS = 2;

/**
 * @param place where the database is @param store of the same database, in this process
 * @param heapMb memory that a thread may have for a body of so many bytes, megabytes
 */
export function besideThreads(
  place: Place,
  { store, clock }: { store: Pick<Store, 'aside'>; clock: Clock },
  heapMb = heapFor,
): Beside {
  let running = 0;
  const queue: (() => void)[] = [];
  return async <K extends Task>(
    { bytes, ...order }: Parameters<Beside>[0],
    chunks: Parameters<Beside>[1],
  ): Promise<Made[K] | null> => {
    if (running >= MOST_THREADS) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      const thread = startThread({ ...order, ...place }, heapMb(bytes));
      if (thread === null) return null;
      // Each task makes what `Made` says (beside-thread.main.ts).
      return (await attend(thread, { store, clock, task: order.task }, chunks)) as Made[K];
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Null where Node lets this process start none (`--permission`). */
function startThread(order: Order, heapMb: number): Worker | null {
  try {
    return new Worker(new URL('../beside-thread.main.ts', import.meta.url), {
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
  { store, clock, task }: { store: Pick<Store, 'aside'>; clock: Clock; task: Task },
  chunks: () => AsyncIterable<Uint8Array>,
): Promise<Made[Task]> {
  const said = hear(thread, task);
  try {
    await Promise.race([send(thread, chunks(), said), said.end]);
    await Promise.race([said.ready, said.end]);
    return await store.aside(() => {
      thread.postMessage({ write: clock.now() } satisfies ToThread);
      return said.end;
    });
  } finally {
    // It has ended, unless its sender has left, or something broke.
    await thread.terminate();
  }
}

/** What the thread says: how much it has taken, that it is ready, and how it ended. */
function hear(thread: Worker, task: Task) {
  const room = { open: 0, wake: (): void => undefined };
  let ready = (): void => undefined;
  const isReady = new Promise<void>((resolve) => (ready = resolve));
  const end = new Promise<Made[Task]>((resolve, reject) => {
    thread.on('message', (message: FromThread) => {
      if (message === 'ready') ready();
      else if ('taken' in message) {
        room.open -= message.taken;
        room.wake();
      } else if ('done' in message) resolve(message.done);
      else reject(asError(message.refused));
    });
    thread.on('error', (error) => reject(isCode(error, 'ERR_WORKER_OUT_OF_MEMORY') ? tooMuch(task, error) : error));
    thread.on('exit', () => reject(new Error('the thread of a large request ended without an answer')));
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

const TOO_MUCH: Record<Task, { why: string; remedy: string }> = {
  import: {
    why: 'This catalog file needs more memory than one import may have. Nothing was imported.',
    remedy: 'Import it in parts.',
  },
  mirror: {
    why: 'This report needs more memory than one may have. Nothing of it was taken.',
    remedy: 'Report it in parts.',
  },
  save: {
    why: 'This save needs more memory than one may have. Nothing was saved.',
    remedy: 'Save steps and what was learned in parts.',
  },
};

/** What the thread began in the database was never committed. */
function tooMuch(task: Task, cause: Error): HttpError {
  const { why, remedy } = TOO_MUCH[task];
  return new HttpError('too_large', why, { cause, remedy });
}

function asError({ failure, ...extra }: Refusal): Error {
  if (extra.status === undefined) return new AccessionError(failure);
  return new HttpError(failure.code, failure.message, { ...extra, remedy: failure.remedy });
}
