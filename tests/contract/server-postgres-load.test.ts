/** With PostgreSQL as the server's store: what is large. */
import { describe } from 'vitest';
import { onPostgres } from '../fixtures/stores.ts';

onPostgres('the server', () => {
  describe('import', async () => void (await import('./server-import.test.ts')));
  describe('search while typing', async () => void (await import('./server-search-begun.test.ts')));
  describe('load', async () => void (await import('./server-load.test.ts')));
  describe('large requests', async () => void (await import('./server-turns.test.ts')));
});
