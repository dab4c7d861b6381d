/** `stat_t_test`: Student's, Welch's and the paired t-test. */
import * as v from 'valibot';
import { alternative, confLevel, fault, firstFault, isConstant, number, numbers, value } from './fields.ts';
import { df, fixed, pSaid, rTool } from './r/r-tool.ts';
import type { Fault } from './tool.ts';

const InputSchema = v.strictObject({
  x: numbers,
  y: v.exactOptional(numbers),
  mu: v.exactOptional(number),
  paired: v.exactOptional(v.boolean()),
  var_equal: v.exactOptional(v.boolean()),
  alternative: v.exactOptional(alternative),
  conf_level: v.exactOptional(confLevel),
});
type Input = v.InferOutput<typeof InputSchema>;

/** The first value is taken off all: what is left keeps its digits where the values are large. */
const RECIPE = String.raw`function(input) {
  side <- if (is.null(input$alternative)) "two.sided" else input$alternative
  level <- if (is.null(input$conf_level)) 0.95 else input$conf_level
  mu <- if (is.null(input$mu)) 0 else input$mu
  x <- input$x; y <- input$y; off <- 0
  if (isTRUE(input$paired)) { x <- x - y; y <- NULL }
  if (is.null(y)) { off <- x[1]; x <- x - off } else { y <- y - x[1]; x <- x - x[1] }
  shapiro <- function(x) if (length(x) < 3 || length(x) > 5000 || diff(range(x)) == 0) NULL else {
    s <- shapiro.test(x); list(w = s$statistic[[1]], p_value = s$p.value)
  }
  if (is.null(y)) {
    n <- length(x); se <- sd(x) / sqrt(n); t <- (mean(x) + off - mu) / se; df <- n - 1
    est <- mean(x) + off; d <- (est - mu) / sd(x)
    holds <- list(shapiro = list(x = shapiro(x)))
  } else {
    n <- c(length(x), length(y)); s2 <- c(var(x), var(y))
    s2[n == 1] <- 0
    pool <- sum((n - 1) * s2) / (sum(n) - 2)
    est <- mean(x) - mean(y)
    if (isTRUE(input$var_equal)) { se <- sqrt(pool * sum(1 / n)); df <- sum(n) - 2 }
    else { w <- s2 / n; se <- sqrt(sum(w)); df <- sum(w)^2 / sum(w^2 / (n - 1)) }
    t <- (est - mu) / se; d <- (est - mu) / sqrt(pool)
    z <- abs(c(x - median(x), y - median(y))); g <- factor(rep(1:2, n))
    lev <- if (sum(n) > 2 && diff(range(z)) > 0) anova(lm(z ~ g))
    holds <- list(shapiro = list(x = shapiro(x), y = shapiro(y)),
      levene = if (!is.null(lev)) list(f = lev[1, 4], df1 = lev[1, 1], df2 = lev[2, 1], p_value = lev[1, 5]))
  }
  k <- qt(if (side == "two.sided") (1 + level) / 2 else level, df)
  p <- switch(side, two.sided = 2 * pt(-abs(t), df), less = pt(t, df), greater = pt(t, df, lower.tail = FALSE))
  list(statistic = t, df = df, p_value = p, estimate = est, std_error = se,
    conf_low = if (side == "less") NA else est - k * se, conf_high = if (side == "greater") NA else est + k * se,
    cohens_d = d, assumptions = holds)
}`;

function check({ x, y, paired, var_equal }: Input): Fault | null {
  if (y === undefined)
    return firstFault(
      paired === true && fault('y', 'is missing: pairs need both'),
      var_equal === true && fault('y', 'is missing: variances of two are compared'),
      x.length < 2 && fault('x', 'needs two values'),
      isConstant(x) && fault('x', 'all values are the same'),
    );
  if (paired === true)
    return firstFault(
      x.length !== y.length && fault('y', `has ${y.length} values, x ${x.length}: pairs need as many`),
      x.length < 2 && fault('x', 'needs two pairs'),
      isConstant(x.map((one, at) => one - (y[at] ?? 0))) && fault('x', 'all differences are the same'),
    );
  return firstFault(
    x.length < (var_equal === true ? 1 : 2) && fault('x', 'needs two values'),
    y.length < (var_equal === true ? 1 : 2) && fault('y', 'needs two values'),
    x.length + y.length < 3 && fault('x', 'needs more values'),
    isConstant(x) && isConstant(y) && fault('x', 'all values are the same'),
  );
}

export const statTTest = rTool<Input>({
  name: 'stat_t_test',
  description:
    't-test by R: one sample (x, mu), two (x, y; Welch, or var_equal), or pairs (paired). alternative, conf_level. Answers statistic, df, p_value, interval, cohens_d, and whether its assumptions hold.',
  input: InputSchema,
  output: {
    ...{ statistic: v.number(), df: v.number(), p_value: v.number(), estimate: v.number(), std_error: v.number() },
    ...{ conf_low: value, conf_high: value, cohens_d: value },
  },
  example: { x: [0.7, -1.6, -0.2, -1.2, -0.1, 3.4], y: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4] },
  check,
  recipe: RECIPE,
  sentence: (out) =>
    `t(${df(out['df'])}) = ${fixed(out['statistic'])}, ${pSaid(out['p_value'])}, d = ${fixed(out['cohens_d'])}`,
});
