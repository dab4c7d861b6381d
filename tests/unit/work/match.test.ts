import { describe, expect, test } from 'vitest';
import { ok } from '#core/result.ts';
import { contextOf, evidenceOf } from '#lanes/music/cli/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { sameCases } from '../../fixtures/match-everywhere.ts';
import { catalogCopy, flacBytes, probeOutcome, uploadBench } from '../../fixtures/upload-bench.ts';
import { sha256 } from '../../fixtures/vorbis-file.ts';

describe('the worker decides as the app and the command line do', () => {
  test('WORK-9 each file: the same track and confidence as `accession match`, what is above the threshold approved', async () => {
    const { catalog, cases } = sameCases();
    const few = cases.filter((_, at) => at % 7 === 0);
    const index = buildCatalogIndex(catalog);
    let approved = 0;
    let asked = 0;
    for (const one of few) {
      const context = contextOf(one.context);
      const evidence = one.files.map(evidenceOf);
      const said = matchBatch({ files: evidence, context }, index);
      const files = evidence.map(({ file_id: id, path }, at) => ({ id, path, bytes: flacBytes(at + 1) }));
      const known = new Map(files.map(({ bytes }, at) => [sha256(bytes), evidence[at]]));
      const { request } = context;
      const wanted = { id: 'r', status: 'pending' as const, requested_by: 'a person', created_at: 0 };
      const bench = uploadBench({
        catalog: catalogCopy(catalog, request ? [{ ...wanted, ...request, fulfilled_at: null }] : []),
        files,
        probe: (content) => {
          const { duration_ms = null, tags = {} } = known.get(content) ?? {};
          return ok(probeOutcome({ duration_ms, tags }));
        },
      });
      if (request) Object.assign(bench.claim.batch, { context_type: 'download_request', context_id: 'r' });
      await bench.work();
      const { jobs, reviews } = bench.rows();
      for (const file of said.files) {
        const job = jobs.find(({ id }) => id === file.file_id);
        // Beside a better file of the same track it is a duplicate and has no match of its own.
        if (!job || job.phase === 'duplicate') continue;
        expect([job.match?.track_id, job.match?.confidence]).toEqual([file.track_id, file.confidence]);
        expect(['published', 'review']).toContain(job.phase);
        if (job.phase === 'published') approved += 1;
        else asked += 1;
      }
      const open = reviews.filter((review) => review.resolved_at === null);
      expect(open.length > 0).toBe(jobs.some((job) => job.phase === 'review'));
    }
    expect(approved).toBeGreaterThan(3);
    expect(asked).toBeGreaterThan(0);
  });
});
