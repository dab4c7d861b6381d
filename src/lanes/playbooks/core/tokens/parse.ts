/**
 * A text to its tokens. Every brace that begins no token is text; what begins like one and is none is `token_syntax`.
 *
 *   PB-13 a brace doubled before a token leaves the token as text, and only there
 */
import { PlaybookFault } from '../faults.ts';
import { scanRef } from './scan-ref.ts';
import type { Default, Part, Segment, Template, Token } from './token.types.ts';

/** Tokens inside of defaults of tokens. */
const MOST_DEPTH = 20;
const LIKE_A_TOKEN = /^\{(?:config:|input:|step:|(?:this|parent|output)(?:::|\[))/;

const parsed = new Map<string, Template>();

/** Throws PlaybookFault `token_syntax`. */
export function parseTemplate(text: string): Template {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const template = { parts: withRanges(partsOf(text, 0)) };
  if (parsed.size > 2000) parsed.clear();
  if (text.length < 10_000) parsed.set(text, template);
  return template;
}

/** The one token that the text is; null where it is anything else. */
export const onlyToken = ({ parts }: Template): Token | null =>
  parts.length === 1 && parts[0]?.kind === 'token' ? parts[0] : null;

function partsOf(text: string, depth: number): Part[] {
  const parts: Part[] = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    const brace = text.indexOf('{', at);
    if (brace < 0) break;
    plain += text.slice(at, brace);
    if (text[brace + 1] === '{') {
      const kept = tokenAt(text, brace + 1, depth);
      if (kept !== null && kept.ref.from !== 'bare') {
        plain += kept.source;
        at = brace + 1 + kept.source.length;
        continue;
      }
      if (kept !== null) {
        // `{{name}`: text where the config has the key, and itself where it has not; decided when it is expanded.
        parts.push({ kind: 'text', text: plain }, { ...kept, source: `{${kept.source}`, said: `{${kept.said}` });
        plain = '';
        at = brace + 1 + kept.source.length;
        continue;
      }
    } else {
      const token = tokenAt(text, brace, depth);
      if (token !== null) {
        if (plain !== '') parts.push({ kind: 'text', text: plain });
        plain = '';
        parts.push(token);
        at = brace + token.source.length;
        continue;
      }
    }
    plain += '{';
    at = brace + 1;
  }
  plain += text.slice(at);
  if (plain !== '' || parts.length === 0) parts.push({ kind: 'text', text: plain });
  return parts.filter((part) => part.kind === 'token' || part.text !== '' || parts.length === 1);
}

/** The token whose brace is at this place; null where there is none. */
function tokenAt(text: string, brace: number, depth: number): Token | null {
  const like = LIKE_A_TOKEN.test(text.slice(brace, brace + 12));
  const wrong = (): null => {
    if (!like) return null;
    const said = text.slice(brace, brace + 60).split('\n')[0] ?? '';
    throw new PlaybookFault('token_syntax', said, `"${said}" begins like a token and is none.`);
  };
  let at = brace + 1;
  while (text[at] === ' ' || text[at] === '\t') at++;
  const ref = scanRef(text, at);
  if (ref === null) return wrong();
  const said = text.slice(at, ref.end);
  at = ref.end;
  if (ref.value.from === 'bare')
    // Without blanks, and without a default.
    return text[at] === '}' && said === text.slice(brace + 1, at)
      ? { kind: 'token', ref: ref.value, said, source: `{${said}}`, default: null }
      : null;
  const rest = /^(?:[ \t]*\||[ \t]+or[ \t]+)/.exec(text.slice(at, at + 200));
  const colon = rest === null && ref.value.from === 'config' && text[at] === ':' && text[at + 1] !== ':';
  if (rest !== null || colon) {
    const begin = at + (rest === null ? 1 : rest[0].length);
    const end = endOf(text, begin);
    if (end < 0 || depth >= MOST_DEPTH) return wrong();
    const source = text.slice(brace, end + 1);
    return { kind: 'token', ref: ref.value, said, source, default: defaultOf(text.slice(begin, end), depth) };
  }
  while (text[at] === ' ' || text[at] === '\t') at++;
  if (text[at] !== '}') return wrong();
  return { kind: 'token', ref: ref.value, said, source: text.slice(brace, at + 1), default: null };
}

/** Where the default that begins here ends: the brace that closes the token. */
function endOf(text: string, begin: number): number {
  const quoted = /^\s*(?:"[^"]*"|'[^']*')\s*\}/.exec(text.slice(begin, begin + 100_000));
  if (quoted !== null) return begin + quoted[0].length - 1;
  let open = 0;
  for (let at = begin; at < text.length; at++) {
    if (text[at] === '{') open++;
    else if (text[at] === '}' && open-- === 0) return at;
  }
  return -1;
}

function defaultOf(raw: string, depth: number): Default {
  const text = raw.trim();
  const quoted = /^(?:"([^"]*)"|'([^']*)')$/.exec(text);
  if (quoted !== null) return { kind: 'value', value: quoted[1] ?? quoted[2] ?? '' };
  if (text === 'null') return { kind: 'value', value: null };
  if (text === 'true' || text === 'false') return { kind: 'value', value: text === 'true' };
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return { kind: 'value', value: Number(text) };
  return { kind: 'text', text: { parts: withRanges(partsOf(text, depth + 1)) } };
}

/** PB-12: `{X[0]} ...{X[n]}` is `{X[0..n]}`. */
function withRanges(parts: Part[]): Part[] {
  const merged: Part[] = [];
  for (let at = 0; at < parts.length; at++) {
    const [one, dots, other] = [parts[at], parts[at + 1], parts[at + 2]];
    if (one === undefined) break;
    const range =
      one.kind === 'token' && dots?.kind === 'text' && /^[ \t]*\.\.\.[ \t]*$/.test(dots.text) && other?.kind === 'token'
        ? rangeOf(one, other)
        : null;
    merged.push(range ?? one);
    if (range !== null) at += 2;
  }
  return merged;
}

function rangeOf(one: Token, other: Token): Token | null {
  const [a, b] = [one.ref, other.ref];
  if (!('path' in a) || !('path' in b) || a.path.length !== b.path.length) return null;
  const differing = a.path.flatMap((segment, at) => (same(segment, b.path[at]) ? [] : [at]));
  const [place] = differing;
  if (place === undefined || differing.length > 1) return null;
  const [first, last] = [a.path[place], b.path[place]];
  if (first?.kind !== 'index' || last?.kind !== 'index') return null;
  if (first.index.kind !== 'at' || first.index.at !== 0 || last.index.kind !== 'at' || last.index.at !== 'n')
    return null;
  if (JSON.stringify({ ...a, path: [] }) !== JSON.stringify({ ...b, path: [] })) return null;
  const path = a.path.with(place, { kind: 'index', index: { kind: 'range', from: 0, to: 'n' } });
  return {
    ...one,
    ref: { ...a, path },
    source: `${one.source} ...${other.source}`,
    default: one.default ?? other.default,
  };
}

const same = (a: Segment, b: Segment | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
