/** How a simple reader would choose: words in common, and lengths that agree. No catalog, no matcher, only the prompt. */
import { foldText } from '#core/music/fold.ts';
import type { ReadOption, ReadPrompt, Row } from './prompt-reading.ts';

/** Below this the best option is not taken to be right. */
const LEAST = 0.6;

/** The option that reads best, or null for none of them. */
export function bestOption({ options, rows }: ReadPrompt): ReadOption | null {
  const subject = rows[0] ?? {};
  const [best] = options
    .map((option) => ({ option, score: scoreOf(option.row, subject) }))
    .sort((a, b) => b.score - a.score);
  return best !== undefined && best.score >= LEAST ? best.option : null;
}

/** 0..2: share of the option's words that the file has, and how near their lengths are. */
function scoreOf(option: Row, subject: Row): number {
  const label = wordsOf([option['option'] ?? '']);
  const said = new Set(wordsOf(Object.values(subject)));
  const shared = label.length === 0 ? 0 : label.filter((word) => said.has(word)).length / label.length;
  return shared + nearness(lengthsOf(option), lengthsOf(subject));
}

function nearness(a: number[], b: number[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const off = Math.min(...a.flatMap((one) => b.map((other) => Math.abs(one - other))));
  return off <= 3 ? 1 : off <= 10 ? 0.3 : -0.5;
}

function wordsOf(values: readonly unknown[]): string[] {
  return foldText(values.map(String).join(' '))
    .split(' ')
    .filter((word) => word.length > 1);
}

/** Lengths written as `m:ss` or `h:mm:ss`, in seconds. */
function lengthsOf(row: Row): number[] {
  const text = Object.values(row).map(String).join(' ');
  return Array.from(
    text.matchAll(/\b(?:(\d+):)?(\d{1,3}):(\d\d)\b/g),
    ([, h, m, s]) => Number(h ?? 0) * 3600 + Number(m) * 60 + Number(s),
  );
}
