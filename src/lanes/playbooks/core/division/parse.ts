/** `file > array(a.b) + rows`: the levels of a division (PB-22 to PB-24). */
import { PlaybookFault } from '../faults.ts';

export type Level =
  { kind: 'file' | 'rows' | 'lines' } | { kind: 'array'; path: readonly string[] } | { kind: 'tree'; key: string };

/** Loops, the outermost first; the levels of a loop make one series of units. */
export type Division = readonly (readonly Level[])[];

const LEVEL = /^(?:(file|rows|lines)|array(?:\(([^()]*)\))?|tree\(([^()]*)\))$/;
const KEY = /^(?:[\p{L}\p{N}_][\p{L}\p{N}_-]*|"[^"]*")$/u;

const plain = (key: string): string => (key.startsWith('"') ? key.slice(1, -1) : key);

/** Throws PlaybookFault `division_syntax`. */
export function parseDivision(text: string): Division {
  const wrong = (why: string): PlaybookFault =>
    new PlaybookFault('division_syntax', text, `"${text}" is no division: ${why}.`);
  const level = (said: string): Level => {
    const word = said.trim();
    const found = LEVEL.exec(word);
    if (found === null) throw wrong(`"${word}" is none of file, array, array(key), rows, lines, tree(key)`);
    const [, simple, path, key] = found;
    if (simple === 'file' || simple === 'rows' || simple === 'lines') return { kind: simple };
    if (key !== undefined) {
      if (!KEY.test(key.trim())) throw wrong('tree(...) takes one key');
      return { kind: 'tree', key: plain(key.trim()) };
    }
    const keys = path === undefined ? [] : path.split('.').map((one) => one.trim());
    if (!keys.every((one) => KEY.test(one))) throw wrong('array(...) takes keys with dots between');
    return { kind: 'array', path: keys.map(plain) };
  };
  const division = text.split('>').map((group) => group.split('+').map(level));
  const levels = division.flat();
  if (levels.slice(1).some(({ kind }) => kind === 'file')) throw wrong('"file" comes first or not at all');
  if (levels.slice(0, -1).some(({ kind }) => kind === 'tree')) throw wrong('"tree" comes last');
  return division;
}

/** `array`, `array(path)`, `lines`, `tree(key)`. Throws PlaybookFault `division_syntax`. */
export function parseAnswerDivision(text: string): Level {
  const [[level, ...more] = [], ...groups] = parseDivision(text);
  if (level === undefined || more.length > 0 || groups.length > 0 || level.kind === 'file' || level.kind === 'rows')
    throw new PlaybookFault(
      'division_syntax',
      text,
      `"${text}" does not divide an answer: say array, array(path), lines or tree(key).`,
    );
  return level;
}
