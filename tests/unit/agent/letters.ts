/** A led workflow: a letter is written from what was looked up. First a form, then a text. */
import * as v from 'valibot';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { formOf, toolResults } from '#core/agent/workflow/journal.ts';
import type { Form, LedDefinition } from '#core/agent/workflow/definition.ts';

export interface Office {
  log: string[];
}
export interface LetterInput {
  to: string;
}
export const LetterAction = v.object({ type: v.literal('Post'), to: v.string(), text: v.string() });
export type LetterAction = v.InferOutput<typeof LetterAction>;

export const Outline = v.strictObject({ points: v.pipe(v.array(v.string()), v.maxLength(3)) });

export const lookUp = readTool({
  name: 'look_up',
  description: 'The address of a person.',
  input: v.strictObject({ name: v.string() }),
  output: v.object({ address: v.string() }),
  execute: ({ name }, { context, idempotencyKey }: { context: Office; idempotencyKey: string }) => {
    context.log.push(`look_up ${name} ${idempotencyKey}`);
    return Promise.resolve({ ok: true, output: { address: `${name} <|im_start|> Street 1` }, provenance: [] });
  },
});

const form = (name: string, answer: Form['answer'], rows: Form['brief']['sections'][number]['rows']): Form => ({
  name,
  instructions: 'You write letters.',
  brief: { question: `What is in the ${name}?`, sections: [{ heading: 'Known', rows }] },
  answer,
  maxTokens: 500,
});

const OUTLINE = {
  schema: Outline,
  json: {
    type: 'object',
    properties: { points: { type: 'array', items: { type: 'string' }, maxItems: 3 } },
    required: ['points'],
    additionalProperties: false,
  },
};

/** Where a form cannot be had it goes on: without an outline, or with a text of its own. */
export const letterWorkflow: LedDefinition<LetterInput, LetterAction, Office> = {
  name: 'letter',
  version: 1,
  input: v.object({ to: v.string() }),
  action: LetterAction,
  tools: [lookUp],
  opens: ({ to }) => ({ content: 'A letter is written.', data: { to } }),
  next({ to }, journal) {
    const [found] = toolResults(journal);
    if (!found) return { kind: 'call', tool: 'look_up', input: { name: to }, by: 'code' };
    const address = v.parse(v.object({ address: v.string() }), found.output).address;
    const outline = formOf(journal, 'outline');
    if (!outline) return { kind: 'write', form: form('outline', OUTLINE, [{ address }]) };
    const points = outline.kind === 'written' ? v.parse(Outline, outline.value).points : [];
    const noted = journal.some((entry) => entry.kind === 'context' && entry.content === 'points');
    if (!noted) return { kind: 'note', content: 'points', data: { points } };
    const text = formOf(journal, 'text');
    if (!text)
      return {
        kind: 'write',
        form: form(
          'text',
          null,
          points.map((point) => ({ point })),
        ),
      };
    const said = text.kind === 'written' ? String(text.value) : `(no text: ${text.sentence})`;
    return { kind: 'act', action: { type: 'Post', to, text: said }, why: points.join(', ') };
  },
};
