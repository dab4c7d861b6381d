/** Why a rename plan is not carried out: a closed list of codes, each with what the person can do next. */
export const RENAME_PROBLEMS = {
  // The plan itself
  'empty-plan': 'Make a plan that has at least one file.',
  'preview-changed': 'Look at the plan as it is now, and confirm that.',
  'plan-not-pending': 'Make a new plan for the folder.',
  'already-done': 'Take it back first, or make a new plan.',
  'duplicate-source': 'Leave only one of the rows.',
  'duplicate-destination': 'Give each file a name of its own.',
  'outside-media-folder': 'Choose a name inside the folder that the plan is for.',
  'invalid-name': 'Choose a name that every system can keep.',
  'ending-changed': 'Keep the ending: it says how the file is to be read.',
  'name-too-long': 'Choose a shorter name.',
  'path-too-long': 'Choose shorter names, or fewer folders in each other.',
  // The disk
  'source-missing': 'Read the folder again and make a new plan.',
  'source-not-file': 'Leave this row out: only files are renamed.',
  'source-changed': 'Wait until nothing writes to the file, then read the folder again and make a new plan.',
  'destination-exists': 'Move what has that name away, or choose another name.',
  'parent-is-file': 'Choose another folder name, or rename that file too.',
  'parent-is-link': 'Choose a folder that is a real one.',
  'parent-spelled-differently': 'Write the folder as it is spelled on the disk.',
  // Who else is there
  'folder-busy': 'Wait until the other rename has ended.',
  'unfinished-rename': 'Recover the earlier rename first.',
  // Undo
  'nothing-to-undo': 'Nothing to do: every file has the name it had.',
} as const;

export type RenameProblemCode = keyof typeof RENAME_PROBLEMS;

export interface RenameProblem {
  code: RenameProblemCode;
  /** Index in the plan's `files`; null when it is about the whole plan. */
  row: number | null;
  /** What it is about, as the plan has it; `''` when it is about the whole plan. */
  path: string;
  /** One sentence: what is wrong. */
  message: string;
  /** One sentence: what to do next. */
  remedy: string;
}

/** A problem with the remedy of its code. */
export function renameProblem(
  code: RenameProblemCode,
  row: number | null,
  path: string,
  message: string,
  remedy: string = RENAME_PROBLEMS[code],
): RenameProblem {
  return { code, row, path, message, remedy };
}
