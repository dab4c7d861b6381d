/** How each engine is opened in Node. It is loaded by what runs in the cage alone; in a browser `../browser/programs` does the same. */
import type { CageJob } from '#core/toolbox/cage.ts';
import type { Engine } from '#core/toolbox/engine.ts';

export const ENGINES: Readonly<Partial<Record<CageJob['runtime'], () => Promise<Engine>>>> = {
  r: async () => (await import('./r.ts')).openR({}),
  sql: async () => (await import('./sql.ts')).openSql(await (await import('./in-node/duckdb.ts')).openDuckDb()),
  spice: async () => (await import('./spice.ts')).openSpice(),
  mine: async () => (await import('./mine.ts')).openMine(),
  python: async () => (await import('./python.ts')).openPython((await import('./in-node/pyodide.ts')).PYODIDE),
  draw: async () => (await import('./draw/draw.ts')).openDraw(),
  cas: async () => (await import('./cas/cas.ts')).openCas(),
};
