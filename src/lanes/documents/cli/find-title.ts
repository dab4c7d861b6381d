/** Documents by their title, at a terminal: `documents find --title`, and the key T of a scan. */
import { AccessionError } from '#core/errors.ts';
import type { Lookup } from '#lanes/documents/core/lookup/lookup.ts';
import type { Identifier } from '#lanes/documents/core/lookup/source.ts';
import { shownOf, titleToFind, whyNone, type ShownCandidate } from '#lanes/documents/core/plan/find-by-title.ts';
import type { ScannedFile } from '#lanes/documents/core/plan/scan-folder.ts';
import type { Terminal } from './terminal.ts';

/** What a document says must not steer the terminal. */
export const plain = (line: string): string => line.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');

function lineOf({ identifier, record, source }: Omit<ShownCandidate, 'stands'>): string {
  const { title, authors, publication, date } = record;
  const about = [authors.join(', '), `${publication} ${date}`.trim()].filter((part) => part !== '').join(' · ');
  return plain(`${identifier.value}  ${title}${about === '' ? '' : ` · ${about}`} (${source})`);
}

/** @returns exit code. Throws AccessionError `invalid` for what is no title, and `cancelled` */
export async function findTitle(title: string, lookup: Lookup, say: (line: string) => void): Promise<number> {
  const answer = await lookup.byTitle(title);
  for (const candidate of answer.candidates)
    say(`${lineOf(candidate)}  ${Math.round(candidate.likeness * 100)} % alike`);
  const why = whyNone(answer) ?? answer.later;
  if (why !== null) say(why);
  return answer.candidates.length > 0 ? 0 : 1;
}

/** The identifier of the one that the person chose; null: none of them; a sentence: why there is none. */
export async function chosenByTitle(
  { own, identified }: ScannedFile,
  terminal: Terminal,
  lookup: Lookup,
): Promise<Identifier | string | null> {
  const guess = titleToFind(own, identified);
  const said = (await terminal.line(guess === '' ? 'Title: ' : `Title [${plain(guess)}]: `))?.trim() ?? '';
  const title = said === '' ? guess : said;
  if (title === '') return null;
  try {
    const answer = await lookup.byTitle(title);
    const why = whyNone(answer);
    if (why !== null) return why;
    const shown = shownOf(answer, identified);
    for (const [i, one] of shown.entries()) {
      const stands = one.stands ? 'its title stands on the first pages' : 'its title does not stand on the first pages';
      terminal.write(`  ${i + 1}. ${lineOf(one)}, ${stands}\n`);
    }
    const number = Number((await terminal.line('Which one (its number, or nothing): '))?.trim() ?? '');
    return shown[number - 1]?.identifier ?? null;
  } catch (error) {
    if (!(error instanceof AccessionError) || error.failure.code !== 'invalid') throw error;
    return error.failure.message;
  }
}
