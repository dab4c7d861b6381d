/**
 * The models that are offered. Bytes of GGUF files and their SHA-256 are the published ones; the ids, libraries and
 * memory needs of WebLLM's are those of its pinned version (held to it by a test), and their download sizes are figured
 * from the number of weights until the first download has read the list of parts.
 */
import type { LocalEngine } from '#core/agent/llm/providers.ts';
import { GGUF_ENGINE } from './engines.ts';

export interface ListedModel {
  id: string;
  name: string;
  engine: LocalEngine;
  source: WebllmSource | GgufSource;
  /** Bytes. */
  downloadBytes: number;
  /** Bytes of memory (of the graphics card for WebLLM) with a context of 4096 tokens. */
  memoryBytes: number;
  contextLength: number;
  licence: string;
  licenceUrl: string;
  needsF16: boolean;
  /** The same model for machines without `shader-f16`. */
  twinId: string | null;
}

export interface WebllmSource {
  kind: 'webllm';
  /** Folder of the weights, with a slash at its end. */
  base: string;
  /** The compiled library, bound to the version of WebLLM. */
  library: string;
}

export interface GgufSource {
  kind: 'gguf';
  url: string;
  /** Of the whole file, where it is published. */
  sha256: string | null;
}

const MB = 1e6;
const MIB = 1024 ** 2;
const LIBRARIES = 'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/';
const APACHE = { licence: 'Apache-2.0', licenceUrl: 'https://www.apache.org/licenses/LICENSE-2.0' };
const LLAMA_31 = {
  licence: 'Llama 3.1 Community License',
  licenceUrl: 'https://www.llama.com/llama3_1/license/',
};
const LLAMA_32 = {
  licence: 'Llama 3.2 Community License',
  licenceUrl: 'https://www.llama.com/llama3_2/license/',
};

/** Name, stem of the id, stem of the library, weights in millions, memory in MiB with f16 and with f32, licence. */
const WEBLLM: [string, string, string, number, number, number, typeof APACHE][] = [
  ['Qwen2.5 0.5B', 'Qwen2.5-0.5B-Instruct', 'Qwen2-0.5B-Instruct', 494, 944.62, 1060.2, APACHE],
  ['Llama 3.2 1B', 'Llama-3.2-1B-Instruct', 'Llama-3.2-1B-Instruct', 1236, 879.04, 1128.82, LLAMA_32],
  ['Qwen3 1.7B', 'Qwen3-1.7B', 'Qwen3-1.7B', 1721, 2036.66, 2635.44, APACHE],
  ['Llama 3.2 3B', 'Llama-3.2-3B-Instruct', 'Llama-3.2-3B-Instruct', 3213, 2263.69, 2951.51, LLAMA_32],
  ['Qwen3 4B', 'Qwen3-4B', 'Qwen3-4B', 4022, 3431.59, 4327.71, APACHE],
  ['Llama 3.1 8B', 'Llama-3.1-8B-Instruct', 'Llama-3_1-8B-Instruct', 8030, 5001, 6101.01, LLAMA_31],
];

/** Bits a weight: four, and a scale of 16 or 32 bits for each 32 weights. */
const BITS = { q4f16_1: 4.5, q4f32_1: 5 } as const;
/** Tokenizer, settings and library. */
const REST_BYTES = 15 * MB;

const webllmModels = WEBLLM.flatMap(([name, stem, library, millions, memory16, memory32, licence]): ListedModel[] => {
  const one = (form: keyof typeof BITS, memory: number, twin: string | null): ListedModel => ({
    id: `${stem}-${form}-MLC`,
    name: form === 'q4f16_1' ? name : `${name} (32-bit)`,
    engine: 'webllm',
    source: {
      kind: 'webllm',
      base: `https://huggingface.co/mlc-ai/${stem}-${form}-MLC/resolve/main/`,
      library: `${LIBRARIES}${library}-${form}_cs1k-webgpu.wasm`,
    },
    downloadBytes: Math.round((millions * 1e6 * BITS[form]) / 8 + REST_BYTES),
    memoryBytes: Math.round(memory * MIB),
    contextLength: 4096,
    ...licence,
    needsF16: form === 'q4f16_1',
    twinId: twin,
  });
  return [one('q4f16_1', memory16, `${stem}-q4f32_1-MLC`), one('q4f32_1', memory32, null)];
});

/** Name, address without host, bytes, SHA-256, tokens it was trained for, licence. */
const GGUF: [string, string, number, string, number, typeof APACHE][] = [
  [
    'Qwen2.5 0.5B',
    'Qwen/Qwen2.5-0.5B-Instruct-GGUF/resolve/9217f5db79a29953eb74d5343926648285ec7e67/qwen2.5-0.5b-instruct-q4_k_m.gguf',
    491_400_032,
    '74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db',
    32_768,
    APACHE,
  ],
  [
    'Llama 3.2 1B',
    'bartowski/Llama-3.2-1B-Instruct-GGUF/resolve/main/Llama-3.2-1B-Instruct-Q4_K_M.gguf',
    807_694_464,
    '6f85a640a97cf2bf5b8e764087b1e83da0fdb51d7c9fab7d0fece9385611df83',
    131_072,
    LLAMA_32,
  ],
  [
    'Qwen2.5 1.5B',
    'Qwen/Qwen2.5-1.5B-Instruct-GGUF/resolve/91cad51170dc346986eccefdc2dd33a9da36ead9/qwen2.5-1.5b-instruct-q4_k_m.gguf',
    1_117_320_736,
    '6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e',
    32_768,
    APACHE,
  ],
  [
    'Qwen3 1.7B',
    'Qwen/Qwen3-1.7B-GGUF/resolve/90862c4b9d2787eaed51d12237eafdfe7c5f6077/Qwen3-1.7B-Q8_0.gguf',
    1_834_426_016,
    '061b54daade076b5d3362dac252678d17da8c68f07560be70818cace6590cb1a',
    32_768,
    APACHE,
  ],
  [
    'Qwen3 4B',
    'Qwen/Qwen3-4B-GGUF/resolve/bc640142c66e1fdd12af0bd68f40445458f3869b/Qwen3-4B-Q4_K_M.gguf',
    2_497_280_256,
    '7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5',
    32_768,
    APACHE,
  ],
];

const ggufModels = GGUF.map(([name, path, bytes, sha256, contextLength, licence]): ListedModel => {
  const url = `https://huggingface.co/${path}`;
  return {
    id: fileName(url).replace(/\.gguf$/, ''),
    name,
    engine: GGUF_ENGINE,
    source: { kind: 'gguf', url, sha256 },
    downloadBytes: bytes,
    memoryBytes: memoryOfGguf(bytes),
    contextLength,
    ...licence,
    needsF16: false,
    twinId: null,
  };
});

export const LISTED_MODELS: readonly ListedModel[] = [...webllmModels, ...ggufModels];

/** Weights are read into memory as they are; working space and the tokens' memory come on top. */
export function memoryOfGguf(bytes: number): number {
  return Math.round(bytes * 1.1) + 300 * MIB;
}

export function fileName(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}
