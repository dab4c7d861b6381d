/** Definite integrals with a bound of their error: Gauss-Kronrod (7, 15), the worst part halved until all is near enough. */

const NODES = [
  0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945, 0.5860872354676911,
  0.4058451513773972, 0.20778495500789848, 0,
];
const KRONROD = [
  0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592, 0.1690047266392679,
  0.19035057806478542, 0.20443294007529889, 0.20948214108472782,
];
const GAUSS = [0.1294849661688697, 0.27970539148927664, 0.3818300505051189, 0.4179591836734694];
const MOST_PARTS = 4000;
const TOLERANCE = 1e-13;
/** What is further off than this, relative or absolute, is no answer. */
const WORST = 1e-8;

interface Part {
  from: number;
  to: number;
  value: number;
  error: number;
}

/** Null: it does not come near to a number. */
export function integral(f: (x: number) => number, from: number, to: number): { value: number; error: number } | null {
  if (from === to) return { value: 0, error: 0 };
  if (from > to) {
    const turned = integral(f, to, from);
    return turned === null ? null : { ...turned, value: -turned.value };
  }
  const [g, a, b] = onFinite(f, from, to);
  const parts: Part[] = [part(g, a, (a + b) / 2), part(g, (a + b) / 2, b)];
  for (;;) {
    const value = sum(parts.map((one) => one.value));
    const error = sum(parts.map((one) => one.error));
    if (!Number.isFinite(value)) return null;
    if (error <= TOLERANCE * Math.max(Math.abs(value), 1e-3)) return { value, error };
    if (parts.length >= MOST_PARTS) return error <= WORST * Math.max(1, Math.abs(value)) ? { value, error } : null;
    const worst = parts.reduce((at, one, index) => (one.error > (parts[at]?.error ?? 0) ? index : at), 0);
    const { from: low, to: high, error: was } = parts[worst] as Part;
    const middle = (low + high) / 2;
    // Nothing is left to halve, or the rest is rounding.
    if (middle === low || middle === high || was <= 1e-16 * Math.abs(value))
      return error <= WORST * Math.max(1, Math.abs(value)) ? { value, error } : null;
    parts.splice(worst, 1, part(g, low, middle), part(g, middle, high));
  }
}

/** A way to infinity is folded into (-1, 1) or (0, 1). */
function onFinite(f: (x: number) => number, from: number, to: number): [(x: number) => number, number, number] {
  if (Number.isFinite(from) && Number.isFinite(to)) return [f, from, to];
  if (!Number.isFinite(from) && !Number.isFinite(to))
    return [(t) => (f(t / (1 - t * t)) * (1 + t * t)) / (1 - t * t) ** 2, -1, 1];
  if (Number.isFinite(from)) return [(t) => f(from + t / (1 - t)) / (1 - t) ** 2, 0, 1];
  return [(t) => f(to - t / (1 - t)) / (1 - t) ** 2, 0, 1];
}

function part(f: (x: number) => number, from: number, to: number): Part {
  const middle = (from + to) / 2;
  const half = (to - from) / 2;
  let kronrod = 0;
  let gauss = 0;
  for (const [at, node] of NODES.entries()) {
    const y = node === 0 ? f(middle) : f(middle - half * node) + f(middle + half * node);
    kronrod += (KRONROD[at] ?? 0) * y;
    if (at % 2 === 1) gauss += (GAUSS[(at - 1) / 2] ?? 0) * y;
  }
  const value = kronrod * half;
  const apart = Math.abs((kronrod - gauss) * half);
  // The difference is the error of the lesser rule; what it says of the better one, and no less than rounding.
  const error = Math.max(Math.min(apart, (200 * apart) ** 1.5), Math.abs(value) * 2e-16);
  return { from, to, value, error: Number.isFinite(error) ? error : Infinity };
}

/** Kahan's, so that many small parts lose nothing. */
function sum(values: readonly number[]): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const mended = value - lost;
    const next = total + mended;
    lost = next - total - mended;
    total = next;
  }
  return total;
}
