/** Plain data from outside as one line of JSON: every text cleaned, long lists and texts shortened until it fits. */
import { cleanText, type CleanFlag } from './clean.ts';
import { estimateTokens } from './tokens.ts';

const MOST_DEPTH = 6;
/** Items of a list, code points of a text: from roomy to tight. */
const SIZES: readonly { items: number; length: number }[] = [
  { items: 60, length: 200 },
  { items: 30, length: 120 },
  { items: 15, length: 80 },
  { items: 6, length: 60 },
  { items: 2, length: 40 },
];

/** At most about `mostTokens`; what does not fit even at its shortest is left out with a sentence. */
export function shrinkToJson(value: unknown, mostTokens: number): string {
  for (const size of SIZES) {
    const text = JSON.stringify(shrunk(value, size, 0)) ?? 'null';
    if (estimateTokens(text) <= mostTokens) return text;
  }
  return JSON.stringify({ note: 'left out: too long to show' });
}

/** One row, its texts at most `length` code points. */
export function rowToJson(
  row: Readonly<Record<string, string | number | null>>,
  length: number,
  flags: Set<CleanFlag>,
): string {
  const cells = Object.entries(row).map(([name, value]) => {
    if (typeof value === 'number') return [cleanText(name, 40).text, Number.isFinite(value) ? value : null];
    if (value === null) return [cleanText(name, 40).text, null];
    const cleaned = cleanText(value, length);
    for (const flag of cleaned.flags) flags.add(flag);
    return [cleanText(name, 40).text, cleaned.text];
  });
  return JSON.stringify(Object.fromEntries(cells));
}

function shrunk(value: unknown, size: { items: number; length: number }, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, size.length).text;
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth >= MOST_DEPTH) return '…';
  if (Array.isArray(value)) {
    const kept: unknown[] = value.slice(0, size.items).map((item: unknown) => shrunk(item, size, depth + 1));
    if (value.length > size.items) kept.push(`and ${value.length - size.items} more`);
    return kept;
  }
  const fields = Object.entries(value).slice(0, 40);
  return Object.fromEntries(fields.map(([name, inner]) => [cleanText(name, 40).text, shrunk(inner, size, depth + 1)]));
}
