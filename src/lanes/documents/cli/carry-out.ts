/** Plans over documents, carried out, settled after a crash, and taken back. */
import { failed } from '#core/errors.ts';
import { recoverRename } from '#core/plan/execute-rename.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import { applyDocuments, noteDone, undoDocuments } from '#lanes/documents/core/apply/apply-documents.ts';
import { documentHash } from '#lanes/documents/core/plan/document-plan.ts';
import { manifestFiles } from '#lanes/documents/node/scan/manifest-files.ts';
import type { ScanPorts } from '#lanes/documents/node/scan/open-scan.ts';
import { queueDone, queueUndone } from '#lanes/documents/node/scan/outbox-folder.ts';
import { keepPlan, readPlan, type KeptPlan } from '#lanes/documents/node/scan/plan-files.ts';

/** What an earlier run left open: its files come to an end by its journal, and the manifest gets what was done. */
export async function settle({ tree, journal, clock, root, plans, outbox, say }: ScanPorts): Promise<void> {
  for (const { planId, result } of await recoverRename({ tree, journal, clock, root })) {
    if (result === 'stuck') throw failed('conflict', `An earlier run (plan ${planId}) can go neither way.`);
    say(`an earlier run was interrupted: ${result === 'done' ? 'it is finished now' : 'every file is as before'}`);
  }
  for (const one of await journal.list({ root })) {
    if (replayJournal(one).ended !== 'done') continue;
    const kept = await readPlan(plans, one.head.plan.id);
    if (kept?.plan.status !== 'pending') continue;
    if (kept.manifest !== null)
      await noteDone(kept.plan, manifestFiles(kept.manifest), { steps: one.head.steps, told: kept.told });
    await queued(kept, { outbox, clock });
    await keepPlan(plans, { ...kept, plan: { ...kept.plan, status: 'completed' } });
  }
}

/** What of a plan that was carried out goes to the catalog server. */
async function queued({ plan, told, share }: KeptPlan, { outbox, clock }: Pick<ScanPorts, 'outbox' | 'clock'>) {
  if (share !== undefined) await queueDone(outbox, { plan, told, pdfs: share === 'pdfs', now: clock.now() });
}

/** @returns exit code. Throws AccessionError where the folder or the manifest cannot be read. */
export async function carryOut(made: KeptPlan, count: string, ports: ScanPorts): Promise<number> {
  const kept: KeptPlan = ports.share === undefined ? made : { ...made, share: ports.share };
  const { plan, sources, manifest, told } = kept;
  await keepPlan(ports.plans, kept);
  const applied = await applyDocuments(
    plan,
    { state: { sources }, hash: await documentHash(plan), manifest: storeOf(manifest), told },
    ports,
  );
  for (const { path, reason } of applied.unwritten)
    ports.say(`${path}: not written into, ${reason}; it stands in the manifest`);
  for (const { path, reason } of applied.warnings) ports.say(`${path}: ${reason}`);
  const { outcome } = applied;
  if (outcome.result === 'done') {
    // Before the plan is done: after a crash here it is queued again, which is the same.
    await queued(kept, ports);
    await keepPlan(ports.plans, { ...kept, plan: { ...plan, status: 'completed' } });
    return ended(ports.say, `done: ${count}; \`documents undo\` takes it back (plan ${plan.id})`, 0);
  }
  if (outcome.result === 'refused')
    for (const { message, remedy } of outcome.problems) ports.say(`${message} ${remedy}`);
  else ports.say(`${outcome.failure.message} ${outcome.failure.remedy}`);
  return ended(ports.say, outcome.result === 'stuck' ? 'failed half-way; run it again' : 'nothing was changed', 1);
}

/** `documents undo`: takes the newest plan that was carried out in this folder back, or the one that is named. */
export async function undoCommand(id: string | undefined, ports: ScanPorts): Promise<number> {
  await settle(ports);
  const done = (await ports.journal.list({ root: ports.root })).filter((one) => replayJournal(one).ended === 'done');
  const last = id ?? done.at(-1)?.head.plan.id;
  if (last === undefined) throw failed('not_found', 'No plan was carried out in this folder.');
  const kept = await readPlan(ports.plans, last);
  if (kept === null) throw failed('not_found', `The plan "${last}" is not there any more.`);
  const outcome = await undoDocuments(kept.plan, { manifest: storeOf(kept.manifest), before: kept.before }, ports);
  if (outcome.result === 'undone' && kept.share !== undefined)
    await queueUndone(ports.outbox, { plan: kept.plan, before: kept.before, now: ports.clock.now() });
  if (outcome.result === 'undone') return ended(ports.say, `undone: ${outcome.renamed} as before`, 0);
  if (outcome.result === 'refused')
    for (const { message, remedy } of outcome.problems) ports.say(`${message} ${remedy}`);
  else ports.say(`${outcome.failure.message} ${outcome.failure.remedy}`);
  return 1;
}

const storeOf = (file: string | null) => (file === null ? null : manifestFiles(file));

export function ended(say: (line: string) => void, line: string, code: number): number {
  say(line);
  return code;
}
