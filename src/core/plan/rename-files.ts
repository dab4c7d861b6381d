import { lastPart } from './plan-path.ts';
import { executeRename, undoRename } from './execute-rename.ts';
import { RenameEntrySchema, type RenameEntry } from './plan.ts';
import type { PlanKind } from './plan-kind.ts';
import { refusal } from './plan-rules.ts';
import { previewHash, previewRename } from './preview-rename.ts';
import { filePath } from './plan-tools.ts';

/** New names for files of a folder, whatever the files are. */
export const renameFiles: PlanKind<'rename-files', RenameEntry, never> = {
  task: 'rename-files',
  entry: RenameEntrySchema,
  paths: { from: 'source', to: 'target' },
  /** PLAN-44 */
  check(others, { from, to }) {
    if (from === to) throw refusal(`"${lastPart(from)}" has this name already.`, from);
    for (const other of others) {
      if (other.from === from) throw refusal(`"${lastPart(from)}" is in the plan already.`, from);
      if (other.to === to)
        throw refusal(`"${lastPart(to)}" is already to be the name of "${lastPart(other.from)}".`, to);
    }
  },
  execution: {
    done: 'renamed',
    previewHash,
    preview: previewRename,
    execute: executeRename,
    undo: undoRename,
  },
  tools: {
    begin: {
      name: 'beginRenameFilesTaskV2',
      description:
        'Begin to plan new names for files of a media folder. Nothing is renamed before the person confirms. Answers a task ID.',
    },
    add: {
      name: 'addRenameFileToTaskV2',
      description: 'Plan a new path for one file. Each file once, and no two files to one path.',
      fields: {
        from: filePath('The file as it is now, as listFiles says it'),
        to: filePath('Its new path, inside the same media folder'),
      },
    },
    end: {
      name: 'endRenameFilesTaskV2',
      description: 'End the task: the person sees the plan of new names and confirms or cancels it.',
    },
  },
  pending: { path: '/api/getPendingRenamePlans', summary: 'Rename plans that wait for a person.' },
};
