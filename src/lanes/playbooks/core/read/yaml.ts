/**
 * One document of YAML 1.2 (core schema) or JSON as plain values, with the places of its nodes.
 *
 *   PB-1 no anchors, aliases, tags or merge keys, no key twice
 *   PB-4 an unquoted `{config:depth|4}` is a mapping with one key and no value: it is read as that text
 */
import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Document,
  type Pair,
} from 'yaml';
import type { Fault, Place } from '../faults.ts';
import { FAULT_CODES } from '../faults.ts';
import { mappingOf, type Value } from '../value.ts';
import { yamlGuard } from './guard.ts';

type Path = readonly (string | number)[];
export type Read = { ok: true; value: Value; place(path: Path): Place | null } | { ok: false; fault: Fault };

/** Never throws. `most`: bytes, of ASCII; other text may have fewer characters. */
export function readYaml(text: string, most: number): Read {
  if (text.length > most || byteLength(text) > most)
    return syntax(`The text is longer than ${most / 1024} KiB.`, 'size', null);
  const guarded = yamlGuard(text);
  if (guarded !== null) return syntax(guarded, 'nesting', null);
  const lines = new LineCounter();
  const placeOf = (offset: number | undefined): Place | null => {
    if (offset === undefined) return null;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  let documents: ReturnType<typeof parseAllDocuments>;
  try {
    documents = parseAllDocuments(text, {
      ...{ version: '1.2', schema: 'core', merge: false, prettyErrors: false, uniqueKeys: false, lineCounter: lines },
    });
  } catch (error) {
    return syntax(`The text cannot be read: ${error instanceof Error ? error.message : 'no YAML'}.`, 'nesting', null);
  }
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined) return { ok: true, value: null, place: () => null };
  const [error] = document.errors;
  if (error !== undefined) {
    const at = placeOf(error.pos[0]);
    const said = at === null ? error.message : `${error.message} at line ${at.line}, column ${at.column}:`;
    const advice = /\{[ \t]*(?:config|input|step|this|parent|output)\b/.test(lineAt(text, error.pos[0]))
      ? "Put the text with its token in quotes: '{config:list[0]}'."
      : FAULT_CODES.playbook_syntax;
    return syntax(`This is no YAML: ${said.replace(/:$/, '.')}`, said, at, advice);
  }
  if (second !== undefined) return syntax('There is more than one document.', 'documents', placeOf(second.range?.[0]));
  const found = forbidden(document, placeOf);
  if (found !== null) return found;
  return { ok: true, value: valueOf(document.contents), place: (path) => placeOf(offsetAt(document, path)) };
}

function syntax(message: string, key: string, at: Place | null, remedy: string = FAULT_CODES.playbook_syntax): Read {
  return { ok: false, fault: { code: 'playbook_syntax', key, step: null, at, message, remedy } };
}

function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) bytes += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end < 0 ? text.length : end);
}

/** What the language leaves out of YAML. */
function forbidden(document: Document, placeOf: (offset: number | undefined) => Place | null): Read | null {
  const stack: unknown[] = [document.contents];
  for (let node = stack.pop(); stack.length > 0 || node !== undefined; node = stack.pop()) {
    if (node === undefined || node === null) continue;
    if (isPair(node)) {
      stack.push(node.value, node.key);
      continue;
    }
    if (!isNode(node)) continue;
    const at = placeOf(node.range?.[0]);
    if (isAlias(node) || node.anchor !== undefined)
      return syntax('There are anchors and aliases, which a playbook has not.', 'anchors and aliases', at);
    if (hasTag(node)) return syntax('There are tags, which a playbook has not.', 'tags', at);
    if (isSeq(node)) stack.push(...node.items);
    if (!isMap(node)) continue;
    const keys = new Set<string>();
    for (const pair of node.items) {
      const key = keyOf(pair);
      const place = isNode(pair.key) ? placeOf(pair.key.range?.[0]) : at;
      if (key === null) return syntax('A key is no plain text.', 'keys', place);
      if (key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN')
        return syntax('There are merge keys, which a playbook has not.', 'merge keys', place);
      if (keys.has(key))
        return syntax(
          `The key "${key}" is given twice.`,
          `Map keys must be unique${place === null ? '' : ` at line ${place.line}, column ${place.column}:`}`,
          place,
        );
      keys.add(key);
      stack.push(pair);
    }
  }
  return null;
}

/** Tags that stand in the text; those of the core schema are known of every node. */
const hasTag = (node: { tag?: string | undefined; srcToken?: unknown }): boolean => node.tag !== undefined;

function keyOf({ key }: Pair): string | null {
  if (typeof key === 'string') return key;
  if (!isScalar(key)) return null;
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

function valueOf(node: unknown): Value {
  if (isScalar(node)) {
    const { value } = node;
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : (node.source ?? null);
    return value === undefined ? null : (node.source ?? null);
  }
  if (isSeq(node)) return node.items.map(valueOf);
  if (!isMap(node)) return null;
  const token = unquotedToken(node);
  return token ?? mappingOf(node.items.map((pair) => [keyOf(pair) ?? '', valueOf(pair.value)]));
}

/** PB-4: the text of a flow mapping with one key that has no value, not even an empty one. */
function unquotedToken(node: { flow?: boolean | undefined; items: Pair[] }): string | null {
  const [pair] = node.items;
  if (node.flow !== true || node.items.length !== 1 || pair === undefined || pair.value !== null) return null;
  return isScalar(pair.key) && typeof pair.key.value === 'string' && pair.key.type === 'PLAIN'
    ? `{${pair.key.value}}`
    : null;
}

/** Where the deepest node of this path that there is begins. */
function offsetAt(document: Document, path: Path): number | undefined {
  let node: unknown = document.contents;
  let offset = isNode(node) ? node.range?.[0] : undefined;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((one) => keyOf(one) === step);
      if (pair === undefined) return offset;
      offset = isNode(pair.key) ? pair.key.range?.[0] : offset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number') {
      node = node.items[step];
      offset = isNode(node) ? (node.range?.[0] ?? offset) : offset;
    } else return offset;
  }
  return offset;
}
