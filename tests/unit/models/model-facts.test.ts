import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnswerText, longestText, TextLimit } from '#adapters/models/engine.ts';
import { readGgufHeader } from '#adapters/models/gguf-header.ts';
import { schemaToGrammar } from '#adapters/models/grammar.ts';
import { toLocalModel } from '#adapters/models/manager.ts';
import { readMachine, type Machine } from '#adapters/models/machine.ts';
import { LISTED_MODELS } from '#adapters/models/model-list.ts';
import { makeTinyGguf } from '../../fixtures/tiny-gguf.ts';
import { MACHINE } from './manager-world.ts';

describe('MODEL-2: the list', () => {
  test("says what the pinned WebLLM's own list says: ids, libraries, memory, context", () => {
    const library = readFileSync(createRequire(import.meta.url).resolve('@mlc-ai/web-llm'), 'utf8');
    const version = /const modelVersion = "([^"]+)"/.exec(library)?.[1] ?? '';
    for (const model of LISTED_MODELS) {
      if (model.source.kind !== 'webllm') continue;
      const at = library.indexOf(`model_id: "${model.id}"`);
      expect(at, model.id).toBeGreaterThan(0);
      const entry = library.slice(at, library.indexOf('},\n        {', at));
      const file = model.source.library.split('/').at(-1) ?? '';
      expect(entry, model.id).toContain(`/${file}"`);
      expect(model.source.library).toContain(version);
      const memory = Number(/vram_required_MB: ([\d.]+)/.exec(entry)?.[1]);
      expect(model.memoryBytes / 1024 ** 2, model.id).toBeCloseTo(memory, 1);
      expect(entry).toContain(`context_window_size: ${model.contextLength}`);
      // Weights alone are never more than what they take in memory.
      expect(model.downloadBytes).toBeLessThan(memory * 1024 ** 2);
    }
  });

  test('names each model once, and for each that needs 16-bit numbers its twin that does not', () => {
    const ids = LISTED_MODELS.map((model) => model.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const model of LISTED_MODELS.filter((one) => one.needsF16)) {
      expect(LISTED_MODELS.find((one) => one.id === model.twinId)).toMatchObject({ needsF16: false, engine: 'webllm' });
    }
  });
});

describe('MODEL-13: what a machine can run is said in one sentence with the remedy', () => {
  const unfit = (id: string, machine: Partial<Machine>): string | null => {
    const listed = LISTED_MODELS.find((model) => model.id === id) ?? null;
    return toLocalModel(listed, null, null, { ...MACHINE, ...machine }).unfit;
  };
  const GPU = 'Qwen3-4B-q4f16_1-MLC';
  const CPU = 'Qwen3-4B-Q4_K_M';

  test.each<[string, Partial<Machine>, RegExp | null]>([
    [GPU, {}, null],
    [GPU, { webgpu: 'absent' }, /no WebGPU: choose a model that runs on the processor/],
    [GPU, { webgpu: 'no_adapter' }, /no graphics card/],
    [GPU, { software: true }, /imitated in software/],
    [GPU, { shader_f16: false }, /32-bit form/],
    ['Qwen3-4B-q4f32_1-MLC', { shader_f16: false }, null],
    [GPU, { max_buffer: 1e6 }, /too small buffers/],
    [CPU, { webgpu: 'absent' }, null],
    [CPU, { wasm64: false }, /64-bit WebAssembly/],
    [CPU, { memory: 2 * 1024 ** 3 }, /too little memory for it/],
    [CPU, { memory: null }, null],
  ])('%s on %o', (id, machine, words) => {
    if (words === null) expect(unfit(id, machine)).toBeNull();
    else expect(unfit(id, machine)).toMatch(words);
  });

  test('reads the adapter, and knows one that computes on the processor', async () => {
    const adapter = {
      features: { has: (name: string) => name === 'shader-f16' },
      limits: { maxStorageBufferBindingSize: 2 ** 27 },
      info: { vendor: 'google', architecture: 'swiftshader', device: '', description: '' },
    };
    const navigator = {
      gpu: { requestAdapter: async () => adapter },
      storage: { estimate: async () => ({ quota: 100, usage: 40 }) },
      hardwareConcurrency: 8,
    } as unknown as Navigator;
    expect(await readMachine(navigator, false)).toMatchObject({
      ...{ webgpu: 'ok', adapter: 'google swiftshader', software: true, shader_f16: true },
      ...{ max_buffer: 2 ** 27, threads: 1, free_storage: 60, memory: null },
    });
    const without = { storage: navigator.storage, hardwareConcurrency: 8 } as unknown as Navigator;
    expect(await readMachine(without, true)).toMatchObject({ webgpu: 'absent', adapter: null, threads: 8 });
    const refused = { ...without, gpu: { requestAdapter: async () => null } } as unknown as Navigator;
    expect((await readMachine(refused, true)).webgpu).toBe('no_adapter');
  });
});

