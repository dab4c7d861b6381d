import { expect, test } from 'vitest';
import type { DownloadProgress, LocalModel } from '#adapters/models/model-api.ts';
import type { ListedModel } from '#adapters/models/model-list.ts';
import type { Result } from '#core/result.ts';
import { makeTinyGguf } from '../../fixtures/tiny-gguf.ts';
import { hash, PART_BYTES, someBytes, World } from './manager-world.ts';

const BASE = 'https://models.test/mlc/resolve/main/';
const LIBRARY = 'https://libs.test/one.wasm';
const GGUF = 'https://models.test/big.gguf';
const nothing = (): void => undefined;

const SHARDS = [someBytes(200_000, 1), someBytes(150_000, 2), someBytes(90_000, 3)];

const common = {
  ...{ name: 'One', memoryBytes: 1e6, contextLength: 4096, licence: 'Apache-2.0', licenceUrl: '', twinId: null },
};
const WEBLLM: ListedModel = {
  ...common,
  id: 'one-q4f16_1-MLC',
  engine: 'webllm',
  source: { kind: 'webllm', base: BASE, library: LIBRARY },
  downloadBytes: 450_000,
  needsF16: true,
};

function webllmWorld(from = BASE, library = LIBRARY): World {
  const world = new World([WEBLLM]);
  const json = (value: unknown) => new Uint8Array(new TextEncoder().encode(JSON.stringify(value)));
  world.etag = null;
  world.files.set(`${from}mlc-chat-config.json`, json({ tokenizer_files: ['vocab.json', 'tokenizer.json'] }));
  world.files.set(`${from}tokenizer.json`, json({ tokens: [] }));
  world.files.set(library, someBytes(5000, 9));
  const records = SHARDS.map((shard, at) => ({
    dataPath: `params_shard_${at}.bin`,
    nbytes: shard.length,
    md5sum: hash('md5', shard),
  }));
  world.files.set(`${from}tensor-cache.json`, json({ metadata: {}, records }));
  SHARDS.forEach((shard, at) => world.files.set(`${from}params_shard_${at}.bin`, shard));
  return world;
}

