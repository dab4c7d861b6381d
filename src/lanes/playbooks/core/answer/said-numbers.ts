/** Numbers as a text has them. */
const NUMBER = /(?<![\p{L}\d_.])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\d)(\s?%)?/gu;
const ORDINAL = /^[ \t]*\d+[.)][ \t]/gmu;

export interface Said {
  /** As it is written. */
  text: string;
  /** Where it begins. */
  at: number;
  value: number;
  /** Digits behind the point; null: it is written with an exponent. */
  places: number | null;
  percent: boolean;
}

export function numbersIn(text: string): Said[] {
  const plain = text.replace(ORDINAL, (ordinal) => ' '.repeat(ordinal.length));
  return [...plain.matchAll(NUMBER)].map((found) => {
    const [whole, percent] = found;
    const digits = whole.replace(/\s?%$/, '').replaceAll(',', '').replace('−', '-');
    const places = /e/i.test(digits) ? null : (digits.split('.')[1]?.length ?? 0);
    return { text: whole, at: found.index, value: Number(digits), places, percent: percent !== undefined };
  });
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

/** Whether the source, rounded to as many places, is what was said. */
export function isSaid({ value, places, percent }: Said, source: number): boolean {
  const holds = (of: number): boolean =>
    near(of, value) || (places !== null && places <= 15 && near(Number(of.toFixed(places)), value));
  return holds(source) || (percent && holds(source * 100));
}
