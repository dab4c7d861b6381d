import { workflowOf, type Agent, type AgentEngine, type DoubtWorkflow } from '#core/run/agent.ts';
import type { Doubt } from '#lanes/music/core/agent/doubt.ts';
import { type AgentModel, DEFAULT_LIMITS } from '#core/agent/workflow/ports.ts';
import type { CompletionOptions, LlmProvider, CompletionResponse } from '#core/agent/llm/provider.ts';
import type { JournalDraft } from '#core/agent/workflow/workflow.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';

/** The model, and music's workflow. */
export type FakeAgent = Agent & { engine(): Promise<AgentEngine> };

export const noAgent: FakeAgent = { engine: async () => engineOfTwoCalls(), model: async () => null, seed: () => 1 };

/**
 * A small agent in place of the real one: two model calls, the second one's text is the answer. It keeps the rules that
 * the stage relies on: saved before and after each call, a finished call is not made again.
 */
export function engineOfTwoCalls(): AgentEngine {
  return {
    begin: (doubt, { id, now, strategy, model, recorded, seed }) => ({
      schema_version: 1,
      id,
      definition: 'fake',
      definition_version: 1,
      input: doubt,
      strategy,
      model,
      recorded,
      seed,
      state: { type: 'Started' },
      journal: [],
      entities: {},
      spent: { iterations: 0, tokens_in: 0, tokens_out: 0, cost: 0, milliseconds: 0, repairs: 0 },
      started_at: now,
      updated_at: now,
    }),
    read: (workflow_state) => workflowOf({ workflow_state }),
    async run(workflow, { provider, options, signal, save }) {
      let now = workflow;
      const add = async (entry: JournalDraft, state?: DoubtWorkflow['state']): Promise<void> => {
        const n = now.journal.length + 1;
        now = { ...now, state: state ?? now.state, journal: [...now.journal, { ...entry, n, at: n }] };
        await save(now);
      };
      if (now.journal.length === 0) await add({ kind: 'context', content: (now.input as Doubt).question, data: null });
      for (const call of ['first', 'second']) {
        if (now.journal.some((entry) => entry.kind === 'model_ended' && entry.call === call)) continue;
        if (!now.journal.some((entry) => entry.kind === 'model_started' && entry.call === call))
          await add({ kind: 'model_started', call, prompt_sha: call, purpose: call });
        const answer = await provider.complete([{ role: 'user', content: `${call} ${now.input.key}` }], undefined, {
          maxTokens: 10,
          temperature: 0,
          timeoutMs: options.timeoutMs,
          signal,
        });
        if (!answer.ok) {
          await add({ kind: 'model_failed', call, failure: answer.failure });
          const error = answer.failure.message;
          await add(
            { kind: 'error', failure: answer.failure },
            { type: 'Failed', error, failure: answer.failure, recoverable: true },
          );
          return now;
        }
        await add({
          kind: 'model_ended',
          call,
          content: answer.value.message.content,
          tool_calls: [],
          finish_reason: 'stop',
          usage: answer.value.usage,
          first_token_logprobs: null,
        });
      }
      const { question } = now.input as Doubt;
      await add({ kind: 'asked', question, options: [], why: 'so' }, { type: 'AwaitingReview', question, options: [] });
      return now;
    },
    answer: (workflow, option_id, by, at) => ({
      ...workflow,
      state: { type: 'Completed', result: { action: null, decided_by: 'person', why: option_id } },
      journal: [...workflow.journal, { n: workflow.journal.length + 1, at, kind: 'answered', option_id, by }],
    }),
    finding(workflow) {
      const last = workflow.journal.findLast((entry) => entry.kind === 'model_ended');
      const failed = workflow.state.type === 'Failed' ? workflow.state.error : null;
      const { id: workflow_id, model, recorded, input } = workflow;
      const answer = failed === null ? (last?.content ?? 'ask') : 'failed';
      const common = { key: input.key, workflow_id, model, recorded };
      return { ...common, answer, why: 'so', agreement: 1, confidence: 0.5, failed, looked_up: [] };
    },
    steps: (journal, from) =>
      journal.slice(from).map((entry) => ({
        step_type: entry.kind === 'context' ? 'Context' : entry.kind === 'error' ? 'Error' : 'Thought',
        content: `${entry.n} ${entry.kind}`,
      })),
  };
}

export type Answerer = (prompt: string, options: CompletionOptions) => Promise<Result<string>> | Result<string>;

/** An agent over a model that answers as the test says. Counts the calls; `calls` are their prompts. */
export function fakeAgent(first: Answerer) {
  const calls: string[] = [];
  let answer = first;
  let model: Partial<AgentModel> | null = {};
  let running = 0;
  let most = 0;
  const provider = (name: string): LlmProvider => ({
    name: 'fake',
    model: name,
    capabilities: {
      contextLength: 4096,
      nativeTools: false,
      jsonSchema: true,
      grammar: true,
      logprobs: false,
      streaming: false,
    },
    async complete(messages, _tools, options): Promise<Result<CompletionResponse>> {
      const prompt = messages.at(-1)?.content ?? '';
      calls.push(prompt);
      running += 1;
      most = Math.max(most, running);
      const aborted = new Promise<Result<string>>((resolve) => {
        options.signal?.addEventListener('abort', () => resolve(fail(failure('cancelled', 'stopped'))));
      });
      const said = await Promise.race([answer(prompt, options), aborted]);
      running -= 1;
      if (!said.ok) return said;
      return ok({
        message: { role: 'assistant', content: said.value },
        finish_reason: 'stop',
        usage: { tokens_in: 1, tokens_out: 1, milliseconds: 1 },
      });
    },
    healthCheck: () => Promise.reject(new Error('not asked')),
  });
  const engine = engineOfTwoCalls();
  const agent: FakeAgent = {
    engine: async () => engine,
    seed: () => 1,
    model: async () => {
      if (model === null) return null;
      const named = model.model ?? 'small';
      return {
        provider: 'fake',
        model: named,
        recorded: false,
        hosted: false,
        strategy: 'choice',
        fingerprint: named,
        options: { temperature: 0, timeoutMs: 1000, limits: DEFAULT_LIMITS, price: { in: 0, out: 0 } },
        seed: null,
        open: async () => ok(provider(named)),
        ...model,
      };
    },
  };
  return {
    agent,
    engine,
    calls,
    most: () => most,
    setAnswer: (next: Answerer) => {
      answer = next;
    },
    setModel: (next: Partial<AgentModel> | null) => {
      model = next;
    },
  };
}
