/** A value of JSON as R writes it, for scripts that a person copies. It is never what our own calls run on. */
import { isRecord } from '../../agent/tools/tool.ts';

export function inR(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return textInR(value);
  if (Array.isArray(value)) {
    const flat = value.every((one) => typeof one !== 'object');
    return `${flat ? 'c' : 'list'}(${value.map(inR).join(', ')})`;
  }
  if (!isRecord(value)) return 'NULL';
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return `list(${fields.map(([name, one]) => `${nameInR(name)} = ${inR(one)}`).join(', ')})`;
}

const nameInR = (name: string): string =>
  /^[A-Za-z][\w.]*$/.test(name) ? name : `\`${name.replaceAll(/[\\`]/g, (mark) => `\\${mark}`)}\``;

/** Marks that mean something to R, and what cannot be seen, are written by their numbers. */
const textInR = (text: string): string =>
  `"${text.replaceAll(/["\\\p{C}]/gu, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`)}"`;
