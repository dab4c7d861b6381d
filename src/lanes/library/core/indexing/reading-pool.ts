/**
 * Files read in threads: as many as there is work for, each reading one at a time.
 *
 *   waiting -> a free thread -> read
 *                  | an agent takes too long, or the thread dies: the thread is ended, and the file read again without that agent
 *                  | it cannot be loaded: all that waits fails with that
 *                  '- it has read so much that its memory is given back: ended, another when it is needed
 */
import { AccessionError, failed, partNotLoaded, toFailure } from '#core/errors.ts';
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import { AGENT_LIMITS, type AgentTimers } from '#core/ingest/read-chunks.ts';
import { yieldsChunks } from '#core/ingest/agent.ts';
import { fail, ok } from '#core/result.ts';
import type { ReadFile } from '../index/file-record.ts';
import type { LiveAgents } from '../model/live-agents.ts';
import { agentKeyOf, keyAgain } from './read-file.ts';
import type { FromThread, KnownFile, ReadingThread } from './thread-messages.ts';

/** Milliseconds for a parser of code; it stops by itself before, unless it is stuck. */
const PARSER_MS = 5_000;
/** More, so that whoever stops by itself says why. */
const GRACE_MS = 1_500;
/** Bytes after which a thread is ended: the memory of WebAssembly never shrinks. */
const RENEW = { all: 48_000_000, one: 500_000 };

export interface PoolPorts {
  agents: LiveAgents;
  timers: AgentTimers;
  /** Throws where there are no threads. */
  open(): ReadingThread;
  /** At most so many. */
  threads: number;
}

interface Job {
  id: number;
  known: KnownFile;
  bytes: Uint8Array;
  skip: Record<string, string>;
  registry: IngesterRegistry;
  agentId: string | null;
  timer: unknown;
  resolve(file: ReadFile | null): void;
  reject(thrown: unknown): void;
}

interface Held {
  thread: ReadingThread;
  job: Job | null;
  /** Of the agents that it has. */
  registry: IngesterRegistry | null;
  bytes: number;
}

export class ReadingPool {
  readonly #ports: PoolPorts;
  readonly #held = new Set<Held>();
  #waiting: Job[] = [];
  #ids = 0;

  constructor(ports: PoolPorts) {
    this.#ports = ports;
  }

  /** Threads that are open. */
  get size(): number {
    return this.#held.size;
  }

