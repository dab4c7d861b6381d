/** The pipeline's round without a database: match, plan, ask the agent, match again, until nothing is left to do. */
import { createHash } from 'node:crypto';
import type { CompletionResponse, Message, ToolCall, ToolDefinition, LlmProvider } from '#core/agent/llm/provider.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { runUntilBlocked, type Executor } from '#core/agent/workflow/executor.ts';
import { DEFAULT_LIMITS } from '#core/agent/workflow/ports.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import type { Strategy, Workflow } from '#core/agent/workflow/workflow.ts';
import type { Failure } from '#core/errors.ts';
import { planBatch } from '#lanes/music/core/decide/batch-plan.ts';
import type { Batch } from '#core/job/job.ts';
import { matchContext, saidAbout } from '#lanes/music/core/decide/match-context.ts';
import { transition } from '#core/job/transitions.ts';
import { musicContext, type MusicContext } from '#lanes/music/core/agent/context.ts';
import { musicWorkflow } from '#lanes/music/core/agent/definition.ts';
import type { AgentAction, Doubt } from '#lanes/music/core/agent/doubt.ts';
import { findingOf } from '#lanes/music/core/agent/finding.ts';
import type { DownloadRequest } from '#lanes/music/core/catalog.ts';
import type { FileTags } from '#core/media.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import type { MusicEvent, MusicJob, MusicReview } from '#lanes/music/core/types.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../../fixtures/job.ts';

export type Say = (prompt: Asked) => { content: string; tool_calls?: ToolCall[] } | Failure;

export interface Asked {
  /** Everything that the model reads. */
  text: string;
  messages: readonly Message[];
  tools: readonly ToolDefinition[] | undefined;
  /** Letter of the first option whose line has all of these texts. */
  letter(...texts: string[]): string | null;
  /** From 0. */
  turn: number;
}

/** A model that says what the script says. */
export function scripted(say: Say, patch: Partial<LlmProvider['capabilities']> = {}): LlmProvider & { asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    name: 'openai',
    model: 'scripted',
    capabilities: {
      contextLength: 32_768,
      nativeTools: true,
      jsonSchema: true,
      grammar: false,
      logprobs: false,
      streaming: false,
      ...patch,
    },
    complete(messages, tools) {
      const text = messages.map(({ content }) => content).join('\n\n');
      const letter = (...texts: string[]): string | null =>
        [...text.matchAll(/^([A-Z])\) (.*)$/gm)].find(([, , line]) =>
          texts.every((part) => line?.includes(part)),
        )?.[1] ?? null;
      const prompt: Asked = { text, messages, tools, letter, turn: asked.length };
      asked.push(prompt);
      const said = say(prompt);
      if ('code' in said) return Promise.resolve({ ok: false, failure: said });
      const value: CompletionResponse = {
        message: { role: 'assistant', ...said },
        finish_reason: said.tool_calls ? 'tool_calls' : 'stop',
        usage: { tokens_in: 100, tokens_out: 10, milliseconds: 5 },
      };
      return Promise.resolve({ ok: true, value });
    },
    healthCheck: () => Promise.resolve({ ok: true, stages: [], capabilities: null, ms_per_token: null, models: [] }),
  };
}

/** Answers the option that has these texts, or ASK where there is none. */
export function choosing(...texts: string[]): Say {
  return (prompt) => ({
    content: JSON.stringify({ answer: prompt.letter(...texts) ?? 'ASK', why: `It says ${texts.join(', ')}.` }),
  });
}

export function call(name: string, args: Record<string, unknown>): { content: string; tool_calls: ToolCall[] } {
  return { content: '', tool_calls: [{ id: `c-${name}`, name, arguments: args }] };
}

export interface Dropped {
  path: string;
  tags?: FileTags;
  duration_ms: number | null;
}

export interface World {
  index: CatalogIndex;
  files: readonly Dropped[];
  provider: LlmProvider | null;
  strategy?: Strategy;
  batch?: Partial<Batch>;
  requests?: DownloadRequest[];
  threshold?: number;
  /** What a person answers to a review, where they do. */
  person?: (review: MusicReview) => string | null;
}

export interface Round {
  jobs: MusicJob[];
  reviews: MusicReview[];
  workflows: Workflow<Doubt, AgentAction>[];
  /** What the executor performed. */
  actions: AgentAction[];
}

