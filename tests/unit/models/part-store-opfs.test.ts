import { afterEach, expect, test, vi } from 'vitest';
import { opfsPartStore } from '#adapters/browser/llm/part-store-opfs.ts';

afterEach(() => void vi.unstubAllGlobals());

test('MODEL-16: removing a part removes what a closed tab left of it too', async () => {
  const names = new Set(['own-1.0.part', 'own-2.0', 'own-2.0.part', 'own-3.0']);
  const folder = {
    removeEntry: async (name: string) => {
      if (!names.delete(name)) throw new DOMException('no such file', 'NotFoundError');
    },
  };
  vi.stubGlobal('navigator', { storage: { getDirectory: async () => ({ getDirectoryHandle: async () => folder }) } });
  const store = opfsPartStore();
  await store.remove('own-1.0');
  await store.remove('own-2.0');
  expect([...names]).toEqual(['own-3.0']);
});
