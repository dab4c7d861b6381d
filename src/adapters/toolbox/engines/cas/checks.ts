/** Whether a result of algebra holds, by numbers at points; null where no point says anything. */
import type { Numeric } from './numeric.ts';

/** Fixed points, away from what is special. */
const POINTS = [0.37, 1.2718, -0.8431, 2.6457, -1.9134, 0.1129, 3.3166];
const NEAR = 1e-7;

/** Names of variables that stand in MathJSON. */
export function symbolsOf(json: unknown, found = new Set<string>()): Set<string> {
  if (typeof json === 'string') found.add(json);
  if (Array.isArray(json)) for (const one of json.slice(1)) symbolsOf(one, found);
  return found;
}

const envAt = (names: Iterable<string>, at: number): Record<string, number> =>
  Object.fromEntries([...names].map((name, index) => [name, POINTS[(at + 3 * index) % POINTS.length] ?? 1]));

export function near(a: number, b: number, tolerance = NEAR): boolean {
  return a === b || Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
}

/** The same function, at every point where both have a value. */
export function sameValues(a: Numeric | null, b: Numeric | null, names: Iterable<string>): boolean | null {
  if (a === null || b === null) return null;
  const symbols = [...names];
  let seen = false;
  for (const at of POINTS.keys()) {
    const env = envAt(symbols, at);
    const [one, other] = [a(env), b(env)];
    if (!Number.isFinite(one) || !Number.isFinite(other)) continue;
    if (!near(one, other)) return false;
    seen = true;
  }
  return seen ? true : null;
}

/** Whether `slope` is the derivative of `f` by that variable: against a difference of fourth order. */
export function isDerivative(
  f: Numeric | null,
  slope: Numeric | null,
  variable: string,
  names: Iterable<string>,
): boolean | null {
  if (f === null || slope === null) return null;
  const symbols = new Set([...names, variable]);
  let seen = false;
  for (const at of POINTS.keys()) {
    const env = envAt(symbols, at);
    const x = env[variable] ?? 1;
    const h = 1e-3;
    const y = (step: number): number => f({ ...env, [variable]: x + step * h });
    const difference = (y(-2) - 8 * y(-1) + 8 * y(1) - y(2)) / (12 * h);
    const said = slope(env);
    if (!Number.isFinite(difference) || !Number.isFinite(said)) continue;
    if (!near(difference, said, 1e-5)) return false;
    seen = true;
  }
  return seen ? true : null;
}
