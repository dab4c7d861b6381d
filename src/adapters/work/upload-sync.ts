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
export class UploadSync implements RunBeside {
  readonly #using: UploadSyncUsing;
  readonly #publisher: Publisher;
  readonly #work = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #pumping = false;
  #again = false;
  /** When it looks again by itself, the soonest; milliseconds since the epoch. */
  #looksAt = Infinity;
  /** Until when the token counts as refused; milliseconds since the epoch. */
  #refusedUntil = -Infinity;

  constructor(using: UploadSyncUsing) {
    this.#using = using;
    this.#publisher = new Publisher(
      using,
      publishUnder(using.lease, using.ports),
      (_item, end) => this.#ended(end),
      (run) => this.#track(run.finally(() => this.poke())),
    );
  }

  async start(): Promise<void> {
    await recoverOutbox(this.#using);
    this.poke();
  }

  poke(): void {
    this.#again = true;
    if (!this.#pumping && !this.#stopped.signal.aborted) this.#track(this.#pump());
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#publisher.stop();
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    try {
      let until: number | null = null;
      while (this.#again && !this.#stopped.signal.aborted) {
        this.#again = false;
        until = await this.#publisher.pump(() => ({ online: true, authorized: !this.#isRefused() }));
      }
      if (this.#isRefused()) until = this.#refusedUntil;
      if (until !== null) void this.#pokeAt(until);
    } finally {
      this.#pumping = false;
    }
  }

  #ended(end: PublishEnd): void {
    if (end.type === 'failed' && end.failure.code === 'unauthorized')
      this.#refusedUntil = this.#using.clock.now() + AGAIN_MS;
    this.#using.poke();
  }

  #isRefused(): boolean {
    return this.#using.clock.now() < this.#refusedUntil;
  }

  async #pokeAt(until: number): Promise<void> {
    if (this.#looksAt <= until) return;
    this.#looksAt = until;
    const { wait, clock } = this.#using;
    await wait(Math.max(0, until - clock.now()), this.#stopped.signal);
    if (this.#looksAt === until) this.#looksAt = Infinity;
    this.poke();
  }

  #track(work: Promise<void>): void {
    const held: Promise<void> = work.catch(this.#using.onError).finally(() => this.#work.delete(held));
    this.#work.add(held);
  }
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
