/**
 * The cage in Node: a child process a runtime, started at the first call and kept for the next. To stop is to kill.
 *
 *   none -> starting (deadline of its own) -> ready -> calling (one at a time) -> ready
 *                                              any: killed by time, memory, size, cancel -> none
 */
import { isRecord } from '#core/agent/tools/tool.ts';
import { failure, type Failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { BOOT_MS, MOST_RESULT, type Cage, type CageAnswer, type CageJob, type ToolBounds } from '#core/toolbox/cage.ts';
import { openChild, type Child } from './open-child.ts';

/** Milliseconds between two looks at what a child holds. */
const LOOK_MS = 100;

export function openNodeCage(): Cage {
  const places = new Map<CageJob['runtime'], Place>();
  return {
    run(job, bounds, signal) {
      const place = places.get(job.runtime) ?? new Place(job.runtime);
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
  #child: Child | null = null;
  #versions: readonly string[] = [];
  /** Calls wait for each other. */
  #last: Promise<unknown> = Promise.resolve();
  #settle: ((answer: Result<Record<string, unknown>>) => void) | null = null;

  constructor(runtime: CageJob['runtime']) {
    this.#runtime = runtime;
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
    if (this.#child === null) {
      const started = await this.#start(signal);
      if (!started.ok) return started;
    }
    const line = JSON.stringify({ program: job.program, data: job.data ?? null });
    const said = `${this.#runtime} was stopped after ${bounds.timeMs / 1000} s.`;
    const answer = await this.#await(
      { ms: bounds.timeMs, late: failure('tool_timeout', said), memoryMb: bounds.memoryMb, signal },
      () => this.#child?.send(line),
    );
    if (!answer.ok) return answer;
    if (answer.value['last'] === true) {
      this.#child?.kill();
      this.#child = null;
    }
    const refused = answer.value['failure'];
    if (isRecord(refused)) return fail(refused as unknown as Failure);
    return ok({ value: answer.value['value'], versions: this.#versions });
  }

  async #start(signal: CancelSignal | undefined): Promise<Result<true>> {
    const ms = BOOT_MS[this.#runtime];
    const late = failure('tool_unavailable', `The engine ${this.#runtime} did not start within ${ms / 1000} s.`);
    const first = await this.#await({ ms, late, memoryMb: null, signal }, () => {
      const child = openChild(this.#runtime, {
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
      });
      this.#child = child;
    });
    if (!first.ok) return first;
    const { versions, failure: refused } = first.value;
    if (isRecord(refused)) {
      // One that could not start is not there for the next call.
      this.#child?.kill();
      this.#child = null;
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
