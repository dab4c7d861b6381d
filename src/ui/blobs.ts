/** The files in the blob store, their waveforms and copies, for listening. */
import { openBlobStore } from '#adapters/browser/blob-store.ts';
import { ListeningCopies } from '#adapters/browser/listening-copy.ts';
import { spawnTranscoder } from '#adapters/browser/spawn-transcoder.ts';
import { Waveforms } from '#adapters/browser/waveform.ts';
import { db } from './db.ts';

export type { WaveformSource } from '#adapters/browser/waveform.types.ts';

/** Of this visit. */
export const waveforms = new Waveforms();
/** Of files that this browser cannot play. */
export const listeningCopies = new ListeningCopies(spawnTranscoder);

/** The stored original as a file on disk, not loaded. Throws AccessionError `blob_missing`. */
export async function storedFile(sha256: string): Promise<Blob> {
  const store = await openBlobStore(db);
  return store.file(sha256);
}
