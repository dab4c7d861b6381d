/** The worker's loop: claim, work, claim ... One upload at a time. */
import { toFailure, type Failure } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';
import { isLocal } from '#core/run/ports.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import type { WorkUsing } from './work-on.ts';

/** Milliseconds between two questions whether something waits. */
const POLL_MS = 2_000;
/** After a failure that may pass (the server is away). */
const AGAIN_MS = 5_000;
/** After an upload that this machine has no room for: another worker may take it meanwhile. */
const REST_MS = 60_000;

export interface LoopUsing extends Pick<WorkUsing, 'wait' | 'say'> {
  work: Pick<WorkUsing['work'], 'claim'>;
  /** Works on one upload until nothing of it moves. */
  workOn(claim: Claim, stop: AbortSignal): Promise<void>;
  /** Where no upload waits: whether something else did, and was worked on. */
  others?(name: string, stop: AbortSignal): Promise<Result<boolean>>;
}

export interface RunOptions {
  /** Of this worker, for the server's list. */
  name: string;
  /** Stops when nothing waits. */
  once: boolean;
}

/** Waiting does not mend it: a worker has nobody who would sign in. */
export const isFinal = ({ retryable, code }: Failure): boolean => !retryable || code === 'unauthorized';

/** Runs until stopped, or with `once` until nothing waits. Answers a failure that trying again cannot mend. */
export async function runWorker(
  using: LoopUsing,
  { name, once }: RunOptions,
  stop: AbortSignal,
): Promise<Failure | null> {
  let away = false;
  while (!stop.aborted) {
    const claim = await using.work.claim(name);
    if (!claim.ok) {
      const { message, retryAfterMs } = claim.failure;
      if (isFinal(claim.failure)) return claim.failure;
      if (!away) using.say(`waiting for the server: ${message}`);
      away = true;
      await using.wait(retryAfterMs ?? AGAIN_MS, stop);
      continue;
    }
    if (away) using.say('the server is back');
    away = false;
    if (claim.value === null) {
      const other = (await using.others?.(name, stop)) ?? ok(false);
      if (!other.ok) {
        using.say(`left: ${other.failure.message}`);
        await using.wait(other.failure.retryAfterMs ?? AGAIN_MS, stop);
        continue;
      }
      if (other.value) continue;
      if (once) return null;
      await using.wait(POLL_MS, stop);
      continue;
    }
    const { batch, files } = claim.value;
    const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}`;
    using.say(`${batch.label}: ${count} of ${batch.user_name ?? batch.user_id}`);
    try {
      await using.workOn(claim.value, stop);
      using.say(`${batch.label}: done for now`);
    } catch (error) {
      const why = toFailure(error);
      // The lease ends by itself; the server counts how often that happens to an upload.
      using.say(`${batch.label}: left (${why.message})`);
      if (!stop.aborted && why.code !== 'conflict') await using.wait(isLocal(why) ? REST_MS : AGAIN_MS, stop);
    }
  }
  return null;
}
