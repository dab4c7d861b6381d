/** What a program in the cage has left: nothing that reaches anything, and so much memory. */

/** The policy and the missing origin keep these from reaching anything; what is not there cannot be tried either. */
const REACHING = [
  ...['fetch', 'XMLHttpRequest', 'importScripts', 'WebSocket', 'WebSocketStream', 'EventSource', 'WebTransport'],
  ...['indexedDB', 'caches', 'Worker', 'SharedWorker', 'BroadcastChannel', 'FileReaderSync', 'Notification'],
];

export function takeAway(): void {
  for (const name of REACHING)
    try {
      Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false });
    } catch {
      // What cannot be taken away is the policy's alone.
    }
  // Without it no text becomes a program.
  Object.defineProperty(URL, 'createObjectURL', { value: undefined, writable: false, configurable: false });
}

/** As `cage.js` does in its own worker: WebKit gives who has no origin a storage of caches, which no policy takes away. */
export function takeCaches(): void {
  for (let at: object | null = globalThis; at !== null; at = Object.getPrototypeOf(at) as object | null)
    if (Object.hasOwn(at, 'caches')) Object.defineProperty(at, 'caches', { value: undefined, configurable: false });
  if (typeof CacheStorage !== 'function') return;
  for (const name of Object.getOwnPropertyNames(CacheStorage.prototype))
    Object.defineProperty(CacheStorage.prototype, name, { value: undefined, configurable: false });
}

const PAGE_BYTES = 64 * 1024;

/** A program of WebAssembly grows through this: beyond the bound it has no more, which each engine says in its own words. */
export function boundMemory(megabytes: number): void {
  const { prototype } = WebAssembly.Memory;
  const grow = Object.getOwnPropertyDescriptor(prototype, 'grow')?.value as (pages: number) => number;
  Object.defineProperty(prototype, 'grow', {
    value(this: WebAssembly.Memory, pages: number): number {
      if (this.buffer.byteLength + pages * PAGE_BYTES > megabytes * 1024 * 1024)
        throw new RangeError('The cage has no more memory.');
      return grow.call(this, pages);
    },
    writable: false,
    configurable: false,
  });
}
