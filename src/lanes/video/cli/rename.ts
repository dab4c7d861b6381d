/** `accession rename`: carries out, shows or takes back a rename plan in a folder of this machine. */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { readJson } from '#cli/json-lines.ts';
import { executeRename, recoverRename, undoRename } from '#core/plan/execute-rename.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import { openJournals } from '#core/plan/step-runner.ts';
import { type RenameFilesPlan, type PlanState, PLAN_STATUSES, PlanStateSchema } from '#core/plan/plan.ts';
import { previewHash, previewRename } from '#core/plan/preview-rename.ts';
import type { JournalStore } from '#core/plan/rename-journal.ts';
import type {
  RenamePorts,
  Recovery,
  RenameCounts,
  RenameOutcome,
  Standing,
  UndoOutcome,
} from '#core/plan/rename-run.types.ts';
import type { Cancel, Clock, Ids } from '#core/ports.ts';
import { failed, type Failure } from '#core/errors.ts';
import { locate } from '#core/plan/plan-path.ts';
import type { RenameProblem } from '#core/plan/rename-problem.ts';
import * as v from 'valibot';

/** A rename plan whose paths may be anything: what is wrong with them is reported by row. */
const LoosePlanSchema = v.object({
  id: v.optional(v.pipe(v.string(), v.uuid())),
  task: v.literal('rename-files'),
  status: v.optional(v.picklist(PLAN_STATUSES), 'pending'),
  mediaFolderPath: v.pipe(v.string(), v.startsWith('/')),
  files: v.array(v.object({ from: v.string(), to: v.string() })),
});

/** What `{id}.plan.json` says, and `{id}.state.json` beside it where there is one. Throws AccessionError with the reason. */
async function readRenamePlan(path: string): Promise<{ plan: RenameFilesPlan; state: Pick<PlanState, 'sources'> }> {
  const read = v.safeParse(LoosePlanSchema, await readJson(path));
  if (!read.success) {
    const [issue] = read.issues;
    const at = v.getDotPath(issue);
    const where = at === null ? '' : ` at "${at}"`;
    const remedy = 'Give a plan with task "rename-files", mediaFolderPath and files of { from, to }.';
    throw failed('invalid', `"${path}" is no rename plan: ${issue.message}${where}.`, { remedy });
  }
  const { id, ...rest } = read.output;
  const plan = { ...rest, mediaFolderPath: rest.mediaFolderPath.replace(/(?<=.)\/+$/, '') };
  return { plan: { ...plan, id: id ?? (await ownId(plan)) }, state: await readState(path) };
}

