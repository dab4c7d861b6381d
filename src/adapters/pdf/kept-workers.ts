import { failed } from '#core/errors.ts';

/**
 * Workers with pdf.js in them. To load one costs more than to read a small PDF, so that one which has read a file reads the
 * next:
 *
 *   new -> a file is read -> kept for the next one -> ... -> ended: a file could not be read, or it was a large one,
 *                                                     or many were, or nobody wants it for a while
 *
 * A new one says that it has begun. Firefox (ESR 153) begins one now and then never, without a word, where the service worker
 * takes the page over in that moment: another is begun then.
 */
export interface KeptWorkers {
  /** Throws AccessionError `worker_died` where none begins. */
  take(): Promise<KeptWorker>;
}

export interface KeptWorker {
  readonly worker: Worker;
  /** @param size bytes of the file; `sound` false: the worker may be in disorder */
  giveBack(size: number, sound: boolean): void;
}

/** What pdf.js keeps of files that were read is given back by ending its worker. */
const FILES = 50;
const BYTES = 64 * 1024 * 1024;
/** Who writes into a file has it open before and after. */
const KEPT = 2;
/** Nobody reads: milliseconds. */
const IDLE_MS = 5_000;

/** Until another is begun, milliseconds: to load and compile it takes a second, on a busy machine several. */
const BEGINS_MS = 10_000;
const TRIES = 3;

/** @param later calls once after so many milliseconds; answers how to call it off */
export function keptWorkers(open: () => Worker, later: (work: () => void, ms: number) => () => void): KeptWorkers {
  const read = new Map<Worker, { files: number; bytes: number }>();
  const idle: { worker: Worker; callOff: () => void }[] = [];

  function end(worker: Worker): void {
    read.delete(worker);
    worker.terminate();
  }

  function giveBack(worker: Worker, size: number, sound: boolean): void {
    const { files = 0, bytes = 0 } = read.get(worker) ?? {};
    const now = { files: files + 1, bytes: bytes + size };
    if (!sound || idle.length >= KEPT || now.files >= FILES || now.bytes >= BYTES) return end(worker);
    read.set(worker, now);
    const callOff = later(() => {
      idle.splice(idle.indexOf(mine), 1);
      end(worker);
    }, IDLE_MS);
    const mine = { worker, callOff };
    idle.push(mine);
  }

  /**
   * The first that begins: pdf.js' own part in a worker says `ready`, and nothing before it. One that is late may only be
   * slow, on a busy machine all are: it is not ended before another has begun.
   */
  const begun = (): Promise<Worker> =>
    new Promise((resolve, reject) => {
      const tried: Worker[] = [];
      let failures = 0;
      let callOff = (): void => undefined;
      const settle = (begun: Worker | null): void => {
        callOff();
        for (const worker of tried) if (worker !== begun) worker.terminate();
        if (begun !== null) resolve(begun);
        else reject(failed('worker_died', 'the reader of PDFs does not start here', { remedy: 'Reload the page.' }));
      };
      const next = (): void => {
        if (tried.length === TRIES) return settle(null);
        const worker = open();
        tried.push(worker);
        worker.addEventListener('message', () => settle(worker), { once: true });
        worker.addEventListener('error', broken, { once: true });
        callOff = later(next, BEGINS_MS);
      };
      const broken = (): void => {
        failures++;
        if (tried.length === TRIES && failures < TRIES) return;
        callOff();
        next();
      };
      next();
    });

  return {
    async take() {
      const kept = idle.pop();
      kept?.callOff();
      const worker = kept?.worker ?? (await begun());
      return { worker, giveBack: (size, sound) => giveBack(worker, size, sound) };
    },
  };
}
