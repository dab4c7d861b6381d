/** The files in the blob store and their waveforms, for listening. */
import { openBlobStore } from '#adapters/browser/blob-store.ts';
import { Waveforms } from '#adapters/browser/waveform.ts';
import { db } from './db.ts';

export type { WaveformSource } from '#adapters/browser/waveform.types.ts';

/** Of this visit. */
export const waveforms = new Waveforms();

/** The stored original as a file on disk, not loaded. Throws AccessionError `blob_missing`. */
export async function storedFile(sha256: string): Promise<Blob> {
  const store = await openBlobStore(db);
  return store.file(sha256);
}
