import { recoverOutbox, type OutboxContext } from '#core/run/outbox.ts';
import type { RunBeside } from '#core/run/ports.ts';
import { failure, type Failure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import { Publisher, type PublishEnd, type PublishPorts } from '#core/run/publish.ts';
import type { Lease } from './lease.ts';

export interface UploadSyncUsing extends OutboxContext {
  lease: Pick<Lease, 'id' | 'save'>;
  ports: PublishPorts;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Something was published, or failed for good. */
  poke(): void;
  onError(error: unknown): void;
}

/** After the server refused the token; the lease, which needs it too, is lost if that stays so. Milliseconds. */
const AGAIN_MS = 2_000;

/** Publishes the results of an upload under its lease, beside the run. */
export function createUploadSync(using: UploadSyncUsing): RunBeside {
  const { clock, wait } = using;
  const work = new Set<Promise<void>>();
  const stopped = new AbortController();
  let pumping = false;
  let again = false;
  /** When it looks again by itself, the soonest; milliseconds since the epoch. */
  let looksAt = Infinity;
  /** Until when the token counts as refused; milliseconds since the epoch. */
  let refusedUntil = -Infinity;
  const publisher = new Publisher(
    using,
    publishUnder(using.lease, using.ports),
    (_item, end) => ended(end),
    (run) => track(run.finally(poke)),
  );

  function poke(): void {
    again = true;
    if (!pumping && !stopped.signal.aborted) track(pump());
  }

  async function pump(): Promise<void> {
    pumping = true;
    try {
      let until: number | null = null;
      while (again && !stopped.signal.aborted) {
        again = false;
        until = await publisher.pump(() => ({ online: true, authorized: !isRefused() }));
      }
      if (isRefused()) until = refusedUntil;
      if (until !== null) void pokeAt(until);
    } finally {
      pumping = false;
    }
  }

  function ended(end: PublishEnd): void {
    if (end.type === 'failed' && end.failure.code === 'unauthorized') refusedUntil = clock.now() + AGAIN_MS;
    using.poke();
  }

  function isRefused(): boolean {
    return clock.now() < refusedUntil;
  }

  async function pokeAt(until: number): Promise<void> {
    if (looksAt <= until) return;
    looksAt = until;
    await wait(Math.max(0, until - clock.now()), stopped.signal);
    if (looksAt === until) looksAt = Infinity;
    poke();
  }

  function track(one: Promise<void>): void {
    const held: Promise<void> = one.catch(using.onError).finally(() => work.delete(held));
    work.add(held);
  }

  return {
    async start() {
      await recoverOutbox(using);
      poke();
    },
    poke,
    async stop() {
      stopped.abort();
      publisher.stop();
      while (work.size > 0) await Promise.allSettled(work);
    },
  };
}

function publishUnder(lease: Pick<Lease, 'id' | 'save'>, { commit, upload }: PublishPorts): PublishPorts {
  return {
    upload: async (wanted) => forGood(await upload(wanted)),
    async commit(body, key, signal) {
      const answer = await commit({ ...body, lease_id: lease.id }, key, signal);
      // Somebody else published that track, or the lease is over: a save finds out.
      if (!answer.ok && answer.failure.code === 'conflict') await lease.save();
      return forGood(answer);
    },
  };
}

/** A worker has nobody who would give it another token: what it is not allowed to do is refused for good. */
function forGood<T>(answer: Result<T>): Result<T> {
  if (answer.ok || answer.failure.code !== 'forbidden') return answer;
  const { message, remedy }: Failure = answer.failure;
  return fail(failure('rejected', message, { remedy }));
}
