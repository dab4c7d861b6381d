/// <reference lib="dom" />
/** Probes where the app does: in a worker, out of the blob store. */
import { expose } from 'comlink';
import type { ProbeOutcome } from '#core/media.ts';
import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { probeBlob } from '#adapters/media/probe.ts';
import { openAppDatabase } from './database.ts';

export interface Prober {
  /** What was found of each, and the milliseconds that all of them took one after the other. */
  probe(files: { name: string; sha256: string }[]): Promise<{ ms: number; found: Omit<ProbeOutcome, 'cover'>[] }>;
}

const prober: Prober = {
  async probe(files) {
    const store = await openBlobStore(openAppDatabase());
    const found: Omit<ProbeOutcome, 'cover'>[] = [];
    const begun = performance.now();
    for (const { name, sha256 } of files) {
      const probed = await probeBlob(await store.file(sha256), name);
      if (!probed.ok) throw new Error(probed.failure.message);
      const { cover: _cover, ...facts } = probed.value;
      found.push(facts);
    }
    return { ms: performance.now() - begun, found };
  },
};

expose(prober);
