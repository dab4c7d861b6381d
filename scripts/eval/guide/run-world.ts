/** A scripted world: channels with open faults, tools that mend so many of them, a process that may die. */
import type { RunsMemory } from '#lanes/guide/core/run/memory.ts';
import { GuideRuns } from '#lanes/guide/core/run/guide-runs.ts';
import { guideTools, useTool, type GuideToolContext, type GuideToolWork } from '#lanes/guide/core/run/guide-tools.ts';
import { MemoryRunStore } from '#lanes/guide/core/run/memory-run-store.ts';
import type { RunPorts, RunStore } from '#lanes/guide/core/run/ports.ts';
import { FAULT_TYPES, type FaultType } from '#lanes/guide/core/faults/fault.ts';
import {
  DEFAULT_RUN_SETTINGS,
  GUIDE_TOOLS,
  type GuideToolName,
  type GuideView,
  type Mend,
  type RunSettings,
  type Signs,
} from '#lanes/guide/core/run/run.types.ts';
import { AccessionError, failure } from '#core/errors.ts';
import { Timeline } from './timeline.ts';

export type Counts = Partial<Record<FaultType, number>>;

export interface WorldSpec {
  channels: Record<string, { programmes: number; faults: Counts }>;
  repairs: Partial<Record<GuideToolName, Counts>>;
  takes?: Partial<Record<GuideToolName, number>> | undefined;
  fails?: Partial<Record<GuideToolName, number>> | undefined;
  throws?: readonly GuideToolName[] | undefined;
  broken?: boolean | undefined;
}

interface Fault {
  id: string;
  channel: string;
  type: FaultType;
}

const FIRST_FOUR: ReadonlySet<FaultType> = new Set(FAULT_TYPES.slice(0, 4));

export class RunWorld {
  readonly time = new Timeline();
  readonly store = new MemoryRunStore();
  readonly settings: RunSettings;
  signs: Signs = { containment: false, restarts: [], pool: null };
  probeWorks = true;
  /** Replies of a model, by run. */
  readonly replies = new Map<string, string[]>();
  /** Mends of what a person undid. */
  overwritten = 0;
  /** Tools whose use was begun, by run. */
  readonly used = new Map<string, GuideToolName[]>();
  /** What each use of a tool could reach. */
  readonly contexts: Context[] = [];
  /** Called when a model is asked. */
  asked: () => void = () => undefined;
  /** Called with what was written. */
  said: RunPorts['said'] = () => undefined;
  runs: GuideRuns;
  /** Called before each change of the store, with whether it is already written; true: the process dies there. */
  dies: (written: boolean) => boolean = () => false;
  deaths = 0;

  readonly #spec: WorldSpec;
  readonly #programmes = new Map<string, number>();
  readonly #open = new Map<string, Fault>();
  readonly #undone = new Set<string>();
  readonly #mended = new Map<string, Fault[]>();
  readonly #failsLeft: Partial<Record<GuideToolName, number>>;
  #imports = 0;
  #ids = 0;

