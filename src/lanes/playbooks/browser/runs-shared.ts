/** Runs that stand on the server, as pages look at them and steer them. */
import type { HttpOptions } from '#adapters/http/request.ts';
import { AccessionError } from '#core/errors.ts';
import { answered, type Result } from '#core/result.ts';
import { linesIn } from '../core/run/lines-log.ts';
import { pastOf, type Past } from '../core/run/past.ts';
import { createSharedRunClient, type SharedRunClient } from '../http/shared-run-client.ts';
import { bookOf, rootOfBook, valuesOf } from './books.ts';
import { pathsIn, textIn } from './indexed-files.ts';
import type { PlaybookApi } from './playbook-api.types.ts';
import type { PlaybookMachine } from './run-here.ts';
import { closedFirst, type RunPlace } from './run-place.ts';

const valueOf = <Value>(answer: Result<Value>): Value => {
  if (!answer.ok) throw new AccessionError(answer.failure);
  return answer.value;
};

export class RunsShared implements RunPlace {
  readonly #client: () => Promise<SharedRunClient>;

  constructor(client: () => Promise<SharedRunClient>) {
    this.#client = client;
  }

  async lines(id: string): Promise<unknown[]> {
    const text = valueOf(await (await this.#client()).journal(id));
    // A worker sends it in pieces: the last line may be one that goes on.
    return linesIn(text.slice(0, text.lastIndexOf('\n') + 1));
  }

  async past(id: string): Promise<Past> {
    return pastOf(await this.lines(id));
  }

  async made(id: string, past: Past): Promise<string[]> {
    const { items } = valueOf(await (await this.#client()).files(id));
    return closedFirst(
      past,
      items.flatMap(({ path, made }) => (made ? [path] : [])),
    );
  }

  async text(id: string, path: string): Promise<string | null> {
    const found = await (await this.#client()).file(id, path);
    return !found.ok && found.failure.code === 'not_found' ? null : valueOf(found);
  }
}

type Shared = Pick<
  PlaybookApi,
  'sharedRuns' | 'sharedRun' | 'beginShared' | 'cancelShared' | 'resumeShared' | 'removeShared'
>;

/** The client of the server that is set now: another may be set while the page is open. */
export const sharedClient = (server: () => Promise<HttpOptions>) => async (): Promise<SharedRunClient> =>
  createSharedRunClient(await server());

export function sharedRuns({ db, ids }: PlaybookMachine, client: () => Promise<SharedRunClient>): Shared {
  return {
    sharedRuns: () => answered(async () => valueOf(await (await client()).list()).items),
    sharedRun: async (id) => (await client()).one(id),
    beginShared: (id, limits) =>
      answered(async () => {
        const book = await bookOf(db, id);
        const root = rootOfBook(id);
        const files = await Promise.all(
          (await pathsIn(db, root)).map(async (path) => ({ path, text: (await textIn(db, root, path)) ?? '' })),
        );
        const wish = { name: book.name, playbook: book.text, config: valuesOf(book), files, limits };
        return valueOf(await (await client()).begin(wish, ids.next()));
      }),
    cancelShared: async (id) => (await client()).cancel(id),
    resumeShared: async (id, limits) => (await client()).resume(id, limits),
    removeShared: (id) => answered(async () => (valueOf(await (await client()).remove(id)), null)),
  };
}
