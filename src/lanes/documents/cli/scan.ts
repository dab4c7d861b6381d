/** `documents scan`: a folder of papers, read, looked up, planned; what is Strong is written with `--write --yes`. */
import { resolve } from 'node:path';
import { failed } from '#core/errors.ts';
import { recoverRename } from '#core/plan/execute-rename.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import { foldText } from '#core/text/fold.ts';
import { pathKey } from '#core/plan/plan-path.ts';
import { documentHash, nameFor, TASK, type DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';
import { entryOf } from '#lanes/documents/core/plan/propose.ts';
import { applyDocuments, noteDone, undoDocuments } from '#lanes/documents/core/apply/apply-documents.ts';
import { idsOf } from '#lanes/documents/core/manifest/manifest-state.ts';
import { manifestOf } from '#lanes/documents/core/manifest/manifest-store.ts';
import { entriesOf, scanned, type ScannedFile } from '#lanes/documents/core/plan/scan-folder.ts';
import { identifyPdfBytes } from '#lanes/documents/node/identify-pdf-bytes.ts';
import { manifestFiles } from '#lanes/documents/node/scan/manifest-files.ts';
import type { ScanPorts } from '#lanes/documents/node/scan/open-scan.ts';
import { keepPlan, readPlan, type KeptPlan } from '#lanes/documents/node/scan/plan-files.ts';

export interface ScanFlags {
  write?: boolean;
  rename: 'yes' | 'no';
  /** False: none is kept. */
  manifest: string | false;
  skipExisting?: boolean;
  depth?: number;
}

/** @returns exit code. Throws AccessionError where the folder or the manifest cannot be read; nothing was touched then. */
export async function scanCommand(flags: ScanFlags, ports: ScanPorts): Promise<number> {
  const { tree, cancel, lookup, say, root } = ports;
  if (flags.write === true) await settle(ports);
  const file = flags.manifest === false ? null : resolve(flags.manifest);
  const store = file === null ? null : manifestFiles(file);
  const known = store === null ? null : await manifestOf(store);
  const processed = (known?.entries ?? []).flatMap((entry) => (entry.processed ? [entry.id] : []));
  const done = new Set(flags.skipExisting === true ? processed : []);
  const entries = await entriesOf(tree, cancel);
  const taken = new Set(entries.map(({ path }) => pathKey(path, tree.rules)));
  const plan: DocumentPlan = { id: ports.ids.next(), task: TASK, status: 'pending', mediaFolderPath: root, files: [] };
  const sources: KeptPlan['sources'] = {};
  const idOf = store === null ? (sha256: string) => sha256 : await idsOf(store);
  const options = { depth: flags.depth ?? null, idOf, done, cancel, identify: identifyPdfBytes };
  for await (const found of scanned(tree, entries, lookup, options)) {
    const to = flags.rename === 'yes' ? newName(found, taken, ports) : found.path;
    for (const line of linesOf(found, to)) say(line);
    const double = plan.files.find(({ id }) => id === found.id);
    if (double !== undefined) say(`  the same content as ${double.path.slice(root.length + 1)}: left alone`);
    if (double !== undefined) continue;
    const { record, sure } = found.proposal;
    if (sure !== 'strong' || record === null) continue;
    taken.add(pathKey(to, tree.rules));
    const before = known?.entries.find(({ id }) => id === found.id);
    const own = entryOf(record, {
      id: found.id,
      filename: to,
      retrievedAt: new Date(ports.clock.now()).toISOString(),
      notes: found.proposal.reasons.slice(1).join(' '),
    });
    const entry =
      before === undefined ? own : { ...before, ...own, notes: before.notes || own.notes, tags: before.tags };
    const path = `${root}/${found.path}`;
    plan.files.push({ path, id: found.id, action: 'write', to: `${root}/${to}`, record: entry });
    sources[path] = { size: found.size, modified: found.modified };
  }
  if (cancel.aborted) throw failed('cancelled', 'The scan was cancelled; nothing was written.');
  if (plan.files.length === 0) return ended(say, 'nothing is sure enough to be written', 0);
  const count = `${plan.files.length} ${plan.files.length === 1 ? 'document' : 'documents'}`;
  if (flags.write !== true)
    return ended(say, `would write ${count}; nothing was touched (--write --yes writes them)`, 0);
  const ids = new Set(plan.files.map(({ id }) => id));
  const before = (known?.entries ?? []).filter(({ id }) => ids.has(id));
  return apply({ plan, sources, manifest: file, before }, count, ports);
}

/** What an earlier run left open: its files come to an end by its journal, and the manifest gets what was done. */
async function settle({ tree, journal, clock, root, plans, say }: ScanPorts): Promise<void> {
  for (const { planId, result } of await recoverRename({ tree, journal, clock, root })) {
    if (result === 'stuck') throw failed('conflict', `An earlier run (plan ${planId}) can go neither way.`);
    say(`an earlier run was interrupted: ${result === 'done' ? 'it is finished now' : 'every file is as before'}`);
  }
  for (const one of await journal.list({ root })) {
    if (replayJournal(one).ended !== 'done') continue;
    const kept = await readPlan(plans, one.head.plan.id);
    if (kept?.plan.status !== 'pending') continue;
    if (kept.manifest !== null) await noteDone(kept.plan, manifestFiles(kept.manifest), one.head.steps);
    await keepPlan(plans, { ...kept, plan: { ...kept.plan, status: 'completed' } });
  }
}

async function apply(kept: KeptPlan, count: string, ports: ScanPorts): Promise<number> {
  const { plan, sources, manifest } = kept;
  await keepPlan(ports.plans, kept);
  const applied = await applyDocuments(
    plan,
    { state: { sources }, hash: await documentHash(plan), manifest: storeOf(manifest) },
    ports,
  );
  for (const { path, reason } of applied.unwritten)
    ports.say(`${path}: not written into, ${reason}; it stands in the manifest`);
  for (const { path, reason } of applied.warnings) ports.say(`${path}: ${reason}`);
  const { outcome } = applied;
  if (outcome.result === 'done') {
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
  if (outcome.result === 'undone') return ended(ports.say, `undone: ${outcome.renamed} as before`, 0);
  if (outcome.result === 'refused')
    for (const { message, remedy } of outcome.problems) ports.say(`${message} ${remedy}`);
  else ports.say(`${outcome.failure.message} ${outcome.failure.remedy}`);
  return 1;
}

const storeOf = (file: string | null) => (file === null ? null : manifestFiles(file));

function newName(
  { path, proposal: { record }, whyNot }: ScannedFile,
  taken: ReadonlySet<string>,
  { tree }: ScanPorts,
): string {
  // What may not be written into is left alone as a whole: it stands in the manifest.
  if (record === null || whyNot !== null) return path;
  const isTaken = (name: string): boolean => taken.has(pathKey(name, tree.rules));
  return nameFor(record, path, { fold: foldText, taken: isTaken });
}

function linesOf({ path, proposal: { sure, record, source, reasons }, whyNot }: ScannedFile, to: string): string[] {
  const said =
    record === null
      ? []
      : [`  ${record.title} · ${record.authors.join(', ')} · ${record.publication} ${record.date} (${source})`];
  return [
    `${path}: ${sure}`,
    ...said,
    ...reasons.map((reason) => `  ${reason}`),
    ...(sure === 'strong' && to !== path ? [`  -> ${to}`] : []),
    ...(sure === 'strong' && whyNot !== null ? [`  is not written into: ${whyNot}`] : []),
  ];
}

function ended(say: (line: string) => void, line: string, code: number): number {
  say(line);
  return code;
}
