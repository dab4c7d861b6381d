import { toFailure } from '#core/errors.ts';
import type { IndexProgress } from '#lanes/library/core/indexing/ports.ts';
import { ask } from '#ui/client/workers.ts';
import { db } from '#ui/client/db.ts';
import { Live } from '#ui/parts/live.svelte.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { TypedSearch } from '#ui/list/typed-search.svelte.ts';
import {
  askFor,
  library,
  proxy,
  type LibraryAnswer,
  type LibraryFolderRow,
  type LibraryHit,
  type LibrarySource,
} from '../client.ts';
import { searchServer } from '../server-library.ts';
import { interleaved } from './interleaved.ts';
import { onServer } from './server-folders.svelte.ts';

const HITS = 20;

/** Passages of this browser's folders, and of the server's where there are some. */
async function searchAll(words: string): Promise<LibraryAnswer | null> {
  const there = onServer.folders.length === 0 ? [] : searchServer(words, HITS);
  const here = await ask(library().search(words, HITS));
  return here === null ? null : { ...here, hits: interleaved(here.hits, await there, HITS) };
}

/** A folder that is being read. */
export interface Work {
  progress: IndexProgress | null;
  paused: boolean;
}

const rows = new Live<LibraryFolderRow[]>(() => db.library_folders.orderBy('added_at').toArray(), [], 300);

/** What the Library page has. It is kept while the app is open, so that Back finds it as it was. */
class Library {
  readonly search = new TypedSearch<LibraryAnswer>(searchAll);
  readonly work = $state<Record<string, Work>>({});
  /** Which of the passages the keys are at. */
  at = $state(0);

  readonly folders: LibraryFolderRow[] = $derived(rows.current);
  readonly ready: boolean = $derived(rows.ready);
  readonly error: unknown = $derived(rows.error);
  readonly hits: readonly LibraryHit[] = $derived(this.search.hits?.hits ?? []);
  /** Why the profile that is set did not answer. */
  readonly why: string | null = $derived(this.search.hits?.why ?? null);

  async add(source: LibrarySource): Promise<void> {
    const id = await ask(library().add(source));
    if (id !== null) await this.update(id);
  }

  /** Looks through the folder again, after asking for it where the browser wants that. Call it from a gesture. */
  async updateAgain({ id, handle, name }: LibraryFolderRow): Promise<void> {
    try {
      if (handle !== null && !(await askFor(handle, 'read'))) {
        toasts.say(`The browser was not allowed to read "${name}". Press Update to be asked again.`);
        return;
      }
    } catch (thrown) {
      toasts.fail(toFailure(thrown));
      return;
    }
    await this.update(id);
  }

  async update(id: string, only: 'vectors' | null = null): Promise<void> {
    if (this.work[id] !== undefined) return;
    this.work[id] = { progress: null, paused: false };
    const result = await library().update(
      id,
      proxy((progress: IndexProgress) => {
        const work = this.work[id];
        if (work !== undefined) work.progress = progress;
      }),
      only,
    );
    Reflect.deleteProperty(this.work, id);
    if (!result.ok && result.failure.code !== 'cancelled') toasts.fail(result.failure);
  }

  pause(id: string): void {
    const work = this.work[id];
    if (work === undefined) return;
    work.paused = !work.paused;
    void library().pause(id, work.paused);
  }

  cancel(id: string): void {
    void library().cancel(id);
  }

  async remove(id: string): Promise<void> {
    await ask(library().remove(id));
  }

  /** Makes the vectors that are missing, as after another model was chosen. */
  async makeVectors(): Promise<void> {
    for (const { id } of this.folders) await this.update(id, 'vectors');
  }

  /** What can be read again without asking the person is brought up to date. A folder that is being read sees to it by itself. */
  async updateAll(): Promise<void> {
    for (const { id } of this.folders)
      if (this.work[id] === undefined && (await library().canUpdate(id))) await this.update(id);
  }
}

export const shelf = new Library();
