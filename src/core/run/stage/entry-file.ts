import type { ArchiveEntry } from '../../ingest/archive.types.ts';
import { joinBytes } from '../../ingest/bytes.ts';
import { baseName } from '../../ingest/paths.ts';
import { HEAD_BYTES, sniff } from '../../ingest/sniff.ts';
import type { Cancel } from '../../ports.ts';
import type { Incoming } from './ports.ts';

/** An entry of an archive on its way in. Throws what reading the entry throws (`archive_*`) from `kind` and `chunks`. */
export function entryFile(path: string, entry: ArchiveEntry, from: string, cancel: Cancel): Incoming {
  const source = entry.chunks(cancel)[Symbol.asyncIterator]();
  const peeked: Uint8Array[] = [];
  return {
    path,
    name: baseName(path),
    size: entry.size,
    from,
    repairs: entry.repairs,
    async kind() {
      let length = 0;
      while (length < HEAD_BYTES) {
        const next = await source.next();
        if (next.done === true) break;
        // The reader may use its buffer again.
        peeked.push(next.value.slice());
        length += next.value.length;
      }
      return sniff(joinBytes(peeked).subarray(0, HEAD_BYTES));
    },
    async *chunks() {
      yield* peeked.splice(0);
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
    },
    async release() {
      await source.return?.();
    },
  };
}
