/** Whether the server can do its work: use its database, write to its disk and to `temp_dir`, use its bucket. */
import { within } from '../http/stream.ts';
import type { Clock } from '#core/ports.ts';
import type { CatalogDeps } from '../deps.ts';

/** An answer is good for so long: being asked costs nothing, however often. Milliseconds. */
export const GOOD_MS = 1000;
/** Up to this age it is given at once, while a new one is on its way: who asks often waits for nothing. Milliseconds. */
const FRESH_MS = 1500;
/** Where the disk takes longer than this, the answer before is given, if it is no older than `RECENT_MS`. Milliseconds. */
const PROMPT_MS = 25;
const RECENT_MS = 10_000;
/** What does not answer in this time is broken, milliseconds. */
export const PATIENCE_MS = 3000;

/** An answer of the bucket is good for so long: each costs a request. Milliseconds. */
const BUCKET_GOOD_MS = 10_000;

/** How often the whole database is read (`quick_check`; the start has done it, too). Milliseconds. */
const READ_ALL_MS = 3_600_000;

export type Part = 'database' | 'disk' | 'uploads' | 'bucket';

type HealthDeps = Pick<CatalogDeps, 'store' | 'clock' | 'log' | 'checkDisk' | 'checkOriginals' | 'checkBlobs'>;

/** Answers the parts that do not work; none: all is well. Never rejects. */
export function createHealth(deps: HealthDeps): () => Promise<Part[]> {
  const { store, checkDisk, checkOriginals, checkBlobs, clock, log } = deps;
  let checked = clock.now();
  let damage: string | null = null;
  /** Begins to read the whole database where that is due. What it shows is told from then on: nobody waits for it. */
  const readAll = (): void => {
    if (Math.abs(clock.now() - checked) < READ_ALL_MS) return;
    checked = clock.now();
    store.quickCheck().then(
      (said) => void (damage = said),
      (error: unknown) => log.warn('the database could not be checked', { error: String(error) }),
    );
  };
  const query = async (): Promise<void> => {
    readAll();
    if (damage !== null) throw new Error(`the database is damaged: ${damage}`);
    await store.db.selectFrom('meta').select('key').limit(1).execute();
    await store.checkWritable();
  };
  const bucket = keptFor(BUCKET_GOOD_MS, clock, async () => (checkBlobs === null ? null : fails('bucket', checkBlobs)));
  let reported = '';

  return prompt(GOOD_MS, clock, async () => {
    const found = await Promise.all([
      fails('database', query),
      fails('disk', checkDisk),
      fails('uploads', checkOriginals),
      bucket(),
    ]);
    const broken = found.filter((part) => part !== null);
    const parts = broken.map(({ part }) => part);
    // Said when it changes, not each time that somebody asks.
    if (parts.join() !== reported) {
      reported = parts.join();
      if (broken.length === 0) log.info('healthy again');
      for (const { part, error } of broken) log.error('not healthy', { part, error });
    }
    return parts;
  });
}

/**
 * Asks at most once in so many milliseconds, and not again before that was answered. Whoever asks while a new answer is on
 * its way gets the one before: at once where that is fresh, else when the new one takes its time.
 */
export function prompt<T>(ms: number, clock: Clock, ask: () => Promise<T>): () => Promise<T> {
  let before: { at: number; answer: T } | null = null;
  const kept = keptFor(ms, clock, async () => {
    const answer = await ask();
    before = { at: clock.now(), answer };
    return answer;
  });
  return async () => {
    const now = kept();
    const age = before === null ? Infinity : Math.abs(clock.now() - before.at);
    if (before === null || age > RECENT_MS) return now;
    const { answer } = before;
    if (age < FRESH_MS) {
      // Kept by whoever comes next; what fails is no answer.
      now.catch(() => undefined);
      return answer;
    }
    return (
      (
        await within(
          now.then((value) => ({ value })),
          PROMPT_MS,
        )
      )?.value ?? answer
    );
  };
}

/** Asks at most once in so many milliseconds, and not again before that was answered. */
function keptFor<T>(ms: number, clock: Clock, ask: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null;
  let isAsking = false;
  return () => {
    const at = clock.now();
    if (last === null || (!isAsking && Math.abs(at - last.at) >= ms)) {
      isAsking = true;
      last = { at, answer: ask().finally(() => (isAsking = false)) };
    }
    return last.answer;
  };
}

async function fails(part: Part, check: () => Promise<unknown>): Promise<{ part: Part; error: string } | null> {
  try {
    const works = check().then(() => true);
    if ((await within(works, PATIENCE_MS)) !== null) return null;
    return { part, error: `Error: no answer within ${PATIENCE_MS} ms` };
  } catch (error) {
    return { part, error: String(error) };
  }
}
