/**
 * Drives guarded runs over ports: a trigger passes the gates, the run's machine says what comes next, this does it and
 * writes down what came of it before anything further is done. Many may call it, in many processes over one store.
 */
import {
  begin,
  circuitFor,
  finish,
  guideCame,
  lift,
  lookedUp,
  selected,
  skipReason,
  toolUsed,
  withinClock,
  withRun,
  type RunsMemory,
  type Trigger,
} from './memory.ts';
import type { RunPorts, Written } from './ports.ts';
import { advance, type Advanced, type Run, type RunEffect, type RunEnd, type RunEvent } from './run-machine.ts';
import type { GuideView, RunRecord, SkipReason } from './run.types.ts';
import { asksOfGuide, isDue, warnsEarly } from './triggers.ts';

export type Triggered =
  | { begun: false; reason: SkipReason }
  /** `ended`: when the run is over; it never rejects. */
  | { begun: true; run: string; ended: Promise<void> };

/** What a change leaves besides the memory; what is left out is nothing. */
type Change<Value> = Partial<Omit<Written, 'memory'>> & { memory: RunsMemory; value: Value };

export class GuideRuns {
  readonly #ports: RunPorts;

  constructor(ports: RunPorts) {
    this.#ports = ports;
  }

  /** Ends with the gates: a run that begins goes on by itself. */
  async trigger(trigger: Trigger): Promise<Triggered> {
    const { ids, owner } = this.#ports;
    const settings = await this.#ports.settings();
    const id = ids.next();
    const { how, channel } = trigger;
    const passed = await this.#change<{ run: Run } | { reason: SkipReason }>((memory, now) => {
      const reason = skipReason(memory, trigger, settings, now);
      if (reason !== null)
        return { memory, value: { reason }, records: [{ id, at: now, how, channel, outcome: 'skipped', reason }] };
      const begun = begin(memory, trigger, { id, owner }, now);
      return {
        memory: begun.memory,
        value: { run: begun.run },
        journal: [{ run: id, n: 1, at: now, event: { kind: 'begun', run: begun.run } }],
        log: [{ at: now, text: `AI metadata remediation started for channel ${channelLabel(channel)}` }],
      };
    });
    if ('reason' in passed) return { begun: false, reason: passed.reason };
    return { begun: true, run: id, ended: this.#drive(passed.run) };
  }

  /** A question in the ask box; null: it is not about the guide. */
  async asked(text: string, channel: string | null, byRun: boolean): Promise<Triggered | null> {
    return asksOfGuide(text) ? await this.trigger({ how: 'ask', channel, by_run: byRun }) : null;
  }

  /**
   * A guide came in or was derived anew: tools that changed nothing may change something now. null: all channels together
   * are as good as they have to be.
   */
  async imported(lookups: { failed: number; all: number }, byRun: boolean): Promise<Triggered | null> {
    await this.#change((memory, now) => ({
      memory: guideCame(memory),
      value: null,
      journal: memory.active.map(({ id, lines }) => ({
        ...{ run: id, n: lines + 1, at: now, event: { kind: 'guide_came' as const } },
      })),
    }));
    const whole = await this.#ports.view(null);
    return warnsEarly(whole, lookups) ? await this.trigger({ how: 'import', channel: null, by_run: byRun }) : null;
  }

  /** To be called every `CADENCE_MS` by one process. null: the whole is not bad enough. */
  async cadence(): Promise<Triggered | null> {
    const whole = await this.#ports.view(null);
    return isDue(whole) ? await this.trigger({ how: 'schedule', channel: null, by_run: false }) : null;
  }

  /** A person ends a suspension. */
  async lift(channel: string | null): Promise<void> {
    await this.#change((memory) => ({ memory: lift(memory, channel), value: null }));
  }

  /** A look-up of whoever does them ended: three failures in a row open the circuit. */
  async lookedUp(ok: boolean): Promise<void> {
    await this.#change((memory, now) => ({ memory: lookedUp(memory, ok, now), value: null }));
  }

  /** At start, and when a process fell silent: its unfinished runs get their end. */
  async recover(isGone: (owner: string) => boolean): Promise<void> {
    const left = await this.#change((memory) => ({
      memory,
      value: memory.active.filter(({ owner }) => isGone(owner)),
    }));
    for (const { id, channel } of left) await this.#tell(id, { kind: 'died', view: await this.#viewOrNull(channel) });
  }

  /** One effect after the other, until the run is over. What breaks on the way is its end, too. */
  async #drive(begun: Run): Promise<void> {
    let at: Advanced | null = { run: begun, effect: { do: 'look' } };
    while (at !== null && at.effect.do !== 'nothing' && at.effect.do !== 'end') {
      const { run } = at;
      let event: RunEvent;
      try {
        event = await this.#do(run, at.effect);
      } catch {
        event = { kind: 'broke', view: await this.#viewOrNull(run.channel) };
      }
      at = await this.#tell(run.id, event);
    }
  }

  async #do(run: Run, effect: Exclude<RunEffect, { do: 'nothing' | 'end' }>): Promise<RunEvent> {
    const ports = this.#ports;
    switch (effect.do) {
      case 'look': {
        const signs = await ports.signs(run.id);
        // The circuit is in the memory, and looked at where this is written down.
        return { kind: 'looked', view: await ports.view(run.channel), signs, circuit: 'closed' };
      }
      case 'probe':
        return { kind: 'probed', ok: await ports.probe().catch(() => false) };
      case 'ask': {
        const { view, possible } = effect;
        return { kind: 'replied', text: await ports.ask({ run: run.id, channel: run.channel, view, possible }) };
      }
      case 'use':
        return { kind: 'used', tool: effect.tool, ...(await ports.use(effect.tool, run)) };
    }
  }

  /** Writes down what happened and what it leads to. A run that is over is told nothing any more. */
  #tell(id: string, happened: RunEvent): Promise<Advanced | null> {
    return this.#change<Advanced | null>((before, now) => {
      const run = before.active.find((active) => active.id === id);
      if (!run) return { memory: before, value: null };
      const event = happened.kind === 'looked' ? { ...happened, circuit: circuitFor(before, id, now) } : happened;
      const next = advance(run, event, now);
      const told: Run = { ...next.run, lines: run.lines + 1 };
      const journal = [{ run: id, n: told.lines, at: now, event }];
      const memory = withRun(noted(before, run, event, now), told);
      const { effect } = next;
      const value = { run: told, effect };
      if (effect.do === 'use') return { memory: selected(memory, effect.tool), value, journal };
      if (effect.do === 'probe') return { memory: { ...memory, probing: id }, value, journal };
      return effect.do === 'end'
        ? { value, journal, ...ended(memory, told, effect.end, now) }
        : { memory, value, journal };
    });
  }

  async #viewOrNull(channel: string | null): Promise<GuideView | null> {
    try {
      return await this.#ports.view(channel);
    } catch {
      return null;
    }
  }

  async #change<Value>(work: (memory: RunsMemory, now: number) => Change<Value>): Promise<Value> {
    const { store, clock, said } = this.#ports;
    let written: Pick<Written, 'log' | 'records' | 'escalations'> | null = null;
    const value = await store.change((memory) => {
      const now = clock.now();
      const change = { journal: [], log: [], records: [], escalations: [], ...work(withinClock(memory, now), now) };
      written = change;
      return change;
    });
    if (written) said(written);
    return value;
  }
}

