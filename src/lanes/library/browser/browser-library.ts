import type { AccessionDb } from '#adapters/browser/db.ts';
import type { KeptFiles } from '#adapters/browser/kept-files.ts';
import type { LibraryStore } from '#lanes/library/core/indexing/ports.ts';

/** A folder's library: segments in the origin's files, the manifest in the folder's row. Names: `<folder>.<segment>`. */
export function browserLibrary(db: AccessionDb, files: KeptFiles, folder: string): LibraryStore {
  const nameOf = (id: string): string => `${folder}.${id}`;
  /** Read or written here: what the manifest no longer names of them is taken away. */
  const written = new Set<string>();
  return {
    readManifest: async () => (await db.library_folders.get(folder))?.manifest ?? null,
    async writeManifest(manifest) {
      await db.library_folders.update(folder, { manifest });
    },
    async writeSegment(id, pieces) {
      await files.write(
        nameOf(id),
        pieces.map((piece) => new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength)),
      );
      written.add(id);
    },
    readSegment(id) {
      written.add(id);
      return files.read(nameOf(id));
    },
    /** Those of this run; what a kill left behind is collected at the end of an update. */
    listSegments: () => Promise.resolve([...written]),
    async removeSegment(id) {
      written.delete(id);
      await files.keepOnly((name) => name !== nameOf(id));
    },
  };
}
