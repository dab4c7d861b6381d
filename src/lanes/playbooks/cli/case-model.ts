/** The model of a case: what it answers to each unit is written in the case, a list of them one a try. */
import type { CompletionResponse, HealthReport, LlmProvider } from '#core/agent/llm/provider.ts';
import { failure, FAILURES, type FailureCode } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';

type Said = string | { fail: string };
export type CaseAnswers = Readonly<Record<string, readonly (Said | readonly Said[])[]>>;

const isCode = (code: string): code is FailureCode => Object.hasOwn(FAILURES, code);

/** Its count of calls goes on over kills, as that of a real server does. */
export class CaseModel {
  readonly #answers: CaseAnswers;
  readonly #tries = new Map<string, number>();
  calls = 0;

  constructor(answers: CaseAnswers) {
    this.#answers = answers;
  }

  /** What is said to this unit next. */
  #answer(step: string, unit: number): Promise<Result<CompletionResponse>> {
    this.calls += 1;
    const listed = this.#answers[step]?.[unit];
    const key = JSON.stringify([step, unit]);
    const tried = this.#tries.get(key) ?? 0;
    this.#tries.set(key, tried + 1);
    const said: Said | undefined = isSeries(listed) ? (listed[tried] ?? listed.at(-1)) : listed;
    if (said === undefined)
      return Promise.resolve(fail(failure('model_unrecorded', 'The case has no answer to this.')));
    if (typeof said !== 'string') {
      // One that asks for a longer wait than anybody has is not tried again.
      const code = isCode(said.fail) ? said.fail : 'model_error';
      return Promise.resolve(fail(failure(code, `The case says ${said.fail}.`, { retryAfterMs: 1e9 })));
    }
    return Promise.resolve(
      ok({
        message: { role: 'assistant', content: said },
        finish_reason: 'stop',
        usage: { tokens_in: 10, tokens_out: 5, milliseconds: 0 },
      }),
    );
  }

  /** As one unit asks it. */
  provider({ step, unit }: { step: string; unit: number }): LlmProvider {
    return {
      name: 'scripted',
      model: 'case',
      capabilities: {
        ...{ contextLength: 100_000_000, nativeTools: false, jsonSchema: false, grammar: false, logprobs: false },
        streaming: false,
      },
      complete: () => this.#answer(step, unit),
      healthCheck: (): Promise<HealthReport> =>
        Promise.resolve({ ok: true, stages: [], capabilities: null, ms_per_token: null, models: ['case'] }),
    };
  }
}

const isSeries = (said: Said | readonly Said[] | undefined): said is readonly Said[] => Array.isArray(said);
