import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import { embedByOpenAi } from '#adapters/llm/embed-wires.ts';
import { createOpenAi } from '#adapters/llm/openai.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { fillVectors } from '#lanes/library/core/vectors/fill-vectors.ts';
import { searchProfile } from '#lanes/library/core/vectors/profiles.ts';
import { openVectorFiles, Vectors } from '#lanes/library/core/vectors/vectors.ts';
import { diskFolder } from '#lanes/library/node/disk-folder.ts';
import { readingPorts } from '#lanes/library/node/reading-ports.ts';
import { folderId } from '#lanes/library/server/folders.ts';
import type { LlmConfig } from '#server/config-file.ts';
import { createServerBroker } from '#server/llm/broker.ts';
import { openServerEmbedder } from '#server/llm/load-embedder.ts';
import {
  startEmbeddingServer,
  toyVector,
  type EmbeddingServer,
  type VectorReply,
} from '../fixtures/embedding-server.ts';
import { hash, libraryWorld, registry, SMALL_LIBRARY, type LibraryWorld } from '../fixtures/server-library.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { MemoryLibrary } from '../unit/library/library-world.ts';

const clock = { now: () => Date.now() };

onBothStores('vectors of the server’s folders', () => {
  let model: EmbeddingServer;
  let reply: ((texts: string[]) => VectorReply) | null;
  let world: LibraryWorld;
  let embedder: Embedder;

  beforeEach(async () => {
    reply = null;
    model = await startEmbeddingServer(
      (texts) => reply?.(texts) ?? { vectors: texts.map((text) => toyVector(text, 64)) },
    );
    const llm: LlmConfig = {
      ...{ provider: 'openai', base_url: `${model.url}/v1`, model: 'chat', embedding_model: 'tiny', temperature: 0 },
      ...{ timeout_secs: 30, context_length: 4096, key: { kind: 'none' } },
      limits: { requests_per_minute: 1000, tokens_per_day: 1_000_000 },
    };
    const at = { baseUrl: llm.base_url, clock };
    world = await libraryWorld({
      broker: (deps) =>
        createServerBroker(llm, {
          ...deps,
          provider: (_, key) => createOpenAi({ ...at, model: 'chat', contextLength: 4096, key, asksToFind: false }),
          embedder: (_, key) => embedByOpenAi({ ...at, model: 'tiny', key }),
        }),
    });
    embedder = (await openServerEmbedder(llm, clock)) as Embedder;
    await world.server.addToken('the-token-of-vera', 'vera', 'ReadCatalog');
    await world.write('Handbook', SMALL_LIBRARY);
    await world.write('Secret', { 'plan.md': 'The herring boats are sold in May.\n' });
    await world.name([{ name: 'Handbook', readers: ['ReadCatalog'] }, { name: 'Secret' }]);
  });
  afterEach(async () => {
    await world.end();
    await model.close();
  });

  const VERA = 'the-token-of-vera';
  const again = async (with_: Embedder = embedder): Promise<string[]> => {
    for (const name of ['Handbook', 'Secret'])
      await world.server.api('POST', `/v1/library/folders/${folderId(name)}/scan`);
    return world.index({ embedder: with_ });
  };

  test('LIBRARY-105 a server with a model for vectors makes them beside its index, and ranks by nearness, or by both, as a library of this machine does', async () => {
    expect(await world.index()).toEqual([]);
    const early = (await world.search({ query: 'boats', profile: 'vector' }, VERA)).body;
    expect(early).toMatchObject({
      profile: 'bm25',
      note: expect.stringMatching(/still being made \(0 of \d+/) as string,
    });
    expect(await again()).toEqual([]);

    const store = new MemoryLibrary();
    let count = 0;
    const ids = { next: () => `s${++count}` };
    const folder = diskFolder(world.pathOf('Handbook'));
    await indexFolder({ ...readingPorts, folder, store, ids, registry: () => registry, hash, decode: decodeLegacy });
    await fillVectors({ store, ids, embedder, timers: readingPorts.timers });
    const { manifest, index } = await openLibrary(store);
    const vectors = new Vectors(embedder.name, await openVectorFiles(store, manifest.vectors), index);
    for (const profile of ['vector', 'hybrid'] as const)
      for (const query of [
        'When was the harbour of Brill dug?',
        'a cook reads',
        'the tax of an amount',
        'herring boats',
      ]) {
        const { body } = await world.search({ query, profile, k: 3 }, VERA);
        expect(body).toMatchObject({ profile, note: null });
        const here = await searchProfile(profile, { index, vectors, embedder, question: query, k: 3 });
        const said = ({ path, start, end }: { path: string; start: number; end: number }) => ({ path, start, end });
        expect(body.items.map(said), `${profile}: ${query}`).toEqual(here.map(said));
      }
    // What Vera may not read lies nearest, and she never hears of it.
    const sold = { query: 'The herring boats are sold in May.', profile: 'vector', k: 50 } as const;
    expect((await world.search(sold)).body.items[0]?.path).toBe('plan.md');
    expect((await world.search(sold, VERA)).body.items.map(({ path }) => path)).not.toContain('plan.md');
  });

  test('LIBRARY-106 a copy and a run without change ask for no vector again, another model is asked for all, and one that fails leaves the folder to its words', async () => {
    await again();
    const asked = model.asked.flat().length;
    expect(asked).toBeGreaterThan(8);
    await world.write('Handbook', { 'copy/harbour.md': SMALL_LIBRARY['notes/harbour.md'] ?? '' });
    await again();
    expect(model.asked.flat().length).toBe(asked);
    await world.write('Handbook', { 'nets.md': 'Nets are mended in winter.\n', 'page.html': null });
    await again();
    expect(model.asked.flat().length).toBe(asked + 1);

    reply = () => ({ status: 500, error: 'out of memory' });
    await world.write('Handbook', { 'dyke.md': 'The dyke is mown twice a year.\n' });
    expect(await again()).toEqual([expect.stringContaining('Handbook: its vectors could not all be made') as string]);
    expect((await world.folders()).map(({ state }) => state)).toEqual(['ready', 'ready']);
    const lacking = (await world.search({ query: 'the dyke is mown', profile: 'hybrid' }, VERA)).body;
    expect(lacking).toMatchObject({ profile: 'bm25', items: [{ path: 'dyke.md' }] });
    expect(lacking.note).toMatch(/still being made/);
    reply = null;
    await again();
    expect((await world.search({ query: 'the dyke is mown', profile: 'hybrid' }, VERA)).body.note).toBeNull();
    reply = () => ({ status: 500, error: 'out of memory' });
    const silent = (await world.search({ query: 'the dyke is mown', profile: 'vector' }, VERA)).body;
    expect(silent).toMatchObject({ profile: 'bm25', items: [{ path: 'dyke.md' }] });
    expect(silent.note).toContain('"vector" is answered as bm25');

    reply = null;
    const before = model.asked.flat().length;
    await again({ ...embedder, name: 'openai/other', embed: (texts) => embedder.embed(texts) });
    expect(model.asked.flat().length).toBeGreaterThan(before + 8);
    expect((await world.search({ query: 'boats', profile: 'vector' }, VERA)).body.note).toMatch(/0 of \d+/);
  });
});
