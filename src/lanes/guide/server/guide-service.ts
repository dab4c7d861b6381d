/**
 * Guides at work in one server process: the app of guides over the database, its runs with a heartbeat while they last,
 * and what sets them off. Whoever triggers waits for the gates alone.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '#core/errors.ts';
import { GuideApp } from '#lanes/guide/core/app/guide-app.ts';
import type { Triggered } from '#lanes/guide/core/run/guide-runs.ts';
import { oneAfterAnother } from '#lanes/guide/core/app/one-after-another.ts';
import type { GuideWorld } from '#lanes/guide/core/app/tool-sources.ts';
import { askModel } from '#lanes/guide/core/run/question.ts';
import type { Question } from '#lanes/guide/core/run/ports.ts';
import type { RunSettings } from '#lanes/guide/core/run/run.types.ts';
import type { GuideRecord } from '#lanes/guide/core/store/guide-records.ts';
import { CADENCE_MS } from '#lanes/guide/core/run/triggers.ts';
import { writeAudit, type AuditLine } from '#server/audit/audit.ts';
import { ADMIN_USER } from '#server/auth/tokens.ts';
import type { GuideConfig } from '#server/config-file.ts';
import type { ServerDeps } from '#server/lane-server.ts';
import type { Tx } from '#server/store/schema.ts';
import { brokerProvider } from '#server/plans/broker-provider.ts';
import { Heartbeat } from './runs/heartbeat.ts';
import { serverOwner, whoIsGone } from './runs/processes.ts';
import { sayRuns } from './runs/say-runs.ts';
import { readSigns } from './runs/signs.ts';
import { mayFill, SqlRunStore } from './runs/sql-run-store.ts';
import { readRunSettings, readSetting, writeSetting } from './settings.ts';
import type { AtFinish } from './store/sql-guide-stage.ts';
import { SqlGuideStore } from './store/sql-guide-store.ts';
import { sweep } from './store/sweep.ts';
import { serverWorld } from './world/server-world.ts';

export type ServiceDeps = Pick<ServerDeps, 'store' | 'clock' | 'ids' | 'log' | 'events' | 'broker' | 'lanes'>;

const CADENCE = 'cadence';
/** Two processes do not look at the very same instant. */
const LEEWAY_MS = 10_000;
/** A model's answer, milliseconds. */
const MODEL_MS = 60_000;
/** Runs that are under way when the server stops have so long; later they are interrupted. */
const GRACE_MS = 3000;

export class GuideService {
  readonly store: SqlGuideStore;
  readonly runs: SqlRunStore;
  readonly app: GuideApp;
  readonly world: GuideWorld;
  readonly #deps: ServiceDeps;
  readonly #config: GuideConfig;
  readonly #owner: string;
  readonly #driving = new Set<Promise<void>>();
  readonly #beats: Heartbeat;
  #cadence: NodeJS.Timeout | null = null;
  #unwatch: (() => void) | null = null;

  constructor(deps: ServiceDeps, config: GuideConfig, owner = serverOwner(deps.ids.next())) {
    const { store, clock, ids, log } = deps;
    this.#deps = deps;
    this.#config = config;
    this.#owner = owner;
    this.#beats = new Heartbeat(deps, owner, (work) => this.spare(work));
    this.store = new SqlGuideStore(store, ids, mayFill);
    this.runs = new SqlRunStore(store);
    this.world = serverWorld(deps, this.store, config);
    this.app = new GuideApp({
      ...{ clock, ids, owner, store: this.store, runs: this.runs, archive: this.runs, world: this.world },
      settings: () => this.settings(),
      signs: () => readSigns(store.db, clock.now()),
      ask: (question) => this.#ask(question),
      said: sayRuns(deps),
      wait: async (ms) => void (await wait(ms, undefined, { ref: false })),
      log: (line) => log.info('guide', { line }),
    });
  }