/** A plan without an id is known by what it says. */
async function ownId(plan: Omit<RenameFilesPlan, 'id'>): Promise<string> {
  const hash = await previewHash({ ...plan, id: '' });
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

async function readState(path: string): Promise<Pick<PlanState, 'sources'>> {
  if (!path.endsWith('.plan.json')) return { sources: {} };
  const beside = path.replace(/\.plan\.json$/, '.state.json');
  if (!existsSync(beside)) return { sources: {} };
  const read = v.safeParse(PlanStateSchema, await readJson(beside));
  if (read.success) return read.output;
  throw failed('invalid', `"${beside}" is not what is kept beside a plan.`);
}

/** Safe on a terminal: what would steer it, or turn the direction of text, is spelled out. */
function shown(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** `from -> to`, below the folder, a row a line. */
function tableOf({ mediaFolderPath, files }: RenameFilesPlan): string[] {
  const below = (path: string): string => {
    const place = locate(mediaFolderPath, path);
    return shown(place.ok ? place.below : path);
  };
  const rows = files.map(({ from, to }) => ({ from: below(from), to: from === to ? '(as it is)' : below(to) }));
  const width = Math.min(60, Math.max(0, ...rows.map(({ from }) => from.length)));
  const digits = String(files.length).length;
  return rows.map(({ from, to }, i) => `${String(i + 1).padStart(digits)}  ${from.padEnd(width)}  ->  ${to}`);
}

function problemsOf(problems: readonly RenameProblem[]): string[] {
  return problems.map(({ row, code, message, remedy }) => {
    const where = row === null ? '' : `row ${row + 1}: `;
    return shown(`${where}${code}: ${message} ${remedy}`);
  });
}

function standingOf(standing: readonly Standing[]): string[] {
  return standing.map(({ row, from, to, now }) => {
    const place = now === null ? 'not found' : now === from ? 'as before' : now === to ? 'as planned' : `is "${now}"`;
    return shown(`row ${row + 1}: "${from}" -> "${to}": ${place}`);
  });
}

function failureOf({ message, remedy }: Failure): string {
  return shown(`${message} ${remedy}`);
}

function recoveryOf(recovery: Recovery): string[] {
  const earlier = 'An earlier run was interrupted';
  switch (recovery.result) {
    case 'done':
      return [`${earlier}: it is finished now, every file is as planned.`];
    case 'rolled-back':
      return [
        `${earlier}: ${recovery.wasUndo ? 'its undo is finished' : 'it is taken back'} now, every file is as before.`,
      ];
    case 'stuck':
    case 'abandoned':
      return [
        `${earlier}. ${failureOf(recovery.failure)}`,
        ...problemsOf(recovery.problems),
        ...standingOf(recovery.standing),
        recovery.result === 'stuck'
          ? 'Nothing else is renamed in this folder before that is settled; --give-up leaves the files as they are.'
          : 'The files are left as they are, and the folder is free for other renames.',
      ];
  }
}

function countsOf({ renamed, unchanged, made, removed }: RenameCounts): string {
  const folders = (list: string[], what: string): string[] =>
    list.length === 0 ? [] : [`${list.length} ${list.length === 1 ? 'folder' : 'folders'} ${what}`];
  const parts = [
    `${renamed} renamed`,
    `${unchanged} unchanged`,
    ...folders(made, 'made'),
    ...folders(removed, 'left empty and removed'),
  ];
  return parts.join(', ');
}

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
  if (problems.length > 0) say(refusedFor(problems));
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

async function carryOut(setting: Setting, flags: RenameFlags, { say, cancel, ids }: RenameAdapters): Promise<number> {
  const { plan } = setting;
  sayAll(say, tableOf(plan));
  const hash = flags.hash ?? (await previewHash(plan));
  return told(await executeRename({ ...setting, hash, ids, cancel }), setting, say);
}

async function undo(setting: Setting, { say }: RenameAdapters): Promise<number> {
  return told(await undoRename({ ...setting, planId: setting.plan.id }), setting, say);
}

/** Says what became of it. @returns the exit code */
function told(outcome: RenameOutcome | UndoOutcome, { journalPath }: Setting, say: (line: string) => void): number {
  switch (outcome.result) {
    case 'refused':
      sayAll(say, problemsOf(outcome.problems));
      say(refusedFor(outcome.problems));
      return 1;
    case 'done':
      say(`done: ${countsOf(outcome)}; --undo takes it back (${journalPath})`);
      return 0;
    case 'undone':
      say(`undone: ${count(outcome.renamed, 'file')} as before`);
      return 0;
    case 'rolled-back':
      say(`failed, and taken back: every file is as before. ${failureOf(outcome.failure)}`);
      return 1;
    case 'still-done':
      say(`failed: every file is as planned again. ${failureOf(outcome.failure)}`);
      return 1;
    case 'stuck':
      say(`failed half-way: ${failureOf(outcome.failure)}`);
      sayAll(say, standingOf(outcome.standing));
      say('Run the command again to bring it to an end.');
      return 1;
  }
}

const refusedFor = (problems: readonly RenameProblem[]): string =>
  `refused: ${count(problems.length, 'problem')}; nothing was touched`;

function sayAll(say: (line: string) => void, lines: readonly string[]): void {
  for (const line of lines) say(line);
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
