/** How a simple reader would choose: by the numbers that stand beside each option, and nothing else. */
import type { ReadOption, ReadPrompt, Row } from './prompt-reading.ts';

/** Below this an option is not taken to be right; two that are this near to each other cannot be told apart. */
const LEAST = 0.75;
const TIE = 0.02;

export type Reading = { kind: 'option'; option: ReadOption } | { kind: 'none' } | { kind: 'tie' };

/** The option that reads best; none of them, or two that read alike. */
export function readPlainly({ options }: ReadPrompt): Reading {
  const [best, next] = options
    .map((option) => ({ option, score: scoreOf(option.row) }))
    .sort((a, b) => b.score - a.score);
  if (best === undefined || best.score < LEAST) return { kind: 'none' };
  return next !== undefined && best.score - next.score < TIE
    ? { kind: 'tie' }
    : { kind: 'option', option: best.option };
}

/** 0..1: the mean of what can be compared. */
function scoreOf(row: Row): number {
  const scores = [
    share(row['title_alike']),
    nearness(row['length_differs']),
    part(row['files_that_fit']),
    share(row['lengths_that_fit']),
  ].filter((score) => score !== null);
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** `85 %` -> 0.85. */
function share(value: unknown): number | null {
  const percent = /^(\d+) ?%$/.exec(String(value))?.[1];
  return percent === undefined ? null : Number(percent) / 100;
}

/** `+0.4 s` -> 1, 5 s -> 0.5, 10 s and more -> 0. */
function nearness(value: unknown): number | null {
  const seconds = /^[+\-\u2212\u00b1]?(\d+(?:\.\d+)?) ?s$/.exec(String(value))?.[1];
  return seconds === undefined ? null : Math.max(0, 1 - Number(seconds) / 10);
}

/** `11 of 12` -> 0.92. */
function part(value: unknown): number | null {
  const [, fit, all] = /^(\d+) of (\d+)$/.exec(String(value)) ?? [];
  return fit === undefined || all === undefined || all === '0' ? null : Number(fit) / Number(all);
}
