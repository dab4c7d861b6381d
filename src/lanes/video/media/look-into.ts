/** Looks into files of folders that may be seen (VIDEO-78, VIDEO-79). What cannot be read is not known. */
import type { FileTree } from '#core/plan/file-tree.ts';
import { insideOf } from '#core/plan/folder-files.ts';
import type { MediaSource } from '../core/agent/video-tools.ts';

type Opener = Pick<FileTree, 'open'>;

/** Of whatever folder `see` opens. */
export function lookIntoSeen(folders: { see(path: string): Promise<{ tree: Opener } | null> }): MediaSource {
  return lookInto(async (path) => (await folders.see(path))?.tree ?? null);
}

/** Of one opened folder and no other; `tree` null: only its list of files is known. */
export function lookIntoFolder(folder: { mediaFolderPath: string; tree: Opener | null }): MediaSource {
  return lookInto((path) => Promise.resolve(path === folder.mediaFolderPath ? folder.tree : null));
}

function lookInto(treeOf: (mediaFolderPath: string) => Promise<Opener | null>): MediaSource {
  return {
    async look(mediaFolderPath, path) {
      const below = insideOf(mediaFolderPath, path);
      const tree = await treeOf(mediaFolderPath);
      const file = await tree?.open?.(below).catch(() => null);
      if (!file) return null;
      try {
        // Loaded with the first file that is probed: whoever probes none does without.
        return await (await import('./video-facts.ts')).mediaFacts(file);
      } finally {
        await file.close();
      }
    },
  };
}
