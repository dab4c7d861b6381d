import { failure } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import { fail, type Result } from '../../result.ts';
import { CancelSource, type CancelSignal } from '../../cancel.ts';

/** A provider keeps its own time; this is for one that does not. Milliseconds beyond the call's limit. */
const GRACE = 5000;

export interface DeadlinePorts {
  clock: Clock;
  wait(milliseconds: number, signal: CancelSignal | undefined): Promise<void>;
  signal?: CancelSignal;
}

/**
 * The work's result, or `model_timeout` when it has not come in time: the work is then aborted and not waited for.
 * Also not waited for once the person cancelled and the work does not stop.
 */
export async function withDeadline<Value>(
  ports: DeadlinePorts,
  milliseconds: number,
  work: (signal: CancelSignal) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const inner = new CancelSource();
  const timer = new CancelSource();
  const began = ports.clock.now();
  let giveUp: (result: Result<Value>) => void = () => undefined;
  const givenUp = new Promise<Result<Value>>((resolve) => {
    giveUp = resolve;
  });
  const onAbort = (): void => {
    inner.abort();
    giveUp(fail(failure('cancelled', 'The call to the model was cancelled.')));
  };
  if (ports.signal?.aborted) onAbort();
  ports.signal?.addEventListener('abort', onAbort);
  const watch = async (): Promise<void> => {
    await ports.wait(milliseconds + GRACE, timer);
    // Waits end early when they are cancelled.
    if (timer.aborted || ports.clock.now() - began < milliseconds) return;
    inner.abort();
    giveUp(
      fail(failure('model_timeout', `The model did not answer within ${Math.round(milliseconds / 1000)} seconds.`)),
    );
  };
  try {
    return await Promise.race([work(inner), givenUp, never(watch())]);
  } finally {
    timer.abort();
    ports.signal?.removeEventListener('abort', onAbort);
  }
}

/** Runs along: only its failure ends the race. */
async function never(running: Promise<void>): Promise<never> {
  await running;
  return new Promise<never>(() => undefined);
}
