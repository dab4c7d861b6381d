/** `stat_anova`: one factor (Fisher, Welch, Tukey's comparisons), or one or two factors of a table (sums of squares I and II). */
import * as v from 'valibot';
import { columnFault, columns, fault, firstFault, groups, isConstant, isNumeric, name, value } from './fields.ts';
import { df, fixed, pSaid, rTool } from './r/r-tool.ts';
import type { Fault } from './tool.ts';

const InputSchema = v.strictObject({
  groups: v.exactOptional(groups),
  welch: v.exactOptional(v.boolean()),
  posthoc: v.exactOptional(v.literal('tukey', 'must be tukey')),
  data: v.exactOptional(columns),
  response: v.exactOptional(name),
  factors: v.exactOptional(v.pipe(v.array(name), v.minLength(1, 'needs one'), v.maxLength(2, 'may be two at most'))),
  ss: v.exactOptional(v.picklist([1, 2], 'must be 1 or 2')),
});
type Input = v.InferOutput<typeof InputSchema>;

/** R has no long double here: the first value is taken off all, so that NIST's sets with large offsets come out. */
const RECIPE = String.raw`function(input) {
  holds <- function(y, g) {
    e <- y - ave(y, g); z <- abs(y - ave(y, g, FUN = median))
    s <- if (length(e) >= 3 && length(e) <= 5000 && diff(range(e)) > 0) shapiro.test(e)
    l <- if (diff(range(z)) > 0) anova(lm(z ~ g))
    list(shapiro = if (!is.null(s)) list(w = s$statistic[[1]], p_value = s$p.value),
      levene = if (!is.null(l)) list(f = l[1, 4], df1 = l[1, 1], df2 = l[2, 1], p_value = l[1, 5]))
  }
  one <- function(y, g) {
    y <- y - y[1]; g <- factor(g, levels = sort(unique(g), method = "radix"))
    n <- tapply(y, g, length); m <- tapply(y, g, mean)
    between <- sum(n * (m - mean(y))^2); within <- sum((y - m[g])^2)
    df1 <- nlevels(g) - 1; df2 <- length(y) - nlevels(g)
    if (within == 0) refuse(field, "the values vary within no group")
    f <- (between / df1) / (within / df2)
    out <- list(statistic = f, df1 = df1, df2 = df2, p_value = pf(f, df1, df2, lower.tail = FALSE),
      between_sum_sq = between, within_sum_sq = within, eta_squared = between / (between + within))
    if (isTRUE(input$welch)) {
      w <- oneway.test(y ~ g)
      out[c("statistic", "df1", "df2", "p_value")] <-
        list(w$statistic[[1]], w$parameter[[1]], w$parameter[[2]], w$p.value)
    }
    if (!is.null(input$posthoc)) {
      t <- TukeyHSD(aov(y ~ g))$g; at <- combn(nlevels(g), 2)
      out$posthoc <- lapply(seq_len(ncol(at)), function(i) list(a = levels(g)[at[2, i]], b = levels(g)[at[1, i]],
        diff = t[i, 1], low = t[i, 2], high = t[i, 3], p_adj = t[i, 4]))
    }
    c(out, list(assumptions = holds(y, g)))
  }
  if (!is.null(input$groups)) {
    field <- "groups"
    return(one(unlist(input$groups, use.names = FALSE), rep(names(input$groups), lengths(input$groups))))
  }
  field <- input$response
  y <- input$data[[input$response]]; f <- lapply(input$factors, function(one) as.character(unlist(input$data[[one]])))
  if (length(f) == 1) return(one(y, f[[1]]))
  y <- y - y[1]; a <- factor(f[[1]]); b <- factor(f[[2]])
  fits <- list(none = lm(y ~ 1), a = lm(y ~ a), b = lm(y ~ b), both = lm(y ~ a + b), full = lm(y ~ a * b))
  rss <- vapply(fits, deviance, 0); df <- vapply(fits, df.residual, 0)
  if (df[["full"]] == 0) refuse(input$response, "there is one value a cell: nothing is left to compare with")
  first <- if (identical(as.numeric(input$ss), 1)) c("none", "a") else c("b", "both")
  row <- function(term, from, to) {
    d <- df[[from]] - df[[to]]; ss <- rss[[from]] - rss[[to]]
    ms <- rss[["full"]] / df[["full"]]; fv <- if (d > 0) (ss / d) / ms else NA
    list(term = term, df = d, sum_sq = ss, mean_sq = if (d > 0) ss / d else NA, f = fv,
      p_value = if (d > 0) pf(fv, d, df[["full"]], lower.tail = FALSE) else NA)
  }
  an <- input$factors[[1]]; bn <- input$factors[[2]]
  list(table = list(row(an, first[1], first[2]), row(bn, "a", "both"), row(paste0(an, ":", bn), "both", "full")),
    residual = list(df = df[["full"]], sum_sq = rss[["full"]], mean_sq = rss[["full"]] / df[["full"]]),
    assumptions = holds(y, interaction(a, b, drop = TRUE)))
}`;