  constructor(spec: WorldSpec, config: Partial<RunSettings>) {
    this.#spec = spec;
    this.settings = { ...DEFAULT_RUN_SETTINGS, ...config };
    this.#failsLeft = { ...spec.fails };
    for (const [channel, { programmes, faults }] of Object.entries(spec.channels))
      this.comes(channel, programmes, faults);
    this.runs = new GuideRuns(this.#ports());
  }

  /** A guide of a channel: other programmes, of which so many have a fault each. */
  comes(channel: string, programmes: number | undefined, faults: Counts): void {
    this.#programmes.set(channel, programmes ?? this.#programmes.get(channel) ?? 0);
    for (const fault of this.#open.values()) if (fault.channel === channel) this.#open.delete(fault.id);
    for (const list of this.#mended.values())
      list.splice(0, list.length, ...list.filter((fault) => fault.channel !== channel));
    const guide = this.#imports++;
    for (const type of FAULT_TYPES)
      for (let n = 0; n < (faults[type] ?? 0); n++) {
        const id = `${channel}/${guide}/${type}/${n}`;
        this.#open.set(id, { id, channel, type });
      }
  }

  undo(run: string): void {
    for (const fault of this.#mended.get(run) ?? []) {
      this.#open.set(fault.id, fault);
      this.#undone.add(fault.id);
    }
    this.#mended.delete(run);
  }

  /** The process dies, and another one is started at once. */
  async crash(): Promise<void> {
    this.deaths++;
    this.time.dropAll();
    this.runs = new GuideRuns(this.#ports());
    const { owner } = this.#ports();
    await this.runs.recover((other) => other !== owner);
  }

  async setCircuit(state: string, seconds = 60): Promise<void> {
    const rest = seconds * 1000;
    const now = this.time.now();
    const retry_at = state === 'HALF_OPEN' ? now : now + rest;
    const circuit: RunsMemory['circuit'] =
      state === 'CLOSED' ? { failures: 0, retry_at: null, rest_ms: null } : { failures: 3, retry_at, rest_ms: rest };
    await this.store.change((memory) => ({
      ...{ memory: { ...memory, circuit }, value: null },
      ...{ journal: [], log: [], records: [], escalations: [] },
    }));
  }

  view(channel: string | null): GuideView {
    const open: Record<FaultType, number> = {
      METADATA_LOOKUP_FAILURE: 0,
      EPISODE_NUM_MISSING: 0,
      MOVIE_YEAR_MISSING: 0,
      PLACEHOLDER_TITLE: 0,
      XMLTV_VALIDATION_ERROR: 0,
      LINEUP_MISMATCH: 0,
    };
    let failing = 0;
    for (const fault of this.#open.values()) {
      if (channel !== null && fault.channel !== channel) continue;
      open[fault.type]++;
      // Each is on a programme of its own.
      if (FIRST_FOUR.has(fault.type)) failing++;
    }
    const programmes =
      channel === null
        ? [...this.#programmes.values()].reduce((sum, count) => sum + count, 0)
        : (this.#programmes.get(channel) ?? 0);
    return { programmes, failing, open, plex_mismatch: false, recent_errors: '' };
  }

  #ports(): RunPorts {
    const life = this.deaths;
    const order = (run: string): number => Number(run.slice(1));
    /** A process that died gets no answer any more. */
    const alive = <Value>(value: Value | Promise<Value>): Promise<Value> =>
      Promise.resolve(value).then((answer) => (life === this.deaths ? answer : new Promise<Value>(() => undefined)));
    const clock = { now: this.time.now };
    const store: RunStore = {
      change: async (work) => {
        if (life === this.deaths && this.dies(false)) await this.crash();
        await alive(null);
        const value = await this.store.change(work);
        if (this.dies(true)) await this.crash();
        return await alive(value);
      },
      journal: (run) => this.store.journal(run),
    };
    const registry = guideTools(this.#work());
    return {
      clock,
      ids: { next: () => `r${++this.#ids}` },
      owner: `life ${life}`,
      store,
      settings: () => alive(this.settings),
      view: (channel) => alive(this.view(channel)),
      signs: async (run) => {
        // What is running comes behind the events of an instant.
        await alive(this.time.wait(0, order(run)));
        if (this.#spec.broken) throw new Error('broken');
        return this.signs;
      },
      probe: () => alive(this.probeWorks),
      ask: ({ run }) => {
        this.asked();
        return alive(this.replies.get(run)?.shift() ?? null);
      },
      use: (tool, run) => {
        this.used.set(run.id, [...(this.used.get(run.id) ?? []), tool]);
        const wait = (milliseconds: number): Promise<void> => alive(this.time.wait(milliseconds, order(run.id)));
        const context = this.#context(run.id, run.channel, tool, wait);
        this.contexts.push(context);
        return alive(useTool({ registry, context, clock, wait }, tool, run));
      },
      said: (written) => this.said(written),
    };
  }

  #context(run: string, channel: string | null, tool: GuideToolName, wait: (ms: number) => Promise<void>): Context {
    return {
      faults: () =>
        Promise.resolve(
          [...this.#open.values()].filter(
            (fault) => (channel === null || fault.channel === channel) && !this.#undone.has(fault.id),
          ),
        ),
      sources: async () => {
        await wait((this.#spec.takes?.[tool] ?? 1) * 1000);
        return tool;
      },
      fill: (mends) => {
        const diff = mends.filter(({ where }) => this.#open.has(where));
        for (const { where } of diff) {
          const fault = this.#open.get(where);
          if (this.#undone.has(where)) this.overwritten++;
          if (!fault || !this.#open.delete(where)) continue;
          this.#mended.set(run, [...(this.#mended.get(run) ?? []), fault]);
        }
        return Promise.resolve({ changed: diff.length, diff, skipped: [] });
      },
      log: () => Promise.resolve(),
    };
  }

  /** Each tool: takes its time, fails or throws as it was told to, and mends so many faults of a type in each channel. */
  #work(): GuideToolWork<Fault, GuideToolName> {
    const work = async ({ faults, sources, fill }: Context) => {
      const tool = await sources();
      if (this.#spec.throws?.includes(tool)) throw new Error('thrown');
      const left = this.#failsLeft[tool] ?? 0;
      if (left > 0) {
        this.#failsLeft[tool] = left - 1;
        throw new AccessionError({ ...failure('offline', 'It is away.'), retryAfterMs: 0 });
      }
      const counts = new Map<string, number>();
      const mends = (await faults()).filter(({ channel, type }) => {
        const key = `${channel}\n${type}`;
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        return count <= (this.#spec.repairs[tool]?.[type] ?? 0);
      });
      return await fill(mends.map(({ id, type }) => mend(id, type, tool)));
    };
    const all = GUIDE_TOOLS.map((tool) => [tool, work] as const);
    return Object.fromEntries(all) as GuideToolWork<Fault, GuideToolName>;
  }
}

type Context = GuideToolContext<Fault, GuideToolName>;

function mend(where: string, field: string, source: string): Mend {
  return { where, field, before: null, after: 'mended', source, reasons: ['the world says so'] };
}
