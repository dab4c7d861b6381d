/** The music workflow over a copy of the catalog: the app's (browser/llm/music-agent.ts) and a headless worker's run it alike. */
import { journalSteps } from '#core/agent/reasoning/steps.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { answerWorkflow, startWorkflow } from '#core/agent/workflow/start.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { record } from '#core/agent/workflow/journal.ts';
import { parseWorkflow } from '#core/agent/workflow/parse.ts';
import { failed } from '#core/errors.ts';
import { musicContext, type MusicContext } from '#lanes/music/core/agent/context.ts';
import { musicWorkflow, musicWorkflowFor } from '#lanes/music/core/agent/definition.ts';
import type { Doubt } from '#lanes/music/core/agent/doubt.ts';
import { findingOf } from '#lanes/music/core/agent/finding.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import type { DownloadRequest } from '#lanes/music/core/catalog.ts';
import type { Clock } from '#core/ports.ts';
import type { AgentEngine, DoubtWorkflow } from '#core/run/agent.ts';
import type { Timers } from '#adapters/http/socket.ts';
import { sha256, wait } from '#adapters/llm/executor-ports.ts';

export interface MusicEngineDeps {
  clock: Clock;
  timers: Timers;
  /** null while there is no whole copy yet. */
  index(): Promise<CatalogIndex | null>;
  /** The pending ones, oldest first. */
  requests(): Promise<DownloadRequest[]>;
  /** What names the state of the catalog that was searched. */
  cursor(): Promise<string>;
}

export function createMusicEngine(deps: MusicEngineDeps): AgentEngine {
  const registry = new AgentToolRegistry(musicWorkflow.tools);
  return {
    begin: (doubt, options) => startWorkflow(musicWorkflow, doubt, options),
    read(json) {
      const workflow = parseWorkflow(json, musicWorkflow);
      return workflow.ok ? workflow.value : null;
    },
    run: async (workflow, { provider, options, signal, save }) =>
      runUntilBlocked(workflow, {
        definition: musicWorkflowFor(provider.capabilities.contextLength),
        registry,
        options,
        ports: {
          provider,
          context: await contextOf(deps, workflow),
          clock: deps.clock,
          sha256,
          wait: (milliseconds, stop) => wait(deps.timers, milliseconds, stop),
          save,
          // What was decided is a hypothesis that the matcher looks at; it is in the finding that the end is saved with.
          perform: () => Promise.resolve(),
          signal,
        },
      }),
    answer,
    finding: findingOf,
    steps: journalSteps,
  };
}

/** What a person chose is done by the transaction that takes their answer; the workflow only says so. */
function answer(workflow: DoubtWorkflow, optionId: string, by: string, now: number): DoubtWorkflow {
  const answered = answerWorkflow(workflow, musicWorkflow, optionId, by, now);
  if (answered.state.type !== 'ReadyToExecute') return answered;
  const { action } = answered.state;
  const why = 'Chosen by a person.';
  const result = { action, decided_by: 'person' as const, why };
  return record(answered, { kind: 'action', action, phase: 'done', why }, now, { type: 'Completed', result });
}

async function contextOf(deps: MusicEngineDeps, workflow: DoubtWorkflow): Promise<MusicContext> {
  const built = await deps.index();
  if (!built) throw failed('offline', 'The offline copy of the catalog is not complete yet.');
  const cursor = await deps.cursor();
  return musicContext({
    index: built,
    // The workflow is this lane's: so is its doubt.
    files: (workflow.input as Doubt).files,
    requests: () => deps.requests(),
    cursor: () => cursor,
  });
}
