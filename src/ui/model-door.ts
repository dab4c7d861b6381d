/** The door to the model worker, and the keys of model servers: for the settings alone, so no first page pays for it. */
import { proxy, wrap, type Remote } from 'comlink';
import type { ModelApi } from '#adapters/browser/api.ts';
import { createModelKeyStore } from '#adapters/browser/token.ts';
import { nearnessOf, ollamaBase, openAiBase, type Nearness } from '#adapters/llm/address.ts';
import type { Settings } from '#core/config.ts';
import { failure, toFailure, type Failure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import { db, settingsRow } from './db.ts';

export { proxy };

interface Door {
  remote: Remote<ModelApi>;
  /** Settles when the worker is gone: what was asked of it is never answered then. */
  died: Promise<Failure>;
}
let door: Door | null = null;

function open(): Door {
  if (door !== null) return door;
  const worker = new Worker(new URL('../../workers/model.worker.ts', import.meta.url), {
    type: 'module',
    name: 'model',
  });
  const died = new Promise<Failure>((settle) =>
    worker.addEventListener('error', (event) => {
      door = null;
      worker.terminate();
      const detail = event.message ? ` (${event.message})` : '';
      settle(failure('worker_died', `The part that runs models stopped${detail}.`));
    }),
  );
  door = { remote: wrap<ModelApi>(worker), died };
  return door;
}

/** Asks the model worker. Never throws and never hangs on a dead worker. */
export async function askModels<T>(call: (api: Remote<ModelApi>) => Promise<Result<T>>): Promise<Result<T>> {
  try {
    const { remote, died } = open();
    return await Promise.race([call(remote), died.then((found) => fail(found))]);
  } catch (thrown) {
    return fail(toFailure(thrown));
  }
}

/** The address that is asked, as far as it is one; null where what is typed is none. */
export function modelAddress(provider: Settings['llm_provider'], typed: string): string | null {
  if (provider === 'ollama') return ollamaBase(typed);
  return provider === 'openai' ? openAiBase(typed) : null;
}

/** Whether an address is on this computer, in the local network, or anywhere. */
export function placeOf(address: string): Nearness {
  return nearnessOf(new URL(address).hostname);
}

export async function hasModelKey(address: string): Promise<boolean> {
  return (await keysOf(address).get()) !== null;
}

/** Kept encrypted, for this address's origin alone. */
export async function keepModelKey(address: string, key: string): Promise<void> {
  await keysOf(address).set(key);
}

export async function forgetModelKey(address: string): Promise<void> {
  await keysOf(address).clear();
}

/** The address of the catalog server whose broker is asked. */
export async function brokerAddress(): Promise<string> {
  return (await settingsRow()).server_url || window.location.origin;
}

const keysOf = (address: string) => createModelKeyStore(db, new URL(address).origin);
