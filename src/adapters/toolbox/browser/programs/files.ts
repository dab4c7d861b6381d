/**
 * What engines ask for by address, answered from what the page handed in: in the cage there is no network.
 */
export interface GivenFile {
  /** Path: `R.wasm`, `vfs/etc/fonts.conf`. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Where engines are told that their files are. */
export const FILES_AT = 'https://cage.invalid/';

const TYPES: Readonly<Record<string, string>> = {
  wasm: 'application/wasm',
  js: 'text/javascript',
  json: 'application/json',
};

/** Puts a `fetch`, an `XMLHttpRequest` and an `importScripts` in the place of the browser's. */
export function serveFiles(files: readonly GivenFile[]): void {
  const byName = new Map(files.map((file) => [file.name, file.bytes]));
  const find = (address: string): Uint8Array<ArrayBuffer> | undefined =>
    byName.get(decodeURIComponent(address.replace(FILES_AT, '').replace(/[?#].*$/, '')));
  const put = (name: string, value: unknown): void =>
    void Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  put('fetch', (asked: Request | URL | string) => {
    const address = asked instanceof Request ? asked.url : String(asked);
    return Promise.resolve(answerOf(find(address), address));
  });
  put('XMLHttpRequest', requestOver(find));
  put('importScripts', (...addresses: string[]) => {
    for (const address of addresses) runText(new TextDecoder().decode(find(address)));
  });
}

/** Code that came with the app, where the policy lets code be made of text. */
export const runText = (code: string): unknown => (0, eval)(code);

function answerOf(bytes: Uint8Array<ArrayBuffer> | undefined, address: string): Response {
  if (bytes === undefined) return new Response(null, { status: 404 });
  const type = TYPES[/\.(\w+)$/.exec(address)?.[1] ?? ''] ?? 'application/octet-stream';
  return new Response(bytes, { headers: { 'content-type': type, 'content-length': String(bytes.length) } });
}

/** As much of XMLHttpRequest as emscripten's programs use. */
function requestOver(find: (address: string) => Uint8Array<ArrayBuffer> | undefined): unknown {
  return class {
    responseType = '';
    readyState = 0;
    status = 0;
    response: unknown = null;
    responseText = '';
    onload: (() => void) | null = null;
    onerror: (() => void) | null = null;
    #bytes: Uint8Array<ArrayBuffer> | undefined;
    #async = true;

    open(_method: string, address: string, isAsync = true): void {
      this.#bytes = find(address);
      this.#async = isAsync;
    }
    send(): void {
      this.readyState = 4;
      this.status = this.#bytes === undefined ? 404 : 200;
      if (this.#bytes !== undefined && this.responseType === 'arraybuffer') this.response = this.#bytes.slice().buffer;
      else if (this.#bytes !== undefined) this.response = this.responseText = this.#text();
      if (this.#async) queueMicrotask(() => this.onload?.());
      else this.onload?.();
    }
    /** Bytes as text: a program that wants them says so by its character set. */
    #text(): string {
      return new TextDecoder(this.#isBinary ? 'latin1' : 'utf-8').decode(this.#bytes);
    }
    #isBinary = false;
    overrideMimeType(type: string): void {
      this.#isBinary = type.includes('x-user-defined');
    }
    getResponseHeader(name: string): string | null {
      return name.toLowerCase() === 'content-length' ? String(this.#bytes?.length ?? 0) : null;
    }
    setRequestHeader(): void {}
  };
}
