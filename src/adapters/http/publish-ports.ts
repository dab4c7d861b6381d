import type { CancelSignal } from '#core/cancel.ts';
import type { PublishPorts } from '#core/run/publish.ts';
import type { ServerClient } from './server-client.ts';
import type { Uploader } from './upload.ts';

/** Sending results to the catalog server, for the publisher (core/run/publish.ts). */
export function publishPorts(client: Pick<ServerClient, 'commit'>, upload: Uploader): PublishPorts {
  return {
    commit: (body, key, signal) => client.commit(body, key, abortedWith(signal)),
    upload: ({ signal, ...wanted }) => upload({ ...wanted, signal: abortedWith(signal) }),
  };
}

/** The engine's signal as the platform's. */
export function abortedWith(signal: CancelSignal): AbortSignal {
  const abort = new AbortController();
  if (signal.aborted) abort.abort();
  else signal.addEventListener('abort', () => abort.abort());
  return abort.signal;
}
