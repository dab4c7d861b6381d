/**
 * The records that the answered units of a step make, in the order of the units (PB-31 to PB-33): each output one, or each
 * unit one where the template repeats a list, or each group one.
 */
import { PlaybookFault } from '../faults.ts';
import type { ConfigValues } from '../tokens/config-values.ts';
import type { Scope } from '../tokens/expand.ts';
import { loopsOf, scopeOf, type Frame, type Places } from '../tokens/scopes.ts';
import { fieldOf, isMapping, type Value } from '../value.ts';
import { fillTemplate, type RecordTemplate } from './template.ts';

export interface Answered {
  /** null: the step has no input. */
  unit: Frame | null;
  /** Where its records go (null: nowhere), for each output, or for a record of all (null). */
  pathOf(output: Frame | null): string | null;
  outputs: readonly Frame[];
}

export interface Records {
  config: ConfigValues;
  step: NonNullable<Places['step']>;
  /** null: the output is the record. */
  template: RecordTemplate | null;
  groupBy: readonly string[] | null;
}

/** What stands in one file. */
export interface FileRecords {
  path: string | null;
  records: Value[];
}

/** Throws PlaybookFault where a template cannot be filled. */
export function recordsOf(answered: readonly Answered[], using: Records): FileRecords[] {
  const files = new Map<string | null, Value[]>();
  const add = (path: string | null, record: Value): void => {
    const there = files.get(path);
    if (there === undefined) files.set(path, [record]);
    else there.push(record);
  };
  for (const group of groupsOf(answered, using.groupBy)) {
    for (const { path, record } of recordsOfGroup(group, using)) add(path, record);
  }
  return [...files].map(([path, records]) => ({ path, records }));
}

/** The fields that a unit is grouped by. Throws PlaybookFault `group_missing`. */
export function groupKey(unit: Frame | null, fields: readonly string[]): string {
  const values = fields.map((field) => {
    const value = unit !== null && isMapping(unit.value) ? fieldOf(unit.value, field) : undefined;
    if (value === undefined)
      throw new PlaybookFault('group_missing', field, `The unit has no field "${field}" to be grouped by.`);
    return value;
  });
  return JSON.stringify(values);
}

function groupsOf(answered: readonly Answered[], fields: readonly string[] | null): Answered[][] {
  if (fields === null) return answered.map((one) => [one]);
  const groups = new Map<string, Answered[]>();
  for (const one of answered) {
    const key = JSON.stringify([one.pathOf(one.outputs[0] ?? null), groupKey(one.unit, fields)]);
    const there = groups.get(key);
    if (there === undefined) groups.set(key, [one]);
    else there.push(one);
  }
  return [...groups.values()];
}

interface Made {
  path: string | null;
  record: Value;
}

function recordsOfGroup(group: readonly Answered[], { config, step, template, groupBy }: Records): Made[] {
  const pairs = group.flatMap(({ unit, outputs, pathOf }) => outputs.map((output) => ({ unit, output, pathOf })));
  const inside = ({ unit, output }: { unit: Frame | null; output: Frame }, i: number): Scope =>
    scopeOf({
      ...{ config, step, output },
      // PB-15: in a step without input, `this` and `parent` are the output and its parent.
      unit: unit ?? output,
      loops: [i, ...(unit === null ? loopsOf(output.parent) : loopsOf(unit))],
    });
  const [first] = group;
  const [pair] = pairs;
  const together = first?.pathOf(pair?.output ?? null) ?? null;
  if (template === null) {
    if (groupBy !== null) return [{ path: together, record: pairs.map(({ output }) => output.value) }];
    return pairs.map(({ output, pathOf }) => ({ path: pathOf(output), record: output.value }));
  }
  const { record, repeats } = template;
  if (!repeats && groupBy === null)
    return pairs.map((one) => ({
      path: one.pathOf(one.output),
      record: fillTemplate(record, inside(one, one.output.i), null),
    }));
  const output = pair === undefined ? {} : { output: pair.output };
  const outer = scopeOf({ config, step, unit: first?.unit ?? pair?.output ?? null, ...output });
  return [{ path: together, record: fillTemplate(record, outer, repeats ? pairs.map(inside) : null) }];
}