export async function runBatch(world: World): Promise<Round> {
  const batch = makeBatch(world.batch);
  let jobs = world.files.map((file, at): MusicJob => {
    const id = `f${at + 1}`;
    const evidence = { file_id: id, path: file.path, duration_ms: file.duration_ms, tags: file.tags ?? {} };
    const name = file.path.split('/').at(-1) ?? file.path;
    return makeJob({ id, path: file.path, original_filename: name, status: 'PROCESSING', phase: 'grouping', evidence });
  });
  const apply = (id: string, event: MusicEvent): void => {
    jobs = jobs.map((job) => (job.id === id ? (transition(job, event, 10)?.job ?? job) : job));
  };
  const round: Omit<Round, 'jobs'> = { reviews: [], workflows: [], actions: [] };
  const ids = countingIds('review');
  for (let times = 0; times < 12; times++) {
    for (const job of jobs) if (job.phase === 'grouping') apply(job.id, { type: 'searching' });
    const request = world.requests?.find(({ id }) => id === batch.context_id);
    const match = matchBatch(
      {
        files: jobs.flatMap((job) => job.evidence ?? []),
        context: matchContext(batch, jobs, round.reviews, request),
      },
      world.index,
    );
    const plan = planBatch({
      batch,
      jobs,
      match,
      threshold: world.threshold ?? 0.9,
      track: (id) => world.index.track(id) ?? undefined,
      albumTitle: (id) => world.index.album(id)?.title,
      published: new Map(),
      claimedByOthers: new Map(),
      openReviews: round.reviews.filter(({ resolved_at }) => resolved_at === null),
      agent: world.provider ? 'on' : 'off',
      said: saidAbout(round.reviews),
      now: 5,
      ids,
    });
    for (const { job_id, event } of plan.events) apply(job_id, event);
    round.reviews = [
      ...round.reviews.filter(
        (old) => !plan.withdrawn.includes(old.id) && !plan.reviews.some(({ id }) => id === old.id),
      ),
      ...plan.reviews,
    ];
    if (plan.doubts.length === 0) {
      if (!answerOne(world, round, apply)) break;
      continue;
    }
    for (const doubt of plan.doubts) {
      const workflow = await ask(doubt, world, round.actions);
      round.workflows.push(workflow);
      for (const id of doubt.file_ids) apply(id, { type: 'agent', finding: findingOf(workflow) });
    }
  }
  return { jobs, ...round };
}

/** A person's word about the first review that they have one for; false where there is none. */
function answerOne(
  world: World,
  round: Pick<Round, 'reviews'>,
  apply: (id: string, event: MusicEvent) => void,
): boolean {
  for (const review of round.reviews) {
    const said = review.resolved_at === null ? (world.person?.(review) ?? null) : null;
    if (said === null) continue;
    round.reviews = round.reviews.map((one) =>
      one.id === review.id ? { ...one, resolved_at: 9, resolved_by_user_id: 'me', selected_option: said } : one,
    );
    for (const id of review.job_ids) apply(id, { type: 'rematch' });
    return true;
  }
  return false;
}

/** One doubt put to the model. */
export async function ask(
  doubt: Doubt,
  world: Pick<World, 'index' | 'provider' | 'strategy' | 'requests'>,
  actions: AgentAction[] = [],
): Promise<Workflow<Doubt, AgentAction>> {
  const { provider } = world;
  if (!provider) throw new Error('no model');
  const started = startWorkflow(musicWorkflow, doubt, {
    id: `wf-${doubt.key}`,
    now: 1,
    strategy: world.strategy ?? 'choice',
    model: `${provider.name}/${provider.model}`,
    recorded: false,
    seed: 7,
  });
  const executor: Executor<Doubt, AgentAction, MusicContext> = {
    definition: musicWorkflow,
    registry: new AgentToolRegistry(musicWorkflow.tools),
    ports: {
      provider,
      context: musicContext({
        index: world.index,
        files: doubt.files,
        requests: () => Promise.resolve(world.requests ?? []),
        cursor: () => '17',
      }),
      clock: testClock(),
      sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      wait: () => Promise.resolve(),
      save: () => Promise.resolve(),
      perform: (_action, workflow) => {
        // The state carries the action with its type; the port's own parameter is of any definition.
        const { state } = workflow;
        if (state.type === 'Executing' && isAction(state.action)) actions.push(state.action);
        return Promise.resolve();
      },
    },
    options: { temperature: 0.3, timeoutMs: 1000, limits: DEFAULT_LIMITS, price: { in: 0, out: 0 } },
  };
  return runUntilBlocked(started, executor);
}

function isAction(value: unknown): value is AgentAction {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The decisions, without what differs between runs by nature. */
export function decisions({ jobs, reviews }: Round): unknown {
  return {
    jobs: jobs.map(({ id, phase, matched_track_id, match_confidence }) => ({
      id,
      phase,
      matched_track_id,
      match_confidence,
    })),
    asked: reviews.map(({ kind, job_ids }) => ({ kind, job_ids })),
  };
}
