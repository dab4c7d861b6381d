/**
 * The values of a config: merged, and expanded when they are needed.
 *
 *   PB-3  `--set` goes before the config, the config before the playbook's defaults, those before a token's own
 *   PB-14 a value may hold tokens of `config:` only; a circle is named
 */
import { PlaybookFault } from '../faults.ts';
import { fieldOf, isList, isMapping, mappingOf, put, type Mapping, type Value } from '../value.ts';
import { expandText, type Scope } from './expand.ts';
import { lookUp } from './lookup.ts';
import type { Ref, Segment } from './token.types.ts';

/** Mappings are merged key by key; what is null leaves what was there. */
export function merged(below: Mapping, above: Mapping): Mapping {
  const result = mappingOf(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const before = fieldOf(result, key);
    if (isMapping(before) && isMapping(value)) put(result, key, merged(before, value));
    else if (value !== null || before === undefined) put(result, key, value);
  }
  return result;
}

/** `a.b: 1` of `--set` as a mapping. */
export function nested(set: Readonly<Record<string, Value>>): Mapping {
  let result: Mapping = {};
  for (const [path, value] of Object.entries(set)) {
    const keys = path.split('.');
    const inner = keys.reduceRight<Value>((value_, key) => mappingOf([[key, value_]]), value);
    if (isMapping(inner)) result = merged(result, inner);
  }
  return result;
}

export class ConfigValues {
  readonly raw: Mapping;
  readonly #expanded = new Map<string, Value>();
  readonly #open: string[] = [];
  readonly scope: Scope;

  constructor(raw: Mapping) {
    this.raw = raw;
    this.scope = { has: (name) => this.has(name), resolve: (ref, said) => this.#ofConfig(ref, said) };
  }

  has(name: string): boolean {
    return (fieldOf(this.raw, name) ?? null) !== null;
  }

  /** undefined: absent, or null. Throws PlaybookFault. */
  get(path: readonly Segment[], said: string): Value | undefined {
    let value: Value | undefined = this.raw;
    let name = '';
    for (const [at, segment] of path.entries()) {
      if (typeof value === 'string') value = this.#text(value, name);
      if (segment.kind === 'index' && segment.index.kind === 'range')
        return lookUp(value === undefined ? undefined : this.#deep(value, name), path.slice(at), said);
      value = lookUp(value, [segment], said);
      name = nameOf(name, segment);
    }
    return value === undefined ? undefined : (this.#deep(value, name) ?? undefined);
  }

  #ofConfig(ref: Ref, said: string): Value | undefined {
    if (ref.from === 'config') return this.get(ref.path, said);
    throw new PlaybookFault('token_scope', said, `{${said}} cannot be had in a config, which knows "config:" alone.`);
  }

  #deep(value: Value, name: string): Value {
    if (typeof value === 'string') return this.#text(value, name);
    if (isList(value)) return value.map((one, at) => this.#deep(one, `${name}[${at}]`));
    if (isMapping(value))
      return mappingOf(Object.entries(value).map(([key, one]) => [key, this.#deep(one, `${name}.${key}`)]));
    return value;
  }

  #text(text: string, name: string): Value {
    if (!text.includes('{')) return text;
    const known = this.#expanded.get(name);
    if (known !== undefined) return known;
    const begun = this.#open.indexOf(name);
    if (begun >= 0) {
      const circle = [...this.#open.slice(begun), name].join(' -> ');
      throw new PlaybookFault('token_cycle', circle, `The config goes in a circle: ${circle}.`);
    }
    if (this.#open.length >= 100)
      throw new PlaybookFault('token_cycle', name, 'Values of the config name each other more than 100 deep.');
    this.#open.push(name);
    try {
      const value = expandText(text, this.scope);
      this.#expanded.set(name, value);
      return value;
    } finally {
      this.#open.pop();
    }
  }
}

function nameOf(name: string, segment: Segment): string {
  if (segment.kind === 'key') return name === '' ? segment.key : `${name}.${segment.key}`;
  return `${name}[${segment.index.kind === 'at' ? segment.index.at : '..'}]`;
}
