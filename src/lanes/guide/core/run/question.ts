/** What a model is asked before a step: the envelope, counts and names of tools. Nothing of a guide's text is in it. */
import type { LlmProvider, Message } from '#core/agent/llm/provider.ts';
import { cleanText } from '#core/agent/prompt/clean.ts';
import type { Question } from './ports.ts';
import { FAULT_TYPES } from '../faults/fault.ts';
import { ratioOf, type GuideView } from './run.types.ts';

const MOST_ERRORS = 500;
const SYSTEM =
  'You choose the next tool that mends the metadata of a TV guide. Answer with one JSON object and nothing else: ' +
  '{"action": a tool\'s name or "STOP", "reason": one sentence, "confidence": 0.0 to 1.0}. ' +
  'STOP where none of the tools can help with what is open. fetch_metadata_logs only reads.';

/** The six fields that a run goes by; made anew before each step. */
export interface RunEnvelope {
  metadata_failure_ratio: number;
  placeholder_ratio: number;
  xmltv_validation_errors: number;
  lineup_mismatch_count: number;
  plex_metadata_mismatch_flag: boolean;
  recent_metadata_errors: string;
}

export function envelopeOf(view: GuideView): RunEnvelope {
  const { programmes, open } = view;
  const rounded = (ratio: number): number => Math.round(ratio * 10_000) / 10_000;
  return {
    metadata_failure_ratio: rounded(ratioOf(view)),
    placeholder_ratio: rounded(programmes > 0 ? open.PLACEHOLDER_TITLE / programmes : 0),
    xmltv_validation_errors: open.XMLTV_VALIDATION_ERROR,
    lineup_mismatch_count: open.LINEUP_MISMATCH,
    plex_metadata_mismatch_flag: view.plex_mismatch,
    recent_metadata_errors: cleanText(view.recent_errors, MOST_ERRORS).text,
  };
}

/** At most about 2 KB for any guide. */
export function questionMessages({ view, possible }: Question): Message[] {
  const open = Object.fromEntries(
    FAULT_TYPES.flatMap((type) => (view.open[type] > 0 ? [[type, view.open[type]]] : [])),
  );
  const content = JSON.stringify({
    evidence: envelopeOf(view),
    open_faults: open,
    tools: [...possible, 'fetch_metadata_logs'],
  });
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content },
  ];
}

/** The answer's text; null where none came whole: the order of the rules holds then. Never throws. */
export async function askModel(
  provider: Pick<LlmProvider, 'complete' | 'capabilities'>,
  question: Question,
  { temperature, timeoutMs }: { temperature: number; timeoutMs: number },
): Promise<string | null> {
  const schema = {
    name: 'next_step',
    schema: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: [...question.possible, 'fetch_metadata_logs', 'STOP'] },
        reason: { type: 'string', maxLength: 300 },
        confidence: { type: 'number' },
      },
      required: ['action', 'reason', 'confidence'],
      additionalProperties: false,
    },
  };
  const answer = await provider.complete(questionMessages(question), undefined, {
    ...{ maxTokens: 600, temperature, timeoutMs },
    ...(provider.capabilities.jsonSchema || provider.capabilities.grammar ? { schema } : {}),
  });
  return answer.ok && answer.value.finish_reason === 'stop' ? answer.value.message.content : null;
}
