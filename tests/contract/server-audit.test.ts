/** The log of who did what: what is in it beyond edits of the catalog and of people (server-people.test.ts). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { catalogImport } from '#cli/catalog-import.ts';
import type { AuditEntry } from '#core/sync/people.ts';
import type { UploadAnswer } from '#core/sync/work-protocol.ts';
import { job, review } from '../fixtures/mirrored.ts';
import { LANES, SMALL_CATALOG, testServer, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { curlForm } from '../fixtures/worker.ts';

/** The first bytes of one, and something behind them. */
const FLAC = Buffer.concat([Buffer.from('fLaC'), Buffer.from([0, 0, 0, 34]), Buffer.alloc(120, 1)]);

onBothStores('the log', () => {
  let server: TestServer;
  const ADA = { Authorization: 'Bearer the-token-of-ada' };
  beforeEach(async () => {
    server = await testServer();
    await server.importCatalog(SMALL_CATALOG);
    await server.addToken('the-token-of-ada', 'ada', 'EditCatalog');
  });
  afterEach(() => server.end());

  const lines = async (action: string): Promise<AuditEntry[]> =>
    (await server.api<{ items: AuditEntry[] }>('GET', `/v1/audit?action=${action}`)).body.items;
  const mirror = async (body: object): Promise<void> => {
    const all = { jobs: [], steps: [], reviews: [], ...body };
    expect((await server.api('PUT', '/v1/ingestion/mirror', all, ADA)).status).toBe(200);
  };

  describe('says of a workstation', () => {
    const answered = { resolved_at: 1700, resolved_by_user_id: 'somebody else', selected_option: 'none' };

    test('AUTH-30: who answered a question there, once, whomever the workstation names', async () => {
      await mirror({ jobs: [job('j1')], reviews: [review('r1', ['j1'])] });
      expect(await lines('review.answered')).toEqual([]);
      for (let at = 0; at < 2; at += 1) await mirror({ reviews: [review('r1', ['j1'], answered)] });
      expect(await lines('review.answered')).toMatchObject([
        {
          user_id: 'ada',
          entity_id: 'j1',
          at: server.time.now,
          details: { selected_option: 'none', review_id: 'r1', at_workstation: true },
        },
      ]);
    });

    test('AUTH-30: nothing of an answer that was given here, and nothing of what nobody decided', async () => {
      await mirror({ jobs: [job('j1')], reviews: [review('r1', ['j1'])] });
      await server.api('POST', '/v1/ingestion/review/j1', { selected_option: 'none' }, ADA);
      await mirror({ reviews: [review('r1', ['j1'], { ...answered, resolved_by_user_id: 'ada' })] });
      const withdrawn = { resolved_at: 1700, selected_option: 'withdrawn' };
      await mirror({ jobs: [job('j2')], reviews: [review('r2', ['j2'], withdrawn)] });
      const found = await lines('review.answered');
      expect(found).toHaveLength(1);
      expect(found[0]?.details).not.toHaveProperty('at_workstation');
    });

    test('AUTH-30: that a job was cancelled there, once', async () => {
      const cancelled = { status: 'FAILED' as const, error_message: 'cancelled' };
      for (let at = 0; at < 2; at += 1) await mirror({ jobs: [job('j1', { ...cancelled, updated_at: 3000 + at })] });
      expect(await lines('job.cancelled')).toMatchObject([{ user_id: 'ada', entity_id: 'j1' }]);
    });
  });

  test('AUTH-30: says who uploaded what, and who cancelled whose job', async () => {
    const form = curlForm([{ name: 'a.flac', bytes: FLAC }]);
    const sent = await server.raw('POST', '/v1/ingestion/upload', form.body, { ...form.headers, ...ADA });
    const { batch_id, job_ids } = (await sent.json()) as UploadAnswer;
    expect(await lines('upload.received')).toMatchObject([
      { user_id: 'ada', entity_id: batch_id, details: { files: 1, bytes: FLAC.length, jobs: 1, label: 'a.flac' } },
    ]);
    expect((await server.api('DELETE', `/v1/ingestion/jobs/${job_ids[0] ?? ''}`)).status).toBe(200);
    expect(await lines('job.cancelled')).toMatchObject([
      { user_id: 'admin', entity_id: job_ids[0], details: { owner: 'ada', file: 'a.flac', jobs: 1 } },
    ]);
    // What is refused is not said to be done.
    expect((await server.api('DELETE', `/v1/ingestion/jobs/${job_ids[0] ?? ''}`)).status).toBe(409);
    expect(await lines('job.cancelled')).toHaveLength(1);
  });

  test('AUTH-30: says that a catalog was imported on the command line', async () => {
    const path = join(server.data, 'more.json');
    await writeFile(path, JSON.stringify(SMALL_CATALOG));
    const imports = LANES.flatMap((lane) => lane.imports);
    await catalogImport(server.store, { now: () => 5_000 }, imports, path, () => undefined);
    expect(await lines('catalog.imported')).toContainEqual(
      expect.objectContaining({
        user_id: 'command-line',
        at: 5_000,
        details: expect.objectContaining({ file: 'more.json' }),
      }),
    );
  });
});
