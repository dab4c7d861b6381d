import { baseName } from '#core/ingest/paths.ts';
import { ask } from '#ui/client/workers.ts';
import type { DropTaker } from '#ui/lane-ui.ts';
import { playbooks } from './client.ts';
import { playbooksIn } from './own-files.ts';
import { bookPath } from './page/desk.svelte.ts';

export const taker: DropTaker = {
  claim: playbooksIn,
  async take(files) {
    const books: string[] = [];
    for (const { path, file } of files) {
      const id = await ask(playbooks().add(baseName(path).replace(/\.ya?ml$/i, ''), await file.text()));
      if (id === null) return null;
      books.push(id);
    }
    const [first] = books;
    return {
      path: books.length === 1 && first !== undefined ? bookPath(first) : 'playbooks',
      ids: books,
    };
  },
  async takeOut(ids) {
    for (const id of ids) await ask(playbooks().remove(id));
  },
};
