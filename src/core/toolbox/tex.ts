/** `tex`: a formula as MathML, by KaTeX; commands that are unknown or reach out are refused. */
import * as v from 'valibot';
import { toolboxTool } from './tool.ts';

const InputSchema = v.strictObject({
  tex: v.pipe(v.string(), v.trim(), v.nonEmpty('is empty'), v.maxLength(20_000, 'is too long')),
  display: v.exactOptional(v.boolean()),
});

export const tex = toolboxTool<v.InferOutput<typeof InputSchema>>({
  name: 'tex',
  description: 'A formula of TeX as MathML: tex, display (true: on a line of its own).',
  runtime: 'draw',
  input: InputSchema,
  output: v.looseObject({ mathml: v.string(), tex: v.string() }),
  example: { tex: '\\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}', display: true },
});
