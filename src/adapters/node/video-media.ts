import { insideOf } from '#core/plan/folder-files.ts';
import type { MediaSource } from '#core/plan/tools/context.ts';
import type { NodeMediaFolders } from './media-folders.ts';

/** Looks into videos of the folders that may be seen. What cannot be read is not known. */
export function nodeVideoMedia(folders: Pick<NodeMediaFolders, 'see'>): MediaSource {
  return {
    async look(mediaFolderPath, path) {
      const below = insideOf(mediaFolderPath, path);
      const seen = await folders.see(mediaFolderPath);
      const file = await seen?.tree.open?.(below).catch(() => null);
      if (!file) return null;
      try {
        // Loaded when the first file is looked into: a server that is asked for none does without.
        return await (await import('../media/media-facts.ts')).mediaFacts(file);
      } finally {
        await file.close();
      }
    },
  };
}
