import type { DroppedFile } from '#adapters/browser/api.ts';
import { db } from '#ui/client/db.ts';
import { ask } from '#ui/client/workers.ts';
import type { DropTaker, TakenPart } from '#ui/lane-ui.ts';
import { library, type LibrarySource } from '../client.ts';
import { shelf } from './library.svelte.ts';
import { listedSource } from './listed-source.ts';
import { sourcesIn } from './own-files.ts';

/** Loose files are called by the first of them: of one name, the next ones would take their place. */
function sourceOf(files: readonly DroppedFile[]): LibrarySource | null {
  const source = listedSource(files);
  const [first, ...rest] = files;
  if (source === null || first === undefined || first.path.includes('/')) return source;
  return { ...source, name: rest.length === 0 ? first.path : `${first.path} and ${rest.length} more` } as LibrarySource;
}

async function add(source: LibrarySource): Promise<TakenPart | null> {
  const before = await db.library_folders.toCollection().primaryKeys();
  const id = await ask(library().add(source));
  if (id === null) return null;
  void shelf.update(id);
  // One that came again cannot be taken out: what was there before would go with it.
  if (before.includes(id)) return { path: 'library' };
  return { path: 'library', ids: [id] };
}

export const taker: DropTaker = {
  claim: async (files) => sourcesIn(files),
  async take(files, folder) {
    const source: LibrarySource | null = folder === null ? sourceOf(files) : { kind: 'handle', handle: folder };
    return source === null ? null : add(source);
  },
  async takeOut(ids) {
    for (const id of ids) await shelf.remove(id);
  },
};
