import { AccessionError } from '#core/errors.ts';
import type { RelayedLookup } from '#lanes/documents/core/lookup/lookup.ts';
import {
  RelayAnswerSchema,
  RelayAskSchema,
  USUAL_SOURCES,
  type RelayAnswer,
} from '#lanes/documents/core/lookup/relay.ts';
import { json, route, type Route } from '#server/api/route.ts';
import type { DocumentsConfig } from '#server/config-file.ts';
import { readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';

/** Look-ups under way at one time, for all callers: each source is asked one by one whoever asks. */
const MOST_AT_ONCE = 16;
/** What takes longer goes on, is kept, and is there when it is asked again. Milliseconds. */
const PATIENCE_MS = 20_000;

/** POST /v1/documents/lookup. `lookup` null: the server is not open, its routes alone are wanted. */
export function lookupRoutes(
  { sources }: Pick<DocumentsConfig, 'sources'>,
  lookup: RelayedLookup | null,
  patienceMs = PATIENCE_MS,
): Route[] {
  let under = 0;
  return [
    route('POST /v1/documents/lookup', {
      scope: 'EditCatalog',
      tag: 'Documents',
      summary: 'What a metadata source says of a DOI, an ISBN or a number of arXiv, as it came.',
      description:
        'Only fixed hosts are asked, one request at a time and as slowly as they like; answers up to 2 MB are kept for all. ' +
        '`later` where the source gives none now, or none within 20 s.',
      idempotent: true,
      body: RelayAskSchema,
      maxBody: 16 * 1024,
      waitsElsewhere: true,
      replies: { 200: json(RelayAnswerSchema, "The source's answer, or `later`.") },
      failures: [403, 422, 429],
      async answer(c) {
        const { value } = await readBody(c, RelayAskSchema);
        if (lookup === null || !(sources ?? USUAL_SOURCES).includes(value.source))
          throw new HttpError('forbidden', `This server does not ask ${value.source}.`, {
            remedy: 'Who runs it can add the source to [documents] in accession.toml.',
          });
        if (under >= MOST_AT_ONCE)
          throw new HttpError('rate_limited', 'The server looks up others now.', { headers: { 'Retry-After': '5' } });
        under += 1;
        const { source, kind, value: text } = value;
        const asked = lookup.raw(source, { kind, value: text }).finally(() => (under -= 1));
        return c.json(await inTime(asked, source, patienceMs));
      },
    }),
  ];
}

async function inTime(
  asked: ReturnType<RelayedLookup['raw']>,
  source: string,
  patienceMs: number,
): Promise<RelayAnswer> {
  const late = AbortSignal.timeout(patienceMs);
  const waited = new Promise<{ later: string }>((resolve) => {
    late.addEventListener('abort', () =>
      resolve({ later: `${source} gave no answer within ${patienceMs / 1_000} s.` }),
    );
  });
  try {
    const answer = await Promise.race([asked, waited]);
    if ('later' in answer) return { outcome: 'later', why: answer.later };
    const { status, headers, body, at } = answer;
    const type = headers['content-type'];
    return { outcome: 'answered', status, headers: type === undefined ? {} : { 'content-type': type }, body, at };
  } catch (error) {
    if (error instanceof AccessionError && error.failure.code === 'invalid')
      throw new HttpError('invalid', error.failure.message);
    throw error;
  } finally {
    // What comes too late is kept by the look-up; its failure is nobody's.
    asked.catch(() => undefined);
  }
}
