import { expect, test } from 'vitest';
import { VectorReader, type Embedder } from '#core/agent/llm/embedder.ts';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { textIngester } from '#lanes/library/core/text/text-ingester.ts';
import { fillVectors } from '#lanes/library/core/vectors/fill-vectors.ts';
import { searchProfile, whyWords, type Profile } from '#lanes/library/core/vectors/profiles.ts';
import { pieceKey, quantized } from '#lanes/library/core/vectors/vector-file.ts';
import { openVectorFiles, Vectors } from '#lanes/library/core/vectors/vectors.ts';
import { filesOf, indexingPorts, MemoryLibrary } from './library-world.ts';

/** Words that mean the same, one dimension a group: a model of meaning that fits in a test. */
const GROUPS = [
  ['harbour', 'port', 'haven'],
  ['boat', 'ship', 'canoe'],
  ['king', 'monarch'],
  ['soup', 'broth'],
];

interface Toy extends Embedder {
  asked: string[];
}

function toyEmbedder(model: string, shift = 0): Toy {
  const reader = new VectorReader(model);
  const asked: string[] = [];
  return {
    name: `toy/${model}`,
    asked,
    embed(texts) {
      asked.push(...texts);
      const vectors = texts.map((text) => {
        const own = GROUPS.map((group) => group.filter((word) => text.toLowerCase().includes(word)).length);
        return [0.01, ...own.slice(shift), ...own.slice(0, shift)];
      });
      return Promise.resolve(reader.read(vectors, texts.length));
    },
  };
}

const FILES = {
  'a.txt': 'The haven of Brill was dug by hand.',
  'b.txt': 'A monarch came in a canoe.',
  'c.txt': 'Broth is eaten hot. The word port is not in it, but harbour is: harbour harbour.',
  'copy.txt': 'A monarch came in a canoe.',
};

async function library(files: Record<string, string> = FILES) {
  const store = new MemoryLibrary();
  const ports = indexingPorts(filesOf(files), store, [textIngester]);
  await indexFolder(ports);
  return { store, ports };
}

async function opened(store: MemoryLibrary) {
  const { manifest, index } = await openLibrary(store);
  const files = await openVectorFiles(store, manifest.vectors);
  return { manifest, index, vectors: new Vectors(manifest.vectors?.model ?? '', files, index) };
}

async function best(store: MemoryLibrary, profile: Profile, question: string, embedder: Embedder): Promise<string[]> {
  const { index, vectors } = await opened(store);
  return (await searchProfile(profile, { index, vectors, embedder, question, k: 2 })).map(({ path }) => path);
}

test('LIBRARY-94 vectors are kept by what a piece says: a copy, a run without change and a merge ask for none again', async () => {
  const { store, ports } = await library();
  const model = toyEmbedder('m');
  await fillVectors({ ...ports, embedder: model });
  expect(model.asked).toHaveLength(3);
  const { manifest, vectors } = await opened(store);
  expect(manifest.vectors).toMatchObject({ model: 'toy/m', ids: [expect.any(String)] });
  expect([vectors.pieces, vectors.known, vectors.dimension]).toEqual([4, 4, 5]);
  await fillVectors({ ...ports, embedder: model });
  const more = indexingPorts(filesOf({ ...FILES, 'd.txt': 'A ship.' }), store, [textIngester]);
  await indexFolder(more);
  expect((await opened(store)).vectors).toMatchObject({ pieces: 5, known: 4 });
  await fillVectors({ ...more, embedder: model });
  expect(model.asked).toHaveLength(4);
  expect((await opened(store)).vectors).toMatchObject({ pieces: 5, known: 5 });
});

test('LIBRARY-95 vector finds other words for the same, hybrid fuses the ranks of both', async () => {
  const { store, ports } = await library();
  const model = toyEmbedder('m');
  await fillVectors({ ...ports, embedder: model });
  expect(await best(store, 'bm25', 'harbour', model)).toEqual(['c.txt']);
  expect((await best(store, 'vector', 'port', model))[0]).toBe('a.txt');
  expect((await best(store, 'vector', 'king', model))[0]).toMatch(/^(b|copy)\.txt$/);
  expect(new Set(await best(store, 'hybrid', 'harbour', model))).toEqual(new Set(['a.txt', 'c.txt']));
  const { index, vectors } = await opened(store);
  const [passage] = await searchProfile('vector', { index, vectors, embedder: model, question: 'king', k: 1 });
  expect(passage).toMatchObject({ text: 'A monarch came in a canoe.', startLine: 1, endLine: 1 });
});

