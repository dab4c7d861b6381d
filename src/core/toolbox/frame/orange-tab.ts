/** Orange's `.tab`: names, then a line of kinds, then a line of roles, then rows; or names with both in front (`mD#name`). */
import { delimitedRecords } from '../../text/delimited.ts';
import type { Cell, Row } from './arff.ts';

const CONTINUOUS = /^(?:c|continuous|numeric|n)$/i;
const KIND = /^(?:c|continuous|numeric|n|d|discrete|categorical|s|string|text|t|time|basket|.*\s.*|)$/i;
const ROLE = /^(?:class|c|meta|m|i|ignore|weight|w|.*=.*|\s*)*$/i;
const PREFIX = /^[mciw]?[CDST]#/i;

/** Whether the second and third lines are those of this form, or the names say their kinds. */
export function isOrangeTab(text: string): boolean {
  const [names = [], kinds = [], roles] = cellsOf(text, 3);
  if (names.some((name) => PREFIX.test(name))) return true;
  return roles !== undefined && kinds.some((one) => /^[a-z]/i.test(one)) && kinds.every((one) => KIND.test(one)) && roles.every((one) => ROLE.test(one)); // prettier-ignore
}

function cellsOf(text: string, most = Infinity): string[][] {
  const records: string[][] = [];
  for (const { cells } of delimitedRecords(text, '\t')) {
    records.push(cells);
    if (records.length >= most) break;
  }
  return records;
}

/** Empty, `?`, `.` and `~` are what is missing. */
export function readOrangeTab(text: string): Row[] {
  const records = cellsOf(text);
  const [names = []] = records;
  const short = names.some((name) => PREFIX.test(name));
  const kinds = short ? names.map((name) => (/^[mciw]?C#/.test(name) ? 'c' : 'd')) : (records[1] ?? []);
  const numeric = names.map((_, at) => CONTINUOUS.test(kinds[at] ?? ''));
  return records
    .slice(short ? 1 : 3)
    .map((cells) =>
      Object.fromEntries(
        names.map((name, at) => [name.replace(PREFIX, ''), valueOf(cells[at] ?? '', numeric[at] === true)]),
      ),
    );
}

function valueOf(cell: string, numeric: boolean): Cell {
  if (['', '?', '.', '~', '*'].includes(cell)) return null;
  const value = Number(cell);
  return numeric && Number.isFinite(value) ? value : cell;
}
