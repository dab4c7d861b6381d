/** A worker's part in runs of playbooks: takes one that waits on the server, and works on it until it has an end. */
import { CancelSource } from '#core/cancel.ts';
import { failure, toFailure, type Failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import { beginRun, resumeRun, type Begun } from '../core/run/begin.ts';
import type { RunPorts } from '../core/run/ports.ts';
import type { Limits } from '../core/check/step-values.ts';
import { MOST_SAID, type SaidEnd, type TakenRun } from '../core/shared/run-protocol.ts';
import type { Mapping } from '../core/value.ts';
import { HeldRun, type HeldUsing } from './held-run.ts';
import { LeasedFiles } from './leased-files.ts';
import { LeasedRuns } from './leased-runs.ts';

export interface RunWorkerUsing extends Omit<HeldUsing, 'onCancel'> {
  /** Models and the rest of what a run needs, of this machine. */
  ports: Omit<RunPorts, 'files' | 'signal' | 'said' | 'tools'>;
  /** For a run whose person agreed to these hosts; null: there are no tools here. */
  tools: ((agreed: readonly string[]) => Promise<readonly OfferedTool[]>) | null;
  say(line: string): void;
}

/** What came of a look: whether a run was taken; a failure where the server could not be asked, or refuses this worker. */
export async function workOnNextRun(using: RunWorkerUsing, name: string, stop: AbortSignal): Promise<Result<boolean>> {
  const taken = await using.client.take(name, using.tools !== null);
  // A server of before knows of none.
  if (!taken.ok) return taken.failure.code === 'not_found' ? ok(false) : taken;
  if (taken.value === null) return ok(false);
  const { name: called } = taken.value;
  using.say(`playbook ${called}: begun`);
  const why = await workOnRun(taken.value, using, stop);
  using.say(why === null ? `playbook ${called}: done` : `playbook ${called}: left (${why.message})`);
  return why === null || stop.aborted || why.code === 'conflict' || why.code === 'not_found' ? ok(true) : fail(why);
}

/** null: it has its end. Else why it was left: it is given back where that can be said. */
async function workOnRun(taken: TakenRun, using: RunWorkerUsing, stop: AbortSignal): Promise<Failure | null> {
  const signal = new CancelSource();
  const held = new HeldRun(taken, { ...using, onCancel: () => signal.abort() });
  const leave = (): void => held.leave(failure('cancelled', 'The worker was stopped.'));
  stop.addEventListener('abort', leave);
  if (stop.aborted) leave();
  const alive = held.keepAlive();
  try {
    const end = endOf(await run(held, using, signal));
    await held.asked((client, lease) => client.end(lease, end));
    return null;
  } catch (error) {
    const why = held.why ?? toFailure(error);
    held.leave(why);
    // Another goes on from the journal; where the lease is another's by now, that says so.
    if (why.code !== 'conflict' && why.code !== 'not_found') await using.client.giveBack(taken.lease_id);
    return why;
  } finally {
    held.close();
    stop.removeEventListener('abort', leave);
    await alive;
  }
}

async function run(held: HeldRun, { ports: machine, tools }: RunWorkerUsing, signal: CancelSource): Promise<Begun> {
  const { id, playbook, config, set, step, domains, seed, parallel, reuse, again, limits, pieces } = held.taken;
  const store = new LeasedRuns(held);
  const ports: RunPorts = {
    ...{ ...machine, files: new LeasedFiles(held, machine.sha256), signal },
    tools: tools === null ? [] : await tools(domains),
  };
  if (pieces > 0) return resumeRun(id, store, ports, { limits: limits as Limits, parallel });
  // Parsed by the schema of the protocol: JSON, as a config is.
  const source = { playbook, config: config as Mapping, set: set as Mapping, step: step as Mapping, overwrite: false };
  return beginRun(source, store, ports, { id, seed, limits: limits as Limits, parallel, reuse, again });
}

function endOf(begun: Begun): SaidEnd {
  if (begun.state === 'refused')
    return { state: 'refused', error: begun.faults[0] ?? null, skipped: [], faults: begun.faults.slice(0, MOST_SAID) };
  const { state, error, skipped } = begun.end;
  return { state, error, skipped: skipped.slice(0, MOST_SAID), faults: [] };
}
