/** A rename as a POSIX shell script, for whoever cannot let this app write into the folder. */
import type { RenameStep } from './rename-journal.ts';

export interface ScriptPlan {
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
  if (step.do === 'make') return `mkdir -p -- ${quoted(step.path)}`;
  return `rmdir -- ${quoted(step.path)}${step.must ? '' : ' 2>/dev/null || :'}`;
}

/** Inside single quotes a shell takes every character as it is; `./` keeps a leading dash from being an option. */
const quoted = (path: string): string => `'${`./${path}`.replaceAll("'", `'\\''`)}'`;

/** Names that some file system takes for one. */
const key = (path: string): string => path.normalize('NFC').toLowerCase();

/** On one line, whatever the name has in it. */
const comment = (text: string): string => JSON.stringify(text).replace(/[^\x20-\x7e]/g, '?');
