/**
 * Workers with pdf.js in them. To load one costs more than to read a small PDF, so that one which has read a file reads the
 * next:
 *
 *   new -> a file is read -> kept for the next one -> ... -> ended: a file could not be read, or it was a large one,
 *                                                     or many were, or nobody wants it for a while
 */
export interface KeptWorkers {
  take(): KeptWorker;
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

  return {
    take() {
      const kept = idle.pop();
      kept?.callOff();
      const worker = kept?.worker ?? open();
      return { worker, giveBack: (size, sound) => giveBack(worker, size, sound) };
    },
  };
}
