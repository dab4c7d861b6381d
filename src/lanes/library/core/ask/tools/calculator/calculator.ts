/** `calculator`: arithmetic on numbers that the question or the evidence says. */
import * as v from 'valibot';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { AccessionError, failed, toFailure } from '#core/errors.ts';
import { CALCULATION } from '../../evidence/evidence.types.ts';
import { DocsSchema } from '../docs.ts';
import { docOfText } from '../doc-of-text.ts';
import type { AskTool } from '../ask-tool.ts';
import type { AskToolContext } from '../context.ts';
import { evaluate, spoken } from './evaluate.ts';
import { unsaidOperand } from './operands.ts';
import { readExpression } from './read-expression.ts';

const tool = readTool({
  name: 'calculator',
  description:
    'Calculates: + - * / ^, brackets, "15 % of 240", mean(), sum(), min(), max(), round(number, digits), units, and "in" another unit. Every number must stand in the question or in what was found. No commas within numbers.',
  input: v.strictObject({
    expression: v.pipe(v.string(), v.trim(), v.nonEmpty('the expression is empty'), v.maxLength(500)),
  }),
  output: v.object({
    expression: v.string(),
    result: v.string(),
    value: v.number(),
    unit: v.nullable(v.string()),
    docs: DocsSchema,
  }),
  limits: { calls: 40 },
  async execute({ expression }, { context }: { context: AskToolContext }) {
    const said = expression.replaceAll(/\s+/g, ' ');
    try {
      const amount = evaluate(readExpression(said));
      const result = spoken(amount);
      const doc = await docOfText(context, {
        text: `${said} = ${result}`,
        title: 'Calculation',
        language: CALCULATION,
      });
      const output = { expression: said, result, value: amount.value, unit: amount.unitName || null, docs: [doc] };
      return { ok: true, output, provenance: [{ source: 'calc', ref: said }] };
    } catch (thrown) {
      return { ok: false, failure: toFailure(thrown, 'calculator') };
    }
  },
});

export const calculator: AskTool = {
  tool,
  refuses({ expression }, known) {
    try {
      const unsaid = unsaidOperand(readExpression(String(expression)), known);
      return unsaid === null ? null : `${unsaid.text} stands neither in the question nor in what was found`;
    } catch (thrown) {
      if (thrown instanceof AccessionError) return thrown.message;
      throw failed('internal', 'The calculation could not be read.', { cause: thrown });
    }
  },
};
