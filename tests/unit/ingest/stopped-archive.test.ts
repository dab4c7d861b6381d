/** Archives that nobody reads to their end: a limit is met, or the work is cancelled. */
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { expect, test } from 'vitest';
import { openArchive } from '#adapters/media/archive/open.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { zipOf } from '../../fixtures/zip.ts';

const MIB = 1024 ** 2;
const zeros = new Uint8Array(24 * MIB);

const archives: [name: string, bytes: () => Promise<Uint8Array<ArrayBuffer>>][] = [
  ['zeros.gz', () => Promise.resolve(new Uint8Array(gzipSync(zeros)))],
  ['zeros.zip', () => Promise.resolve(zipOf([{ name: 'zeros', data: zeros, deflate: true }]))],
  ['locked.zip', locked],
];

async function locked(): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { password: 'secret', useWebWorkers: false });
  await writer.add('zeros', new Uint8ArrayReader(zeros));
  return writer.close();
}

test.each(archives)(
  'ARCH-17 %s that is not read to its end leaves no error behind, wherever it stops',
  async (name, make) => {
    const errors: unknown[] = [];
    const hear = (error: unknown): void => void errors.push(error);
    process.on('uncaughtException', hear);
    process.on('unhandledRejection', hear);
    const blob = new Blob([await make()]);
    for (let round = 0; round < 40; round++) {
      const { items } = await openArchive(blob, { name, limits: archiveLimits(DEFAULT_SETTINGS), password: 'secret' });
      const [item] = items;
      if (!item?.ok) throw new Error('it has one file');
      let chunks = 0;
      for await (const chunk of item.chunks()) {
        expect(chunk.length).toBeGreaterThan(0);
        if (++chunks > 1 + (round % 5)) break;
        // Whoever writes it to a disk is slower than what expands it.
        for (let i = 0; i < 8; i++) await turn();
      }
      // What was under way comes in one of the next turns of the loop.
      for (let i = 0; i < 4; i++) await turn();
    }
    process.off('uncaughtException', hear);
    process.off('unhandledRejection', hear);
    expect(errors).toEqual([]);
  },
);
