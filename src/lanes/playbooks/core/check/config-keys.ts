/** The keys of the config that a playbook's tokens name, for a form: what stands there without one. */
import { readPlaybook } from '../read/playbook.ts';
import { parseTemplate } from '../tokens/parse.ts';
import type { Default, Template } from '../tokens/token.types.ts';
import { PlaybookFault } from '../faults.ts';
import { fieldOf, type Value } from '../value.ts';
import { withOf } from './free-code.ts';
import { textsIn } from './step-tokens.ts';

export interface ConfigKey {
  key: string;
  /** The playbook says that it must be there. */
  required: boolean;
  /** The playbook's, else that of the first token that has one; undefined: there is none. */
  fallback: Value | undefined;
  /** It is looked into: a mapping or a list is wanted. */
  nested: boolean;
}

/** In the order in which they are named; none of a text that is no playbook. */
export function configKeys(text: string): ConfigKey[] {
  const { playbook } = readPlaybook(text);
  if (playbook === null) return [];
  const keys = new Map<string, ConfigKey>();
  const note = (key: string): ConfigKey => {
    const known = keys.get(key);
    if (known !== undefined) return known;
    const fallback = fieldOf(playbook.defaults, key);
    const made: ConfigKey = { key, required: playbook.required.includes(key), nested: false, fallback };
    keys.set(key, made);
    return made;
  };
  const look = ({ parts }: Template): void => {
    for (const part of parts) {
      if (part.kind !== 'token') continue;
      if (part.ref.from === 'config') {
        const [first, ...deeper] = part.ref.path;
        if (first?.kind === 'key') {
          const made = note(first.key);
          if (deeper.length > 0) made.nested = true;
          if (made.fallback === undefined && deeper.length === 0 && part.default !== null)
            made.fallback = fallbackOf(part.default);
        }
      }
      if (part.default?.kind === 'text') look(part.default.text);
    }
  };
  for (const key of playbook.required) note(key);
  for (const key of Object.keys(playbook.defaults)) note(key);
  for (const { raw } of playbook.steps)
    for (const said of textsIn({ ...raw, with: withOf(raw).expanded }))
      try {
        look(parseTemplate(said));
      } catch (error) {
        // Said by the check, with its place.
        if (!(error instanceof PlaybookFault)) throw error;
      }
  return [...keys.values()];
}

function fallbackOf(said: Default): Value {
  if (said.kind === 'value') return said.value;
  return said.text.parts.map((part) => (part.kind === 'text' ? part.text : part.source)).join('');
}
