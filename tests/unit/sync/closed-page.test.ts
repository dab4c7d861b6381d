import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { patchUploadsState } from '#adapters/browser/uploads/state.ts';
import { openDatabase } from '#lanes/database.ts';
import { db, setDatabase } from '#ui/client/db.ts';
import { storeToken } from '#ui/client/server-client.ts';
import { giveBackOnClose } from '#ui/remote/give-back.ts';

setDatabase(openDatabase());
afterEach(() => vi.unstubAllGlobals());

test('WORK-38 a page that is closed gives its upload back by a request that outlives it, and nothing where it has none', async () => {
  const sent: [url: string, init: RequestInit | undefined][] = [];
  let close = (): void => undefined;
  vi.stubGlobal('location', { origin: 'http://127.0.0.1:8787' });
  vi.stubGlobal('window', { addEventListener: (_name: string, listener: () => void) => (close = listener) });
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    sent.push([url, init]);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  await db.settings.put({ key: 'server_url', value: 'http://127.0.0.1:8787' });
  await storeToken('the-token');
  giveBackOnClose();
  close();
  expect(sent).toEqual([]);

  const current = { lease_id: 'lease-1', label: 'album.zip', user: 'ada', since: 1, progress: null };
  await patchUploadsState(db, { current });
  await vi.waitFor(() => {
    close();
    expect(sent.length).toBeGreaterThan(0);
  });
  await vi.waitFor(() => expect(sent[0]?.[1]).toMatchObject({ method: 'DELETE', keepalive: true }));
  expect(sent[0]?.[0]).toContain('/v1/ingestion/claims/lease-1');

  await patchUploadsState(db, { current: null });
  sent.length = 0;
  await new Promise((resolve) => setTimeout(resolve, 50));
  close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(sent).toEqual([]);
});
