/** When a source says that it was written. */
import { quantitiesOf } from '../words/quantities.ts';
import { tokensOf } from '../words/tokens.ts';

/** The first date with a year in its head, else the one in its path (`minutes-2031-03.md`); null where neither says one. */
export function dateOf(head: string, path: string): string | null {
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const said = lines.slice(0, 4).join('\n');
  for (const { kind, date, text } of quantitiesOf(tokensOf(said), said)) if (kind === 'date' && date?.year) return text;
  return /(?<!\d)(?:19|20|21)\d\d(?:-[01]\d(?:-[0-3]\d)?)?(?!\d)/.exec(path)?.[0] ?? null;
}
