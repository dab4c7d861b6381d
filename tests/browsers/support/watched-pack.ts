/** The pack of small files (scripts/lib/app-pack.ts), whose programs tell of their errors as those beside it do. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';

const TABLE =
  /path:([`"'])\/(_app\/immutable\/pack-[0-9a-f]{12}\.bin)\1,packed:([\de]+),sha256:\1([0-9a-f]{64})\1,files:\[([^\]]*)\]/;
/** A round number is written short: `4e3`. */
const FILE = /path:([`"'])\/([^`"']+)\1,bytes:([\de]+)/g;

/** Where the pack lies, as the service worker says it. */
export function packIn(worker: string): string {
  const path = TABLE.exec(worker)?.[2];
  if (path === undefined) throw new Error('the service worker names no pack');
  return path;
}

/** The pack with `first` before each of its programs, and the service worker that knows their new lengths. */
export function watchedPack(
  worker: string,
  packed: Buffer,
  { first, isProgram }: { first: string; isProgram: (path: string) => boolean },
): { worker: string; packed: Buffer } {
  const [table = '', , , size = '', sha256 = ''] = TABLE.exec(worker) ?? [];
  const whole = gunzipSync(packed);
  const parts: Buffer[] = [];
  let at = 0;
  const files = table.replaceAll(FILE, (row: string, _quote: string, path: string, bytes: string) => {
    const own = whole.subarray(at, (at += Number(bytes)));
    const told = isProgram(path) ? Buffer.concat([Buffer.from(first), own]) : own;
    parts.push(told);
    return row.slice(0, row.length - bytes.length) + String(told.length);
  });
  const now = Buffer.concat(parts);
  const zipped = gzipSync(now, { level: 1 });
  const hash = createHash('sha256').update(now).digest('hex');
  const said = files.replace(`packed:${size}`, `packed:${zipped.length}`).replace(sha256, hash);
  return { worker: worker.replace(table, () => said), packed: zipped };
}