/** A GGUF of two parts and a bit. */
function ggufWorld(published = true): World {
  const head = makeTinyGguf();
  const bytes = new Uint8Array(PART_BYTES + 300_000);
  bytes.set(head);
  const listed: ListedModel = {
    ...common,
    id: 'big',
    engine: 'wllama',
    source: { kind: 'gguf', url: GGUF, sha256: published ? hash('sha256', bytes) : null },
    downloadBytes: bytes.length,
    needsF16: false,
  };
  const world = new World([listed]);
  world.files.set(GGUF, bytes);
  return world;
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
function codeOf(result: Result<unknown>): string {
  return result.ok ? 'ok' : result.failure.code;
}
async function only(world: World): Promise<LocalModel> {
  const [model] = valueOf(await world.tab().models());
  if (model === undefined) throw new Error('no model');
  return model;
}

test('MODEL-2: parts of a WebLLM model lie where WebLLM looks for them, with bytes, speed and time left on the way', async () => {
  const world = webllmWorld();
  expect((await only(world)).state).toBe('absent');
  const heard: DownloadProgress[] = [];
  const model = valueOf(await world.tab().download(WEBLLM.id, (progress) => heard.push(progress)));
  expect(model).toMatchObject({ state: 'ready', have_bytes: model.download_bytes });
  expect([...world.kept.keys()]).toEqual([
    `webllm/config ${BASE}mlc-chat-config.json`,
    `webllm/model ${BASE}tensor-cache.json`,
    `webllm/model ${BASE}tokenizer.json`,
    `webllm/wasm ${LIBRARY}`,
    ...SHARDS.map((_, at) => `webllm/model ${BASE}params_shard_${at}.bin`),
  ]);
  const last = heard.at(-1);
  expect(last?.bytes).toBe(model.have_bytes);
  expect(heard.some(({ seconds_left, bytes_per_second }) => seconds_left !== null && bytes_per_second > 0)).toBe(true);
  expect(heard.every((one, at) => at === 0 || one.bytes >= (heard[at - 1]?.bytes ?? 0))).toBe(true);
});

test('MODEL-3: a pause keeps the parts that came; another download fetches the rest and nothing twice', async () => {
  const world = webllmWorld();
  const tab = world.tab();
  world.beforeChunk = (url, at) => {
    if (url.endsWith('shard_1.bin') && at > 0) void tab.pause(WEBLLM.id);
  };
  const paused = valueOf(await tab.download(WEBLLM.id, nothing));
  expect(paused.state).toBe('partial');
  expect(paused.have_bytes).toBeGreaterThan(200_000);
  const before = world.asked.length;
  world.beforeChunk = nothing;
  expect(valueOf(await tab.download(WEBLLM.id, nothing)).state).toBe('ready');
  expect(world.asked.slice(before)).toEqual(['params_shard_1.bin', 'params_shard_2.bin']);
});

test('MODEL-3, MODEL-18: one big file is fetched and taken up again in ranges', async () => {
  const world = ggufWorld();
  const tab = world.tab();
  world.beforeChunk = (_, at) => {
    if (world.kept.size === 1 && at > 0) void tab.pause('big');
  };
  expect(valueOf(await tab.download('big', nothing))).toMatchObject({ state: 'partial', have_bytes: PART_BYTES });
  world.beforeChunk = nothing;
  expect(valueOf(await world.tab().download('big', nothing)).state).toBe('ready');
  const end = PART_BYTES + 300_000 - 1;
  expect(world.asked).toEqual([
    'big.gguf 0-65535',
    `big.gguf 0-${PART_BYTES - 1}`,
    `big.gguf ${PART_BYTES}-${end}`,
    `big.gguf ${PART_BYTES}-${end}`,
  ]);
  const whole = valueOf(await world.tab().gguf('big'));
  expect(hash('sha256', new Uint8Array(await whole.arrayBuffer()))).toBe(
    hash('sha256', world.files.get(GGUF) ?? new Uint8Array()),
  );
});

test('MODEL-3, MODEL-18: where no ranges are offered the file comes as one part', async () => {
  const world = ggufWorld();
  world.ranges = false;
  expect(valueOf(await world.tab().download('big', nothing)).state).toBe('ready');
  expect([...world.kept.keys()]).toEqual(['big.0']);
});

test('MODEL-4: without twice the room nothing is fetched, and the failure says how much is missing', async () => {
  const world = webllmWorld();
  world.free = 800_000;
  const result = await world.tab().download(WEBLLM.id, nothing);
  expect(result).toMatchObject({ ok: false, failure: { code: 'storage_full' } });
  expect(world.kept.size).toBe(0);
  // What is there already needs no room any more.
  world.free = 1e12;
  const tab = world.tab();
  world.beforeChunk = (url) => {
    if (url.endsWith('shard_2.bin')) void tab.pause(WEBLLM.id);
  };
  valueOf(await tab.download(WEBLLM.id, nothing));
  world.beforeChunk = nothing;
  world.free = 800_000;
  expect(valueOf(await tab.download(WEBLLM.id, nothing)).state).toBe('ready');
});

test('MODEL-5: a part that is not as published is not kept', async () => {
  const world = webllmWorld();
  world.files.set(`${BASE}params_shard_1.bin`, someBytes(150_000, 77));
  expect(codeOf(await world.tab().download(WEBLLM.id, nothing))).toBe('model_damaged');
  expect(world.kept.has(`webllm/model ${BASE}params_shard_1.bin`)).toBe(false);
  expect((await only(world)).state).toBe('partial');
});

test('MODEL-5, MODEL-19: verify finds the damaged part by our own record, and only that one is fetched again', async () => {
  const world = webllmWorld();
  valueOf(await world.tab().download(WEBLLM.id, nothing));
  const key = `webllm/model ${BASE}params_shard_2.bin`;
  world.kept.set(key, someBytes(90_000, 1234));
  expect(valueOf(await world.tab().verify(WEBLLM.id))).toEqual({ damaged: 1 });
  expect(await only(world)).toMatchObject({ state: 'partial' });
  expect(codeOf(await world.tab().ready(WEBLLM.id))).toBe('model_missing');
  const before = world.asked.length;
  expect(valueOf(await world.tab().download(WEBLLM.id, nothing)).state).toBe('ready');
  expect(world.asked.slice(before)).toEqual(['params_shard_2.bin']);
  expect(valueOf(await world.tab().verify(WEBLLM.id))).toEqual({ damaged: 0 });
});

test('MODEL-5, MODEL-20: a whole that is not as published is thrown away; one that changed at its address is never mixed', async () => {
  const world = ggufWorld();
  const bytes = world.files.get(GGUF)?.slice() ?? new Uint8Array();
  bytes[bytes.length - 1] = 1;
  world.files.set(GGUF, bytes);
  expect(codeOf(await world.tab().download('big', nothing))).toBe('model_damaged');
  expect(world.kept.size).toBe(0);

  const other = ggufWorld(false);
  const tab = other.tab();
  other.beforeChunk = (_, at) => {
    if (other.kept.size === 1 && at > 0) void tab.pause('big');
  };
  valueOf(await tab.download('big', nothing));
  other.beforeChunk = nothing;
  other.etag = '"two"';
  expect(codeOf(await tab.download('big', nothing))).toBe('model_damaged');
});

test('MODEL-6: two tabs do not fetch one model twice', async () => {
  const world = webllmWorld();
  const results = await Promise.all([
    world.tab().download(WEBLLM.id, nothing),
    world.tab().download(WEBLLM.id, nothing),
  ]);
  expect(results.map((result) => valueOf(result).state)).toEqual(['ready', 'ready']);
  expect(new Set(world.asked.filter((one) => one.includes('shard'))).size).toBe(3);
  expect(world.asked.filter((one) => one.includes('shard'))).toHaveLength(3);
});

test('MODEL-7: a part that breaks off is tried again after a while, and is said when it keeps breaking', async () => {
  const world = webllmWorld();
  let breaks = 2;
  world.beforeChunk = (url, at) => {
    if (!url.endsWith('shard_1.bin') || at === 0 || breaks === 0) return;
    breaks -= 1;
    throw new Error('connection reset');
  };
  expect(valueOf(await world.tab().download(WEBLLM.id, nothing)).state).toBe('ready');
  expect(world.waits).toEqual([1000, 5000]);
  await world.tab().remove(WEBLLM.id);
  breaks = 1000;
  expect(codeOf(await world.tab().download(WEBLLM.id, nothing))).toBe('model_unreachable');
  expect((await only(world)).state).toBe('partial');
});

test('MODEL-8: a mirror serves the same parts, which lie under their usual address', async () => {
  const root = 'https://own.test/llm/';
  const world = webllmWorld(`${root}${WEBLLM.id}/`, `${root}libs/one.wasm`);
  world.mirror = 'https://own.test/llm';
  expect(valueOf(await world.tab().download(WEBLLM.id, nothing)).state).toBe('ready');
  expect([...world.kept.keys()]).toContain(`webllm/model ${BASE}params_shard_0.bin`);
  expect([...world.kept.keys()]).toContain(`webllm/wasm ${LIBRARY}`);
});

test('MODEL-9: a GGUF by address or from a file says what it is; anything else is refused', async () => {
  const world = new World([]);
  const url = 'https://own.test/my%20model.gguf';
  world.files.set(url, makeTinyGguf({ name: 'Mine' }));
  const tab = world.tab();
  const byUrl = valueOf(await tab.addGguf({ url }, ''));
  expect(byUrl).toMatchObject({
    name: 'Mine',
    own: true,
    state: 'absent',
    context_length: 16_384,
    licence: 'apache-2.0',
  });
  expect(valueOf(await tab.download(byUrl.id, nothing)).state).toBe('ready');
  const file = new File([makeTinyGguf()], 'local.gguf');
  const local = valueOf(await tab.addGguf({ file }, 'From here'));
  expect(local).toMatchObject({ name: 'From here', state: 'ready', have_bytes: file.size });
  expect(valueOf(await tab.verify(local.id))).toEqual({ damaged: 0 });

  expect(codeOf(await tab.addGguf({ file: new File(['no model'], 'x.gguf') }, ''))).toBe('file_unsupported');
  expect(codeOf(await tab.addGguf({ url: 'https://own.test/none.gguf' }, ''))).toBe('model_missing');
  expect(codeOf(await tab.addGguf({ url: 'ftp://x/y.gguf' }, ''))).toBe('invalid');
});

test('MODEL-9, MODEL-21: removing frees every byte, while a download runs too', async () => {
  const world = webllmWorld();
  const tab = world.tab();
  let removed: Promise<Result<{ freed: number }>> | null = null;
  world.beforeChunk = (url) => {
    if (url.endsWith('shard_2.bin')) removed ??= tab.remove(WEBLLM.id);
  };
  await tab.download(WEBLLM.id, nothing);
  expect(valueOf(await (removed ?? tab.remove(WEBLLM.id))).freed).toBeGreaterThan(350_000);
  expect(world.kept.size).toBe(0);
  expect(world.rows.size).toBe(0);
});

test('MODEL-16: a tab that is closed while a file is copied in leaves a model that can be finished or deleted', async () => {
  const world = new World([]);
  const file = new File([makeTinyGguf()], 'local.gguf');
  const closed = async (): Promise<LocalModel> => {
    const there = new Promise<void>((whole) => {
      world.afterPut = () => {
        whole();
        return new Promise(() => undefined);
      };
    });
    void world.tab().addGguf({ file }, 'Mine');
    await there;
    world.closeTabs();
    world.afterPut = nothing;
    return only(world);
  };
  const first = await closed();
  expect(first).toMatchObject({ name: 'Mine', own: true, state: 'partial', have_bytes: file.size });
  expect(valueOf(await world.tab().download(first.id, nothing)).state).toBe('ready');
  expect(world.asked).toEqual([]);
  expect(valueOf(await world.tab().remove(first.id))).toEqual({ freed: file.size });

  const second = await closed();
  // Closed before its bytes were whole: nothing here can fetch them.
  world.kept.clear();
  const result = await world.tab().download(second.id, nothing);
  expect(result).toMatchObject({ failure: { message: '"Mine" was not copied in whole.' } });
  valueOf(await world.tab().remove(second.id));
  expect([world.rows.size, world.kept.size]).toEqual([0, 0]);
});

test('MODEL-16, MODEL-25: a file that does not fit leaves nothing', async () => {
  const world = new World([]);
  world.afterPut = () => {
    world.kept.clear();
    throw new Error('full');
  };
  const result = await world.tab().addGguf({ file: new File([makeTinyGguf()], 'local.gguf') }, '');
  expect(result.ok).toBe(false);
  expect(world.rows.size).toBe(0);
});

test('MODEL-17: the query of an address is sent to its place and neither shown nor stored in the row', async () => {
  const world = new World([]);
  const url = 'https://own.test/mine.gguf?token=sesame';
  world.files.set(url, makeTinyGguf({ name: 'Mine' }));
  const model = valueOf(await world.tab().addGguf({ url }, ''));
  expect(JSON.stringify([...world.rows.values()])).not.toContain('sesame');
  expect(valueOf(await world.tab().download(model.id, nothing)).state).toBe('ready');
  expect(JSON.stringify([...world.rows.values()])).not.toContain('sesame');
  expect([...world.queries.values()]).toEqual(['?token=sesame']);
  valueOf(await world.tab().remove(model.id));
  expect(world.queries.size).toBe(0);

  const said = [
    await world.tab().addGguf({ url: 'https://own.test/none.gguf?token=sesame' }, ''),
    await world.tab().addGguf({ url: 'ftp://x/y.gguf?token=sesame' }, ''),
  ];
  expect(said.map(codeOf)).toEqual(['model_missing', 'invalid']);
  expect(JSON.stringify(said)).not.toContain('sesame');
  const [missing] = said;
  expect(missing).toMatchObject({ failure: { message: expect.stringContaining('https://own.test/none.gguf') } });
});
