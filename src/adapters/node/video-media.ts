import type { OpenFile } from '#core/plan/file-tree.ts';
import { insideOf } from '#core/plan/folder-files.ts';
import type { MediaFacts, MediaSource } from '#core/plan/tools/context.ts';
import type { NodeMediaFolders } from './media-folders.ts';

/** Looks into videos of the folders that may be seen. What cannot be read is not known. */
export function nodeVideoMedia(folders: Pick<NodeMediaFolders, 'see'>): MediaSource {
  return {
    async look(mediaFolderPath, path) {
      const below = insideOf(mediaFolderPath, path);
      const seen = await folders.see(mediaFolderPath);
      const file = await seen?.tree.open?.(below).catch(() => null);
      if (!file) return null;
      try {
        return await factsOf(file);
      } finally {
        await file.close();
      }
    },
  };
}

async function factsOf(file: OpenFile): Promise<MediaFacts | null> {
  // Loaded when the first file is looked into: a server that is asked for none does without.
  const { readVideoFacts, streamsOf } = await import('../media/video-facts.ts');
  const facts = await readVideoFacts(new OpenBlob(file));
  return facts === null ? null : { duration: facts.duration, streams: streamsOf(facts) };
}

/** An open file with as much of a blob as its readers use: size, slices, and the bytes of a slice. */
class OpenBlob extends Blob {
  readonly #file: OpenFile;
  readonly #start: number;
  readonly #end: number;

  constructor(file: OpenFile, start = 0, end = file.size) {
    super();
    this.#file = file;
    this.#start = start;
    this.#end = end;
  }

  override get size(): number {
    return this.#end - this.#start;
  }

  override slice(start = 0, end = this.size): Blob {
    const at = (offset: number): number => this.#start + Math.min(this.size, Math.max(0, offset));
    return new OpenBlob(this.#file, at(start), Math.max(at(start), at(end)));
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.#file.read(this.#start, this.#end);
    return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  }
}
