/** What a run needs, on this machine. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CancelSignal } from '#core/cancel.ts';
import type { PlaybookFiles, PlaybookModels, RunNews, RunPorts } from '#lanes/playbooks/core/run/ports.ts';

export const sha256 = (text: string): Promise<string> =>
  Promise.resolve(createHash('sha256').update(text).digest('hex'));

export function runPorts(
  files: PlaybookFiles,
  models: PlaybookModels,
  more: { signal?: AbortSignal; said?: (news: RunNews) => void } = {},
): RunPorts {
  return {
    ...{ files, models, sha256, wait, tools: [], clock: { now: () => Date.now() } },
    ...more,
  };
}

async function wait(milliseconds: number, signal: CancelSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal?.addEventListener('abort', onAbort);
  await sleep(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
  signal?.removeEventListener('abort', onAbort);
}
