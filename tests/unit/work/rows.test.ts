import { describe, expect, test } from 'vitest';
import { takeNews } from '#adapters/work/news.ts';
import { WorkRows } from '#adapters/work/rows.ts';
import { archiveStatus } from '#core/job/archive-job.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../fixtures/job.ts';

const using = { clock: testClock(), ids: countingIds() };
const NOTHING = { cancelled: [], published: [], answers: [] };

function rowsOf(...jobs: Parameters<typeof makeJob>[0][]): WorkRows {
  const rows = new WorkRows(makeBatch(), using);
  for (const job of jobs) rows.addJob(makeJob(job), { known: true });
  return rows;
}

describe('the rows of an upload', () => {
  test('WORK-10 what was not saved stays to be saved; what is read back is what was written', () => {
    const rows = rowsOf({ id: 'a', status: 'PENDING', phase: 'queued' });
    const first = rows.unsaved();
    rows.apply('a', { type: 'probe' });
    rows.log('a', [{ step_type: 'Action', content: 'came while the save was under way' }]);
    rows.saved(first);
    expect(rows.unsaved().steps.map(({ step }) => step.content)).toEqual(['came while the save was under way']);
    expect(rows.unsaved().jobs.map((job) => job.status)).toEqual(['PROCESSING']);
    const again = WorkRows.read(rows.unsaved().document, using);
    expect(again.job('a')).toEqual(rows.job('a'));
    again.log('a', [{ step_type: 'Action', content: 'next' }]);
    expect(again.unsaved().steps[0]?.step.step_number).toBe(3);
  });

  test('WORK-11 cancelled and published jobs are taken over whatever the worker was at', () => {
    const rows = rowsOf(
      { id: 'a', status: 'CONVERTING', phase: 'converting' },
      { id: 'b', status: 'CONVERTING', phase: 'waiting' },
    );
    const published = [{ job_id: 'b', track_id: 't', output_file_path: 'x.ogg' }];
    expect(takeNews(rows, { ...NOTHING, cancelled: ['a'], published }, null, 5)).toBe(true);
    expect(rows.job('a')).toMatchObject({
      status: 'FAILED',
      phase: 'cancelled',
      error_message: 'cancelled',
    });
    expect(rows.job('b')).toMatchObject({
      status: 'COMPLETED',
      output_file_path: 'x.ogg',
    });
    expect(takeNews(rows, { ...NOTHING, cancelled: ['a'], published }, null, 6)).toBe(false);
    expect(rows.state()).toBe('done');
  });

  test('FAULT-13 an upload that is still being taken in is not done, whatever became of the first files', () => {
    const rows = rowsOf({ id: 'a', status: 'FAILED', phase: 'failed' });
    rows.batch = makeBatch({ state: 'staging' });
    expect(rows.state()).toBe('ready');
    expect(new WorkRows(makeBatch({ state: 'staging' }), using).state()).toBe('ready');
    rows.batch = makeBatch();
    expect(rows.state()).toBe('done');
  });

  test('WORK-12, API-37 an archive is as far as what came out of it', () => {
    const open = { unpacked: true, error: null };
    const of = (...statuses: ('PROCESSING' | 'AWAITING_REVIEW' | 'CONVERTING' | 'COMPLETED' | 'FAILED')[]) =>
      archiveStatus(
        open,
        statuses.map((status) => ({ status })),
      ).status;
    expect(of('COMPLETED', 'PROCESSING')).toBe('PROCESSING');
    expect(of('AWAITING_REVIEW', 'CONVERTING')).toBe('CONVERTING');
    expect(of('COMPLETED', 'AWAITING_REVIEW')).toBe('AWAITING_REVIEW');
    expect(of('COMPLETED', 'FAILED')).toBe('COMPLETED');
    expect(of('FAILED', 'FAILED')).toBe('FAILED');
    expect(archiveStatus(open, []).error).toContain('no audio');
    expect(archiveStatus({ unpacked: true, error: 'cancelled' }, [{ status: 'COMPLETED' }]).error).toBe('cancelled');
    expect(archiveStatus({ unpacked: false, error: null }, []).status).toBe('PROCESSING');
  });
});
