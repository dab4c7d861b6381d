import { ask } from '#ui/client/workers.ts';
import type { DropTaker, TakenPart } from '#ui/lane-ui.ts';
import { library, type LibrarySource } from '../client.ts';
import { shelf } from './library.svelte.ts';
import { listedSource } from './listed-source.ts';
import { sourcesIn } from './own-files.ts';

async function add(source: LibrarySource): Promise<TakenPart | null> {
  const id = await ask(library().add(source));
  if (id === null) return null;
  void shelf.update(id);
  return { path: 'library', undo: () => shelf.remove(id) };
}

export const taker: DropTaker = {
  claim: async (files) => sourcesIn(files),
  async take(files, folder) {
    const source: LibrarySource | null = folder === null ? listedSource(files) : { kind: 'handle', handle: folder };
    return source === null ? null : add(source);
  },
};
