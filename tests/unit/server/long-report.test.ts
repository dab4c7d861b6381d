import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeMirror } from '#server/ingest/mirror.ts';
import { job, step } from '../../fixtures/mirrored.ts';
import { openTestStore } from '../../fixtures/server.ts';

test('MIRROR-5 a report of more steps than a call can have arguments is taken', async ({ onTestFinished }) => {
  const data = await mkdtemp(join(tmpdir(), 'accession-report-'));
  const store = await openTestStore(data);
  onTestFinished(async () => {
    await store.close();
    await rm(data, { recursive: true, force: true });
  });
  const { step: one } = step('j1', 1, 'x');
  const steps = Array.from({ length: 126_000 }, (_, at) => ({ job_id: 'j1', step: { ...one, id: `s${at}` } }));
  const report = { jobs: [job('j1')], steps, reviews: [] };
  expect(await store.write((tx) => takeMirror(tx, 'somebody', report, 1))).toMatchObject({ resolved_reviews: [] });
});
