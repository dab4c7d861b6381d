import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { playbookBrowserKills } from '../soak/playbook-browser-kills.ts';
import { expect, test } from './support/test.ts';

test('PLAYBOOK-60 a browser that is killed twice in the middle of a run goes on with it: no answered prompt is asked twice, and the files are byte for byte those of a run that was not killed', async ({
  server,
}) => {
  const directory = await mkdtemp(join(tmpdir(), 'accession-playbook-kills-'));
  try {
    const found = await playbookBrowserKills({
      executable: process.env['ACCESSION_BROWSER'] ?? chromium.executablePath(),
      ...{ server, directory, units: 60 },
      runs: [
        [
          { prompts: 4, afterMs: 0 },
          { prompts: 12, afterMs: 5 },
        ],
      ],
    });
    expect(found).toEqual({ runs: 1, kills: 2, midway: 2, twice: 0, wrong: 0 });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
