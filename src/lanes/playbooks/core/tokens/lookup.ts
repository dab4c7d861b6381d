/** A path into a value (PB-11, PB-12): own fields only, absent is undefined, what cannot have the place is `token_type`. */
import { PlaybookFault } from '../faults.ts';
import { fieldOf, isList, isMapping, type Value } from '../value.ts';
import type { Index, Segment } from './token.types.ts';

const kindOf = (value: Value): string =>
  isList(value) ? 'a list' : isMapping(value) ? 'a mapping' : typeof value === 'string' ? 'a text' : `${String(value)}`;

/** undefined where there is nothing, or null. Throws PlaybookFault `token_type`. */
export function lookUp(value: Value | undefined, path: readonly Segment[], said: string): Value | undefined {
  let current = value;
  for (const [at, segment] of path.entries()) {
    if (current === undefined || current === null) return undefined;
    if (segment.kind === 'key') {
      if (!isMapping(current)) throw wrongType(said, `${kindOf(current)} has no key "${segment.key}"`);
      current = fieldOf(current, segment.key);
      continue;
    }
    if (!isList(current)) throw wrongType(said, `${kindOf(current)} has no index`);
    if (segment.index.kind === 'at') {
      current = current.at(segment.index.at === 'n' ? -1 : segment.index.at);
      continue;
    }
    const chosen = inRange(current, segment.index);
    const rest = path.slice(at + 1);
    const found = rest.length === 0 ? chosen : chosen.map((one) => lookUp(one, rest, said));
    return found.length === 0 || found.includes(undefined) ? undefined : (found as Value[]);
  }
  return current ?? undefined;
}

const wrongType = (said: string, why: string): PlaybookFault =>
  new PlaybookFault('token_type', said, `{${said}}: ${why}.`);

function inRange(list: Value[], { from, to }: Extract<Index, { kind: 'range' }>): Value[] {
  const place = (one: number | 'n'): number => (one === 'n' ? list.length - 1 : one);
  return place(to) < place(from) ? [] : list.slice(place(from), place(to) + 1);
}
