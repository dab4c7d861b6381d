/**
 * What a person wants done with a document:
 *
 *   shown -> [W]rite | [S]kip | [R]emove, asked a second time | [Q]uit
 *     ^------ [D]OI | [I]SBN | [T]itle, of which one is chosen: looked up, shown again; [P]assword of one that is locked: read, shown again
 *
 * Without a record there is no W, without `--allow-delete` no R. On one screen each key counts at once; a terminal below
 * 80 by 24, and none at all, gets questions.
 */
import { AccessionError } from '#core/errors.ts';
import type { Lookup } from '#lanes/documents/core/lookup/lookup.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import type { DocumentAction } from '#lanes/documents/core/plan/make-plan.ts';
import { askedAgain, type ScannedFile } from '#lanes/documents/core/plan/scan-folder.ts';
import { chosenByTitle, plain } from './find-title.ts';
import type { Terminal } from './terminal.ts';

export type Interactive = 'tui' | 'cli';

export interface Asking {
  terminal: Terminal;
  mode: Interactive;
  lookup: Lookup;
  mayDelete: boolean;
  /** The same document, opened with this password. */
  unlock: (file: ScannedFile, password: string) => Promise<ScannedFile>;
}

const LEAST = { columns: 80, rows: 24 };

/** Null: the person stops here. Throws AccessionError `cancelled`. */
export async function askPerson(
  found: ScannedFile,
  place: { number: number; name: string | null },
  { terminal, mode, lookup, mayDelete, unlock }: Asking,
): Promise<{ action: DocumentAction; file: ScannedFile } | null> {
  let [file, notice] = [found, ''];
  const { size } = terminal;
  const isScreen = mode === 'tui' && size !== null && size.columns >= LEAST.columns && size.rows >= LEAST.rows;
  for (;;) {
    const choices = choicesOf(file, mayDelete);
    const shown = [...linesOf(file, place), ...(notice === '' ? [] : ['', notice])];
    const bar = `${choices.map(({ words }) => words).join('  ')}  [Q]uit`;
    terminal.write(isScreen ? screenOf(shown, bar, size) : `\n${shown.join('\n')}\n`);
    const said = isScreen ? await terminal.key() : await terminal.line(`${bar} > `);
    const key = said?.trim().toUpperCase() ?? 'Q';
    if (key === 'Q') return null;
    const choice = choices.find((one) => one.key === key);
    notice = choice === undefined ? `"${key.slice(0, 20)}" is none of the choices.` : '';
    if (choice?.key === 'W') return { action: 'write', file };
    if (choice?.key === 'S') return { action: 'skip', file };
    if (choice?.key === 'R') {
      const sure = await terminal.line(`Move ${file.path} to .accession-trash? [y/N] `);
      if (/^\s*y(?:es)?\s*$/i.test(sure ?? '')) return { action: 'remove', file };
    }
    if (choice?.key === 'P') {
      const password = (await terminal.secret('Password: ')) ?? '';
      if (password !== '') file = await unlock(file, password);
      if (password !== '' && file.locked) notice = 'That is not its password.';
    }
    if (choice?.key === 'T') {
      const found = await chosenByTitle(file, terminal, lookup);
      if (typeof found === 'string') notice = found;
      else if (found !== null) file = await askedAgain(file, found, lookup);
    }
    if (choice?.key !== 'D' && choice?.key !== 'I') continue;
    const kind = choice.key === 'D' ? 'doi' : 'isbn';
    const value = (await terminal.line(`${kind.toUpperCase()}: `))?.trim() ?? '';
    if (value === '') continue;
    try {
      file = await askedAgain(file, { kind, value: kind === 'doi' ? bareDoi(value) : value }, lookup);
    } catch (error) {
      if (!(error instanceof AccessionError) || error.failure.code !== 'invalid') throw error;
      notice = error.failure.message;
    }
  }
}

/** As people paste it. */
const bareDoi = (text: string): string => text.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, '');

type Key = 'T' | 'W' | 'D' | 'I' | 'S' | 'R' | 'P';

function choicesOf({ proposal: { record }, locked }: ScannedFile, mayDelete: boolean): { key: Key; words: string }[] {
  return [
    ...(record === null ? [] : [{ key: 'W', words: '[W]rite' } as const]),
    ...(locked ? [{ key: 'P', words: '[P]assword' } as const] : []),
    { key: 'D', words: '[D]OI' },
    { key: 'I', words: '[I]SBN' },
    { key: 'T', words: '[T]itle' },
    { key: 'S', words: '[S]kip' },
    ...(mayDelete ? [{ key: 'R', words: '[R]emove' } as const] : []),
  ];
}

const FIELDS: readonly (keyof DocumentRecord)[] = ['title', 'authors', 'publication', 'date', 'doi', 'isbn'];

function linesOf(
  { path, identified, own, proposal, whyNot }: ScannedFile,
  { number, name }: { number: number; name: string | null },
): string[] {
  const { record, source, sure, reasons } = proposal;
  const text = (of: DocumentRecord, field: keyof DocumentRecord): string => {
    const value = of[field];
    return Array.isArray(value) ? value.join(', ') : String(value ?? '');
  };
  const fields = FIELDS.flatMap((field) => {
    const [now, then] = [text(own, field), record === null ? '' : text(record, field)];
    if (now === '' && then === '') return [];
    const change = record === null || now === then || now === '' ? '' : `   (now: ${now})`;
    return [`  ${field.padEnd(12)}${record === null ? now : then}${change}`];
  });
  const evidence = (identified?.evidence ?? []).slice(0, 4).map(({ field, kind, page, words }) => {
    const where = page === null ? kind : `${kind}, page ${page}`;
    return `  ${field} in ${where}: ${words.slice(0, 100)}`;
  });
  return [
    `${number}. ${path}`,
    record === null ? `  ${sure}: no record` : `  ${sure}, from ${source ?? 'nowhere'}`,
    ...reasons.map((reason) => `  ${reason}`),
    ...fields,
    ...evidence,
    ...(whyNot === null ? [] : [`  Nothing is written into it: ${whyNot}.`]),
    ...(name === null || name === path || record === null ? [] : [`  -> ${name}`]),
  ].map(plain);
}

/** The whole screen, the choices in its last line. */
function screenOf(lines: readonly string[], bar: string, { columns, rows }: { columns: number; rows: number }): string {
  const wrapped = lines.flatMap((line) => line.match(new RegExp(`.{1,${columns - 1}}`, 'gsu')) ?? ['']);
  const room = rows - 2;
  const shown = wrapped.length > room ? [...wrapped.slice(0, room - 1), '  ...'] : wrapped;
  return `\u001B[2J\u001B[H${shown.join('\r\n')}\u001B[${rows};1H\u001B[7m${bar.padEnd(columns - 1)}\u001B[0m`;
}
