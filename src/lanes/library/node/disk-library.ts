import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextIfThere, syncDirectory, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import { isCode } from '#core/errors.ts';
import type { LibraryStore } from '#lanes/library/core/indexing/ports.ts';

const ENDING = '.segment';

/** A library in a directory of its own: `manifest.json`, and a file a segment. */
export function diskLibrary(directory: string): LibraryStore {
  const pathOf = (id: string): string => join(directory, `${id}${ENDING}`);
  const manifest = join(directory, 'manifest.json');
  return {
    async readManifest() {
      const text = await readTextIfThere(manifest);
      try {
        return text === null ? null : (JSON.parse(text) as unknown);
      } catch {
        return null;
      }
    },
    async writeManifest(value) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeFileAtomic(manifest, JSON.stringify(value), 0o600);
    },
    async writeSegment(id, pieces) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const part = `${pathOf(id)}.part`;
      const handle = await open(part, 'w', 0o600);
      try {
        for (const piece of pieces) await handle.write(piece);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, pathOf(id));
      await syncDirectory(directory);
    },
    async readSegment(id) {
      try {
        const bytes = await readFile(pathOf(id));
        // A large file comes in memory of its own; a second copy of it would double what opening a library takes.
        const isWhole = bytes.byteLength === bytes.buffer.byteLength;
        return isWhole ? bytes.buffer : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
      } catch (error) {
        if (isCode(error, 'ENOENT')) return null;
        throw error;
      }
    },
    async listSegments() {
      try {
        const names = await readdir(directory);
        // What a crash left half written is a segment that no manifest names.
        return names.filter((name) => name.includes(ENDING)).map((name) => name.replace(ENDING, ''));
      } catch (error) {
        if (isCode(error, 'ENOENT')) return [];
        throw error;
      }
    },
    async removeSegment(id) {
      await rm(id.endsWith('.part') ? `${pathOf(id.slice(0, -5))}.part` : pathOf(id), { force: true });
    },
  };
}
