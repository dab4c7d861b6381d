/** `output_format`: a template of one record (PB-32, PB-33). */
import { PlaybookFault } from '../faults.ts';
import { fieldOf, isList, isMapping, mappingOf, put, type Mapping, type Value } from '../value.ts';
import { expandText, type Scope } from '../tokens/expand.ts';

export interface RecordTemplate {
  record: Value;
  /** It has a list that is repeated for each output: a unit makes one record then. */
  repeats: boolean;
}

const SPREAD = '...';
const shown = (list: readonly Value[]): Value[] => list.filter((one) => one !== SPREAD);

/** Throws PlaybookFault `playbook_value`. */
export function templateOf(format: Value): RecordTemplate {
  const wrong = (why: string): PlaybookFault =>
    new PlaybookFault('playbook_value', 'output_format', `"output_format" ${why}.`);
  let record = format;
  if (isList(format)) {
    const [only, ...more] = shown(format);
    if (only === undefined || more.length > 0) throw wrong('is a template of one record, in a list of one or not');
    record = only;
  }
  const repeats = countRepeats(record);
  if (repeats > 1) throw wrong('has more than one list of one element, and at most one can be repeated');
  return { record, repeats: repeats === 1 };
}

function countRepeats(value: Value): number {
  if (isList(value)) {
    const elements = shown(value);
    return (elements.length === 1 ? 1 : 0) + elements.reduce<number>((sum, one) => sum + countRepeats(one), 0);
  }
  if (!isMapping(value)) return 0;
  return Object.entries(value).reduce((sum, [key, one]) => sum + (key === SPREAD ? 0 : countRepeats(one)), 0);
}

/**
 * One record. `repeated`: the scopes of the outputs, for the list that is repeated; null: there is none.
 * Throws PlaybookFault.
 */
export function fillTemplate(record: Value, scope: Scope, repeated: readonly Scope[] | null): Value {
  const fill = (value: Value, within: Scope): Value => {
    if (typeof value === 'string') return expandText(value, within);
    if (isList(value)) {
      const elements = shown(value);
      const [only] = elements;
      return repeated !== null && elements.length === 1 && only !== undefined
        ? repeated.map((one) => fill(only, one))
        : elements.map((one) => fill(one, within));
    }
    return isMapping(value) ? fields(value, within) : value;
  };
  const fields = (mapping: Mapping, within: Scope): Mapping => {
    const result: Mapping = {};
    for (const [key, value] of Object.entries(mapping)) {
      if (key !== SPREAD) put(result, key, fill(value, within));
      else
        for (const [name, copied] of copiedFields(value, within))
          // The template's own fields win.
          if (!Object.hasOwn(mapping, name) || name === SPREAD) put(result, name, copied);
    }
    return result;
  };
  return fill(record, scope);
}

/** `"...": "{this}"` or `"...": {from: "{this}", without: [prompt]}`. */
function copiedFields(spread: Value, scope: Scope): [string, Value][] {
  const from = isMapping(spread) ? fieldOf(spread, 'from') : spread;
  const without = isMapping(spread) ? (fieldOf(spread, 'without') ?? []) : [];
  const value = typeof from === 'string' ? expandText(from, scope) : (from ?? null);
  if (!isMapping(value))
    throw new PlaybookFault('token_type', SPREAD, '"..." copies the fields of a mapping, and this is none.');
  const left = isList(without) ? without : [without];
  return Object.entries(mappingOf(Object.entries(value))).filter(([name]) => !left.includes(name));
}

/** Faults of the form of "...", before anything runs. Throws PlaybookFault `playbook_value`. */
export function checkSpreads(value: Value): void {
  if (isList(value)) value.forEach(checkSpreads);
  if (!isMapping(value)) return;
  for (const [key, one] of Object.entries(value)) {
    if (key !== SPREAD) {
      checkSpreads(one);
      continue;
    }
    const keys = isMapping(one) ? Object.keys(one) : [];
    if (
      typeof one === 'string' ||
      (keys.includes('from') && keys.every((name) => name === 'from' || name === 'without'))
    )
      continue;
    throw new PlaybookFault(
      'playbook_value',
      'output_format',
      '"..." takes a token, or a mapping of "from" and "without".',
    );
  }
}
