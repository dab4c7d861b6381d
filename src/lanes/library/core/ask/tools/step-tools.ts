/** Ask's tools as other lanes may have them: steps of playbooks look into a library, and search the web where a person agreed to it. */
import * as v from 'valibot';
import { inContext, readTool } from '#core/agent/tools/make-tool.ts';
import type { OfferedTool, RetrieverWish } from '#core/agent/tools/offered-tool.ts';
import { commonDomains } from '#core/domains.ts';
import { LibraryIndex } from '../../search/library-index.ts';
import type { RagDoc } from '../evidence/evidence.types.ts';
import { ASK_DEFAULTS } from '../run/options.ts';
import type { AskSources, AskToolContext, WebPort } from './context.ts';
import { ragRetrieve } from './rag-retrieve.ts';
import { webSearch } from './web/web-search.ts';

/** Of a document, what a step's model reads and an answer is traced to. */
const DocSchema = v.object({
  source_id: v.string(),
  title: v.string(),
  path: v.string(),
  /** First and last. */
  lines: v.tuple([v.number(), v.number()]),
  pages: v.exactOptional(v.array(v.number())),
  score: v.number(),
  text: v.string(),
});
type StepDoc = v.InferOutput<typeof DocSchema>;

const wording = v.pipe(v.string(), v.trim(), v.nonEmpty('the query is empty'), v.maxLength(4000));

/** @param open the library; it is asked for once, at the first call */
export function ragForSteps(open: () => Promise<AskSources>, sha256: AskToolContext['sha256']): OfferedTool {
  const usual = ASK_DEFAULTS.retriever;
  let opening: Promise<AskSources> | null = null;
  const retrieves = ({ profile, k: most, rerank, expand }: RetrieverWish): OfferedTool =>
    readTool({
      name: ragRetrieve.name,
      version: ragRetrieve.version,
      description: ragRetrieve.description,
      input: v.strictObject({
        query: wording,
        k: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
        /** Other wordings of the same. */
        also: v.exactOptional(v.pipe(v.array(wording), v.maxLength(expand))),
      }),
      output: v.object({ docs: v.array(DocSchema) }),
      limits: ragRetrieve.limits,
      async execute({ query, k = most ?? usual.k, also = [] }, run) {
        const sources = await (opening ??= open());
        const context: AskToolContext = { ...sources, domains: [], sha256 };
        const docs = new Map<string, StepDoc>();
        const provenance = new Map<string, { source: string; ref: string }>();
        for (const one of [query, ...also]) {
          const wish = { query: one, k, retriever_profile: profile ?? usual.profile, rerank: rerank ?? usual.rerank };
          const found = await ragRetrieve.execute(wish, { ...run, context });
          if (!found.ok) return found;
          for (const doc of found.output.docs) docs.set(placeOf(doc), docs.get(placeOf(doc)) ?? stepDoc(doc));
          for (const from of found.provenance) provenance.set(`${from.source} ${from.ref}`, from);
        }
        const best = [...docs.values()].sort((a, b) => b.score - a.score).slice(0, k);
        return { ok: true, output: { docs: best }, provenance: [...provenance.values()] };
      },
    });
  return { ...retrieves({ expand: 0 }), retrieves };
}

const placeOf = ({ source_id, metadata }: RagDoc): string => `${source_id} ${metadata.start}`;

const stepDoc = ({ source_id, title, text, pages, score, metadata }: RagDoc): StepDoc => ({
  ...{ source_id, title, path: metadata.path, lines: [metadata.startLine, metadata.endLine], score, text },
  ...(pages === undefined ? {} : { pages }),
});

/** @param agreed patterns of hosts to which a person agreed */
export function webForSteps(web: WebPort, agreed: readonly string[], sha256: AskToolContext['sha256']): OfferedTool {
  const index = new LibraryIndex([]);
  const within = (domains: readonly string[]): OfferedTool =>
    inContext(webSearch.tool, () => ({ index, web, sha256, domains: commonDomains(domains, agreed) }));
  return { ...within([]), asks: { hosts: null, agreed, within } };
}
