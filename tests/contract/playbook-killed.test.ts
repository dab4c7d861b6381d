import { expect, test } from 'vitest';
import { killedRun } from '../fixtures/playbook-kills.ts';

test('PLAYBOOK-41 a process that is killed by SIGKILL and resumed asks nothing twice that was answered, and leaves the files of one that was not', async () => {
  const [whole, killed] = await Promise.all([
    killedRun({ units: 6, kills: [] }),
    killedRun({
      units: 6,
      kills: [
        { prompts: 2, afterMs: 0 },
        { prompts: 6, afterMs: 3 },
      ],
    }),
  ]);
  expect(whole).toMatchObject({ kills: 0, asked: 12, twice: 0, code: 0 });
  expect(killed).toMatchObject({ kills: 2, twice: 0, code: 0 });
  expect(killed.files).toEqual(whole.files);
});
