/** What carrying out a rename plan would do, bound by a hash to what a person is shown. */
import { createSHA256 } from 'hash-wasm';
import { canonical } from '../agent/tools/canonical.ts';
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
