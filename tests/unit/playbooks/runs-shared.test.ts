import { expect, test } from 'vitest';
import type { PlaybookMachine } from '#lanes/playbooks/browser/run-here.ts';
import { sharedClient, sharedRuns } from '#lanes/playbooks/browser/runs-shared.ts';

test('UI-385 of a page that is left at once, whose database is closed before its worker has read which server it is, every question about a run there is answered with a failure', async () => {
  const closed = sharedClient(() => Promise.reject(new Error('Database has been closed')));
  const runs = sharedRuns({} as PlaybookMachine, closed);
  const limits = {} as Parameters<typeof runs.resumeShared>[1];
  const answers = await Promise.all([
    runs.sharedRuns(),
    runs.sharedRun('a'),
    runs.cancelShared('a'),
    runs.resumeShared('a', limits),
    runs.removeShared('a'),
  ]);
  const failure: unknown = expect.objectContaining({ message: 'Database has been closed' });
  expect(answers).toEqual(answers.map(() => ({ ok: false, failure })));
});
