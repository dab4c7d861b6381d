import type { Cancel } from '../ports.ts';
import type { FileTree } from './file-tree.ts';
import type { RenameFilesPlan } from './plan.ts';
import type { PlanState } from './plan-store.ts';
import { previewHash } from './preview-hash.ts';
import { readFolder } from './read-folder.ts';
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
  const entries = await readFolder(tree, plan, cancel);
  return { hash: await previewHash(plan), ...validateRename(plan, entries, tree.rules, state) };
}
