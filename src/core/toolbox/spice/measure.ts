/** Values of vectors between their points. */
export interface Vectors {
  /** What the analysis went along: time, frequency, the swept source; null of one point. */
  scale: string | null;
  real: Readonly<Record<string, readonly number[]>>;
  /** Beside `real`, of an analysis with phases. */
  imaginary: Readonly<Record<string, readonly number[]>> | null;
}

export interface Measure {
  vector: string;
  at?: number;
  as?: 'value' | 'magnitude' | 'phase_deg';
}

/** Null: there is no such point. */
export function measured(vectors: Vectors, { vector, at, as = 'value' }: Measure): number | null {
  const real = vectors.real[vector.toLowerCase()];
  if (real === undefined) return null;
  const imaginary = vectors.imaginary?.[vector.toLowerCase()];
  const said = real.map((re, point) => asAsked(re, imaginary?.[point] ?? 0, as));
  if (at === undefined) return said.at(-1) ?? null;
  const scale = vectors.scale === null ? null : vectors.real[vectors.scale];
  if (scale === null || scale === undefined) return said.length === 1 ? (said[0] ?? null) : null;
  return between(scale, as === 'phase_deg' ? unwrapped(said) : said, at);
}

function asAsked(re: number, im: number, as: NonNullable<Measure['as']>): number {
  if (as === 'magnitude') return Math.hypot(re, im);
  return as === 'phase_deg' ? (Math.atan2(im, re) * 180) / Math.PI : re;
}

/** Linear between the two points about `at`, which may be in either order. */
function between(scale: readonly number[], values: readonly number[], at: number): number | null {
  for (let point = 0; point < scale.length; point++) {
    const [x0, x1] = [scale[point] ?? Number.NaN, scale[point + 1] ?? Number.NaN];
    const [y0, y1] = [values[point] ?? Number.NaN, values[point + 1] ?? Number.NaN];
    // A point that is meant may be off by rounding.
    if (Math.abs(x0 - at) <= 1e-12 * Math.max(Math.abs(at), Math.abs(x0))) return y0;
    if ((x0 - at) * (x1 - at) < 0) return y0 + ((y1 - y0) * (at - x0)) / (x1 - x0);
  }
  return null;
}

/** Without jumps of a whole turn between two points. */
function unwrapped(degrees: readonly number[]): number[] {
  let turns = 0;
  return degrees.map((one, at) => {
    const before = degrees[at - 1] ?? one;
    if (one - before > 180) turns -= 360;
    if (one - before < -180) turns += 360;
    return one + turns;
  });
}
