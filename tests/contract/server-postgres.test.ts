/** The server's own contract tests once more, with PostgreSQL as its store; those where the database has a say. */
import { describe } from 'vitest';
import { onPostgres } from '../fixtures/stores.ts';

onPostgres('the server', () => {
  describe('attacks', async () => void (await import('./server-attacks.test.ts')));
  describe('who asks', async () => void (await import('./server-auth.test.ts')));
  describe('routes', async () => void (await import('./server-routes.test.ts')));
  describe('sockets', async () => void (await import('./server-sockets.test.ts')));
  describe('catalog', async () => void (await import('./server-catalog.test.ts')));
  describe('rearranging', async () => void (await import('./server-rearrange.test.ts')));
  describe('covers', async () => void (await import('./server-covers.test.ts')));
  describe('people', async () => void (await import('./server-people.test.ts')));
  describe('shows', async () => void (await import('./server-shows.test.ts')));
  describe('versions', async () => void (await import('./server-versions.test.ts')));
  describe('signing in', async () => void (await import('./server-sign-in.test.ts')));
  describe('what to do', async () => void (await import('./server-remedies.test.ts')));
  describe('health and metrics', async () => void (await import('./server-service.test.ts')));
});
