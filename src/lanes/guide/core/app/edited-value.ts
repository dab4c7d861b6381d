/** What a person may write into a programme, and as what it is kept. */
import type { Result } from '#core/result.ts';
import { fail } from '#core/result.ts';
import { failed } from '#core/errors.ts';

export const EDITED_FIELDS = ['title', 'sub-title', 'episode-num', 'date', 'desc'] as const;
export type EditedField = (typeof EDITED_FIELDS)[number];

/** As it is written; or what is wrong with it. Empty: there is none. */
export function editedValue(field: EditedField, typed: string): Result<string> {
  const text = typed.trim();
  if (text === '') return field === 'title' ? wrong('A programme has a title.') : { ok: true, value: '' };
  if (field === 'date' && !/^(?:18[89]|19\d|20\d)\d/.test(text)) return wrong('A year is written 1987.');
  if (field !== 'episode-num') return { ok: true, value: text };
  const number = numberOfWords(text);
  return number === null ? wrong('A number is written S2 E5, E5 or 2x05.') : { ok: true, value: number };
}

const wrong = (sentence: string): Result<never> => fail(failed('invalid', sentence).failure);

/** `S2 E5`, `2x05` or XMLTV's own, as XMLTV writes it; null: it is none. */
function numberOfWords(words: string): string | null {
  const text = words.trim();
  if (/^\d*\s*\.\s*\d*\s*\./.test(text)) return text;
  const said = /^(?:s(?:eason)?\s*(\d+)\D+?)?e(?:p(?:isode)?)?\s*(\d+)$/i.exec(text) ?? /^(\d+)x(\d+)$/i.exec(text);
  if (said === null || Number(said[2]) < 1 || said[1] === '0') return null;
  return `${said[1] === undefined ? '' : Number(said[1]) - 1}.${Number(said[2]) - 1}.`;
}
