/** WebAssembly of what a server answered with. */

/** The first four bytes of every module: NUL, `asm`. */
const MAGIC = [0, 0x61, 0x73, 0x6d];

/**
 * Compiles while it comes where the server names its type; else when all is there. Throws CompileError when this browser
 * cannot run it, another Error when it is not what came: the server refuses, or a portal's page came in its place.
 */
export async function compiledFrom(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`the server answered with ${response.status}`);
  if (response.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (MAGIC.some((byte, at) => bytes[at] !== byte)) throw new Error('the server answered with something else');
  return WebAssembly.compile(bytes);
}