describe('MODEL-9: the head of a GGUF file', () => {
  test('says name, architecture, licence and length; cut off anywhere, what was there', () => {
    const bytes = makeTinyGguf({ name: 'Tiny', contextLength: 512 });
    const header = { architecture: 'llama', name: 'Tiny', licence: 'apache-2.0', contextLength: 512 };
    expect(readGgufHeader(bytes)).toEqual(header);
    expect(readGgufHeader(bytes.subarray(0, 400))).toEqual(header);
    for (let cut = 0; cut < 600; cut += 7) readGgufHeader(bytes.subarray(0, cut));
    expect(readGgufHeader(new Uint8Array(100))).toBeNull();
  });

  test('survives any bytes', () => {
    const head = makeTinyGguf().slice(0, 900);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(899), fc.nat(255)), { maxLength: 20 }), (changes) => {
        const bytes = head.slice();
        for (const [at, value] of changes) bytes[at] = value;
        readGgufHeader(bytes);
      }),
    );
  });
});

describe('MODEL-12: grammar and limits of an answer', () => {
  test('MODEL-23 keeps the order of keys, leaves optional ones out, and refuses what it cannot hold', () => {
    const grammar = schemaToGrammar(
      {
        type: 'object',
        properties: { a: { type: 'boolean' }, b: { type: 'array', items: { type: 'integer' }, maxItems: 3 } },
        required: ['a'],
      },
      { bounded: true },
    );
    expect(grammar).toContain('"\\"a\\""');
    expect(grammar).toContain('{0,2}');
    for (const schema of [
      { type: 'string', pattern: '^x' },
      { type: 'object', patternProperties: {} },
      { type: 'object', properties: {}, required: ['gone'] },
      { type: 'number', minimum: 3 },
      { type: 'integer', minimum: 0, maximum: 5000 },
      { type: 'date' },
    ]) {
      expect(() => schemaToGrammar(schema, { bounded: true }), JSON.stringify(schema)).toThrow(/No grammar/);
    }
  });

  test('MODEL-23 a text that grows too long is seen, wherever the pieces are cut', () => {
    const schema = {
      properties: { why: { type: 'string', maxLength: 5 }, n: { type: 'string', enum: ['long enough'] } },
    };
    expect(longestText(schema)).toBe(5);
    expect(longestText({ type: 'string' })).toBe(Infinity);
    for (const [text, passed] of [
      ['{"why":"12345"}', false],
      ['{"why":"1\\"345"}', false],
      ['{"why":"123456', true],
    ] as const) {
      const limit = new TextLimit(5);
      for (const char of text) limit.passedBy(char);
      expect(limit.passed, text).toBe(passed);
      expect(new TextLimit(5).passedBy(text), text).toBe(passed);
    }
  });

  test('MODEL-23 blanks without end are seen, an answer that broke off is no answer', () => {
    const answer = new AnswerText(() => undefined);
    answer.add('{"a":1');
    answer.add(' '.repeat(47));
    expect(answer.padded).toBe(false);
    answer.add('\n');
    expect(answer.padded).toBe(true);
    const usage = { tokens_in: null, tokens_out: null, milliseconds: 1 };
    expect(answer.end('m', null, usage)).toMatchObject({ ok: false, failure: { code: 'model_cut' } });
    expect(new AnswerText(() => undefined).end('m', 'stop', usage)).toMatchObject({ failure: { code: 'model_empty' } });
  });
});
