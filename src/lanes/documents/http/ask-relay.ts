/** A metadata source, asked by the catalog server. */
import { createJsonCall } from '#adapters/http/json-call.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import { RelayAnswerSchema } from '#lanes/documents/core/lookup/relay.ts';
import type { Asked, RawAnswer, SourceId } from '#lanes/documents/core/lookup/source.ts';

/** Milliseconds: the server itself waits 20 s for a source. */
const PATIENCE_MS = 25_000;

/** What the source said, or why there is none now, as a sentence. */
export async function askRelay(
  options: HttpOptions,
  { source, identifier: { kind, value } }: { source: SourceId; identifier: Asked },
): Promise<RawAnswer | { why: string }> {
  if (kind === 'title') return { why: `The server asks ${source} for no titles.` };
  const call = createJsonCall(options);
  const timing = { timeoutMs: PATIENCE_MS };
  const answer = await call('POST', '/v1/documents/lookup', RelayAnswerSchema, { source, kind, value }, timing);
  if (!answer.ok) return { why: answer.failure.message };
  return answer.value.outcome === 'later' ? { why: answer.value.why } : answer.value;
}
