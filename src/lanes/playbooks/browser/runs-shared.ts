/** Runs that stand on the server, as pages look at them and steer them. */
import type { HttpOptions } from '#adapters/http/request.ts';
import { AccessionError } from '#core/errors.ts';
import { answered, tried, type Result } from '#core/result.ts';
import { linesIn } from '../core/run/lines-log.ts';
import { pastOf, type Past } from '../core/run/past.ts';
import type { ReadFiles } from '../core/run/ports.ts';
import { createSharedRunClient, type SharedRunClient } from '../http/shared-run-client.ts';
import { agreedOf, bookOf, rootOfBook, valuesOf } from './books.ts';
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
  readonly #sha256: (text: string) => Promise<string>;

  constructor(client: () => Promise<SharedRunClient>, sha256: (text: string) => Promise<string>) {
    this.#client = client;
    this.#sha256 = sha256;
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

  async files(id: string): Promise<ReadFiles> {
    const { items } = valueOf(await (await this.#client()).files(id));
    const paths = items.map(({ path }) => path);
    const isBelow = (path: string, base: string): boolean => base === '' || path.startsWith(`${base}/`);
    return {
      list: (base) => Promise.resolve(paths.filter((path) => isBelow(path, base) && !/(?:^|\/)\./.test(path))),
      isThere: (path) => Promise.resolve(paths.some((one) => one === path || isBelow(one, path))),
      read: async (path) => {
        const text = await this.text(id, path);
        return text === null ? null : { text, sha256: await this.#sha256(text) };
      },
    };
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

export function sharedRuns({ db, ids, sha256 }: PlaybookMachine, client: () => Promise<SharedRunClient>): Shared {
  return {
    sharedRuns: () => answered(async () => valueOf(await (await client()).list()).items),
    sharedRun: (id) => tried(async () => (await client()).one(id)),
    beginShared: (id, limits, step) =>
      answered(async () => {
        const book = await bookOf(db, id);
        const root = rootOfBook(id);
        const files = await Promise.all(
          (await pathsIn(db, root)).map(async (path) => ({ path, text: (await textIn(db, root, path)) ?? '' })),
        );
        const domains = await agreedOf(book, sha256);
        const wish = { name: book.name, playbook: book.text, config: valuesOf(book), files, limits, step, domains };
        return valueOf(await (await client()).begin(wish, ids.next()));
      }),
    cancelShared: (id) => tried(async () => (await client()).cancel(id)),
    resumeShared: (id, limits) => tried(async () => (await client()).resume(id, limits)),
    removeShared: (id) => answered(async () => (valueOf(await (await client()).remove(id)), null)),
  };
}
