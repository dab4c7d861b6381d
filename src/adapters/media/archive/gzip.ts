import { failed, failure, type Failure } from '#core/errors.ts';
import { describeFile } from '#core/ingest/file-kinds.ts';
import { refuseCount, type DeclaredEntry } from '#core/ingest/limits.ts';
import { insideGzip } from '#core/ingest/paths.ts';
import type { OpenArchive, Opening } from '#core/ingest/archive.types.ts';
import { expanded, stopOn, underLimits } from './checked.ts';
import { isReadError } from './zip-failures.ts';

/** A gzip's own frame: ten bytes of header, eight of CRC and size. */
const FRAME_BYTES = 18;

/** One file packed with gzip; a TAR inside is unpacked as an archive of its own. Throws AccessionError `archive_*`. */
export async function openGzip(blob: Blob, opening: Opening): Promise<OpenArchive> {
  const { name, limits, used } = opening;
  if (blob.size < FRAME_BYTES)
    throw failed('archive_truncated', `"${name}" is cut off: its end is missing.`, { subject: name });
  stopOn(refuseCount(name, 1, used, limits));
  used.entries += 1;
  const tail = new DataView(await blob.slice(blob.size - 4).arrayBuffer());
  const path = insideGzip(name);
  // The size modulo 4 GiB, if it is true at all: the bytes are counted. Audio never packs below its container.
  const size = Math.max(tail.getUint32(0, true), blob.size - FRAME_BYTES > 1000 ? blob.size : 0);
  const entry: DeclaredEntry = { name: path, size, packed: blob.size };
  return {
    kind: 'gzip',
    items: [
      {
        ok: true,
        path,
        size,
        repairs: [],
        chunks: (cancel) =>
          underLimits(expanded(blob, 'gzip'), entry, opening, (error) => gzipFailure(error, path, name), cancel),
      },
    ],
    close: () => Promise.resolve(),
  };
}

function gzipFailure(error: unknown, entry: string, archive: string): Failure {
  const what = describeFile(entry, archive);
  if (isReadError(error)) return failure('file_unreadable', `${what} could not be read any more.`, { subject: entry });
  const message = `${what} is damaged or cut off: its packed data or its checksum is wrong.`;
  return failure('archive_entry_crc', message, { subject: entry, remedy: 'Get the archive again from its source.' });
}
