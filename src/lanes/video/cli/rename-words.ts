/** What `accession rename` says. */
import type { Failure } from '#core/errors.ts';
import type { RenameFilesPlan } from '#core/plan/plan.ts';
import { locate } from '#core/plan/plan-path.ts';
import type { RenameProblem } from '#core/plan/rename-problem.ts';
import type { Recovery, RenameCounts, Standing } from '#core/plan/rename-run.types.ts';

/** Safe on a terminal: what would steer it, or turn the direction of text, is spelled out. */
export function shown(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** `from -> to`, below the folder, a row a line. */
export function tableOf({ mediaFolderPath, files }: RenameFilesPlan): string[] {
  const below = (path: string): string => {
    const place = locate(mediaFolderPath, path);
    return shown(place.ok ? place.below : path);
  };
  const rows = files.map(({ from, to }) => ({ from: below(from), to: from === to ? '(as it is)' : below(to) }));
  const width = Math.min(60, Math.max(0, ...rows.map(({ from }) => from.length)));
  const digits = String(files.length).length;
  return rows.map(({ from, to }, i) => `${String(i + 1).padStart(digits)}  ${from.padEnd(width)}  ->  ${to}`);
}

export function problemsOf(problems: readonly RenameProblem[]): string[] {
  return problems.map(({ row, code, message, remedy }) => {
    const where = row === null ? '' : `row ${row + 1}: `;
    return shown(`${where}${code}: ${message} ${remedy}`);
  });
}

export function standingOf(standing: readonly Standing[]): string[] {
  return standing.map(({ row, from, to, now }) => {
    const place = now === null ? 'not found' : now === from ? 'as before' : now === to ? 'as planned' : `is "${now}"`;
    return shown(`row ${row + 1}: "${from}" -> "${to}": ${place}`);
  });
}

export function failureOf({ message, remedy }: Failure): string {
  return shown(`${message} ${remedy}`);
}

export function recoveryOf(recovery: Recovery): string[] {
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

export function countsOf({ renamed, unchanged, made, removed }: RenameCounts): string {
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
