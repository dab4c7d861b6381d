/** `stat_z_test`: a mean or two with known deviations, a proportion or two. */
import * as v from 'valibot';
import { alternative, confLevel, fault, firstFault, number, numbers, value } from './fields.ts';
import { fixed, pSaid, rTool } from './r/r-tool.ts';
import type { Fault } from './tool.ts';

const count = v.pipe(number, v.integer('must be a whole number'), v.minValue(0, 'must not be negative'));
const counts = v.union(
  [count, v.pipe(v.array(count), v.length(2, 'must be one or two'))],
  'must be a count, or two of them',
);

const InputSchema = v.strictObject({
  x: v.exactOptional(numbers),
  sigma: v.exactOptional(v.pipe(number, v.gtValue(0, 'must be above 0'))),
  y: v.exactOptional(numbers),
  sigma_y: v.exactOptional(v.pipe(number, v.gtValue(0, 'must be above 0'))),
  mu: v.exactOptional(number),
  successes: v.exactOptional(counts),
  trials: v.exactOptional(counts),
  p: v.exactOptional(v.pipe(number, v.gtValue(0, 'must be between 0 and 1'), v.ltValue(1, 'must be between 0 and 1'))),
  alternative: v.exactOptional(alternative),
  conf_level: v.exactOptional(confLevel),
});
type Input = v.InferOutput<typeof InputSchema>;

const RECIPE = String.raw`function(input) {
  side <- if (is.null(input$alternative)) "two.sided" else input$alternative
  level <- if (is.null(input$conf_level)) 0.95 else input$conf_level
  k <- qnorm(if (side == "two.sided") (1 + level) / 2 else level)
  p_of <- function(z) switch(side, two.sided = 2 * pnorm(-abs(z)), less = pnorm(z), greater = pnorm(z, lower.tail = FALSE))
  said <- function(z, est, se, low, high, note = character())
    list(statistic = z, p_value = p_of(z), estimate = est, std_error = se,
      conf_low = if (side == "less") NA else low, conf_high = if (side == "greater") NA else high, warnings = note)
  if (!is.null(input$successes)) {
    s <- input$successes; n <- input$trials; q <- s / n
    if (length(s) == 1) {
      p <- input$p; se <- sqrt(p * (1 - p) / n)
      mid <- (q + k^2 / (2 * n)) / (1 + k^2 / n)
      half <- k / (1 + k^2 / n) * sqrt(q * (1 - q) / n + k^2 / (4 * n^2))
      few <- if (min(n * p, n * (1 - p)) < 5) "fewer than 5 expected: the normal approximation is poor"
      return(said((q - p) / se, q, se, mid - half, mid + half, as.character(few)))
    }
    pool <- sum(s) / sum(n); se <- sqrt(pool * (1 - pool) * sum(1 / n))
    if (se == 0) refuse("successes", "all or none of them succeed: there is nothing to test")
    half <- k * sqrt(sum(q * (1 - q) / n)); d <- q[1] - q[2]
    few <- if (min(n * pool, n * (1 - pool)) < 5) "fewer than 5 expected: the normal approximation is poor"
    return(said(d / se, d, se, d - half, d + half, as.character(few)))
  }
  mu <- if (is.null(input$mu)) 0 else input$mu
  est <- mean(input$x); se <- input$sigma / sqrt(length(input$x))
  if (!is.null(input$y)) {
    est <- est - mean(input$y)
    se <- sqrt(input$sigma^2 / length(input$x) + input$sigma_y^2 / length(input$y))
  }
  said((est - mu) / se, est, se, est - k * se, est + k * se)
}`;

function check(input: Input): Fault | null {
  const { x, y, sigma, sigma_y, successes, trials, p } = input;
  if (successes === undefined) {
    return firstFault(
      (x === undefined || x.length === 0) && fault('x', 'is missing'),
      sigma === undefined && fault('sigma', 'is missing: without it, use stat_t_test'),
      y?.length === 0 && fault('y', 'is empty'),
      y !== undefined && sigma_y === undefined && fault('sigma_y', 'is missing'),
      y === undefined && sigma_y !== undefined && fault('y', 'is missing'),
      trials !== undefined && fault('successes', 'is missing'),
      p !== undefined && fault('p', 'is of proportions: give successes and trials'),
    );
  }
  if (x !== undefined) return fault('x', 'give values or successes, not both');
  if (trials === undefined) return fault('trials', 'is missing');
  const [s, n] = [[successes].flat(), [trials].flat()];
  return firstFault(
    s.length !== n.length && fault('trials', 'must be as many as successes'),
    n.includes(0) && fault('trials', 'must be above 0'),
    s.some((one, at) => one > (n[at] ?? 0)) && fault('successes', 'there are more than trials'),
    s.length === 1 && p === undefined && fault('p', 'is missing: the proportion to test against'),
    s.length === 2 && p !== undefined && fault('p', 'is of one proportion alone'),
  );
}

export const statZTest = rTool<Input>({
  name: 'stat_z_test',
  description:
    'z-test by R: one mean (x, sigma, mu) or two (x, y, sigma, sigma_y) with known standard deviations; one proportion (successes, trials, p) or two (lists of two). alternative, conf_level.',
  input: InputSchema,
  output: {
    ...{ statistic: v.number(), p_value: v.number(), estimate: v.number(), std_error: v.number() },
    ...{ conf_low: value, conf_high: value },
  },
  example: { successes: 37, trials: 100, p: 0.5 },
  check,
  recipe: RECIPE,
  sentence: ({ statistic, p_value }) => `z = ${fixed(statistic)}, ${pSaid(p_value)}`,
});
