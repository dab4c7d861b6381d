/**
 * Guides at work over a store: guarded runs with the five tools, dry runs, undo. The browser's worker and the server's
 * process make one each; what differs between them are its ports.
 */
import { GuideRuns, type Triggered } from '../run/guide-runs.ts';
import { guideTools, useTool } from '../run/guide-tools.ts';
import { MemoryRunStore } from '../run/memory-run-store.ts';
import type { RunArchive, RunPorts, RunStore } from '../run/ports.ts';
import type { Run } from '../run/run-machine.ts';
import type { GuideToolName, RunRecord, SkipReason, ToolReport } from '../run/run.types.ts';
import type { GuideStore } from '../store/guide-store.ts';
import { unpackProgrammes } from '../store/packed.ts';
import { dryStore } from './dry-store.ts';
import { fillMends } from './fill.ts';
import { countOpen, guideView } from './guide-view.ts';
import { ALL_FAULTS, openFaults, type OpenFault } from './open-faults.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { byGuide } from './standing.ts';
import { toolWork } from './tool-work.ts';
import type { AppContext, GuideWorld, ToolSources } from './tool-sources.ts';
import { undoMends, type Undone, type UndoWish } from './undo.ts';

export interface GuideAppPorts extends Pick<
  RunPorts,
  'clock' | 'ids' | 'owner' | 'settings' | 'signs' | 'ask' | 'said'
> {
  store: GuideStore;
  runs: RunStore;
  archive: RunArchive;
  world: GuideWorld;
  wait(milliseconds: number): Promise<void>;
  /** A line of a tool, for whoever looks into failures. */
  log(line: string): void;
}

/** What a run would do. */
export type DryRun = { begun: false; reason: SkipReason } | { begun: true; record: RunRecord };

export class GuideApp {
  readonly runs: GuideRuns;
  /**
   * Schedules are derived anew where the day, the videos or they themselves are others; then a run may begin, for which
   * nobody waits.
   */
  readonly derive: () => Promise<void>;
  readonly #ports: GuideAppPorts;

  constructor(ports: GuideAppPorts) {
    this.#ports = ports;
    this.runs = runsOver(ports);
    this.derive = oneAfterAnother(() => this.#derive());
  }

  async #derive(): Promise<void> {
    const { store, world } = this.#ports;
    const lookups = await store.lookupCounts();
    if ((await world.derive()).changed > 0) await this.imported(lookups, false);
  }

  /**
   * To be called when a guide came in or was derived: notes how good it is, and may begin a run.
   * @param lookups as they were before it came in
   */
  async imported(lookups: { failed: number; all: number }, byRun: boolean): Promise<Triggered | null> {
    await this.notePoint();
    return this.runs.imported(lookups, byRun);
  }

  /** Tells what a run of a person would do now, with the same gates; nothing is written. */
  async dryRun(channel: string | null): Promise<DryRun> {
    const { archive } = this.#ports;
    const runs = new MemoryRunStore(await archive.memory());
    const world: GuideWorld = {
      ...this.#ports.world,
      refresh: () => Promise.resolve({ changed: 0, diff: [], skipped: [] }),
      derive: () => Promise.resolve({ changed: 0, diff: [], skipped: [] }),
    };
    const dry: GuideAppPorts = {
      ...this.#ports,
      ...{ store: dryStore(this.#ports.store), runs, world, said: () => undefined, log: () => undefined },
    };
    const begun = await runsOver(dry).trigger({ how: 'demand', channel, by_run: false });
    if (!begun.begun) return begun;
    await begun.ended;
    const record = runs.records.find(({ id }) => id === begun.run);
    if (record === undefined) throw new Error('A dry run left no record.');
    return { begun: true, record };
  }

  async undo(wish: UndoWish): Promise<Undone> {
    const undone = await undoMends(this.#ports.store, wish, this.#ports.clock);
    if (undone.undone > 0) await this.notePoint();
    return undone;
  }

  /** How good all guides are now, for the ratio over time. */
  async notePoint(): Promise<void> {
    const { store, clock } = this.#ports;
    const { counts, programmes, failing } = await countOpen(store, ALL_FAULTS);
    const open = Object.values(counts).reduce((sum, count) => sum + count, 0);
    await store.notePoint({ at: clock.now(), programmes, failing, open });
  }
}

/** The ends of look-ups within runs go to the runs' own circuit, and what a run derives is said to be caused by one. */
function runsOver(ports: GuideAppPorts): GuideRuns {
  const { store, world } = ports;
  const derive = async (): Promise<ToolReport> => {
    const lookups = await store.lookupCounts();
    const derived = await world.derive();
    if (derived.changed > 0) await runs.imported(lookups, true);
    return derived;
  };
  const runs: GuideRuns = new GuideRuns(runPorts({ ...ports, world: { ...world, derive } }, (ok) => runs.lookedUp(ok)));
  return runs;
}

type LookedUp = ToolSources['lookedUp'];

function runPorts(ports: GuideAppPorts, lookedUp: LookedUp): RunPorts {
  const { store, world, clock, ids, owner, settings, signs, ask, said, runs, wait } = ports;
  const registry = guideTools(toolWork);
  return {
    ...{ clock, ids, owner, settings, signs, ask, said, store: runs },
    view: async (channel) => guideView(store, channel, await world.mismatch()),
    probe: () => world.probe(),
    use: (tool, run) => useTool({ registry, context: contextOf(ports, lookedUp, tool, run), clock, wait }, tool, run),
  };
}

/** The four methods of a tool, for one use of it. */
function contextOf(
  { store, world, log, clock, ids }: GuideAppPorts,
  lookedUp: LookedUp,
  tool: GuideToolName,
  { id: run, channel }: Run,
): AppContext {
  return {
    async faults() {
      const all: OpenFault[] = [];
      for await (const faults of openFaults(store, { guide: null, channel, days: null }))
        for (const fault of faults) all.push(fault);
      return all;
    },
    sources: async (): Promise<ToolSources> => ({
      guides: await store.guides(),
      channels: (guide) => store.channels(guide),
      lineup: (guide) => store.lineup(guide),
      programmes: (guide, own) => days(store, guide, own && channel !== null ? [channel] : null),
      standing: async () => byGuide(await store.mends({ guides: null, channels: null })),
      world,
      note: (ends) => store.noteLookups(ends),
      failures: () => store.lookupFailures(),
      ...{ lookedUp, now: () => clock.now(), rest: () => store.rest() },
    }),
    fill: (mends) => fillMends(store, mends, { tool, run }, { clock, ids }),
    log: (line) => Promise.resolve(log(line)),
  };
}

async function* days(
  store: GuideStore,
  guide: string,
  channels: readonly string[] | null,
): ReturnType<ToolSources['programmes']> {
  for await (const { channel, data } of store.programmes(guide, { channels, days: null }))
    yield { channel: channel ?? '', programmes: unpackProgrammes(data) };
}
