/** Large requests are read and written by a process (server/beside-process.main.ts); this is the side of the server. */
import type { ChildProcess } from 'node:child_process';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AccessionError, type Failure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { Principal } from '../auth/principal.ts';
import { HttpError } from '../http/http-error.ts';
import type { MadeAnswer } from '../http/made-answer.ts';
import { startProcess } from '../processes/start-process.ts';
import type { WorkBatchTable } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** What processes do, and what comes of each: `import` of a catalog file, `mirror` of a workstation's work, `save` of a worker's. */
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
  /** That its body has, at most. */
  bytes: number;
  key: string | null;
  method: string;
  path: string;
  /** Of a save: the lease that it is made under. */
  lease: string | null;
}

/**
 * First the order, then its body on the standard input. `write`: its turn, at this time: nobody else of the server writes
 * until it says `over`.
 */
export interface ToProcess {
  order: Order;
  write: number;
}

export type FromProcess =
  /** The body is read and looks right, and it has something to write: it waits for its turn. */
  | 'ready'
  /** What was to be written in this turn is. */
  | 'over'
  | { done: Made[Task] }
  | { refused: Refusal }
  /** Something broke: what the error says of itself. */
  | { failed: { name: string; message: string; stack: string | undefined } };

interface Refusal {
  failure: Failure;
  status?: ContentfulStatusCode;
  headers?: Record<string, string>;
  details?: Record<string, unknown>;
}

/** Does what a request of at most so many bytes asks; null where no process can be started. Throws as in the server's own. */
export type Beside = <K extends Task>(
  order: Omit<Order, keyof Place | 'task'> & { task: K },
  chunks: () => AsyncIterable<Uint8Array>,
) => Promise<Made[K] | null>;

type Place = Pick<Order, 'data' | 'databaseUrl'>;

/** Of the process's memory what is for new values; more of it only means that they are looked through later. */
const YOUNG_MB = 2;
/**
 * The most memory that a process may have beside, by its body. Rows stay bytes until they are written; ids and places are
 * kept, about 400 bytes a track of 180. Without a bound V8 looks for garbage so late that it is several times that.
 */
const heapFor = (bytes: number): number => 96 + Math.ceil((2.5 * bytes) / 1_000_000);
/** Processes at a time: each has a large body in its memory. */
const MOST_AT_ONCE = 2;
/** Characters of what a process that broke said last. */
const LAST_WORDS = 2000;

/**
 * @param place where the database is @param store of the same database, in this process
 * @param heapMb memory that a process may have for a body of so many bytes, megabytes
 */
export function besideProcesses(
  place: Place,
  { store, clock }: { store: Pick<Store, 'aside'>; clock: Clock },
  heapMb = heapFor,
): Beside {
  let running = 0;
  const queue: (() => void)[] = [];
  return async <K extends Task>(
    order: Parameters<Beside>[0],
    chunks: Parameters<Beside>[1],
  ): Promise<Made[K] | null> => {
    if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      const child = start(heapMb(order.bytes));
      if (child === null) return null;
      // Each task makes what `Made` says (beside-process.main.ts).
      return (await attend(child, { ...order, ...place }, { store, clock }, chunks)) as Made[K];
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * One thread looks for its garbage: helpers beside it would take the processors from the server's own.
 * Null where Node lets this process start none (`--permission`).
 */
const start = (heapMb: number): ChildProcess | null =>
  startProcess(new URL('../beside-process.main.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${heapMb}`, `--max-semi-space-size=${YOUNG_MB}`, '--single-threaded-gc'],
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
  });

async function attend(
  child: ChildProcess,
  order: Order,
  { store, clock }: { store: Pick<Store, 'aside'>; clock: Clock },
  chunks: () => AsyncIterable<Uint8Array>,
): Promise<Made[Task]> {
  const said = hear(child, order.task);
  const tell = (message: Partial<ToProcess>): void => {
    // One that has ended hears nothing: `said.end` tells why.
    child.send(message, () => undefined);
  };
  try {
    tell({ order });
    await Promise.race([send(child, chunks(), said.end), said.end]);
    for (;;) {
      const wants = await Promise.race([said.ready().then(() => true), said.end.then(() => false)]);
      if (!wants) return await said.end;
      // Between two turns the others have theirs.
      await store.aside(async () => {
        tell({ write: clock.now() });
        await Promise.race([said.over(), said.end]);
      });
    }
  } finally {
    // It has ended, unless its sender has left, or something broke.
    child.kill('SIGKILL');
  }
}

/** What the process says: that it waits for a turn, that this is over, and how it ended. */
function hear(child: ChildProcess, task: Task) {
  const ready = signals();
  const over = signals();
  let words = '';
  child.stderr?.on('data', (some: Buffer) => (words = (words + some.toString()).slice(-LAST_WORDS)));
  const end = new Promise<Made[Task]>((resolve, reject) => {
    child.on('message', (message: FromProcess) => {
      if (message === 'ready') ready.give();
      else if (message === 'over') over.give();
      else if ('done' in message) resolve(message.done);
      else if ('refused' in message) reject(asError(message.refused));
      else reject(Object.assign(new Error(message.failed.message), message.failed));
    });
    child.on('error', reject);
    // All that it said was heard by then.
    child.on('close', (code, signal) => {
      const broke = new Error(`the process of a large request ended without an answer (${signal ?? code}): ${words}`);
      reject(/heap limit|out of memory/i.test(words) ? tooMuch(task, broke) : broke);
    });
  });
  // Looked at when it is needed.
  end.catch(() => undefined);
  return { ready: ready.take, over: over.take, end };
}

/** What is said is taken once, whether somebody waits for it or comes later. */
function signals() {
  let count = 0;
  let wake = (): void => undefined;
  return {
    give(): void {
      count += 1;
      wake();
    },
    async take(): Promise<void> {
      while (count === 0) await new Promise<void>((resolve) => (wake = resolve));
      count -= 1;
    },
  };
}

/** Hands the body over, no faster than it is read; not all of it to one that has ended. */
async function send(child: ChildProcess, chunks: AsyncIterable<Uint8Array>, end: Promise<unknown>): Promise<void> {
  const { stdin } = child;
  let wake = (): void => undefined;
  // One that ends before it has read all breaks the pipe; `end` tells why.
  for (const event of ['drain', 'error', 'close']) stdin?.on(event, () => wake());
  for await (const chunk of chunks)
    if (stdin?.write(chunk) === false) await Promise.race([new Promise<void>((resolve) => (wake = resolve)), end]);
  stdin?.end();
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

/** What the process began in the database was never committed. */
function tooMuch(task: Task, cause: Error): HttpError {
  const { why, remedy } = TOO_MUCH[task];
  return new HttpError('too_large', why, { cause, remedy });
}

function asError({ failure, ...extra }: Refusal): Error {
  if (extra.status === undefined) return new AccessionError(failure);
  return new HttpError(failure.code, failure.message, { ...extra, remedy: failure.remedy });
}
