/** A waiting result that a workstation exported, published by the server. */
import 'fake-indexeddb/auto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportBundle } from '#adapters/browser/sync/bundle.ts';
import { sendBundle } from '#adapters/http/bundle-client.ts';
import { MemoryBlobStore } from '../fixtures/memory-blobs.ts';
import { bundleImport } from '#cli/bundle-import.ts';
import type { AuditEntry } from '#core/sync/people.ts';
import type { CommitResponse } from '#core/sync/protocol.ts';
import { commitOf, SMALL_CATALOG, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';
import { syncWorld } from '../unit/sync/sync-world.ts';

const FILE = vorbisFile({ durationMs: 255_000 });
const BODY = commitOf(FILE, 'tr_h1', { job_id: 'j-a' });

/** As the app exports it. */
async function exported(bytes = FILE.bytes, body = BODY): Promise<Uint8Array<ArrayBuffer>> {
  const world = syncWorld();
  const blobs = new MemoryBlobStore();
  await blobs.put(
    (async function* () {
      yield await Promise.resolve(bytes);
    })(),
  );
  await world.enqueue('a');
  await world.db.outbox.clear();
  await world.put('key-a', body);
  await world.db.steps.add({
    ...{ id: 's1', job_id: 'j-a', step_number: 1, timestamp: 5, step_type: 'Decision', content: 'Matched' },
    ...{ metadata: {}, duration_ms: null },
  });
  const { blob } = await exportBundle(world.store, blobs, 'key-a');
  return new Uint8Array(await blob.arrayBuffer());
}

onBothStores('POST /v1/ingestion/bundles', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await testServer();
    await server.importCatalog(SMALL_CATALOG);
  });
  afterEach(() => server.end());

  const send = async (bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await server.raw('POST', '/v1/ingestion/bundles', bytes, headers);
    const body = (await response.json()) as CommitResponse & ErrorAnswer;
    return { status: response.status, body, replayed: response.headers.get('idempotent-replayed') };
  };
  const audit = async (): Promise<string[]> =>
    (await server.api<{ items: AuditEntry[] }>('GET', '/v1/audit?entity_id=tr_h1')).body.items.map(
      ({ action, user_id }) => `${user_id} ${action}`,
    );
  const uploads = () => readdir(join(server.data, 'uploads'));

  test('API-52, API-76 an exported result is published once, with its log, whoever brings it and how often', async () => {
    const bundle = await exported();
    const first = await send(bundle);
    expect([first.status, first.body.outcome, first.body.track_id]).toEqual([200, 'created', 'tr_h1']);
    const again = await send(bundle);
    expect([again.status, again.body, again.replayed]).toEqual([200, first.body, 'true']);
    // The workstation itself comes after all, with what it has.
    const late = await server.api('POST', '/v1/ingestion/commits', BODY, { 'Idempotency-Key': 'key-a' });
    expect([late.status, late.body]).toEqual([200, first.body]);
    expect(await audit()).toEqual(['admin bundle.imported', 'admin track.published']);
    const job = await server.api<{ status: string; reasoning_steps: { content: string }[] }>(
      'GET',
      '/v1/ingestion/jobs/j-a',
    );
    expect(job.body).toMatchObject({ status: 'COMPLETED', reasoning_steps: [{ content: 'Matched' }] });
    expect((await server.raw('GET', '/v1/catalog/tracks/tr_h1/audio')).status).toBe(200);
    expect(await uploads()).toEqual([]);
  });

  test('API-52, API-76 of somebody else’s it is unchanged where they published it, and their job stays theirs', async () => {
    await server.addToken('the-token-of-bob', 'bob', 'EditCatalog');
    const bundle = await exported();
    expect((await send(bundle, { Authorization: 'Bearer the-token-of-bob' })).body.outcome).toBe('created');
    expect((await send(bundle)).body.outcome).toBe('unchanged');
    await server.addToken('the-token-of-work', 'bob', 'Work');
    expect((await send(bundle, { Authorization: 'Bearer the-token-of-work' })).status).toBe(403);
  });

  test('API-52, API-73 what is changed, cut off, packed or another thing is refused in words, and nothing of it stays', async () => {
    const bundle = await exported();
    const at = (text: string): number => Buffer.from(bundle).indexOf(text);
    const changed = (place: number): Uint8Array<ArrayBuffer> => {
      const copy = bundle.slice();
      copy[place] = (copy[place] ?? 0) ^ 1;
      return copy;
    };
    const audio = at('audio.ogg') + 'audio.ogg'.length;
    const cases: [string, Uint8Array<ArrayBuffer>, string][] = [
      ['another audio', changed(audio + 5000), 'not the one that was approved'],
      ['another decision', changed(at('"tr_h1"') + 5), 'the decision was changed'],
      ['cut in its audio', bundle.slice(0, audio + 5000), 'cut off'],
      ['cut in its list', bundle.slice(0, 100), 'cut off'],
      ['packed', changed(8), 'another program'],
      ['no bundle', new Uint8Array(4000), 'a part is missing'],
    ];
    for (const [name, bytes, said] of cases) {
      const answer = await send(bytes);
      expect([answer.status, answer.body.error.message], name).toEqual([422, expect.stringContaining(said)]);
    }
    expect(await uploads()).toEqual([]);
    expect(await audit()).toEqual([]);
    // What is whole is taken all the same, and other audio is not written over.
    expect((await send(bundle)).status).toBe(200);
    const other = vorbisFile({ durationMs: 255_000, seed: 9 });
    const against = await send(await exported(other.bytes, commitOf(other, 'tr_h1', { job_id: 'j-a' })));
    expect(against.status).toBe(422);
  });

  test('API-52 comes from the command line, too', async () => {
    const path = join(server.data, 'a.accession.zip');
    await writeFile(path, await exported());
    const said: string[] = [];
    const http = { baseUrl: server.url, token: () => Promise.resolve(TOKEN) };
    const send = (bundle: Blob) => sendBundle(http, bundle);
    await bundleImport(send, path, (line) => void said.push(line));
    expect(said[0]).toMatch(/^created: tr_h1, .+\.ogg$/);
    await writeFile(path, 'something else');
    await expect(bundleImport(send, path, () => undefined)).rejects.toThrow('no exported result');
    await expect(bundleImport(send, `${path}.gone`, () => undefined)).rejects.toThrow('cannot be read');
  });
});
