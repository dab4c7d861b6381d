/** A file of this browser as a guide's bytes, unpacked where it is packed. */
import { isGzip } from '#lanes/guide/bytes/guide-text.ts';
import { BrokenSource, type GuideBytes } from '#lanes/guide/bytes/read-guide.ts';

/** `read` is told how many bytes of the file were read so far. */
export async function* bytesOfFile(file: Blob, read: (bytes: number) => void): GuideBytes {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  let bytes = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, to) {
      read((bytes += piece.length));
      to.enqueue(piece);
    },
  });
  const plain = file.stream().pipeThrough(counted);
  const packed = isGzip(head);
  const reader = (packed ? plain.pipeThrough(new DecompressionStream('gzip')) : plain).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw new BrokenSource(
      packed
        ? 'Its gzip is damaged or breaks off; what could be unpacked was read.'
        : 'The file could not be read to its end.',
      { cause },
    );
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
