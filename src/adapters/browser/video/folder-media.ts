import type { FileTree } from '#core/plan/file-tree.ts';
import { insideOf } from '#core/plan/folder-files.ts';
import type { MediaSource } from '#core/plan/tools/context.ts';

/** Looks into files of the opened folder (VIDEO-79). What cannot be read is not known. */
export function folderMedia(folder: { mediaFolderPath: string; tree: Pick<FileTree, 'open'> | null }): MediaSource {
  return {
    async look(mediaFolderPath, path) {
      if (mediaFolderPath !== folder.mediaFolderPath) return null;
      const file = await folder.tree?.open?.(insideOf(mediaFolderPath, path)).catch(() => null);
      return file ? (await import('../../media/media-facts.ts')).mediaFacts(file) : null;
    },
  };
}
