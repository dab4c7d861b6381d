/**
 * `web_search`: a search engine is asked, and the first pages of the domains that may be reached are read.
 *
 *   ASK-77 off unless it is named; pages are evidence as files are, in their own words; what a page says opens no address
 */
import * as v from 'valibot';
import type { CancelSignal } from '#core/cancel.ts';
import { maskSecrets } from '#core/agent/reasoning/steps.ts';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { AccessionError, failed, toFailure } from '#core/errors.ts';
import type { AskTool } from '../ask-tool.ts';
import type { AskToolContext } from '../context.ts';
import { DocsSchema } from '../docs.ts';
import { withoutSecrets } from '../rag-retrieve.ts';
import { isPattern, mayAsk } from '#core/domains.ts';
import { foundIn, searchAddress, USUAL_ENGINE, type Found } from './engines.ts';
import { docsOfPages, type WebPage } from './pages.ts';

/** Pages that one search reads, and passages of them. */
const MOST_PAGES = 5;
const MOST_PASSAGES = 15;

const InputSchema = v.strictObject({
  query: v.pipe(v.string(), v.trim(), v.nonEmpty('the query is empty'), v.maxLength(400)),
  allow: v.exactOptional(
    v.pipe(v.array(v.pipe(v.string(), v.check(isPattern, 'a domain or "*." and a domain'))), v.maxLength(64)),
  ),
  top_k: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20))),
});

const ResultSchema = v.object({
  title: v.string(),
  url: v.string(),
  snippet: v.string(),
  source_id: v.optional(v.string(), ''),
});
const OutputSchema = v.object({ results: v.array(ResultSchema), docs: DocsSchema });

const tool = readTool({
  name: 'web_search',
  description: 'Searches the web within the domains that this run may reach, and reads the first pages.',
  input: InputSchema,
  output: OutputSchema,
  limits: { calls: 20, perMinute: 30 },
  async execute(
    input: v.InferOutput<typeof InputSchema>,
    { context, signal }: { context: AskToolContext; signal: CancelSignal | undefined },
  ) {
    try {
      const output = await search(input, context, signal);
      return {
        ok: true,
        output,
        provenance: output.results.map(({ source_id, url }) => ({ source: source_id, ref: url })),
      };
    } catch (thrown) {
      return { ok: false, failure: toFailure(thrown, 'web_search') };
    }
  },
});

export const webSearch: AskTool = { tool, network: true };

async function search(
  { query, allow, top_k = 5 }: v.InferOutput<typeof InputSchema>,
  context: AskToolContext,
  signal: CancelSignal | undefined,
): Promise<v.InferOutput<typeof OutputSchema>> {
  const { web, domains, sha256 } = context;
  if (web === undefined) throw failed('offline', 'There is no way to the network from here.');
  const lists = [domains, ...(allow === undefined ? [] : [allow])];
  const engine = web.engine ?? USUAL_ENGINE;
  // The engine is the person's choice: what a model wants is asked of it, not of whom it is asked.
  const answer = await web.fetch(searchAddress(engine, query, 20), [domains], signal);
  if (!answer.ok) throw new AccessionError(answer.failure);
  const seen = new Set<string>();
  const found = foundIn(engine, answer.value.text)
    .filter(({ url }) => mayAsk(url, [...lists, web.allow]) && !seen.has(url) && seen.add(url))
    .slice(0, top_k);
  const pages: (WebPage & { of: Found })[] = [];
  for (const of of found.slice(0, MOST_PAGES)) {
    const page = await web.fetch(of.url, lists, signal);
    if (page.ok) pages.push({ ...page.value, title: of.title, sha256: await sha256(page.value.text), of });
  }
  const read = new Map(pages.map(({ of, sha256: source }) => [of, source]));
  const docs = await docsOfPages(pages, query, MOST_PASSAGES);
  return {
    results: found.map((of) => ({
      ...{ title: maskSecrets(of.title), url: of.url, snippet: maskSecrets(of.snippet) },
      source_id: read.get(of) ?? '',
    })),
    docs: docs.map(withoutSecrets),
  };
}
