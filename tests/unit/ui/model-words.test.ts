import { describe, expect, it } from 'vitest';
import type { LocalModel, MachineReport } from '#adapters/models/model-api.ts';
import { machineWords, modelSize, offered, speedWords, whatLeaves } from '#ui/settings/model/model-words.ts';

const machine: MachineReport = {
  webgpu: 'ok',
  adapter: 'apple m2',
  software: false,
  shader_f16: true,
  max_buffer: 4e9,
  threads: 8,
  isolated: true,
  memory: 8 * 1024 ** 3,
  free_storage: 5e9,
};
const model = (id: string, patch: Partial<LocalModel> = {}): LocalModel => ({
  id,
  name: id,
  engine: 'webllm',
  download_bytes: 1_100_000_000,
  memory_bytes: 2_000_000_000,
  context_length: 4096,
  licence: 'Apache-2.0',
  licence_url: null,
  needs_f16: true,
  unfit: null,
  twin_id: null,
  state: 'absent',
  have_bytes: 0,
  own: false,
  ...patch,
});

describe('TRACE-8: what leaves the computer', () => {
  it.each([
    ['none', null, null, /^Nothing is sent/],
    ['webllm', null, null, /^Nothing of yours leaves this computer/],
    ['wllama', null, null, /^Nothing of yours leaves this computer/],
    ['ollama', 'http://localhost:11434', 'loopback', /go to http:\/\/localhost:11434, which is this computer/],
    ['ollama', 'http://nas:11434', 'local', /http:\/\/nas:11434, in your network/],
    ['openai', 'https://api.example.com/v1', 'public', /File names, tags.*https:\/\/api\.example\.com, whose operator/],
    ['broker', 'https://music.example', 'public', /https:\/\/music\.example, which passes them on/],
    ['openai', null, null, /go to that address/],
  ] as const)('TRACE-8 says for %s at %s', (provider, address, place, sentence) => {
    expect(whatLeaves(provider, address, place)).toMatch(sentence);
  });

  it('TRACE-8 promises that audio is not sent wherever something is', () => {
    for (const provider of ['ollama', 'openai', 'broker'] as const) {
      expect(whatLeaves(provider, 'http://host', 'local')).toContain('Audio is not sent.');
    }
  });
});

describe('TRACE-9: what this machine can run', () => {
  it('TRACE-9 names a missing, an empty and a simulated WebGPU, each with what to do', () => {
    const gone = machineWords({ ...machine, webgpu: 'absent' }, 'webllm');
    expect(gone).toMatchObject({ tone: 'bad' });
    expect(gone.words).toMatch(/no WebGPU.*processor/);
    expect(machineWords({ ...machine, webgpu: 'no_adapter' }, 'webllm').words).toMatch(/hardware acceleration/);
    const slow = machineWords({ ...machine, software: true, adapter: 'swiftshader' }, 'webllm');
    expect(slow).toMatchObject({ tone: 'attention' });
    expect(slow.words).toMatch(/swiftshader.*too slow.*processor/);
  });

  it('TRACE-9 without f16 the 32-bit form is offered, with it that form is left out', () => {
    const pair = (unfit: string | null): LocalModel[] => [
      model('a', { twin_id: 'a32', unfit }),
      model('a32', { needs_f16: false }),
    ];
    expect(offered(pair('no f16'), 'webllm', '').map(({ id }) => id)).toEqual(['a', 'a32']);
    expect(offered(pair(null), 'webllm', '').map(({ id }) => id)).toEqual(['a']);
    expect(offered(pair(null), 'webllm', 'a32').map(({ id }) => id)).toEqual(['a', 'a32']);
    expect(offered(pair(null), 'wllama', '')).toEqual([]);
    expect(machineWords({ ...machine, shader_f16: false }, 'webllm').words).toMatch(/32-bit/);
  });

  it('TRACE-9 says how many threads there are and why not more', () => {
    expect(machineWords(machine, 'wllama').words).toBe('The processor: 8 threads, about 8\u00a0GB of memory.');
    expect(machineWords({ ...machine, isolated: false, memory: null }, 'wllama').words).toMatch(/1 thread \(one only/);
  });

  it('TRACE-9, TRACE-17 says what is still to be downloaded', () => {
    expect(modelSize(model('a'))).toMatch(/^1\.1\u00a0GB to download/);
    expect(modelSize(model('a', { state: 'partial', have_bytes: 100_000_000 }))).toMatch(
      /^1\.0\u00a0GB of 1\.1\u00a0GB to/,
    );
    expect(modelSize(model('a', { state: 'ready', have_bytes: 1_100_000_000 }))).toMatch(/^1\.1\u00a0GB \u00b7/);
  });

  it('TRACE-8 says what a speed means for waiting', () => {
    expect(speedWords(20)).toMatch(/about 1\.2\u00a0s, and more/);
    expect(speedWords(900)).toMatch(/slow/);
  });
});
