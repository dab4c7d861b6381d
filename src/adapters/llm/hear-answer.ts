import type { CompletionOptions } from '#core/agent/llm/provider.ts';
import { ok, type Result } from '#core/result.ts';
import { call, type Wire } from './call.ts';
import type { FailureContext } from './failures.ts';
import type { AnswerReader, Heard } from './heard.ts';
import { createPaddingWatch } from './padding.ts';
import { createThinkFilter } from './think.ts';

export interface HeardAnswer {
  heard: Heard;
  context: FailureContext;
  milliseconds: number;
  /** It was stopped from this side: the answer only padded. */
  padded: boolean;
}

/**
 * Sends one question and hears its answer to the end, or until it only pads. `reader` makes the wire's reader; what it
 * hears of the answer's text goes on to `asked.onText`, without thinking.
 */
export async function hearAnswer(
  wire: Wire,
  request: { path: string; body: unknown },
  asked: CompletionOptions,
  reader: (onContent: (delta: string) => void) => AnswerReader,
): Promise<Result<HeardAnswer>> {
  const thoughts = createThinkFilter();
  const padding = createPaddingWatch();
  let padded = false;
  const say = (text: string): void => {
    if (text !== '') asked.onText?.(text);
  };
  const reading = reader((delta) => {
    padded ||= asked.schema !== undefined && padding.feed(delta);
    say(thoughts.feed(delta));
  });
  const { timeoutMs, signal } = asked;
  const answer = await call(wire, { method: 'POST', ...request, timeoutMs, signal }, (text) => {
    reading.feed(text);
    return padded;
  });
  if (!answer.ok) return answer;
  const heard = reading.end();
  say(thoughts.end());
  return ok({ heard, padded, context: answer.value.context, milliseconds: answer.value.milliseconds });
}
