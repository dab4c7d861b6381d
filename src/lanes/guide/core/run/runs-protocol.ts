/** /v1/guide: guarded runs over the wire. Instants are milliseconds since the epoch. */
import * as v from 'valibot';
import { breakerState } from '#core/breaker.ts';
import { withinClock, type RunsMemory } from './memory.ts';
import { GUIDE_TOOLS, type RunSettings } from './run.types.ts';
import { EscalationSchema } from './stored-record.ts';

const Instant = v.number();
const Channel = v.nullable(v.string());

/** 30 s to a day. */
export const CooldownSchema = v.pipe(v.number(), v.integer(), v.minValue(30), v.maxValue(86_400));

export const RunSettingsSchema: v.GenericSchema<unknown, RunSettings> = v.strictObject({
  metadata_self_resolution_enabled: v.boolean(),
  bounded_agent_enabled: v.boolean(),
  metadata_self_resolution_cooldown_sec: CooldownSchema,
});

export const RunSettingsPatchSchema = v.partial(
  v.strictObject({
    metadata_self_resolution_enabled: v.boolean(),
    bounded_agent_enabled: v.boolean(),
    metadata_self_resolution_cooldown_sec: CooldownSchema,
  }),
);

export const ContainmentSchema = v.strictObject({ containment: v.boolean() });
export const ChannelSchema = v.strictObject({
  channel: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1000))), null),
});

/** Why a run would not begin now, and until when. */
const GateSchema = v.object({
  /** null: the whole. */
  channel: Channel,
  active: v.nullable(v.string()),
  suspended_until: v.nullable(Instant),
  cooldown_until: v.nullable(Instant),
  idle_runs: v.number(),
});

export const GatesSchema = v.object({
  settings: RunSettingsSchema,
  containment: v.boolean(),
  circuit: v.picklist(['closed', 'open', 'half-open']),
  /** When an open circuit is tried. */
  circuit_until: v.nullable(Instant),
  keys: v.array(GateSchema),
  counters: v.object({
    ai_metadata_resolution_attempt_total: v.number(),
    ai_metadata_resolution_success_total: v.number(),
    ai_metadata_resolution_abort_total: v.number(),
    ai_metadata_tool_selected: v.record(v.picklist(GUIDE_TOOLS), v.number()),
  }),
});
export type Gates = v.InferOutput<typeof GatesSchema>;

/** What stands in the way of a run, as it is now. */
export function gatesOf(kept: RunsMemory, settings: RunSettings, containment: boolean, now: number): Gates {
  const memory = withinClock(kept, now);
  const channels = new Set<string | null>([null, ...memory.active.map(({ channel }) => channel)]);
  for (const key of Object.keys(memory.keys))
    if (key.startsWith('channel:')) channels.add(key.slice('channel:'.length));
  const ahead = (at: number | null): number | null => (at !== null && at > now ? at : null);
  const cooldown = settings.metadata_self_resolution_cooldown_sec * 1000;
  const circuit = breakerState(memory.circuit, now);
  return {
    ...{ settings, containment, circuit, circuit_until: circuit === 'open' ? memory.circuit.retry_at : null },
    keys: [...channels].map((channel) => {
      const key = memory.keys[channel === null ? 'whole' : `channel:${channel}`];
      const ended = key?.ended_at ?? null;
      return {
        channel,
        active: memory.active.find((run) => run.channel === channel)?.id ?? null,
        suspended_until: ahead(key?.suspended_until ?? null),
        cooldown_until: ahead(ended === null ? null : ended + cooldown),
        idle_runs: key?.idle_runs ?? 0,
      };
    }),
    counters: { ...memory.counters, ai_metadata_tool_selected: { ...memory.counters.ai_metadata_tool_selected } },
  };
}

/** With its sentence for a person. */
export const EscalationsSchema = v.object({
  items: v.array(v.intersect([EscalationSchema, v.object({ sentence: v.string() })])),
});
