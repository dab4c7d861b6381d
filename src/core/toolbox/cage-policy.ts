/** What a browser is told of `cage.js`, the outer half of the toolbox's cage, and of all that it starts. */

/** Its address. With `?text` the engine makes code of text, as webR and ngspice do at their start. */
export const CAGE_SCRIPT = '/cage.js';

/** The Content-Security-Policy: nothing is fetched, nothing connected to; programs are WebAssembly and what was handed in. */
export const cagePolicy = (search: string): string =>
  `default-src 'none'; script-src ${search === '?text' ? "'unsafe-eval' " : ''}'wasm-unsafe-eval' blob:; worker-src data:`;
