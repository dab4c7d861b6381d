/** One unit of a step, its tokens expanded. */
import { insideRoot } from '../files/paths.ts';
import { outputType } from '../files/contents.ts';
import { groupKey } from '../records/records.ts';
import { answerForm, type AnswerForm } from '../answer/read-answer.ts';
import { expandDeep, expandText } from '../tokens/expand.ts';
import { scopeOf, type Frame, type Places } from '../tokens/scopes.ts';
import { fieldOf, isMapping, printed, type Mapping } from '../value.ts';
import { withOf } from './free-code.ts';
import type { Prepared, PreparedStep } from './prepare.types.ts';
import { wholeNumber } from './step-values.ts';

export interface Unit {
  /** As the playbook names it. */
  model: string | null;
  system: string | null;
  user: string;
  /** A tool in the place of a prompt. */
  tool: { name: string; input: Mapping } | null;
  form: AnswerForm;
  /** null: it writes nothing, or the answer decides where. */
  path: string | null;
}

/** Throws PlaybookFault. */
export function unitOf(
  { config }: Pick<Prepared, 'config'>,
  { step, outputOf }: Pick<PreparedStep, 'step' | 'outputOf'>,
  frame: Frame | null,
  earlier: NonNullable<Places['step']>,
): Unit {
  const { raw } = step;
  const scope = scopeOf({ config, unit: frame, step: earlier });
  const text = (key: string): string | null => {
    const said = fieldOf(raw, key) ?? null;
    return typeof said === 'string' ? printed(expandText(said, scope)) : null;
  };
  if (step.groupBy !== null) groupKey(frame, step.groupBy);
  const count = fieldOf(raw, 'count') ?? null;
  const wanted = count === null ? null : wholeNumber('count', expandDeep(count, scope), { least: 0, most: 100_000 });
  const name = fieldOf(raw, 'tool') ?? null;
  const { expanded, code } = withOf(raw);
  const input = expandDeep(expanded, scope);
  const path = pathOfUnit({ config }, { step, outputOf }, frame, earlier);
  return {
    model: text('model')?.trim() ?? null,
    system: text('system_prompt'),
    user: text('instruction_user_prompt') ?? '',
    tool: typeof name === 'string' ? { name, input: { ...(isMapping(input) ? input : {}), ...code } } : null,
    form: answerForm(fieldOf(raw, 'answer') ?? null, step.answerDivision, wanted),
    path,
  };
}

/** Where the records of a unit go. null: it writes nothing, or the answer decides where. Throws PlaybookFault. */
export function pathOfUnit(
  { config }: Pick<Prepared, 'config'>,
  { step, outputOf }: Pick<PreparedStep, 'step' | 'outputOf'>,
  frame: Frame | null,
  earlier: NonNullable<Places['step']>,
): string | null {
  const said = outputOf === 'answer' ? null : (fieldOf(step.raw, 'output') ?? null);
  if (typeof said !== 'string') return null;
  return checked(printed(expandText(said, scopeOf({ config, unit: frame, step: earlier }))));
}

/** Where the record of an output goes. Throws PlaybookFault. */
export function pathOfOutput(
  { config }: Pick<Prepared, 'config'>,
  { step }: PreparedStep,
  frame: Frame | null,
  output: Frame,
  earlier: NonNullable<Places['step']>,
): string | null {
  const said = fieldOf(step.raw, 'output') ?? null;
  if (typeof said !== 'string') return null;
  return checked(printed(expandText(said, scopeOf({ config, unit: frame ?? output, output, step: earlier }))));
}

function checked(path: string): string {
  const inside = insideRoot(path);
  outputType(inside);
  return inside;
}
