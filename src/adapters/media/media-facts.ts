import type { OpenFile } from '#core/plan/file-tree.ts';
import type { MediaFacts } from '#core/plan/tools/context.ts';
import { readVideoFacts, streamsOf } from './video-facts.ts';

/** Length and streams of an open file, as the plans' tools tell them; null where nothing is known. */
export async function mediaFacts(file: OpenFile): Promise<MediaFacts | null> {
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