  settings(): Promise<RunSettings> {
    return readRunSettings(this.#deps.store.db, this.#config.runs);
  }

  /** Before anything is served: runs whose process is gone get their end, and what a killed import left goes. */
  async recover(): Promise<void> {
    const { store } = this.#deps;
    if (!store.shared) await store.write((tx) => tx.deleteFrom('guide_stages').execute());
    await this.#endGone(true);
    await sweep(store);
  }

  /** From now on the cadence is kept, and what is recognised is played. */
  begin(): void {
    this.#cadence ??= setInterval(() => this.spare(() => this.tick()), CADENCE_MS).unref();
    this.watch();
  }

  /** A change of the catalog may be another video, or what is known of one: channels of ours are derived anew. */
  watch(): void {
    this.#unwatch ??= this.#deps.events.listen(({ type }) => {
      if (type === 'CatalogChanged') this.spare(() => this.derive());
    });
  }

  /** One beat of the cadence: of all processes one takes it. True where this one did. */
  async tick(): Promise<boolean> {
    const { store, clock } = this.#deps;
    const [guides, schedules] = await Promise.all([this.store.guides(), this.store.schedules()]);
    if (guides.length === 0 && schedules.length === 0) return false;
    const taken = await store.write(async (tx) => {
      const last = await readSetting(tx, CADENCE);
      const now = clock.now();
      if (typeof last === 'number' && Math.abs(now - last) < CADENCE_MS - LEEWAY_MS) return false;
      await writeSetting(tx, CADENCE, now);
      return true;
    });
    if (!taken) return false;
    await this.derive();
    await this.#begin(() => this.app.runs.cadence());
    return true;
  }

  /** Schedules are derived anew where the day, the videos or they themselves are others. */
  readonly derive = oneAfterAnother(async () => {
    const lookups = await this.store.lookupCounts();
    if ((await this.world.derive()).changed > 0) await this.imported(lookups);
  });

  /** A guide came in, or was derived: how good it is is noted, and a run may begin. `lookups`: as they were before. */
  async imported(lookups: { failed: number; all: number }): Promise<void> {
    await this.#begin(() => this.app.imported(lookups, false));
  }

  /** The button. */
  async demand(channel: string | null): Promise<Triggered> {
    const begun = await this.#begin(() => this.app.runs.trigger({ how: 'demand', channel, by_run: false }));
    if (begun === null) throw new Error('a trigger came to nothing');
    return begun;
  }

  /** The ask box; null: the question is not about the guide. */
  asked(text: string, channel: string | null): Promise<Triggered | null> {
    return this.#begin(() => this.app.runs.asked(text, channel, false));
  }

  /** Where somebody's import goes: its line in the log of who did what is there with the guide, or neither is. */
  taking(line: (guide: GuideRecord) => Omit<AuditLine, 'at'>, also: AtFinish = () => Promise.resolve()): SqlGuideStore {
    const { store, ids, clock } = this.#deps;
    return new SqlGuideStore(store, ids, mayFill, async (tx, guide) => {
      await also(tx, guide);
      await writeAudit(tx, { ...line(guide), at: clock.now() });
    });
  }

  /** A line in the log of who did what, of what is no change of the database alone. */
  async audited(line: Omit<AuditLine, 'at'>): Promise<void> {
    const { store, clock } = this.#deps;
    await store.write((tx) => writeAudit(tx, { ...line, at: clock.now() }));
  }

  /** The guides within a transaction: what it changes is there with the rest of it or not at all. */
  within(tx: Tx): SqlGuideStore {
    return new SqlGuideStore({ db: tx, write: (work) => work(tx) }, this.#deps.ids);
  }

  /** A change of guides and its line in the log of who did what, both or none. */
  async changed(
    { user_id, action, entity_id, details = {} }: Omit<AuditLine, 'at'>,
    work: (guides: SqlGuideStore) => Promise<void>,
  ): Promise<void> {
    const { store, clock } = this.#deps;
    await store.write(async (tx) => {
      await work(this.within(tx));
      await writeAudit(tx, { at: clock.now(), user_id, action, entity_id, details });
    });
  }

  /** Nobody waits for it; what fails is in the log. */
  spare(work: () => Promise<unknown>): void {
    this.#keep(work().then(() => undefined));
  }

  async close(): Promise<void> {
    if (this.#cadence !== null) clearInterval(this.#cadence);
    this.#cadence = null;
    this.#unwatch?.();
    const over = Promise.allSettled(this.#driving);
    await Promise.race([over, wait(GRACE_MS, undefined, { ref: false })]);
    this.#beats.stop();
  }

  /** For tests: until nothing that was begun is under way. */
  async settled(): Promise<void> {
    while (this.#driving.size > 0) await Promise.allSettled(this.#driving);
  }

  async #begin(trigger: () => Promise<Triggered | null>): Promise<Triggered | null> {
    await this.#endGone(false);
    const { metadata_self_resolution_enabled, bounded_agent_enabled } = await this.settings();
    // Said before: a run that is written down has a process that is known.
    if (metadata_self_resolution_enabled && bounded_agent_enabled) await this.#beats.beat();
    const begun = await trigger();
    if (begun?.begun === true) this.#keep(this.#beats.during(begun.ended));
    await this.#beats.endIfIdle();
    return begun;
  }

  async #endGone(starts: boolean): Promise<void> {
    const { active } = await this.runs.memory();
    if (!active.some(({ owner }) => owner !== this.#owner)) return;
    await this.app.runs.recover(await whoIsGone(this.#deps, this.#owner, starts));
  }

  #keep(work: Promise<void>): void {
    const { log } = this.#deps;
    const kept: Promise<void> = work
      .catch((error: unknown) => log.warn('a guide was not looked after', { error: messageOf(error) }))
      .finally(() => this.#driving.delete(kept));
    this.#driving.add(kept);
  }

  /** The server's own model, where it has one. */
  async #ask(question: Question): Promise<string | null> {
    const { broker, log } = this.#deps;
    if (broker === null) return null;
    try {
      const provider = await brokerProvider(broker, await broker.models(), ADMIN_USER);
      if (provider === null) return null;
      return await askModel(provider, question, { temperature: 0, timeoutMs: MODEL_MS });
    } catch (error) {
      log.warn('the model could not be asked about the guide', { error: messageOf(error) });
      return null;
    }
  }
}
