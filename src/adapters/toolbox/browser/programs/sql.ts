import * as duckdb from '@duckdb/duckdb-wasm/blocking';
import { NO_HOST, openSql } from '../../engines/sql.ts';
import { FILES_AT } from './files.ts';
import { serve } from './serve.ts';

serve(async () => {
  const bundle = { mainModule: `${FILES_AT}duckdb-eh.wasm`, mainWorker: '' };
  const runtime = { ...duckdb.BROWSER_RUNTIME, ...NO_HOST };
  const db = await duckdb.createDuckDB({ mvp: bundle, eh: bundle }, new duckdb.VoidLogger(), runtime);
  return openSql({ db, version: duckdb.PACKAGE_VERSION });
});