function check(input: Input): Fault | null {
  if (input.groups !== undefined) return groupsFault(input.groups, input);
  const { data, response, factors } = input;
  if (data === undefined) return fault('groups', 'is missing: give groups, or data with response and factors');
  if (response === undefined) return fault('response', 'is missing');
  if (factors === undefined) return fault('factors', 'is missing');
  const [a = '', b] = factors;
  const y = data[response] ?? [];
  const two = b !== undefined;
  return firstFault(
    columnFault(data, [
      { field: 'response', column: response },
      ...factors.map((column) => ({ field: 'factors', column })),
    ]),
    factors.includes(response) && fault('factors', 'the response is no factor'),
    a === b && fault('factors', 'are the same'),
    !isNumeric(y) && fault(response, 'must be numbers'),
    ...factors.map((one) => isConstant(data[one] ?? []) && fault(one, 'has one level alone')),
    isConstant(y) && fault(response, 'all values are the same'),
    !two && y.length <= new Set(data[a]).size && fault(response, 'has one value a group'),
    two && input.welch === true && fault('welch', 'is of one factor alone'),
    two && input.posthoc !== undefined && fault('posthoc', 'is of one factor alone'),
  );
}

function groupsFault(given: Readonly<Record<string, readonly number[]>>, input: Input): Fault | null {
  const lists = Object.values(given);
  const all = lists.flat();
  const other = (['data', 'response', 'factors', 'ss'] as const).find((field) => input[field] !== undefined);
  return firstFault(
    other !== undefined && fault(other, 'give groups or data, not both'),
    lists.length < 2 && fault('groups', 'needs two groups'),
    lists.some((one) => one.length === 0) && fault('groups', 'a group is empty'),
    all.length <= lists.length && fault('groups', 'has one value a group'),
    isConstant(all) && fault('groups', 'all values are the same'),
    input.welch === true &&
      lists.some((one) => one.length < 2 || isConstant(one)) &&
      fault('groups', 'each group must vary for the test of Welch'),
  );
}

export const statAnova = rTool<Input>({
  name: 'stat_anova',
  description:
    'Analysis of variance by R: groups (lists by name; welch, posthoc "tukey"), or data (columns by name) with response and one or two factors (ss 2 or 1). Answers F, p, sums of squares, eta squared, comparisons, assumptions.',
  input: InputSchema,
  output: {
    statistic: v.optional(v.number()),
    p_value: v.optional(value),
    table: v.optional(v.array(v.looseObject({}))),
  },
  example: {
    groups: { ctrl: [4.17, 5.58, 5.18, 6.11], trt1: [4.81, 4.17, 4.41, 3.59], trt2: [6.31, 5.12, 5.54, 5.5] },
  },
  check,
  recipe: RECIPE,
  sentence(out) {
    if (typeof out['statistic'] === 'number')
      return `F(${df(out['df1'])}, ${df(out['df2'])}) = ${fixed(out['statistic'])}, ${pSaid(out['p_value'])}, \u03B7\u00B2 = ${fixed(out['eta_squared'])}`;
    const { table, residual } = out as { table: Record<string, unknown>[]; residual: Record<string, unknown> };
    return table
      .map(
        (row) =>
          `${String(row['term'])}: F(${df(row['df'])}, ${df(residual['df'])}) = ${fixed(row['f'])}, ${pSaid(row['p_value'])}`,
      )
      .join('; ');
  },
});
