import { resolve } from 'node:path';
import type { Cancel } from '#core/ports.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import type { IndexProgress } from '#lanes/library/core/indexing/ports.ts';
import type { ModelAsker } from '#lanes/library/core/model/model-ingester.ts';
import { openIndexing } from '#lanes/library/node/open-indexing.ts';

export interface IndexFlags {
  /** The data directory; the library is kept there. */
  data: string;
  cancel: Cancel;
  ask?: ModelAsker;
  say(line: string): void;
}

/** `index DIR`: brings the library of a folder up to date, and says what was read and what was left out. */
export async function indexCommand(directory: string, { data, cancel, ask = null, say }: IndexFlags): Promise<void> {
  const ports = await openIndexing(data, resolve(directory), { ask, say });
  let last: IndexProgress | null = null;
  const manifest = await indexFolder({ ...ports, cancel, onProgress: (progress) => (last = progress) });
  const { found = 0, read = 0, chunks = 0 } = (last as IndexProgress | null) ?? {};
  say(`${found} files with ${chunks} chunks are in the library; ${read} of them were read now`);
  const left = Object.entries(manifest.leftOut).map(([reason, count]) => `${count} ${reason}`);
  if (left.length > 0) say(`left out: ${left.join(', ')}`);
  for (const { path, why } of manifest.failed) say(`not read: ${path}: ${why}`);
}
