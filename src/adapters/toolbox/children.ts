/**
 * A cage over children, one a runtime: started at the first call and kept for the next. To stop is to kill.
 *
 *   none -> starting (deadline of its own) -> ready -> calling (one at a time) -> ready
 *                                              any: killed by time, memory, size, cancel -> none
 */
import { isRecord } from '#core/agent/tools/tool.ts';
import { failure, type Failure } from '#core/errors.ts';
import { answered, fail, ok, type Result } from '#core/result.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { BOOT_MS, MOST_RESULT, type Cage, type CageAnswer, type CageJob, type ToolBounds } from '#core/toolbox/cage.ts';

/** What computes in the cage, and can be killed. */
export interface Child {
  /** A line of JSON: `{ program, data }`. */
  send(line: string): void;
  /** Megabytes that it holds; null where that cannot be told. */
  memoryMb(): number | null;
  /** Whether a call with so many megabytes may run in it; absent: any. */
  allows?(memoryMb: number): boolean;
  kill(): void;
}

export interface ChildEvents {
  /** A line of JSON: first of all `{ versions }`, then `{ value }` or `{ failure }` for each that was sent. */
  answer(line: string): void;
  /** It ended, with the last that it said. */
  ended(said: string): void;
  /** It answered more than may be: it is being killed. */
  tooMuch(): void;
}

/** Makes a child that may hold so many megabytes. */
export type OpenChild = (events: ChildEvents, memoryMb: number) => Child;

/** Gets what a child of the runtime is made of. Throws AccessionError; waits as long as a download takes. */
export type PrepareChild = (runtime: CageJob['runtime'], signal: CancelSignal | undefined) => Promise<OpenChild>;

/** Milliseconds between two looks at what a child holds. */
const LOOK_MS = 100;

export function cageOf(prepare: PrepareChild): Cage {
  const places = new Map<CageJob['runtime'], Place>();
  return {
    run(job, bounds, signal) {
      const place = places.get(job.runtime) ?? new Place(job.runtime, prepare);
      places.set(job.runtime, place);
      return place.run(job, bounds, signal);
    },
    close() {
      for (const place of places.values()) place.kill();
      places.clear();
    },
  };
}

/** Where the child of one runtime lives. */
class Place {
  readonly #runtime: CageJob['runtime'];
  readonly #prepare: PrepareChild;
  #child: Child | null = null;
  #versions: readonly string[] = [];
  /** Calls wait for each other. */
  #last: Promise<unknown> = Promise.resolve();
  #settle: ((answer: Result<Record<string, unknown>>) => void) | null = null;

  constructor(runtime: CageJob['runtime'], prepare: PrepareChild) {
    this.#runtime = runtime;
    this.#prepare = prepare;
  }

  run(job: CageJob, bounds: ToolBounds, signal?: CancelSignal): Promise<Result<CageAnswer>> {
    const turn = this.#last.then(() => this.#call(job, bounds, signal));
    this.#last = turn;
    return turn;
  }

  kill(): void {
    this.#end(failure('cancelled', 'The cage was closed.'));
  }

  async #call(job: CageJob, bounds: ToolBounds, signal: CancelSignal | undefined): Promise<Result<CageAnswer>> {
    if (signal?.aborted === true) return fail(failure('cancelled', 'cancelled'));
    if (this.#child?.allows?.(bounds.memoryMb) === false) this.#drop();
    if (this.#child === null) {
      const started = await this.#start(bounds.memoryMb, signal);
      if (!started.ok) return started;
    }
    const line = JSON.stringify({ program: job.program, data: job.data ?? null });
    const said = `${this.#runtime} was stopped after ${bounds.timeMs / 1000} s.`;
    const answer = await this.#await(
      { ms: bounds.timeMs, late: failure('tool_timeout', said), memoryMb: bounds.memoryMb, signal },
      () => this.#child?.send(line),
    );
    if (!answer.ok) return answer;
    if (answer.value['last'] === true || job.free === true) this.#drop();
    const refused = answer.value['failure'];
    if (isRecord(refused)) return fail(refused as unknown as Failure);
    return ok({ value: answer.value['value'], versions: this.#versions });
  }

  /** The next call has a new one. */
  #drop(): void {
    this.#child?.kill();
    this.#child = null;
  }

