import { expect, test } from 'vitest';
import { compiledFrom } from '#adapters/media/wasm-answer.ts';

/** A module with nothing in it. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

function answer(body: BodyInit, type: string, status = 200): Response {
  return new Response(body, { status, headers: { 'content-type': type } });
}

test.each(['application/wasm', 'application/octet-stream', 'application/wasm; charset=utf-8'])(
  'MEDIA-59, MEDIA-84 libvorbis compiles when its host calls it %s',
  async (type) => {
    expect(await compiledFrom(answer(EMPTY, type))).toBeInstanceOf(WebAssembly.Module);
  },
);

test('MEDIA-59 an answer that is not libvorbis is not called a browser that cannot run it', async () => {
  for (const other of [answer('<!doctype html>', 'text/html'), answer('Bad gateway', 'application/wasm', 502)]) {
    const thrown: unknown = await compiledFrom(other).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).not.toBeInstanceOf(WebAssembly.CompileError);
  }
  const unknown = Uint8Array.of(...EMPTY.subarray(0, 4), 99, 0, 0, 0);
  await expect(compiledFrom(answer(unknown, 'text/plain'))).rejects.toThrow(WebAssembly.CompileError);
});
