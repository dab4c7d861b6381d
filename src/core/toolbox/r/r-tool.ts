/** Makers of tools that R computes: a recipe is our own R, a function of the input; data are its arguments and never pasted text. */
import * as v from 'valibot';
import { toolboxTool, type Output, type ToolboxSpec, type ToolboxTool } from '../tool.ts';
import { inR } from './r-text.ts';

/** Longer inputs are named in the script, not written out. Characters. */
const MOST_SCRIPT = 20_000;

export interface RSpec<Input> extends Omit<ToolboxSpec<Input>, 'runtime' | 'job' | 'finish' | 'compute' | 'output'> {
  /** R: `function(input) list(...)`. */
  recipe: string;
  output: v.ObjectEntries;
  /** The result as papers write it. */
  sentence?(output: Output, input: Input): string;
}

export function rTool<Input>({ recipe, sentence, output, ...spec }: RSpec<Input>): ToolboxTool<Input> {
  return toolboxTool<Input>({
    ...spec,
    runtime: 'r',
    bounds: { memoryMb: 1024, ...spec.bounds },
    output: v.looseObject({ ...output, warnings: v.array(v.string()), r_script: v.string() }),
    unread: ['r_script'],
    job: (input) => ({ program: recipe, data: input }),
    finish: (value, input) => ({
      ...value,
      ...(sentence === undefined ? {} : { sentence: sentence(value, input) }),
      r_script: scriptOf(recipe, input),
    }),
  });
}

/** What gives the same in any R: nothing of it runs here. */
function scriptOf(recipe: string, input: unknown): string {
  const data = inR(input);
  const said = data.length <= MOST_SCRIPT ? data : 'list() # put the data here: too long to be written out';
  return `refuse <- function(field, message) stop(field, ": ", message)\ninput <- ${said}\nrecipe <- ${recipe.trim()}\nrecipe(input)\n`;
}

/** `-1.86` and `.079` as papers write them. */
export const fixed = (given: unknown, digits = 2): string => (typeof given === 'number' ? given.toFixed(digits) : '?');

export function pSaid(p: unknown): string {
  if (typeof p !== 'number') return 'p unknown';
  return p < 0.001 ? 'p < .001' : `p = ${p.toFixed(3).replace(/^0/, '')}`;
}

/** Degrees of freedom: whole ones as they are, Welch's with two digits. */
export const df = (given: unknown): string =>
  typeof given === 'number' ? (Number.isInteger(given) ? String(given) : given.toFixed(2)) : '?';
