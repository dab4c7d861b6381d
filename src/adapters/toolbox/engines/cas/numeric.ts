/**
 * MathJSON as a function of real numbers, put together of closures: where code may not be made of text the engine's own compiler
 * falls back to dice. NaN is "no real number here".
 */
type Env = Readonly<Record<string, number>>;
export type Numeric = (env: Env) => number;

const CONSTANTS: Readonly<Record<string, number>> = {
  ...{ Pi: Math.PI, ExponentialE: Math.E, GoldenRatio: (1 + Math.sqrt(5)) / 2, EulerGamma: 0.5772156649015329 },
  ...{ Half: 0.5, PositiveInfinity: Infinity, NegativeInfinity: -Infinity, CatalanConstant: 0.915965594177219 },
};

const ONE: Readonly<Record<string, (x: number) => number>> = {
  ...{ Negate: (x) => -x, Square: (x) => x * x, Sqrt: Math.sqrt, Exp: Math.exp, Abs: Math.abs, Sign: Math.sign },
  ...{ Sin: Math.sin, Cos: Math.cos, Tan: Math.tan, Cot: (x) => 1 / Math.tan(x) },
  ...{ Sec: (x) => 1 / Math.cos(x), Csc: (x) => 1 / Math.sin(x) },
  ...{ Arcsin: Math.asin, Arccos: Math.acos, Arctan: Math.atan, Arccot: (x) => Math.PI / 2 - Math.atan(x) },
  ...{ Sinh: Math.sinh, Cosh: Math.cosh, Tanh: Math.tanh, Coth: (x) => 1 / Math.tanh(x) },
  ...{ Sech: (x) => 1 / Math.cosh(x), Csch: (x) => 1 / Math.sinh(x) },
  ...{ Arsinh: Math.asinh, Arcosh: Math.acosh, Artanh: Math.atanh },
  ...{ Floor: Math.floor, Ceil: Math.ceil, Lb: Math.log2, Factorial: factorial, Delimiter: (x) => x },
};

/** Null: something in it is not known here. */
export function numericOf(json: unknown): Numeric | null {
  if (typeof json === 'number') return () => json;
  if (typeof json === 'string') return symbol(json);
  if (typeof json === 'object' && json !== null && 'num' in json) {
    const value = Number(String(json.num).replace(/^\+?oo$|^Infinity$/i, 'Infinity'));
    return () => value;
  }
  if (!Array.isArray(json) || typeof json[0] !== 'string') return null;
  const [head, ...rest] = json as [string, ...unknown[]];
  const parts: Numeric[] = [];
  for (const one of rest) {
    const part = numericOf(one);
    if (part === null) return null;
    parts.push(part);
  }
  return applied(head, parts);
}

function symbol(name: string): Numeric {
  const known = Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined;
  return known === undefined ? (env) => env[name] ?? Number.NaN : () => known;
}

function applied(head: string, parts: readonly Numeric[]): Numeric | null {
  const [a, b] = parts;
  if (head === 'Add') return (env) => parts.reduce((sum, part) => sum + part(env), 0);
  if (head === 'Multiply') return (env) => parts.reduce((product, part) => product * part(env), 1);
  if (head === 'Max') return (env) => Math.max(...parts.map((part) => part(env)));
  if (head === 'Min') return (env) => Math.min(...parts.map((part) => part(env)));
  if (a === undefined) return null;
  if (head === 'Ln' || head === 'Log') {
    const base = b ?? (head === 'Ln' ? null : () => 10);
    return (env) => (base === null ? Math.log(a(env)) : Math.log(a(env)) / Math.log(base(env)));
  }
  const one = Object.hasOwn(ONE, head) ? ONE[head] : undefined;
  if (one !== undefined && parts.length === 1) return (env) => one(a(env));
  if (b === undefined) return null;
  if (head === 'Subtract') return (env) => a(env) - b(env);
  if (head === 'Divide' || head === 'Rational') return (env) => a(env) / b(env);
  if (head === 'Power') return (env) => a(env) ** b(env);
  if (head === 'Root') return (env) => root(a(env), b(env));
  return null;
}

/** An odd root of what is below zero is real. */
function root(x: number, n: number): number {
  if (x < 0 && Number.isInteger(n) && n % 2 !== 0) return -((-x) ** (1 / n));
  return x ** (1 / n);
}

function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0 || n > 170) return Number.NaN;
  let product = 1;
  for (let at = 2; at <= n; at++) product *= at;
  return product;
}
