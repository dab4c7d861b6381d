/**
 * Plans as files under `<data>/plans`: `{id}.plan.json` is the specified document, `{id}.state.json` what is known beside
 * it, with the hash of the document that it belongs to.
 *
 *   PLAN-48 a change is written whole to `{id}.next.json` first, then to the two, then that is removed: a reader, and a
 *           start after a crash, sees the plan before the change or after it. One process changes plans at a time.
 *   PLAN-49 what is no plan of ours in the directory is named in the log, once, and skipped
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { AccessionError, failure, isCode } from '#core/errors.ts';
import { planDocument, readPlanDocument, type PlanKinds } from '#core/plan/plan-kind.ts';
import { PlanStateSchema, type KeptPlan, type PlanStore } from '#core/plan/plan.ts';
import { readTextIfThere, syncDirectory, writeFileAtomic } from './atomic-file.ts';
import { ProcessLock } from './lock-file.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const PLAN_FILE = /^(.+)\.plan\.json$/;
const OURS = /\.(?:state|next)\.json$|\.journal\.jsonl$|^plans\.lock|\.[0-9a-f]{12}\.tmp$/;

const StateFileSchema = v.object({ plan_sha256: v.string(), state: PlanStateSchema });

export class NodePlanStore implements PlanStore {
  readonly #directory: string;
  readonly #kinds: PlanKinds;
  readonly #log: (sentence: string) => void;
  readonly #lock: ProcessLock;
  readonly #named = new Set<string>();

  /** The directory is made with the first plan. */
  constructor(directory: string, kinds: PlanKinds, log: (sentence: string) => void = () => undefined) {
    this.#directory = directory;
    this.#kinds = kinds;
    this.#log = log;
    this.#lock = new ProcessLock(join(directory, 'plans.lock'));
  }

  /** Where the specified document of a plan is. */
  planPath(id: string): string {
    return join(this.#directory, `${id}.plan.json`);
  }

  async create(kept: KeptPlan): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    await this.#lock.run(async () => {
      if ((await readTextIfThere(this.planPath(kept.plan.id))) !== null)
        throw new AccessionError(failure('conflict', 'There is a plan of this id already.'));
      await this.#write(kept);
    });
  }

  async read(id: string): Promise<KeptPlan | null> {
    if (!UUID.test(id)) return null;
    return (await this.#whole(id)) ?? ((await this.#exists()) ? this.#lock.run(() => this.#settled(id)) : null);
  }

  async update(id: string, change: (kept: KeptPlan) => KeptPlan): Promise<KeptPlan> {
    const missing = (): AccessionError => new AccessionError(failure('not_found', `There is no plan "${id}".`));
    if (!UUID.test(id) || !(await this.#exists())) throw missing();
    return this.#lock.run(async () => {
      const kept = await this.#settled(id);
      if (!kept) throw missing();
      const next = change(kept);
      await this.#write(next);
      return next;
    });
  }

  async list(): Promise<KeptPlan[]> {
    const plans: KeptPlan[] = [];
    for (const name of await this.#names()) {
      const id = PLAN_FILE.exec(name)?.[1];
      if (id === undefined) {
        if (!OURS.test(name)) this.#skip(name);
        continue;
      }
      const kept = await this.read(id);
      if (kept) plans.push(kept);
      else if ((await readTextIfThere(join(this.#directory, name)).catch(() => '')) !== null) this.#skip(name);
    }
    return plans.sort((a, b) => b.state.created_at - a.state.created_at);
  }

  /** The two files, where they belong together. */
  async #whole(id: string): Promise<KeptPlan | null> {
    const [document, beside] = await Promise.all([this.#text(`${id}.plan.json`), this.#text(`${id}.state.json`)]);
    if (document === null || beside === null) return null;
    const plan = readPlanDocument(this.#kinds, document);
    const file = v.safeParse(v.pipe(v.string(), v.parseJson(), StateFileSchema), beside);
    if (plan?.id !== id || !file.success || file.output.plan_sha256 !== sha256(document)) return null;
    return { plan, state: file.output.state };
  }

  /** Under the lock: what a writer that died left is brought to its end first. */
  async #settled(id: string): Promise<KeptPlan | null> {
    const next = await this.#text(`${id}.next.json`);
    const parsed = next === null ? null : v.safeParse(v.pipe(v.string(), v.parseJson(), this.#kinds.kept), next);
    if (parsed?.success && parsed.output.plan.id === id) {
      await this.#write(parsed.output);
      return parsed.output;
    }
    return this.#whole(id);
  }

  async #write(kept: KeptPlan): Promise<void> {
    const { plan, state } = kept;
    const document = planDocument(this.#kinds, plan);
    const next = join(this.#directory, `${plan.id}.next.json`);
    await writeFileAtomic(next, `${JSON.stringify(kept)}\n`);
    const beside = { plan_sha256: sha256(document), state };
    await writeFileAtomic(join(this.#directory, `${plan.id}.state.json`), `${JSON.stringify(beside, null, 2)}\n`);
    await writeFileAtomic(this.planPath(plan.id), document);
    await rm(next, { force: true });
    await syncDirectory(this.#directory);
  }

  /** A directory under such a name, or a file that may not be read, is no file of ours. */
  async #text(name: string): Promise<string | null> {
    try {
      return await readTextIfThere(join(this.#directory, name));
    } catch (error) {
      if (isCode(error, 'EISDIR', 'EACCES', 'ENOTDIR', 'ELOOP')) return null;
      throw error;
    }
  }

  async #names(): Promise<string[]> {
    try {
      const names = await readdir(this.#directory);
      // A plan whose first write was cut short has its next form alone.
      const cut = names.flatMap((name) => /^(.+)\.next\.json$/.exec(name)?.[1] ?? []);
      return [...new Set([...names, ...cut.map((id) => `${id}.plan.json`)])].sort();
    } catch (error) {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    }
  }

  async #exists(): Promise<boolean> {
    return readdir(this.#directory).then(
      () => true,
      () => false,
    );
  }

  #skip(name: string): void {
    if (this.#named.has(name)) return;
    this.#named.add(name);
    this.#log(`"${name}" in the directory of plans is no plan of Accession and is skipped.`);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