test('LIBRARY-96 another model makes the vectors anew, two are never mixed, and until all are there it says so and answers by words', async () => {
  const { store, ports } = await library();
  const first = toyEmbedder('m');
  await fillVectors({ ...ports, embedder: first });
  const why = async (profile: Profile, name: string | null): Promise<string | null> =>
    whyWords(profile, (await opened(store)).vectors, name);
  expect(await why('bm25', null)).toBeNull();
  expect(await why('hybrid', null)).toBe('No model for vectors is set up: "hybrid" is answered as bm25.');
  expect(await why('vector', 'toy/m')).toBeNull();
  expect(await why('vector', 'toy/other')).toBe(
    'Vectors of "toy/other" are still being made (0 of 4 passages have one): "vector" is answered as bm25.',
  );
  const other = toyEmbedder('other', 1);
  const seen: string[] = [];
  await fillVectors({ ...ports, embedder: other, onVectors: (known, of) => void seen.push(`${known}/${of}`) });
  expect(other.asked).toHaveLength(3);
  expect(seen).toEqual(['0/3', '3/3']);
  expect((await opened(store)).manifest.vectors?.model).toBe('toy/other');
  expect(await why('vector', 'toy/m')).toContain('0 of 4');
  expect(await why('vector', 'toy/other')).toBeNull();
});

test('LIBRARY-97 asked too often it waits and goes on, other failures end it with their sentence, and what was made is kept', async () => {
  const words = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`f${n}.txt`, `boat number ${n}`]));
  const { store, ports } = await library(words);
  const toy = toyEmbedder('m');
  let calls = 0;
  const waits: number[] = [];
  const model: Embedder = {
    name: toy.name,
    embed(texts) {
      calls += 1;
      if (calls === 2) return Promise.resolve(fail({ ...failure('rate_limited', 'Too often.'), retryAfterMs: 7_000 }));
      if (calls === 4) return Promise.resolve(fail(failure('model_unreachable', 'Nobody is there.')));
      return toy.embed(texts);
    },
  };
  const timers = {
    set: (run: () => void, ms: number) => {
      waits.push(ms);
      run();
      return 0;
    },
    clear: () => undefined,
  };
  await expect(fillVectors({ ...ports, timers, embedder: model })).rejects.toMatchObject({
    failure: { message: 'Nobody is there.' },
  });
  expect(waits).toEqual([7_000]);
  expect((await opened(store)).vectors).toMatchObject({ pieces: 70, known: 64 });
  await fillVectors({ ...ports, timers, embedder: model });
  expect(toy.asked).toHaveLength(70);
});

test('LIBRARY-94 killed before any change of what is stored, vectors are there or made again, and a damaged file is no vector', async () => {
  for (let kill = 0; kill < 4; kill++) {
    const { store, ports } = await library();
    let changes = 0;
    store.dies = () => changes++ === kill;
    await fillVectors({ ...ports, embedder: toyEmbedder('m') }).catch(() => undefined);
    store.dies = () => false;
    expect((await opened(store)).vectors.known % 4).toBe(0);
    await fillVectors({ ...ports, embedder: toyEmbedder('m') });
    expect((await opened(store)).vectors.known).toBe(4);
  }
  const { store, ports } = await library();
  await fillVectors({ ...ports, embedder: toyEmbedder('m') });
  const [id = ''] = (await opened(store)).manifest.vectors?.ids ?? [];
  store.segments.set(
    id,
    Uint8Array.from(store.segments.get(id) ?? [], (one, at) => (at === 40 ? one ^ 1 : one)),
  );
  expect((await opened(store)).vectors.known).toBe(0);
  await fillVectors({ ...ports, embedder: toyEmbedder('m') });
  expect((await opened(store)).vectors.known).toBe(4);
});

test('LIBRARY-94 8-bit numbers lose little, and keys differ where texts do', () => {
  const vector = Float32Array.from({ length: 64 }, (_, at) => Math.sin(at * at));
  const bytes = new Int8Array(64);
  const scale = quantized(vector, bytes);
  for (const [at, one] of vector.entries()) expect(Math.abs((bytes[at] ?? 0) * scale - one)).toBeLessThan(0.005);
  const keys = new Set(Array.from({ length: 200_000 }, (_, n) => pieceKey(`piece ${n}`)));
  expect(keys.size).toBe(200_000);
  expect(ok([...keys].every((key) => Number.isSafeInteger(key) && key >= 0))).toMatchObject({ value: true });
});
