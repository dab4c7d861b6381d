/** The server's own contract tests once more, with PostgreSQL as its store. */
import { describe } from 'vitest';
import { onPostgres } from '../fixtures/stores.ts';

onPostgres('the server', () => {
  describe('catalog', async () => void (await import('./server-catalog.test.ts')));
  describe('commits', async () => void (await import('./server-commits.test.ts')));
  describe('import', async () => void (await import('./server-import.test.ts')));
  describe('ingestion', async () => void (await import('./server-ingestion.test.ts')));
});
