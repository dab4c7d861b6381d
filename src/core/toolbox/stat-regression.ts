/** `stat_regression`: least squares of one column on others. */
import * as v from 'valibot';
import { columnFault, columns, fault, firstFault, isConstant, isNumeric, name, value } from './fields.ts';
import { df, fixed, pSaid, rTool } from './r/r-tool.ts';

const InputSchema = v.strictObject({
  data: columns,
  response: name,
  terms: v.pipe(v.array(name), v.minLength(1, 'needs one'), v.maxLength(50, 'has more than 50')),
});

/** Columns get names of our own, so that none of theirs is read as R. */
const RECIPE = String.raw`function(input) {
  y <- input$data[[input$response]]
  own <- paste0("x", seq_along(input$terms), "_")
  d <- as.data.frame(lapply(input$terms, function(one) { x <- input$data[[one]]; if (is.numeric(x)) x else factor(unlist(x)) }), col.names = own)
  d$y <- y
  m <- lm(reformulate(own, "y"), d)
  if (anyNA(coef(m))) refuse("terms", "they depend on each other")
  if (m$df.residual < 1) refuse("terms", "there are as many as values")
  s <- summary(m); k <- s$coefficients; f <- s$fstatistic
  called <- function(one) {
    if (one == "(Intercept)") return("Intercept")
    at <- which(startsWith(one, own)); paste0(input$terms[[at]], substring(one, nchar(own[at]) + 1))
  }
  e <- residuals(m)
  sh <- if (length(e) >= 3 && length(e) <= 5000 && diff(range(e)) > 0) shapiro.test(e)
  list(r_squared = s$r.squared, adj_r_squared = s$adj.r.squared, f = f[[1]], df1 = f[[2]], df2 = f[[3]],
    p_value = pf(f[[1]], f[[2]], f[[3]], lower.tail = FALSE), sigma = s$sigma,
    coefficients = lapply(seq_len(nrow(k)), function(i) list(term = called(rownames(k)[i]), estimate = k[i, 1],
      std_error = k[i, 2], statistic = k[i, 3], p_value = k[i, 4])),
    assumptions = list(shapiro = if (!is.null(sh)) list(w = sh$statistic[[1]], p_value = sh$p.value)))
}`;

const coefficient = v.looseObject({ term: v.string(), estimate: v.number(), std_error: value, p_value: value });

export const statRegression = rTool<v.InferOutput<typeof InputSchema>>({
  name: 'stat_regression',
  description:
    'Linear regression by R: data (columns by name), response, terms (numbers or texts). Answers coefficients with p, R squared, F.',
  input: InputSchema,
  output: { r_squared: v.number(), f: value, sigma: value, coefficients: v.array(coefficient) },
  example: { data: { y: [1.2, 2.9, 3.1, 5.2, 5.9], x: [1, 2, 3, 4, 5] }, response: 'y', terms: ['x'] },
  check({ data, response, terms }) {
    const y = data[response] ?? [];
    return firstFault(
      columnFault(data, [
        { field: 'response', column: response },
        ...terms.map((column) => ({ field: 'terms', column })),
      ]),
      terms.includes(response) && fault('terms', 'the response is no term'),
      new Set(terms).size < terms.length && fault('terms', 'a term is there twice'),
      !isNumeric(y) && fault(response, 'must be numbers'),
      y.length < 3 && fault(response, 'needs three values'),
      isConstant(y) && fault(response, 'all values are the same'),
      ...terms.map((one) => isConstant(data[one] ?? []) && fault('terms', `"${one}" is the same everywhere`)),
      ...terms.map((one) => isMixed(data[one] ?? []) && fault(one, 'must be numbers or texts, not both')),
    );
  },
  recipe: RECIPE,
  sentence: (out) =>
    `F(${df(out['df1'])}, ${df(out['df2'])}) = ${fixed(out['f'])}, ${pSaid(out['p_value'])}, R\u00B2 = ${fixed(out['r_squared'])}`,
});

const isMixed = (values: readonly unknown[]): boolean =>
  values.some((one) => typeof one === 'string') && values.some((one) => typeof one === 'number');
