/**
 * What a run may do and spend: the specification's `agent:` block. A playbook step's block and `[ask]` in accession.toml
 * have the same keys, written as there (`tools` a list beside `domains`) or as in the configuration file (`tools.allow`).
 */
import * as v from 'valibot';
import { failed } from '#core/errors.ts';

export const PROFILES = ['vector', 'hybrid', 'bm25'] as const;
export const WRITERS = ['auto', 'quotes', 'choice', 'text'] as const;
export const PLANNERS = ['auto', 'code', 'model'] as const;

const count = (least: number, most: number, name: string) =>
  v.pipe(
    v.number(`${name} must be a number`),
    v.integer(`${name} must be a whole number`),
    v.minValue(least, `${name} must be ${least} to ${most}`),
    v.maxValue(most, `${name} must be ${least} to ${most}`),
  );
const names = (what: string) => v.pipe(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty(`${what} has an empty name`))));

const iterations = count(1, 20, 'iterations');
const expand = count(0, 8, 'expand');
const confidence = v.nullable(
  v.pipe(
    v.number('confidence must be a number from 0 to 1'),
    v.minValue(0, 'confidence must be 0 to 1'),
    v.maxValue(1, 'confidence must be 0 to 1'),
  ),
);
const tokens = v.nullable(count(1, 1_000_000_000, 'budget.tokens'));
const cost = v.nullable(
  v.pipe(v.number('budget.cost must be a number of US dollars'), v.gtValue(0, 'budget.cost must be more than 0')),
);
const profile = v.picklist(PROFILES, 'profile must be vector, hybrid or bm25');
const writer = v.picklist(WRITERS, 'writer must be auto, quotes, choice or text');
const planner = v.picklist(PLANNERS, 'planner must be auto, code or model');

export const AskOptionsSchema = v.object({
  /** false: one retrieval, one answer. */
  enabled: v.boolean(),
  /** Rounds of looking and weighing, at most. */
  iterations,
  /** Further wordings a round. */
  expand,
  /** The run ends once it is this sure; null: once every part of the question is answered. */
  confidence,
  /** null: no limit. `cost` in US dollars. */
  budgets: v.object({ tokens, cost }),
  tools: v.object({ allow: names('tools'), domains: names('domains') }),
  retriever: v.object({ profile, k: count(1, 100, 'k'), rerank: v.boolean() }),
  transcripts: v.object({ dir: v.string(), keep: v.boolean() }),
  /** Of the model's sampling, where it can. */
  seed: v.nullable(v.pipe(v.number(), v.safeInteger('seed must be a whole number'))),
  writer,
  planner,
});
export type AskOptions = v.InferOutput<typeof AskOptionsSchema>;

export const ASK_DEFAULTS: AskOptions = {
  enabled: false,
  iterations: 3,
  expand: 0,
  confidence: null,
  budgets: { tokens: null, cost: null },
  tools: { allow: ['rag_retrieve'], domains: [] },
  retriever: { profile: 'hybrid', k: 15, rerank: true },
  transcripts: { dir: 'logs/agent_runs', keep: true },
  seed: null,
  writer: 'auto',
  planner: 'auto',
};

const list = v.union([
  names('tools'),
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((one) => one.trim())),
  ),
]);

/** The block as somebody writes it: every key may be left out, none is unknown. */
const BlockSchema = v.strictObject({
  enabled: v.exactOptional(v.boolean('enabled must be true or false')),
  iterations: v.exactOptional(iterations),
  expand: v.exactOptional(expand),
  confidence: v.exactOptional(confidence),
  budgets: v.exactOptional(v.strictObject({ tokens: v.exactOptional(tokens), cost: v.exactOptional(cost) })),
  tools: v.exactOptional(
    v.union([list, v.strictObject({ allow: v.exactOptional(list), domains: v.exactOptional(list) })]),
  ),
  domains: v.exactOptional(list),
  retriever: v.exactOptional(
    v.strictObject({
      profile: v.exactOptional(profile),
      k: v.exactOptional(count(1, 100, 'k')),
      rerank: v.exactOptional(v.boolean('rerank must be true or false')),
    }),
  ),
  transcripts: v.exactOptional(
    v.strictObject({
      dir: v.exactOptional(v.string()),
      keep: v.exactOptional(v.boolean('keep must be true or false')),
    }),
  ),
  seed: v.exactOptional(AskOptionsSchema.entries.seed),
  writer: v.exactOptional(writer),
  planner: v.exactOptional(planner),
});
export type AskBlock = v.InferOutput<typeof BlockSchema>;

/**
 * The options of these blocks, later ones over earlier ones, over the defaults. Throws AccessionError `invalid` that names
 * the block and the key.
 */
export function askOptions(...blocks: readonly { from: string; block: unknown }[]): AskOptions {
  let options = ASK_DEFAULTS;
  for (const { from, block } of blocks) {
    if (block === undefined || block === null) continue;
    const read = v.safeParse(BlockSchema, block);
    if (!read.success) {
      const [issue] = read.issues;
      const where = v.getDotPath(issue);
      throw failed(
        'invalid',
        `${from}: ${where === null || issue.message.startsWith(where) ? '' : `${where}: `}${issue.message}`,
        {
          remedy: 'Correct it and ask again.',
        },
      );
    }
    options = over(options, read.output);
  }
  return options;
}

function over(options: AskOptions, block: AskBlock): AskOptions {
  const { tools, domains, budgets, retriever, transcripts, ...rest } = block;
  const allow = Array.isArray(tools) ? tools : tools?.allow;
  const reach = domains ?? (Array.isArray(tools) ? undefined : tools?.domains);
  return {
    ...options,
    ...rest,
    budgets: { ...options.budgets, ...budgets },
    tools: { allow: [...new Set(allow ?? options.tools.allow)], domains: [...new Set(reach ?? options.tools.domains)] },
    retriever: { ...options.retriever, ...retriever },
    transcripts: { ...options.transcripts, ...transcripts },
  };
}
