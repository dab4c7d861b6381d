/** Plans as files of a directory, and the folders on the disk that they speak of. */
import type { PlanKinds } from '#core/plan/plan-kind.ts';
import { NodeFileTree } from './file-tree.ts';
import { mediaFolders } from './media-folders.ts';
import { createPlanStore } from './plan-store.ts';
import { journalsInDirectory } from './rename-journal-store.ts';

/**
 * @param directory of the plans and of the journals of their renames
 * @param roots directories of videos below which folders may be seen, absolute; `others`: of other lanes
 * @param say a sentence about a plan's file that cannot be read
 */
export function planDisk(
  directory: string,
  {
    kinds,
    roots,
    others = [],
    say,
  }: { kinds: PlanKinds; roots: readonly string[]; others?: readonly string[]; say: (sentence: string) => void },
) {
  const store = createPlanStore(directory, kinds, say);
  return {
    ...{ kinds, roots, store },
    journal: journalsInDirectory(directory),
    folders: mediaFolders([...roots, ...others], (path) => NodeFileTree.open(path)),
    planPath: (id: string): string => store.planPath(id),
  };
}
