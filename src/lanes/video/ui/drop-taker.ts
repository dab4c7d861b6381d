import type { DropTaker } from '#ui/lane-ui.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { videosIn } from './own-files.ts';
import { listSource } from './page/list-source.ts';
import { desk } from './page/video-desk.svelte.ts';

export const taker: DropTaker = {
  claim: async (files) => videosIn(files),
  async take(files, folder) {
    if (desk.stage !== 'start' && desk.stage !== 'ended') {
      toasts.say('Video has a folder open. Finish or close it, then drop these files again.');
      return null;
    }
    const list = files.map(({ path, file }) => ({ path, size: file.size, modified: file.lastModified }));
    const listed = listSource(files) ?? { kind: 'list' as const, name: 'Videos', files: list };
    await desk.open(folder === null ? listed : { kind: 'handle', handle: folder });
    // Why it could not be read was said.
    return desk.folder === null ? null : { path: 'video', ids: [desk.folder.name] };
  },
  // It is open, and nothing of it is kept: after a reload there is nothing to take out.
  async takeOut([name]) {
    if (desk.folder?.name === name) desk.close();
  },
};
