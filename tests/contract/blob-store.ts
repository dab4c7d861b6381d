import { describe, test } from 'vitest';
import type { BrowserBlobStore } from '#adapters/browser/blobs/blob-store.types.ts';
import type { BlobStore } from '#core/ports.ts';
import { blobStoreCases } from './blob-store-cases.ts';

/** Runs the conformance suite of the BlobStore port; each case gets a store of its own, empty. */
export function blobStoreContract(
  name: string,
  open: () => Promise<{ store: BlobStore & Pick<BrowserBlobStore, 'keep'>; close?: () => Promise<void> }>,
): void {
  describe(`${name} keeps the BlobStore contract`, () => {
    for (const one of blobStoreCases) {
      test(one.name, async () => {
        const { store, close } = await open();
        try {
          await one.run(store);
        } finally {
          await close?.();
        }
      });
    }
  });
}
