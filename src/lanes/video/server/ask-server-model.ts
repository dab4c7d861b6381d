import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { randomUuids } from '#core/ids.ts';
import type { PlanToolContext } from '#core/plan/plan-tools.ts';
import { askAboutFolder, type AskedFolder } from '#lanes/video/core/agent/ask-folder.ts';
import type { FolderInput } from '#lanes/video/core/agent/doubt.ts';
import { lookIntoSeen } from '#lanes/video/media/look-into.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import { brokerProvider } from '#server/plans/broker-provider.ts';
import { catalogShows } from './catalog-shows.ts';

/** Milliseconds for one answer of the model: somebody waits for the request. */
const TIMEOUT_MS = 60_000;

/** Asks the server's model about what is unclear of a folder. Throws HttpError 404 where it has none. */
export async function askServerModel(
  { broker, clock, store, plans }: Pick<CatalogDeps, 'broker' | 'clock' | 'store' | 'plans'>,
  context: PlanToolContext,
  input: FolderInput,
  user: string,
): Promise<AskedFolder> {
  const provider = broker === null ? null : brokerProvider(broker, await broker.models(), user);
  if (provider === null) throw new HttpError('not_found', 'No model is set up on this server: leave "agent" out.');
  const seed = createHash('sha256').update(input.mediaFolderPath).digest().readUInt32BE(0);
  return askAboutFolder(input, {
    executor: {
      provider,
      context: { ...context, shows: catalogShows(store.db), media: lookIntoSeen(plans.folders) },
      clock,
      sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      wait: (milliseconds, signal) => pause(milliseconds, signal),
    },
    options: { temperature: 0, timeoutMs: TIMEOUT_MS, price: { in: 0, out: 0 } },
    ids: randomUuids,
    strategy: 'auto',
    seed,
  });
}

/** Ends early when it is cancelled, and keeps no process from ending. */
async function pause(milliseconds: number, signal: Parameters<Wait>[1]): Promise<void> {
  if (signal?.aborted) return;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal?.addEventListener('abort', onAbort);
  try {
    await wait(milliseconds, undefined, { signal: stop.signal, ref: false });
  } catch {
    // Cancelled.
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
type Wait = Parameters<typeof askAboutFolder>[1]['executor']['wait'];
