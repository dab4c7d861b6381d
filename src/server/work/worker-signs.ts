/** How workers fare, for whoever must not burden them: which fell silent lately, who is there, and who is busy. */
import * as v from 'valibot';
import type { Reader, Tx } from '../store/schema.ts';
import { readMeta, writeMeta } from '../store/store.ts';

const SILENCES = 'worker_silences';
const SEEN = 'workers_seen';
/** More than any limit looks at. */
const MOST_SILENCES = 32;
/** A worker that asked for nothing and holds nothing for so long is not there, milliseconds. */
const THERE_MS = 60_000;
/** Who was seen within it is not written down once more. */
const FRESH_MS = 20_000;

const Silences = v.array(v.number());
const Seen = v.record(v.string(), v.number());

async function kept<Value>(
  db: Reader,
  key: string,
  schema: v.GenericSchema<unknown, Value>,
  none: Value,
): Promise<Value> {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await readMeta(db, key));
  return read.success ? read.output : none;
}

/** A lease was taken up whose worker had fallen silent. */
export async function noteSilence(tx: Tx, at: number): Promise<void> {
  const silences = [...(await kept(tx, SILENCES, Silences, [])), at].slice(-MOST_SILENCES);
  await writeMeta(tx, SILENCES, JSON.stringify(silences));
}

/** A worker asked for work. */
export async function noteWorker(tx: Tx, worker: string, at: number): Promise<void> {
  const seen = await kept(tx, SEEN, Seen, {});
  if (Math.abs(at - (seen[worker] ?? -FRESH_MS)) < FRESH_MS) return;
  const there = Object.entries(seen).filter(([, last]) => Math.abs(at - last) < THERE_MS);
  await writeMeta(tx, SEEN, JSON.stringify({ ...Object.fromEntries(there), [worker]: at }));
}

export interface WorkerSigns {
  /** When leases of silent workers were taken up, milliseconds since the epoch; the latest. */
  silences: readonly number[];
  /** Busy workers, and how many there are. */
  busy: number;
  there: number;
}

export async function readWorkerSigns(db: Reader, now: number): Promise<WorkerSigns> {
  const held = await db
    .selectFrom('work_batches')
    .select('worker')
    .where('lease_id', 'is not', null)
    .where('lease_until', '>=', now)
    .execute();
  const seen = Object.entries(await kept(db, SEEN, Seen, {})).filter(([, at]) => Math.abs(now - at) < THERE_MS);
  const names = new Set([...held.map(({ worker }) => worker ?? ''), ...seen.map(([worker]) => worker)]);
  // Two workers may have one name.
  const there = Math.max(names.size, held.length);
  return { silences: await kept(db, SILENCES, Silences, []), busy: held.length, there };
}
