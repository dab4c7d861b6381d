/** With PostgreSQL as the server's store: what is sent, worked on and published. */
import { describe } from 'vitest';
import { onPostgres } from '../fixtures/stores.ts';

onPostgres('the server', () => {
  describe('commits', async () => void (await import('./server-commits.test.ts')));
  describe('ingestion', async () => void (await import('./server-ingestion.test.ts')));
  describe('work', async () => void (await import('./server-work.test.ts')));
  describe('uploads', async () => void (await import('./server-uploads.test.ts')));
  describe('damaged files', async () => void (await import('./server-damage.test.ts')));
  describe('uploads whose file is gone', async () => void (await import('./worker-lost-file.test.ts')));
});
