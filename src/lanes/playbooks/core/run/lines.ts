/**
 * The journal of a run, a line of JSON each. A run is taken up again from its journal alone.
 *
 * History of `schema_version`: 1, first form.
 */
import * as v from 'valibot';
import type { JournalEntry } from '#core/agent/workflow/workflow.ts';
import { SpentShape } from '#core/agent/workflow/workflow.ts';
import type { AnswerNumbers } from '../answer/trace.ts';
import { END_STATES } from './states.ts';

const Text = v.string();
const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const At = v.number();
const Numbers = v.record(Text, v.number());
const SourceShape = v.variant('of', [
  v.object({ of: v.literal('call'), handle: Text, tool: Text, version: Text, place: Text }),
  v.object({ of: v.literal('input'), file: v.nullable(Text), place: Text }),
  v.object({ of: v.literal('config'), place: Text }),
]);
/** Of an answer: where its numbers come from. */
const NumbersShape: v.GenericSchema<unknown, AnswerNumbers> = v.object({
  traced: Count,
  untraced: Count,
  list: v.array(v.object({ text: Text, place: Text, at: Count, source: v.nullable(SourceShape) })),
});

const FaultShape = v.object({
  code: Text,
  key: Text,
  step: v.nullable(Text),
  at: v.nullable(v.object({ line: Count, column: Count })),
  message: Text,
  remedy: Text,
});

const HeadShape = v.object({
  kind: v.literal('run'),
  schema_version: v.literal(1),
  id: Text,
  at: At,
  name: v.nullable(Text),
  playbook: Text,
  config: v.record(Text, v.unknown()),
  set: v.record(Text, v.unknown()),
  /** Keys of all steps, from the command line. */
  step: v.exactOptional(v.record(Text, v.unknown())),
  overwrite: v.boolean(),
  seed: v.number(),
  /** Name and version of the tools that it may use. */
  tools: v.record(Text, Text),
  /** The run that it takes units over from. */
  reuse: v.nullable(Text),
  /** Places of the steps of which it takes none over. */
  again: v.exactOptional(v.array(Count)),
});
export type RunHead = v.InferOutput<typeof HeadShape>;

/** Of a unit: how often it was begun anew after a failure. */
const ofUnit = { step: Count, unit: Count, attempt: Count };
export const LineShape = v.variant('kind', [
  HeadShape,
  /** It was begun, or taken up again. */
  v.object({ kind: v.literal('session'), at: At, limits: Numbers }),
  v.object({
    kind: v.literal('opened'),
    at: At,
    step: Count,
    units: Count,
    inputs: v.array(v.object({ path: Text, sha256: Text })),
  }),
  /** An entry of the unit's workflow; `spent` where it is another than before. It is parsed where the workflow is taken up again. */
  v.object({
    kind: v.literal('entry'),
    ...ofUnit,
    entry: v.custom<JournalEntry>(isEntry),
    spent: v.exactOptional(SpentShape),
  }),
  v.object({ kind: v.literal('again'), ...ofUnit, tries: Count }),
  v.object({ kind: v.literal('done'), at: At, ...ofUnit, key: Text, numbers: v.exactOptional(NumbersShape) }),
  /** The answer of the same unit of another run. */
  v.object({
    ...{ kind: v.literal('taken'), at: At, ...ofUnit, key: Text, value: v.unknown() },
    numbers: v.exactOptional(NumbersShape),
  }),
  v.object({ kind: v.literal('failed'), at: At, ...ofUnit, fault: FaultShape }),
  v.object({
    kind: v.literal('closed'),
    at: At,
    step: Count,
    records: Count,
    last: v.unknown(),
    files: v.array(v.object({ path: Text, sha256: Text })),
  }),
  v.object({ kind: v.literal('ended'), at: At, state: v.picklist(END_STATES), error: v.nullable(FaultShape) }),
]);
export type RunLine = v.InferOutput<typeof LineShape>;

function isEntry(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && 'n' in value && typeof value.n === 'number';
}
