/** `stat_describe`: what one list of numbers is like. */
import * as v from 'valibot';
import { fault, numbers, value } from './fields.ts';
import { fixed, rTool } from './r/r-tool.ts';

const InputSchema = v.strictObject({ x: numbers });

const RECIPE = String.raw`function(input) {
  x <- input$x; q <- quantile(x, c(.25, .5, .75), names = FALSE, type = 7); off <- x[1]
  list(n = length(x), mean = off + mean(x - off), sd = sd(x - off), min = min(x), q1 = q[1], median = q[2], q3 = q[3],
    max = max(x))
}`;

export const statDescribe = rTool<v.InferOutput<typeof InputSchema>>({
  name: 'stat_describe',
  description: 'Describes a list of numbers by R: n, mean, sd, min, quartiles (type 7), max.',
  input: InputSchema,
  output: {
    ...{ n: v.number(), mean: v.number(), sd: value, min: v.number(), q1: v.number(), median: v.number() },
    ...{ q3: v.number(), max: v.number() },
  },
  example: { x: [3, 1, 4, 1, 5, 9, 2, 6] },
  check: ({ x }) => (x.length === 0 ? fault('x', 'is empty') : null),
  recipe: RECIPE,
  sentence: (out) => `M = ${fixed(out['mean'])}, SD = ${fixed(out['sd'])}, n = ${String(out['n'])}`,
});
