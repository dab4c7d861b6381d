/** Reads what a token refers to: `config:a.b[0]`, `this::name`, `step:outline::count`. */
import type { Index, Ref, Segment, Special } from './token.types.ts';
import { SPECIALS } from './token.types.ts';

export interface Scanned<T> {
  value: T;
  /** Where it ends. */
  end: number;
}

const KEY = /[\p{L}\p{N}_][\p{L}\p{N}_-]*/uy;
const QUOTED = /"([^"]*)"/y;
const INDEX = /\[(?:(\d{1,9}|n)(?:\.\.(\d{1,9}|n))?|\*)\]/y;

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export function scanKey(text: string, at: number): Scanned<string> | null {
  const quoted = match(QUOTED, text, at);
  if (quoted !== null) return { value: quoted[1] ?? '', end: at + quoted[0].length };
  const plain = match(KEY, text, at);
  return plain && { value: plain[0], end: at + plain[0].length };
}

const bound = (text: string): number | 'n' => (text === 'n' ? 'n' : Number(text));

function scanIndex(text: string, at: number): Scanned<Segment> | null {
  const found = match(INDEX, text, at);
  if (found === null) return null;
  const [whole, from, to] = found;
  const index: Index =
    from === undefined
      ? { kind: 'range', from: 0, to: 'n' }
      : to === undefined
        ? { kind: 'at', at: bound(from) }
        : { kind: 'range', from: bound(from), to: bound(to) };
  return { value: { kind: 'index', index }, end: at + whole.length };
}

function special(text: string, at: number): Scanned<Special> | null {
  const found = SPECIALS.find(
    (name) => text.startsWith(name, at) && !/[\p{L}\p{N}_-]/u.test(text[at + name.length] ?? ''),
  );
  return found === undefined ? null : { value: found, end: at + found.length };
}

/** `{ "::" key | "." key | "[" index "]" }`, with a special at the end where one may stand. */
function scanTail(
  text: string,
  start: number,
  specials: boolean,
): Scanned<{ path: Segment[]; special: Special | null }> {
  const path: Segment[] = [];
  let at = start;
  for (;;) {
    const step = text.startsWith('::', at) ? 2 : text[at] === '.' ? 1 : 0;
    if (step === 2 && specials) {
      const named = special(text, at + 2);
      if (named) return { value: { path, special: named.value }, end: named.end };
    }
    const next = step > 0 ? scanKey(text, at + step) : text[at] === '[' ? scanIndex(text, at) : null;
    if (next === null) return { value: { path, special: null }, end: at };
    path.push(typeof next.value === 'string' ? { kind: 'key', key: next.value } : next.value);
    at = next.end;
  }
}

function scanPath(text: string, at: number): Scanned<Segment[]> | null {
  const first = scanKey(text, at);
  if (first === null) return null;
  const tail = scanTail(text, first.end, false);
  return { value: [{ kind: 'key', key: first.value }, ...tail.value.path], end: tail.end };
}

const UNIT = /(this|parent|output)(?![\p{L}\p{N}_-])/uy;

function scanUnit(text: string, at: number): Scanned<Ref> | null {
  const found = match(UNIT, text, at);
  if (found === null) return null;
  const word = found[1] ?? '';
  let end = at + word.length;
  let ups = word === 'parent' ? 1 : 0;
  if (word === 'parent')
    for (; /^::parent(?![\p{L}\p{N}_-])/u.test(text.slice(end, end + 9)); ups++) end += '::parent'.length;
  const tail = scanTail(text, end, true);
  const value: Ref = word === 'output' ? { from: 'output', ...tail.value } : { from: 'unit', ups, ...tail.value };
  return { value, end: tail.end };
}

/** null where no reference begins at this place. */
export function scanRef(text: string, at: number): Scanned<Ref> | null {
  if (text.startsWith('config:', at)) {
    const path = scanPath(text, at + 7);
    return path && { value: { from: 'config', path: path.value }, end: path.end };
  }
  if (text.startsWith('input:', at)) {
    const unit = scanUnit(text, at + 6);
    if (unit) return unit;
    const path = scanPath(text, at + 6);
    return path && { value: { from: 'unit', ups: 0, path: path.value, special: null }, end: path.end };
  }
  if (text.startsWith('step:', at)) {
    const step = scanKey(text, at + 5);
    if (step === null || !text.startsWith('::', step.end)) return null;
    const path = scanPath(text, step.end + 2);
    return path && { value: { from: 'step', step: step.value, path: path.value }, end: path.end };
  }
  const unit = scanUnit(text, at);
  if (unit) return unit;
  const name = scanKey(text, at);
  return name && text[at] !== '"' ? { value: { from: 'bare', name: name.value }, end: name.end } : null;
}
