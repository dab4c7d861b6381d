import { describe, expect, test } from 'vitest';
import { contextOf, evidenceOf } from '#lanes/music/cli/match.ts';
import { matchUpload } from '#lanes/music/work/match.ts';
import { WorkRows } from '#adapters/work/rows.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { newJob } from '#core/job/new-job.ts';
import { countingIds, makeBatch, testClock } from '../../fixtures/job.ts';
import { sameCases } from '../../fixtures/match-everywhere.ts';

describe('the worker decides as the app and the command line do', () => {
  test('WORK-9 each file: the same track and confidence as `accession match`, what is above the threshold approved', () => {
    const { catalog, cases } = sameCases();
    const few = cases.filter((_, at) => at % 7 === 0);
    const index = buildCatalogIndex(catalog);
    let approved = 0;
    let asked = 0;
    for (const one of few) {
      const context = contextOf(one.context);
      const files = one.files.map(evidenceOf);
      const said = matchBatch({ files, context }, index);
      const using = { clock: testClock(), ids: countingIds() };
      const batch = makeBatch({
        context_type: context.type === 'spontaneous' ? 'SPONTANEOUS' : 'DOWNLOAD_REQUEST',
      });
      const rows = new WorkRows(batch, using);
      for (const evidence of files) {
        const facts = {
          id: evidence.file_id,
          now: 0,
          batch,
          original_filename: evidence.path,
          path: evidence.path,
        };
        const job = newJob({ ...facts, file_size_bytes: 1, sha256: null });
        rows.addJob({
          ...job,
          evidence,
          phase: 'grouping',
          status: 'PROCESSING',
        });
      }
      const { request } = context;
      matchUpload({
        ...using,
        rows,
        index,
        request: request && {
          ...request,
          id: 'r',
          status: 'pending',
          requested_by: 'a person',
          created_at: 0,
          fulfilled_at: null,
        },
        held: new Map(),
        madeFrom: new Map(),
        threshold: 0.9,
        agent: false,
      });
      for (const file of said.files) {
        const job = rows.job(file.file_id);
        // Beside a better file of the same track it is a duplicate and has no match of its own.
        if (!job || job.phase === 'duplicate') continue;
        expect([job.match?.track_id, job.match?.confidence]).toEqual([file.track_id, file.confidence]);
        expect(['approved', 'review']).toContain(job.phase);
        if (job.phase === 'approved') approved += 1;
        else asked += 1;
      }
      const open = rows.reviews().filter((review) => review.resolved_at === null);
      expect(open.length > 0).toBe(rows.jobs().some((job) => job.phase === 'review'));
    }
    expect(approved).toBeGreaterThan(3);
    expect(asked).toBeGreaterThan(0);
  });
});