/** What an event changes beside its run. */
function noted(memory: RunsMemory, { channel, waits }: Run, event: RunEvent, now: number): RunsMemory {
  if (event.kind === 'probed') return lookedUp(memory, event.ok, now);
  if (waits.for !== 'tool') return memory;
  if (event.kind === 'used')
    return toolUsed(memory, channel, event.tool, event.failure === null && event.report.changed > 0, now);
  // It was cut in the middle: it cools, and nothing is known of it.
  return event.kind === 'died' || event.kind === 'broke' ? toolUsed(memory, channel, waits.tool, null, now) : memory;
}

function ended(memory: RunsMemory, run: Run, end: RunEnd, now: number): Omit<Change<null>, 'value' | 'journal'> {
  const { id, channel, how, began_at } = run;
  const left = finish(memory, run, end, now);
  const { outcome, reason, escalated, ratio_before, ratio_after, caught } = end;
  const said = outcome === 'success' ? 'success' : 'failure';
  const log = [{ at: now, text: `AI metadata remediation completed — ${said}` }];
  if (left.suspended)
    log.push({ at: now, text: `Metadata self-resolution temporarily suspended for channel ${channelLabel(channel)}` });
  const record: RunRecord = {
    ...{ id, at: began_at, how, channel, outcome, reason, ended_at: now, steps: [...run.steps] },
    ...{ escalated, ratio_before, ratio_after },
  };
  return {
    memory: left.memory,
    log,
    records: [record],
    escalations: caught ? [{ run: id, channel, at: now, ...caught }] : [],
  };
}

/** As the log names it: one line, whatever the guide calls its channels. */
export function channelLabel(channel: string | null): string {
  return channel === null ? 'global' : channel.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}
