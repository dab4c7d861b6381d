/** Records that were approved at the terminal: into an outbox on the disk, from there to the catalog server. */
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendCommand } from '#lanes/documents/cli/send.ts';
import { waitingIn } from '#lanes/documents/node/scan/outbox-folder.ts';
import type { SharedDocument } from '#lanes/documents/core/share/shared-document.ts';
import { documentWorld, DOI, paper, work } from '../fixtures/document-world.ts';
import { testServer, TOKEN, type TestServer } from '../fixtures/server.ts';

describe('DOCUMENT-99 what is written at the terminal', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await testServer();
  });
  afterEach(() => server.end());

  const shared = async (): Promise<(SharedDocument | null)[]> => {
    const { body } = await server.api<{ items: { record: SharedDocument | null }[] }>(
      'GET',
      '/v1/catalog/changes/documents',
    );
    return body.items.map(({ record }) => record);
  };
  const river = () => documentWorld({ 'a.pdf': paper(1, 'Counting the rivers') }, [work(1, 'Counting the rivers')]);
  const http = (token = TOKEN) => ({ baseUrl: server.url, token: () => Promise.resolve(token) });

  test('goes to the server with its PDF, once, and undo takes it back there', async () => {
    await using it = await river();
    const ports = { ...(await it.ports()), share: 'pdfs' as const };
    expect(await it.scan({}, ports)).toBe(0);
    expect(await waitingIn(ports.outbox)).toMatchObject([{ refused: null, record: { doi: DOI(1) } }]);
    expect(await sendCommand(ports.outbox, http(), ports)).toBe(0);
    expect(it.said.at(-1)).toBe('sent 1 record to the catalog server');
    expect(await readdir(ports.outbox)).toEqual([]);
    const [record] = await shared();
    expect(record).toMatchObject({ title: 'Counting the rivers', source: 'crossref' });
    const content = await server.raw('GET', `/v1/documents/contents/${record?.content?.sha256 ?? 'none'}`);
    expect([content.status, content.headers.get('content-type')]).toEqual([200, 'application/pdf']);

    const later = { ...ports, clock: { now: () => ports.clock.now() + 1 } };
    expect(await it.undo(later)).toBe(0);
    expect(await sendCommand(ports.outbox, http(), later)).toBe(0);
    expect(await shared()).toEqual([null]);
  });

  test('waits where the server is away or does not know who asks, and stays here where nothing is shared', async () => {
    await using it = await river();
    const ports = { ...(await it.ports()), share: 'records' as const };
    await it.scan({}, ports);
    const away = { baseUrl: 'http://127.0.0.1:9', token: () => Promise.resolve(TOKEN) };
    for (const address of [away, http('another-token-than-the-one')]) {
      expect(await sendCommand(ports.outbox, address, ports)).toBe(1);
      expect(it.said.at(-1)).toMatch(/^1 record wait.*`documents send` tries again$/);
    }
    expect(await sendCommand(ports.outbox, http(), ports)).toBe(0);
    expect(await shared()).toMatchObject([{ title: 'Counting the rivers', content: null }]);

    await using other = await river();
    const alone = await other.ports();
    await other.scan({}, alone);
    expect(await waitingIn(alone.outbox)).toEqual([]);
  });
});
