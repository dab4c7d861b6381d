/** What a workflow's executor needs beside its model, wherever it runs. */
import { createSHA256 } from 'hash-wasm';
import type { CancelSignal } from '#core/cancel.ts';
import type { Timers } from '../http/socket.ts';

/** Lower-case hex. */
export async function sha256(text: string): Promise<string> {
  const hasher = await createSHA256();
  return hasher.init().update(text).digest('hex');
}

/** Resolves early when cancelled: whoever waits looks at the signal. */
export function wait(timers: Timers, milliseconds: number, signal: CancelSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      timers.clear(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = timers.set(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}
