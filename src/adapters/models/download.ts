/** Fetches what is missing of one model; its row says after each part what is there. */
import { AccessionError, failure, toFailure } from '#core/errors.ts';
import type { DownloadProgress } from '../browser/api.ts';
import { damaged } from './download-failures.ts';
import { fetchPart, hashOf, nameOf } from './fetch-part.ts';
import type { ManagerPorts } from './manager-ports.ts';
import { withQuery } from './own-model.ts';
import { Pace } from './pace.ts';
import { sumOf, type ModelRow, type Part } from './parts.ts';
import type { Fetch } from './plan.ts';
import { checkSpace } from './space.ts';

type Ports = Pick<ManagerPorts, 'rows' | 'store' | 'fetch' | 'wait' | 'free' | 'clock' | 'query'>;

/** Waits between tries of a part that broke off, milliseconds. */
const RETRY_MS = [1000, 5000];

/** The parts that are not here, or not whole. */
export async function missingParts({ store }: Pick<Ports, 'store'>, row: ModelRow): Promise<Part[]> {
  const kept = store(row.engine);
  const sizes = await Promise.all(row.parts.map(({ key }) => kept.size(key)));
  // A size that is not known yet belongs to a part that never came.
  return row.parts.filter((part, at) => sizes[at] === null || part.sha256 === null || sizes[at] !== part.bytes);
}

/** `listed` bytes stand in while a size is missing. Throws AccessionError: what the place answered, `cancelled` on a pause, `storage_full`, `model_damaged`. */
export async function fetchMissing(
  ports: Ports,
  begun: ModelRow,
  listed: number | null,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  let row = begun;
  await ports.rows.put(row);
  const missing = await missingParts(ports, row);
  if (missing.some(({ url }) => url.startsWith('file:'))) throw notWhole(row.name);
  const total = row.total ?? listed ?? 0;
  const have = sumOf(row.parts.filter((part) => !missing.includes(part))) ?? 0;
  checkSpace(await ports.free(), row.name, Math.max(0, total - have));
  const pace = new Pace(ports.clock, have, total, onProgress);
  const fetch = row.own ? withQuery(ports.fetch, await ports.query(row.id).get()) : ports.fetch;
  for (const part of missing) {
    pace.part = nameOf(part);
    pace.say();
    const kept = await fetchOne({ ...ports, fetch }, part, row, pace, signal);
    row = { ...row, parts: row.parts.map((one) => (one.key === kept.key ? kept : one)) };
    row.total = sumOf(row.parts) ?? row.total;
    await ports.rows.put(row);
  }
  if (!row.complete) await finish(ports, row, pace, signal);
  pace.say();
}

async function fetchOne(
  ports: Pick<Ports, 'store' | 'wait'> & { fetch: Fetch },
  part: Part,
  row: ModelRow,
  pace: Pace,
  signal: AbortSignal,
): Promise<Part> {
  for (let attempt = 0; ; attempt += 1) {
    let came = 0;
    const onBytes = (bytes: number): void => {
      came += bytes;
      pace.add(bytes);
    };
    try {
      const store = ports.store(row.engine);
      return await fetchPart(part, { fetch: ports.fetch, store, signal, version: row.version, onBytes });
    } catch (error) {
      pace.add(-came);
      const pause = RETRY_MS[attempt];
      if (signal.aborted || pause === undefined || toFailure(error).code !== 'model_unreachable') throw error;
      await ports.wait(pause, signal);
    }
  }
}

/** The published hash is of the whole file: compared once. A difference cannot be narrowed down, so all goes. */
async function finish({ rows, store }: Ports, row: ModelRow, pace: Pace, signal: AbortSignal): Promise<void> {
  if (row.sha256 !== null) {
    pace.part = 'checking the whole';
    pace.say();
    const kept = store(row.engine);
    const whole = new Blob(await Promise.all(row.parts.map(({ key }) => kept.read(key))));
    if ((await hashOf(whole, signal)) !== row.sha256) {
      for (const { key } of row.parts) await kept.remove(key);
      await rows.put({ ...row, parts: row.parts.map((part) => ({ ...part, sha256: null })) });
      throw damaged(row.name);
    }
  }
  await rows.put({ ...row, complete: true });
}

function notWhole(name: string): AccessionError {
  const remedy = 'Delete it and add its file from this device again.';
  return new AccessionError(failure('model_damaged', `"${name}" was not copied in whole.`, { remedy }));
}
