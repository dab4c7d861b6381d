/** Tools that look at a document in doubt: its pages, what was found in them, and the records of its readings. */
import * as v from 'valibot';
import { quiet } from '#core/agent/prompt/instruction-text.ts';
import { readTool } from '#core/agent/tools/make-tool.ts';
import type { AgentTool, ToolRun } from '#core/agent/tools/tool.ts';
import { failure } from '#core/errors.ts';
import type { Lookup } from '../lookup/lookup.ts';
import type { DocumentDoubt } from './doubt.ts';

/** What these tools may reach. */
export interface DocumentToolContext {
  doubt: DocumentDoubt;
  /** Null: there is no such page. */
  pageText(page: number): Promise<string | null>;
  lookup: Lookup;
}

/** Characters of a page that the model is shown. */
const MOST_TEXT = 2_000;

const OptionRef = v.pipe(v.string(), v.maxLength(300), v.description('One of the options, by its handle'));

export const getPageText = readTool({
  name: 'getPageText',
  description: 'The text of one page of the document, from 1.',
  input: v.strictObject({
    page: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000), v.description('The page, from 1')),
  }),
  output: v.strictObject({ page: v.number(), text: v.string() }),
  render: ({ page, text }) => ({ page, text: quiet(text.slice(0, MOST_TEXT)) }),
  async execute({ page }, { context }: ToolRun<DocumentToolContext>) {
    const text = await context.pageText(page);
    if (text === null) return { ok: false, failure: failure('not_found', `The document has no page ${page}.`) };
    return { ok: true, output: { page, text }, provenance: [{ source: 'document', ref: `page ${page}` }] };
  },
});

export const listIdentifiers = readTool({
  name: 'listIdentifiers',
  description: 'The identifiers in question, with what speaks for and against each where it stands.',
  input: v.strictObject({}),
  output: v.strictObject({
    identifiers: v.array(v.strictObject({ id: v.string(), kind: v.string(), value: v.string(), signs: v.string() })),
  }),
  shows: ({ identifiers }) => identifiers.map(({ id }) => ({ kind: 'option', id })),
  render: ({ identifiers }, handle) => ({
    identifiers: identifiers.map(({ id, kind, value, signs }) => ({
      option: handle('option', id),
      kind,
      value,
      signs,
    })),
  }),
  execute: (_input, { context: { doubt } }: ToolRun<DocumentToolContext>) =>
    Promise.resolve({
      ok: true,
      output: { identifiers: doubt.options.map(({ id, kind, value, signs }) => ({ id, kind, value, signs })) },
      provenance: [{ source: 'document', ref: doubt.path }],
    }),
});

/** It asks what a person's own look-up asks, in the same manners; only the readings in question can be named. */
export const lookUp = readTool({
  name: 'lookUp',
  description: 'What one of the options is registered as.',
  input: v.strictObject({ option: OptionRef }),
  output: v.strictObject({
    option: v.string(),
    title: v.nullable(v.string()),
    authors: v.string(),
    publication: v.string(),
    date: v.string(),
    why: v.string(),
  }),
  references: { option: 'option' },
  render: ({ title, authors, publication, ...said }, handle) => ({
    ...said,
    option: handle('option', said.option),
    title: quiet(title),
    authors: quiet(authors),
    publication: quiet(publication),
  }),
  async execute({ option }, { context: { doubt, lookup } }: ToolRun<DocumentToolContext>) {
    const one = doubt.options.find(({ id }) => id === option);
    if (one === undefined) return { ok: false, failure: failure('not_found', 'That is none of the options.') };
    const answer = await lookup.find({ kind: one.kind, value: one.value });
    const said =
      answer.outcome === 'found'
        ? { ...pick(answer.record), why: '' }
        : { title: null, authors: '', publication: '', date: '', why: answer.why };
    return { ok: true, output: { option, ...said }, provenance: [{ source: 'look-up', ref: one.value }] };
  },
});

const pick = (record: { title: string; authors: readonly string[]; publication: string; date: string }) => ({
  title: record.title,
  authors: record.authors.join(', '),
  publication: record.publication,
  date: record.date,
});

/** Tools that only look. */
export const DOCUMENT_READ_TOOLS: readonly AgentTool<DocumentToolContext>[] = [getPageText, listIdentifiers, lookUp];
