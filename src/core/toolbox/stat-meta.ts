/** `stat_meta`: effects of several studies put together. */
import * as v from 'valibot';
import { confLevel, number, value } from './fields.ts';
import { df, fixed, pSaid, rTool } from './r/r-tool.ts';

const InputSchema = v.strictObject({
  effects: v.pipe(
    v.array(
      v.strictObject({
        label: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
        estimate: number,
        se: v.pipe(number, v.gtValue(0, 'must be above 0')),
      }),
    ),
    v.minLength(2, 'needs two'),
    v.maxLength(10_000, 'has more than 10,000'),
  ),
  method: v.exactOptional(v.picklist(['random', 'fixed'], 'must be random or fixed')),
  conf_level: v.exactOptional(confLevel),
});

const RECIPE = String.raw`function(input) {
  level <- if (is.null(input$conf_level)) 0.95 else input$conf_level
  est <- vapply(input$effects, function(one) one$estimate, 0); se <- vapply(input$effects, function(one) one$se, 0)
  w <- 1 / se^2; m <- sum(w * est) / sum(w); q <- sum(w * (est - m)^2); df <- length(est) - 1
  tau2 <- max(0, (q - df) / (sum(w) - sum(w^2) / sum(w)))
  if (!identical(input$method, "fixed")) { w <- 1 / (se^2 + tau2); m <- sum(w * est) / sum(w) }
  s <- sqrt(1 / sum(w)); k <- qnorm((1 + level) / 2)
  list(estimate = m, std_error = s, statistic = m / s, p_value = 2 * pnorm(-abs(m / s)), conf_low = m - k * s,
    conf_high = m + k * s, q = q, df = df, q_p_value = pchisq(q, df, lower.tail = FALSE),
    i_squared = if (q > 0) max(0, (q - df) / q) else 0, tau_squared = tau2, weights = I(w / sum(w)))
}`;

export const statMeta = rTool<v.InferOutput<typeof InputSchema>>({
  name: 'stat_meta',
  description:
    'Meta-analysis by R of effects [{ label, estimate, se }]: method random (DerSimonian-Laird) or fixed. Answers the common effect, its interval, Q, I squared, tau squared.',
  input: InputSchema,
  output: {
    ...{ estimate: v.number(), std_error: v.number(), statistic: v.number(), p_value: v.number() },
    ...{ conf_low: v.number(), conf_high: v.number(), q: v.number(), df: v.number(), i_squared: v.number() },
    tau_squared: value,
  },
  example: { effects: [{ label: 'study 1', estimate: -0.89, se: 0.57 }, { label: 'study 2', estimate: -1.59, se: 0.44 }] }, // prettier-ignore
  recipe: RECIPE,
  sentence: (out) =>
    `estimate ${fixed(out['estimate'])} [${fixed(out['conf_low'])}, ${fixed(out['conf_high'])}], z = ${fixed(out['statistic'])}, ${pSaid(out['p_value'])}; Q(${df(out['df'])}) = ${fixed(out['q'])}, I\u00B2 = ${typeof out['i_squared'] === 'number' ? Math.round(out['i_squared'] * 100) : '?'} %`,
});
