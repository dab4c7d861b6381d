/** Loaded by vite.config.ts alone, hence TypeScript: the launchers beside it run on Node 20 as they are. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { PackTable } from '../../src/service-worker/pack.ts';

/** Files up to this size (bytes) are packed: a request for each costs more than what is in it. */
const SMALL = 16 * 1024;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Whether a file of the build is a pack itself. */
export const isPack = (name: string): boolean => /^pack-[0-9a-f]{12}\.bin$/.test(name);

export const isPacked = (path: string, bytes: number): boolean => bytes <= SMALL && extname(path) in TYPES;

/** Puts these files of the build into one beside them; the service worker cuts them out (src/service-worker/pack.ts). */
export function writePack(root: string, files: readonly { path: string; bytes: number }[]): PackTable {
  const whole = Buffer.concat(files.map(({ path }) => readFileSync(join(root, path))));
  const sha256 = createHash('sha256').update(whole).digest('hex');
  const packed = gzipSync(whole, { level: 9 });
  const path = `_app/immutable/pack-${sha256.slice(0, 12)}.bin`;
  writeFileSync(join(root, path), packed);
  return {
    ...{ path: `/${path}`, packed: packed.length, sha256 },
    files: files.map(({ path, bytes }) => ({ path: `/${path}`, bytes, type: TYPES[extname(path)] ?? '' })),
  };
}
