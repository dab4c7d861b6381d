/** `accession rename`: carries out, shows or takes back a rename plan in a folder of this machine. */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { executeRename, undoRename, recoverRename } from '#core/plan/execute-rename.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import { openJournals } from '#core/plan/step-runner.ts';
import type { RenameFilesPlan } from '#core/plan/plan.ts';
import type { PlanState } from '#core/plan/plan.ts';
import { previewHash } from '#core/plan/preview-rename.ts';
import { previewRename } from '#core/plan/preview-rename.ts';
import type { JournalStore } from '#core/plan/rename-journal.ts';
import type { RenamePorts } from '#core/plan/rename-run.types.ts';
import type { Cancel, Clock, Ids } from '#core/ports.ts';
import { readRenamePlan } from './rename-plan.ts';
import { countsOf, failureOf, problemsOf, recoveryOf, standingOf, tableOf } from './rename-words.ts';

export interface RenameFlags {
  plan: string;
  root: string;
  dryRun?: boolean;
  undo?: boolean;
  /** The plan is carried out only if a dry run showed this hash. */
  hash?: string;
  giveUp?: boolean;
}

export interface RenameAdapters {
  /** Throws AccessionError where there is no such folder. */
  openTree: (directory: string) => Promise<FileTree & { readonly root: string }>;
  openJournal: (path: string) => JournalStore;
  clock: Clock;
  ids: Ids;
  cancel: Cancel;
  say: (line: string) => void;
}

interface Setting extends RenamePorts {
  plan: RenameFilesPlan;
  state: Pick<PlanState, 'sources'>;
  root: string;
  journalPath: string;
}

/** @returns exit code: 0 done, 1 refused or failed. Throws AccessionError where the plan or the folder cannot be read. */
export async function renameCommand(flags: RenameFlags, using: RenameAdapters): Promise<number> {
  const { plan, state } = await readRenamePlan(flags.plan);
  const tree = await using.openTree(flags.root);
  const journalPath = journalOf(flags.plan);
  const journal = using.openJournal(journalPath);
  const by = userInfo().username;
  const setting = { plan, state, tree, journal, journalPath, root: tree.root, clock: using.clock, by };
  if (flags.dryRun === true) return dryRun(setting, using);
  const recovered = await recover(setting, flags, using);
  if (recovered !== null) return recovered;
  return flags.undo === true ? undo(setting, using) : carryOut(setting, flags, using);
}

/** Beside the plan; of a plan in a server's data directory the one that the server keeps, where there is one. */
function journalOf(plan: string): string {
  const servers = plan.replace(/\.plan\.json$/, '.journal.jsonl');
  return servers !== plan && existsSync(servers) ? servers : `${plan}.journal`;
}

async function dryRun({ plan, state, tree, journal, root }: Setting, { say }: RenameAdapters): Promise<number> {
  const { problems, hash, order } = await previewRename(tree, plan, state);
  sayAll(say, tableOf(plan));
  sayAll(say, problemsOf(problems));
  const interrupted = await openJournals(journal, root);
  if (interrupted.length > 0) say('An earlier run was interrupted. Without --dry-run it is brought to an end first.');
  const moved = new Set(order.flatMap((step) => (step.do === 'move' ? [step.row] : []))).size;
  if (problems.length > 0) say(`refused: ${count(problems.length, 'problem')}; nothing was touched`);
  else say(`would rename ${moved} of ${count(plan.files.length, 'file')} in ${root}; nothing was touched`);
  say(`hash of the plan: ${hash}`);
  return problems.length > 0 || interrupted.length > 0 ? 1 : 0;
}

/** Exit code where that is all there is to do; null where the run goes on. */
async function recover(setting: Setting, flags: RenameFlags, { say }: RenameAdapters): Promise<number | null> {
  const { tree, journal, clock, root, by } = setting;
  if ((await openJournals(journal, root)).length === 0) return flags.giveUp === true ? nothingOpen(say) : null;
  const giveUp = flags.giveUp === true;
  const recovered = await recoverRename({ tree, journal, clock, root, giveUp, ...(by === undefined ? {} : { by }) });
  for (const one of recovered) sayAll(say, recoveryOf(one));
  if (recovered.some(({ result }) => result === 'stuck')) return 1;
  if (giveUp) return 0;
  const own = recovered.filter(({ planId }) => planId === setting.plan.id);
  const isUndone = own.some(({ result }) => result === 'rolled-back');
  const isDone = own.some(({ result }) => result === 'done');
  return (flags.undo === true ? isUndone : isDone) ? 0 : null;
}

function nothingOpen(say: (line: string) => void): number {
  say('No run is interrupted in this folder.');
  return 0;
}

async function carryOut(setting: Setting, flags: RenameFlags, using: RenameAdapters): Promise<number> {
  const { say, cancel, ids } = using;
  const { plan } = setting;
  sayAll(say, tableOf(plan));
  const hash = flags.hash ?? (await previewHash(plan));
  const outcome = await executeRename({ ...setting, hash, ids, cancel });
  switch (outcome.result) {
    case 'refused':
      sayAll(say, problemsOf(outcome.problems));
      say(`refused: ${count(outcome.problems.length, 'problem')}; nothing was touched`);
      return 1;
    case 'done':
      say(`done: ${countsOf(outcome)}; --undo takes it back (${setting.journalPath})`);
      return 0;
    case 'rolled-back':
      say(`failed, and taken back: every file is as before. ${failureOf(outcome.failure)}`);
      return 1;
    case 'stuck':
      return stuck(outcome, say);
  }
}

async function undo(setting: Setting, { say }: RenameAdapters): Promise<number> {
  const outcome = await undoRename({ ...setting, planId: setting.plan.id });
  switch (outcome.result) {
    case 'refused':
      sayAll(say, problemsOf(outcome.problems));
      say(`refused: ${count(outcome.problems.length, 'problem')}; nothing was touched`);
      return 1;
    case 'undone':
      say(`undone: ${count(outcome.renamed, 'file')} as before`);
      return 0;
    case 'still-done':
      say(`failed: every file is as planned again. ${failureOf(outcome.failure)}`);
      return 1;
    case 'stuck':
      return stuck(outcome, say);
  }
}

function stuck(
  outcome: Extract<Awaited<ReturnType<typeof undoRename>>, { result: 'stuck' }>,
  say: (line: string) => void,
): number {
  say(`failed half-way: ${failureOf(outcome.failure)}`);
  sayAll(say, standingOf(outcome.standing));
  say('Run the command again to bring it to an end.');
  return 1;
}

function sayAll(say: (line: string) => void, lines: readonly string[]): void {
  for (const line of lines) say(line);
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
