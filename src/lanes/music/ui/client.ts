/** How the pages reach music: the pipeline's part of it, the catalog server, and the files in the blob store. */
import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { createListeningCopies } from '#lanes/music/browser/listening/listening-copy.ts';
import { transcoderOf } from '#lanes/music/browser/transcoder-pool.ts';
import { createWaveforms } from '#lanes/music/browser/listening/waveform.ts';
import { lostResults } from '#lanes/music/browser/lost-results.ts';
import type { MusicApi } from '#lanes/music/browser/open-music.ts';
import { createCatalogClient, type CatalogClient } from '#lanes/music/http/catalog-client.ts';
import { db } from '#ui/client/db.ts';
import { newTranscoder } from '#ui/client/kinds.ts';
import { readToken, serverBase } from '#ui/client/server-client.ts';
import { laneApi, startedHere } from '#ui/client/workers.ts';

export type { WaveformSource } from '#lanes/music/browser/listening/waveform.ts';

export const music = () => laneApi<MusicApi>('music');

/** A client of the server that is set now; ask for it anew at each use, because the setting may change. */
export async function catalog(): Promise<CatalogClient> {
  return createCatalogClient({ baseUrl: await serverBase(), token: readToken });
}

/** What the server has lost since it was published from here, or null. */
export const lostRow = () => lostResults(db);

/** Of this visit. */
export const waveforms = createWaveforms();
/** Of files that this browser cannot play. */
export const listeningCopies = createListeningCopies(() => transcoderOf(startedHere(newTranscoder())));

/** The stored original as a file on disk, not loaded. Throws AccessionError `blob_missing`. */
export async function storedFile(sha256: string): Promise<Blob> {
  const store = await openBlobStore(db);
  return store.file(sha256);
}
