/** What tokens can be had where (PB-15, PB-16): in a prompt, in a path, in a template of records. */
import { PlaybookFault } from '../faults.ts';
import { isMapping, fieldOf, type Mapping, type Value } from '../value.ts';
import type { ConfigValues } from './config-values.ts';
import type { Scope } from './expand.ts';
import { lookUp } from './lookup.ts';
import type { Ref, Special } from './token.types.ts';

/** A unit, or an output, with the loop around it. */
export interface Frame {
  value: Value;
  /** In its loop, from 0. */
  i: number;
  /** Path of its file; null: of none. */
  file: string | null;
  parent: Frame | null;
}

export interface Places {
  config: ConfigValues;
  /** null: there is no unit at that place. */
  unit: Frame | null;
  output?: Frame | null;
  /** Output, records and last output of an earlier step; undefined where there is none of that name. */
  step?(name: string): Mapping | undefined;
  /** Counts of the repetitions at that place, innermost first; those of the unit's loops where it is left out. */
  loops?: readonly number[];
}

export const loopsOf = (frame: Frame | null): number[] => (frame === null ? [] : [frame.i, ...loopsOf(frame.parent)]);

export function scopeOf(places: Places): Scope {
  const { config, unit, output = null } = places;
  const loops = places.loops ?? loopsOf(unit);
  const nothing = (said: string, why: string): PlaybookFault =>
    new PlaybookFault('token_scope', said, `{${said}} cannot be had here: ${why}.`);

  function above(frame: Frame, ups: number): Frame | null {
    let found: Frame | null = frame;
    for (let up = 0; up < ups && found !== null; up++) found = found.parent;
    return found;
  }

  function specialOf(special: Special, frame: Frame | null, count: number | undefined): Value | undefined {
    if (special === '%i') return count;
    if (special === '%n') return count === undefined ? undefined : count + 1;
    if (frame === null) return undefined;
    return special === '%file' ? (frame.file ?? undefined) : (frame.parent?.value ?? undefined);
  }

  function ofUnit(ref: Extract<Ref, { from: 'unit' }>, said: string): Value | undefined {
    if (unit === null) throw nothing(said, 'the step has no input');
    const frame = above(unit, ref.ups);
    if (ref.special !== null) {
      const under = ref.path.length > 0;
      if (under) throw nothing(said, `${ref.special} is of a unit, not of its fields`);
      return specialOf(ref.special, frame, loops[ref.ups]);
    }
    const [first] = ref.path;
    const isOutput = ref.ups === 0 && output !== null && first?.kind === 'key' && first.key === 'output';
    if (isOutput && !(isMapping(unit.value) && fieldOf(unit.value, 'output') !== undefined))
      return lookUp(output.value, ref.path.slice(1), said);
    return lookUp(frame?.value, ref.path, said);
  }

  return {
    has: (name) => config.has(name),
    resolve(ref, said) {
      switch (ref.from) {
        case 'bare':
          return undefined;
        case 'config':
          return config.get(ref.path, said);
        case 'unit':
          return ofUnit(ref, said);
        case 'output':
          if (output === null) throw nothing(said, 'there is no answer yet');
          return ref.special === null ? lookUp(output.value, ref.path, said) : specialOf(ref.special, output, output.i);
        case 'step': {
          const value = places.step?.(ref.step);
          if (value === undefined) throw nothing(said, `no earlier step is called "${ref.step}"`);
          return lookUp(value, ref.path, said);
        }
      }
    },
  };
}
