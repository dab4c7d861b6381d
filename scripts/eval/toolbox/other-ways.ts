/**
 * The same statistics by another way: sums as the books have them, and the areas under Student's, Fisher's and the chi-squared
 * curves by quadrature, with no library of statistics.
 */
import { integral } from '../../../src/adapters/toolbox/engines/cas/quadrature.ts';

/** Lanczos, g = 7. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const base = x + 6.5;
  const sum = LANCZOS.reduce((total, one, at) => total + (at === 0 ? one : one / (x + at - 1)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

const tail = (density: (x: number) => number, from: number): number =>
  integral(density, from, Infinity)?.value ?? Number.NaN;

/** Two tails of Student's. */
export function pOfT(t: number, df: number): number {
  const scale = Math.exp(logGamma((df + 1) / 2) - logGamma(df / 2)) / Math.sqrt(df * Math.PI);
  return 2 * tail((x) => scale * (1 + (x * x) / df) ** (-(df + 1) / 2), Math.abs(t));
}

export function pOfChiSquare(statistic: number, df: number): number {
  const scale = -(df / 2) * Math.log(2) - logGamma(df / 2);
  return tail((x) => Math.exp(scale + (df / 2 - 1) * Math.log(x) - x / 2), statistic);
}

export function pOfF(f: number, a: number, b: number): number {
  const scale = logGamma((a + b) / 2) - logGamma(a / 2) - logGamma(b / 2) + (a / 2) * Math.log(a / b);
  return tail((x) => Math.exp(scale + (a / 2 - 1) * Math.log(x) - ((a + b) / 2) * Math.log1p((a * x) / b)), f);
}

const mean = (x: readonly number[]): number => x.reduce((sum, one) => sum + one, 0) / x.length;
const squares = (x: readonly number[]): number => x.reduce((sum, one) => sum + (one - mean(x)) ** 2, 0);
const variance = (x: readonly number[]): number => squares(x) / (x.length - 1);

export function welch(x: readonly number[], y: readonly number[]): Record<string, number> {
  const [a, b] = [variance(x) / x.length, variance(y) / y.length];
  const statistic = (mean(x) - mean(y)) / Math.sqrt(a + b);
  const df = (a + b) ** 2 / (a ** 2 / (x.length - 1) + b ** 2 / (y.length - 1));
  return { statistic, df, p_value: pOfT(statistic, df) };
}

export function anova(groups: readonly (readonly number[])[]): Record<string, number> {
  const all = groups.flat();
  const within = groups.reduce((sum, one) => sum + squares(one), 0);
  const between = groups.reduce((sum, one) => sum + one.length * (mean(one) - mean(all)) ** 2, 0);
  const [df1, df2] = [groups.length - 1, all.length - groups.length];
  const statistic = between / df1 / (within / df2);
  return { statistic, df1, df2, p_value: pOfF(statistic, df1, df2), between_sum_sq: between, within_sum_sq: within };
}

export function pearson(x: readonly number[], y: readonly number[]): Record<string, number> {
  const both = x.reduce((sum, one, at) => sum + (one - mean(x)) * ((y[at] ?? 0) - mean(y)), 0);
  const estimate = both / Math.sqrt(squares(x) * squares(y));
  const df = x.length - 2;
  const statistic = estimate * Math.sqrt(df / (1 - estimate ** 2));
  return { estimate, df, statistic, p_value: pOfT(statistic, df) };
}

export function independence(table: readonly (readonly number[])[]): Record<string, number> {
  const rows = table.map((row) => row.reduce((sum, one) => sum + one, 0));
  const columns = (table[0] ?? []).map((_, at) => table.reduce((sum, row) => sum + (row[at] ?? 0), 0));
  const total = rows.reduce((sum, one) => sum + one, 0);
  const statistic = table.flatMap((row, i) => row.map((one, j) => {
    const expected = ((rows[i] ?? 0) * (columns[j] ?? 0)) / total;
    return (one - expected) ** 2 / expected;
  })).reduce((sum, one) => sum + one, 0); // prettier-ignore
  const df = (rows.length - 1) * (columns.length - 1);
  return { statistic, df, p_value: pOfChiSquare(statistic, df) };
}
