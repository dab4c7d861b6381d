/** An answer as a person reads it: in the terminal, copied, exported. */
import type { Answer, Citation } from '../answer/answer.types.ts';

type Placed = Pick<Citation, 'path' | 'url' | 'startLine' | 'endLine'> & { pages?: readonly number[] };

/** `path:line`, with its page where it has one. */
export function placeOf({ path, url, pages = [], startLine, endLine }: Placed): string {
  if (path === '') return url ?? 'calculated';
  const page = pages.length === 0 ? '' : `, p. ${pages.join(', ')}`;
  return `${path}:${startLine}${endLine > startLine ? `-${endLine}` : ''}${page}`;
}

/** Plain text that is Markdown as well. */
export function answerAsText(answer: Answer): string {
  const { answer_text, citations, limitations, missing, nearest, conflicts } = answer;
  const part = (heading: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', heading, ...lines];
  return [
    answer_text,
    ...part(
      'Sources',
      citations.map((one) => `[${one.label}] ${placeOf(one)} “${shown(one.quote)}”`),
    ),
    ...part(
      'They differ',
      conflicts.map(({ text }) => `- ${text}`),
    ),
    ...part(
      'Not found',
      missing.map((one) => `- ${one}`),
    ),
    ...part(
      'Nearest, and no answer',
      nearest.map((one) => `- ${placeOf(one)} “${shown(one.quote)}”`),
    ),
    ...part(
      'Limitations',
      limitations.map((one) => `- ${one}`),
    ),
  ].join('\n');
}

/** Without characters that a terminal obeys. */
const shown = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim();
