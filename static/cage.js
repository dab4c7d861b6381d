/*
 * The outer half of the toolbox's cage. It is served with a policy of its own (docs/decisions/102-toolbox-cage-browser.md):
 * nothing may be fetched, nothing connected to. What it starts from a `data:` address inherits that policy and belongs to no
 * origin, so that it has no storage either. The program comes as a text: an address may be 2 MB long at most in Chromium.
 * WebKit imports nothing where there is no origin; there the program is evaluated where that may be, or is the address itself
 * (docs/decisions/157-webkit-in-the-cage.md).
 */

/* Before any program: WebKit gives who has no origin a storage of caches, apart from the app's. It is no more to be had. */
const FIRST = `for (let at = globalThis; at !== null; at = Object.getPrototypeOf(at))
  if (Object.hasOwn(at, 'caches')) Object.defineProperty(at, 'caches', { value: undefined, configurable: false });
if (typeof CacheStorage === 'function')
  for (const name of Object.getOwnPropertyNames(CacheStorage.prototype))
    Object.defineProperty(CacheStorage.prototype, name, { value: undefined, configurable: false });
`;

const INNER = `${FIRST}
addEventListener('message', async ({ data: program }) => {
  const address = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const refused = await import(address).then(() => null, String);
  URL.revokeObjectURL(address);
  try {
    if (refused !== null) (0, eval)('"use strict";' + program);
    postMessage({ loaded: true });
  } catch {
    postMessage({ refused: 'Error: ' + refused });
  }
}, { once: true });`;

const start = (address) => new Worker(address, { type: 'module' });

onmessage = ({ data, ports }) => {
  let refused = null;
  const listen = (inner) => {
    inner.onmessage = (event) => {
      if (event.data.loaded === true) inner.postMessage(data.first, ports);
      else if (event.data.refused === undefined) postMessage(event.data);
      else {
        refused = event.data.refused;
        inner.terminate();
        const program = new Blob([FIRST, data.program, '\n;postMessage({ loaded: true });'], {
          type: 'text/javascript',
        });
        listen(start(new FileReaderSync().readAsDataURL(program)));
      }
    };
    inner.onerror = (event) => postMessage({ failed: refused ?? String(event.message ?? 'it ended by itself') });
    return inner;
  };
  listen(start(`data:text/javascript,${encodeURIComponent(INNER)}`)).postMessage(data.program);
};
