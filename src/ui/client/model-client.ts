/** RPC to the model worker, and the keys of model servers: for the settings alone, so that the first page does not load it. */
import { proxy, wrap, type Remote } from 'comlink';
import { createModelKeyStore } from '#adapters/browser/token.ts';
import { nearnessOf, type Nearness } from '#adapters/llm/address.ts';
import type { ModelApi } from '#adapters/models/model-api.ts';
import { failure, type Failure } from '#core/errors.ts';
import { fail, tried, type Result } from '#core/result.ts';
import { db } from './db.ts';
import { newModelWorker } from './kinds.ts';
import { startedHere } from './workers.ts';

export { proxy };

interface Connection {
  remote: Remote<ModelApi>;
  /** Settles when the worker is gone: calls that are open then are never answered. */
  died: Promise<Failure>;
}
let connection: Connection | null = null;

function connect(): Connection {
  if (connection !== null) return connection;
  const worker = newModelWorker();
  const { died: ended } = startedHere(worker);
  const died = ended.then(({ message }) => {
    connection = null;
    worker.terminate();
    const detail = message ? ` (${message})` : '';
    return failure('worker_died', `The part that runs models stopped${detail}.`);
  });
  connection = { remote: wrap<ModelApi>(worker), died };
  return connection;
}

/** Asks the model worker. Never throws and never hangs on a dead worker. */
export async function askModels<T>(call: (api: Remote<ModelApi>) => Promise<Result<T>>): Promise<Result<T>> {
  return tried(async () => {
    const { remote, died } = connect();
    return Promise.race([call(remote), died.then((found) => fail(found))]);
  });
}

/** Whether an address is on this computer, in the local network, or anywhere. */
export function placeOf(address: string): Nearness {
  return nearnessOf(new URL(address).hostname);
}

/** The key of a model server: kept encrypted, for this address's origin alone. */
export const keysOf = (address: string) => createModelKeyStore(db, new URL(address).origin);
