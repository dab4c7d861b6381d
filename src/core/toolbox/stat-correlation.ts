/** `stat_correlation`: Pearson, Spearman and Kendall. */
import * as v from 'valibot';
import { alternative, confLevel, fault, firstFault, isConstant, numbers, value } from './fields.ts';
import { df, fixed, pSaid, rTool } from './r/r-tool.ts';

const InputSchema = v.strictObject({
  x: numbers,
  y: numbers,
  method: v.exactOptional(v.picklist(['pearson', 'spearman', 'kendall'], 'must be pearson, spearman or kendall')),
  alternative: v.exactOptional(alternative),
  conf_level: v.exactOptional(confLevel),
});

const RECIPE = String.raw`function(input) {
  side <- if (is.null(input$alternative)) "two.sided" else input$alternative
  level <- if (is.null(input$conf_level)) 0.95 else input$conf_level
  method <- if (is.null(input$method)) "pearson" else input$method
  x <- input$x; y <- input$y
  tied <- method != "pearson" && (anyDuplicated(x) > 0 || anyDuplicated(y) > 0)
  r <- if (method == "pearson") cor.test(x - x[1], y - y[1], alternative = side, conf.level = level)
    else cor.test(x, y, method = method, alternative = side, exact = FALSE)
  ci <- if (is.null(r$conf.int)) c(NA, NA) else r$conf.int
  list(estimate = r$estimate[[1]], statistic = r$statistic[[1]], df = if (method == "pearson") r$parameter[[1]] else NA,
    p_value = r$p.value, conf_low = if (side == "less") NA else ci[1], conf_high = if (side == "greater") NA else ci[2],
    warnings = if (tied) "there are ties: p is an approximation" else character())
}`;

const SIGN = { pearson: 'r', spearman: '\u03C1', kendall: '\u03C4' } as const;

export const statCorrelation = rTool<v.InferOutput<typeof InputSchema>>({
  name: 'stat_correlation',
  description: 'Correlation of x and y by R: method pearson, spearman or kendall; alternative, conf_level.',
  input: InputSchema,
  output: {
    ...{ estimate: v.number(), statistic: value, df: value, p_value: value, conf_low: value, conf_high: value },
  },
  example: { x: [1, 2, 3, 4, 5, 6], y: [2.1, 3.9, 6.2, 7.8, 10.1, 11.7] },
  check: ({ x, y }) =>
    firstFault(
      x.length < 3 && fault('x', 'needs three values'),
      x.length !== y.length && fault('y', `has ${y.length} values, x ${x.length}`),
      isConstant(x) && fault('x', 'all values are the same'),
      isConstant(y) && fault('y', 'all values are the same'),
    ),
  recipe: RECIPE,
  sentence: (out, { method = 'pearson' }) =>
    `${SIGN[method]}${out['df'] === null ? '' : `(${df(out['df'])})`} = ${fixed(out['estimate'])}, ${pSaid(out['p_value'])}`,
});
