/**
 * The document's workflow: what the generic executor (core/agent) needs to know to put a doubt of a document to a model.
 *
 *   gather (code): getPageText 1, lookUp of each reading
 *   brief: headline, page, records -> the model chooses a letter, or calls tools -> decide: hypothesis or question
 *
 *   DOCUMENT-96 its tools only look, and what may be looked up is what may be chosen; text of pages is fenced and cleaned,
 *               and what reads like an order is left out
 */
import * as v from 'valibot';
import { quiet } from '#core/agent/prompt/instruction-text.ts';
import { wordTool } from '#core/agent/tools/make-tool.ts';
import { answerConfidence } from '#core/agent/workflow/confidence.ts';
import type {
  Brief,
  Choice,
  Decision,
  Outcome,
  ToolResult,
  WorkflowDefinition,
} from '#core/agent/workflow/definition.ts';
import { DOCUMENT_READ_TOOLS, type DocumentToolContext } from './document-tools.ts';
import { DocumentActionSchema, DocumentDoubtSchema, type DocumentAction, type DocumentDoubt } from './doubt.ts';

const READING = DOCUMENT_READ_TOOLS.map(({ name }) => name);
const DECIDING = ['choose_option', 'leave_to_person'];
/** Looks, those of code included, after which the model has to decide. */
const MOST_LOOKS = 12;
/** Characters of the first page in the brief. */
const FRONT = 1_200;
/** What a reading is before anybody is asked, and from where on nobody would be: the evidence has not decided. */
const [EVIDENCE, THRESHOLD] = [0.5, 0.9];

const JUDGING = `How to judge:
- The document's own identifier is registered under the title that stands on its first page; a translation or a shortened title may be the same work.
- What the document cites, corrects, comments on or is a supplement to is not its own; neither is its journal, its data or its funder.
- A preprint and its published version are two records: choose the one whose text this is.`;

const INSTRUCTIONS = {
  choice: `You are shown the first page of a document, and identifiers that may be its own, each with a letter and with what it is registered as.

${JUDGING}

Choose the identifier that is the document's own. If none is, say so. If two may be, leave it to a person.`,
  tools: `You are shown the first page of a document, and identifiers that may be its own, each with a handle.

${JUDGING}

Process:
1. Compare the page with what each identifier is registered as (lookUp).
2. Where it helps, read another page (getPageText) or where the identifiers stand (listIdentifiers).
3. When one is the document's own, call choose_option. If you stay uncertain, call leave_to_person.
A few calls are enough. What you choose is shown to a person as advice.`,
};

const ChosenSchema = v.strictObject({
  option: v.pipe(v.string(), v.description('The identifier that is its own, by its handle')),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  reasoning: v.pipe(v.string(), v.maxLength(600), v.description('Why, in one sentence')),
});
/** Ends the doubt. Only an option that was shown can be named. */
const chooseOption = wordTool(
  'choose_option',
  'Commit the answer: this identifier is the document’s own. Call it once.',
  ChosenSchema,
  { option: 'option' },
);
const leaveToPerson = wordTool(
  'leave_to_person',
  'Leave the decision to a person, when several are as likely or none is right.',
  v.strictObject({
    reasoning: v.pipe(v.string(), v.maxLength(600), v.description('What is uncertain, in one sentence')),
  }),
);

export const documentWorkflow: WorkflowDefinition<DocumentDoubt, DocumentAction, DocumentToolContext> = {
  name: 'document-doubt',
  version: 1,
  input: DocumentDoubtSchema,
  action: DocumentActionSchema,
  tools: [...DOCUMENT_READ_TOOLS, chooseOption, leaveToPerson],
  instructions: INSTRUCTIONS,
  shows: ({ options }) => options.map(({ id }) => ({ kind: 'option', id })),
  gather: ({ options }) => [
    { tool: 'getPageText', input: { page: 1 } },
    ...options.map(({ id }) => ({ tool: 'lookUp', input: { option: id } })),
  ],
  brief,
  allowed: (_doubt, results) =>
    results.filter(({ tool }) => READING.includes(tool)).length >= MOST_LOOKS ? DECIDING : [...READING, ...DECIDING],
  ballots: 2,
  decide,
  answered: (doubt, optionId) => {
    const option = doubt.options.find(({ id }) => `option:${id}` === optionId);
    return option ? { type: 'ChooseIdentifier', option_id: option.id, confidence: 1 } : null;
  },
};

const Page = v.object({ page: v.number(), text: v.string() });
const Found = v.object({
  option: v.string(),
  title: v.nullable(v.string()),
  authors: v.string(),
  publication: v.string(),
  date: v.string(),
});

function brief(doubt: DocumentDoubt, results: readonly ToolResult[]): Brief {
  const page = results.find(({ tool, output }) => tool === 'getPageText' && v.is(Page, output))?.output;
  const text = v.is(Page, page) ? page.text.slice(0, FRONT) : '';
  const row = { largest: quiet(doubt.headline), text: quiet(text) };
  return {
    question: doubt.question,
    sections: [{ heading: 'The first page', rows: [row] }],
    choices: choicesOf(doubt, results),
  };
}

function choicesOf({ options }: DocumentDoubt, results: readonly ToolResult[]): Choice[] {
  const found = new Map<string, v.InferOutput<typeof Found>>();
  for (const { tool, output } of results)
    if (tool === 'lookUp' && v.is(Found, output)) found.set(output.option, output);
  return options.map(({ id, kind, value, title, signs }) => {
    const record = found.get(id);
    return {
      option_id: `option:${id}`,
      label: `${kind === 'arxiv' ? 'arXiv' : kind.toUpperCase()} ${value}`,
      confidence: EVIDENCE,
      facts: {
        registered_as: quiet(record?.title ?? title),
        authors: quiet(record?.authors),
        in: quiet(record?.publication),
        date: record?.date ?? null,
        where: signs,
      },
    };
  });
}

function decide(doubt: DocumentDoubt, results: readonly ToolResult[], outcome: Outcome): Decision<DocumentAction> {
  const ask = (why: string): Decision<DocumentAction> => ({
    kind: 'ask',
    question: doubt.question,
    why,
    options: choicesOf(doubt, results).map(({ option_id, label, confidence }) => ({
      id: option_id,
      label,
      confidence,
    })),
  });
  if (outcome.kind === 'stopped') return ask(outcome.sentence);
  if (outcome.kind === 'tool') {
    const { tool, output } = outcome.result;
    if (tool !== 'choose_option' || !v.is(ChosenSchema, output)) return ask(outcome.why);
    return act(output.option, { agreement: 1, logprob: null, claim: output.confidence }, outcome.why);
  }
  const { verdict } = outcome;
  if (verdict.kind !== 'option') return ask(verdict.why);
  const { agreement, logprob } = verdict;
  return act(verdict.option_id.replace(/^option:/, ''), { agreement, logprob, claim: null }, verdict.why);

  function act(
    id: string,
    answer: { agreement: number; logprob: number | null; claim: number | null },
    why: string,
  ): Decision<DocumentAction> {
    if (!doubt.options.some((option) => option.id === id)) return ask(why);
    const next = doubt.options.length > 1 ? EVIDENCE : 0;
    const confidence = answerConfidence({ evidence: EVIDENCE, next, threshold: THRESHOLD, ...answer });
    return { kind: 'act', action: { type: 'ChooseIdentifier', option_id: id, confidence }, why };
  }
}
