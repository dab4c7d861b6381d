import { createHash } from 'node:crypto';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { Executor } from '#core/agent/workflow/executor.ts';
import { DEFAULT_LIMITS, type ExecutorOptions, type ExecutorPorts } from '#core/agent/workflow/ports.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import type { Strategy, Workflow } from '#core/agent/workflow/workflow.ts';
import { VirtualTime } from '../../fixtures/virtual-time.ts';
import {
  PARCELS,
  parcelRegistry,
  parcelWorkflow,
  sorting,
  type ParcelAction,
  type ParcelInput,
  type Sorting,
} from './parcels.ts';

export type ParcelRun = Workflow<ParcelInput, ParcelAction>;

export interface Bench {
  executor: Executor<ParcelInput, ParcelAction, Sorting>;
  time: VirtualTime;
  sorting: Sorting;
  /** What `perform` was given, with the workflow's id. */
  performed: unknown[];
  /** JSON of the last save. */
  stored(): string;
}

export const OPTIONS: ExecutorOptions = {
  temperature: 0.3,
  timeoutMs: 30_000,
  limits: DEFAULT_LIMITS,
  price: { in: 0, out: 0 },
};

/** An executor of the parcels over this model, in virtual time. `afterSave` may throw: a crash. */
export function bench(
  provider: LlmProvider,
  options: Partial<ExecutorOptions> = {},
  ports: Partial<ExecutorPorts<Sorting>> = {},
  afterSave: () => void = () => undefined,
): Bench {
  const time = new VirtualTime();
  const performed: unknown[] = [];
  let saved: unknown = null;
  const context = sorting();
  const executor: Bench['executor'] = {
    definition: parcelWorkflow,
    registry: parcelRegistry(),
    options: { ...OPTIONS, ...options },
    ports: {
      provider,
      context,
      clock: time,
      sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      wait: time.wait,
      save: (workflow) => {
        saved = workflow;
        afterSave();
        return Promise.resolve();
      },
      perform: (action) => {
        performed.push(action);
        return Promise.resolve();
      },
      ...ports,
    },
  };
  const made: Bench = { executor, time, sorting: context, performed, stored: () => JSON.stringify(saved) };
  return made;
}

export function begin(strategy: Strategy, seed = 7, input: ParcelInput = PARCELS): ParcelRun {
  return startWorkflow(parcelWorkflow, input, {
    id: 'w1',
    now: 1_000_000,
    strategy,
    model: 'scripted/script',
    recorded: false,
    seed,
  });
}
