/** `accession videos`: what confirmed recognitions say of files, in the data directory of a server. */
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { failed } from '#core/errors.ts';
import type { NameVideosSchema } from '#lanes/video/core/records/record-protocol.ts';
import { exportOf } from '#lanes/video/core/records/video-record.ts';
import { recognizeMediaFile } from '#lanes/video/core/plan-kinds.ts';
import { nameVideos } from '#lanes/video/server/records/name-videos.ts';
import { videosIn } from '#lanes/video/server/records/record-rows.ts';
import { COMMAND_LINE, writeAudit } from '#server/audit/audit.ts';
import type { Done } from '#server/http/mutate.ts';
import { decidePlan, undoDecision } from '#server/plans/decide-plan.ts';
import { serverPlans, type PlansDeps } from '#server/plans/server-plans.ts';
import type * as v from 'valibot';

/** As the plan names whoever decides here; the log of the server's people says that it was the command line. */
const by = (): string => userInfo().username;

/** Throws AccessionError with the reason; nothing is recorded then. */
export async function confirmVideos(deps: PlansDeps, planId: string): Promise<string> {
  const plans = serverPlans(deps);
  await recognitionOf(deps, planId, 'Carry it out with `accession rename --plan FILE --root DIR`.');
  const { written, kept } = recordedOf(
    await logged(deps, await decidePlan(deps, plans, { planId, status: 'completed' }, by())),
  );
  const stands = kept === 0 ? '' : `; of ${files(kept)} a person's earlier word stands`;
  return `${files(written)} recorded${stands}`;
}

/** Throws AccessionError with the reason; everything is recorded as before then. */
export async function undoVideos(deps: PlansDeps, planId: string): Promise<string> {
  await recognitionOf(deps, planId, 'Undo it with `accession rename --plan FILE --root DIR --undo`.');
  const { body } = await logged(deps, await undoDecision(deps, serverPlans(deps), planId, by()));
  const recorded = 'recorded' in body && typeof body.recorded === 'number' ? body.recorded : 0;
  return `the records of ${files(recorded)} are as before`;
}

/** To a file, or as text for the terminal's output. */
export async function exportVideos(
  { store, clock, plans }: PlansDeps,
  { folder, out }: { folder?: string | undefined; out?: string | undefined },
  say: (line: string) => void,
): Promise<void> {
  const at = folder === undefined ? null : resolve(folder);
  const root = at === null ? null : ((await plans.folders.see(at))?.root ?? at);
  const found = exportOf(await videosIn(store.db, root), clock.now());
  const text = JSON.stringify(found, null, 2);
  if (out === undefined) return say(text);
  await writeFile(out, `${text}\n`);
  say(`${files(found.records.length)} written to ${out}`);
}

/** Throws AccessionError with the reason. */
export async function planNames(deps: PlansDeps, wish: v.InferOutput<typeof NameVideosSchema>): Promise<string[]> {
  const { planId, files: named, unchanged, problems } = await nameVideos(deps, wish, by());
  const lacking = problems.map(({ path, message }) => `${path}: ${message}`);
  if (planId === null) return [...lacking, `nothing to rename: ${files(unchanged)} have their name already`];
  return [...lacking, `a plan of new names for ${files(named)} waits: ${deps.plans.planPath(planId)}`];
}

async function recognitionOf({ plans }: PlansDeps, planId: string, remedy: string): Promise<void> {
  const kept = await plans.store.read(planId);
  if (kept === null) throw failed('not_found', `The plan "${planId.slice(0, 60)}" was not found.`);
  if (kept.plan.task !== recognizeMediaFile.task) throw failed('invalid', 'This plan is no recognition.', { remedy });
}

/** What was done, with its line in the log of who did what. */
async function logged({ store, clock }: PlansDeps, done: Done): Promise<Done> {
  const { audit } = done;
  if (audit !== undefined)
    await store.write((tx) => writeAudit(tx, { ...audit, user_id: COMMAND_LINE, at: clock.now() }));
  return done;
}

function recordedOf({ body }: Done): { written: number; kept: number } {
  const recorded: unknown = 'recorded' in body ? body.recorded : null;
  if (typeof recorded !== 'object' || recorded === null) return { written: 0, kept: 0 };
  const count = (name: string): number => Number(Reflect.get(recorded, name) ?? 0);
  return { written: count('written'), kept: count('kept') };
}

const files = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;
