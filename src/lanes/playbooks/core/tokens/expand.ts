/**
 * Tokens to values.
 *
 *   PB-10 a text that is one token has its value with its type; otherwise each token is printed
 *   PB-14 what a token gives is never expanded again
 */
import { PlaybookFault } from '../faults.ts';
import { isList, isMapping, mappingOf, printed, type Value } from '../value.ts';
import { onlyToken, parseTemplate } from './parse.ts';
import type { Ref, Template, Token } from './token.types.ts';

/** What can be had where a text stands. */
export interface Scope {
  /** undefined: absent. Throws PlaybookFault: `token_scope` for what is not to be had there, `token_type`, `token_cycle`. */
  resolve(ref: Ref, said: string): Value | undefined;
  /** Whether `{name}` is a token here. */
  has(name: string): boolean;
}

/** Characters of one expanded text: 16 MiB at most in any script. */
const MOST_TEXT = 8 * 1024 * 1024;

/** A text with its tokens. Throws PlaybookFault. */
export function expandText(text: string, scope: Scope): Value {
  return text.includes('{') ? expandTemplate(parseTemplate(text), scope) : text;
}

/** Texts anywhere in a value; keys stay as they are. */
export function expandDeep(value: Value, scope: Scope): Value {
  if (typeof value === 'string') return expandText(value, scope);
  if (isList(value)) return value.map((one) => expandDeep(one, scope));
  if (isMapping(value)) return mappingOf(Object.entries(value).map(([key, one]) => [key, expandDeep(one, scope)]));
  return value;
}

export function expandTemplate(template: Template, scope: Scope): Value {
  const only = onlyToken(template);
  if (only !== null) return valueOf(only, scope);
  let text = '';
  for (const part of template.parts) {
    text += part.kind === 'text' ? part.text : printedToken(part, scope);
    if (text.length > MOST_TEXT)
      throw new PlaybookFault('too_large', 'text', 'A text gets longer than 16 MiB when its tokens are expanded.');
  }
  return text;
}

function valueOf(token: Token, scope: Scope): Value {
  const { ref, said, source } = token;
  if (ref.from === 'bare') {
    if (said.startsWith('{')) return scope.has(ref.name) ? source.slice(1) : source;
    return scope.has(ref.name) ? (scope.resolve(asConfig(ref.name), said) ?? source) : source;
  }
  const value = scope.resolve(ref, said);
  if (value !== undefined) return value;
  if (token.default === null)
    throw new PlaybookFault('token_missing', said, `There is no value for {${said}}, and it has no default.`);
  return token.default.kind === 'value' ? token.default.value : expandTemplate(token.default.text, scope);
}

const asConfig = (name: string): Ref => ({ from: 'config', path: [{ kind: 'key', key: name }] });

function printedToken(token: Token, scope: Scope): string {
  const value = valueOf(token, scope);
  return isRange(token.ref) && isList(value) ? value.map(printed).join('\n\n') : printed(value);
}

const isRange = (ref: Ref): boolean =>
  'path' in ref && ref.path.some((segment) => segment.kind === 'index' && segment.index.kind === 'range');
