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
  unread: ['exports'],
  finish: (value, { tex: formula, display = true }) => ({ ...value, exports: { tex: documentOf(formula, display) } }),
  example: { tex: '\\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}', display: true },
});

/** A document of LaTeX with the formula. */
const documentOf = (formula: string, display: boolean): string =>
  `\\documentclass{article}\n\\usepackage{amsmath,amssymb}\n\\begin{document}\n${display ? `\\[\n${formula}\n\\]` : `$${formula}$`}\n\\end{document}\n`;
