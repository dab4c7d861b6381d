/** DuckDB as it is loaded in Node. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DuckDBBindings, DuckDBRuntime } from '@duckdb/duckdb-wasm/blocking';
import { NO_HOST } from '../sql.ts';

export async function openDuckDb(): Promise<{ db: DuckDBBindings; version: string }> {
  const require = createRequire(import.meta.url);
  const duckdb =
    require('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs') as typeof import('@duckdb/duckdb-wasm/blocking') & {
      NODE_RUNTIME: DuckDBRuntime;
    };
  const folder = dirname(require.resolve('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'));
  const bundle = (kind: string) => ({ mainModule: join(folder, `duckdb-${kind}.wasm`), mainWorker: '' });
  const bundles = { mvp: bundle('mvp'), eh: bundle('eh') };
  const runtime = { ...duckdb.NODE_RUNTIME, ...NO_HOST };
  return { db: await duckdb.createDuckDB(bundles, new duckdb.VoidLogger(), runtime), version: duckdb.PACKAGE_VERSION };
}
