/** `stat_rank_test`: Mann-Whitney of two lists, Kruskal-Wallis of more. */
import * as v from 'valibot';
import { alternative, fault, firstFault, groups, isConstant, numbers, value } from './fields.ts';
import { df, fixed, pSaid, rTool } from './r/r-tool.ts';
import type { Fault } from './tool.ts';

const InputSchema = v.strictObject({
  x: v.exactOptional(numbers),
  y: v.exactOptional(numbers),
  groups: v.exactOptional(groups),
  alternative: v.exactOptional(alternative),
});
type Input = v.InferOutput<typeof InputSchema>;

const RECIPE = String.raw`function(input) {
  tied <- function(x) if (anyDuplicated(x) > 0) "there are ties: p is an approximation" else character()
  if (is.null(input$groups)) {
    side <- if (is.null(input$alternative)) "two.sided" else input$alternative
    w <- suppressWarnings(wilcox.test(input$x, input$y, alternative = side))
    n <- length(input$x) * length(input$y)
    return(list(statistic = w$statistic[[1]], df = NA, p_value = w$p.value,
      rank_biserial = 2 * w$statistic[[1]] / n - 1, warnings = tied(c(input$x, input$y))))
  }
  y <- unlist(input$groups, use.names = FALSE); g <- factor(rep(names(input$groups), lengths(input$groups)))
  k <- kruskal.test(y, g)
  list(statistic = k$statistic[[1]], df = k$parameter[[1]], p_value = k$p.value,
    epsilon_squared = k$statistic[[1]] / (length(y) - 1), warnings = tied(y))
}`;

function check({ x, y, groups: given, alternative: side }: Input): Fault | null {
  if (given !== undefined) {
    const lists = Object.values(given);
    return firstFault(
      x !== undefined && fault('x', 'give groups or x and y, not both'),
      y !== undefined && fault('y', 'give groups or x and y, not both'),
      side !== undefined && fault('alternative', 'is of x and y alone'),
      lists.length < 2 && fault('groups', 'needs two groups'),
      lists.some((one) => one.length === 0) && fault('groups', 'a group is empty'),
      isConstant(lists.flat()) && fault('groups', 'all values are the same'),
    );
  }
  return firstFault(
    (x === undefined || x.length === 0) && fault('x', 'is missing: give x and y, or groups'),
    (y === undefined || y.length === 0) && fault('y', 'is missing'),
    isConstant([...(x ?? []), ...(y ?? [])]) && fault('x', 'all values are the same'),
  );
}

export const statRankTest = rTool<Input>({
  name: 'stat_rank_test',
  description: 'Rank tests by R: Mann-Whitney (x, y, alternative), or Kruskal-Wallis (groups). Ties are said.',
  input: InputSchema,
  output: { statistic: v.number(), df: value, p_value: value },
  example: { x: [1.1, 2.2, 3.3, 4.4], y: [2.5, 3.5, 4.5, 5.5, 6.5] },
  check,
  recipe: RECIPE,
  sentence: (out) =>
    out['df'] === null
      ? `W = ${fixed(out['statistic'], 1)}, ${pSaid(out['p_value'])}, r = ${fixed(out['rank_biserial'])}`
      : `H(${df(out['df'])}) = ${fixed(out['statistic'])}, ${pSaid(out['p_value'])}`,
});
