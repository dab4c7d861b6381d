/** Whether a run would begin now, and when it could: for a person. */
import { breakerState, type BreakerState } from '#core/breaker.ts';
import { keyMemory, skipReason, withinClock, type RunsMemory } from '../run/memory.ts';
import type { RunSettings, SkipReason } from '../run/run.types.ts';

export interface Gates {
  /** Why none begins; null: one does. */
  reason: SkipReason | null;
  /** When that is over by itself; null: not by itself. */
  until: number | null;
  /** Runs that are under way, by id. */
  active: readonly string[];
  suspended_until: number | null;
  circuit: BreakerState;
  circuit_until: number | null;
  containment: boolean;
}

export function gatesOf(
  kept: RunsMemory,
  channel: string | null,
  settings: RunSettings & { containment: boolean },
  now: number,
): Gates {
  const memory = withinClock(kept, now);
  const reason = skipReason(memory, { how: 'demand', channel, by_run: false }, settings, now);
  const { suspended_until, ended_at } = keyMemory(memory, channel);
  const cooled = ended_at === null ? null : ended_at + settings.metadata_self_resolution_cooldown_sec * 1000;
  const suspended = suspended_until !== null && suspended_until > now ? suspended_until : null;
  const circuit = breakerState(memory.circuit, now);
  return {
    ...{ reason, active: memory.active.map(({ id }) => id), suspended_until: suspended, circuit },
    until: reason === 'suspended' ? suspended : reason === 'cooldown' ? cooled : null,
    circuit_until: circuit === 'open' ? memory.circuit.retry_at : null,
    containment: settings.containment,
  };
}
