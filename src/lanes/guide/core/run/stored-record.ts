/** What a run left behind, as it comes out of storage or over the wire. */
import * as v from 'valibot';
import { parsed, StepSchema } from './stored-run.ts';
import type { Escalation, RunRecord } from './run.types.ts';

const Text = v.string();
const Instant = v.number();
const Channel = v.nullable(Text);
const GUARDS = ['containment', 'velocity', 'pool', 'circuit'] as const;

const trigger = {
  ...{ id: Text, at: Instant, how: v.picklist(['demand', 'ask', 'import', 'schedule']), channel: Channel },
};

const Skipped = v.object({
  ...trigger,
  outcome: v.literal('skipped'),
  reason: v.picklist(['disabled', 'recursion', 'active', 'suspended', 'cooldown']),
});

const Ended = v.object({
  ...trigger,
  outcome: v.picklist(['success', 'failure', 'aborted']),
  reason: v.nullable(v.picklist([...GUARDS, 'interrupted', 'error'])),
  ended_at: Instant,
  steps: v.array(StepSchema),
  escalated: v.boolean(),
  ratio_before: v.number(),
  ratio_after: v.number(),
});

export const RunRecordSchema: v.GenericSchema<unknown, RunRecord> = v.union([Skipped, Ended]);

export const EscalationSchema: v.GenericSchema<unknown, Escalation> = v.object({
  ...{ run: Text, channel: Channel, at: Instant },
  reason: v.picklist([...GUARDS, 'ratio']),
  ...{ number: v.number(), limit: v.number() },
});

/** Throws AccessionError `invalid` with what is wrong. */
export const parseRecord = (json: string): RunRecord => parsed(RunRecordSchema, json, 'The record of a run');

/** Throws AccessionError `invalid` with what is wrong. */
export const parseEscalation = (json: string): Escalation => parsed(EscalationSchema, json, 'An escalation');
