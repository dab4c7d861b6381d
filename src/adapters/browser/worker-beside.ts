/**
 * A worker that needs another one has its page start it. A worker of Firefox that starts one itself may stand still for
 * ever with all that it does (docs/decisions/009-comlink.md).
 *
 *   worker  -- start, end -->  page: starts it, ends it
 *   worker  <-- port, died --  page
 *   worker  <-- the port -->   the other worker, without the page
 */
import { createEndpoint, wrap, type Endpoint, type Remote } from 'comlink';

type BesideKind = 'transcode' | 'model' | 'reading';

/** A worker, whoever has started it. */
export interface StartedWorker {
  /** Comlink's way to it. */
  endpoint: Promise<Endpoint>;
  /** Resolves when it could not be loaded or broke down. */
  died: Promise<Error>;
  terminate(): void;
}

type Asked = { beside: 'start'; id: number; kind: BesideKind } | { beside: 'end'; id: number };
type Told = { beside: 'port'; id: number; port: MessagePort } | { beside: 'died'; id: number; message: string };

interface Messages<Sent> {
  postMessage(message: Sent, transfer?: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}
/** What of a worker's globals is needed. */
export interface BesideScope extends Messages<Asked> {
  removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}
/** What of a Worker is needed. */
export interface PageWorker extends Messages<Told> {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'error', listener: (event: { message: string }) => void): void;
}

const isOurs = <Ours extends Asked | Told>(data: unknown): data is Ours =>
  typeof data === 'object' && data !== null && 'beside' in data;

let count = 0;

/** In a worker: another one, beside it. */
export function startBeside(kind: BesideKind, scope = self as unknown as BesideScope): StartedWorker {
  count += 1;
  const id = count;
  const endpoint = Promise.withResolvers<Endpoint>();
  const died = Promise.withResolvers<Error>();
  const hear = ({ data }: { data: unknown }): void => {
    if (!isOurs<Told>(data) || data.id !== id) return;
    if (data.beside === 'port') endpoint.resolve(data.port);
    else died.resolve(new Error(data.message));
  };
  scope.addEventListener('message', hear);
  scope.postMessage({ beside: 'start', id, kind });
  return {
    endpoint: endpoint.promise,
    died: died.promise,
    terminate() {
      scope.removeEventListener('message', hear);
      scope.postMessage({ beside: 'end', id });
    },
  };
}

/** What a started worker offers. In an object: a promise would take the remote itself for another promise. */
export async function remoteOf<Api>({ endpoint }: StartedWorker): Promise<{ remote: Remote<Api> }> {
  return { remote: wrap<Api>(await endpoint) };
}

/** The workers that a page runs: `add` resolves when one has ended; `stop` ends one that is not wanted any more. */
interface Running {
  add(worker: Worker): Promise<unknown>;
  stop(worker: Worker): void;
}

/** In a page: its own. */
export function startHere(worker: Worker, running: Running): StartedWorker {
  const failed = new Promise<Error>((resolve) =>
    worker.addEventListener('error', (event) => resolve(new Error(event.message))),
  );
  const ended = running.add(worker).then(() => new Error('it was ended with its page'));
  return {
    endpoint: Promise.resolve(worker),
    died: Promise.race([failed, ended]),
    terminate: () => running.stop(worker),
  };
}

/** In a page: starts what `worker` asks for, and ends it with that worker. All that run are in `running`. */
export function serveBeside(
  worker: PageWorker,
  kinds: Readonly<Partial<Record<BesideKind, () => Worker>>>,
  running: Running,
): void {
  const mine = new Map<number, Worker>();
  const end = (id: number): void => {
    const one = mine.get(id);
    if (one === undefined) return;
    mine.delete(id);
    running.stop(one);
  };
  const start = (id: number, kind: BesideKind): void => {
    const make = kinds[kind];
    if (make === undefined) {
      const message = `its page starts no worker for ${kind}`;
      worker.postMessage({ beside: 'died', id, message });
      return;
    }
    const one = make();
    mine.set(id, one);
    void running.add(one);
    one.addEventListener('error', ({ message }) => worker.postMessage({ beside: 'died', id, message }));
    const remote = wrap(one);
    void remote[createEndpoint]().then((port) => worker.postMessage({ beside: 'port', id, port }, [port]));
  };
  worker.addEventListener('message', ({ data }) => {
    if (!isOurs<Asked>(data)) return;
    if (data.beside === 'start') start(data.id, data.kind);
    else end(data.id);
  });
  worker.addEventListener('error', () => [...mine.keys()].forEach(end));
}
