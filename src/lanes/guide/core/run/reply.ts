/** What a model answered, read strictly: what is no reply is none, and nothing is repaired. */
import * as v from 'valibot';
import { withoutThinking } from '#core/agent/prompt/ladder.ts';
import { GUIDE_TOOLS, type GuideToolName } from './run.types.ts';

/** Below this a reply is not taken. */
const LEAST_CONFIDENCE = 0.3;
const LONGEST_REASON = 2000;
/** Characters that are read: to take thinking out costs the square of its length at worst. */
const MOST_READ = 40_000;

const ReplySchema = v.strictObject({
  action: v.picklist([...GUIDE_TOOLS, 'STOP']),
  reason: v.pipe(
    v.string(),
    v.check((reason) => reason.trim() !== '' && [...reason].length <= LONGEST_REASON),
  ),
  confidence: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(1)),
});

export type Reply =
  { ok: true; action: GuideToolName | 'STOP'; reason: string; confidence: number; taken: boolean } | { ok: false };

/** Never throws. */
export function readReply(text: string): Reply {
  if (text.length > MOST_READ) return { ok: false };
  const said = withoutThinking(text).trim();
  const json = /^```(?:json)?\s*([^]*?)\s*```$/.exec(said)?.[1] ?? said;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { ok: false };
  }
  const read = v.safeParse(ReplySchema, value);
  return read.success ? { ok: true, ...read.output, taken: read.output.confidence >= LEAST_CONFIDENCE } : { ok: false };
}