  async #start(memoryMb: number, signal: CancelSignal | undefined): Promise<Result<true>> {
    const prepared = await answered(() => this.#prepare(this.#runtime, signal));
    if (!prepared.ok) return prepared;
    if (signal?.aborted === true) return fail(failure('cancelled', 'cancelled'));
    const ms = BOOT_MS[this.#runtime];
    const late = failure('tool_unavailable', `The engine ${this.#runtime} did not start within ${ms / 1000} s.`);
    const first = await this.#await({ ms, late, memoryMb: null, signal }, () => {
      const events: ChildEvents = {
        answer: (line) => {
          if (this.#child === child) this.#settle?.(parsed(line));
        },
        ended: (said) => {
          if (this.#child === child) this.#end(gone(this.#runtime, said));
        },
        tooMuch: () => {
          if (this.#child === child)
            this.#end(failure('tool_limit', `The result is larger than ${MOST_RESULT / 1024 / 1024} MiB.`));
        },
      };
      const child = prepared.value(events, memoryMb);
      this.#child = child;
    });
    if (!first.ok) return first;
    const { versions, failure: refused } = first.value;
    if (isRecord(refused)) {
      // One that could not start is not there for the next call.
      this.#drop();
      return fail(refused as unknown as Failure);
    }
    this.#versions = Array.isArray(versions) ? versions.map(String) : [];
    return ok(true);
  }

  /** The next line of the child; whatever comes first of time, memory, cancel and its end kills it. */
  #await(
    {
      ms,
      late,
      memoryMb,
      signal,
    }: { ms: number; late: Failure; memoryMb: number | null; signal: CancelSignal | undefined },
    begin: () => void,
  ): Promise<Result<Record<string, unknown>>> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end(late), ms);
      const look = setInterval(() => {
        const held = this.#child?.memoryMb() ?? null;
        if (memoryMb !== null && held !== null && held > memoryMb)
          this.#end(failure('tool_limit', `${this.#runtime} took more than ${memoryMb} MB of memory.`));
      }, LOOK_MS);
      const cancel = (): void => this.#end(failure('cancelled', 'cancelled'));
      signal?.addEventListener('abort', cancel);
      this.#settle = (answer) => {
        clearTimeout(timer);
        clearInterval(look);
        signal?.removeEventListener('abort', cancel);
        this.#settle = null;
        resolve(answer);
      };
      begin();
    });
  }

  #end(why: Failure): void {
    const child = this.#child;
    this.#child = null;
    child?.kill();
    this.#settle?.(fail(why));
  }
}

function parsed(line: string): Result<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(line);
    if (isRecord(answer)) return ok(answer);
  } catch {
    // The same as any other answer that is none.
  }
  return fail(failure('internal', 'The engine answered no object.'));
}

/** An engine that ran out of its own memory ends by itself. */
function gone(runtime: string, said: string): Failure {
  if (/out of memory|memory access out of bounds|Allocation failed|OOM/i.test(said))
    return failure('tool_limit', `${runtime} ran out of memory.`);
  if (/Cross-origin script load denied/i.test(said))
    return failure('tool_unavailable', `This browser starts no program that is cut off from the page, so ${runtime} cannot compute in it. Chromium, Edge, Firefox and the terminal do.`); // prettier-ignore
  const last =
    said
      .trim()
      .split('\n')
      .find((line) => /Error/.test(line)) ?? '';
  return failure(
    'tool_unavailable',
    `The engine ${runtime} ended by itself${last === '' ? '' : `: ${last.slice(0, 300)}`}.`,
  );
}
