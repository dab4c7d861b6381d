import { cleanText } from '#core/agent/prompt/clean.ts';

/** Longer than any sentence that is quoted. */
const MOST = 4_000;

/** Text of a source as it may be shown in a line: blanks folded, nothing unseen, no emphasis of Markdown. */
export function plainText(text: string): string {
  const said = text
    .replaceAll(/(\*{1,3}|`+)(?=\S)([^*`\n]*?\S)\1/g, '$2')
    .replaceAll(/\s\|\s/g, ' ')
    .replaceAll(/\s+/g, ' ');
  return cleanText(said, MOST).text;
}
