/** `stat_chi_square`: goodness of fit, and independence in a table. */
import * as v from 'valibot';
import { fault, firstFault, numbers, value } from './fields.ts';
import { df, fixed, pSaid, rTool } from './r/r-tool.ts';
import type { Fault } from './tool.ts';

const counts = v.pipe(
  numbers,
  v.everyItem((one) => one >= 0, 'counts must not be negative'),
);
const InputSchema = v.strictObject({
  observed: v.exactOptional(counts),
  expected_p: v.exactOptional(numbers),
  table: v.exactOptional(v.pipe(v.array(counts), v.maxLength(1000, 'has more than 1000 rows'))),
  correct: v.exactOptional(v.boolean()),
});
type Input = v.InferOutput<typeof InputSchema>;

/** How far probabilities may be off 1. */
const SUM_TOLERANCE = 1e-8;

const RECIPE = String.raw`function(input) {
  few <- function(e) if (min(e) < 5) "expected counts below 5: the approximation may be poor" else character()
  if (!is.null(input$observed)) {
    o <- input$observed; k <- length(o)
    p <- if (is.null(input$expected_p)) rep(1 / k, k) else input$expected_p
    e <- sum(o) * p; x2 <- sum((o - e)^2 / e)
    return(list(statistic = x2, df = k - 1, p_value = pchisq(x2, k - 1, lower.tail = FALSE),
      min_expected = min(e), expected = I(e), cramers_v = NA, warnings = few(e)))
  }
  o <- do.call(rbind, input$table)
  e <- outer(rowSums(o), colSums(o)) / sum(o)
  two <- nrow(o) == 2 && ncol(o) == 2
  yates <- if (two && !identical(input$correct, FALSE)) min(0.5, abs(o - e)) else 0
  x2 <- sum((abs(o - e) - yates)^2 / e); df <- (nrow(o) - 1) * (ncol(o) - 1)
  list(statistic = x2, df = df, p_value = pchisq(x2, df, lower.tail = FALSE), min_expected = min(e),
    expected = lapply(seq_len(nrow(e)), function(i) I(e[i, ])),
    cramers_v = sqrt(sum((o - e)^2 / e) / (sum(o) * (min(dim(o)) - 1))), warnings = few(e))
}`;

function check({ observed, expected_p, table, correct }: Input): Fault | null {
  if (table !== undefined) {
    const [first] = table;
    const width = first?.length ?? 0;
    return firstFault(
      observed !== undefined && fault('observed', 'give observed or table, not both'),
      expected_p !== undefined && fault('expected_p', 'is of observed alone'),
      (table.length < 2 || width < 2) && fault('table', 'needs two rows and two columns'),
      table.some((row) => row.length !== width) && fault('table', 'its rows are not of one length'),
      table.some((row) => row.every((one) => one === 0)) && fault('table', 'a row has nothing but zeros'),
      first?.some((_, at) => table.every((row) => row[at] === 0)) === true &&
        fault('table', 'a column has nothing but zeros'),
    );
  }
  if (observed === undefined) return fault('observed', 'is missing: give observed or table');
  const total = expected_p?.reduce((sum, one) => sum + one, 0) ?? 1;
  return firstFault(
    correct !== undefined && fault('correct', 'is of a table alone'),
    observed.length < 2 && fault('observed', 'needs two counts'),
    observed.every((one) => one === 0) && fault('observed', 'nothing was counted'),
    expected_p !== undefined &&
      expected_p.length !== observed.length &&
      fault('expected_p', 'must be as many as observed'),
    expected_p?.some((one) => one <= 0) === true && fault('expected_p', 'must be above 0'),
    Math.abs(total - 1) > SUM_TOLERANCE && fault('expected_p', `adds up to ${total}, not to 1`),
  );
}

export const statChiSquare = rTool<Input>({
  name: 'stat_chi_square',
  description:
    'Chi-square test by R: goodness of fit (observed, expected_p; even where left out), or independence in a table (rows of counts; corrected for 2 by 2 unless correct is false). Warns of expected counts below 5.',
  input: InputSchema,
  output: {
    ...{ statistic: v.number(), df: v.number(), p_value: v.number(), min_expected: v.number(), cramers_v: value },
    expected: v.array(v.union([v.number(), v.array(v.number())])),
  },
  example: { table: [[12, 5], [7, 16]] }, // prettier-ignore
  check,
  recipe: RECIPE,
  sentence: (out, { observed, table }) => {
    const n = (observed ?? table?.flat() ?? []).reduce((sum, one) => sum + one, 0);
    const v = typeof out['cramers_v'] === 'number' ? `, V = ${fixed(out['cramers_v'])}` : '';
    return `\u03C7\u00B2(${df(out['df'])}, N = ${n}) = ${fixed(out['statistic'])}, ${pSaid(out['p_value'])}${v}`;
  },
});