  /** As `readFile` of read-file.ts. */
  read(known: KnownFile, bytes: Uint8Array): Promise<ReadFile | null> {
    return new Promise((resolve, reject) => {
      const registry = this.#ports.agents.registry();
      const id = (this.#ids += 1);
      this.#waiting.push({ id, known, bytes, skip: {}, registry, agentId: null, timer: null, resolve, reject });
      this.#go();
    });
  }

  /** Ends all threads; what was being read is cancelled. */
  close(): void {
    this.#end(failed('cancelled', 'The reading was ended.'));
  }

  #end(why: AccessionError): void {
    for (const held of this.#held) {
      this.#letGo(held);
      held.job?.reject(why);
    }
    for (const job of this.#waiting.splice(0)) job.reject(why);
  }

  #go(): void {
    while (this.#waiting.length > 0) {
      const held = [...this.#held].find(({ job }) => job === null) ?? this.#another();
      if (held === null) return;
      const job = this.#waiting.shift();
      if (job !== undefined) this.#give(held, job);
    }
  }

  /** Null where there are enough. */
  #another(): Held | null {
    if (this.#held.size >= this.#ports.threads) return null;
    let thread;
    try {
      thread = this.#ports.open();
    } catch (thrown) {
      if (this.#held.size > 0) return null;
      for (const job of this.#waiting.splice(0)) job.reject(thrown);
      return null;
    }
    const held: Held = { thread, job: null, registry: null, bytes: 0 };
    this.#held.add(held);
    thread.listen(
      (message) => this.#heard(held, message),
      (why) => this.#died(held, why),
    );
    return held;
  }

  #give(held: Held, job: Job): void {
    const { agents } = this.#ports;
    job.registry = agents.registry();
    if (held.registry !== job.registry) {
      held.registry = job.registry;
      const { files, ask } = agents.parts;
      held.thread.post({ kind: 'agents', files, asks: ask !== null });
    }
    held.job = job;
    held.bytes += job.bytes.length + (job.bytes.length > RENEW.one ? RENEW.all : 0);
    held.thread.post({ kind: 'read', job: job.id, known: job.known, bytes: job.bytes, skip: job.skip });
  }

  #heard(held: Held, message: FromThread): void {
    const { job } = held;
    if (job === null || message.job !== job.id) return;
    this.#ports.timers.clear(job.timer);
    job.timer = null;
    if (message.kind === 'began') {
      job.agentId = message.agentId;
      const limit = limitOf(job.registry, message.agentId);
      if (limit !== null) job.timer = this.#ports.timers.set(() => this.#tooLong(held, job, limit), limit + GRACE_MS);
      return;
    }
    if (message.kind === 'ask') return void this.#ask(held, message);
    held.job = null;
    if (held.bytes > RENEW.all) this.#letGo(held);
    if (message.kind === 'failed') job.reject(new AccessionError(message.failure));
    else job.resolve(keyed(job.registry, message.file));
    this.#go();
  }

  async #ask(held: Held, { question, system, user, wish }: FromThread & { kind: 'ask' }): Promise<void> {
    const { ask } = this.#ports.agents.parts;
    const cancel = {
      get aborted() {
        return held.job === null;
      },
    };
    try {
      if (ask === null) throw failed('model_missing', 'no model is set');
      held.thread.post({ kind: 'reply', question, reply: ok(await ask({ system, user, wish }, cancel)) });
    } catch (thrown) {
      held.thread.post({ kind: 'reply', question, reply: fail(toFailure(thrown)) });
    }
  }

  #tooLong(held: Held, job: Job, limit: number): void {
    this.#again(
      held,
      job,
      limit === PARSER_MS ? `parsing it took more than ${limit / 1000} s` : `it took more than ${limit / 1000} s`,
    );
  }

  #died(held: Held, why: string | null): void {
    const { job } = held;
    // No other thread could be loaded either, and no file is to blame.
    if (why === null) return this.#end(new AccessionError(partNotLoaded()));
    if (job !== null) this.#again(held, job, `it crashed (${why})`);
    else this.#letGo(held);
  }

  /** Without the agent that it was in the hands of. */
  #again(held: Held, job: Job, why: string): void {
    this.#letGo(held);
    if (job.agentId === null || job.skip[job.agentId] !== undefined) {
      job.reject(failed('file_unreadable', `It cannot be read: ${why}.`));
    } else {
      job.skip[job.agentId] = why;
      job.agentId = null;
      this.#waiting.unshift(job);
    }
    this.#go();
  }

  #letGo(held: Held): void {
    this.#held.delete(held);
    if (held.job !== null) this.#ports.timers.clear(held.job.timer);
    held.thread.end();
  }
}

/** Null: it asks a model, and sees to its time by itself. */
function limitOf(registry: IngesterRegistry, agentId: string): number | null {
  const agent = registry.getAgent(agentId);
  if (agent === undefined || !yieldsChunks(agent)) return AGENT_LIMITS.native;
  if (agent.model !== undefined) return null;
  return agent.tags.includes('tree-sitter') ? PARSER_MS : AGENT_LIMITS.native;
}

/** Which models there are the thread does not know. */
function keyed(registry: IngesterRegistry, file: ReadFile | null): ReadFile | null {
  if (file === null || !file.capability.startsWith('ingest:')) return file;
  const today = agentKeyOf(registry.chain(file.capability as `ingest:${string}`), file.agentId);
  return { ...file, agentKey: keyAgain(today, file.agentKey) };
}
