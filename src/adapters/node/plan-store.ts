/**
 * Plans as files under `<data>/plans`: `{id}.plan.json` is the specified document, `{id}.state.json` what is known beside
 * it, with the hash of the document that it belongs to.
 *
 *   PLAN-48 a change is written whole to `{id}.next.json` first, then to the two, then that is removed: a reader, and a
 *           start after a crash, sees the plan before the change or after it. One process changes plans at a time.
 *   PLAN-49 what is no plan of ours in the directory is named in the log, once, and skipped
 */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { AccessionError, failed, isCode } from '#core/errors.ts';
import { planDocument, readPlanDocument, type PlanKinds } from '#core/plan/plan-kind.ts';
import { PlanStateSchema, type KeptPlan, type PlanStore } from '#core/plan/plan.ts';
import { readTextIfThere, syncDirectory, writeFileAtomic } from './atomic-file.ts';
import { processLock } from './lock-file.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const PLAN_FILE = /^(.+)\.plan\.json$/;
const OURS = /\.(?:state|next)\.json$|\.journal\.jsonl$|^plans\.lock|\.[0-9a-f]{12}\.tmp$/;

const StateFileSchema = v.object({ plan_sha256: v.string(), state: PlanStateSchema });

/** The directory is made with the first plan. */
export function createPlanStore(
  directory: string,
  kinds: PlanKinds,
  log: (sentence: string) => void = () => undefined,
) {
  const locked = processLock(join(directory, 'plans.lock'));
  const named = new Set<string>();

  /** Where the specified document of a plan is. */
  const planPath = (id: string): string => join(directory, `${id}.plan.json`);

  /** The two files, where they belong together. */
  async function whole(id: string): Promise<KeptPlan | null> {
    const [document, beside] = await Promise.all([textOf(`${id}.plan.json`), textOf(`${id}.state.json`)]);
    if (document === null || beside === null) return null;
    const plan = readPlanDocument(kinds, document);
    const file = v.safeParse(v.pipe(v.string(), v.parseJson(), StateFileSchema), beside);
    if (plan?.id !== id || !file.success || file.output.plan_sha256 !== hash('sha256', document)) return null;
    return { plan, state: file.output.state };
  }

  /** Under the lock: what a writer that died left is brought to its end first. */
  async function settled(id: string): Promise<KeptPlan | null> {
    const next = await textOf(`${id}.next.json`);
    const parsed = next === null ? null : v.safeParse(v.pipe(v.string(), v.parseJson(), kinds.kept), next);
    if (parsed?.success && parsed.output.plan.id === id) {
      await write(parsed.output);
      return parsed.output;
    }
    return whole(id);
  }

  async function write(kept: KeptPlan): Promise<void> {
    const { plan, state } = kept;
    const document = planDocument(kinds, plan);
    const next = join(directory, `${plan.id}.next.json`);
    await writeFileAtomic(next, `${JSON.stringify(kept)}\n`);
    const beside = { plan_sha256: hash('sha256', document), state };
    await writeFileAtomic(join(directory, `${plan.id}.state.json`), `${JSON.stringify(beside, null, 2)}\n`);
    await writeFileAtomic(planPath(plan.id), document);
    await rm(next, { force: true });
    await syncDirectory(directory);
  }

  /** A directory under such a name, or a file that may not be read, is no file of ours. */
  async function textOf(name: string): Promise<string | null> {
    try {
      return await readTextIfThere(join(directory, name));
    } catch (error) {
      if (isCode(error, 'EISDIR', 'EACCES', 'ENOTDIR', 'ELOOP')) return null;
      throw error;
    }
  }

  async function names(): Promise<string[]> {
    try {
      const found = await readdir(directory);
      // A plan whose first write was cut short has its next form alone.
      const cut = found.flatMap((name) => /^(.+)\.next\.json$/.exec(name)?.[1] ?? []);
      return [...new Set([...found, ...cut.map((id) => `${id}.plan.json`)])].sort();
    } catch (error) {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    }
  }

  function skip(name: string): void {
    if (named.has(name)) return;
    named.add(name);
    log(`"${name}" in the directory of plans is no plan of Accession and is skipped.`);
  }

  const store: PlanStore = {
    async create(kept) {
      await mkdir(directory, { recursive: true });
      await locked(async () => {
        if ((await readTextIfThere(planPath(kept.plan.id))) !== null)
          throw failed('conflict', 'There is a plan of this id already.');
        await write(kept);
      });
    },

    async read(id) {
      if (!UUID.test(id)) return null;
      return (await whole(id)) ?? (existsSync(directory) ? locked(() => settled(id)) : null);
    },

    async update(id, change) {
      const missing = (): AccessionError => failed('not_found', `There is no plan "${id}".`);
      if (!UUID.test(id) || !existsSync(directory)) throw missing();
      return locked(async () => {
        const kept = await settled(id);
        if (!kept) throw missing();
        const next = change(kept);
        await write(next);
        return next;
      });
    },

    async list() {
      const plans: KeptPlan[] = [];
      for (const name of await names()) {
        const id = PLAN_FILE.exec(name)?.[1];
        if (id === undefined) {
          if (!OURS.test(name)) skip(name);
          continue;
        }
        const kept = await store.read(id);
        if (kept) plans.push(kept);
        else if ((await readTextIfThere(join(directory, name)).catch(() => '')) !== null) skip(name);
      }
      return plans.sort((a, b) => b.state.created_at - a.state.created_at);
    },
  };
  return { ...store, planPath };
}
