/** Whether the server can do its work: use its database, write to its disk and to `temp_dir`, use its bucket. */
import { within } from '../http/stream.ts';
import type { CatalogDeps } from '../deps.ts';

/** An answer is good for so long: being asked costs nothing, however often. Milliseconds. */
const GOOD_MS = 1000;
/** What does not answer in this time is broken, milliseconds. */
const PATIENCE_MS = 3000;

/** An answer of the bucket is good for so long: each costs a request. Milliseconds. */
const BUCKET_GOOD_MS = 10_000;

export type Part = 'database' | 'disk' | 'uploads' | 'bucket';

type HealthDeps = Pick<CatalogDeps, 'store' | 'clock' | 'log' | 'checkDisk' | 'checkOriginals' | 'checkBlobs'>;

export class Health {
  readonly #deps: HealthDeps;
  #last: { at: number; broken: Promise<Part[]> } | null = null;
  #bucket: { at: number; found: ReturnType<typeof fails> } | null = null;
  #reported = '';

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  /** The parts that do not work; none: all is well. Never rejects. */
  broken(): Promise<Part[]> {
    const now = this.#deps.clock.now();
    if (this.#last === null || Math.abs(now - this.#last.at) >= GOOD_MS) this.#last = { at: now, broken: this.#look() };
    return this.#last.broken;
  }

  async #look(): Promise<Part[]> {
    const { store, checkDisk, checkOriginals, log } = this.#deps;
    const query = async (): Promise<void> => {
      await store.db.selectFrom('meta').select('key').limit(1).execute();
      await store.checkWritable();
    };
    const found = await Promise.all([
      fails('database', query),
      fails('disk', checkDisk),
      fails('uploads', checkOriginals),
      this.#lookAtBucket(),
    ]);
    const broken = found.flatMap((part) => (part === null ? [] : [part]));
    const parts = broken.map(({ part }) => part);
    // Said when it changes, not each time that somebody asks.
    if (parts.join() !== this.#reported) {
      this.#reported = parts.join();
      if (broken.length === 0) log.info('healthy again');
      for (const { part, error } of broken) log.error('not healthy', { part, error });
    }
    return parts;
  }

  #lookAtBucket(): ReturnType<typeof fails> {
    const { checkBlobs, clock } = this.#deps;
    if (checkBlobs === null) return Promise.resolve(null);
    const now = clock.now();
    if (this.#bucket === null || Math.abs(now - this.#bucket.at) >= BUCKET_GOOD_MS)
      this.#bucket = { at: now, found: fails('bucket', checkBlobs) };
    return this.#bucket.found;
  }
}

async function fails(part: Part, check: () => Promise<unknown>): Promise<{ part: Part; error: string } | null> {
  try {
    if (
      (await within(
        check().then(() => true),
        PATIENCE_MS,
      )) !== null
    )
      return null;
    return { part, error: `Error: no answer within ${PATIENCE_MS} ms` };
  } catch (error) {
    return { part, error: String(error) };
  }
}
