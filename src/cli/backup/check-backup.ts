/** Reads a backup to its end: whether it is whole, and what of it is wanted. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as v from 'valibot';
import { messageOf } from '#core/errors.ts';
import { ManifestSchema, readEntries, type Manifest, type TarEntry } from './format.ts';

/** Takes the content of a wanted blob; false where it was not what its name says. */
type Take = (sha256: string, chunks: AsyncIterable<Uint8Array>) => Promise<boolean>;

/**
 * What is wrong with a backup, as sentences without a subject; none: every file in it is what its name says, and what its
 * list names is there.
 * @param take gets each content that is `wanted`
 */
export async function checkBackup(path: string, wanted: ReadonlySet<string>, take: Take): Promise<string[]> {
  const trouble: string[] = [];
  const hashes = new Set<string>();
  let manifest: Manifest | null = null;
  try {
    for await (const entry of readEntries(createReadStream(path, { highWaterMark: 256 * 1024 }))) {
      const [kind, name = ''] = entry.name.split('/');
      if (kind === 'blobs') {
        const right = wanted.has(name) ? await take(name, entry.chunks) : (await hashOf(entry)) === name;
        if (right) hashes.add(name);
        else trouble.push(`has a damaged file (${entry.name})`);
      } else if (entry.name === 'manifest.json') manifest = v.parse(ManifestSchema, JSON.parse(await textOf(entry)));
      else if (kind === 'tables') checkRows(entry.name, await textOf(entry));
      else for await (const _chunk of entry.chunks);
    }
  } catch (error) {
    return [...trouble, `cannot be read to its end (${messageOf(error)})`];
  }
  if (manifest === null) return [...trouble, 'is not whole: its list is missing'];
  const gone = manifest.files.filter(({ sha256 }) => !hashes.has(sha256));
  if (gone.length > 0)
    trouble.push(`lacks ${gone.length} files that its list names (${gone[0]?.root}/${gone[0]?.path})`);
  if (manifest.lost.length > 0)
    trouble.push(`was made without ${manifest.lost.length} files that were missing or damaged then`);
  return trouble;
}

/** Throws where a line is no object. */
function checkRows(name: string, text: string): void {
  for (const line of text.split('\n').filter(Boolean))
    if (typeof JSON.parse(line) !== 'object') throw new Error(`${name} holds something else than rows`);
}

async function hashOf({ chunks }: TarEntry): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

async function textOf(entry: TarEntry): Promise<string> {
  return Buffer.concat(await Array.fromAsync(entry.chunks)).toString('utf8');
}
