/** Of which parts a model is made: asked at its address before anything is fetched. */
import { joinBytes } from '#core/ingest/bytes.ts';
import { chunksOf } from '../media/blob-pieces.ts';
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import { fetched, shown } from './download.ts';
import { type GgufHeader, readGgufHeader } from './gguf-header.ts';
import { fileName, type WebllmSource } from './model-list.ts';
import type { Fetch, Part } from './parts.ts';

/** Bytes of one part of a GGUF file: what a pause or a damaged part costs at most. */
const PART_BYTES = 32 * 1024 ** 2;
/** Bytes of a GGUF file that are read: its name and limits come before its vocabulary. */
const HEADER_BYTES = 64 * 1024;

const NO_PART = { start: null, bytes: null, md5: null, sha256: null };

export interface GgufPlan {
  parts: Part[];
  version: string | null;
  header: GgufHeader;
}

/** `id` names the parts in their store; `listed` bytes help where a page may not read the size. Throws AccessionError: what the address answered, or `file_unsupported`. */
export async function planGguf(
  id: string,
  url: string,
  listed: number | null,
  fetch: Fetch,
  signal: AbortSignal,
  partBytes = PART_BYTES,
): Promise<GgufPlan> {
  const response = await fetched(fetch, url, { headers: { range: `bytes=0-${HEADER_BYTES - 1}` }, signal });
  const header = readGgufHeader(await head(response));
  if (header === null)
    throw failed('file_unsupported', `"${fileName(url)}" is no GGUF file.`, {
      remedy: 'Enter the address of a .gguf file.',
    });
  const version = response.headers.get('etag');
  const total = response.status === 206 ? (totalOf(response.headers.get('content-range')) ?? listed) : null;
  if (total === null) {
    const bytes = Number(response.headers.get('content-length') ?? Number.NaN);
    const whole = response.status === 200 && Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null;
    return { parts: [{ ...NO_PART, key: `${id}.0`, url, bytes: whole }], version, header };
  }
  const parts = Array.from({ length: Math.ceil(total / partBytes) }, (_, at): Part => {
    const start = at * partBytes;
    return { ...NO_PART, key: `${id}.${at}`, url, start, bytes: Math.min(partBytes, total - start) };
  });
  return { parts, version, header };
}

const ChatConfigSchema = v.object({
  tokenizer_files: v.array(v.string()),
  context_window_size: v.optional(v.number()),
});
const TensorListSchema = v.object({
  records: v.array(
    v.object({
      dataPath: v.pipe(v.string(), v.regex(/^[\w.-]+$/)),
      nbytes: v.number(),
      md5sum: v.optional(v.pipe(v.string(), v.toLowerCase(), v.regex(/^[0-9a-f]{32}$/))),
    }),
  ),
});

/**
 * The parts lie where WebLLM looks for them, under their usual address, wherever they are fetched from: `mirror` is a
 * folder with `<id>/` and `libs/` in it, '' the usual place.
 */
export async function planWebllm(
  id: string,
  { base, library }: WebllmSource,
  mirror: string,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<Part[]> {
  const root = mirror === '' ? null : mirror.replace(/\/*$/, '/');
  const place = root === null ? base : `${root}${id}/`;
  const from = (path: string): string => new URL(path, place).href;
  const part = (cache: string, path: string, more: Partial<Part> = {}): Part => ({
    ...NO_PART,
    key: `webllm/${cache} ${new URL(path, base).href}`,
    url: from(path),
    ...more,
  });
  const read = async <T extends v.GenericSchema>(path: string, schema: T): Promise<v.InferOutput<T>> => {
    const url = from(path);
    const response = await fetched(fetch, url, { signal });
    const parsed = v.safeParse(schema, await response.json().catch(() => null));
    if (parsed.success) return parsed.output;
    throw failed('model_error', `The list of parts at ${shown(url)} is not one that WebLLM writes.`);
  };
  const config = await read('mlc-chat-config.json', ChatConfigSchema);
  const { records } = await read('tensor-cache.json', TensorListSchema);
  const tokenizer = ['tokenizer.json', 'tokenizer.model'].find((file) => config.tokenizer_files.includes(file));
  if (tokenizer === undefined) throw failed('model_error', `The model "${id}" has no tokenizer.`);
  return [
    part('config', 'mlc-chat-config.json'),
    part('model', 'tensor-cache.json'),
    part('model', tokenizer),
    { ...NO_PART, key: `webllm/wasm ${library}`, url: root === null ? library : `${root}libs/${fileName(library)}` },
    ...records.map(({ dataPath, nbytes, md5sum }) => part('model', dataPath, { bytes: nbytes, md5: md5sum ?? null })),
  ];
}

/** The first bytes of an answer; the rest is not fetched. */
async function head(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body === null ? [] : chunksOf(response.body)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= HEADER_BYTES) break;
  }
  return joinBytes(chunks);
}

/** `bytes 0-65535/491400032`; null where a page of another origin may not read it. */
export function totalOf(contentRange: string | null): number | null {
  const total = /\/(\d+)$/.exec(contentRange ?? '')?.[1];
  return total === undefined ? null : Number(total);
}
