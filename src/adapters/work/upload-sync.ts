import { recoverOutbox, type OutboxContext } from '#core/run/outbox.ts';
import type { RunBeside } from '#core/run/ports.ts';
import { Publisher, type PublishPorts } from '#core/run/publish.ts';
import type { Lease } from './lease.ts';

export interface UploadSyncUsing extends OutboxContext {
  lease: Pick<Lease, 'id' | 'save'>;
  ports: PublishPorts;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Something was published, or failed for good. */
  poke(): void;
  onError(error: unknown): void;
}

/** Publishes the results of an upload under its lease, beside the run. */
export class UploadSync implements RunBeside {
  readonly #using: UploadSyncUsing;
  readonly #publisher: Publisher;
  readonly #work = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #pumping = false;
  #again = false;

  constructor(using: UploadSyncUsing) {
    this.#using = using;
    this.#publisher = new Publisher(
      using,
      publishUnder(using.lease, using.ports),
      () => using.poke(),
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
        until = await this.#publisher.pump(true, true);
      }
      if (until !== null) void this.#pokeAt(until);
    } finally {
      this.#pumping = false;
    }
  }

  async #pokeAt(until: number): Promise<void> {
    const { wait, clock } = this.#using;
    await wait(Math.max(0, until - clock.now()), this.#stopped.signal);
    this.poke();
  }

  #track(work: Promise<void>): void {
    const held: Promise<void> = work.catch(this.#using.onError).finally(() => this.#work.delete(held));
    this.#work.add(held);
  }
}

function publishUnder(lease: Pick<Lease, 'id' | 'save'>, { commit, upload }: PublishPorts): PublishPorts {
  return {
    upload,
    async commit(body, key, signal) {
      const answer = await commit({ ...body, lease_id: lease.id }, key, signal);
      // Somebody else published that track, or the lease is over: a save finds out.
      if (!answer.ok && answer.failure.code === 'conflict') await lease.save();
      return answer;
    },
  };
}
