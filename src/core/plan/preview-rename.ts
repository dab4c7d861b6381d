/** What carrying out a rename plan would do, bound by a hash to what a person is shown. */
import { createSHA256 } from 'hash-wasm';
import { canonical } from '../agent/tools/tool.ts';
import type { Cancel } from '../ports.ts';
import { readDisk } from './disk-index.ts';
import type { FileTree } from './file-tree.ts';
import type { PlanState, RenameFilesPlan } from './plan.ts';
import type { RenameStep } from './rename-journal.ts';
import type { RenameProblem } from './rename-problem.ts';
import { validateRename } from './validate-rename.ts';

export interface RenamePreview {
  /** `executeRename` wants it back. */
  hash: string;
  problems: RenameProblem[];
  /** What would be done; empty where there are problems. */
  order: RenameStep[];
}

/** What carrying out the plan would do now. Touches nothing. */
export async function previewRename(
  tree: FileTree,
  plan: RenameFilesPlan,
  state?: Pick<PlanState, 'sources'>,
  cancel?: Cancel,
): Promise<RenamePreview> {
  const entries = await readDisk(tree, plan, cancel);
  return { hash: await previewHash(plan), ...validateRename(plan, entries, tree.rules, state) };
}

/**
 * SHA-256 (lower-case hex) of the plan's canonical document: what a person was shown and what is carried out are the
 * same when this is. The status is left out, since deciding about a plan changes it.
 */
export async function previewHash(plan: Omit<RenameFilesPlan, 'status'>): Promise<string> {
  const { id, task, mediaFolderPath } = plan;
  const files = plan.files.map(({ from, to }) => ({ from, to }));
  return (await createSHA256()).update(canonical({ id, task, mediaFolderPath, files })).digest();
}

/** A rename as a POSIX shell script, for whoever cannot let this app write into the folder. */

interface ScriptPlan {
  /** As the person knows the folder. */
  folder: string;
  /** Below the folder. */
  files: readonly { from: string; to: string }[];
  /** In the order in which they are safe: orderRename. */
  steps: readonly RenameStep[];
}

/**
 * `sh rename.sh FOLDER`. It checks everything first, then moves with `mv -n`, and checks after each move whether it
 * happened, because `mv -n` says nothing when it left a file where it was.
 */
export function renameScript({ folder, files, steps }: ScriptPlan): string {
  const sources = new Set(files.map(({ from }) => key(from)));
  const free = files.filter(({ to }) => !sources.has(key(to)));
  return [
    '#!/bin/sh',
    `# Renames ${files.length} files of the folder ${comment(folder)}. Made by Accession.`,
    '# Run it as: sh THIS-FILE /path/to/that/folder',
    'set -eu',
    'if [ "$#" -ne 1 ]; then echo "Say which folder: sh $0 /path/to/the/folder" >&2; exit 2; fi',
    'cd -- "$1"',
    'taken() { [ -e "$1" ] || [ -L "$1" ]; }',
    `stop() { printf '%s %s\\n' "$1" "$2" >&2; exit 1; }`,
    'need() { if [ -L "$1" ] || ! [ -f "$1" ]; then stop "$1" "is no file here; nothing was renamed"; fi; }',
    'free() { if taken "$1"; then stop "$1" "is there already; nothing was renamed"; fi; }',
    'move() {',
    '  if taken "$2"; then stop "$2" "is there already; the files before this one are renamed"; fi',
    '  mv -n -- "$1" "$2"',
    '  if taken "$1" || ! taken "$2"; then stop "$1" "was not renamed; the files before this one are"; fi',
    '}',
    ...files.map(({ from }) => `need ${quoted(from)}`),
    ...free.map(({ to }) => `free ${quoted(to)}`),
    ...steps.map(lineOf),
    `echo '${files.length} files renamed.'`,
    '',
  ].join('\n');
}

function lineOf(step: RenameStep): string {
  if (step.do === 'move') return `move ${quoted(step.from)} ${quoted(step.to)}`;
  if (step.do === 'replace') return `stop ${quoted(step.path)} "is to be written into, which no script does"`;
  if (step.do === 'make') return `mkdir -p -- ${quoted(step.path)}`;
  return `rmdir -- ${quoted(step.path)}${step.must ? '' : ' 2>/dev/null || :'}`;
}

/** Inside single quotes a shell takes every character as it is; `./` keeps a leading dash from being an option. */
const quoted = (path: string): string => `'${`./${path}`.replaceAll("'", `'\\''`)}'`;

/** Names that some file system takes for one. */
const key = (path: string): string => path.normalize('NFC').toLowerCase();

/** On one line, whatever the name has in it. */
const comment = (text: string): string => JSON.stringify(text).replace(/[^\x20-\x7e]/g, '?');
